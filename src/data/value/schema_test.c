#include "check.h"
#include "data/value/schema.h"
#include "data/value/source_kind.h"
#include "faults.h"

#include <stdio.h>
#include <string.h>

static const char full[] = "# people and their incomes\n"
                           "unit=person_id\n"
                           "keys=sex=Male,Female\r\n"
                           "column=age=int[0,120]\n"
                           "column=income=decimal[0,100000]\n"
                           "column= day = date[2020-01-01,2020-12-31]\n"
                           "  column ok=bool\n"
                           "column=sex=text\n"
                           "column=word=text\n"
                           "keys=word=@words.txt\n"
                           "missing=age=0\n"
                           "\n"
                           "max-groups 3\n"
                           "max-rows=2\n"
                           "neighbours=add-remove\n"
                           "csv=people.csv\n"
                           "records=crlf\n"
                           "budget=epsilon=3,delta=1e-6\n"
                           "population=people";

static scrim_status two_words(void *context, sc_text path, sc_text *content,
                              scrim_error *error)
{
    (void)context;
    if (!sc_text_is(path, "words.txt"))
        return sc_fail(error, SCRIM_E_INPUT, "it cannot be read");
    *content = sc_text_of("to\nbe\n");
    return SCRIM_OK;
}

static const sc_schema_files files = {two_words, NULL};

TEST(schema_holds_what_the_policy_declares)
{
    CLAIM("schema.declared");
    const sc_schema *schema = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(sc_schema_parse(sc_text_of(full), &files, &schema, &error),
                      SCRIM_OK)) {
        CHECK_STR(error.message, "");
        return;
    }
    CHECK(sc_text_is(schema->unit, "person_id"));
    CHECK_INT(schema->column_count, 6);
    CHECK_INT(schema->bounds.groups, 3);
    CHECK_INT(schema->bounds.rows, 2);
    CHECK_INT(schema->neighbours, SCRIM_ADD_REMOVE);
    CHECK(schema->source == &sc_source_csv_kind);
    CHECK(sc_text_is(schema->path, "people.csv"));
    CHECK_INT(schema->csv.end, SC_RECORD_CRLF);
    const sc_column *age = sc_schema_column(schema, sc_text_of("age")),
                    *word = sc_schema_column(schema, sc_text_of("word")),
                    *day = sc_schema_column(schema, sc_text_of("day"));
    REQUIRE(age != NULL && word != NULL && day != NULL);
    CHECK(age->has_missing && !age->has_keys && !word->has_missing && word->has_keys);
    CHECK_INT(age->grid.high, 120);
    CHECK_INT(day->type, SC_COLUMN_DATE);
    CHECK_INT(word->key_count, 2);
    CHECK(sc_text_is(word->keys[0].text, "be"));
    CHECK(sc_schema_column(schema, sc_text_of("person_id")) == NULL);
    CHECK(sc_text_is(sc_schema_nearest(schema, sc_text_of("incmoe")), "income"));
    CHECK_INT(sc_schema_nearest(schema, sc_text_of("zebra")).bytes, 0);
    sc_schema_free(schema);
}

TEST(schema_has_few_defaults)
{
    CLAIM("schema.declared");
    const sc_schema *schema = NULL;
    REQUIRE_OK(sc_schema_parse(sc_text_of("unit=row"), NULL, &schema, NULL));
    CHECK_INT(schema->unit.bytes, 0);
    CHECK_INT(schema->bounds.groups, 1);
    CHECK_INT(schema->bounds.rows, 1);
    CHECK_INT(schema->neighbours, SCRIM_ADD_REMOVE);
    CHECK(schema->source == NULL);
    CHECK_INT(schema->csv.end, SC_RECORD_LF);
    CHECK_INT(schema->csv.separator, ',');
    CHECK_INT(schema->form.decimal, '.');
    CHECK_INT(schema->form.date.bytes, 0);
    CHECK_INT(schema->form.null_count, 0);
    sc_schema_free(schema);
    sc_schema_free(NULL);
}

