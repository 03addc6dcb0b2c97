/* A73: tables that are neighbours, or differ by one row, under limits of memory. Each question runs in a
 * process of its own, of which its parent sees what whoever starts a command sees: the status, the
 * message, the most memory it had and how many pages it fetched. */
#include "check.h"
#include "query/rows/pass_tape.h"
#include "query/rows/sealed_file.h"
#include "query_scene.h"
#include "sanitized.h"
#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEADER "person,age,sex,city,income\n"
#define TEXT_BYTES ((size_t)9 << 20)

/* One of two tables; is_other says which. */
typedef void write_table(char *text, bool is_other);

static size_t put_row(char *at, const char *person, size_t number, const char *city)
{
    return (size_t)sprintf(at, "%s%zu,30,Male,%s,1\n", person, number, city);
}

/* 65,536 keys or one more: a table of keys of this size has to grow for it. */
static void write_keys(char *text, bool is_other)
{
    size_t used = (size_t)sprintf(text, HEADER);
    for (size_t i = 0; i < 65536 + (size_t)is_other; i++) {
        char city[32];
        snprintf(city, sizeof city, "city%zu", i);
        used += put_row(text + used, "p", i, city);
    }
}

/* Some people, and one with a key in each of 7,000 rows. */
static void write_big_unit(char *text, bool is_other)
{
    size_t used = (size_t)sprintf(text, HEADER);
    for (size_t i = 0; i < 15000; i++)
        used += put_row(text + used, "p", i, "Ulm");
    for (size_t i = 0; is_other && i < 7000; i++) {
        char city[32];
        snprintf(city, sizeof city, "city%zu", i);
        used += put_row(text + used, "one", 0, city);
    }
}

/* Some people, and one with a cell of 3 MB. */
static void write_big_cell(char *text, bool is_other)
{
    size_t used = (size_t)sprintf(text, HEADER);
    for (size_t i = 0; used < (size_t)9 << 19; i++)
        used += put_row(text + used, "a person with a long name, but for the number ", i,
                        "Ulm");
    if (is_other) {
        used += (size_t)sprintf(text + used, "q,30,Male,");
        memset(text + used, 'x', 3 << 20);
        used += (size_t)3 << 20;
        sprintf(text + used, ",1\n");
    }
}

/* Some people, and one with 850 cells as long as a text may be. */
static void write_long_cells(char *text, bool is_other)
{
    size_t used = (size_t)sprintf(text, HEADER);
    for (size_t i = 0; used < (size_t)9 << 19; i++)
        used += put_row(text + used, "a person with a long name, but for the number ", i,
                        "Ulm");
    for (size_t i = 0; is_other && i < 850; i++) {
        used += (size_t)sprintf(text + used, "q,30,Male,");
        memset(text + used, 'X', 4000);
        used += 4000;
        used += (size_t)sprintf(text + used, ",1\n");
    }
}

/* Rows that are short, with a number of which lists are made; or one more. */
static void write_values(char *text, bool is_other)
{
    size_t used = (size_t)sprintf(text, HEADER);
    for (size_t i = 0; i < 131072 + (size_t)is_other; i++)
        used += (size_t)sprintf(text + used, "%zx,%zu,,,1\n", i, i % 90);
}

/* The visible result of a question. */
typedef struct seen {
    int status;
    char message[SCRIM_MESSAGE_BYTES];
    long most_kilobytes, pages;
} seen;

/* Sets the address space to what is used and `megabytes` megabytes more; 0: leaves it. */
static bool limit_memory(size_t megabytes)
{
    unsigned long used_pages = 0;
    struct rlimit limit;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return false;
    const bool is_read = fscanf(file, "%lu", &used_pages) == 1;
    fclose(file);
    if (!is_read || getrlimit(RLIMIT_AS, &limit) != 0)
        return false;
    limit.rlim_cur =
        (rlim_t)used_pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)megabytes << 20);
    return megabytes == 0 || setrlimit(RLIMIT_AS, &limit) == 0;
}

/* The sanitizers' allocators end the process in place of a refusal. */
static bool can_limit(void)
{
    return !IS_SANITIZED && limit_memory(0);
}

/* In place of a query: synthetic records with private keys. */
#define SYNTH "synth"

