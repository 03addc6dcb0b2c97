#include "attack/findings.h"
#include "check.h"
#include "faults.h"

static void fill(sc_findings *found)
{
    const double y[] = {1, 2};
    sc_findings_begin(found, "squares", "numbers and their squares",
                      (const char *const[]){"number", "square", NULL});
    sc_findings_draw(found, &(sc_findings_chart){.x_name = "x",
                                                 .y_name = "y",
                                                 .is_log_y = true,
                                                 .curves = {"one", "two"}});
    for (int i = 1; i <= 40; i++) {
        sc_findings_put(found, "%d\n%d", i, i * i);
        sc_findings_point(found, i, y);
    }
    found->learnt = sc_findings_words(found, "%d squares", 40);
}

TEST(findings_hold_tables)
{
    sc_findings found;
    sc_findings_init(&found);
    fill(&found);
    CHECK(!found.lacks_memory);
    CHECK_INT(found.table_count, 1);
    const sc_findings_table *table = &found.tables[0];
    CHECK_INT(table->column_count, 2);
    CHECK_INT(table->cell_count, 80);
    CHECK_STR(table->cells[79], "1600");
    CHECK(table->is_log_y && !table->is_log_x);
    CHECK_INT(table->point_count, 40);
    CHECK_INT(table->curve_count, 2);
    CHECK(table->x[39] == 40 && table->y[1][39] == 2);
    CHECK_STR(found.learnt, "40 squares");
    /* The format parts cells, and no text does. */
    sc_findings_put(&found, "%s\n%s", "a|b", "");
    CHECK_INT(table->cell_count, 82);
    CHECK_STR(table->cells[80], "a|b");
    CHECK_STR(table->cells[81], "");
    sc_findings_clear(&found);
}

/* No call reports it; the findings remember. */
TEST(findings_remember_a_lack_of_memory)
{
    FAULT_LOOP(fault)
    {
        sc_findings found;
        sc_findings_init(&found);
        fill(&found);
        CHECK(found.lacks_memory == fault_hit());
        CHECK(found.learnt != NULL);
        sc_findings_clear(&found);
    }
}
