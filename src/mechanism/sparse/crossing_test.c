#include "exact.h"
#include "faults.h"
#include "mechanism/sparse/sparse_law.h"

static void check_crossing(const sc_law_functions *first, const char *threshold,
                           const sc_law_functions *second, const char *query)
{
    sc_law a, b;
    sc_crossing crossing;
    sc_ball sum, part, one;
    sc_ball_init(&sum);
    sc_ball_init(&part);
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    exact_law(first, threshold, 0, &a);
    exact_law(second, query, 0, &b);
    if (CHECK_STATUS(sc_crossing_init(&crossing, &a, &b, 10, EXACT_BITS, NULL),
                     SCRIM_OK)) {
        /* the threshold's law is whole: what lies outside is small, and known */
        for (int64_t z = -crossing.reach; z <= crossing.reach; z++)
            sc_ball_add(&sum, &sum, &crossing.threshold[z < 0 ? -z : z], 512);
        sc_ball_add(&sum, &sum, &crossing.outside, 512);
        sc_ball_add(&sum, &sum, &crossing.outside, 512);
        CHECK_SAME(&sum, &one, 240);
        CHECK(sc_ball_upper(&crossing.outside) < 1e-76); /* 2^-256 is 8.6e-78 */
        /* the query's, in the table, at its end and beyond it */
        static const int64_t at[] = {-100000, -400, -11, -1, 0, 1, 2, 11, 400, 100000};
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            sc_crossing_above(&crossing, at[i], &part);
            sc_law_at_least(&b, at[i], crossing.bits, &sum);
            CHECK_SAME(&part, &sum, 200);
            sc_crossing_below(&crossing, at[i], &part);
            sc_law_at_most(&b, (sc_int128)at[i] - 1, crossing.bits, &sum);
            CHECK_SAME(&part, &sum, 200);
        }
        sc_crossing_clear(&crossing);
    }
    sc_law_clear(&a);
    sc_law_clear(&b);
    sc_ball_clear(&one);
    sc_ball_clear(&part);
    sc_ball_clear(&sum);
}

TEST(crossing_tables_hold_both_laws)
{
    const sc_law_functions *laplace = &sc_discrete_laplace_law,
                           *gaussian = &sc_discrete_gaussian_law;
    check_crossing(laplace, "2", laplace, "4");
    check_crossing(gaussian, "25", laplace, "1/2");
    check_crossing(laplace, "3/7", gaussian, "100");
    check_crossing(gaussian, "1/4", gaussian, "1/9");
}

TEST(crossing_refuses_noise_with_too_many_terms)
{
    sc_law wide, narrow;
    sc_crossing crossing;
    exact_law(&sc_discrete_laplace_law, "1e6", 0, &wide);
    exact_law(&sc_discrete_laplace_law, "1", 0, &narrow);
    CHECK_STATUS(sc_crossing_init(&crossing, &wide, &narrow, 0, 128, NULL),
                 SCRIM_E_LIMIT);
    FAULT_LOOP(fault)
    {
        scrim_status status = sc_crossing_init(&crossing, &narrow, &wide, 0, 128, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        if (status == SCRIM_OK)
            sc_crossing_clear(&crossing);
    }
    sc_law_clear(&narrow);
    sc_law_clear(&wide);
}
