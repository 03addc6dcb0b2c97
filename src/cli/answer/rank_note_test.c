#include "check.h"
#include "cli/answer/rank_note.h"

#include <string.h>

TEST(rank_note_finds_the_name)
{
    static const struct {
        const char *query, *name; /* NULL: no top list */
    } cases[] = {
        {"SELECT a, COUNT(*) AS n FROM t GROUP BY a ORDER BY n DESC LIMIT 3", "n"},
        {"SELECT a, COUNT(*) AS n FROM t GROUP BY a ORDER BY n, a LIMIT 3", "n"},
        {"SELECT COUNT(*) AS \"my n\" FROM t ORDER BY \"my n\" LIMIT 3", "my n"},
        {"SELECT COUNT(*) AS n FROM t WHERE a = ' ORDER BY b' ORDER BY n LIMIT 3", "n"},
        {"SELECT TOP 3 a, COUNT(*) AS n FROM t GROUP BY a ORDER BY n DESC", "n"},
        {"SELECT a, COUNT(*) AS n FROM t GROUP BY a ORDER BY 2 DESC LIMIT 3", "2"},
        {"SELECT a, COUNT(*) FROM t GROUP BY a ORDER BY COUNT(*) LIMIT 3", "COUNT(*)"},
        {"SELECT a, COUNT(*) AS n FROM t GROUP BY a ORDER BY n DESC", NULL},
        {"SELECT a, COUNT(*) AS n FROM t GROUP BY a", NULL},
        {"", NULL}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char name[SCRIM_COLUMN_BYTES] = "";
        CHECK(sc_rank_name(cases[i].query, name) == (cases[i].name != NULL));
        CHECK_STR(name, cases[i].name == NULL ? "" : cases[i].name);
    }
}
