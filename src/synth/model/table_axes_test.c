#include "check.h"
#include "synth/model/table_axes.h"

static const sc_synth_columns columns = {4, {2, 3, 1, 5}};

/* The cell of a clique's table that a cell of the table of all columns belongs to. */
static size_t part_of(size_t cell, sc_clique clique)
{
    size_t values[4], part = 0;
    for (size_t i = 4; i-- > 0; cell /= columns.sizes[i])
        values[i] = cell % columns.sizes[i];
    for (size_t i = 0; i < 4; i++)
        if ((clique & sc_clique_of(i)) != 0)
            part = part * columns.sizes[i] + values[i];
    return part;
}

TEST(table_folds_agree_with_their_definition)
{
    for (sc_clique small = 0; small < 16; small++) {
        sc_table_fold fold;
        double large[30], sums[30], want[30] = {0};
        sc_table_fold_set(&columns, 15, small, &fold);
        CHECK_INT(fold.small, sc_clique_cells(&columns, small));
        for (size_t i = 0; i < 30; i++) {
            large[i] = (double)(i * i % 17);
            want[part_of(i, small)] += large[i];
        }
        sc_table_sum(&fold, large, sums);
        for (size_t i = 0; i < fold.small; i++)
            CHECK(sums[i] == want[i]);
        sc_table_add(&fold, sums, large);
        for (size_t i = 0; i < 30; i++)
            CHECK(large[i] == (double)(i * i % 17) + want[part_of(i, small)]);
        sc_table_multiply(&fold, sums, large);
        for (size_t i = 0; i < 30; i++)
            CHECK(large[i] == ((double)(i * i % 17) + want[part_of(i, small)]) *
                                  want[part_of(i, small)]);
    }
}

static void check_contraction(sc_clique a, sc_clique b, sc_clique kept)
{
    const sc_clique beside[] = {a, b, kept};
    double from[30], with[30], out[30], want[30] = {0};
    sc_table_axes axes;
    for (size_t i = 0; i < 30; i++) {
        from[i] = (double)(i % 7);
        with[i] = (double)(i % 5);
    }
    sc_table_axes_set(&columns, a | b, beside, 3, &axes);
    const size_t cells = (size_t)sc_clique_cells(&columns, kept);
    sc_table_contract(&axes, from, with, out, cells);
    for (size_t i = 0; i < 30; i++) {
        /* Rows of columns that neither table has are one row. */
        size_t beyond = part_of(i, 15 & ~(a | b));
        if (beyond == 0)
            want[part_of(i, kept)] += from[part_of(i, a)] * with[part_of(i, b)];
    }
    for (size_t i = 0; i < cells; i++)
        CHECK(out[i] == want[i]);
}

TEST(table_contractions_agree_with_their_definition)
{
    for (sc_clique a = 0; a < 16; a++)
        for (sc_clique b = 0; b < 16; b++)
            for (sc_clique kept = 0; kept < 16; kept++)
                if (sc_clique_is_inside(kept, a | b))
                    check_contraction(a, b, kept);
}

TEST(table_totals_and_scales)
{
    double table[7] = {1, 2, 3, 4, 5, 6, 7};
    CHECK(sc_table_total(table, 7) == 28);
    CHECK(sc_table_largest(table, 7) == 7);
    sc_table_rescale(table, 7, 28, 14);
    CHECK(table[6] == 3.5);
    double tiny[2] = {0x1p-1050, 0x1p-1050};
    sc_table_rescale(tiny, 2, 0x1p-1049, 1000);
    CHECK(tiny[0] == 500);
}
