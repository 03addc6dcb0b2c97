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

TEST(source_header_of_a_stream_is_not_looked_at)
{
    static const char *const policies[] = {"unit=id", "unit=id\ncsv=-"};
    for (size_t i = 0; i < COUNT(policies); i++) {
        const sc_schema *schema = NULL;
        char *names = NULL;
        REQUIRE_OK(sc_schema_parse(sc_text_of(policies[i]), NULL, &schema, NULL));
        CHECK_STATUS(sc_source_header_check(schema, NULL), SCRIM_OK);
        CHECK_STATUS(sc_source_header_names(schema, &names, NULL), SCRIM_E_PARAM);
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
    CHECK(sqlite3_exec(database, "CREATE TABLE people (id, age)", NULL, NULL, NULL) ==
          SQLITE_OK);
    CHECK(sqlite3_close(database) == SQLITE_OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const sc_schema *schema = NULL;
        scrim_error error = {.message = ""};
        snprintf(policy, sizeof policy, "sqlite=%s\n%s", path, cases[i].lines);
        REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error));
        if (sc_source_header_check(schema, &error) != cases[i].status)
            CHECK_FAIL("%s: %s", cases[i].lines, error.message);
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
