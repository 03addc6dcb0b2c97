#include "model/vector_loss.h"

#include "base/memory.h"
#include "model/data_number.h"
#include "model/renyi_conversion.h"
#include "sampling/law.h"

void sc_shifted_loss_init(sc_shifted_loss *loss, const sc_ratio *epsilon, uint64_t q,
                          long bits)
{
    const sc_int128 all = (sc_int128)q, half = all / 2;
    sc_law law;
    sc_law_init(&law, &sc_shifted_laplace_law, epsilon, all);
    sc_ball_init(&loss->infinite);
    sc_ball_init(&loss->up);
    sc_ball_init(&loss->level);
    sc_ball_init(&loss->down);
    sc_law_pmf(&law, 0, bits, &loss->infinite);
    /* With q = 1 nothing lies between the two ends. */
    if (half > 0) {
        sc_law_between(&law, -half, -1, bits, &loss->up);
        sc_law_between(&law, -all, -all + half - 1, bits, &loss->down);
    }
    if (all % 2 != 0)
        sc_law_pmf(&law, -half, bits, &loss->level);
    sc_law_clear(&law);
}

void sc_shifted_loss_clear(sc_shifted_loss *loss)
{
    sc_ball_clear(&loss->down);
    sc_ball_clear(&loss->level);
    sc_ball_clear(&loss->up);
    sc_ball_clear(&loss->infinite);
}

/* max(0, 1 - exp(at - steps epsilon)), decided by rationals. */
static bool gain(const sc_ratio *epsilon, sc_int128 steps, const sc_ratio *at, long bits,
                 sc_ball *out)
{
    SC_OWN(sc_ratio, gap);
    sc_ratio_set_int128(&gap, steps);
    sc_ratio_mul(&gap, &gap, epsilon);
    sc_ratio_sub(&gap, at, &gap);
    const bool is_gain = sc_ratio_sign(&gap) < 0;
    if (is_gain) {
        sc_ball_set_ratio(out, &gap, bits);
        sc_ball_expm1(out, out, bits);
        sc_ball_neg(out, out);
    }
    return is_gain;
}

/* K!/(i! j! (K-i-j)!) up^i down^j level^(K-i-j); 0^0 is 1. */
static void term(const sc_shifted_loss *loss, uint64_t copies, uint64_t i, uint64_t j,
                 long bits, sc_ball *out)
{
    const uint64_t rest = copies - i - j;
    SC_OWN(sc_ball, part);
    sc_ball_factorial(out, copies, bits);
    const uint64_t below[] = {i, j, rest};
    const sc_ball *const base[] = {&loss->up, &loss->down, &loss->level};
    for (int k = 0; k < 3; k++) {
        sc_ball_factorial(&part, below[k], bits);
        sc_ball_div(out, out, &part, bits);
        sc_ball_power(&part, base[k], below[k], bits);
        sc_ball_mul(out, out, &part, bits);
    }
}

/* 1 - (1 - d)^K. Of one and of two copies as polynomials, which are exact where d is. */
static void any_infinite(const sc_ball *d, uint64_t copies, long bits, sc_ball *out)
{
    if (copies == 1) {
        sc_ball_set(out, d);
        return;
    }
    if (copies == 2) {
        sc_ball_neg(out, d);
        sc_ball_add_int64(out, out, 2, bits);
        sc_ball_mul(out, out, d, bits);
        return;
    }
    sc_ball_neg(out, d);
    sc_ball_log1p(out, out, bits);
    sc_ball_mul_int64(out, out, (int64_t)copies, bits);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
}

void sc_shifted_loss_delta(const sc_shifted_loss *loss, const sc_ratio *epsilon,
                           uint64_t copies, const sc_ratio *at, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, factor, mass);
    any_infinite(&loss->infinite, copies, bits, out);
    for (uint64_t i = 1; i <= copies; i++)
        for (uint64_t j = 0; j <= copies - i; j++) {
            if (!gain(epsilon, (sc_int128)i - (sc_int128)j, at, bits, &factor))
                break; /* the larger j, the smaller the loss */
            term(loss, copies, i, j, bits, &mass);
            sc_ball_mul(&mass, &mass, &factor, bits);
            sc_ball_add(out, out, &mass, bits);
        }
}

static sc_landing landing_of_ratio(const sc_grid *grid, const sc_ratio *x)
{
    sc_landing landing = {.place = sc_grid_of_ratio(grid, x)};
    SC_OWN(sc_ratio, steps);
    sc_grid_step(grid, &steps);
    sc_ratio_div(&steps, x, &steps);
    landing.is_below = sc_ratio_compare_int64(&steps, grid->low) < 0;
    landing.is_above = sc_ratio_compare_int64(&steps, grid->high) > 0;
    landing.is_rounded =
        !landing.is_below && !landing.is_above && !sc_ratio_is_integer(&steps);
    return landing;
}