static scrim_status ask_synth(query_scene *s)
{
    const char *city = "city";
    scrim_synth *synth = NULL;
    scrim_synth_release *release = NULL;
    scrim_status status = scrim_synth_new(
        s->vault, "people",
        SCRIM_OPTIONS(scrim_synth_options, .epsilon = "0.01", .delta = "1e-9",
                      .columns = "city,sex", .workers = 2, .private_keys = &city,
                      .private_key_count = 1),
        &synth, &s->error);
    if (status == SCRIM_OK)
        status = scrim_synth_run(s->vault, synth, &release, &s->error);
    scrim_synth_release_free(release);
    scrim_synth_free(synth);
    return status;
}

/* In place of a query: synthetic records of rows of which no two are alike, and a body. */
#define RECORDS "records"
#define BODY "body"

static scrim_status ask_records(query_scene *s)
{
    static const char *const cuts[] = {"income=1"};
    scrim_synth *synth = NULL;
    scrim_synth_release *release = NULL;
    scrim_status status =
        scrim_synth_new(s->vault, "people",
                        SCRIM_OPTIONS(scrim_synth_options, .epsilon = "0.01",
                                      .delta = "1e-9", .columns = "age,sex,income",
                                      .cuts = cuts, .cut_count = 1, .workers = 2),
                        &synth, &s->error);
    if (status == SCRIM_OK)
        status = scrim_synth_run(s->vault, synth, &release, &s->error);
    scrim_synth_release_free(release);
    scrim_synth_free(synth);
    return status;
}

static scrim_status ask_body(query_scene *s)
{
    scrim_body_fit *fit = NULL;
    scrim_body_release *release = NULL;
    scrim_status status = scrim_body_fit_new(
        s->vault, "people",
        SCRIM_OPTIONS(scrim_body_fit_options, .epsilon = "0.01", .columns = "age,income",
                      .direction_count = 4, .workers = 2),
        &fit, &s->error);
    if (status == SCRIM_OK)
        status = scrim_body_fit_run(s->vault, fit, &release, &s->error);
    scrim_body_release_free(release);
    scrim_body_fit_free(fit);
    return status;
}

static scrim_status ask_query(query_scene *s, const char *query, scrim_result **result)
{
    if (strcmp(query, SYNTH) == 0)
        return ask_synth(s);
    if (strcmp(query, RECORDS) == 0)
        return ask_records(s);
    if (strcmp(query, BODY) == 0)
        return ask_body(s);
    return query_scene_ask(s, query,
                           SCRIM_OPTIONS(scrim_query_options, .epsilon = "0.01",
                                         .delta = "1e-9", .workers = 2),
                           result);
}

/* lines: further ones of the policy. */
static void ask(const char *path, const char *query, const char *lines, size_t megabytes,
                int channel)
{
    char policy[1000];
    query_scene s;
    scrim_result *result = NULL;
    int status = 99;
    snprintf(policy, sizeof policy, "%sbudget=epsilon=100,delta=0.5\nmax-groups=1\n%s",
             query_scene_columns, lines);
    if (query_scene_begin_with(&s, policy, path) && limit_memory(megabytes)) {
        status = (int)ask_query(&s, query, &result);
        const char *words = status == (int)SCRIM_OK ? "" : s.error.message;
        if (write(channel, words, strlen(words)) < 0)
            status = 98;
    }
    scrim_result_free(result);
    query_scene_end(&s);
    _exit(status);
}

static seen look(const char *path, const char *query, const char *lines, size_t megabytes)
{
    seen out = {.status = -1};
    int channel[2], end = -1;
    struct rusage usage = {0};
    if (!CHECK(pipe(channel) == 0))
        return out;
    const pid_t child = fork();
    if (child == 0)
        ask(path, query, lines, megabytes, channel[1]);
    close(channel[1]);
    const ssize_t count = read(channel[0], out.message, sizeof out.message - 1);
    out.message[count > 0 ? count : 0] = '\0';
    close(channel[0]);
    if (CHECK(child > 0 && wait4(child, &end, 0, &usage) == child && WIFEXITED(end)))
        out.status = WEXITSTATUS(end);
    out.most_kilobytes = usage.ru_maxrss;
    out.pages = usage.ru_minflt;
    return out;
}

/* All memory that a question may take is touched: of a size that holds the tables. */
#define AT_A_QUANTUM "max-size=8MiB\nquantum=0.01\n"

typedef struct tables {
    char paths[2][40];
    char *text;
} tables;

