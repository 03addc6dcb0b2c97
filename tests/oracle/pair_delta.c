#include "pair_delta.h"

#include "composition/loss/loss_tails.h"

/* delta at a rational. Where it is far below the tails it comes from, more bits are taken. */
static void delta_at(const sc_loss_pair *pair, const sc_ratio *epsilon, long bits,
                     sc_ball *out)
{
    sc_ball p, q, t;
    sc_ball_init(&p);
    sc_ball_init(&q);
    sc_ball_init(&t);
    for (long more = bits + 32; more <= 16 * (bits + 32); more *= 2) {
        sc_loss_tails tails;
        sc_loss_tails_init(&tails, pair, more);
        sc_loss_tails_at(&tails, epsilon, &p, &q);
        sc_loss_tails_clear(&tails);
        sc_loss_pair_infinite(pair, more, out);
        sc_ball_add(out, out, &p, more);
        sc_ball_set_ratio(&t, epsilon, more);
        sc_ball_exp(&t, &t, more);
        sc_ball_mul(&t, &t, &q, more);
        sc_ball_sub(out, out, &t, more);
        if (sc_ball_is_accurate(out, bits))
            break;
    }
    sc_ball_cut_unit(out);
    sc_ball_clear(&t);
    sc_ball_clear(&q);
    sc_ball_clear(&p);
}

/* delta falls with epsilon: the rationals on both sides of the ball bound it, and there the losses
 * above are decided exactly. */
void pair_delta(const sc_loss_pair *pair, const sc_ball *epsilon, long bits, sc_ball *out)
{
    sc_ratio low, high;
    sc_ratio_init(&low);
    sc_ratio_init(&high);
    const unsigned places = bits < 1024 ? 2048 : SC_RATIO_BITS;
    if (!sc_ball_round_down(epsilon, places, &low) ||
        !sc_ball_round_up(epsilon, places, &high)) {
        sc_ball_set_infinite(out);
        sc_ball_cut_unit(out);
    } else {
        delta_at(pair, &low, bits, out);
        if (sc_ratio_compare(&low, &high) != 0) {
            sc_ball other;
            sc_ball_init(&other);
            delta_at(pair, &high, bits, &other);
            sc_ball_set_union(out, out, &other, bits + 32);
            sc_ball_cut_unit(out);
            sc_ball_clear(&other);
        }
    }
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
}
