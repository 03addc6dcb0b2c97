#include "check.h"
#include "data/source/sqlite_source.h"
#include "random/bits_tape.h"
#include "table_rows.h"

#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PEOPLE "unit=id\ncolumn=sex=text\ncolumn=age=int[0,120]"

typedef struct file {
    char path[40];
} file;

static void run(sqlite3 *database, const char *text)
{
    char *message = NULL;
    if (sqlite3_exec(database, text, NULL, NULL, &message) != SQLITE_OK)
        CHECK_FAIL("%s: %s", text, message);
    sqlite3_free(message);
}

/* A database file made by these statements. */
static void make(file *f, const char *statements)
{
    sqlite3 *database = NULL;
    snprintf(f->path, sizeof f->path, "/tmp/sqlite_source.XXXXXX");
    const int descriptor = mkstemp(f->path);
    CHECK(descriptor >= 0);
    close(descriptor);
    CHECK_INT(sqlite3_open(f->path, &database), SQLITE_OK);
    run(database, statements);
    sqlite3_close(database);
}

static void read_rows(const file *f, const char *policy, unsigned workers,
                      table_rows *rows)
{
    char whole[1000];
    snprintf(whole, sizeof whole, "%s\nsqlite=%s\ntable=people", policy, f->path);
    table_rows_read(rows, whole, workers);
}

static void check_rows(const char *policy, const char *statements, const char *want)
{
    file f = {""};
    table_rows rows;
    char text[1000];
    make(&f, statements);
    read_rows(&f, policy, 1, &rows);
    if (!CHECK_STATUS(rows.status, SCRIM_OK))
        CHECK_STR(rows.error.message, "");
    table_rows_join(&rows, text, sizeof text);
    CHECK_STR(text, want);
    table_rows_clear(&rows);
    unlink(f.path);
}

TEST(sqlite_source_reads_every_type)
{
    CLAIM("sqlite-source.rows");
    check_rows(
        PEOPLE,
        "CREATE TABLE people(id, sex, age, secret);"
        "INSERT INTO people VALUES (1,'F',30,0),('1','F','31',0),(2.5,'M',40.5,0),"
        "(x'7aff','M',1e300,0),(NULL,'M',1,0),(3,NULL,1,0),(4,'M',NULL,0),"
        "(5,'M',x'31',0),(6,x'4d',1,0),(7,'',1,0),(8,5,-3,0),(9,'M','x',0)",
        "1|F|30;1|F|31;2.5|M|41;3|<null>|1;4|M|<null>;5|M|<null>;6|<null>|1;7||1;8|5|0;"
        "9|M|<null>;z\xff|M|120;");
    /* A real number is the decimal it is written as: -0.0005 is a half, and goes up. */
    check_rows("unit=row\ncolumn=d=date[2020-01-01,2020-12-31]\ncolumn=b=bool\n"
               "column=x=decimal[-1,1]/0.001",
               "CREATE TABLE people(d, b, x);"
               "INSERT INTO people VALUES ('2020-01-02',1,0.0005),(18262,1,0.5),"
               "('2020-01-02',0,-0.0005),('2020-01-02','yes',9e99),"
               "('2020-01-02',1.0,0.5),('2020-01-02',1,-9e999)",
               "18263|0|0;18263|1|-1000;18263|1|1;18263|1|1000;18263|1|500;"
               "<null>|1|500;");
    /* Times are texts. */
    check_rows("unit=row\nzone=+01:00\ncolumn=t=timestamp[1970-01-01,1970-01-02]",
               "CREATE TABLE people(t);"
               "INSERT INTO people VALUES ('1970-01-01 01:00:07'),('1970-01-01T00:00Z'),"
               "(7),(7.5),(NULL),('1999-01-01')",
               "0;7;82800;<null>;<null>;<null>;");
    check_rows(PEOPLE "\nmissing=age=7\nmissing=sex=?",
               "CREATE TABLE people(id INTEGER PRIMARY KEY, sex, age) WITHOUT ROWID;"
               "CREATE INDEX i ON people(sex, age);"
               "INSERT INTO people VALUES (1,NULL,NULL)",
               "1|?|7;");
    check_rows("unit=row", "CREATE TABLE people(a); INSERT INTO people VALUES (1),(2)",
               ";;");
    check_rows(PEOPLE, "CREATE TABLE people(id, sex, age)", "");
    check_rows("unit=a\"b\ncolumn=c d=int[0,9]",
               "CREATE TABLE people(\"a\"\"b\", \"c d\");"
               "INSERT INTO people VALUES ('u', 5)",
               "u|5;");
}