bool sc_landing_of_text(const sc_grid *grid, sc_text text, sc_landing *out)
{
    SC_OWN(sc_ratio, value);
    const bool is_read = sc_data_number_value(text, &value);
    if (is_read)
        *out = landing_of_ratio(grid, &value);
    return is_read;
}

#define BITS 192L
#define TAIL_BITS 160 /* of noise, 2^-160 lies beyond reach */
#define STEPS 200000  /* products of two balls, for all moves together */
#define ACCURATE 8

/* One move: the unnormalised tails of W at -reach to reach. */
typedef struct move {
    uint64_t square;
    size_t parts;
    int64_t reach;
    sc_ball *tails;
} move;

struct sc_vector_loss {
    sc_ratio variance;
    int64_t reach;         /* of Y */
    sc_ball *weights;      /* exp(-y^2 / 2v) at -reach to reach */
    sc_ball total, beyond; /* of all weights; of those beyond reach, an upper bound */
    move *moves;
    size_t count, capacity;
};

/* Maximal moves. */

/* The numbers of a move so far, the largest first, and the law of W with them. */
typedef struct search {
    sc_vector_loss *loss; /* NULL: moves are counted */
    int64_t reach;
    uint64_t numbers;
    uint64_t square; /* all that is allowed */
    size_t found;
    uint64_t steps; /* that it takes */
    scrim_status status;
} search;

typedef struct partial {
    uint64_t least, square;
    size_t parts;
    int64_t reach; /* of W */
    const sc_ball *law;
} partial;

/* Raising x by 1 adds 2x + 1; a number that is 0 still can be raised while there is one. */
static bool is_maximal(const search *s, const partial *p)
{
    const uint64_t rest = s->square - p->square;
    return p->parts > 0 &&
           (rest == 0 || (p->parts == s->numbers && rest < 2 * p->least + 1));
}

static sc_ball *convolve(const sc_vector_loss *loss, const partial *p, int64_t by)
{
    const int64_t reach = p->reach + by * loss->reach;
    sc_ball *law = sc_balls_new((size_t)(2 * reach + 1));
    if (law == NULL)
        return NULL;
    SC_OWN(sc_ball, product);
    for (int64_t i = -p->reach; i <= p->reach; i++)
        for (int64_t y = -loss->reach; y <= loss->reach; y++) {
            sc_ball *sum = &law[i + by * y + reach];
            sc_ball_mul(&product, &p->law[i + p->reach], &loss->weights[y + loss->reach],
                        BITS);
            sc_ball_add(sum, sum, &product, BITS);
        }
    return law;
}

static bool make_room(sc_vector_loss *loss)
{
    if (loss->count < loss->capacity)
        return true;
    const size_t capacity = 2 * loss->capacity + 4;
    move *moves = sc_allocate(capacity, sizeof *moves);
    if (moves == NULL)
        return false;
    for (size_t i = 0; i < loss->count; i++)
        moves[i] = loss->moves[i];
    sc_free(loss->moves);
    loss->moves = moves;
    loss->capacity = capacity;
    return true;
}

/* tails[k] = P(W >= k), unnormalised. */
static void keep_move(search *s, const partial *p)
{
    sc_vector_loss *loss = s->loss;
    const size_t count = (size_t)(2 * p->reach + 1);
    sc_ball *tails = sc_balls_new(count);
    if (tails == NULL || !make_room(loss)) {
        sc_balls_free(tails, tails == NULL ? 0 : count);
        s->status = SCRIM_E_MEMORY;
        return;
    }
    sc_ball_set(&tails[count - 1], &p->law[count - 1]);
    for (size_t i = count - 1; i-- > 0;)
        sc_ball_add(&tails[i], &tails[i + 1], &p->law[i], BITS);
    loss->moves[loss->count++] = (move){p->square, p->parts, p->reach, tails};
}

static void extend(search *s, const partial *p);

static void extend_by(search *s, const partial *p, uint64_t by)
{
    partial next = {.least = by,
                    .square = p->square + by * by,
                    .parts = p->parts + 1,
                    .reach = p->reach + (int64_t)by * s->reach};
    sc_ball *law = NULL;
    s->steps += (uint64_t)(2 * p->reach + 1) * (uint64_t)(2 * s->reach + 1);
    if (s->loss != NULL) {
        next.law = law = convolve(s->loss, p, (int64_t)by);
        if (law == NULL)
            s->status = SCRIM_E_MEMORY;
    }
    if (s->status == SCRIM_OK)
        extend(s, &next);
    if (law != NULL)
        sc_balls_free(law, (size_t)(2 * next.reach + 1));
}

