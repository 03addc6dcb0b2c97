#include "check.h"
#include "data/table/table.h"
#include "sanitized.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROWS 60000

typedef struct own {
    size_t batches, rows, fail_after;
    pthread_t thread;
    atomic_size_t *all;
    sigset_t blocked;
} own;

static scrim_status take(void *context, const sc_batch *batch, scrim_error *error)
{
    own *mine = context;
    CHECK(mine->batches == 0 || pthread_equal(mine->thread, pthread_self()));
    mine->thread = pthread_self();
    mine->batches++;
    mine->rows += batch->rows;
    atomic_fetch_add(mine->all, batch->rows);
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &mine->blocked) == 0);
    if (mine->fail_after > 0 && atomic_load(mine->all) >= mine->fail_after)
        return sc_fail(error, SCRIM_E_LIMIT, "enough");
    return SCRIM_OK;
}

static sc_table *open_table(const char *path, const sc_schema **schema)
{
    char policy[200];
    sc_table *table = NULL;
    snprintf(policy, sizeof policy, "unit=id\ncsv=%s", path);
    CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, schema, NULL), SCRIM_OK);
    const sc_batch_request request = {.schema = *schema};
    CHECK_STATUS(sc_table_open(&request, &table, NULL), SCRIM_OK);
    return table;
}

static void write_rows(char path[])
{
    const int descriptor = mkstemp(path);
    CHECK(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    if (!CHECK(file != NULL))
        return;
    fputs("id\n", file);
    for (int i = 0; i < ROWS; i++)
        fprintf(file, "person %d\n", i);
    fclose(file);
}

SLOW_TEST(table_hands_every_row_to_one_worker)
{
    char path[] = "/tmp/table_test.XXXXXX";
    write_rows(path);
    for (unsigned workers = 1; workers <= 16; workers *= 4) {
        own mine[16] = {{0}};
        void *contexts[16];
        atomic_size_t all = 0;
        const sc_schema *schema = NULL;
        sc_table *table = open_table(path, &schema);
        REQUIRE(table != NULL);
        CHECK(sc_table_stamp(table).is_file);
        for (unsigned i = 0; i < workers; i++) {
            mine[i].all = &all;
            contexts[i] = &mine[i];
        }
        CHECK_STATUS(sc_table_scan(table, workers, take, contexts, NULL), SCRIM_OK);
        CHECK_INT(atomic_load(&all), ROWS);
        /* The caller works too; other threads leave signals to it. */
        CHECK(mine[0].batches == 0 || pthread_equal(mine[0].thread, pthread_self()));
        CHECK(mine[0].batches == 0 || !sigismember(&mine[0].blocked, SIGINT));
        for (unsigned i = 1; i < workers; i++)
            CHECK(mine[i].batches == 0 || sigismember(&mine[i].blocked, SIGINT));
        CHECK_STATUS(sc_table_scan(table, 1, take, contexts, NULL), SCRIM_E_STATE);
        sc_table_close(table);
        sc_schema_free(schema);
    }
    unlink(path);
}

TEST(table_stops_at_the_first_failure)
{
    char path[] = "/tmp/table_test.XXXXXX";
    write_rows(path);
    for (unsigned workers = 1; workers <= 4; workers++) {
        own mine[4] = {{0}};
        void *contexts[4];
        atomic_size_t all = 0;
        const sc_schema *schema = NULL;
        scrim_error error = {.message = ""};
        sc_table *table = open_table(path, &schema);
        REQUIRE(table != NULL);
        for (unsigned i = 0; i < workers; i++) {
            mine[i].all = &all;
            mine[i].fail_after = 1;
            contexts[i] = &mine[i];
        }
        CHECK_STATUS(sc_table_scan(table, workers, take, contexts, &error),
                     SCRIM_E_LIMIT);
        CHECK_STR(error.message, "enough");
        for (unsigned i = 0; i < workers; i++)
            CHECK(mine[i].batches <= 1);
        sc_table_close(table);
        sc_schema_free(schema);
    }
    unlink(path);
}

/* A78: a child has a copy of the table. */

static void make_database(const char *path)
{
    char statements[256];
    sqlite3 *database = NULL;
    snprintf(statements, sizeof statements,
             "CREATE TABLE t (id); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
             "i + 1 FROM n WHERE i < %d) INSERT INTO t SELECT i FROM n",
             ROWS);
    CHECK(unlink(path) == 0 && sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, statements, NULL, NULL, NULL) == SQLITE_OK);
    CHECK(sqlite3_close(database) == SQLITE_OK);
}