static void check_numbers(const char *values, const char *policy, const char *want)
{
    char statements[200];
    snprintf(statements, sizeof statements,
             "CREATE TABLE people(x, y); INSERT INTO people(x) VALUES %s;"
             "UPDATE people SET y = x",
             values);
    check_rows(policy, statements, want);
}

/* A column of SQLite has a type for each value: one value that is not whole must not make two people of another, nor two groups. */
TEST(A101_a_number_of_a_database_has_one_reading)
{
    CLAIM("sqlite-source.rows");
    static const char whole[] = "(1),(0),(-7),(20240131)",
                      real[] = "(1.0),(-0.0),(-7.0),(20240131.0)";
    static const struct {
        const char *policy, *want;
    } cases[] = {
        {"unit=row\ncolumn=x=text", "-7;0;1;20240131;"},
        {"unit=row\ncolumn=x=bool", "0;1;<null>;<null>;"},
        {"unit=row\ncolumn=x=int[-5,90000000]", "-5;0;1;20240131;"},
        {"unit=row\ncolumn=x=decimal[-5,90000000]/0.01", "-500;0;100;2024013100;"},
        {"unit=x\nrows-per-unit=1\ncolumn=y=text", "-7|-7;0|0;1|1;20240131|20240131;"},
        {"unit=row\ncolumn=x=date[1960-01-01,2030-01-01]\ndate-format=YYYYMMDD",
         "19753;<null>;<null>;<null>;"},
        {"unit=row\ncolumn=x=text\nnull=1,NA", "-7;0;20240131;<null>;"},
        {"unit=x\nrows-per-unit=1\ncolumn=y=text\nnull=1,NA",
         "-7|-7;0|0;20240131|20240131;"},
        {"unit=row\ncolumn=x=int[0,9]\nnull=1,NA", "0;0;9;<null>;"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        check_numbers(whole, cases[i].policy, cases[i].want);
        check_numbers(real, cases[i].policy, cases[i].want);
    }
}

/* As a text and as the unit; an infinity is no text. */
TEST(A101_real_numbers_of_a_database_are_shortest_decimals)
{
    CLAIM("sqlite-source.rows");
    static const char real[] =
        "CREATE TABLE people(x); INSERT INTO people VALUES (5.0),(1e15),(1e22),(0.1),"
        "(-0.0),(9007199254740993.0),(1e39),(-2.5e-45),(123456789.123456789),(0.35),"
        "(9e999),(-9e999),(0.30000000000000004)";
    check_rows("unit=row\ncolumn=x=text", real,
               "-25e-46;0;0.1;0.30000000000000004;0.35;1000000000000000;"
               "10000000000000000000000;123456789.12345679;1e39;5;9007199254740992;"
               "<null>;<null>;");
    check_rows("unit=x\nrows-per-unit=1", real,
               "-25e-46;0;0.1;0.30000000000000004;0.35;1000000000000000;"
               "10000000000000000000000;123456789.12345679;1e39;5;9007199254740992;");
    /* The same number is the same person, and another is not. */
    check_rows(
        "unit=x\nrows-per-unit=1",
        "CREATE TABLE people(x); INSERT INTO people VALUES (5),(5.0),('5'),('5.0'),"
        "(1e15),(1000000000000000),(9007199254740992.0),(9007199254740992),"
        "(9007199254740993)",
        "1000000000000000;1000000000000000;5;5;5;5.0;9007199254740992;"
        "9007199254740992;9007199254740993;");
}

/* Texts and numbers stand for a missing value, and numbers that are stored as such keep their
 * point. */
TEST(sqlite_source_reads_cells_by_their_form)
{
    CLAIM("sqlite-source.rows");
    check_rows("unit=id\ncolumn=name=text\ncolumn=x=decimal[0,1000]\n"
               "column=d=date[2020-01-01,2024-12-31]\nmissing=name=?\nmissing=x=999\n"
               "missing=d=2020-01-01\ndecimal=,\ndate-format=DD.MM.YYYY\nnull=NA,-1",
               "CREATE TABLE people(id, name, x, d);"
               "INSERT INTO people VALUES (1,'NA','1,5','31.12.2023'),(2,'b',1.5,'NA'),"
               "('NA','c','2','01.01.2024'),(-1,'c','2','01.01.2024'),"
               "(3,'-1',-1,'2024-01-01'),(4,'\"NA\"','1.5',NULL)",
               "1|?|150|19722;2|b|150|18262;3|?|99900|18262;4|\"NA\"|99900|18262;");
}

static void check_refused(const char *statements, const char *message)
{
    file f = {""};
    table_rows rows;
    make(&f, statements);
    read_rows(&f, PEOPLE, 1, &rows);
    CHECK_STATUS(rows.status, SCRIM_E_INPUT);
    CHECK_STR(rows.error.message, message);
    CHECK_INT(rows.count, 0);
    table_rows_clear(&rows);
    unlink(f.path);
}

/* Attempts of a hostile file: nothing of it is evaluated. */
TEST(A65_a_hostile_database_is_only_read)
{
    CLAIM("sqlite-source.only-reads");
    static const char no_table[] =
        "the source has no table 'people'; a view or a virtual table is not read";
    check_refused("CREATE TABLE t(id, sex, age);"
                  "CREATE VIEW people AS SELECT id, sex, age FROM t",
                  no_table);
    check_refused("CREATE VIRTUAL TABLE people USING fts5(id, sex, age)", no_table);
    check_refused("CREATE TABLE other(id, sex, age)", no_table);
    check_refused("CREATE TABLE People(id, sex, age)",
                  "the source has no table 'people'; did you mean 'People'?");
    check_refused("CREATE TABLE peple(id, sex, age)",
                  "the source has no table 'people'; did you mean 'peple'?");
    check_refused("CREATE TABLE people(id, sex)",
                  "the table of the source has no column 'age'; correct the policy");
    check_refused("CREATE TABLE people(sex, age)",
                  "the table of the source has no column 'id'; correct the policy");
    check_refused(
        "CREATE TABLE people(id, sex, n, age AS (abs(n)))",
        "the column 'age' of the source is computed when it is read; store it or "
        "leave it out of the policy");
    check_refused("PRAGMA journal_mode=WAL; CREATE TABLE people(id, sex, age)",
                  "the database is in WAL mode, and its version cannot be known by the "
                  "file; set PRAGMA journal_mode=DELETE");
    /* Computed when it was written, an index with an expression, triggers, defaults: all there,
     * and never run. */
    check_rows(
        PEOPLE,
        "CREATE TABLE people(id, sex, n, age AS (abs(n)) STORED, other AS (abs(n)),"
        " CHECK (age > 0));"
        "CREATE TABLE log(x); CREATE INDEX i ON people(abs(n));"
        "CREATE TRIGGER t AFTER INSERT ON people BEGIN INSERT INTO log VALUES (1);"
        "END; INSERT INTO people(id, sex, n) VALUES (1, 'F', -30)",
        "1|F|30;");
}

TEST(A65_a_name_is_a_file)
{
    CLAIM("sqlite-source.only-reads");
    static const char *const names[] = {":memory:", "file:people?mode=memory",
                                        "tests/missing/people", "/tmp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        table_rows rows;
        char policy[200];
        snprintf(policy, sizeof policy, PEOPLE "\nsqlite=%s\ntable=people", names[i]);
        table_rows_read(&rows, policy, 1);
        CHECK_STATUS(rows.status, SCRIM_E_INPUT);
        table_rows_clear(&rows);
    }
    /* Not a database, and one with a torn page: both without a word about the contents. */
    for (int torn = 0; torn < 2; torn++) {
        file f = {""};
        table_rows rows;
        make(&f,
             "CREATE TABLE people(id, sex, age); INSERT INTO people VALUES (1,'F',3)");
        const int descriptor = open(f.path, O_WRONLY);
        char noise[2000];
        memset(noise, 'x', sizeof noise);
        CHECK(pwrite(descriptor, noise, sizeof noise, torn ? 4096 : 0) == sizeof noise);
        close(descriptor);
        read_rows(&f, PEOPLE, 1, &rows);
        CHECK_STATUS(rows.status, SCRIM_E_INPUT);
        CHECK_STR(rows.error.message,
                  "the source cannot be read as a SQLite database; check the file");
        table_rows_clear(&rows);
        unlink(f.path);
    }
}

/* The same texts in a CSV file and in a table, and any number of workers: the same rows. */
TEST(sqlite_source_agrees_with_csv)
{
    CLAIM("sqlite-source.rows");
    static const char *const values[] = {"F",        "",    "30",  "-1",   "7.5", "x",
                                         "\xc3\xa9", "1e3", "121", "\xff", " 5 ", "NaN"};
    sqlite3 *database = NULL;
    sqlite3_stmt *insert = NULL;
    sc_tape *tape = NULL;
    file f = {""};
    const size_t count = check_count(20000, 200000);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    char *csv = malloc(count * 40 + 20);
    size_t used = 0;
    REQUIRE(csv != NULL);
    make(&f, "CREATE TABLE people(age TEXT, id TEXT, sex TEXT)");
    CHECK_INT(sqlite3_open(f.path, &database), SQLITE_OK);
    run(database, "BEGIN");
    CHECK_INT(sqlite3_prepare_v2(database, "INSERT INTO people(id,sex,age) VALUES(?,?,?)",
                                 -1, &insert, NULL),
              SQLITE_OK);
    used += (size_t)sprintf(csv, "id,sex,age\n");
    for (size_t i = 0; i < count; i++) {
        for (int c = 1; c <= 3; c++) {
            uint64_t w = 0;
            CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
            const char *value = values[w % (sizeof values / sizeof *values)];
            if (value[0] == '\0') /* nothing between separators is NULL */
                sqlite3_bind_null(insert, c);
            else
                sqlite3_bind_text(insert, c, value, -1, SQLITE_STATIC);
            used += (size_t)sprintf(csv + used, "%s%s", value, c < 3 ? "," : "\n");
        }
        CHECK_INT(sqlite3_step(insert), SQLITE_DONE);
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    run(database, "COMMIT");
    sqlite3_close(database);
    table_rows want, got;
    table_rows_of_csv(&want, PEOPLE "\nmissing=sex=?", csv, used, 1);
    CHECK(want.count > count / 3);
    for (unsigned workers = 1; workers < 5; workers++) {
        read_rows(&f, PEOPLE "\nmissing=sex=?", workers, &got);
        CHECK(table_rows_equal(&want, &got));
        table_rows_clear(&got);
    }
    table_rows_clear(&want);
    unlink(f.path);
    free(csv);
    sc_tape_free(tape);
}

static scrim_status touch(void *context, const sc_batch *batch, scrim_error *error)
{
    (void)error;
    CHECK_INT(batch->rows, 1);
    CHECK(utimensat(AT_FDCWD, ((file *)context)->path,
                    (struct timespec[]){{1, 0}, {1, 0}}, 0) == 0);
    return SCRIM_OK;
}

TEST(sqlite_source_notices_a_change)
{
    file f = {""};
    char policy[300];
    sc_table *table = NULL;
    sc_batch_request request = {.columns = NULL};
    make(&f, "CREATE TABLE people(id); INSERT INTO people VALUES (1)");
    snprintf(policy, sizeof policy, "unit=id\nsqlite=%s\ntable=people", f.path);
    for (int change = 0; change < 2; change++) {
        void *contexts[] = {&f};
        REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &request.schema, NULL));
        REQUIRE_OK(sc_table_open(&request, &table, NULL));
        CHECK(sc_table_stamp(table).is_file);
        if (change == 1)
            CHECK(utimensat(AT_FDCWD, f.path, (struct timespec[]){{2, 0}, {2, 0}}, 0) ==
                  0);
        CHECK_STATUS(sc_table_scan(table, 1, touch, contexts, NULL),
                     change == 1 ? SCRIM_E_INPUT : SCRIM_OK);
        CHECK_STATUS(sc_table_scan(table, 1, touch, contexts, NULL), SCRIM_E_STATE);
        sc_table_close(table);
        sc_schema_free(request.schema);
    }
    unlink(f.path);
}

