/* SPDX-License-Identifier: BSD-2-Clause */
/* The screen: formats the text, keeps the layout, and draws the cells that have changed. */
#include "kernel/screen/screen.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/kept.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

/*
 * The cost of a pixel depends on the bus and its memory type: drawing a large screen takes from a millisecond to a
 * second. So code that writes a line waits for no more than a slice of the drawing, drawing takes at most a ninth of
 * the time, and while tests run the log's tail is redrawn only this often.
 */
#define SLICE_US 5000
#define START_SLICE_US 100000 /* during the start, where a line may be the last that the machine shows */
#define SHARE 8
#define LOG_REDRAW_US 100000

OPTION(pages, .kind = OPTION_NUMBER, .argument = "SECONDS", .minimum = 0, .maximum = 3600,
       .help = "how long each page at the end stays on the screen (default: 5 to 10); 0: only the summary");

#define TEXT_SIZE (2 * LAYOUT_COLUMNS_MAX + 2) /* two rows, and one more character, so that a cut is visible */

extern const u8 font_file[], font_file_end[]; /* kernel/screen/font.asm */

static struct layout layout;
static struct pages pages;                                            /* at the end */
static struct screen_cell shown[LAYOUT_ROWS_MAX][LAYOUT_COLUMNS_MAX]; /* what the display shows now */
static struct display display;
static struct font font;
static struct qr code; /* of the current page; size 0 if it has none */
static bool open, font_usable, running;
static struct {
    unsigned next;   /* the cell at which drawing continues */
    unsigned cells;  /* how many cells to check, from there on */
    u64 slice;       /* time limit; 0: draw all. All times are in ticks */
    u64 ended, last; /* when the last drawing ended, and how long it took */
    u64 total, longest;
} drawing;

OPTION(framebuffer, .kind = OPTION_TEXT, .argument = "ADDRESS,WIDTHxHEIGHT,PITCH",
       .help = "a framebuffer of 32-bit pixels, if the loader does not say (kexec on UEFI)");

/* The loader's framebuffer; if it gave none, the option's. */
static struct boot_framebuffer framebuffer_of(const struct boot_info *boot)
{
    struct boot_framebuffer framebuffer = boot->framebuffer;
    if (!framebuffer.present && option_framebuffer.given && !framebuffer_parse(option_framebuffer.text, &framebuffer))
        log_line("# error framebuffer=%.80s: not ADDRESS,WIDTHxHEIGHT,PITCH", option_framebuffer.text);
    return framebuffer;
}

/* A framebuffer never lies in memory of the loader's map: drawing there would overwrite data. */
static bool is_memory(const struct boot_info *boot, const struct boot_framebuffer *framebuffer)
{
    u64 end = framebuffer->address + (u64)framebuffer->pitch * framebuffer->height;
    for (const struct boot_region *region = boot->region; region < boot->region + boot->regions; region++)
        if (region->type == BOOT_REGION_AVAILABLE && region->base < end &&
            framebuffer->address < region->base + region->length)
            return true;
    return false;
}

static bool open_display(const struct boot_info *boot)
{
    struct boot_framebuffer framebuffer = framebuffer_of(boot);
    if (font_usable && !is_memory(boot, &framebuffer) && framebuffer_open(&framebuffer, &font, &display))
        return true;
    if (boot->efi || (framebuffer.present && framebuffer.type != 2))
        return false; /* in a graphics mode there is no text mode to fall back on */
    return vga_text_open(&framebuffer, &display);
}

/* Returns whether it drew; false if the display shows the cell already. */
static bool draw_cell(unsigned row, unsigned column)
{
    const struct screen_cell *cell = &layout.cell[row][column];
    struct screen_cell *old = &shown[row][column];
    if (cell->character == old->character && cell->colour == old->colour)
        return false;
    *old = *cell;
    display.draw(column, row, *cell);
    return true;
}

static void draw(void)
{
    u64 begun = time_now();
    for (unsigned i = 0; i < drawing.cells; i++) {
        unsigned at = drawing.next;
        drawing.next = (at + 1) % (layout.rows * layout.columns);
        if (draw_cell(at / layout.columns, at % layout.columns) && drawing.slice && time_now() - begun > drawing.slice)
            break;
    }
    drawing.ended = time_now();
    drawing.last = drawing.ended - begun;
    drawing.total += drawing.last;
    drawing.longest = drawing.last > drawing.longest ? drawing.last : drawing.longest;
}

static struct sink sink;

static void draw_rows(unsigned rows, u64 slice)
{
    drawing.cells = rows * layout.columns;
    drawing.slice = slice;
    log_sink_run(&sink, draw);
}

static void draw_changes(void)
{
    draw_rows(layout.rows, 0);
}

static void draw_slice(void)
{
    draw_rows(layout.rows, time_ticks(running ? SLICE_US : START_SLICE_US));
}

static void draw_when_due(void)
{
    u64 pause = SHARE * drawing.last, least = running ? time_ticks(LOG_REDRAW_US) : 0;
    if (time_now() - drawing.ended >= (pause > least ? pause : least))
        draw_slice();
}

/* The rows down to the running test are drawn at once; during the start all rows are drawn from the top. */
static void draw_from_top(void)
{
    unsigned next = drawing.next;
    drawing.next = 0;
    if (!running) {
        draw_slice();
        return;
    }
    draw_rows(LAYOUT_FIRST_FINDING, 0);
    drawing.next = next;
    draw_when_due();
}