static bool tables_begin(tables *t, write_table *write_one)
{
    bool is_done = true;
    sc_pass_most_keys = 0;
    t->text = malloc(TEXT_BYTES);
    if (!CHECK(t->text != NULL))
        return false;
    for (int i = 0; is_done && i < 2; i++) {
        snprintf(t->paths[i], sizeof t->paths[i], "/tmp/ask_memory.XXXXXX");
        const int file = mkstemp(t->paths[i]);
        write_one(t->text, i == 1);
        const size_t bytes = strlen(t->text);
        is_done = CHECK(file >= 0 && write(file, t->text, bytes) == (ssize_t)bytes);
        close(file);
    }
    free(t->text);
    return is_done;
}

static void tables_end(const tables *t)
{
    for (int i = 0; i < 2; i++)
        unlink(t->paths[i]);
}

/* 24 lists. */
#define OF_ONE(n) "MEDIAN(age + " n ") AS m" n
#define OF_EIGHT(n)                                                                      \
    OF_ONE(n "0")                                                                        \
    ", " OF_ONE(n "1") ", " OF_ONE(n "2") ", " OF_ONE(n "3") ", " OF_ONE(                \
        n "4") ", " OF_ONE(n "5") ", " OF_ONE(n "6") ", " OF_ONE(n "7")
#define MEDIANS "SELECT " OF_EIGHT("1") ", " OF_EIGHT("2") ", " OF_EIGHT("3")

static const struct {
    write_table *write_one;
    const char *query;
} pairs[] = {
    {write_keys, "SELECT city, COUNT(*) GROUP BY city"},
    {write_big_unit, "SELECT city, COUNT(*) GROUP BY city"},
    {write_big_cell, "SELECT sex, COUNT(*) GROUP BY sex"},
    {write_long_cells, "SELECT LOWER(city) AS c, COUNT(*) GROUP BY c"},
    {write_big_unit, "SELECT MEDIAN(n) AS m FROM (SELECT CLAMP(MAX(k), 0, 9) AS n FROM "
                     "(SELECT COUNT(*) AS k GROUP BY person, city) GROUP BY person)"},
};

SLOW_TEST(A73_neighbours_end_alike_under_limits)
{
    CLAIM("ask.memory");
    static const size_t limits[] = {8, 40, 70, 100, 160, 400};
    size_t fine = 0, refused = 0;
    if (!can_limit()) {
        SKIP("memory cannot be limited here");
        return;
    }
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        tables t;
        if (!tables_begin(&t, pairs[i].write_one))
            return;
        /* Every other limit, these and those in turn; all in the long tier. */
        for (size_t j = check_is_long() ? 0 : i % 2; j < sizeof limits / sizeof *limits;
             j += check_is_long() ? 1 : 2) {
            const seen a = look(t.paths[0], pairs[i].query, "", limits[j]),
                       b = look(t.paths[1], pairs[i].query, "", limits[j]);
            CHECK_INT(a.status, b.status);
            CHECK_STR(a.message, b.message);
            CHECK(a.status == (int)SCRIM_OK || a.status == (int)SCRIM_E_MEMORY);
            /* Whatever the limit, it is found out before the charge. */
            CHECK(strstr(a.message, "charged") == NULL);
            fine += a.status == 0;
            refused += a.status != 0;
        }
        tables_end(&t);
    }
    CHECK(fine > 0 && refused > 0);
}

/* Some people, and one with 20,000 rows, which are few for the size that is declared. */
static void write_full_unit(char *text, bool is_other)
{
    size_t used = (size_t)sprintf(text, HEADER);
    for (size_t i = 0; i < 300; i++)
        used += put_row(text + used, "p", i, "Ulm");
    for (size_t i = 0; is_other && i < 20000; i++)
        used += put_row(text + used, "one", 0, "Ulm");
}

/* The least memory that is enough, and a little more: rows of one unit took blocks that nobody had reserved, and threads
 * took addresses. */