/* Rows of which one has a value of 16 MB, with these columns and this last clause of the table: the
 * value is missing, everything else counts, and at no time was the value in memory. */
static void check_long_value(const char *columns, const char *clause, int long_row,
                             const char *long_values, const char *want)
{
    file f = {""};
    table_rows rows;
    char text[400], statements[1500];
    snprintf(statements, sizeof statements,
             "CREATE TABLE people(%s) %s;"
             "INSERT INTO people(id, sex, age) VALUES (1,'F',30),(2,'M',40),(3,'F',50);"
             "UPDATE people SET %s WHERE id = %d",
             columns, clause, long_values, long_row);
    make(&f, statements);
    (void)sqlite3_memory_highwater(1);
    read_rows(&f, PEOPLE "\nmissing=sex=?", 1, &rows);
    if (!CHECK_STATUS(rows.status, SCRIM_OK))
        CHECK_STR(rows.error.message, "");
    CHECK(sqlite3_memory_highwater(0) < 6 << 20);
    table_rows_join(&rows, text, sizeof text);
    CHECK_STR(text, want);
    table_rows_clear(&rows);
    unlink(f.path);
}

SLOW_TEST(A73_a_huge_cell_never_enters_memory)
{
    CLAIM("sqlite-source.short");
    static const char *const long_values[] = {"sex = printf('%.16000000c', 'x')",
                                              "sex = zeroblob(16000000)"};
    static const struct {
        const char *columns, *clause;
    } tables[] = {
        {"id, sex, age", ""},
        {"id INTEGER PRIMARY KEY, sex, age", ""},
        {"id, sex, age, rowid, _rowid_", ""},
        {"id, sex, age, rowid, _rowid_, oid", ""},
        {"id PRIMARY KEY, sex, age", "WITHOUT ROWID"},
    };
    static const char *const want[] = {"1|?|30;2|M|40;3|F|50;", "1|F|30;2|?|40;3|F|50;",
                                       "1|F|30;2|M|40;3|?|50;"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        check_long_value(tables[i].columns, tables[i].clause, (int)(i % 3) + 1,
                         long_values[i % 2], want[i % 3]);
    /* A value that is not asked for is skipped, and a unit that is too long is nobody. */
    check_long_value("id, other, sex, age", "", 2, "other = zeroblob(16000000)",
                     "1|F|30;2|M|40;3|F|50;");
    check_long_value("id, sex, age", "", 2, "id = zeroblob(16000000)", "1|F|30;3|F|50;");
    check_long_value("id, sex, age", "", 3,
                     "rowid = 9223372036854775807, age = zeroblob(9000)",
                     "1|F|30;2|M|40;3|F|<null>;");
}

/* A file as it is on the disk. */
typedef struct picture {
    bool is_there;
    struct stat file;
    size_t count;
    unsigned char bytes[1 << 17];
} picture;

static void take_picture(const char *path, const char *tail, picture *out)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", path, tail);
    const int descriptor = open(name, O_RDONLY);
    out->is_there = descriptor >= 0;
    out->count = 0;
    if (!out->is_there)
        return;
    CHECK(fstat(descriptor, &out->file) == 0);
    const ssize_t count = read(descriptor, out->bytes, sizeof out->bytes);
    CHECK(count >= 0 && close(descriptor) == 0);
    out->count = (size_t)count;
}

