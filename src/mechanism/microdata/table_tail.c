#include "mechanism/microdata/table_tail.h"

#include "base/memory.h"
#include "base/number/own.h"

#include <string.h>

#define N SC_TAIL_CELLS
#define REACH SC_TAIL_REACH
#define UNIT_BITS 62
#define ONE ((uint64_t)1 << UNIT_BITS)
#define BITS 128

/* The error of a total, brought to one side: mass at each distance from -N to REACH cells, and beyond. */
struct sc_table_tail {
    sc_int128 width;
    uint64_t mass[N + REACH + 1];
    uint64_t beyond;
};

static uint64_t times_up(uint64_t a, uint64_t b)
{
    return (uint64_t)(((sc_uint128)a * b + (ONE - 1)) >> UNIT_BITS);
}

static uint64_t add(uint64_t a, uint64_t b)
{
    return a + b < ONE ? a + b : ONE;
}

/* The mass of low..high, rounded up or down. */
static uint64_t mass_between(const sc_law *law, sc_int128 low, sc_int128 high, bool is_up)
{
    SC_OWN(sc_ball, ball);
    SC_OWN(sc_ratio, whole, zero);
    SC_OWN(sc_integer, units);
    sc_int128 out = 0;
    sc_law_between(law, low, high, BITS, &ball);
    sc_ball_mul_power2(&ball, &ball, UNIT_BITS);
    if (!is_up)
        sc_ball_neg(&ball, &ball);
    if (!sc_ball_round_up(&ball, 0, &whole))
        return is_up ? ONE : 0;
    if (!is_up)
        sc_ratio_sub(&whole, &zero, &whole);
    sc_ratio_floor(&whole, &units);
    if (!sc_integer_get_int128(&units, &out) || out < 0)
        return 0;
    return out > (sc_int128)ONE ? ONE : (uint64_t)out;
}

/* P(z < -N cells), from above; as much is above N cells, by symmetry. */
static uint64_t mass_below(const sc_law *law, sc_int128 width)
{
    return add(0, ONE - mass_between(law, -N * width, N * width, false));
}

scrim_status sc_table_tail_width(const sc_law *law, uint64_t d, const sc_ratio *beta,
                                 sc_int128 *out, scrim_error *error)
{
    SC_OWN(sc_ratio, part, parts);
    sc_int128 reach = 0;
    sc_ratio_set_int128(&parts, 64 * (sc_int128)d);
    sc_ratio_div(&part, beta, &parts);
    const scrim_status status = sc_law_radius(law, &part, &reach, error);
    *out = reach / N + 1;
    return status;
}

sc_table_tail *sc_table_tail_new(const sc_law *law, sc_int128 width)
{
    sc_table_tail *tail = sc_allocate(1, sizeof *tail);
    if (tail == NULL)
        return NULL;
    tail->width = width;
    for (int m = -N; m <= N; m++)
        tail->mass[m + N] =
            mass_between(law, (m - 1) * width + 1, (sc_int128)m * width, true);
    tail->beyond = mass_below(law, width);
    tail->mass[0] = add(tail->mass[0], tail->beyond);
    return tail;
}

void sc_table_tail_free(sc_table_tail *tail)
{
    sc_free(tail);
}

/* The noise of a level. */
typedef struct level {
    uint64_t others; /* d - 1 */
    uint64_t own[2 * N +
                 2]; /* of z_i at -N..N+1 cells, the low end of each cell; from above */
    uint64_t below;  /* and below all of them */
    uint64_t jump[2 * N + 1];  /* of z_j at -N..N cells, the high end; from below */
    uint64_t up_to[2 * N + 1]; /* and up to there */
    uint64_t sum[REACH + 1], part[REACH + 1], work[REACH + 1];
} level;

static void fill(const sc_law *law, sc_int128 width, uint64_t d, level *l)
{
    l->others = d - 1;
    for (int m = -N; m <= N; m++) {
        l->own[m + N] = mass_between(law, m * width, (m + 1) * width - 1, true);
        l->jump[m + N] = mass_between(law, (m - 1) * width + 1, m * width, false);
    }
    l->own[2 * N + 1] = mass_below(law, width);
    l->below = l->own[2 * N + 1];
    l->up_to[0] = l->jump[0];
    for (int m = 1; m <= 2 * N; m++)
        l->up_to[m] = l->up_to[m - 1] + l->jump[m];
}

static int last_mass(const uint64_t *a)
{
    int last = REACH;
    while (last > 0 && a[last] == 0)
        last--;
    return last;
}

/* out = a b as distributions of sums up to REACH, from below. */
static void convolve(const uint64_t *a, const uint64_t *b, uint64_t *out)
{
    const int last_a = last_mass(a), last_b = last_mass(b);
    for (int w = 0; w <= REACH; w++) {
        sc_uint128 sum = 0;
        uint64_t whole = 0;
        for (int j = w > last_b ? w - last_b : 0; j <= w && j <= last_a; j++) {
            sum += (sc_uint128)a[j] * b[w - j];
            whole += (uint64_t)(sum >> UNIT_BITS);
            sum &= ONE - 1;
        }
        out[w] = whole;
    }
}

