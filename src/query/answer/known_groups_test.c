#include "check.h"
#include "faults.h"
#include "query/answer/known_groups.h"

#include <stdio.h>
#include <string.h>

/* "a b*3 c*": the keys with their rows; a star marks known ones. */
static void check_merged(const char *groups, const char *known, const char *want)
{
    sc_group list[8] = {{.rows = 0}};
    sc_text keys[8], rest = sc_text_of(groups);
    size_t count = 0, known_count = 0;
    char shown[100] = "";
    sc_known_groups out;
    while (sc_text_word(&rest, &list[count].key))
        list[count].rows = list[count].units = count + 1, count++;
    rest = sc_text_of(known);
    while (sc_text_word(&rest, &keys[known_count]))
        known_count++;
    const sc_groups all = {list, count};
    REQUIRE_OK(sc_known_groups_init(&out, &all, keys, known_count, NULL));
    for (size_t i = 0; i < out.all.count; i++) {
        const sc_group *g = &out.all.groups[i];
        snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%.*s%llu%s ",
                 (int)g->key.bytes, g->key.start, (unsigned long long)g->rows,
                 out.is_known[i] ? "*" : "");
    }
    CHECK_STR(shown, want);
    sc_known_groups_clear(&out);
}

TEST(known_groups_are_all_there)
{
    CLAIM("known-groups.all");
    check_merged("a c", "b d", "a1 b0* c2 d0* ");
    check_merged("a b c", "b", "a1 b2* c3 ");
    check_merged("", "x y", "x0* y0* ");
    check_merged("x y", "", "x1 y2 ");
    check_merged("b", "a b c", "a0* b1* c0* ");
    check_merged("ab", "a abc", "a0* ab1 abc0* ");
    check_merged("", "", "");
}

TEST(known_groups_survive_without_memory)
{
    const sc_text keys[] = {sc_text_of("a")};
    const sc_groups none = {NULL, 0};
    FAULT_LOOP(fault)
    {
        sc_known_groups out;
        const scrim_status status = sc_known_groups_init(&out, &none, keys, 1, NULL);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
        sc_known_groups_clear(&out);
    }
}
