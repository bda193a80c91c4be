/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the commands write: no output replaces a log or an input; tables are whole after an export that was killed, had
 * no room or ran beside another one, once the next one has run; baselines keep what many accept at once.
 */
#define _GNU_SOURCE
#include "host/tools/log_maker.h"
#include "tests/host/tools/root.h"
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/export/export.h"
#include "tools/text_file.h"
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOGS 12
#define KILLS 50

const struct command *const commands[] = {&command_report, &command_compare, &command_baseline, &command_judge,
                                          &command_export, &command_profile, &command_collect,  NULL};

/* A path in the test's folder, valid for a while. */
static const char *in(const char *name)
{
    static char paths[16][512];
    static unsigned next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof(paths[0]), "%s", at(name));
    return path;
}

/* ---- Logs in files */

static void make_log(const char *path, unsigned number)
{
    made_begin();
    made_lines("# pmucheck version=0.1.0 commit=1a2b3c4 log=1");
    made_print("# machine vendor=X brand=\"A CPU\" signature=000506e3 hypervisor=none board=\"=cmd()\" name=m%u",
               number);
    made_lines(
        "# cpu cpus=0-1 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=2", "# run pmu=hardware",
        "# core-type id=0 cpus=0-1 kind=core signature=000506e3 version=4 leaf0a=07300404-00000000-00000000-00000603",
        "# cpuid core-type=0 leaf=0000000a sub=0 eax=07300404 ebx=00000000 ecx=00000000 edx=00000603", "1..40");
    for (unsigned i = 1; i <= 40; i++) {
        made_print("# measure gp.t%u name=skid cpus=0-1 unit=events n=%u min=-1 median=2 p99=4 max=4", i, i);
        made_print("ok %u gp.t%u", i, i);
    }
    made_end("verdict=pass pass=40 fail=0");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(made.text, out);
    fclose(out);
}

static char logs[LOGS][300];

static void make_logs(void)
{
    for (unsigned i = 0; i < LOGS; i++) {
        snprintf(logs[i], sizeof(logs[i]), "%s", in("log"));
        snprintf(logs[i] + strlen(logs[i]), 20, "-%u.log", i);
        make_log(logs[i], i);
    }
}

/* ---- A command, as a process of its own */

#define WORDS_MOST 64

struct job {
    const struct command *command;
    const char *word[WORDS_MOST]; /* behind its name */
    rlim_t room;                  /* of each file that it writes; 0: no bound */
};

static pid_t start(const struct job *job)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    char *words[WORDS_MOST + 2] = {(char *)(uintptr_t)job->command->name};
    int count = 1;
    for (; job->word[count - 1]; count++)
        words[count] = (char *)(uintptr_t)job->word[count - 1];
    const struct rlimit room = {job->room, job->room};
    signal(SIGXFSZ, SIG_IGN);
    if (job->room)
        setrlimit(RLIMIT_FSIZE, &room);
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    if (!getenv("SHOW"))
        dup2(nowhere, 2);
    int left = command_options(job->command, count, words);
    int status = left < 0 ? 99 : job->command->run(left, words);
    fflush(NULL);
    _exit(status);
}

static int wait_for(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run(const struct job *job)
{
    return wait_for(start(job));
}

static char *bytes_of(const char *path, size_t *size)
{
    FILE *in_file = fopen(path, "rb"); /* text_file_read() would note it as an input of the next command */
    char *text = malloc(1 << 20);
    assert_non_null(in_file);
    assert_non_null(text);
    *size = fread(text, 1, (1 << 20) - 1, in_file);
    fclose(in_file);
    return text;
}

/* ---- No output replaces a log, or an input */

CASE(no_output_replaces_a_log)
{
    make_logs();
    const char *first = logs[0], *second = logs[1];
    const struct job jobs[] = {
        {&command_report, {"-o", first, first, second}, 0},
        {&command_report, {"-o", first, second}, 0},
        {&command_report, {"-f", "junit", "-o", first, second}, 0},
        {&command_report, {"-f", "json", "-o", first, first}, 0},
        {&command_report, {"-f", "expect", "-o", first, first}, 0},
        {&command_compare, {"-f", "html", "-o", first, second}, 0},
        {&command_judge, {"-o", first, first}, 0},
        {&command_profile, {"-o", first, second}, 0},
        {&command_baseline, {"-o", first, in("none"), second}, 0},
        {&command_export, {"-o", first, second}, 0},
        {&command_export, {"-f", "ndjson", "-o", first, second}, 0},
        {&command_export, {"-f", "kcidb", "-o", first, second}, 0},
        {&command_report, {"--share", "-o", first, second}, 0},
        {&command_collect, {"-o", first, second}, 0},
    };
    size_t size, now;
    char *before = bytes_of(first, &size);
    for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
        int status = run(&jobs[i]);
        char *after = bytes_of(first, &now);
        if (status != 99 || size != now || memcmp(before, after, size) != 0)
            fail_msg("%s %s: status %d", jobs[i].command->name, jobs[i].word[1], status);
        free(after);
    }
    free(before);
}

