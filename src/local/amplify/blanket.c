#include "local/amplify/blanket.h"

#include "base/number/ball_double.h"
#include "local/amplify/blanket_sums.h"

#include <math.h>
#include <stdlib.h>

#define BITS SC_AMPLIFY_BITS
/* The part of delta that is left out; and what a grid, or a block, may add to epsilon: parts of it. */
#define LEFT_OUT 0x1p-40
#define TOLERANCE 2e-7
#define STEPS_MOST 30000 /* of a grid, about */
#define BLOCKS_MOST 300

typedef struct block {
    uint64_t first, count; /* of s */
    sc_common_part part;   /* of n - first reports */
} block;

struct sc_blanket {
    sc_blanket_law law;
    uint64_t n;
    sc_binomial_window s;
    sc_common_law common;
    sc_ball mean; /* of one report that is not among s, in the common part */
    block *blocks;
    size_t block_count;
};

void sc_blanket_law_init(sc_blanket_law *law)
{
    sc_ball_init(&law->p);
    sc_ball_init(&law->r);
    sc_ball_init(&law->t11);
    sc_ball_init(&law->t10);
}

void sc_blanket_law_clear(sc_blanket_law *law)
{
    sc_ball_clear(&law->t10);
    sc_ball_clear(&law->t11);
    sc_ball_clear(&law->r);
    sc_ball_clear(&law->p);
}

void sc_blanket_free(sc_blanket *blanket)
{
    if (blanket == NULL)
        return;
    for (size_t i = 0; i < blanket->block_count; i++)
        sc_common_part_clear(&blanket->blocks[i].part);
    free(blanket->blocks);
    sc_ball_clear(&blanket->mean);
    sc_ball_clear(&blanket->common.w10);
    sc_ball_clear(&blanket->common.w11);
    sc_ball_clear(&blanket->common.p);
    sc_binomial_window_clear(&blanket->s);
    sc_blanket_law_clear(&blanket->law);
    free(blanket);
}

/* Preparing. */

static void copy_law(sc_blanket *blanket, const sc_blanket_law *law)
{
    SC_OWN(sc_ball, rest);
    sc_common_law *common = &blanket->common;
    sc_ball_set(&blanket->law.p, &law->p);
    sc_ball_set(&blanket->law.r, &law->r);
    sc_ball_set(&blanket->law.t11, &law->t11);
    sc_ball_set(&blanket->law.t10, &law->t10);
    sc_ball_mul_int64(&rest, &law->r, -2, BITS);
    sc_ball_add_int64(&rest, &rest, 1, BITS);
    sc_ball_set(&common->p, &law->p);
    sc_ball_div(&common->w11, &law->t11, &rest, BITS);
    sc_ball_div(&common->w10, &law->t10, &rest, BITS);
    sc_ball_mul(&blanket->mean, &common->p, &common->w11, BITS);
    sc_ball_add(&blanket->mean, &blanket->mean, &common->w10, BITS);
}

static sc_blanket *make(const sc_blanket_law *law, uint64_t n)
{
    sc_blanket *blanket = calloc(1, sizeof *blanket);
    if (blanket == NULL)
        return NULL;
    blanket->n = n;
    sc_blanket_law_init(&blanket->law);
    sc_binomial_window_init(&blanket->s);
    sc_ball_init(&blanket->common.p);
    sc_ball_init(&blanket->common.w11);
    sc_ball_init(&blanket->common.w10);
    sc_ball_init(&blanket->mean);
    copy_law(blanket, law);
    return blanket;
}

/* How fine the common part is kept: the step of the grid and the length of blocks. Its deviation,
 * against that of the part that decides, is what it can add to epsilon, squared and halved. */
typedef struct fineness {
    double step;
    uint64_t block;
} fineness;

