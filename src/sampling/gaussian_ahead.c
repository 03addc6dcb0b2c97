#include "sampling/gaussian_ahead.h"

#include "sampling/ahead.h"

/* Rare, and apart, so that what is not rare stays in registers. */
#define APART SCRIM_MUST_USE static __attribute__((noinline))

static void set_digits(sc_gaussian_digits *digits, sc_uint128 bound)
{
    const unsigned width = sc_bit_length128(bound - 1);
    const unsigned unread = width > SC_AHEAD_BITS ? width - SC_AHEAD_BITS : 0;
    *digits = (sc_gaussian_digits){.width = width,
                                   .unread = unread,
                                   .mask = ((uint64_t)1 << (width - unread)) - 1,
                                   .first = (uint64_t)(bound >> unread)};
}

void sc_gaussian_ahead_init(sc_gaussian_ahead *g, uint64_t t, uint64_t slope, uint64_t a,
                            sc_uint128 d)
{
    g->slope = slope;
    g->a = a;
    g->d = d;
    g->is_wide = sc_bit_length128(d) >= SC_AHEAD_BITS;
    for (unsigned k = 1; k <= 3; k++)
        sc_range_init(&g->proposal[k - 1], t * k);
    for (unsigned k = 1; k <= SC_GAUSSIAN_AHEAD_TURNS; k++) {
        sc_range_init(&g->coin[k - 1], g->is_wide ? 1 : (uint64_t)d * k);
        set_digits(&g->digits[k - 1], d * k);
    }
    sc_coin_runs_init(&g->runs);
}

/* The proposal: a discrete Laplace number of scale t. */

/* Two numbers below n, which often come from one string. */
SC_AHEAD bool first_two(sc_bits_ahead *ahead, const sc_range *range, bool is_sparse,
                        uint64_t *u, uint64_t *v)
{
    if (is_sparse) {
        if (!sc_bits_ahead_load(ahead))
            return false;
        const uint64_t ends = sc_range_ends(range, ahead->string),
                       rest = ends & (ends - 1);
        if (__builtin_expect(rest != 0, 1)) {
            const unsigned end = (unsigned)__builtin_ctzll(rest);
            *u = sc_range_chunk(range, ahead->string, (unsigned)__builtin_ctzll(ends));
            *v = sc_range_chunk(range, ahead->string, end);
            sc_bits_ahead_skip(ahead, end);
            return true;
        }
    } else if (__builtin_expect(2 * range->width <= SC_AHEAD_BITS, 1)) {
        if (!sc_bits_ahead_load(ahead))
            return false;
        *u = ahead->string & range->mask;
        *v = ahead->string >> range->width & range->mask;
        if (__builtin_expect((*u < range->n) & (*v < range->n), 1)) {
            sc_bits_ahead_skip(ahead, 2 * range->width);
            return true;
        }
    }
    return sc_ahead_below(ahead, range, is_sparse, u) &&
           sc_ahead_below(ahead, range, is_sparse, v);
}

APART bool go_on(sc_bits_ahead *ahead, uint64_t u, uint64_t t, bool *keep)
{
    return sc_ahead_exp01_64(ahead, 3, u, t, keep);
}

/* u below t, kept with probability exp(-u/t): sc_bernoulli_exp01_64, its first turns by the
 * prepared ranges. */
SC_AHEAD bool propose(sc_bits_ahead *ahead, const sc_gaussian_ahead *g, bool is_sparse,
                      uint64_t *u, bool *keep)
{
    uint64_t v;
    if (!first_two(ahead, &g->proposal[0], is_sparse, u, &v))
        return false;
    *keep = true;
    if (v >= *u)
        return true;
    if (!sc_ahead_below(ahead, &g->proposal[1], is_sparse, &v))
        return false;
    *keep = false;
    if (v >= *u)
        return true;
    if (!sc_ahead_below(ahead, &g->proposal[2], is_sparse, &v))
        return false;
    *keep = true;
    if (__builtin_expect(v >= *u, 1))
        return true;
    sc_bits_ahead there = *ahead;
    bool kept;
    if (!go_on(&there, *u, g->proposal[0].n, &kept))
        return false;
    *ahead = there;
    *keep = kept;
    return true;
}