static void write_file(const char *path, const char *bytes, size_t size, off_t before)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fseeko(out, before, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    fclose(out);
}

/* Fails if one of the jobs, the last word of which is this file, does not refuse it or changes it. */
static void expect_refused(const char *path, const struct job *jobs, size_t count)
{
    size_t size, now;
    char *before = bytes_of(path, &size);
    for (size_t i = 0; i < count; i++) {
        struct job job = jobs[i];
        unsigned last = 0;
        while (job.word[last])
            last++;
        job.word[last] = path;
        int status = run(&job);
        char *after = bytes_of(path, &now);
        if (status != 99 || size != now || memcmp(before, after, size) != 0)
            fail_msg("%s %s %s: status %d", job.command->name, job.word[0], path, status);
        free(after);
    }
    free(before);
}

/* Logs in archives, behind more than other programs wrote in a week, or of which only the end is left; databases and
 * baselines, with the logs of a year. */
CASE(no_output_replaces_what_cannot_be_made_again)
{
    static const char end[] = "ok 2 gp.t2\n# end verdict=pass pass=2 fail=0 known=0 review=0 skip=0 error=0 crc32=0\n",
                      image[512] = {[510] = 0x55, [511] = (char)0xaa};
    char stick[sizeof(image) + 1000];
    make_logs(); /* its paths take the place of older ones */
    const char *paths[] = {in("large.log"), in("end.log"), in("packed.xz"), in("db"),
                           in("kept/000506e3-000000f0-2.json")};
    size_t size;
    char *log = bytes_of(logs[0], &size);
    write_file(paths[0], log, size, 65 << 20);
    write_file(paths[1], end, strlen(end), 0);
    write_file(paths[2],
               "\xfd"
               "7zXZ",
               5, 0);
    write_file(in("image"), image, sizeof(image), 0);
    memcpy(stick, image, sizeof(image));
    memcpy(stick + sizeof(image), log, 1000);
    write_file(in("stick"), stick, sizeof(stick), 0);
    free(log);
    const struct job makers[] = {{&command_export, {"-o", paths[3], logs[0]}, 0},
                                 {&command_baseline, {"--accept", "--why=x", in("kept"), logs[0]}, 0}};
    for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
        assert_int_equal(run(&makers[i]), 0);
    const struct job jobs[] = {{&command_report, {logs[1], "-f", "json", "-o"}, 0},
                               {&command_compare, {logs[1], "-o"}, 0},
                               {&command_export, {logs[1], "-f", "kcidb", "-o"}, 0}};
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        expect_refused(paths[i], jobs, sizeof(jobs) / sizeof(jobs[0]));
    const struct job usb = {&command_usb, {"--even-if=foreign", "--image", in("image")}, 0},
                     usb_again = {&command_usb, {"--even-if=foreign", "--image", in("image"), in("stick")}, 0},
                     lines = {&command_export, {logs[1], "-f", "ndjson", "-o"}, 0};
    expect_refused(logs[0], &usb, 1);
    assert_int_equal(run(&usb_again), 0);
    expect_refused(paths[3], &lines, 1);
    expect_refused(paths[4], &lines, 1);
}

CASE(no_output_replaces_an_input)
{
    const char *list = in("known.txt"), *link = in("link");
    make_logs();
    FILE *out = fopen(list, "w");
    fputs("gp.t1 some-label 0.1.0\n", out);
    fclose(out);
    assert_int_equal(symlink(list, link), 0);
    const struct job jobs[] = {{&command_report, {"--expect", list, "-o", list, logs[0]}, 0},
                               {&command_report, {"--expect", list, "-o", link, logs[0]}, 0}};
    for (unsigned i = 0; i < 2; i++) {
        size_t size;
        assert_int_equal(run(&jobs[i]), 99);
        free(bytes_of(list, &size));
        assert_int_equal(size, 23);
    }
}

