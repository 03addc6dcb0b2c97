#include "check.h"
#include "data/table/source_seal.h"
#include "data/table/survey.h"
#include "faults.h"
#include "random/bits_tape.h"
#include "table_rows.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A file to look at. */
typedef struct file {
    char path[40];
} file;

static void make(file *f, const char *bytes, size_t count)
{
    snprintf(f->path, sizeof f->path, "/tmp/survey.XXXXXX");
    const int descriptor = mkstemp(f->path);
    CHECK(descriptor >= 0);
    for (size_t done = 0; done < count;) {
        const ssize_t wrote = write(descriptor, bytes + done, count - done);
        if (!CHECK(wrote > 0))
            break;
        done += (size_t)wrote;
    }
    close(descriptor);
}

static scrim_status inspect(const char *policy, unsigned workers, scrim_inspection *out,
                            scrim_error *error)
{
    sc_survey_request request = {.workers = workers};
    scrim_status status =
        sc_schema_parse(sc_text_of(policy), NULL, &request.schema, error);
    if (status == SCRIM_OK)
        status = sc_survey(&request, out, error);
    sc_schema_free(request.schema);
    return status;
}

/* Lines as "column:finding=count" with '!' where something is not right, its rows behind '@' and '+'
 * where another form reads more. */
static void write_lines(const scrim_inspection *inspection, char *text, size_t capacity)
{
    sc_text_sink sink;
    bool is_right = true;
    sc_text_sink_init(&sink, text, capacity);
    for (size_t i = 0; i < inspection->count; i++) {
        const scrim_inspected *line = &inspection->lines[i];
        char part[300];
        snprintf(part, sizeof part, "%s:%s=%llu%s", line->column,
                 scrim_finding_name(line->finding), (unsigned long long)line->count,
                 line->is_right ? "" : "!");
        sc_text_put(&sink, sc_text_of(part));
        for (size_t r = 0; r < line->row_count; r++) {
            snprintf(part, sizeof part, "%s%llu", r == 0 ? "@" : ",",
                     (unsigned long long)line->rows[r]);
            sc_text_put(&sink, sc_text_of(part));
        }
        sc_text_put(&sink, sc_text_of(line->reads_more ? "+" : ""));
        sc_text_put(&sink, sc_text_of(line->date_formats));
        sc_text_put(&sink, sc_text_of("\n"));
        is_right = is_right && line->is_right;
        CHECK(line->is_right || line->effect[0] != '\0');
    }
    CHECK_INT(inspection->is_right, is_right);
}

static void check_lines(const char *policy, const char *want)
{
    scrim_inspection inspection = {.lines = NULL};
    scrim_error error = {.message = ""};
    char text[4000];
    for (unsigned workers = 1; workers <= 3; workers += 2) {
        if (!CHECK_STATUS(inspect(policy, workers, &inspection, &error), SCRIM_OK)) {
            CHECK_STR(error.message, "");
            return;
        }
        write_lines(&inspection, text, sizeof text);
        CHECK_STR(text, want);
        scrim_inspection_clear(&inspection);
    }
}

static void check_csv(const char *policy, const char *bytes, const char *want)
{
    file f;
    char whole[1000];
    make(&f, bytes, strlen(bytes));
    snprintf(whole, sizeof whole, "%s\ncsv=%s", policy, f.path);
    check_lines(whole, want);
    unlink(f.path);
}

#define PEOPLE                                                                           \
    "unit=id\ncolumn=sex=text\ncolumn=age=int[0,120]\nkeys=sex=F,M\nmissing=age=7"

TEST(survey_of_what_is_as_declared)
{
    CLAIM("survey.exact");
    check_csv(PEOPLE, "id,sex,age\n1,F,30\n2,M,40\n3,F,\n",
              ":rows=3\n:rows-counted=3\n:units=3\n:most-rows=1\n"
              "sex:readable=3\nage:readable=2\nage:missing=1@4\n");
    check_csv("unit=row\ncolumn=x=decimal[0,9]", "x\n1.5\n\n2.125\n",
              ":rows=2\n:rows-counted=2\nx:readable=2\nx:rounded=1@4\n");
    check_csv("unit=id", "id\n",
              ":rows=0\n:rows-counted=0\n:units=0\n"
              ":most-rows=0\n");
}

