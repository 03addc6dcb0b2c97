#include "mechanism/local/protocol.h"

/* above / below. */
static void set_quotient(sc_ball *out, uint64_t above, uint64_t below, long bits)
{
    SC_OWN(sc_ball, divisor);
    sc_ball_set_int128(out, (sc_int128)above);
    sc_ball_set_int128(&divisor, (sc_int128)below);
    sc_ball_div(out, out, &divisor, bits);
}

/* A stored bit that is 1 with odds a : b under one value and b : a under the other; each of the
 * reports has the likelihood ratio 1/x for it: ln((a + b x^r)/(b + a x^r)), of which that of any
 * number is ln(a/b). Not finite for b = 0 and any number. */
static void stored_bit(uint64_t a, uint64_t b, const sc_ball *x, uint64_t reports,
                       long bits, sc_ball *out)
{
    SC_OWN(sc_ball, power, part, below);
    if (reports > 0)
        sc_ball_power(&power, x, reports, bits);
    sc_ball_set_int128(out, (sc_int128)b);
    sc_ball_set_int128(&part, (sc_int128)a);
    sc_ball_mul(&below, &power, &part, bits);
    sc_ball_add(&below, &below, out, bits);
    sc_ball_mul(out, &power, out, bits);
    sc_ball_add(out, out, &part, bits);
    sc_ball_div(out, out, &below, bits);
    sc_ball_log(out, out, bits);
}

/* h (g(r ln(q/p)) + g(r ln((1-p)/(1-q)))), and of a single bit the larger g. */
static void rappor_loss(const scrim_local_config *c, uint64_t reports, long bits,
                        sc_ball *out)
{
    const uint64_t whole = (uint64_t)1 << 32;
    const uint64_t on = 2 * whole - c->f;
    const bool is_permanent = c->p == 0 && c->q == 0;
    const uint64_t seen = is_permanent ? 0 : reports;
    SC_OWN(sc_ball, x, zero);
    if (!is_permanent)
        set_quotient(&x, c->p, c->q, bits);
    stored_bit(on, c->f, &x, seen, bits, out);
    if (!is_permanent)
        set_quotient(&x, whole - c->q, whole - c->p, bits);
    stored_bit(on, c->f, &x, seen, bits, &zero);
    if (c->hashes == 0 && c->bits == 1) {
        if (sc_ball_is_less(out, &zero))
            sc_ball_set(out, &zero);
        return;
    }
    sc_ball_add(out, out, &zero, bits);
    sc_ball_mul_int64(out, out, c->hashes == 0 ? 1 : c->hashes, bits);
}

/* condensed-exponential of |x-y|: w(0)/w(m) times the largest sum of weights, and 1 for draws that are not
 * quite uniform, over the smallest sum: that of the middle and that of an end. */
static void condensed_loss(const scrim_local_config *c, long bits, sc_ball *out)
{
    const uint32_t last = c->values - 1, middle = last / 2;
    uint64_t weight = (uint64_t)1 << 31, end = 0, most = 0, farthest = weight;
    SC_OWN(sc_ball, sums);
    for (uint32_t t = 0; t <= last; t++) {
        end += weight;
        most += (t <= middle ? weight : 0) + (t > 0 && t <= last - middle ? weight : 0);
        farthest = weight;
        weight = (weight * c->b + c->a - 1) / c->a;
    }
    set_quotient(out, (uint64_t)1 << 31, farthest, bits);
    set_quotient(&sums, most + 1, end, bits);
    sc_ball_mul(out, out, &sums, bits);
    sc_ball_log(out, out, bits);
}

/* ln(A/B) counts so often. */
static int64_t times_of(const scrim_local_config *c)
{
    switch (c->protocol) {
    case SCRIM_LOCAL_SYMMETRIC_UNARY:
        return 2;
    case SCRIM_LOCAL_BIT_FLIP:
        return c->chosen > 1 ? 2 : 1;
    case SCRIM_LOCAL_LAPLACE:
    case SCRIM_LOCAL_GEOMETRIC:
        return (int64_t)c->values - 1;
    default:
        return 1;
    }
}

void sc_protocol_loss(const scrim_local_config *c, uint64_t reports, long bits,
                      sc_ball *out)
{
    const uint64_t whole = (uint64_t)1 << 32;
    SC_OWN(sc_ball, x);
    if (c->protocol == SCRIM_LOCAL_RAPPOR) {
        rappor_loss(c, reports, bits, out);
    } else if (c->protocol == SCRIM_LOCAL_REPEATED_UNARY) {
        set_quotient(&x, whole - c->keep, c->keep, bits);
        stored_bit(c->a, c->b, &x, reports, bits, out);
    } else if (c->protocol == SCRIM_LOCAL_ROUNDED_BIT) {
        set_quotient(&x, c->flip, whole - c->flip, bits);
        stored_bit(c->a, c->b, &x, reports, bits, out);
    } else if (c->protocol == SCRIM_LOCAL_CONDENSED) {
        condensed_loss(c, bits, out);
    } else {
        set_quotient(out, c->a, c->b, bits);
        sc_ball_log(out, out, bits);
        sc_ball_mul_int64(out, out, times_of(c), bits);
    }
}
