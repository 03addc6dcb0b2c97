#include "base/memory.h"
#include "check.h"
#include "microdata/table_terms.h"
#include "trees.h"

#include <math.h>

/* An even tree with one table of two columns, and a query of another table of four cells at each level. */
static const size_t fanouts[] = {3, 2}, starts[] = {0, 1, 4, 10};
static const sc_table_shape shape = {2, {2, 3}};
static const sc_term_query queries[] = {
    {0, 0, 1, 2, false},  {0, 1, 2, 3, true}, {1, 3, 6, 1.5, true}, {1, 0, 4, 5, false},
    {2, 3, 6, 2.5, true}, {2, 2, 3, 4, true}, {2, 0, 4, 1, false}};

static double sum_squares(const sc_term_list *list)
{
    double sum = 0;
    for (size_t i = 0; i < list->count; i++)
        sum += list->terms[i].weight * list->terms[i].weight * list->terms[i].count *
               queries[list->terms[i].level].variance;
    return sum;
}

TEST(table_terms_make_up_the_variance)
{
    CLAIM("table-terms.whole");
    tree_scene t;
    sc_squares total;
    sc_table_squares table;
    sc_table_query own[COUNT(queries)];
    double levels[3] = {0};
    size_t count = 0;
    trees_even(fanouts, 3, &t);
    for (size_t i = 0; i < COUNT(queries); i++) {
        levels[queries[i].level] += 1 / (queries[i].variance * (double)queries[i].cells);
        if (queries[i].is_own)
            own[count++] = (sc_table_query){.level = queries[i].level,
                                            .columns = queries[i].columns,
                                            .variance = queries[i].variance};
    }
    for (size_t i = 0; i < 3; i++)
        levels[i] = 1 / levels[i];
    const sc_table_tree tree = {t.shape, starts, 3, fanouts};
    CHECK_STATUS(sc_squares_init_even(&total, &t.shape, fanouts, 3, levels, NULL),
                 SCRIM_OK);
    CHECK_STATUS(sc_table_squares_init(&table, &tree, &shape, own, count, NULL),
                 SCRIM_OK);
    for (size_t level = 0; level < 3; level++) {
        sc_term_list list;
        const double variance = total.final[level];
        CHECK(sc_table_terms(&total, NULL, queries, COUNT(queries), level, &list));
        CHECK_NEAR(sum_squares(&list), variance, 1e-12);
        sc_free(list.terms);
        CHECK(sc_table_terms(&total, &table, queries, COUNT(queries), level, &list));
        CHECK_NEAR(sum_squares(&list),
                   sc_table_squares_cell(&table, starts[level], variance), 1e-12);
        sc_free(list.terms);
    }
    sc_table_squares_clear(&table);
    sc_squares_clear(&total);
}