typedef struct forking {
    own counted;
    bool has_forked, is_child;
    pid_t child;
} forking;

/* Goes on in both processes. */
static scrim_status take_and_fork(void *context, const sc_batch *batch,
                                  scrim_error *error)
{
    forking *f = context;
    if (!f->has_forked) {
        f->has_forked = true;
        f->child = fork();
        f->is_child = f->child == 0;
        (void)alarm(f->is_child ? 20 : 0);
    }
    return take(&f->counted, batch, error);
}

static void check_child(pid_t child)
{
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
}

static int use_in_child(sc_table *table, void **contexts)
{
    (void)alarm(20);
    if (sc_table_prepare(table, 2, NULL) != SCRIM_E_STATE ||
        sc_table_scan(table, 2, take, contexts, NULL) != SCRIM_E_STATE)
        return 1;
    sc_table_close(table);
    return 0;
}

/* Both ways: forked before the scan, and by what it calls. */
static void check_forks(const char *policy, unsigned workers)
{
    const sc_schema *schema = NULL;
    atomic_size_t all = 0;
    forking all_of_them[4] = {{.counted.all = NULL}}, *const f = &all_of_them[0];
    void *contexts[4];
    sc_table *table = NULL;
    for (size_t i = 0; i < 4; i++) {
        all_of_them[i].counted.all = &all;
        all_of_them[i].has_forked = i > 0;
        contexts[i] = &all_of_them[i];
    }
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, NULL));
    const sc_batch_request request = {.schema = schema};
    REQUIRE_OK(sc_table_open(&request, &table, NULL));
    const pid_t child = fork();
    if (child == 0)
        _exit(use_in_child(table, contexts));
    check_child(child);
    const scrim_status status =
        sc_table_scan(table, workers, take_and_fork, contexts, NULL);
    sc_table_close(table);
    if (f->is_child)
        _exit(status == SCRIM_E_STATE ? 0 : 1);
    CHECK_STATUS(status, SCRIM_OK);
    CHECK_INT(atomic_load(&all), ROWS);
    if (f->has_forked) /* with several workers the others may have been faster */
        check_child(f->child);
    sc_schema_free(schema);
}

static void check_forks_of_sources(unsigned workers)
{
    char path[] = "/tmp/table_test.XXXXXX", policy[64];
    write_rows(path);
    snprintf(policy, sizeof policy, "unit=id\ncsv=%s\n", path);
    check_forks(policy, workers);
    make_database(path);
    snprintf(policy, sizeof policy, "unit=id\nsqlite=%s\ntable=t\n", path);
    check_forks(policy, workers);
    unlink(path);
}

TEST(A78_a_table_is_read_by_the_process_that_opened_it)
{
    CLAIM("table.fork");
    check_forks_of_sources(1);
}

/* In the release build: another worker may hold a lock of the sanitizer's allocator, which a child then waits for. */
SLOW_TEST(A78_a_table_with_workers_is_read_by_the_process_that_opened_it)
{
    CLAIM("table.fork");
    if (IS_SANITIZED)
        SKIP("a sanitizer's memory is not made for a fork beside threads");
    check_forks_of_sources(4);
}

TEST(table_has_a_source_and_workers)
{
    const sc_schema *schema = NULL;
    sc_table *table = NULL;
    REQUIRE_OK(sc_schema_parse(sc_text_of("unit=row"), NULL, &schema, NULL));
    const sc_batch_request request = {.schema = schema};
    CHECK_STATUS(sc_table_open(&request, &table, NULL), SCRIM_E_PARAM);
    CHECK(table == NULL);
    sc_schema_free(schema);
    sc_table_close(NULL);
    CHECK(sc_table_workers() >= 1 && sc_table_workers() <= SC_WORKERS_MAX);
}

/* The status of a policy's source with that header, and what is said. */
static scrim_status check_header(const char *header, const char *lines, char **names,
                                 scrim_error *error)
{
    char path[] = "/tmp/scrim-header-XXXXXX", policy[512];
    const sc_schema *schema = NULL;
    const int file = mkstemp(path);
    CHECK(file >= 0 && write(file, header, strlen(header)) == (ssize_t)strlen(header));
    close(file);
    snprintf(policy, sizeof policy, "csv=%s\n%s", path, lines);
    scrim_status status = sc_schema_parse(sc_text_of(policy), NULL, &schema, error);
    if (status == SCRIM_OK)
        status = names != NULL ? sc_source_header_names(schema, names, error)
                               : sc_source_header_check(schema, error);
    sc_schema_free(schema);
    unlink(path);
    return status;
}

