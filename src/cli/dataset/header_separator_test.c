#include "check.h"
#include "cli/dataset/header_separator.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

TEST(header_separator_is_seen_in_the_header)
{
    static const struct {
        const char *bytes, *lines, *seen;
    } rows[] = {
        {"id;age\n", "", ";"},
        {"\"id\";\"age\"\n", "", ";"},
        {"id\tage;x\ty\n", "", "tab"},
        {"id|age\n", "", "|"},
        {"id;age\n", "column=age=bool\n", ";"},
        {"id,age\n", "", NULL},
        {"id;x,age\n", "", NULL},
        {"id\n1;2\n", "", NULL},
        {"id;age\n", "separator=,\n", NULL},
        {"id;age\n", "column=sex=bool\n", NULL},
        {"id;id\n", "", NULL},
        {"", "", NULL},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char path[] = "/tmp/scrim-separator-XXXXXX", policy[200];
        const int file = mkstemp(path);
        const size_t count = strlen(rows[i].bytes);
        REQUIRE(file >= 0);
        CHECK(write(file, rows[i].bytes, count) == (ssize_t)count);
        close(file);
        snprintf(policy, sizeof policy, "csv=%s\nunit=row\n%s", path, rows[i].lines);
        const char *seen = sc_header_separator(policy);
        CHECK_STR(seen == NULL ? "none" : seen,
                  rows[i].seen == NULL ? "none" : rows[i].seen);
        unlink(path);
    }
    CHECK(sc_header_separator("unit=row\n") == NULL);
    CHECK(sc_header_separator("csv=tests/missing\nunit=row\n") == NULL);
}
