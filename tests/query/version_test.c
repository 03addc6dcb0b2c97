/* A107: a version is its bytes. Whatever was done to the file, and when, and whichever rows it concerns: there is
 * no answer, the charge stays, the version is closed, and the words are the same. */
#include "base/reserve.h"
#include "check.h"
#include "query_scene.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPTIONS(...)                                                                     \
    (&(scrim_query_options){.size = sizeof(scrim_query_options), __VA_ARGS__})
/* Several pieces of a file, of rows of 10 bytes each. */
#define ROWS 60000
#define ROW_BYTES 10
#define HEADER_BYTES 11

static const char policy[] = "unit=person\ncolumn=age=int[0,120]\nrows-per-unit=1\n"
                             "budget=epsilon=1000\n";
static const char query[] = "SELECT COUNT(*) AS n, SUM(age) AS s",
                  other[] = "SELECT COUNT(*) AS m";
static const char changed[] = "the source is not that of this version: it has changed "
                              "since it was declared";

static char *table_text(void)
{
    char *text = malloc(ROWS * ROW_BYTES + 64), *at = text;
    if (!CHECK(text != NULL))
        return NULL;
    at += sprintf(at, "person,age\n");
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "p%05d,%02d\n", i, i % 90 + 10);
    return text;
}

static bool begin(query_scene *s)
{
    char *text = table_text();
    const bool has_begun = text != NULL && query_scene_begin(s, policy, text);
    free(text);
    return has_begun;
}

/* The file and its times, to be put back. */
typedef struct file_times {
    struct timespec times[2];
} file_times;

static file_times times_of(const query_scene *s)
{
    struct stat now;
    CHECK(stat(s->table, &now) == 0);
    return (file_times){{now.st_atim, now.st_mtim}};
}

static void put_times_back(const query_scene *s, const file_times *then)
{
    CHECK(utimensat(AT_FDCWD, s->table, then->times, 0) == 0);
}

static void write_at(const query_scene *s, long place, const char *bytes)
{
    const int file = open(s->table, O_WRONLY);
    CHECK(file >= 0 &&
          pwrite(file, bytes, strlen(bytes), place) == (ssize_t)strlen(bytes));
    close(file);
}

static scrim_status ask(query_scene *s, const char *text, scrim_query_options *options)
{
    scrim_result *result = NULL;
    options->size = sizeof *options;
    options->epsilon = "1";
    options->workers = 1;
    const scrim_status status = query_scene_ask(s, text, options, &result);
    scrim_result_free(result);
    return status;
}

static scrim_status ask_plain(query_scene *s, const char *text)
{
    scrim_query_options options = {.size = 0};
    return ask(s, text, &options);
}

static void check_charges(const query_scene *s, unsigned charges)
{
    char left[3 * SCRIM_NUMBER_BYTES], want[32];
    snprintf(want, sizeof want, "%u 0 %u", 1000 - charges, charges);
    CHECK_STR(query_scene_left(s, left), want);
}

/* The last question was charged, as this release, and is the last of its version: others are refused in these words. */
static void check_closed_in(query_scene *s, unsigned release, const char *words)
{
    char want[256];
    scrim_vault_state state;
    snprintf(want, sizeof want,
             "release %u is charged and has no answer: %s; nothing was shown, and the "
             "charge stays",
             release, changed);
    CHECK_STR(s->error.message, want);
    CHECK_INT(s->error.reason, SCRIM_REASON_CHANGED);
    check_charges(s, release);
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(ask_plain(s, i == 0 ? query : other), SCRIM_E_INPUT);
        CHECK_STR(s->error.message, words);
    }
    check_charges(s, release);
    scrim_vault_release found = {.id = 0};
    CHECK_STATUS(scrim_vault_replay(s->vault, release, &found, &s->error), SCRIM_OK);
    CHECK_INT(found.state, SCRIM_ENTRY_CHARGED); /* not to be finished */
    scrim_vault_release_clear(&found);
    CHECK_STATUS(scrim_vault_verify(s->vault, &state, NULL), SCRIM_OK);
}

static void check_closed(query_scene *s, unsigned release)
{
    check_closed_in(s, release, changed);
}

