#include "check.h"
#include "data/source_header.h"

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

TEST(source_header_of_other_sources_is_not_looked_at)
{
    static const char *const policies[] = {"unit=id", "unit=id\ncsv=-",
                                           "unit=id\nsqlite=/nonexistent\ntable=t"};
    for (size_t i = 0; i < COUNT(policies); i++) {
        const sc_schema *schema = NULL;
        char *names = NULL;
        REQUIRE_OK(sc_schema_parse(sc_text_of(policies[i]), NULL, &schema, NULL));
        CHECK_STATUS(sc_source_header_check(schema, NULL), SCRIM_OK);
        CHECK_STATUS(sc_source_header_names(schema, &names, NULL), SCRIM_E_PARAM);
        sc_schema_free(schema);
    }
}

TEST(source_header_names_are_lines)
{
    scrim_error error = {.message = ""};
    char *names = NULL;
    REQUIRE_OK(check_header("\"a,b\", c ,\"d=e\",f\x01,caf\xc3\xa9\n1,2,3,4,5\n",
                            "unit=row", &names, &error));
    CHECK_STR(names, "a,b\nc\ncaf\xc3\xa9\n");
    sc_release(names);
}