static fineness choose(const sc_blanket *blanket, double epsilon)
{
    const double p = sc_ball_upper(&blanket->common.p),
                 w11 = sc_ball_upper(&blanket->common.w11),
                 w10 = sc_ball_upper(&blanket->common.w10),
                 r = sc_ball_upper(&blanket->law.r), n = (double)blanket->n;
    const double mean = p * w11 + w10;
    const double variance = n * (1 - 2 * r) * (p * p * w11 + w10 - mean * mean);
    const double decides = (p - 1) * (p - 1) * 2 * n * r;
    const double q = expm1(epsilon);
    const double share = fmin(q * q * variance / decides, 1);
    const double finest = (8 * p + 16 * sqrt(variance)) / STEPS_MOST;
    const double step = sqrt(6 * TOLERANCE * variance / share);
    const double length =
        fmax(n * TOLERANCE / share, (double)blanket->s.count / BLOCKS_MOST);
    return (fineness){fmax(step, finest),
                      length < 1 ? 1 : (uint64_t)ceil(fmin(length, n))};
}

static scrim_status add_block(sc_blanket *blanket, uint64_t first, uint64_t count,
                              double step, double depth, scrim_error *error)
{
    block *added = &blanket->blocks[blanket->block_count++];
    added->first = first;
    added->count = count;
    sc_common_part_init(&added->part);
    return sc_common_part_set(&added->part, blanket->n - first, &blanket->common, step,
                              depth, error);
}

static scrim_status add_blocks(sc_blanket *blanket, double epsilon, double depth,
                               scrim_error *error)
{
    const fineness fine = choose(blanket, epsilon);
    const uint64_t count = blanket->s.count;
    const size_t blocks = (size_t)((count - 1) / fine.block + 1);
    blanket->blocks = calloc(blocks, sizeof *blanket->blocks);
    if (blanket->blocks == NULL)
        return sc_no_memory(error, "an amplification");
    scrim_status status = SCRIM_OK;
    for (uint64_t at = 0; at < count && status == SCRIM_OK; at += fine.block) {
        const uint64_t rest = count - at;
        status =
            add_block(blanket, blanket->s.first + at,
                      rest < fine.block ? rest : fine.block, fine.step, depth, error);
    }
    return status;
}

scrim_status sc_blanket_new(const sc_blanket_law *law, uint64_t n, double delta,
                            double epsilon, sc_blanket **out, scrim_error *error)
{
    SC_OWN(sc_ball, twice);
    sc_blanket *blanket = make(law, n);
    if (blanket == NULL)
        return sc_no_memory(error, "an amplification");
    const double depth = -log(delta * LEFT_OUT / sc_ball_upper(&law->p));
    sc_ball_mul_int64(&twice, &law->r, 2, BITS);
    scrim_status status = sc_binomial_window_set(&blanket->s, n, &twice, depth, error);
    if (status == SCRIM_OK && epsilon > 0)
        status = add_blocks(blanket, epsilon, depth, error);
    if (status != SCRIM_OK) {
        sc_blanket_free(blanket);
        return status;
    }
    *out = blanket;
    return SCRIM_OK;
}

/* Evaluating. */

/* With a of the s reports on the better side: X_1 + ... = alpha a - beta s - q V, where q = rho - 1. */
typedef struct slopes {
    sc_ball alpha, beta, q;
} slopes;

static void slopes_init(slopes *x)
{
    sc_ball_init(&x->alpha);
    sc_ball_init(&x->beta);
    sc_ball_init(&x->q);
}

static void slopes_clear(slopes *x)
{
    sc_ball_clear(&x->q);
    sc_ball_clear(&x->beta);
    sc_ball_clear(&x->alpha);
}

/* alpha = (p - 1)(rho + 1), beta = rho p - 1. */
static void slopes_set(slopes *x, const sc_blanket *blanket, const sc_ball *rho)
{
    SC_OWN(sc_ball, term);
    sc_ball_add_int64(&x->q, rho, -1, BITS);
    sc_ball_add_int64(&x->alpha, rho, 1, BITS);
    sc_ball_add_int64(&term, &blanket->law.p, -1, BITS);
    sc_ball_mul(&x->alpha, &x->alpha, &term, BITS);
    sc_ball_mul(&x->beta, rho, &blanket->law.p, BITS);
    sc_ball_add_int64(&x->beta, &x->beta, -1, BITS);
}

/* The sum of slope j + offset over j > tail.j, each with its probability. */
static void add_line(const sc_half_tail *tail, const sc_ball *slope,
                     const sc_ball *offset, sc_ball *out)
{
    SC_OWN(sc_ball, mass, mean, term);
    sc_half_tail_above(tail, &mass, &mean);
    sc_ball_mul(&term, &mean, slope, BITS);
    sc_ball_add(out, out, &term, BITS);
    sc_ball_mul(&term, &mass, offset, BITS);
    sc_ball_add(out, out, &term, BITS);
}