/* A step of the start may be the last action of the machine, so it is shown before it begins. */
static void write_log(const char *text, size_t length)
{
    char starting[TEXT_SIZE];
    size_t mark = strlen(KEPT_STEP);
    layout_log(&layout, text, length);
    if (length <= mark || strncmp(text, KEPT_STEP, mark)) {
        draw_when_due();
        return;
    }
    format_text(starting, sizeof(starting), "starting: %.*s", (int)(length - mark), text + mark);
    layout_field(&layout, SCREEN_RUNNING, starting);
    draw_from_top();
}

static void show_finding(const char *text)
{
    layout_finding(&layout, text);
    pages_finding(&pages, text);
    draw_slice();
}

static void show_abandoned(const char *reason)
{
    layout_verdict(&layout, font_usable ? &font : NULL, "ERROR", 1, reason);
    draw_changes();
}

static struct sink sink = {.name = "screen", .write = write_log, .finding = show_finding, .abandoned = show_abandoned};

static void tell_display(const struct boot_info *boot)
{
    const struct boot_framebuffer *f = &boot->framebuffer;
    if (display.width && f->present)
        log_line("# screen columns=%u rows=%u width=%u height=%u pitch=%u depth=%u address=0x%lx", layout.columns,
                 layout.rows, f->width, f->height, f->pitch, f->depth, (unsigned long)f->address);
    else
        log_line("# screen columns=%u rows=%u", layout.columns, layout.rows);
}

void screen_init(const struct boot_info *boot)
{
    font_usable = psf_parse(font_file, (size_t)(font_file_end - font_file), &font);
    if (!open_display(boot) || !layout_init(&layout, display.columns, display.rows)) {
        log_line("# screen none");
        return;
    }
    open = true;
    memset(shown, 0xff, sizeof(shown)); /* a value that no cell has, so that everything is drawn once */
    log_add_sink(&sink);
    tell_display(boot);
}

void screen_map(void)
{
    if (open && !display.map())
        sink.off = true;
}

void screen_print_cost(void)
{
    if (open && !time_assumed())
        log_line("# took screen us=%lu longest-us=%lu", (unsigned long)time_us(drawing.total),
                 (unsigned long)time_us(drawing.longest));
}

void screen_poll(void)
{
    if (open)
        draw_when_due();
}

void screen_set(enum screen_field field, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list args;
    if (!open)
        return;
    va_start(args, format);
    format_args(text, sizeof(text), format, args);
    va_end(args);
    running |= field == SCREEN_RUNNING;
    layout_field(&layout, field, text);
    draw_from_top();
}

void screen_progress(unsigned done, unsigned total)
{
    if (!open)
        return;
    layout_progress(&layout, done, total);
    draw_from_top();
}

void screen_finding(const char *format, ...)
{
    char text[PAGES_FINDING_SIZE];
    va_list args;
    va_start(args, format);
    format_args(text, sizeof(text), format, args);
    va_end(args);
    if (open)
        show_finding(text);
}

void screen_failed(const char *outcome, const char *test)
{
    pages_failed(&pages, outcome, test);
}

/* Draws the code with the light modules around it, over the cells. */
static void draw_code(void)
{
    const struct qr *qr = &code;
    u32 pixels = screen_code_pixels(&pages.place, qr->version), side = qr->size + 2 * QR_QUIET;
    u32 top = (pages.place.room - side * pixels) / 2;
    for (u32 row = 0; row < side; row++)
        for (u32 column = 0; column < side; column++) {
            bool dark = qr_dark(qr, (int)row - QR_QUIET, (int)column - QR_QUIET);
            display.fill(column * pixels, top + row * pixels, pixels, pixels, dark ? BLACK : WHITE);
        }
}

static void show_page(unsigned page)
{
    if (code.size && display.fill)
        memset(shown, 0xff, sizeof(shown)); /* the code has overwritten cells, so all are drawn again */
    pages_draw(&pages, page, &layout, &code);
    draw_changes();
    if (code.size && display.fill)
        log_sink_run(&sink, draw_code);
}

static struct screen_size size_of_screen(void)
{
    return (struct screen_size){layout.columns, layout.rows, display.width, display.height};
}

unsigned screen_code_characters(void)
{
    struct screen_size size = size_of_screen();
    struct code_place place = open ? screen_code_place(&size) : (struct code_place){0};
    return place.version ? qr_capacity(place.version, place.level) : 0;
}

void screen_end(const struct screen_end *end)
{
    struct screen_size size = size_of_screen();
    if (!open)
        return;
    pages_make(&pages, &layout, font_usable ? &font : NULL, &size, end);
    show_page(0);
}

/* Without a local APIC nothing would wake a sleeping CPU. */
static void wait_seconds(unsigned seconds)
{
    u64 end = time_uptime_ms() + 1000ul * seconds;
    while (time_uptime_ms() < end)
        if (apic_present()) {
            cli(); /* otherwise the tick could come before HLT */
            apic_tick(true);
            sti_hlt();
        } else {
            time_delay_us(1000);
        }
}

void screen_turn(void)
{
    if (!open || pages.count < 2 || (option_pages.given && !option_pages.number))
        return;
    for (unsigned page = 0;; page = (page + 1) % pages.count) {
        show_page(page);
        wait_seconds(option_pages.given ? (unsigned)option_pages.number : pages_seconds(&pages, page));
    }
}