SLOW_TEST(A112_neighbours_end_alike_at_the_least_limit)
{
    CLAIM("ask.memory");
    size_t fine = 0, refused = 0;
    tables t;
    if (!can_limit()) {
        SKIP("memory cannot be limited here");
        return;
    }
    if (!tables_begin(&t, write_full_unit))
        return;
    /* Every third limit; each one in the long tier. */
    const size_t wanted = check_is_long() ? 12 : 4;
    for (size_t limit = 30; limit < 300 && fine < wanted;
         limit += check_is_long() ? 1 : 3) {
        const seen a = look(t.paths[0], "SELECT SUM(age)", "", limit),
                   b = look(t.paths[1], "SELECT SUM(age)", "", limit);
        CHECK_INT(a.status, b.status);
        CHECK_STR(a.message, b.message);
        CHECK(strstr(b.message, "charged") == NULL);
        fine += a.status == 0;
        refused += a.status != 0;
    }
    CHECK(fine == wanted && refused > 0);
    tables_end(&t);
}

/* The size of the first table in bytes; the other has one row more. */
static size_t border;

static void write_border(char *text, bool is_other)
{
    size_t used = (size_t)sprintf(text, HEADER);
    for (size_t i = 0; used < border - 40; i++)
        used += put_row(text + used, "p", i, "Ulm");
    /* the rest is the name of one city */
    used += (size_t)sprintf(text + used, "last,30,Male,");
    memset(text + used, 'x', border - used - 3);
    used = border - 3;
    used += (size_t)sprintf(text + used, ",1\n");
    if (is_other)
        put_row(text + used, "more", 0, "Ulm");
}

/* Files of 2^k bytes were of one class of sizes, and those with a row more of the next: a bit that cost nothing. Now
 * the owner's declaration is all that counts. */
SLOW_TEST(A106_a_row_at_the_border_of_a_size_shows_in_nothing)
{
    CLAIM("ask.memory");
    static const char *const queries[] = {"SELECT sex, COUNT(*) GROUP BY sex", MEDIANS,
                                          "SELECT city, COUNT(*) GROUP BY city", SYNTH};
    static const size_t limits[] = {30, 60, 90, 150, 250, 500, 1000, 4000};
    const bool is_long = check_is_long(), has_limits = can_limit();
    for (unsigned k = is_long ? 16 : 20; k <= 23; k += is_long ? 1 : 6) {
        tables t;
        border = (size_t)1 << k;
        if (!tables_begin(&t, write_border))
            return;
        for (size_t q = 0; q < sizeof queries / sizeof *queries; q++) {
            /* Every fourth limit, these and those in turn; all in the long tier. */
            for (size_t j = is_long ? 0 : (q + k) % 4;
                 has_limits && j < sizeof limits / sizeof *limits; j += is_long ? 1 : 4) {
                /* Declared: else the scene would, by the file. */
                const char *size = "max-size=16MiB\n";
                const seen a = look(t.paths[0], queries[q], size, limits[j]),
                           b = look(t.paths[1], queries[q], size, limits[j]);
                CHECK_INT(a.status, b.status);
                CHECK_STR(a.message, b.message);
            }
            if (!is_long && q != 0)
                continue;
            const char *quantum = is_long ? "max-size=16MiB\nquantum=0.01\n"
                                          : "max-size=5MiB\nquantum=0.01\n";
            const seen a = look(t.paths[0], queries[q], quantum, 0),
                       b = look(t.paths[1], queries[q], quantum, 0);
            CHECK_INT(a.status, SCRIM_OK);
            CHECK_INT(b.status, SCRIM_OK);
            CHECK(labs(a.most_kilobytes - b.most_kilobytes) <= a.most_kilobytes / 100);
            CHECK(labs(a.pages - b.pages) <= a.pages / 100);
        }
        tables_end(&t);
    }
}

static void write_sizes(char *text, bool is_other)
{
    border = (size_t)1 << (!is_other ? 12 : check_is_long() ? 22 : 20);
    write_border(text, false);
}

/* Not by the bytes of the file either: files of 4 KiB and of 1 MiB, 4 MiB in the long tier, take what was declared. */
SLOW_TEST(A106_a_small_file_takes_what_a_large_one_takes)
{
    CLAIM("ask.memory");
    const char *quantum = check_is_long() ? "max-size=16MiB\nquantum=0.01\n"
                                          : "max-size=1280KiB\nquantum=0.01\n";
    static const size_t limits[] = {60, 150};
    tables t;
    if (!tables_begin(&t, write_sizes))
        return;
    const seen small = look(t.paths[0], MEDIANS, quantum, 0),
               large = look(t.paths[1], MEDIANS, quantum, 0);
    CHECK_INT(small.status, SCRIM_OK);
    CHECK_INT(large.status, SCRIM_OK);
    CHECK(labs(small.most_kilobytes - large.most_kilobytes) <= large.most_kilobytes / 20);
    for (size_t i = check_is_long() ? 0 : 1; can_limit() && i < COUNT(limits); i++) {
        const seen a = look(t.paths[0], MEDIANS, "", limits[i]),
                   b = look(t.paths[1], MEDIANS, "", limits[i]);
        CHECK_INT(a.status, b.status);
        CHECK_STR(a.message, b.message);
    }
    tables_end(&t);
}

