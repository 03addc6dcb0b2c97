#include "check.h"
#include "exact.h"
#include "query/answer/suggested.h"

#include <stdio.h>
#include <string.h>

#define POLICY                                                                           \
    "source=/nowhere.csv\nunit=id\nmax-groups=1\nmax-rows=1\nneighbours=add-remove\n"    \
    "column=x=int[-10,10]\ncolumn=kind=text\ncolumn=shop=text\n"

static void check_asked(const char *measurement, const char *want)
{
    char text[200];
    CHECK_INT(scrim_charge_asked(measurement, text, sizeof text), strlen(want));
    CHECK_STR(text, want);
}

TEST(charge_asked_is_the_question_without_its_cost)
{
    check_asked("laplace epsilon=0.1", "laplace epsilon=0.1");
    check_asked("query adult epsilon=1 : SELECT COUNT(*) AS a", "SELECT COUNT(*) AS a");
    check_asked("query adult epsilon=1 : SELECT 'a : b'", "SELECT 'a : b'");
    check_asked("laplace : x", "laplace : x");
    check_asked("synth method=mst epsilon=1 : \"age\" cut 17:5:15, \"a,b\"",
                "synthetic rows of age, a,b");
    char text[8];
    CHECK_INT(scrim_charge_asked("laplace epsilon=0.1", text, sizeof text), 19);
    CHECK_STR(text, "laplace");
}

/* A line of suggested.c is known again. */
TEST(charge_asked_names_a_suggestion)
{
    static const struct {
        const char *columns, *by, *want;
    } list[] = {{NULL, "kind", "suggest by kind"},
                {"x", NULL, "suggest x"},
                {NULL, NULL, "suggest"},
                {"x", "kind,shop", "suggest x by kind, shop"},
                {"x", "BUCKET(x, 5),CASE WHEN kind = 'a,)b' THEN 'x' ELSE 'y' END, shop",
                 "suggest x by BUCKET(x, 5), CASE WHEN kind = 'a,)b' THEN 'x' ELSE 'y' "
                 "END, shop"}};
    const sc_schema *schema = NULL;
    REQUIRE_OK(sc_schema_parse(sc_text_of(POLICY), NULL, &schema, NULL));
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_suggested s = {.schema = schema};
        sc_arena arena;
        char line[16000] = "query people epsilon=1";
        sc_arena_init(&arena);
        if (CHECK_STATUS(sc_suggested_read(&s, list[i].columns, list[i].by, &arena, NULL),
                         SCRIM_OK)) {
            for (size_t k = 0; k < s.count; k++) {
                const size_t used = strlen(line);
                snprintf(line + used, sizeof line - used, "%s%s", k == 0 ? " : " : " ; ",
                         s.queries[k]);
            }
            check_asked(line, list[i].want);
        }
        sc_arena_clear(&arena);
    }
    sc_schema_free(schema);
}
