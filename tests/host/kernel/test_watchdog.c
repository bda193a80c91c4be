/* SPDX-License-Identifier: BSD-2-Clause */
/* The known chipsets, the writes to their registers, and that the timer never runs longer than requested. */
#include "kernel/firmware/watchdog.h"
#include "tests/host/case.h"

#include <string.h>

#define ISA 0x06010000u
#define SMBUS 0x0c050000u

/* ICH9 as QEMU has it, and a 300 series chipset as firmware leaves it. */
static const struct watchdog_words hub_9 = {.lpc_id = 0x29188086,
                                            .lpc_class = ISA | 2,
                                            .pmbase = 0x601,
                                            .acpi_control = 0x80,
                                            .rcba = 0xfed1c001,
                                            .smbus_id = ~0u,
                                            .smbus_class = ~0u,
                                            .tco_base = ~0u,
                                            .tco_control = ~0u},
                                   series_300 = {.lpc_id = 0xa3058086,
                                                 .lpc_class = ISA,
                                                 .pmbase = 0,
                                                 .acpi_control = 0x80,
                                                 .rcba = 0,
                                                 .smbus_id = 0xa3238086,
                                                 .smbus_class = SMBUS,
                                                 .tco_base = 0x401,
                                                 .tco_control = 0x101};

static const char *find(const struct watchdog_words *words, u32 expected_tco, u32 expected_gcs)
{
    struct watchdog_place place = {0x1234, 5};
    const char *wrong = watchdog_find(words, &place);
    assert_int_equal(place.tco, wrong ? 0x1234 : expected_tco);
    assert_int_equal(place.gcs, wrong ? 5 : expected_gcs);
    return wrong;
}

CASE(chipsets)
{
    /* LPC bridges: ICH9 as QEMU has it, H55, C226; not the ICH5's, ISA bridges of PIIX3 and 100 series, nor AMD's. */
    static const u32 known[] = {0x29188086, 0x3b068086, 0x8c568086},
                     others[] = {0x24d08086, 0x70008086, 0xa1438086, 0x29181022, 0xffffffff, 0};
    /* SMBus functions: of the 300 to 700 series and C740; of the 100, 200 and C620 series; of hub 9 and AMD's. */
    static const u32 later[] = {0xa3238086, 0x43a38086, 0x7aa38086, 0x7a238086, 0x1bc98086},
                     hidden[] = {0xa1238086, 0x9d238086, 0xa2a38086, 0xa1a38086},
                     foreign[] = {0x29308086, 0x790b1022, 0xa3231022, 0xffffffff, 0};
    struct watchdog_words words = hub_9;
    for_each_row (known, id) {
        words.lpc_id = *id;
        assert_null(find(&words, 0x660, 0xfed1f410));
    }
    for_each_row (others, id) {
        words.lpc_id = *id;
        assert_string_equal(find(&words, 0, 0), "no chipset with a TCO that is known");
    }
    words = series_300;
    for_each_row (later, id) {
        words.smbus_id = *id;
        assert_null(find(&words, 0x400, 0));
    }
    for_each_row (hidden, id) {
        words.smbus_id = *id;
        assert_non_null(strstr(find(&words, 0, 0), "firmware hides"));
    }
    for_each_row (foreign, id) {
        words.smbus_id = *id;
        assert_string_equal(find(&words, 0, 0), "no chipset with a TCO that is known");
    }
}

CASE(switched_off)
{
    struct watchdog_words words = hub_9;
    words.lpc_class = 0x06800000;
    assert_non_null(find(&words, 0, 0));
    words = hub_9;
    words.acpi_control = 0;
    assert_non_null(find(&words, 0, 0));
    words = hub_9;
    words.pmbase = 1;
    assert_non_null(find(&words, 0, 0));
    words = hub_9;
    words.rcba &= ~1u;
    assert_non_null(find(&words, 0, 0));
    words = series_300;
    words.smbus_class = ISA;
    assert_non_null(find(&words, 0, 0));
    words = series_300;
    words.tco_control = 1;
    assert_non_null(find(&words, 0, 0));
    words = series_300;
    words.tco_base = 1;
    assert_non_null(find(&words, 0, 0));
    words.tco_base = ~0u;
    assert_non_null(find(&words, 0, 0));
}

/* ---- A simulated TCO: writes to it, and values that it does not accept. */

static struct {
    u16 control, timer;
    u32 gcs;
    bool strap, frozen; /* NO_REBOOT cannot be cleared; HALT cannot */
    unsigned reloads, nmis, writes;
} tco;

static u16 tco_get(u16 offset)
{
    return offset == TCO1_CNT ? tco.control : offset == TCO_TMR ? tco.timer : 0;
}

