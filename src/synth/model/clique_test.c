#include "check.h"
#include "synth/model/clique.h"

TEST(clique_counts_cells)
{
    const sc_synth_columns columns = {3, {2, 3, 5}};
    CHECK_INT(sc_clique_cells(&columns, 0), 1);
    CHECK_INT(sc_clique_cells(&columns, 5), 10);
    CHECK_INT(sc_clique_cells(&columns, sc_synth_columns_all(&columns)), 30);
    CHECK(sc_clique_is_inside(4, 5) && !sc_clique_is_inside(6, 5));
}

TEST(clique_refuses_columns_without_values)
{
    sc_synth_columns columns = {2, {1, SC_SYNTH_SIZE_MAX}};
    CHECK_STATUS(sc_synth_columns_check(&columns, NULL), SCRIM_OK);
    columns.sizes[1]++;
    CHECK_STATUS(sc_synth_columns_check(&columns, NULL), SCRIM_E_PARAM);
    columns.sizes[1] = 0;
    CHECK_STATUS(sc_synth_columns_check(&columns, NULL), SCRIM_E_PARAM);
    columns.count = 0;
    CHECK_STATUS(sc_synth_columns_check(&columns, NULL), SCRIM_E_PARAM);
    columns.count = SC_SYNTH_COLUMNS_MAX + 1;
    CHECK_STATUS(sc_synth_columns_check(&columns, NULL), SCRIM_E_PARAM);
}
