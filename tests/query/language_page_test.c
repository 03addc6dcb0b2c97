/* The page of the language, docs/man/scrim-query.5: its examples are allowed, what it says is
 * refused is refused, and it names every function that there is. */
#include "check.h"
#include "queries.h"
#include "query/language/aggregate.h"

#include <stdio.h>
#include <string.h>

static const char page[] = "docs/man/scrim-query.5";

/* A line of the page as it is read: its escapes for quotes become quotes. */
static bool next_line(FILE *file, char *line, size_t capacity)
{
    size_t kept = 0;
    if (fgets(line, (int)capacity, file) == NULL)
        return false;
    line[strcspn(line, "\n")] = '\0';
    for (const char *c = line; *c != '\0'; c++) {
        if (strncmp(c, "\\(aq", 4) == 0 || strncmp(c, "\\(dq", 4) == 0) {
            line[kept++] = c[2] == 'a' ? '\'' : '"';
            c += 3;
        } else {
            line[kept++] = *c;
        }
    }
    line[kept] = '\0';
    return true;
}

/* Asks what stands behind mark on each line that begins with it; returns how many there were. */
static size_t ask_all(const char *mark, bool allowed)
{
    char line[1024];
    size_t count = 0;
    FILE *file = fopen(page, "r");
    if (file == NULL) {
        CHECK_FAIL("there is no %s", page);
        return 0;
    }
    while (next_line(file, line, sizeof line)) {
        query_asked asked;
        if (strncmp(line, mark, strlen(mark)) != 0)
            continue;
        query_ask(&asked, line + strcspn(line, "S"));
        /* A function that scrim does not know is a mistake in the text. */
        const bool is_unknown = asked.error.reason == SCRIM_REASON_UNKNOWN;
        if (allowed ? !CHECK_STATUS(asked.status, SCRIM_OK)
                    : !CHECK_STATUS(asked.status,
                                    is_unknown ? SCRIM_E_PARAM : SCRIM_E_POLICY))
            CHECK_STR(asked.error.message, line);
        query_forget_asked(&asked);
        count++;
    }
    fclose(file);
    return count;
}

TEST(language_page_examples_are_allowed)
{
    CHECK(ask_all(".Dl SELECT", true) >= 12);
}

TEST(language_page_refusals_are_refused)
{
    CHECK(ask_all(".It Ql SELECT", false) >= 15);
}

TEST(language_page_names_every_function)
{
    static char text[65536];
    sc_function function;
    FILE *file = fopen(page, "r");
    REQUIRE(file != NULL);
    const size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    for (size_t i = 0; sc_function_at(i, &function); i++)
        if (!CHECK(strstr(text, function.form->name) != NULL))
            CHECK_STR(function.form->name, page);
}
