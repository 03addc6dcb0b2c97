#include "check.h"
#include "synth/model/absent_null.h"

/* A variance of 100: 30 rows stand out, and 600 rows are enough to tell. */
TEST(absent_null_is_one_that_does_not_stand_out)
{
    CLAIM("absent-null.share");
    const sc_synth_columns columns = {.count = 4, .sizes = {2, 3, 2, 1}};
    const int64_t first[] = {700, 30}, second[] = {400, 300, 29}, third[] = {900, -40},
                  fourth[] = {0};
    const int64_t *const counts[] = {first, second, third, fourth};
    CHECK_INT(sc_absent_nulls(&columns, 15, counts, 6400, 700), 2 + 4);
    CHECK_INT(sc_absent_nulls(&columns, 13, counts, 6400, 700), 4);
    CHECK_INT(sc_absent_nulls(&columns, 0, counts, 6400, 700), 0);
    CHECK_INT(sc_absent_nulls(&columns, 15, counts, 6400, 600), 2 + 4);
    CHECK_INT(sc_absent_nulls(&columns, 15, counts, 6400, 599), 0);
    CHECK_INT(sc_absent_nulls(&columns, 15, counts, (uint64_t)1 << 62, (int64_t)1 << 40),
              2 + 4 + 1);
}

TEST(absent_null_has_no_cells)
{
    const sc_synth_columns columns = {.count = 3, .sizes = {2, 3, 4}};
    CHECK_INT(sc_present_cells(&columns, 0, 7), 24);
    CHECK_INT(sc_present_cells(&columns, 2, 7), 16);
    CHECK_INT(sc_present_cells(&columns, 7, 5), 3);
    CHECK_INT(sc_present_cells(&columns, 2, 5), 8);
}
