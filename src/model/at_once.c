#include "model/at_once.h"

#include "base/number/ball.h"

#define PLACES 1536
#define BITS 2048L

/* The sum of all failures: less than the exact share by a part of beta / 2 of it. */
static void share_of_sum(const sc_ratio *beta, uint64_t count, sc_ratio *out)
{
    SC_OWN(sc_ratio, divisor);
    sc_ratio_set_int128(&divisor, (sc_int128)count);
    sc_ratio_div(out, beta, &divisor);
}

static void share_of_product(const sc_ratio *beta, uint64_t count, sc_ball *out)
{
    SC_OWN(sc_ball, divisor);
    sc_ball_set_ratio(out, beta, BITS);
    sc_ball_neg(out, out);
    sc_ball_log1p(out, out, BITS);
    sc_ball_set_int128(&divisor, (sc_int128)count);
    sc_ball_div(out, out, &divisor, BITS);
    sc_ball_expm1(out, out, BITS);
    sc_ball_neg(out, out);
}

void sc_at_once_each(const sc_ratio *beta, uint64_t count, sc_ratio *out)
{
    SC_OWN(sc_ratio, sum, tiny);
    SC_OWN(sc_integer, one);
    if (count <= 1) {
        sc_ratio_set(out, beta);
        return;
    }
    share_of_sum(beta, count, &sum);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_dyadic(&tiny, &one, PLACES / 2);
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, exact);
    share_of_product(beta, count, &exact);
    if (sc_ratio_compare(&sum, &tiny) < 0 || !sc_ball_round_down(&exact, PLACES, out))
        sc_ratio_set(out, &sum);
}
