#include "mechanism/threshold/group_division.h"

#include "mechanism/noise/gaussian_calibration.h"
#include "mechanism/threshold/noisy_threshold.h"

#define BOXES 96 /* more are not looked at: what is then the largest bound stands */
#define LOSS_PLACES 512 /* binary places of epsilon + (i - j) L, rounded down */

/* All i and j between two of each, and at least g of all. */
typedef struct box {
    uint64_t i1, i2, j1, j2;
    sc_ball bound;
} box;

typedef struct search {
    const sc_group_division *division;
    const sc_ratio *epsilon;
    const sc_ball *enough;
    long bits;
    sc_ball loss; /* L */
    box boxes[BOXES];
    size_t count;
    bool is_too_much; /* one division is above what is enough */
} search;

static uint64_t move_of(const sc_group_division *d)
{
    return d->move == 0 ? 1 : d->move;
}

/* epsilon + (i - j) L, or a little less: delta falls as it grows. */
static void argument_lower(const search *s, uint64_t i, uint64_t j, sc_ratio *out)
{
    sc_ratio_set(out, s->epsilon);
    if (i == j)
        return;
    SC_OWN(sc_ball, x, epsilon);
    sc_ball_mul_int64(&x, &s->loss, (int64_t)i - (int64_t)j, s->bits);
    sc_ball_set_ratio(&epsilon, s->epsilon, LOSS_PLACES);
    sc_ball_add(&x, &x, &epsilon, LOSS_PLACES);
    /* For variances of at least 1/64, L is below 2^6 and its factor at most 2^20: this bound is below them all. */
    if (!sc_ball_round_down(&x, LOSS_PLACES, out))
        sc_ratio_set_int64(out, -((int64_t)1 << 40));
}

/* 1 - exp(-i L) (1 - D) = D exp(-i L) - expm1(-i L). */
static void bound_of(const search *s, box *b)
{
    const sc_group_division *d = s->division;
    const uint64_t all = d->is_replace ? 2 * d->groups : d->groups;
    SC_OWN(sc_ratio, argument);
    SC_OWN(sc_ball, hidden, gap);
    argument_lower(s, b->i2, b->j2, &argument);
    sc_gaussian_draws_moved_upper(d->variance, all - b->i1 - b->j1, move_of(d), &argument,
                                  s->bits, &b->bound);
    sc_ball_mul_int64(&gap, &s->loss, -(int64_t)b->i2, s->bits);
    sc_ball_exp(&hidden, &gap, s->bits);
    sc_ball_expm1(&gap, &gap, s->bits);
    sc_ball_mul(&b->bound, &b->bound, &hidden, s->bits);
    sc_ball_sub(&b->bound, &b->bound, &gap, s->bits);
    sc_ball_set_upper(&b->bound, &b->bound, s->bits);
}

static bool is_single(const box *b)
{
    return b->i1 == b->i2 && b->j1 == b->j2;
}

/* Boxes without a division in them are dropped. */
static void put(search *s, size_t at, uint64_t i1, uint64_t i2, uint64_t j1, uint64_t j2)
{
    if (i1 > i2 || j1 > j2)
        return;
    box *b = &s->boxes[at];
    if (at == s->count) {
        sc_ball_init(&b->bound);
        s->count++;
    }
    b->i1 = i1;
    b->i2 = i2;
    b->j1 = j1;
    b->j2 = j2;
    bound_of(s, b);
    s->is_too_much = s->is_too_much || (is_single(b) && s->enough != NULL &&
                                        sc_ball_is_less(s->enough, &b->bound));
}

/* The ends, which are the worst as a rule, on their own. */
static void begin(search *s)
{
    const uint64_t n = s->division->groups;
    put(s, s->count, 0, 0, 0, 0);
    put(s, s->count, n, n, 0, 0);
    if (s->division->is_replace) {
        put(s, s->count, 0, 0, 1, n);
        put(s, s->count, 1, n - 1, 0, n);
        put(s, s->count, n, n, 1, n);
    } else {
        put(s, s->count, 1, n - 1, 0, 0);
        put(s, s->count, 0, 0, 1, n);
    }
}

static size_t largest(const search *s)
{
    size_t at = 0;
    for (size_t i = 1; i < s->count; i++)
        if (sc_ball_is_less(&s->boxes[at].bound, &s->boxes[i].bound))
            at = i;
    return at;
}

/* Halves the wider side. */
static void split(search *s, size_t at)
{
    const uint64_t i1 = s->boxes[at].i1, i2 = s->boxes[at].i2;
    const uint64_t j1 = s->boxes[at].j1, j2 = s->boxes[at].j2;
    if (i2 - i1 >= j2 - j1) {
        const uint64_t middle = i1 + (i2 - i1) / 2;
        put(s, at, i1, middle, j1, j2);
        put(s, s->count, middle + 1, i2, j1, j2);
    } else {
        const uint64_t middle = j1 + (j2 - j1) / 2;
        put(s, at, i1, i2, j1, middle);
        put(s, s->count, i1, i2, middle + 1, j2);
    }
}

static bool is_done(const search *s, const box *worst)
{
    return is_single(worst) || s->is_too_much || s->count == BOXES ||
           (s->enough != NULL && sc_ball_is_less_equal(&worst->bound, s->enough));
}

void sc_group_division_delta_upper(const sc_group_division *division,
                                   const sc_ratio *epsilon, const sc_ball *enough,
                                   long bits, sc_ball *out)
{
    search s = {.division = division, .epsilon = epsilon, .enough = enough, .bits = bits};
    sc_law noise;
    sc_ball_init(&s.loss);
    sc_law_init(&noise, &sc_discrete_gaussian_law, division->variance, 0);
    sc_noisy_threshold_loss(
        &noise, division->threshold - (int64_t)(move_of(division) - 1), bits, &s.loss);
    begin(&s);
    size_t worst = largest(&s);
    while (!is_done(&s, &s.boxes[worst])) {
        split(&s, worst);
        worst = largest(&s);
    }
    sc_ball_set(out, &s.boxes[worst].bound);
    for (size_t i = 0; i < s.count; i++)
        sc_ball_clear(&s.boxes[i].bound);
    sc_law_clear(&noise);
    sc_ball_clear(&s.loss);
}
