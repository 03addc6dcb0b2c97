#include "check.h"
#include "query/language/rung.h"

TEST(rung_values_are_rounded_away_from_zero)
{
    static const int64_t cases[][3] = {{0, 0, 0},
                                       {1, 1, 1},
                                       {2, 2, 2},
                                       {3, 3, 5},
                                       {5, 3, 5},
                                       {6, 4, 10},
                                       {10, 4, 10},
                                       {11, 5, 20},
                                       {-1, -1, -1},
                                       {-3, -3, -5},
                                       {-11, -5, -20},
                                       {999999, 19, 1000000},
                                       {(int64_t)1 << 62, 57, 5000000000000000000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_INT(sc_rung_of(cases[i][0]), cases[i][1]);
        CHECK_INT(sc_rung_value(cases[i][1]), cases[i][2]);
    }
}

TEST(rung_last_is_the_last_value_of_its_rung)
{
    for (int64_t rung = -57; rung < 57; rung++) {
        const int64_t last = sc_rung_last(rung);
        CHECK_INT(sc_rung_of(last), rung);
        CHECK_INT(sc_rung_of(last + 1), rung + 1);
    }
}