TEST(schema_says_how_cells_are_written)
{
    CLAIM("schema.declared");
    static const struct {
        const char *name;
        char separator;
    } all[] = {{",", ','}, {";", ';'}, {"|", '|'}, {"tab", '\t'}, {"\\t", '\t'}};
    for (size_t i = 0; i < COUNT(all); i++) {
        const sc_schema *schema = NULL;
        char policy[200];
        snprintf(policy, sizeof policy,
                 "unit=row\ncsv=a\ncolumn=x=int[0,9]\nseparator=%s\ndecimal=,\n"
                 "date-format=DD.MM.YYYY\nnull=NA,-",
                 all[i].name);
        REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, NULL));
        CHECK_INT(schema->csv.separator, all[i].separator);
        CHECK_INT(schema->form.decimal, ',');
        CHECK_INT(schema->form.date.bytes, 10);
        CHECK_INT(schema->form.null_count, 2);
        CHECK(schema->columns[0].form == &schema->form);
        sc_schema_free(schema);
    }
}

/* Each message names the line and says what is legal; the line's key is the parameter. */
TEST(schema_refuses_and_says_why)
{
    CLAIM("schema.declared");
    static const struct {
        const char *policy;
        scrim_status status;
        scrim_reason reason;
        const char *parameter, *message;
    } rows[] = {
        {"", SCRIM_E_PARAM, SCRIM_REASON_MISSING, "unit", "unit: missing privacy unit"},
        {"unit=", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "unit",
         "unit: the unit must be the name of a column, or row"},
        {"unit=a\nunit=a", SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "unit",
         "unit a: duplicate; give it once"},
        {"unit=a\nUnit=b", SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "policy",
         "Unit=b: a line of a policy must be key=value"},
        {"unit=a\ncolumn=b", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
         "column b: write a column as NAME=TYPE, as in age=int[0,120]"},
        {"unit=a\ncolumn=b=int", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
         "column b=int: did you mean int[lo,hi]?"},
        {"unit=a\ncolumn=b=integer", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
         "column b=integer: did you mean int[lo,hi]?"},
        {"unit=a\ncolumn=b=boolean", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
         "column b=boolean: did you mean bool?"},
        {"unit=a\ncolumn=b=blob", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "column",
         "column b=blob: a type is int[lo,hi], decimal[lo,hi], decimal[lo,hi]/STEP, "
         "date[from,to], timestamp[from,to], timestamp[from,to]/SECONDS, bool or text"},
        {"unit=a\ncolumn=b=int[5,5]", SCRIM_E_PARAM, SCRIM_REASON_RANGE, "column",
         "column b=int[5,5]: lower must be below upper"},
        {"unit=a\ncolumn=b=int[0,5]\nmax-total=b=9\nmax-total=b=8", SCRIM_E_PARAM,
         SCRIM_REASON_REPEATED, "max-total", "max-total b=8: duplicate; give it once"},
        {"unit=a\ncolumn=b=int[0,5]\nmax-total=c=9", SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN,
         "max-total", "max-total c=9: no column 'c' is declared"},
        {"unit=a\ncolumn=b=int[0,5]\nmax-total=b=0", SCRIM_E_PARAM, SCRIM_REASON_RANGE,
         "max-total",
         "max-total b=0: the bounds of a total must contain 0 and overlap the possible "
         "totals"},
        {"unit=a\nbounds-from=guess", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "bounds-from",
         "bounds-from guess: use declared, check or suggest"},
        {"unit=a\nbounds-from=check\nbounds-from=check", SCRIM_E_PARAM,
         SCRIM_REASON_REPEATED, "bounds-from",
         "bounds-from check: duplicate; give it once"},
        {"unit=row\ncolumn=b=int[0,5]\nmax-total=b=9", SCRIM_E_PARAM,
         SCRIM_REASON_CONFLICT, "max-total",
         "max-total: it needs a column as unit; where each row is a unit, declare a "
         "narrower range"},
        {"unit=a\ncolumn=b=text\ncolumn=a=text", SCRIM_E_PARAM, SCRIM_REASON_CONFLICT,
         "column", "column a is the privacy unit; leave it out"},
        {"unit=a\ncolumn=b=text\ncolumn=b=bool", SCRIM_E_PARAM, SCRIM_REASON_REPEATED,
         "column", "column b=bool: the column is declared twice"},
        {"unit=a\ncolumn=age=text\nkeys=aeg=1", SCRIM_E_PARAM, SCRIM_REASON_MISSPELT,
         "keys", "keys aeg=1: no column 'aeg' is declared; did you mean 'age'?"},
        {"unit=a\nmissing=b=1", SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "missing",
         "missing b=1: no column 'b' is declared"},
        {"unit=a\nmissing=b", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "missing",
         "missing b: write COLUMN=VALUE after the key"},
        {"unit=a\ncolumn=b=bool\nmissing=b=2", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX,
         "missing", "missing b=2: '2' is not true, t, yes, y, 1, false, f, no, n or 0"},
        {"unit=a\ncolumn=b=text\nkeys=b=@other", SCRIM_E_INPUT, SCRIM_REASON_NONE, "keys",
         "keys b=@other: it cannot be read"},
        {"unit=a\nmax-rows=0", SCRIM_E_PARAM, SCRIM_REASON_RANGE, "max-rows",
         "max-rows 0: it must be a whole number from 1 to 1000000000"},
        {"unit=a\nmax-groups=1000000001", SCRIM_E_PARAM, SCRIM_REASON_RANGE, "max-groups",
         "max-groups 1000000001: it must be a whole number from 1 to 1000000000"},
        {"unit=a\nneighbours=local", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "neighbours",
         "neighbours local: neighbours must be add-remove or replace"},
        {"unit=a\ncsv=a\nsqlite=b", SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "sqlite",
         "sqlite b: a dataset has one source; give one of them"},
        {"unit=a\nsqlite=b", SCRIM_E_PARAM, SCRIM_REASON_MISSING, "table",
         "table: give the table of the database"},
        {"unit=a\nsqlite=-\ntable=t", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "sqlite",
         "sqlite -: a database cannot come from standard input; name its file"},
        {"unit=a\ncsv=b\ntable=t", SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "table",
         "table: it goes with sqlite only"},
        {"unit=a\nrecords=lf", SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "records",
         "records: it goes with csv only"},
        {"unit=a\nsqlite=b\ntable=t\nseparator=;", SCRIM_E_PARAM, SCRIM_REASON_CONFLICT,
         "separator", "separator: it goes with csv only"},
        {"unit=a\ncsv=b\nseparator=:", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "separator",
         "separator :: the separator must be , ; | or tab"},
        {"unit=a\ncsv=b\nseparator=", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "separator",
         "separator: the separator must be , ; | or tab"},
        {"unit=a\ncsv=b\nseparator=;\nseparator=;", SCRIM_E_PARAM, SCRIM_REASON_REPEATED,
         "separator", "separator ;: duplicate; give it once"},
        {"unit=a\ndecimal=.\ndecimal=,", SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "decimal",
         "decimal ,: duplicate; give it once"},
        {"unit=a\ndate-format=DD.MM.YYYY\ndate-format=YYYYMMDD", SCRIM_E_PARAM,
         SCRIM_REASON_REPEATED, "date-format",
         "date-format YYYYMMDD: duplicate; give it once"},
        {"unit=a\nnull=NA\nnull=-", SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "null",
         "null -: duplicate; give it once"},
        {"unit=a\ndecimal=;", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "decimal",
         "decimal ;: the decimal mark must be . or ,"},
        {"unit=a\ncsv=b\nrecords=cr", SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "records",
         "records cr: records must be lf or crlf"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const sc_schema *schema = NULL;
        scrim_error error = {.message = ""};
        CHECK_STATUS(sc_schema_parse(sc_text_of(rows[i].policy), &files, &schema, &error),
                     rows[i].status);
        CHECK_STR(error.message, rows[i].message);
        CHECK_STR(scrim_reason_name(error.reason), scrim_reason_name(rows[i].reason));
        CHECK_STR(error.parameter, rows[i].parameter);
        CHECK(schema == NULL);
    }
    const sc_schema *schema = NULL;
    CHECK_STATUS(sc_schema_parse(sc_text_of(full), NULL, &schema, NULL), SCRIM_E_PARAM);
}

TEST(schema_knows_its_keys)
{
    CHECK(sc_schema_is_key(sc_text_of("unit")));
    CHECK(sc_schema_is_key(sc_text_of("records")));
    CHECK(sc_schema_is_key(sc_text_of("date-format")));
    CHECK(!sc_schema_is_key(sc_text_of("budget")));
    CHECK(!sc_schema_is_key(sc_text_of("")));
}

TEST(schema_survives_without_memory)
{
    FAULT_LOOP(fault)
    {
        const sc_schema *schema = NULL;
        const scrim_status status =
            sc_schema_parse(sc_text_of(full), &files, &schema, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_schema_free(schema);
    }
}

/* Bounds of a unit are declared, or it is a row; an earlier policy that lacks them is read. */
TEST(schema_says_whether_bounds_are_declared)
{
    static const struct {
        const char *policy;
        bool is_bounded;
        uint64_t max_groups, max_rows;
    } cases[] = {{"unit=row\n", true, 1, 1},
                 {"unit=id\n", false, 1, 1},
                 {"unit=id\nmax-groups=3\n", false, 3, 1},
                 {"unit=id\nmax-rows=5\n", false, 1, 5},
                 {"unit=id\nmax-rows=5\nmax-groups=3\n", true, 3, 5},
                 {"unit=id\nrows-per-unit=1\n", true, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const sc_schema *schema = NULL;
        scrim_error error = {.message = ""};
        REQUIRE_OK(sc_schema_parse(sc_text_of(cases[i].policy), NULL, &schema, &error));
        CHECK_INT(schema->bounds.groups, cases[i].max_groups);
        CHECK_INT(schema->bounds.rows, cases[i].max_rows);
        CHECK((sc_schema_bounded(schema, &error) == SCRIM_OK) == cases[i].is_bounded);
        CHECK_STR(error.parameter, cases[i].is_bounded ? "" : "max-total-rows");
        sc_schema_free(schema);
    }
}

TEST(A106_schema_has_a_size)
{
    CLAIM("schema.declared");
    static const struct {
        const char *line;
        uint64_t bytes; /* 0: refused */
    } sizes[] = {{"", (uint64_t)1 << 26},
                 {"max-size=65536", 65536},
                 {"max-size=64KiB", 65536},
                 {"max-size=100MiB", (uint64_t)100 << 20},
                 {"max-size=3GiB", (uint64_t)3 << 30},
                 {"max-size=16TiB", (uint64_t)1 << 44},
                 {"max-size=65535", 0},
                 {"max-size=17TiB", 0},
                 {"max-size=18446744073709551615TiB", 0},
                 {"max-size=64MB", 0},
                 {"max-size=64 MiB", 0},
                 {"max-size=MiB", 0},
                 {"max-size=1.5GiB", 0},
                 {"max-size=1GiB\nmax-size=1GiB", 0}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const sc_schema *schema = NULL;
        char policy[80];
        snprintf(policy, sizeof policy, "unit=row\n%s\n", sizes[i].line);
        const scrim_status status =
            sc_schema_parse(sc_text_of(policy), NULL, &schema, NULL);
        CHECK_STATUS(status, sizes[i].bytes == 0 ? SCRIM_E_PARAM : SCRIM_OK);
        if (status == SCRIM_OK)
            CHECK(schema->max_bytes == sizes[i].bytes && schema->has_size == (i > 0));
        sc_schema_free(schema);
    }
}