/* The search ends where counting has shown enough. */
static void extend(search *s, const partial *p)
{
    if (is_maximal(s, p)) {
        s->found++;
        if (s->loss != NULL)
            keep_move(s, p);
        return;
    }
    if (p->parts == s->numbers)
        return;
    for (uint64_t by = p->least;
         by > 0 && s->status == SCRIM_OK && (s->loss != NULL || s->steps <= STEPS); by--)
        if (by * by <= s->square - p->square)
            extend_by(s, p, by);
}

static void search_all(search *s)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    extend(s, &(partial){.least = SC_VECTOR_LOSS_SQUARE, .law = &one});
}

size_t sc_vector_loss_count(uint64_t square, uint64_t numbers)
{
    search s = {.numbers = numbers, .square = square};
    search_all(&s);
    return s.found;
}

/* The noise. */

/* The least r with r^2 / 2v >= (TAIL_BITS + 8) ln 2, rounded up; -1 where it is far too many. */
static int64_t reach_of(const sc_ratio *variance)
{
    uint64_t reach = 0;
    SC_OWN(sc_ratio, square, factor);
    SC_OWN(sc_integer, root);
    sc_ratio_set_quotient(&factor, (int64_t)1387 * (TAIL_BITS + 8),
                          1000); /* 2 ln 2 < 1.387 */
    sc_ratio_mul(&square, variance, &factor);
    sc_ratio_ceil(&square, &root);
    sc_integer_sqrt(&root, &root);
    const bool fits = sc_integer_get_uint64(&root, &reach) && reach < STEPS;
    return fits ? (int64_t)reach + 1 : -1;
}

/* exp(-y^2/2v) by ratios that fall by the same factor: g, g^3, g^5 ... with g = exp(-1/2v). */
static void set_weights(sc_vector_loss *loss)
{
    SC_OWN(sc_ratio, exponent);
    SC_OWN(sc_ball, ratio, square, weight);
    sc_ratio_set_quotient(&exponent, -1, 2);
    sc_ratio_div(&exponent, &exponent, &loss->variance);
    sc_ball_set_ratio(&ratio, &exponent, BITS);
    sc_ball_exp(&ratio, &ratio, BITS);
    sc_ball_mul(&square, &ratio, &ratio, BITS);
    sc_ball_set_int64(&weight, 1);
    sc_ball_set_int64(&loss->total, 0);
    for (int64_t y = 0; y <= loss->reach; y++) {
        sc_ball_set(&loss->weights[loss->reach + y], &weight);
        sc_ball_set(&loss->weights[loss->reach - y], &weight);
        sc_ball_add(&loss->total, &loss->total, &weight, BITS);
        if (y > 0)
            sc_ball_add(&loss->total, &loss->total, &weight, BITS);
        sc_ball_mul(&weight, &weight, &ratio, BITS);
        sc_ball_mul(&ratio, &ratio, &square, BITS);
    }
    /* weight is the first one beyond, on either side, and each further one is less by ratio or more:
     * 2 weight / (1 - ratio). */
    sc_ball_neg(&ratio, &ratio);
    sc_ball_add_int64(&ratio, &ratio, 1, BITS);
    sc_ball_mul_int64(&weight, &weight, 2, BITS);
    sc_ball_div(&loss->beyond, &weight, &ratio, BITS);
    sc_ball_widen(&loss->total, &loss->beyond);
}

static sc_vector_loss *new_empty(const sc_ratio *variance, int64_t reach)
{
    sc_vector_loss *loss = sc_allocate(1, sizeof *loss);
    if (loss == NULL)
        return NULL;
    loss->reach = reach;
    sc_ratio_init(&loss->variance);
    sc_ratio_set(&loss->variance, variance);
    sc_ball_init(&loss->total);
    sc_ball_init(&loss->beyond);
    loss->weights = sc_balls_new((size_t)(2 * reach + 1));
    return loss;
}

void sc_vector_loss_free(sc_vector_loss *loss)
{
    if (loss == NULL)
        return;
    for (size_t i = 0; i < loss->count; i++)
        sc_balls_free(loss->moves[i].tails, (size_t)(2 * loss->moves[i].reach + 1));
    sc_free(loss->moves);
    sc_balls_free(loss->weights, (size_t)(2 * loss->reach + 1));
    sc_ball_clear(&loss->beyond);
    sc_ball_clear(&loss->total);
    sc_ratio_clear(&loss->variance);
    sc_free(loss);
}