/* The first row, one in the middle, the last: all else of the file is as it was, and so are size and time. */
FAULT_TEST(A107_other_bytes_of_the_same_size_and_time)
{
    CLAIM("vault.closed");
    CLAIM("pass.version");
    static const long rows[] = {0, ROWS / 2, ROWS - 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        query_scene s;
        if (!begin(&s))
            return;
        CHECK_STATUS(ask_plain(&s, "SELECT SUM(age) AS t"), SCRIM_OK);
        const file_times then = times_of(&s);
        write_at(&s, HEADER_BYTES + rows[i] * ROW_BYTES, "q");
        put_times_back(&s, &then);
        CHECK_STATUS(ask_plain(&s, query), SCRIM_E_INPUT);
        check_closed(&s, 2);
        /* what was answered is repeated; the file of then does not open the version again, and neither does
         * another policy */
        CHECK_STATUS(ask_plain(&s, "SELECT SUM(age) AS t"), SCRIM_OK);
        write_at(&s, HEADER_BYTES + rows[i] * ROW_BYTES, "p");
        put_times_back(&s, &then);
        CHECK_STATUS(ask_plain(&s, query), SCRIM_E_INPUT);
        char set[400];
        snprintf(set, sizeof set, "%scsv=%s\nmissing=age=0\n", policy, s.table);
        CHECK_STATUS(scrim_vault_set_dataset(s.vault, "people", set, &s.error), SCRIM_OK);
        CHECK_STATUS(ask_plain(&s, query), SCRIM_E_INPUT);
        CHECK_STR(s.error.message, changed);
        CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, NULL), SCRIM_OK);
        CHECK_STATUS(ask_plain(&s, query), SCRIM_OK);
        check_charges(&s, 3);
        query_scene_end(&s);
    }
}

/* A file that is put back under another number, as a restore does, is of its version: its bytes say so. */
/* The names of columns decide which values are read. */
TEST(A107_other_names_of_columns)
{
    query_scene s;
    if (!query_scene_begin(&s, policy, "person,age,old\nAnn,30,31\nBob,40,41\n"))
        return;
    const file_times then = times_of(&s);
    write_at(&s, 0, "person,old,age");
    put_times_back(&s, &then);
    CHECK_STATUS(ask_plain(&s, query), SCRIM_E_INPUT);
    check_closed(&s, 1);
    query_scene_end(&s);
}

TEST(A107_the_same_bytes_in_another_file)
{
    CLAIM("pass.version");
    query_scene s;
    char path[128];
    char *text = table_text();
    if (text == NULL || !begin(&s))
        return;
    const file_times then = times_of(&s);
    snprintf(path, sizeof path, "%s.new", s.table);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0 &&
          rename(path, s.table) == 0);
    put_times_back(&s, &then);
    CHECK_STATUS(ask_plain(&s, query), SCRIM_OK);
    CHECK(chmod(s.table, 0400) == 0);
    CHECK_STATUS(ask_plain(&s, other), SCRIM_OK);
    free(text);
    query_scene_end(&s);
}

/* While the file is read: what somebody does to it before the batch of this number. */
typedef struct meddling {
    const query_scene *s;
    int way;
    unsigned calls, at;
    file_times then;
} meddling;

static void put_in_front(const query_scene *s)
{
    char *text = table_text();
    FILE *file = fopen(s->table, "r+");
    CHECK(text != NULL && file != NULL && fputs("person,age\n", file) >= 0);
    for (int i = 0; file != NULL && i < 1000; i++)
        fprintf(file, "n%05d,50\n", i);
    CHECK(file != NULL && fputs(text + HEADER_BYTES, file) >= 0 && fclose(file) == 0);
    free(text);
}

static void replace(const query_scene *s)
{
    char path[128];
    snprintf(path, sizeof path, "%s.new", s->table);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs("person,age\np1,20\n", file) >= 0 && fclose(file) == 0 &&
          rename(path, s->table) == 0);
}

/* Zeros in place of the last half, of the same size: of a database they are no pages. */
static void put_zeros(const query_scene *s)
{
    struct stat status;
    CHECK(stat(s->table, &status) == 0 && truncate(s->table, status.st_size / 2) == 0 &&
          truncate(s->table, status.st_size) == 0);
}

