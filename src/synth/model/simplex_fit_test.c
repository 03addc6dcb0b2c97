#include "check.h"
#include "faults.h"
#include "synth/model/simplex_fit.h"

TEST(simplex_fit_is_the_nearest_point)
{
    const double y[] = {5, -3, 2, 0.5};
    double m[4];
    REQUIRE_OK(sc_simplex_fit(y, 4, 4, m, NULL));
    CHECK(m[0] == 3.5 && m[1] == 0 && m[2] == 0.5 && m[3] == 0);
    REQUIRE_OK(sc_simplex_fit(y, 4, 13.5, m, NULL));
    CHECK(m[0] == 7 && m[1] == 0 && m[2] == 4 && m[3] == 2.5);
}

TEST(simplex_fit_spreads_what_is_missing)
{
    const double y[] = {-1, -1, -1, -1};
    double m[4];
    REQUIRE_OK(sc_simplex_fit(y, 4, 10, m, NULL));
    for (int i = 0; i < 4; i++)
        CHECK(m[i] == 2.5);
    REQUIRE_OK(sc_simplex_fit(y, 1, 3, m, NULL));
    CHECK(m[0] == 3);
}

TEST(simplex_fit_survives_without_memory)
{
    const double y[] = {1, 2};
    double m[2];
    FAULT_LOOP(fault)
    CHECK(sc_simplex_fit(y, 2, 3, m, NULL) == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
}