/* A form is declared for all columns, so what it reads is counted in all of them. */
TEST(survey_tells_whether_another_form_reads_more)
{
    CLAIM("survey.exact");
    static const char dates[] = "unit=row\ncolumn=a=date[2024-01-01,2024-12-31]\n"
                                "column=b=date[2024-01-01,2024-12-31]";
    static const char numbers[] = "unit=row\ncolumn=a=decimal[0,9]\ncolumn=b=int[0,9]";
    check_csv(dates, "a,b\n31.1.2024,\n31.1.2024,2024-01-01\n",
              ":rows=2\n:rows-counted=2\na:readable=0\n"
              "a:other-date=2!@2,3+D.M.YYYY\nb:readable=1\nb:missing=1@2\n");
    check_csv(dates, "a,b\n31.1.2024,2024-01-01\n31.1.2024,2024-01-01\n",
              ":rows=2\n:rows-counted=2\na:readable=0\n"
              "a:other-date=2!@2,3D.M.YYYY\nb:readable=2\n");
    /* M and D read 01 as well. */
    check_csv(dates, "a,b\n2024-1-31,2024-01-01\n2024-01-31,2024-01-01\n",
              ":rows=2\n:rows-counted=2\na:readable=1\n"
              "a:other-date=1!@2+YYYY-M-D\nb:readable=2\n");
    check_csv(numbers, "a,b\n\"1,5\",1\n\"2,5\",2\n3.5,3\n",
              ":rows=3\n:rows-counted=3\na:readable=1\na:decimal-comma=2!@2,3+\n"
              "b:readable=3\n");
    check_csv(numbers, "a,b\n\"1,5\",1.0\n\"2,5\",2.0\n3,3\n",
              ":rows=3\n:rows-counted=3\na:readable=1\na:decimal-comma=2!@2,3\n"
              "b:readable=3\n");
}

/* Every finding once, or so. The header is row 1, and a blank line is counted. */
TEST(survey_finds_everything)
{
    CLAIM("survey.exact");
    CLAIM("survey.rows");
    check_csv(PEOPLE,
              "id,sex,age\n"
              "1,F,30\n"        /* 2 */
              "1,M,-1\n"        /* 3 */
              "\n"              /* 4 */
              "2,M,121\n"       /* 5 */
              "3,female,30.5\n" /* 6 */
              ",F,30\n"         /* 7 */
              "4,F\n"           /* 8 */
              "5,F,30,1\n"      /* 9 */
              "6,\"F,30\n"      /* 10 */
              "7,\xff,30\n"     /* 11 */
              "8,,old\n"        /* 12 */
              "9,F,\n"          /* 13 */
              "10,\"F\",\"1\"\n",
              ":rows=12\n:rows-counted=8\n:wrong-fields=2!@8,9\n:broken-row=1!@10\n"
              ":no-unit=1!@7\n:units=7\n:most-rows=2\n"
              ":over-max-rows=1\n"
              "sex:readable=7\nsex:missing=1@12\nsex:not-utf8=1!@11\n"
              "sex:other-key=1!@6\n"
              "age:readable=7\nage:missing=1@13\nage:unreadable=1!@12\n"
              "age:below-range=1!@3\nage:above-range=1!@5\nage:rounded=1@6\n");
    check_csv(PEOPLE "\nmax-rows=2", "id,sex,age\n1,F,30\n1,M,1\n",
              ":rows=2\n:rows-counted=2\n:units=1\n:most-rows=2\n"
              "sex:readable=2\nage:readable=2\n");
}

TEST(survey_of_values_and_units_that_are_too_long)
{
    CLAIM("survey.exact");
    static char bytes[2 * SC_COLUMN_VALUE_BYTES + 100];
    snprintf(bytes, sizeof bytes, "id,sex,age\n1,%0*d,30\n%0*d,F,30\n",
             SC_COLUMN_VALUE_BYTES + 1, 0, SC_COLUMN_VALUE_BYTES + 1, 0);
    check_csv(PEOPLE, bytes,
              ":rows=2\n:rows-counted=1\n:unit-too-long=1!@3\n:units=1\n"
              ":most-rows=1\nsex:readable=1\nsex:too-long=1!@2\n"
              "age:readable=2\n");
}

/* Where each row is a unit, one that cannot be read keeps its place. */
TEST(survey_of_rows_that_are_units)
{
    CLAIM("survey.exact");
    check_csv("unit=row\ncolumn=sex=text\ncolumn=age=int[0,120]\nmissing=age=7\n"
              "missing=sex=?\nneighbours=replace",
              "sex,age\nF,30\nF\n\"M,30\nM,x\n",
              ":rows=4\n:rows-counted=4\n:wrong-fields=1!@3\n:broken-row=1!@4\n"
              "sex:readable=2\nage:readable=1\nage:unreadable=1!@5\n");
}