/* The same of tail.j itself, if it is positive: where the line crosses 0 below the first place. */
static void add_own(const sc_half_tail *tail, const sc_ball *slope, const sc_ball *offset,
                    sc_ball *out)
{
    SC_OWN(sc_ball, at);
    sc_ball_mul_int64(&at, slope, (int64_t)tail->j, BITS);
    sc_ball_add(&at, &at, offset, BITS);
    if (!sc_ball_is_positive(&at))
        return;
    sc_ball_mul(&at, &at, &tail->mass, BITS);
    sc_ball_add(out, out, &at, BITS);
}

/* One block for one rho. With a = j the bound is q step times the part's call at t = by_j j + by_s s +
 * constant. */
typedef struct reading {
    const sc_common_part *part;
    sc_ball by_j, by_s, constant;
    double by_j_near; /* for where to look */
} reading;

static void reading_init(reading *x)
{
    sc_ball_init(&x->by_j);
    sc_ball_init(&x->by_s);
    sc_ball_init(&x->constant);
}

static void reading_clear(reading *x)
{
    sc_ball_clear(&x->constant);
    sc_ball_clear(&x->by_s);
    sc_ball_clear(&x->by_j);
}

static void reading_set(reading *x, const sc_blanket *blanket, const block *at,
                        const slopes *by)
{
    SC_OWN(sc_ball, scale);
    x->part = &at->part;
    sc_ball_mul(&scale, &by->q, &at->part.step, BITS);
    sc_ball_div(&x->by_j, &by->alpha, &scale, BITS);
    sc_ball_mul(&x->by_s, &by->q, &blanket->mean, BITS);
    sc_ball_sub(&x->by_s, &x->by_s, &by->beta, BITS);
    sc_ball_div(&x->by_s, &x->by_s, &scale, BITS);
    sc_ball_mul_int64(&x->constant, &blanket->mean, (int64_t)at->first, BITS);
    sc_ball_add(&x->constant, &x->constant, &at->part.start, BITS);
    sc_ball_neg(&x->constant, &x->constant);
    sc_ball_div(&x->constant, &x->constant, &at->part.step, BITS);
    x->by_j_near = sc_ball_lower(&x->by_j);
}

/* The place in 1..s just above which a line through (0, offset) with this slope reaches `level`. */
static uint64_t find_j(double slope, double offset, double level, uint64_t s)
{
    const double j = (level - offset) / slope;
    return !(j > 1) ? 1 : j < (double)s ? (uint64_t)j : s;
}

/* E max(0, ...) given s, in units of q step. Above tail.j all of the part counts, and the bound is a
 * line; from there down it is read from the grid. */
static void add_given_s(const reading *x, sc_half_tail *tail, uint64_t s, sc_ball *out)
{
    SC_OWN(sc_ball, offset, line, shift, t, mass, whole);
    const sc_common_part *part = x->part;
    const size_t last = part->count - 1;
    sc_ball_mul_int64(&offset, &x->by_s, (int64_t)s, BITS);
    sc_ball_add(&offset, &offset, &x->constant, BITS);
    sc_half_tail_move(tail, s,
                      find_j(x->by_j_near, sc_ball_lower(&offset) - 1, (double)last, s) +
                          (s > 1));
    /* call[last] + (t - last) below[last] */
    sc_ball_set_double(&whole, part->below[last]);
    sc_ball_mul(&line, &x->by_j, &whole, BITS);
    sc_ball_add_int64(&shift, &offset, -(int64_t)last, BITS);
    sc_ball_mul(&shift, &shift, &whole, BITS);
    sc_ball_set_double(&whole, part->call[last]);
    sc_ball_add(&shift, &shift, &whole, BITS);
    add_line(tail, &line, &shift, out);
    sc_ball_set(&mass, &tail->mass);
    for (uint64_t j = tail->j; j > 0; j--) {
        sc_ball_mul_int64(&t, &x->by_j, (int64_t)j, BITS);
        sc_ball_add(&t, &t, &offset, BITS);
        const double place = sc_ball_upper(&t);
        if (!(place > 0))
            break;
        sc_ball_set_double(&t, sc_common_part_call(part, place));
        sc_ball_mul(&t, &t, &mass, BITS);
        sc_ball_add(out, out, &t, BITS);
        sc_half_tail_mass_below(&mass, s, j);
    }
}