enum { IN_FRONT, READ_ALREADY, NOT_YET_READ, CUT, RENAMED, ONLY_TOUCHED, ZEROS, WAYS };

static int meddle(void *context)
{
    meddling *m = context;
    const query_scene *s = m->s;
    if (m->calls++ != m->at)
        return 0;
    usleep(20000); /* the clock of files ticks more slowly than others */
    if (m->way == IN_FRONT)
        put_in_front(s);
    else if (m->way == READ_ALREADY)
        write_at(s, HEADER_BYTES, "q");
    else if (m->way == NOT_YET_READ)
        write_at(s, HEADER_BYTES + (ROWS - 5L) * ROW_BYTES, "q");
    else if (m->way == CUT)
        CHECK(truncate(s->table, HEADER_BYTES + ROWS / 2 * ROW_BYTES) == 0);
    else if (m->way == RENAMED)
        replace(s);
    else if (m->way == ZEROS)
        put_zeros(s);
    else
        CHECK(chmod(s->table, 0600) == 0);
    put_times_back(s, &m->then);
    return 0;
}

SLOW_TEST(A107_a_file_that_is_changed_while_it_is_read)
{
    CLAIM("vault.closed");
    CLAIM("pass.version");
    for (int way = 0; way < WAYS; way++) {
        query_scene s;
        if (!begin(&s))
            return;
        meddling m = {.s = &s, .way = way, .at = 1, .then = times_of(&s)};
        scrim_query_options options = {.is_cancelled = meddle, .context = &m};
        CHECK_STATUS(ask(&s, query, &options), SCRIM_E_INPUT);
        CHECK(m.calls > m.at);
        check_closed(&s, 1);
        query_scene_end(&s);
    }
}

/* A charge without an answer holds the key of its noise: were it finished with other bytes, two answers with the same
 * noise could differ by one person. */
static int end_at_once(void *context)
{
    (void)context;
    return 1;
}

TEST(A107_a_charge_is_not_finished_with_other_bytes)
{
    CLAIM("vault.closed");
    query_scene s;
    scrim_query_options options = {.is_cancelled = end_at_once};
    if (!begin(&s))
        return;
    const file_times then = times_of(&s);
    CHECK_STATUS(ask(&s, query, &options), SCRIM_E_STATE);
    check_charges(&s, 1);
    write_at(&s, HEADER_BYTES + 77 * ROW_BYTES, "q");
    put_times_back(&s, &then);
    CHECK_STATUS(ask_plain(&s, query), SCRIM_E_INPUT);
    check_closed(&s, 1);
    write_at(&s, HEADER_BYTES + 77 * ROW_BYTES, "p");
    put_times_back(&s, &then);
    CHECK_STATUS(ask_plain(&s, query), SCRIM_E_INPUT);
    CHECK_STR(s.error.message, changed);
    query_scene_end(&s);
}

static void change_database(const char *path, const char *statement)
{
    sqlite3 *database = NULL;
    CHECK_INT(sqlite3_open(path, &database), SQLITE_OK);
    CHECK_INT(sqlite3_exec(database, statement, NULL, NULL, NULL), SQLITE_OK);
    CHECK_INT(sqlite3_close(database), SQLITE_OK);
}

static bool begin_database(query_scene *s, char *path, int rows)
{
    char lines[300], made[300];
    const int file = mkstemp(path);
    if (!CHECK(file >= 0) || !query_scene_begin(s, policy, "person,age\n"))
        return false;
    close(file);
    snprintf(made, sizeof made,
             "CREATE TABLE t (person TEXT, age INTEGER);"
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
             "WHERE i < %d) INSERT INTO t SELECT 'p' || i, i %% 90 FROM n",
             rows);
    change_database(path, made);
    snprintf(lines, sizeof lines, "%ssqlite=%s\ntable=t\n", policy, path);
    CHECK_STATUS(scrim_vault_update_dataset(s->vault, "people", lines, &s->error),
                 SCRIM_OK);
    snprintf(s->table, sizeof s->table, "%s", path);
    return true;
}