TEST(survey_counts_records_where_lines_are_not)
{
    CLAIM("survey.rows");
    check_csv("unit=row\ncolumn=x=text\ncolumn=y=bool\nrecords=crlf",
              "x,y\r\n\"a\nb\",1\r\nc\nd,2\r\n\"e\"\"\nf\",3\r\n",
              ":rows=3\n:rows-counted=3\nx:readable=3\ny:readable=1\n"
              "y:unreadable=2!@3,4\n");
}

TEST(survey_unquotes)
{
    CLAIM("raw_record.same");
    check_csv("unit=id\ncolumn=x=text\nkeys=x=\"a\"\"b\",c",
              "id,x\n\"\"\"\",\"a\"\"b\"\n\"\"\"\"\"\",\"c\"\n\"c\",c\r\nc,\"\"\"\"\n",
              ":rows=4\n:rows-counted=4\n:units=3\n:most-rows=2\n"
              ":over-max-rows=1\nx:readable=4\nx:other-key=1!@5\n");
}

/* Many pieces: the rows that are named are the first five, whoever has read them. */
SLOW_TEST(survey_names_the_first_rows_of_a_large_file)
{
    CLAIM("survey.rows");
    CLAIM("survey.workers");
    const size_t count = 120000;
    char *bytes = malloc(count * 16 + 40);
    REQUIRE(bytes != NULL);
    size_t used = (size_t)sprintf(bytes, "id,age\n");
    for (size_t row = 2; row < count + 2; row++) {
        const bool is_odd = row == 2 || row % 17000 == 0;
        used += (size_t)sprintf(bytes + used, "%zu,%s\n", row, is_odd ? "old" : "30");
        if (row == 50000)
            bytes[used++] = '\n';
    }
    file f;
    char policy[200];
    make(&f, bytes, used);
    free(bytes);
    snprintf(policy, sizeof policy, "unit=id\ncolumn=age=int[0,120]\ncsv=%s", f.path);
    check_lines(policy, ":rows=120000\n:rows-counted=120000\n:units=120000\n"
                        ":most-rows=1\nage:readable=119992\n"
                        "age:unreadable=8!@2,17000,34000,51001,68001\n");
    unlink(f.path);
}

/* Random records, as in csv_test.c: what counts is what the engine is given. */
TEST(survey_counts_the_rows_that_the_engine_is_given)
{
    CLAIM("survey.exact");
    CLAIM("survey.workers");
    CLAIM("raw_record.same");
    static const char letters[] = "0123456789,,,\"\"\"abcM\r .-\0\xff\xc3\n\n\n\n";
    static const char *const policies[] = {
        PEOPLE, PEOPLE "\nmissing=sex=?",
        "unit=row\ncolumn=sex=text\ncolumn=age=int[0,120]\nmissing=age=7\nmissing=sex=?",
        PEOPLE "\nrecords=crlf"};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t runs = check_count(100, 20000);
    for (uint64_t run = 0; run < runs; run++) {
        char bytes[2000], policy[300];
        size_t used =
            (size_t)sprintf(bytes, "id,sex,age%s", run % 4 == 3 ? "\r\n" : "\n");
        uint64_t w = 0;
        while (used < 1900) {
            CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
            if (w % 16 == 0)
                used += (size_t)sprintf(bytes + used, "%s1,M,30%s",
                                        run % 4 == 3 ? "\r\n" : "\n",
                                        run % 4 == 3 ? "\r\n" : "\n");
            else
                bytes[used++] = letters[(w >> 8) % (sizeof letters - 1)];
        }
        file f;
        table_rows rows;
        scrim_inspection inspection = {.lines = NULL};
        scrim_error error = {.message = ""};
        make(&f, bytes, used);
        snprintf(policy, sizeof policy, "%s\ncsv=%s", policies[run % 4], f.path);
        table_rows_read(&rows, policy, 1);
        if (CHECK_STATUS(rows.status, SCRIM_OK) &&
            CHECK_STATUS(inspect(policy, 2, &inspection, &error), SCRIM_OK))
            CHECK_INT(inspection.lines[1].count, rows.count);
        table_rows_clear(&rows);
        scrim_inspection_clear(&inspection);
        unlink(f.path);
    }
    sc_tape_free(tape);
}