static bool is_same(const picture *a, const picture *b)
{
    if (a->is_there != b->is_there || !a->is_there)
        return a->is_there == b->is_there;
    return a->file.st_ino == b->file.st_ino && a->count == b->count &&
           a->file.st_mtim.tv_sec == b->file.st_mtim.tv_sec &&
           a->file.st_mtim.tv_nsec == b->file.st_mtim.tv_nsec &&
           memcmp(a->bytes, b->bytes, a->count) == 0;
}

/* Reads it, which is refused, and holds every file against what it was. */
static void check_untouched(const file *f, const char *words)
{
    static const char *const tails[] = {"", "-wal", "-shm", "-journal"};
    static picture before[COUNT(tails)], after;
    table_rows rows;
    for (size_t i = 0; i < COUNT(tails); i++)
        take_picture(f->path, tails[i], &before[i]);
    read_rows(f, PEOPLE, 1, &rows);
    CHECK_STATUS(rows.status, SCRIM_E_INPUT);
    CHECK(strstr(rows.error.message, words) != NULL);
    table_rows_clear(&rows);
    for (size_t i = 0; i < COUNT(tails); i++) {
        take_picture(f->path, tails[i], &after);
        if (!is_same(&before[i], &after))
            CHECK_FAIL("the source's file '%s' is another", tails[i]);
    }
}

