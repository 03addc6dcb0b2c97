#include "set_question.h"

#include "base/text.h"
#include "row_oracle.h"

#include <stdio.h>

#define PICK(list) list[row_random(seed, sizeof list / sizeof *list)]

static bool chance(uint64_t *seed, unsigned percent)
{
    return row_random(seed, 100) < percent;
}

void set_question(char *text, size_t bytes, bool has_people, uint64_t *seed)
{
    static const char *const sets[] = {"ROLLUP(1, 2)", "CUBE(sex, ok)", "sex, ROLLUP(ok)",
                                       "GROUPING SETS ((1), (2), ())",
                                       "GROUPING SETS (ROLLUP(ok), (sex, ok))"};
    static const char *const added[] = {"COUNT(*)",
                                        "COUNT(age)",
                                        "SUM(odd)",
                                        "AVG(odd)",
                                        "VAR(odd)",
                                        "COUNT(*) FILTER (WHERE ok)",
                                        "AVG(age)",
                                        "SUM(odd) WITH RANGE",
                                        "SUM(pay) / COUNT(*)",
                                        "STDDEV(age)"};
    static const char *const ends[] = {"",
                                       "",
                                       " HAVING a0 > 2 OR sex IS NULL",
                                       " HAVING g = 1",
                                       " ORDER BY a0 DESC LIMIT 4",
                                       " ORDER BY sex DESC, ok"};
    const uint64_t count = 1 + row_random(seed, 3);
    sc_text_sink sink;
    char name[40];
    sc_text_sink_init(&sink, text, bytes);
    sc_text_put(&sink, sc_text_of("SELECT sex, ok, GROUPING(ok) AS g"));
    for (uint64_t i = 0; i < count; i++) {
        sc_text_put(&sink, sc_text_of(", "));
        sc_text_put(&sink, sc_text_of(PICK(added)));
        snprintf(name, sizeof name, " AS a%d", (int)i);
        sc_text_put(&sink, sc_text_of(name));
    }
    if (has_people && chance(seed, 30))
        sc_text_put(&sink, sc_text_of(", COUNT(DISTINCT person) AS people"));
    if (chance(seed, 30))
        sc_text_put(&sink, sc_text_of(" WHERE age > 1 OR ok"));
    sc_text_put(&sink, sc_text_of(" GROUP BY "));
    sc_text_put(&sink, sc_text_of(PICK(sets)));
    sc_text_put(&sink, sc_text_of(PICK(ends)));
}