/* Will it reset the machine? Then NO_REBOOT is clear, in one of its two places. */
static bool resets(bool in_gcs)
{
    bool forbidden = in_gcs ? tco.gcs & GCS_NO_REBOOT : tco.control & TCO1_NO_REBOOT;
    return !forbidden && !(tco.control & TCO1_HALT);
}

static void tco_put(u16 offset, u16 value)
{
    tco.writes++;
    if (offset == TCO_RLD) {
        tco.reloads++;
    } else if (offset == TCO_TMR) {
        tco.timer = value;
    } else {
        assert_int_equal(offset, TCO1_CNT);
        tco.nmis += (value & TCO1_NMI_NOW) != 0;
        value = (u16)((value & ~TCO1_NMI_NOW) | (tco.control & TCO1_NMI_NOW));
        if (tco.strap)
            value |= tco.control & TCO1_NO_REBOOT;
        if (tco.frozen)
            value |= tco.control & (u16)TCO1_HALT;
        tco.control = value;
    }
}

static u32 tco_get_gcs(void)
{
    return tco.gcs;
}

static void tco_put_gcs(u32 value)
{
    tco.writes++;
    tco.gcs = tco.strap ? value | (tco.gcs & (u32)GCS_NO_REBOOT) : value;
}

static const struct watchdog_access access_to = {tco_get, tco_put, tco_get_gcs, tco_put_gcs};

static const struct {
    struct watchdog_place place;
    u16 control; /* found: halted or forbidden */
    u32 gcs;
    bool strap, frozen, runs, arms;
} cases[] = {
    /* To the 9 series. */
    {{0x660, 0xfed1f410}, 0x0000, 0x20, false, false, false, true},
    {{0x660, 0xfed1f410}, 0x0800, 0x00, false, false, false, true},
    {{0x660, 0xfed1f410}, 0x0901, 0x60, false, false, false, true},
    {{0x660, 0xfed1f410}, 0x0000, 0x00, false, false, true, false},
    {{0x660, 0xfed1f410}, 0x0001, 0x00, false, false, true, false},
    {{0x660, 0xfed1f410}, 0x0800, 0x20, true, false, false, false},
    {{0x660, 0xfed1f410}, 0xffff, 0x00, false, false, false, false},
    /* From the 300 series on. The lock concerns the SMI, which this image leaves alone. */
    {{0x400, 0}, 0x0801, 0, false, false, false, true},
    {{0x400, 0}, 0x1800, 0, false, false, false, true},
    {{0x400, 0}, 0x0001, 0, false, false, false, true},
    {{0x400, 0}, 0x0900, 0, false, false, false, true},
    {{0x400, 0}, 0x0000, 0, false, false, true, false},
    {{0x400, 0}, 0x1000, 0, false, false, true, false},
    {{0x400, 0}, 0x0801, 0, true, false, false, false},
    {{0x400, 0}, 0x0800, 0, false, true, false, false},
    {{0x400, 0}, 0xffff, 0, false, false, false, false},
};

CASE(arming)
{
    for_each_row (cases, row) {
        memset(&tco, 0, sizeof(tco));
        tco.control = row->control;
        tco.gcs = row->gcs;
        tco.timer = 0xa004;
        tco.strap = row->strap;
        tco.frozen = row->frozen;
        struct watchdog_found found = watchdog_read(&row->place, &access_to);
        assert_int_equal(watchdog_runs(&row->place, &found), row->runs);
        assert_int_equal(tco.writes, 0);
        const char *wrong = watchdog_arm(&row->place, &access_to, &found, 25);
        assert_int_equal(!wrong, row->arms);
        if (row->arms) {
            assert_true(resets(row->place.gcs));
            assert_int_equal(tco.timer, 0xa000 | 25);
            assert_true(tco.reloads);
            assert_true(watchdog_count(&row->place, &access_to, &found, 50));
            assert_int_equal(tco.timer, 0xa000 | 50);
            assert_true(resets(row->place.gcs));
            assert_true(watchdog_disarm(&row->place, &access_to, &found));
        }
        assert_int_equal(tco.control, row->control);
        assert_int_equal(tco.gcs, row->gcs);
        assert_int_equal(tco.timer, 0xa004);
        assert_int_equal(tco.nmis, 0);
        assert_true(!row->runs || !tco.writes);
    }
}

CASE(bounds)
{
    assert_int_equal(watchdog_ticks(30), 25);
    assert_int_equal(watchdog_seconds(25), 30);
    for (u32 seconds = 5; seconds < 2000; seconds++) {
        u32 ticks = watchdog_ticks(seconds);
        assert_in_range(ticks, 4, TMR_TICKS);
        assert_true(watchdog_seconds(ticks) <= seconds);
        assert_true(watchdog_seconds(ticks) + 2 >= seconds || ticks == TMR_TICKS);
    }
    assert_int_equal(watchdog_ticks(0), 4);
}

int main(void)
{
    return run_cases();
}