/* Lists of values take more than rows do. */
SLOW_TEST(A73_lists_are_refused_before_the_charge_or_made)
{
    CLAIM("ask.memory");
    static const size_t limits[] = {85, 100, 115, 160, 400};
    tables t;
    if (!can_limit()) {
        SKIP("memory cannot be limited here");
        return;
    }
    if (!tables_begin(&t, write_values))
        return;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i += check_is_long() ? 1 : 2) {
        const seen a = look(t.paths[i / 2 % 2], MEDIANS, "", limits[i]);
        CHECK(a.status == (int)SCRIM_OK || a.status == (int)SCRIM_E_MEMORY);
        CHECK(strstr(a.message, "charged") == NULL);
    }
    tables_end(&t);
}

SLOW_TEST(A73_neighbours_take_the_same_memory_at_the_quantum)
{
    CLAIM("ask.memory");
    const size_t queries = sizeof pairs / sizeof *pairs;
    for (size_t i = 0; i <= queries; i++) {
        tables t;
        /* One of the two pairs about many keys, and one of the two about long cells; all in the long tier. */
        if (!check_is_long() && (i == 0 || i == 3))
            continue;
        const char *query = i < queries ? pairs[i].query : SYNTH;
        if (!tables_begin(&t, i < queries ? pairs[i].write_one : write_big_unit))
            return;
        const seen a = look(t.paths[0], query, AT_A_QUANTUM, 0),
                   b = look(t.paths[1], query, AT_A_QUANTUM, 0);
        CHECK_INT(a.status, SCRIM_OK);
        CHECK_INT(b.status, SCRIM_OK);
        /* Within a hundredth, which is less than the tables differ by. */
        if (!CHECK(labs(a.most_kilobytes - b.most_kilobytes) <= a.most_kilobytes / 100) ||
            !CHECK(labs(a.pages - b.pages) <= a.pages / 100))
            CHECK_FAIL("pair %zu: %ld and %ld kB, %ld and %ld pages", i, a.most_kilobytes,
                       b.most_kilobytes, a.pages, b.pages);
        tables_end(&t);
    }
}

/* One row, or as many short ones as the declared size holds, of which few are alike. */
static void write_short(char *text, bool is_other)
{
    size_t used = (size_t)sprintf(text, HEADER);
    for (size_t i = 0; i < (is_other ? (size_t)400000 : 1); i++)
        used +=
            (size_t)sprintf(text + used, "%zx,%zu,,,%zu\n", i, i % 121, i / 121 % 1001);
}

/* Rows of these releases are kept beside the pass: its room alone would not cover them. */
SLOW_TEST(A73_kept_rows_take_no_more_memory_than_none_at_the_quantum)
{
    CLAIM("ask.memory");
    static const char *const kinds[] = {RECORDS, BODY};
    /* A row of a unit and two columns has 4 bytes at least, and a key of 8 bytes in each of 4 directions. */
    enum { KEYS_KB = (8 << 20) / 4 * 4 * 8 / 1024 };
    tables t;
    if (!tables_begin(&t, write_short))
        return;
    const seen pass = look(t.paths[0], "SELECT COUNT(*)", AT_A_QUANTUM, 0),
               body = look(t.paths[0], BODY, AT_A_QUANTUM, 0);
    if (!CHECK(IS_SANITIZED ||
               body.most_kilobytes - pass.most_kilobytes >= KEYS_KB * 3 / 4))
        CHECK_FAIL("%ld and %ld kB", pass.most_kilobytes, body.most_kilobytes);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const seen few = look(t.paths[0], kinds[i], AT_A_QUANTUM, 0),
                   many = look(t.paths[1], kinds[i], AT_A_QUANTUM, 0);
        CHECK_INT(few.status, SCRIM_OK);
        CHECK_INT(many.status, SCRIM_OK);
        if (!CHECK(labs(few.most_kilobytes - many.most_kilobytes) <=
                   few.most_kilobytes / 100))
            CHECK_FAIL("%s: %ld and %ld kB", kinds[i], few.most_kilobytes,
                       many.most_kilobytes);
    }
    tables_end(&t);
}