/* Other files are replaced, again and again; a link stays one; the mode stays. */
CASE(other_files_are_replaced)
{
    const char *path = in("out.txt"), *link = in("link.txt");
    struct stat status;
    make_logs();
    assert_int_equal(symlink(path, link), 0);
    const struct job junit = {&command_report, {"-f", "junit", "-o", link, logs[0]}, 0},
                     ktap = {&command_report, {"-f", "ktap", "-o", path, logs[0]}, 0},
                     nowhere = {&command_report, {"-o", "/dev/null", logs[0]}, 0},
                     full = {&command_report, {"-o", "/dev/full", logs[0]}, 0},
                     no_room = {&command_report, {"-f", "json", "-o", path, logs[0]}, 64};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(run(&ktap), 0);
        assert_int_equal(run(&junit), 0);
        assert_int_equal(chmod(path, 0600), 0);
    }
    assert_int_equal(run(&nowhere), 0);
    assert_int_equal(run(&full), 99);
    size_t size, now;
    free(bytes_of(path, &size));
    assert_int_equal(run(&no_room), 99);
    free(bytes_of(path, &now));
    assert_int_equal(size, now);
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

/* pmucheck run keeps the logs of earlier runs. */
CASE(a_growing_log_keeps_older_ones)
{
    const char *path = in("run.log");
    size_t size;
    for (unsigned i = 0; i < 3; i++) {
        FILE *out = load_growing(&command_report, path);
        assert_non_null(out);
        assert_null(load_growing(&command_report, path)); /* by two at once */
        fclose(out);
        make_log(path, i);
    }
    char *first = bytes_of(in("run.log.1"), &size), *second = bytes_of(in("run.log.2"), &size);
    first[size] = second[size] = 0;
    assert_non_null(strstr(first, "name=m0"));
    assert_non_null(strstr(second, "name=m1"));
    free(first);
    free(second);
    free(text_file_read("test", path, &size));
    assert_null(load_growing(&command_report, path));
}

/* ---- Tables */

static char *text_of_rows;
static size_t rows_size;

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All lines of a text, sorted, without the time of the file. */
static void add_sorted(FILE *out, const char *path)
{
    size_t size;
    char *text = bytes_of(path, &size), *rest, **lines = calloc(size + 1, sizeof(*lines));
    unsigned count = 0;
    text[size] = 0;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        lines[count++] = line;
    qsort(lines, count, sizeof(*lines), by_text);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s\n", lines[i]);
    free(lines);
    free(text);
}

static int add_row(void *out, int count, char **values, char **names)
{
    (void)names;
    for (int i = 0; i < count; i++)
        fprintf(out, "%s|", values[i] ? values[i] : "");
    fprintf(out, "\n");
    return 0;
}

static void add_tables(FILE *out, const char *form, const char *path)
{
    char name[400];
    sqlite3 *db = NULL;
    if (strcmp(form, "sqlite") == 0)
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    else if (strcmp(form, "csv") != 0)
        add_sorted(out, path);
    for (unsigned i = 0; i < EXPORT_TABLES; i++) {
        if (db)
            snprintf(name, sizeof(name), "SELECT * FROM %s ORDER BY 1, 2, 3, 4", export_tables[i].name);
        else
            snprintf(name, sizeof(name), "%s/%s.csv", path, export_tables[i].name);
        if (db)
            assert_int_equal(sqlite3_exec(db, name, add_row, out, NULL), SQLITE_OK);
        else if (strcmp(form, "csv") == 0)
            add_sorted(out, name);
    }
    sqlite3_close(db);
}

/* The rows of an output, in one text; the earlier one is freed. */
static const char *rows_of(const char *form, const char *path)
{
    free(text_of_rows);
    FILE *out = open_memstream(&text_of_rows, &rows_size);
    add_tables(out, form, path);
    fclose(out);
    return text_of_rows;
}

static struct job export_job(const char *form, const char *path)
{
    struct job job = {&command_export, {"-f", form, "-o", path}, 0};
    for (unsigned i = 0; i < LOGS; i++)
        job.word[4 + i] = logs[i];
    return job;
}

static void remove_output(const char *path)
{
    char name[400];
    for (unsigned i = 0; i < EXPORT_TABLES; i++) {
        snprintf(name, sizeof(name), "%s/%s.csv", path, export_tables[i].name);
        unlink(name);
    }
    rmdir(path);
    unlink(path);
}

static const char *const forms[] = {"csv", "ndjson", "sqlite", "kcidb"};
#define FORMS 4

static char *whole[FORMS];
static unsigned long whole_us[FORMS];

