#include "check.h"
#include "data/table/source_header.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
        {"id;age,sex\n", "unit=id", "the header of the source has no column 'id'", ""},
        /* The rows have semicolons, the header has none: nobody looks there. */
        {"number\n1;2\n3;4\n", "unit=id", "the header of the source has no column 'id'",
         ""},
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
    CHECK_STATUS(check_header("SQLite format 3", "unit=i", NULL, &error), SCRIM_E_INPUT);
    CHECK_STR(error.message, "the source is a SQLite database, not a CSV file");
    CHECK_STATUS(check_header("PK\003\004\n", "unit=i", NULL, &error), SCRIM_E_INPUT);
    CHECK_STR(error.message,
              "the source is a spreadsheet or a zip archive, not a CSV file");
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