static void remove_all(const file *f)
{
    static const char *const tails[] = {"", "-wal", "-shm", "-journal"};
    char name[64];
    for (size_t i = 0; i < COUNT(tails); i++) {
        snprintf(name, sizeof name, "%s%s", f->path, tails[i]);
        (void)unlink(name);
    }
}

/* A process that runs these statements and is killed before it has closed the file. */
static void run_and_die(const file *f, const char *statements)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        sqlite3 *database = NULL;
        if (sqlite3_open(f->path, &database) == SQLITE_OK)
            (void)sqlite3_exec(database, statements, NULL, NULL, NULL);
        raise(SIGKILL);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

/* Attack A87: rows in a log are not read past it, and neither the log nor the file is touched. */
TEST(A87_source_is_left_as_it_was_found)
{
    CLAIM("sqlite-source.untouched");
    static const char table[] = "CREATE TABLE people(id, sex, age);"
                                "INSERT INTO people VALUES (1, 'F', 30);";
    char log[64], other[64];
    file f = {""};
    /* A log that holds rows. */
    make(&f, table);
    run_and_die(&f, "PRAGMA journal_mode = WAL; INSERT INTO people VALUES (2, 'M', 40)");
    check_untouched(&f, "set PRAGMA journal_mode=DELETE");
    /* The log of a file that says that it has no log. */
    snprintf(log, sizeof log, "%s-wal", f.path);
    snprintf(other, sizeof other, "%s-kept", f.path);
    CHECK(rename(log, other) == 0);
    remove_all(&f);
    make(&f, table);
    snprintf(log, sizeof log, "%s-wal", f.path);
    CHECK(rename(other, log) == 0);
    check_untouched(&f, "set PRAGMA journal_mode=DELETE");
    remove_all(&f);
    /* One that was closed, and has no log just now. */
    make(&f, "PRAGMA journal_mode = WAL; CREATE TABLE people(id, sex, age)");
    check_untouched(&f, "set PRAGMA journal_mode=DELETE");
    remove_all(&f);
    /* A journal that waits for its rollback: only who may write can put it back. */
    make(&f, table);
    run_and_die(
        &f,
        "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN; WITH RECURSIVE n(i) AS "
        "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO "
        "people SELECT i, 'F', 1 FROM n; UPDATE people SET age = 2");
    check_untouched(&f, "cannot be read as a SQLite database");
    remove_all(&f);
}