/* The tail of the sum of the others' jumps above s cells: out[w] = P(W > w), from above. */
static void others_beyond(level *l, int s, uint64_t *out)
{
    const uint64_t none = s < -N ? 0 : l->up_to[s > N ? 2 * N : s + N];
    for (int w = 0; w <= REACH; w++)
        out[w] = ONE;
    /* 64 jumps and more are expected: their sum is large, and 1 is a bound. */
    if (l->others > 0 && (sc_uint128)(ONE - none) * l->others >= (sc_uint128)64
                                                                     << UNIT_BITS)
        return;
    if (s >= N) {
        /* Only jumps from beyond all cells. */
        const sc_uint128 most = (sc_uint128)(ONE - none) * l->others;
        for (int w = 0; w <= REACH; w++)
            out[w] = (uint64_t)most;
        return;
    }
    memset(l->part, 0, sizeof l->part);
    memset(l->sum, 0, sizeof l->sum);
    l->part[0] = none;
    for (int j = 1; j <= REACH && s + j <= N; j++)
        l->part[j] = s + j < -N ? 0 : l->jump[s + j + N];
    l->sum[0] = ONE;
    for (uint64_t left = l->others; left > 0; left >>= 1) {
        if ((left & 1) != 0) {
            convolve(l->sum, l->part, l->work);
            memcpy(l->sum, l->work, sizeof l->sum);
        }
        if (left > 1) {
            convolve(l->part, l->part, l->work);
            memcpy(l->part, l->work, sizeof l->part);
        }
    }
    uint64_t within = 0;
    for (int w = 0; w <= REACH; w++) {
        within += l->sum[w];
        out[w] = within < ONE ? ONE - within : 0;
    }
}

typedef uint64_t tails[REACH + 1];

/* P(E(t)), from above: s of z_i = x cells is x + t. */
static uint64_t event_at(const sc_table_tail *tail, const level *l, const tails *others,
                         int t)
{
    uint64_t sum = add(tail->beyond, l->below);
    for (int x = -N; x <= N + 1; x++) {
        const uint64_t *beyond = others[x + t + N];
        uint64_t part = 0;
        for (int y = -N; y <= REACH; y++) {
            const uint64_t mass = tail->mass[y + N];
            const int w = t - y;
            if (w < 0)
                part = add(part, mass);
            else if (mass > 0)
                part = add(part, times_up(mass, beyond[w > REACH ? REACH : w]));
        }
        sum = add(sum, times_up(part, l->own[x + N]));
    }
    return sum;
}

/* A distribution with these tails, all at 0 or above. */
static void set_tails(sc_table_tail *tail, const uint64_t *beyond)
{
    uint64_t before = ONE;
    memset(tail->mass, 0, sizeof tail->mass);
    for (int t = 0; t <= REACH; t++) {
        const uint64_t least = beyond[t] < before ? beyond[t] : before;
        tail->mass[t + N] = before - least;
        before = least;
    }
    tail->beyond = before;
}

bool sc_table_tail_descend(sc_table_tail *tail, const sc_law *law, uint64_t d)
{
    enum { PLACES = 2 * N + 2 + REACH };
    level *l = sc_allocate(1, sizeof *l);
    tails *others = sc_allocate(PLACES + 1, sizeof *others), *events = others;
    if (l != NULL && others != NULL) {
        fill(law, tail->width, d, l);
        for (int s = 0; s < PLACES; s++)
            others_beyond(l, s - N, others[s]);
        events = others + PLACES;
        for (int t = 0; t <= REACH; t++)
            (*events)[t] = event_at(tail, l, (const tails *)others, t);
        set_tails(tail, *events);
    }
    const bool is_done = l != NULL && others != NULL;
    sc_free(others);
    sc_free(l);
    return is_done;
}

void sc_table_tail_lower(const sc_table_tail *tail, const sc_ratio *beta,
                         sc_int128 *radius)
{
    SC_OWN(sc_ratio, limit);
    SC_OWN(sc_integer, units);
    sc_int128 most = 0;
    sc_ratio_set_int128(&limit, (sc_int128)ONE / 2);
    sc_ratio_mul(&limit, &limit, beta);
    sc_ratio_floor(&limit, &units);
    if (!sc_integer_get_int128(&units, &most))
        return;
    uint64_t beyond = tail->beyond;
    for (int t = REACH; t >= 0 && (sc_int128)beyond <= most; t--) {
        if (t * tail->width < *radius)
            *radius = t * tail->width;
        beyond = add(beyond, tail->mass[t + N]);
    }
}
