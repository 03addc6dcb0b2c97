#include "check.h"
#include "local/amplify/blanket_sums.h"

#include <math.h>

#define BITS 200

/* The probability of j heads or more in s coins, by its definition; and the sum of heads above j. */
static void truth(uint64_t s, uint64_t j, double *tail, double *mean)
{
    SC_OWN(sc_ball, mass, sum, weighted, term);
    sc_ball_set_int64(&mass, 1);
    sc_ball_mul_power2(&mass, &mass, -(long)s);
    for (uint64_t i = 0; i <= s; i++) {
        if (i >= j)
            sc_ball_add(&sum, &sum, &mass, BITS);
        if (i > j) {
            sc_ball_mul_int64(&term, &mass, (int64_t)i, BITS);
            sc_ball_add(&weighted, &weighted, &term, BITS);
        }
        sc_ball_mul_int64(&mass, &mass, (int64_t)(s - i), BITS);
        sc_ball_div_int64(&mass, &mass, (int64_t)i + 1, BITS);
    }
    *tail = sc_ball_upper(&sum);
    *mean = sc_ball_upper(&weighted);
}

static void check_at(sc_half_tail *tail, uint64_t s, uint64_t j)
{
    SC_OWN(sc_ball, mass, mean);
    double want, want_mean;
    sc_half_tail_move(tail, s, j);
    truth(s, j, &want, &want_mean);
    CHECK_INT(tail->s, s);
    CHECK_INT(tail->j, j);
    CHECK_NEAR(sc_ball_upper(&tail->tail), want, 1e-14);
    CHECK_NEAR(sc_ball_lower(&tail->tail), want, 1e-14);
    sc_half_tail_above(tail, &mass, &mean);
    CHECK(fabs(sc_ball_upper(&mean) - want_mean) <= 1e-12 * want_mean + 1e-30);
}

TEST(half_tail_moves_without_error)
{
    static const uint64_t places[][2] = {{1, 1},     {2, 1},     {5, 4},     {5, 5},
                                         {6, 5},     {40, 30},   {41, 20},   {100, 70},
                                         {300, 190}, {301, 160}, {900, 520}, {900, 560}};
    sc_half_tail tail;
    sc_half_tail_init(&tail);
    for (size_t i = 0; i < COUNT(places); i++)
        check_at(&tail, places[i][0], places[i][1]);
    sc_half_tail_clear(&tail);
    for (size_t i = 0; i < COUNT(places); i++) { /* from nowhere to each of them */
        sc_half_tail_init(&tail);
        check_at(&tail, places[i][0], places[i][1]);
        sc_half_tail_clear(&tail);
    }
}