TEST(source_header_has_what_is_declared)
{
    CLAIM("source_header.declared");
    static const char header[] = "person_id,\"age\",sex\n1,2,3\n";
    scrim_error error = {.message = ""};
    CHECK_STATUS(check_header(header, "unit=row", NULL, &error), SCRIM_OK);
    CHECK_STATUS(check_header(header, "unit=person_id\ncolumn=age=bool\ncolumn=sex=text",
                              NULL, &error),
                 SCRIM_OK);
    CHECK_STATUS(check_header(header, "unit=person", NULL, &error), SCRIM_E_INPUT);
    CHECK_STR(error.message, "the header of the source has no column 'person'");
    CHECK_STATUS(
        check_header(header, "unit=row\ncolumn=age=bool\ncolumn=sxe=text", NULL, &error),
        SCRIM_E_INPUT);
    CHECK_STR(error.message,
              "the header of the source has no column 'sxe'; did you mean 'sex'?");
    CHECK_STATUS(check_header("", "unit=row", NULL, &error), SCRIM_E_INPUT);
    CHECK_STATUS(check_header("a,a\n", "unit=row", NULL, &error), SCRIM_E_INPUT);
}

/* A header that looks otherwise is told of, and is refused or taken as it is declared. */
TEST(source_header_hints_at_a_separator)
{
    CLAIM("source_header.hint");
    static const struct {
        const char *header, *lines, *message, *parameter;
    } rows[] = {
        {"id;age\n1,2\n", "unit=id",
         "the header of the source has no column 'id', but one with ; in it",
         "separator=;"},
        {"id\tage\n", "unit=id",
         "the header of the source has no column 'id', but one with tab in it",
         "separator=tab"},
        {"id|age\n", "unit=row\ncolumn=age=bool",
         "the header of the source has no column 'age', but one with | in it",
         "separator=|"},
        {"id,age\n", "unit=id\nseparator=;",
         "the header of the source has no column 'id', but one with , in it",
         "separator=,"},
        {"\"id\";\"age\"\n", "unit=id",
         "the header of the source has a quote out of place, with ; behind it",
         "separator=;"},
        {"\"id\"x;\"age\",\n", "unit=id",
         "the header of the source has a quote out of place", ""},
        {"sep=;\nid;age\n", "unit=id",
         "the first line of the source is sep=;, as spreadsheets write it, and not the "
         "header; delete that line",
         "separator=;"},
        {"sep=;\r\nid;age\r\n", "unit=id\nseparator=;",
         "the first line of the source is sep=;, as spreadsheets write it, and not the "
         "header; delete that line",
         "csv"},
        {"sep=,\nid,age\n", "unit=id",
         "the first line of the source is sep=,, as spreadsheets write it, and not the "
         "header; delete that line",
         "csv"},
        {"sep=x;id\n", "unit=id",
         "the header of the source has no column 'id', but one with ; in it",
         "separator=;"},
        {"id;age,sex\n", "unit=id", "the header of the source has no column 'id'",
         "column"},
        /* The rows have semicolons and the header does not: separators are not looked for in
         * rows. */
        {"number\n1;2\n3;4\n", "unit=id", "the header of the source has no column 'id'",
         "column"},
    };
    scrim_error error;
    for (size_t i = 0; i < COUNT(rows); i++) {
        error = (scrim_error){.message = ""};
        CHECK_STATUS(check_header(rows[i].header, rows[i].lines, NULL, &error),
                     SCRIM_E_INPUT);
        CHECK_STR(error.message, rows[i].message);
        CHECK_STR(error.parameter, rows[i].parameter);
    }
    CHECK_STATUS(check_header("id;age\n", "unit=row", NULL, &error), SCRIM_OK);
    CHECK_STATUS(check_header("id;age\n", "unit=id;age", NULL, &error), SCRIM_OK);
    CHECK_STATUS(check_header("\"id\";age\n", "unit=id\nseparator=;\ncolumn=age=bool",
                              NULL, &error),
                 SCRIM_OK);
}