static int fallocate_of_a_full_disk(int descriptor, int mode, off_t offset, off_t bytes)
{
    (void)descriptor, (void)mode, (void)offset, (void)bytes;
    errno = ENOSPC;
    return -1;
}

/* Resources for temporary files that a caller can take away. */
typedef enum lack { NO_FOLDER, NO_ROOM, NO_DESCRIPTOR, LACKS } lack;

static void take_away(lack what)
{
    static struct rlimit before;
    if (what == NO_FOLDER)
        setenv("TMPDIR", "/dev/null/at/all", 1);
    system_call.fallocate = what == NO_ROOM ? fallocate_of_a_full_disk : NULL;
    if (what == LACKS) {
        unsetenv("TMPDIR");
        (void)setrlimit(RLIMIT_NOFILE, &before);
    } else if (getrlimit(RLIMIT_NOFILE, &before) == 0 && what == NO_DESCRIPTOR) {
        /* The vault has its own by now; the source takes one. */
        const int next = dup(0);
        close(next);
        const struct rlimit few = {(rlim_t)next + 1, before.rlim_max};
        (void)setrlimit(RLIMIT_NOFILE, &few);
    }
}

/* With no rows to speak of, and with more than memory holds. */
static void write_many(char *text, bool is_other)
{
    size_t used = (size_t)sprintf(text, HEADER);
    for (size_t i = 0; i < (is_other ? (size_t)60000 : 1); i++) {
        char city[32];
        snprintf(city, sizeof city, "city%zu", i);
        used += put_row(text + used, "p", i, city);
    }
}

/* Whatever of a folder for temporary files is lacking is found out before the charge, whether rows
 * would be written or not, with a quantum and without. */
static void check_lack(const char *path, const char *quantum, const char *query,
                       lack what)
{
    char left[3 * SCRIM_NUMBER_BYTES], before[3 * SCRIM_NUMBER_BYTES], policy[1000];
    query_scene s;
    scrim_result *result = NULL;
    const scrim_query_options *options = SCRIM_OPTIONS(
        scrim_query_options, .epsilon = "0.01", .delta = "1e-9", .memory_bytes = 1);
    snprintf(policy, sizeof policy, "%sbudget=epsilon=100,delta=0.5\nmax-groups=1\n%s",
             query_scene_columns, quantum);
    if (query_scene_begin_with(&s, policy, path)) {
        snprintf(before, sizeof before, "%s", query_scene_left(&s, left));
        take_away(what);
        const scrim_status status = query_scene_ask(&s, query, options, &result);
        take_away(LACKS);
        CHECK_STATUS(status, SCRIM_E_MEMORY);
        CHECK(strstr(s.error.message,
                     what == NO_DESCRIPTOR ? "limit of open files" : "TMPDIR") != NULL);
        CHECK(strstr(s.error.message, "nothing was charged") != NULL);
        CHECK_STR(query_scene_left(&s, left), before);
        CHECK_STATUS(query_scene_ask(&s, query, options, &result), SCRIM_OK);
    }
    scrim_result_free(result);
    query_scene_end(&s);
}

SLOW_TEST(A73_what_lacks_for_temporary_files_is_found_out_before_the_charge)
{
    CLAIM("ask.memory");
    static const char *const queries[] = {"SELECT city, COUNT(*) GROUP BY city",
                                          "SELECT COUNT(*)"};
    const char *folder = getenv("TMPDIR");
    tables t;
    if (!tables_begin(&t, write_many))
        return;
    char *kept = folder == NULL ? NULL : strdup(folder);
    unsetenv("TMPDIR");
    for (lack what = 0; what < LACKS; what++)
        for (size_t i = 0; i < 4;
             i += check_is_long() ? 1 : 3) /* each table, each query */
            check_lack(t.paths[i % 2], what == NO_ROOM ? "quantum=0.01\n" : "",
                       queries[i / 2], what);
    tables_end(&t);
    if (kept != NULL)
        setenv("TMPDIR", kept, 1);
    free(kept);
}