/* A run that one string does not decide. */
APART bool long_run(sc_bits_ahead *ahead, const sc_coin_runs *runs, uint64_t *out)
{
    for (*out = 0;;) {
        if (!sc_bits_ahead_need(ahead, SC_COIN_RUN_BITS))
            return false;
        const unsigned entry = sc_coin_runs_entry(runs, ahead->string);
        sc_bits_ahead_skip(ahead, sc_coin_runs_bits(entry));
        *out += sc_coin_runs_count(entry);
        if (sc_coin_runs_ended(entry))
            return true;
        if (sc_coin_runs_bits(entry) > 0)
            continue;
        bool pass;
        if (!sc_ahead_exp1(ahead, &pass))
            return false;
        if (!pass)
            return true;
        *out += 1;
    }
}

SC_AHEAD bool coin_run(sc_bits_ahead *ahead, const sc_coin_runs *runs, uint64_t *out)
{
    if (!sc_bits_ahead_need(ahead, SC_COIN_RUN_BITS))
        return false;
    const unsigned entry = sc_coin_runs_entry(runs, ahead->string);
    if (__builtin_expect(sc_coin_runs_ended(entry), 1)) {
        sc_bits_ahead_skip(ahead, sc_coin_runs_bits(entry));
        *out = sc_coin_runs_count(entry);
        return true;
    }
    sc_bits_ahead there = *ahead;
    uint64_t run;
    if (!long_run(&there, runs, &run))
        return false;
    *ahead = there;
    *out = run;
    return true;
}

/* The sign is 1 or 0, and 1 for the negative; never of 0. */
SC_AHEAD bool laplace(sc_bits_ahead *ahead, const sc_gaussian_ahead *g, bool is_sparse,
                      uint64_t *magnitude, uint64_t *sign)
{
    do {
        uint64_t u, run;
        bool keep;
        do
            if (!propose(ahead, g, is_sparse, &u, &keep))
                return false;
        while (!keep);
        if (!coin_run(ahead, &g->runs, &run) || !sc_bits_ahead_take(ahead, 1, sign))
            return false;
        *magnitude = u + g->proposal[0].n * run; /* below 2^50 (1 + 2^13) */
    } while (*sign & (*magnitude == 0));
    return true;
}

/* The coin of exp(-n/d) that accepts a proposal. */

APART bool all_whole(sc_bits_ahead *ahead, sc_uint128 whole, bool *all)
{
    for (*all = true; *all && whole > 0; whole--)
        if (!sc_ahead_exp1(ahead, all))
            return false;
    return true;
}

/* Flips up to `whole` coins of exp(-1), at least one: *all is true if all come up. The table
 * settles runs that end early. */
SC_AHEAD bool whole_coins(sc_bits_ahead *ahead, const sc_coin_runs *runs,
                          sc_uint128 whole, bool *all)
{
    if (!sc_bits_ahead_need(ahead, SC_COIN_RUN_BITS))
        return false;
    const unsigned entry = sc_coin_runs_entry(runs, ahead->string);
    if (sc_coin_runs_ended(entry) && sc_coin_runs_count(entry) < whole) {
        sc_bits_ahead_skip(ahead, sc_coin_runs_bits(entry));
        *all = false;
        return true;
    }
    sc_bits_ahead there = *ahead;
    bool came_up;
    if (!all_whole(&there, whole, &came_up))
        return false;
    *ahead = there;
    *all = came_up;
    return true;
}

/* One turn of the coin: does the number below d k pass, as one below n? False, too, where
 * its first digits do not decide that. */
SC_AHEAD bool wide_turn(sc_bits_ahead *ahead, const sc_gaussian_digits *digits,
                        sc_uint128 n, bool *pass)
{
    const uint64_t first = (uint64_t)(n >> digits->unread);
    uint64_t value;
    do {
        if (!sc_bits_ahead_look(ahead, digits->unread, &value))
            return false;
        value &= digits->mask;
        if (__builtin_expect((value == digits->first) | (value == first), 0))
            return false;
        sc_bits_ahead_leap(ahead, digits->width);
    } while (value > digits->first);
    *pass = value < first;
    return true;
}

SC_AHEAD bool narrow_turn(sc_bits_ahead *ahead, const sc_range *range, uint64_t n,
                          bool *pass)
{
    uint64_t value;
    if (!sc_ahead_below(ahead, range, range->is_sparse, &value))
        return false;
    *pass = value < n;
    return true;
}