scrim_status sc_vector_loss_new(const sc_ratio *variance, uint64_t square,
                                uint64_t numbers, sc_vector_loss **out,
                                scrim_error *error)
{
    search s = {.reach = reach_of(variance), .numbers = numbers, .square = square};
    *out = NULL;
    SC_BALL_SCOPE(scope);
    if (s.reach > 0 && square <= SC_VECTOR_LOSS_SQUARE)
        search_all(&s);
    if (s.found == 0 || s.steps > STEPS)
        return SCRIM_OK;
    sc_vector_loss *loss = new_empty(variance, s.reach);
    if (loss == NULL || loss->weights == NULL) {
        s.status = SCRIM_E_MEMORY;
    } else {
        set_weights(loss);
        s.loss = loss;
        search_all(&s);
    }
    if (s.status != SCRIM_OK) {
        sc_vector_loss_free(loss);
        return sc_fail(error, s.status, "out of memory for a measurement");
    }
    *out = loss;
    return SCRIM_OK;
}

/* Deltas. */

/* P(W > threshold), unnormalised. */
static void above(const move *m, const sc_ratio *threshold, sc_ball *out)
{
    sc_int128 first = 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_floor(threshold, &whole);
    if (!sc_integer_get_int128(&whole, &first))
        first = (sc_int128)sc_integer_sign(&whole) * ((sc_int128)1 << 100);
    first += 1;
    if (first > m->reach)
        sc_ball_set_int64(out, 0);
    else
        sc_ball_set(out, &m->tails[first < -m->reach ? 0 : first + m->reach]);
}

static void delta_of(const sc_vector_loss *loss, const move *m, const sc_ratio *epsilon,
                     const sc_ball *odds, sc_ball *out)
{
    SC_OWN(sc_ratio, centre, half, threshold);
    SC_OWN(sc_ball, second, scale, missed);
    sc_ratio_mul(&centre, epsilon, &loss->variance);
    sc_ratio_set_quotient(&half, (int64_t)m->square, 2);
    sc_ratio_sub(&threshold, &centre, &half);
    above(m, &threshold, out);
    sc_ratio_add(&threshold, &centre, &half);
    above(m, &threshold, &second);
    sc_ball_mul(&second, &second, odds, BITS);
    sc_ball_sub(out, out, &second, BITS);
    sc_ball_power(&scale, &loss->total, m->parts, BITS);
    sc_ball_div(out, out, &scale, BITS);
    /* Mass beyond reach in one number or another, in either probability; totals are above 1. */
    sc_ball_add_int64(&missed, odds, 1, BITS);
    sc_ball_mul(&missed, &missed, &loss->beyond, BITS);
    sc_ball_mul_int64(&missed, &missed, (int64_t)m->parts, BITS);
    sc_ball_widen(out, &missed);
}

/* A ball around the larger of two numbers: it covers both balls where they overlap. */
static void take_larger(sc_ball *out, const sc_ball *other)
{
    if (sc_ball_is_less(out, other))
        sc_ball_set(out, other);
    else if (!sc_ball_is_less(other, out))
        sc_ball_set_union(out, out, other, BITS);
}

void sc_vector_loss_delta(const sc_vector_loss *loss, const sc_ratio *epsilon,
                          sc_ball *out)
{
    SC_OWN(sc_ball, odds, one);
    sc_ball_set_ratio(&odds, epsilon, BITS);
    sc_ball_exp(&odds, &odds, BITS);
    delta_of(loss, &loss->moves[0], epsilon, &odds, out);
    for (size_t i = 1; i < loss->count; i++) {
        delta_of(loss, &loss->moves[i], epsilon, &odds, &one);
        take_larger(out, &one);
    }
}

/* The curve: far out, where so few bits tell nothing, what its concentration gives. */

static void vector_renyi(const sc_curve *curve, const sc_ratio *order, long bits,
                         sc_ball *out)
{
    SC_OWN(sc_ratio, line);
    sc_ratio_mul(&line, &curve->epsilon, order);
    sc_ball_set_ratio(out, &line, bits);
}

static void vector_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                         sc_ball *out)
{
    SC_OWN(sc_ball, other, upper);
    sc_vector_loss_delta(curve->context, epsilon, out);
    if (sc_ball_is_accurate(out, ACCURATE) ||
        !sc_renyi_log_delta(curve, epsilon, bits, &other))
        return;
    sc_ball_exp(&other, &other, bits);
    sc_ball_set_upper(&upper, out, bits);
    if (sc_ball_is_less(&other, &upper))
        sc_ball_set(out, &other);
}

static const sc_curve_functions vector = {
    .name = "gaussian-vector", .delta = vector_delta, .renyi = vector_renyi};

void sc_curve_set_vector(sc_curve *curve, const sc_vector_loss *loss, const sc_ratio *rho)
{
    curve->functions = &vector;
    sc_ratio_set(&curve->epsilon, rho);
    curve->context = loss;
}