static unsigned long now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long)now.tv_sec * 1000000 + (unsigned long)now.tv_nsec / 1000;
}

static void make_whole(void)
{
    make_logs();
    for (unsigned f = 0; f < FORMS; f++) {
        const struct job job = export_job(forms[f], in("whole"));
        unsigned long start_us = now_us();
        assert_int_equal(run(&job), 0);
        whole_us[f] = now_us() - start_us;
        free(whole[f]);
        whole[f] = strdup(rows_of(forms[f], in("whole")));
        remove_output(in("whole"));
    }
}

static void check_next(unsigned form, const char *path, const char *what, unsigned long value)
{
    const struct job job = export_job(forms[form], path);
    int status = run(&job);
    if (status != 0 || strcmp(rows_of(forms[form], path), whole[form]) != 0)
        fail_msg("%s after %s %lu: status %d, or other rows than those of a whole run", forms[form], what, value,
                 status);
    remove_output(path);
}

CASE(a_killed_export_leaves_what_the_next_one_mends)
{
    unsigned seed = (unsigned)time(NULL);
    print_message("seed %u\n", seed);
    srand(seed);
    make_whole();
    for (unsigned i = 0; i < KILLS; i++) {
        unsigned form = i % FORMS;
        char name[32];
        snprintf(name, sizeof(name), "killed-%s", forms[form]); /* a folder may keep a file without its last name */
        const struct job job = export_job(forms[form], in(name));
        unsigned long wait_us = (unsigned long)rand() % (whole_us[form] + 1);
        pid_t child = start(&job);
        usleep((useconds_t)wait_us);
        kill(child, i % 3 ? SIGKILL : SIGTERM);
        wait_for(child);
        check_next(form, in(name), "a kill, in us", wait_us);
    }
}

/* The output ends anywhere: as after a crash, or on a full disk. */
CASE(an_export_without_room_leaves_what_the_next_one_mends)
{
    make_whole();
    for (unsigned form = 0; form < FORMS; form++)
        for (rlim_t room = 100; room < 40000; room = room * 5 / 3) {
            struct job job = export_job(forms[form], in("room"));
            job.room = room;
            run(&job);
            check_next(form, in("room"), "room for bytes", room);
        }
}

CASE(two_exports_at_once_write_each_log_once)
{
    make_whole();
    for (unsigned form = 0; form < FORMS; form++) {
        const struct job job = export_job(forms[form], in("twice"));
        pid_t child[3];
        for (unsigned i = 0; i < 3; i++)
            child[i] = start(&job);
        for (unsigned i = 0; i < 3; i++)
            wait_for(child[i]); /* a database may be busy */
        check_next(form, in("twice"), "programs at once:", 3);
    }
}

/* A spreadsheet must not execute a cell; numbers stay numbers. */
CASE(no_cell_is_a_formula)
{
    make_whole();
    assert_non_null(strstr(whole[0], ",'=cmd(),"));
    assert_null(strstr(whole[0], ",=cmd(),"));
    assert_non_null(strstr(whole[0], ",-1,2,4,4,"));
}

/* ---- Baselines */

CASE(twenty_accept_at_once)
{
    char names[20][300];
    pid_t child[20];
    for (unsigned i = 0; i < 20; i++) {
        snprintf(names[i], sizeof(names[i]), "%s", in("accept"));
        snprintf(names[i] + strlen(names[i]), 20, "-%u.log", i);
        make_log(names[i], i);
    }
    for (unsigned i = 0; i < 20; i++) {
        const struct job job = {&command_baseline, {"--accept", "--why=good", in("baseline"), names[i]}, 0};
        child[i] = start(&job);
    }
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(wait_for(child[i]), 0);
    size_t size;
    char *text = bytes_of(in("baseline/000506e3-000000f0-2.json"), &size);
    text[size] = 0;
    for (unsigned i = 0; i < 20; i++)
        if (!strstr(text, names[i]))
            fail_msg("%s is not in the baseline", names[i]);
    free(text);
}

/* A pipe in place of a baseline is refused at once. */
CASE(a_pipe_is_no_baseline)
{
    make_logs();
    assert_int_equal(mkdir(in("pipes"), 0777), 0);
    assert_int_equal(mkfifo(in("pipes/000506e3-000000f0-2.json"), 0666), 0);
    const struct job job = {&command_baseline, {in("pipes"), logs[0]}, 0};
    alarm(20);
    assert_int_equal(run(&job), 99);
    alarm(0);
}

int main(void)
{
    root_make();
    return run_cases_in((struct around_cases){.after = root_remove});
}