TEST(A107_a_database_of_the_same_size_and_time)
{
    CLAIM("vault.closed");
    char path[] = "/tmp/scrim-version-XXXXXX";
    query_scene s;
    if (!begin_database(&s, path, 500))
        return;
    CHECK_STATUS(ask_plain(&s, "SELECT SUM(age) AS t"), SCRIM_OK);
    const file_times then = times_of(&s);
    change_database(path, "UPDATE t SET age = 91 WHERE person = 'p77'");
    put_times_back(&s, &then);
    CHECK_STATUS(ask_plain(&s, query), SCRIM_E_INPUT);
    check_closed(&s, 2);
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", NULL, NULL), SCRIM_OK);
    CHECK_STATUS(ask_plain(&s, query), SCRIM_OK);
    query_scene_end(&s);
    unlink(path);
}

typedef struct told {
    unsigned calls;
    uint64_t done, total;
} told;

static void take_progress(void *context, uint64_t done, uint64_t total)
{
    told *t = context;
    CHECK(done >= t->done && done <= total);
    *t = (told){t->calls + 1, done, total};
}

/* An update reads the whole file, and tells how far it is as long as somebody wants to know. */
static void check_watched_update(query_scene *s, uint64_t bytes)
{
    told t = {0};
    scrim_vault_watch(s->vault, take_progress, &t);
    CHECK_STATUS(scrim_vault_update_dataset(s->vault, "people", NULL, NULL), SCRIM_OK);
    CHECK(t.calls > 0 && t.done == bytes && t.total == bytes);
    const unsigned calls = t.calls;
    scrim_vault_watch(s->vault, NULL, NULL);
    CHECK_STATUS(scrim_vault_update_dataset(s->vault, "people", NULL, NULL), SCRIM_OK);
    CHECK_INT(t.calls, calls);
}

TEST(vault_watch_tells_the_reading_of_a_file)
{
    char path[] = "/tmp/scrim-version-XXXXXX", lines[300];
    struct stat status;
    query_scene s;
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    close(file);
    change_database(path, "CREATE TABLE t (person TEXT, age INTEGER)");
    if (!begin(&s))
        return;
    REQUIRE(stat(s.table, &status) == 0);
    check_watched_update(&s, (uint64_t)status.st_size);
    snprintf(lines, sizeof lines, "%ssqlite=%s\ntable=t\n", policy, path);
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", lines, &s.error),
                 SCRIM_OK);
    REQUIRE(stat(path, &status) == 0);
    check_watched_update(&s, (uint64_t)status.st_size);
    query_scene_end(&s);
    unlink(path);
}

/* SQLite reads pages, and the digest is of a second reading: a file that was touched in between may have had others. */
SLOW_TEST(A107_a_database_that_is_touched_while_it_is_read)
{
    CLAIM("vault.closed");
    CLAIM("pass.version");
    /* A file that ends too early is refused when it is opened, before the charge. */
    static const char unreadable[] =
        "the source cannot be read as a SQLite database; check the file";
    static const struct {
        int way;
        const char *next;
    } cases[] = {{ONLY_TOUCHED, changed}, {CUT, unreadable}, {ZEROS, changed}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char path[] = "/tmp/scrim-version-XXXXXX";
        query_scene s;
        if (!begin_database(&s, path, ROWS))
            return;
        meddling m = {.s = &s, .way = cases[i].way, .at = 0, .then = times_of(&s)};
        scrim_query_options options = {.is_cancelled = meddle, .context = &m};
        CHECK_STATUS(ask(&s, query, &options), SCRIM_E_INPUT);
        CHECK(m.calls > m.at);
        check_closed_in(&s, 1, cases[i].next);
        query_scene_end(&s);
        unlink(path);
    }
}

/* Numbers of a release that is charged need the reserve. */
TEST(A103_no_query_is_charged_without_memory_for_numbers)
{
    CLAIM("reserve.memory");
    query_scene s;
    if (!begin(&s))
        return;
    void *half = sc_reserve_take(SC_RESERVE_BYTES / 2);
    REQUIRE(half != NULL && !sc_reserve_is_low());
    CHECK_STATUS(ask_plain(&s, query), SCRIM_E_MEMORY);
    check_charges(&s, 0);
    CHECK(sc_reserve_give(half));
    CHECK_STATUS(ask_plain(&s, query), SCRIM_OK);
    check_charges(&s, 1);
    query_scene_end(&s);
}