static void add_block_upper(const sc_blanket *blanket, const block *at, const slopes *by,
                            sc_half_tail *tail, sc_ball *out)
{
    SC_OWN(sc_ball, given, sum);
    reading x;
    reading_init(&x);
    reading_set(&x, blanket, at, by);
    for (uint64_t s = at->first; s < at->first + at->count; s++) {
        if (s == 0)
            continue;
        sc_ball_set_int64(&given, 0);
        add_given_s(&x, tail, s, &given);
        sc_ball_mul(&given, &given, &blanket->s.mass[s - blanket->s.first], BITS);
        sc_ball_add(&sum, &sum, &given, BITS);
    }
    sc_ball_mul(&sum, &sum, &by->q, BITS);
    sc_ball_mul(&sum, &sum, &at->part.step, BITS);
    sc_ball_add(out, out, &sum, BITS);
    reading_clear(&x);
}

/* The part that was left out: a device gains at most p - rho from each report on its side, half of s on
 * average. */
static void add_left_out(const sc_blanket *blanket, const sc_ball *rho, sc_ball *out)
{
    SC_OWN(sc_ball, lost, worst);
    sc_ball_add(&lost, &blanket->s.below, &blanket->s.above, BITS);
    for (size_t i = 0; i < blanket->block_count; i++)
        sc_ball_add(&lost, &lost, &blanket->blocks[i].part.lost, BITS);
    sc_ball_sub(&worst, &blanket->law.p, rho, BITS);
    sc_ball_mul(&lost, &lost, &worst, BITS);
    sc_ball_mul_power2(&lost, &lost, -1);
    sc_ball_add(out, out, &lost, BITS);
}

void sc_blanket_upper(const sc_blanket *blanket, const sc_ball *rho, sc_ball *out)
{
    slopes by;
    sc_half_tail tail;
    slopes_init(&by);
    sc_half_tail_init(&tail);
    slopes_set(&by, blanket, rho);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < blanket->block_count; i++)
        add_block_upper(blanket, &blanket->blocks[i], &by, &tail, out);
    sc_ball_div_int64(out, out, (int64_t)blanket->n, BITS);
    add_left_out(blanket, rho, out);
    sc_half_tail_clear(&tail);
    slopes_clear(&by);
}

/* The common part at its mean: alpha a - beta s - q mean (n - s). */
static void add_lower(const sc_blanket *blanket, const slopes *by, sc_half_tail *tail,
                      sc_ball *out)
{
    SC_OWN(sc_ball, offset, loss, given);
    const double slope = sc_ball_upper(&by->alpha);
    sc_ball_mul(&loss, &by->q, &blanket->mean, BITS);
    for (size_t i = 0; i < blanket->s.count; i++) {
        const uint64_t s = blanket->s.first + i;
        if (s == 0)
            continue;
        sc_ball_mul_int64(&offset, &by->beta, -(int64_t)s, BITS);
        sc_ball_mul_int64(&given, &loss, -(int64_t)(blanket->n - s), BITS);
        sc_ball_add(&offset, &offset, &given, BITS);
        sc_half_tail_move(tail, s, find_j(slope, sc_ball_upper(&offset), 0, s));
        sc_ball_set_int64(&given, 0);
        add_line(tail, &by->alpha, &offset, &given);
        add_own(tail, &by->alpha, &offset, &given);
        sc_ball_mul(&given, &given, &blanket->s.mass[i], BITS);
        if (sc_ball_is_positive(&given))
            sc_ball_add(out, out, &given, BITS);
    }
}

void sc_blanket_lower(const sc_blanket *blanket, const sc_ball *rho, sc_ball *out)
{
    slopes by;
    sc_half_tail tail;
    slopes_init(&by);
    sc_half_tail_init(&tail);
    slopes_set(&by, blanket, rho);
    sc_ball_set_int64(out, 0);
    add_lower(blanket, &by, &tail, out);
    sc_ball_div_int64(out, out, (int64_t)blanket->n, BITS);
    sc_half_tail_clear(&tail);
    slopes_clear(&by);
}