TEST(source_header_is_utf8)
{
    CLAIM("source_header.hint");
    scrim_error error = {.message = ""};
    CHECK_STATUS(check_header("\xef\xbb\xbfid,gr\xc3\xb6\xc3\x9f"
                              "e\n",
                              "unit=id", NULL, &error),
                 SCRIM_OK);
    CHECK_STATUS(check_header("id,gr\xf6\xdf"
                              "e\n",
                              "unit=id", NULL, &error),
                 SCRIM_E_INPUT);
    CHECK_STR(
        error.message,
        "the header of the source is not UTF-8 but likely WINDOWS-1252; convert the "
        "file with iconv -f WINDOWS-1252 -t UTF-8");
    CHECK_STATUS(check_header("\xff\xfei", "unit=i", NULL, &error), SCRIM_E_INPUT);
    CHECK_STR(error.message, "the header of the source is not UTF-8 but likely UTF-16; "
                             "convert the file with iconv -f UTF-16 -t UTF-8");
    CHECK_STATUS(check_header("BZh91AY&SY", "unit=i", NULL, &error), SCRIM_E_INPUT);
    CHECK_STR(error.message, "the source is packed by bzip2, not a CSV file");
    CHECK_STATUS(check_header("PK\003\004\n", "unit=i", NULL, &error), SCRIM_E_INPUT);
    CHECK_STR(error.message, "the source is a zip archive, not a CSV file");
    /* Rows are not looked at. */
    CHECK_STATUS(check_header("id,x\n1,\xf6\n", "unit=id", NULL, &error), SCRIM_OK);
}

TEST(source_header_of_a_stream_is_not_looked_at)
{
    static const char *const policies[] = {"unit=id", "unit=id\ncsv=-"};
    for (size_t i = 0; i < COUNT(policies); i++) {
        const sc_schema *schema = NULL;
        char *names = NULL;
        REQUIRE_OK(sc_schema_parse(sc_text_of(policies[i]), NULL, &schema, NULL));
        CHECK_STATUS(sc_source_header_check(schema, NULL), SCRIM_OK);
        CHECK_STATUS(sc_source_header_names(schema, &names, NULL), SCRIM_E_PARAM);
        CHECK_STATUS(sc_source_header_tables(schema, &names, NULL), SCRIM_E_PARAM);
        sc_schema_free(schema);
    }
}

TEST(source_header_of_a_database)
{
    CLAIM("source_header.declared");
    char path[] = "/tmp/scrim-header-XXXXXX", policy[256];
    static const struct {
        const char *lines;
        scrim_status status;
    } cases[] = {
        {"table=people\nunit=id\ncolumn=age=int[0,9]", SCRIM_OK},
        {"table=people\nunit=person", SCRIM_E_INPUT},
        {"table=people\nunit=id\ncolumn=sex=text", SCRIM_E_INPUT},
        {"table=persons\nunit=id", SCRIM_E_INPUT},
    };
    sqlite3 *database = NULL;
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    close(file);
    REQUIRE(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database,
                       "CREATE TABLE people (id, age, \"a=b\", \"caf\u00e9 \"\"x\", "
                       "seen AS (age) VIRTUAL, kept AS (age) STORED);"
                       "CREATE VIEW persons AS SELECT * FROM people",
                       NULL, NULL, NULL) == SQLITE_OK);
    CHECK(sqlite3_close(database) == SQLITE_OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const sc_schema *schema = NULL;
        scrim_error error = {.message = ""};
        snprintf(policy, sizeof policy, "sqlite=%s\n%s", path, cases[i].lines);
        REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error));
        if (sc_source_header_check(schema, &error) != cases[i].status)
            CHECK_FAIL("%s: %s", cases[i].lines, error.message);
        char *names = NULL;
        CHECK_STATUS(sc_source_header_names(schema, &names, &error), cases[i].status);
        if (cases[i].status == SCRIM_OK)
            CHECK_STR(names, "id\nage\ncaf\u00e9 \"x\nkept\n");
        else
            CHECK(names == NULL);
        sc_free(names);
        names = NULL;
        REQUIRE_OK(sc_source_header_tables(schema, &names, &error));
        CHECK_STR(names, "people\n");
        sc_free(names);
        sc_schema_free(schema);
    }
    unlink(path);
}

TEST(source_header_names_are_lines)
{
    scrim_error error = {.message = ""};
    char *names = NULL;
    REQUIRE_OK(check_header("\"a,b\", c ,\"d=e\",f\x01,caf\xc3\xa9\n1,2,3,4,5\n",
                            "unit=row", &names, &error));
    CHECK_STR(names, "a,b\nc\ncaf\xc3\xa9\n");
    sc_free(names);
}