APART bool late_turns(sc_bits_ahead *ahead, sc_uint128 n, sc_uint128 d, bool *out)
{
    return sc_ahead_exp01_128(ahead, SC_GAUSSIAN_AHEAD_TURNS, n, d, out);
}

/* sc_bernoulli_exp_64 and _128. */
SC_AHEAD bool toss(sc_bits_ahead *ahead, const sc_gaussian_ahead *g, bool is_wide,
                   sc_uint128 n, bool *out)
{
    const sc_uint128 d = is_wide ? g->d : (uint64_t)g->d;
    if (__builtin_expect(n >= d, 0)) {
        const sc_uint128 whole = is_wide ? n / d : (uint64_t)n / (uint64_t)d;
        if (!whole_coins(ahead, &g->runs, whole, out))
            return false;
        if (!*out)
            return true;
        n -= whole * d;
    }
    for (unsigned k = 1; k <= SC_GAUSSIAN_AHEAD_TURNS; k++) {
        bool pass;
        if (!(is_wide ? wide_turn(ahead, &g->digits[k - 1], n, &pass)
                      : narrow_turn(ahead, &g->coin[k - 1], (uint64_t)n, &pass)))
            return false;
        if (!pass) {
            *out = k & 1;
            return true;
        }
    }
    sc_bits_ahead there = *ahead;
    bool accepted;
    if (!late_turns(&there, n, g->d, &accepted))
        return false;
    *ahead = there;
    *out = accepted;
    return true;
}

/* m^2 = (|y| b t - a)^2; false where it does not fit. */
SC_AHEAD bool numerator(const sc_gaussian_ahead *g, bool is_wide, uint64_t magnitude,
                        sc_uint128 *out)
{
    uint64_t product;
    if (__builtin_mul_overflow(magnitude, g->slope, &product) || product >> 63 != 0)
        return false;
    /* The absolute value without a branch on which of the two is larger; gcc and clang keep the
     * sign in a shift. */
    const int64_t difference = (int64_t)(product - g->a);
    // cppcheck-suppress shiftTooManyBitsSigned
    const int64_t flip = difference >> 63;
    const uint64_t m = (uint64_t)((difference ^ flip) - flip);
    const uint64_t narrow = m * m;
    *out = is_wide ? (sc_uint128)m * m : narrow;
    return is_wide || m >> 32 == 0;
}

/* Draws. */

SC_AHEAD bool draw(sc_bits_ahead *ahead, const sc_gaussian_ahead *g, bool is_wide,
                   bool is_sparse, sc_int128 *out)
{
    uint64_t magnitude, sign;
    bool accepted;
    do {
        sc_uint128 n;
        if (!laplace(ahead, g, is_sparse, &magnitude, &sign) ||
            !numerator(g, is_wide, magnitude, &n) ||
            !toss(ahead, g, is_wide, n, &accepted))
            return false;
    } while (!accepted);
    const int64_t y = (int64_t)magnitude * (1 - 2 * (int64_t)sign);
    *out = y;
    return true;
}

/* The compiler knows is_wide and is_sparse as constants. */
SC_AHEAD size_t fill(sc_bits_ahead *reader, const sc_gaussian_ahead *g, bool is_wide,
                     bool is_sparse, size_t count, sc_int128 *out)
{
    sc_bits_ahead ahead = *reader;
    size_t done = 0;
    for (; done < count; done++) {
        sc_bits_ahead there = ahead;
        sc_bits_ahead_extend(&there);
        if (!draw(&there, g, is_wide, is_sparse, &out[done]))
            break;
        ahead = there;
    }
    *reader = ahead;
    return done;
}

size_t sc_gaussian_ahead_fill(sc_bits *bits, const sc_gaussian_ahead *g, size_t count,
                              sc_int128 *out)
{
    sc_bits_ahead ahead = sc_bits_ahead_begin(bits);
    size_t done;
    if (g->proposal[0].is_sparse)
        done = g->is_wide ? fill(&ahead, g, true, true, count, out)
                          : fill(&ahead, g, false, true, count, out);
    else
        done = g->is_wide ? fill(&ahead, g, true, false, count, out)
                          : fill(&ahead, g, false, false, count, out);
    sc_bits_ahead_finish(&ahead, bits);
    return done;
}