/* The same table in a database. */
TEST(survey_of_a_database)
{
    CLAIM("survey.exact");
    CLAIM("raw_record.same");
    file f;
    sqlite3 *database = NULL;
    char policy[400];
    table_rows rows;
    make(&f, "", 0);
    CHECK_INT(sqlite3_open(f.path, &database), SQLITE_OK);
    CHECK_INT(sqlite3_exec(database,
                           "CREATE TABLE people (id, sex, age);"
                           "INSERT INTO people VALUES (1, 'F', 30), ('1', 'M', -1),"
                           "(2, 'M', 120.5), (3, 'female', 30.25), (NULL, 'F', 30),"
                           "(x'', 'F', 30), (x'ff', 'F', 'x'), (5, x'46', NULL),"
                           "(6, 'F', 1e300), (7, 'F', x'31'), (8, NULL, '  ')",
                           NULL, NULL, NULL),
              SQLITE_OK);
    sqlite3_close(database);
    snprintf(policy, sizeof policy, PEOPLE "\nsqlite=%s\ntable=people", f.path);
    check_lines(policy,
                ":rows=11\n:rows-counted=9\n:no-unit=2!@5,6\n:units=8\n"
                ":most-rows=2\n:over-max-rows=1\n"
                "sex:readable=9\nsex:missing=1@11\nsex:unreadable=1!@8\n"
                "sex:other-key=1!@4\n"
                "age:readable=7\nage:missing=2@8,11\nage:unreadable=2!@7,10\n"
                "age:below-range=1!@2\nage:above-range=2!@3,9\nage:rounded=1@4\n");
    table_rows_read(&rows, policy, 1);
    CHECK_INT(rows.count, 9);
    table_rows_clear(&rows);
    unlink(f.path);
}

TEST(survey_tells_another_file_than_that_of_the_version)
{
    file f;
    char policy[200];
    scrim_inspection inspection = {.lines = NULL};
    scrim_error error;
    static const sc_source_key key = {{{1, 2}, {3, 4}}};
    static const uint64_t salt[2] = {5, 6};
    sc_source_stamp stamp;
    sc_source_content content;
    sc_source_seal seal;
    make(&f, "x\n1\n", 4);
    snprintf(policy, sizeof policy, "unit=row\ncsv=%s", f.path);
    sc_survey_request request = {.declared = &seal, .declared_key = &key};
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &request.schema, &error));
    REQUIRE_OK(
        sc_declared_content_read(request.schema, &key, NULL, &stamp, &content, &error));
    for (unsigned run = 0; run < 3; run++) {
        sc_source_seal_make(&key, salt, &stamp, &content, &seal);
        CHECK_STATUS(sc_survey(&request, &inspection, &error), SCRIM_OK);
        CHECK_INT(inspection.is_right, run == 0);
        CHECK_INT(inspection.lines[0].finding,
                  run == 0 ? SCRIM_FINDING_ROWS : SCRIM_FINDING_CHANGED);
        scrim_inspection_clear(&inspection);
        stamp.modified_ns -= run == 0;
        stamp.modified_ns += run == 1;
        content.words[0] += run == 1;
    }
    sc_schema_free(request.schema);
    unlink(f.path);
}

TEST(survey_refuses_what_cannot_be_used)
{
    file f;
    char policy[200];
    scrim_inspection inspection = {.lines = NULL};
    scrim_error error;
    make(&f, "x\n1\n", 4);
    snprintf(policy, sizeof policy, "unit=id\ncsv=%s", f.path);
    CHECK_STATUS(inspect(policy, 1, &inspection, &error), SCRIM_E_INPUT);
    CHECK_STR(error.message, "the header of the source has no column 'id'; correct the "
                             "policy or the file");
    snprintf(policy, sizeof policy, "unit=row\nsqlite=%s\ntable=t", f.path);
    CHECK_STATUS(inspect(policy, 1, &inspection, &error), SCRIM_E_INPUT);
    CHECK_STATUS(inspect("unit=row\ncsv=tests/missing", 1, &inspection, &error),
                 SCRIM_E_INPUT);
    CHECK_STATUS(inspect("unit=row", 1, &inspection, &error), SCRIM_E_PARAM);
    CHECK_STATUS(inspect("unit=row", 1000, &inspection, &error), SCRIM_E_PARAM);
    CHECK(inspection.lines == NULL);
    unlink(f.path);
}

TEST(survey_lives_through_want_of_memory)
{
    file f;
    char policy[300];
    make(&f, "id,sex,age\n1,F,30\n2,\"M\"\"\",200\n", 31);
    snprintf(policy, sizeof policy, PEOPLE "\nkeys=age=30\ncsv=%s", f.path);
    FAULT_LOOP(fault)
    {
        scrim_inspection inspection = {.lines = NULL};
        scrim_error error;
        const scrim_status status = inspect(policy, 1, &inspection, &error);
        CHECK(status == SCRIM_OK || (fault_hit() && inspection.lines == NULL));
        scrim_inspection_clear(&inspection);
    }
    unlink(f.path);
}
