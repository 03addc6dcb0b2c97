#include "mechanism/selection/noisy_max.h"

#include "base/memory.h"
#include "mechanism/selection/scores.h"
#include "sampling/law.h"

/* Noise that is drawn at a time. */
#define BLOCK 256

/* The best of those seen so far. */
typedef struct leader {
    sc_int128 value;
    size_t index;
} leader;

/* Only a larger value takes the lead, so that the lowest index keeps a tie. */
static inline void contend(leader *best, sc_int128 value, size_t index)
{
    const uint64_t wins = sc_mask(value > best->value);
    best->index = (size_t)sc_mask_select(wins, index, best->index);
    best->value =
        (sc_int128)sc_mask_select_128(wins, (sc_uint128)value, (sc_uint128)best->value);
}

scrim_status sc_noisy_max_choose(sc_bits *bits, const sc_blocks *noise,
                                 const int64_t *scores, size_t count, size_t *out,
                                 scrim_error *error)
{
    sc_int128 drawn[BLOCK];
    leader best = {.value = SC_INT128_MIN};
    scrim_status status = SCRIM_OK;
    for (size_t start = 0; status == SCRIM_OK && start < count; start += BLOCK) {
        const size_t block = count - start < BLOCK ? count - start : BLOCK;
        status = sc_blocks_fill_wide(bits, noise, block, drawn, error);
        for (size_t i = 0; status == SCRIM_OK && i < block; i++)
            contend(&best, scores[start + i] + drawn[i], start + i);
    }
    if (status == SCRIM_OK)
        *out = best.index;
    sc_wipe(drawn, sizeof drawn);
    sc_wipe(&best, sizeof best);
    return status;
}

/* The way to choose, and the mechanism. */

static const char *const noises[] = {"laplace", "geometric", NULL};

typedef struct prepared {
    sc_blocks noise;
    bool is_geometric;
} prepared;

static scrim_status prepare(const scrim_measurement *m, sc_scores *s, scrim_error *error)
{
    prepared *p = sc_allocate(1, sizeof *p);
    if (p == NULL)
        return sc_no_memory(error, "a measurement");
    p->is_geometric = sc_parameters_word(&m->parameters, "noise", 0) == 1;
    const sc_blocks_law law = {.sides = p->is_geometric ? SC_SIDES_ONE : SC_SIDES_BOTH};
    scrim_status status = sc_blocks_init(&p->noise, &law, &s->rate, error);
    if (status == SCRIM_OK)
        s->prepared = p;
    else
        sc_free(p);
    return status;
}

static void discard(void *memory)
{
    prepared *p = memory;
    if (p != NULL)
        sc_blocks_clear(&p->noise);
    sc_free(p);
}

static scrim_status choose(const sc_scores *s, sc_bits *bits, const int64_t *scores,
                           size_t count, size_t *out, scrim_error *error)
{
    const prepared *p = s->prepared;
    return sc_noisy_max_choose(bits, &p->noise, scores, count, out, error);
}

static scrim_status probabilities(const sc_scores *s, const int64_t *scores, size_t count,
                                  long bits, sc_ball *out, scrim_error *error)
{
    const prepared *p = s->prepared;
    return sc_noisy_max_probabilities(&s->rate, p->is_geometric, scores, count, bits, out,
                                      error);
}

static void miss_upper(const sc_scores *s, uint64_t gap, size_t count, long bits,
                       sc_ball *out)
{
    const prepared *p = s->prepared;
    sc_noisy_max_miss(&s->rate, p->is_geometric, gap, count, bits, out);
}

static const sc_choice noisy_max_choice = {
    .prepare = prepare,
    .discard = discard,
    .choose = choose,
    .probabilities = probabilities,
    .miss_upper = miss_upper,
};

static const sc_parameter_rule parameters[] = {
    SC_SCORES_PARAMETERS,
    SC_RULE_WORD("noise", noises, "laplace or geometric"),
    SC_SCORES_LAST,
};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    return sc_scores_check(m, &noisy_max_choice, 1, error);
}

const sc_mechanism sc_noisy_max = {
    .entry = {.name = "noisy-max",
              .parameters = SC_SCORES_TEXT_REQUIRED
              " [" SC_SCORES_TEXT_OPTIONAL
              " noise=laplace|geometric]" SC_SCORES_TEXT_AUDIT,
              .input = "scores",
              .claim = "epsilon-DP, pure",
              .does = "Adds noise to each score and reports the candidate with the "
                      "largest result, without the score (report noisy max). The noise "
                      "is Laplace or, with noise=geometric, one-sided.",
              .example = "epsilon=1 sensitivity=1 neighbours=replace",
              .example_input = "310\n120\n330\n",
              .reference = "Dwork, Roth: The Algorithmic Foundations of Differential "
                           "Privacy, 2014, section 3.3; errata 53 and 54"},
    .check = check,
    .cost = sc_scores_cost_pure,
    SC_SCORES_MEMBERS,
    SC_SCORES_MEMBERS_ONE,
};

/* The sum over the value m of the noisy maximum:
 *
 *     P(i) = sum over m of p(m - s_i) prod_{j<i} F(m - 1 - s_j) prod_{j>i} F(m - s_j)
 *
 * p the law of the noise and F its distribution function, both made of powers of q = exp(-h).
 * Scores are counted from the lowest. m runs over a slice; what is beyond is enclosed. */
typedef struct slice {
    bool is_geometric;
    long bits;
    size_t count;
    const int64_t *scores;
    int64_t lowest;
    size_t best;      /* the first with the highest score */
    uint64_t range;   /* highest score, counted from the lowest */
    int64_t from, to; /* m */
    uint64_t powers;  /* how many there are of q^0, q^1, .. */
    sc_ball *power;
    sc_ball sum, less; /* 1 + q and 1 - q */
    sc_ball *now, *before,
        *suffix; /* of each candidate: F(m - s), F(m - 1 - s), a product */
} slice;

/* Steps after which q^steps < 2^-bits, and a few more; UINT64_MAX when they are too many. */
static uint64_t steps_for(const sc_ratio *rate, long bits)
{
    uint64_t count = 0;
    SC_OWN(sc_ratio, steps);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&steps, bits); /* ln 2 < 1 */
    sc_ratio_div(&steps, &steps, rate);
    sc_ratio_ceil(&steps, &whole);
    if (!sc_integer_get_uint64(&whole, &count))
        count = UINT64_MAX;
    return count;
}

/* F(k), for k within the slice of every candidate. */
static void at_most(const slice *w, int64_t k, sc_ball *out)
{
    if (k < 0) {
        if (w->is_geometric)
            sc_ball_set_int64(out, 0);
        else
            sc_ball_div(out, &w->power[-k], &w->sum, w->bits);
        return;
    }
    sc_ball_neg(out, &w->power[k + 1]);
    if (!w->is_geometric)
        sc_ball_div(out, out, &w->sum, w->bits);
    sc_ball_add_int64(out, out, 1, w->bits);
}

/* p(k), likewise. */
static void exactly(const slice *w, int64_t k, sc_ball *out)
{
    if (k < 0 && w->is_geometric) {
        sc_ball_set_int64(out, 0);
        return;
    }
    sc_ball_mul(out, &w->power[k < 0 ? -k : k], &w->less, w->bits);
    if (!w->is_geometric)
        sc_ball_div(out, out, &w->sum, w->bits);
}

static int64_t height(const slice *w, size_t i)
{
    return (int64_t)sc_scores_gap(w->scores[i], w->lowest);
}

/* Adds the terms of one m. */
static void add_terms(slice *w, int64_t m, sc_ball *out)
{
    SC_OWN(sc_ball, prefix, term);
    for (size_t i = 0; i < w->count; i++)
        at_most(w, m - height(w, i), &w->now[i]);
    sc_ball_set_int64(&w->suffix[w->count - 1], 1);
    for (size_t i = w->count - 1; i > 0; i--)
        sc_ball_mul(&w->suffix[i - 1], &w->suffix[i], &w->now[i], w->bits);
    sc_ball_set_int64(&prefix, 1);
    for (size_t i = 0; i < w->count; i++) {
        exactly(w, m - height(w, i), &term);
        sc_ball_mul(&term, &term, &prefix, w->bits);
        sc_ball_mul(&term, &term, &w->suffix[i], w->bits);
        sc_ball_add(&out[i], &out[i], &term, w->bits);
        sc_ball_mul(&prefix, &prefix, &w->before[i], w->bits);
    }
}

/* out[i] holds its sum over the slice. The mass above is at most P(Z_i > to - s_i); the mass below
 * is at most P(Z_i < from - s_i) P(Z_j < from - s_j) for any other j: the best, or for the
 * best any. */
static void enclose(const slice *w, size_t i, sc_ball *out)
{
    const size_t j = i != w->best ? w->best : i == 0 ? 1 : 0;
    SC_OWN(sc_ball, tail, part);
    if (!w->is_geometric) {
        at_most(w, w->from - 1 - height(w, i), &tail);
        at_most(w, w->from - 1 - height(w, j), &part);
        sc_ball_mul(&tail, &tail, &part, w->bits);
    }
    sc_ball_add(&tail, &tail, &w->power[w->to - height(w, i) + 1], w->bits);
    sc_ball_add(&tail, &tail, out, w->bits);
    sc_ball_set_union(out, out, &tail, w->bits);
}

static void sum_up(slice *w, sc_ball *out)
{
    for (size_t i = 0; i < w->count; i++) {
        sc_ball_set_int64(&out[i], 0);
        at_most(w, w->from - 1 - height(w, i), &w->before[i]);
    }
    for (int64_t m = w->from; m <= w->to; m++) {
        add_terms(w, m, out);
        sc_ball *spare = w->before;
        w->before = w->now;
        w->now = spare;
    }
    for (size_t i = 0; i < w->count; i++)
        enclose(w, i, &out[i]);
}

/* Chooses the slice; false when it is too long. */
static bool set_slice(slice *w, const sc_ratio *rate, long bits)
{
    const uint64_t far = steps_for(rate, bits + 64), limit = SC_NOISY_MAX_LAW / w->count;
    if (far > limit || w->range > limit || w->range + 2 * far > limit)
        return false;
    w->from = w->is_geometric ? (int64_t)w->range : -(int64_t)far;
    w->to = (int64_t)(w->range + far);
    w->powers = w->range + far + 3;
    return true;
}

static bool fill_powers(slice *w, const sc_ratio *rate)
{
    SC_OWN(sc_ratio, scale);
    sc_scores_scale(rate, &scale);
    w->power = sc_balls_new(w->powers);
    if (w->power != NULL) {
        SC_OWN(sc_ball, q);
        sc_decay(&scale, 1, w->bits, &q);
        sc_decay_rest(&scale, 1, w->bits, &w->less);
        sc_ball_add_int64(&w->sum, &q, 1, w->bits);
        sc_ball_set_int64(&w->power[0], 1);
        for (uint64_t k = 1; k < w->powers; k++)
            sc_ball_mul(&w->power[k], &w->power[k - 1], &q, w->bits);
    }
    return w->power != NULL;
}

static void find_ends(slice *w)
{
    w->lowest = w->scores[0];
    for (size_t i = 0; i < w->count; i++) {
        w->lowest = w->scores[i] < w->lowest ? w->scores[i] : w->lowest;
        w->best = w->scores[i] > w->scores[w->best] ? i : w->best;
    }
    w->range = sc_scores_gap(w->scores[w->best], w->lowest);
}

scrim_status sc_noisy_max_probabilities(const sc_ratio *rate, bool is_geometric,
                                        const int64_t *scores, size_t count, long bits,
                                        sc_ball *out, scrim_error *error)
{
    slice w = {.is_geometric = is_geometric,
               .bits = bits + 96,
               .count = count,
               .scores = scores};
    if (count == 1) {
        sc_ball_set_int64(&out[0], 1);
        return SCRIM_OK;
    }
    find_ends(&w);
    if (!set_slice(&w, rate, bits))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the distribution of noisy-max is a sum of too many terms here; "
                       "choose a larger epsilon or scores that are closer");
    scrim_status status = SCRIM_OK;
    sc_ball_init(&w.sum);
    sc_ball_init(&w.less);
    w.now = sc_balls_new(count);
    w.before = sc_balls_new(count);
    w.suffix = sc_balls_new(count);
    if (w.now == NULL || w.before == NULL || w.suffix == NULL || !fill_powers(&w, rate))
        status = sc_no_memory(error, "a law");
    else
        sum_up(&w, out);
    sc_balls_free(w.power, w.powers);
    sc_balls_free(w.suffix, count);
    sc_balls_free(w.before, count);
    sc_balls_free(w.now, count);
    sc_ball_clear(&w.less);
    sc_ball_clear(&w.sum);
    return status;
}

/* N - 1 times the tail of a difference of two, as in the header. */
void sc_noisy_max_miss(const sc_ratio *rate, bool is_geometric, uint64_t gap,
                       size_t count, long bits, sc_ball *out)
{
    SC_OWN(sc_ratio, scale);
    SC_OWN(sc_ball, q, part, sum);
    sc_scores_scale(rate, &scale);
    sc_decay(&scale, 1, bits, &q);
    sc_ball_add_int64(&sum, &q, 1, bits);
    sc_decay(&scale, gap, bits, out);
    sc_ball_div(out, out, &sum, bits);
    if (!is_geometric) {
        SC_OWN(sc_ball, factor);
        sc_decay_rest(&scale, 1, bits, &factor);
        sc_ball_set_int128(&part, gap);
        sc_ball_mul(&factor, &factor, &part, bits);
        sc_ball_add(&factor, &factor, &q, bits);
        sc_ball_mul(&part, &q, &q, bits);
        sc_ball_add_int64(&part, &part, 1, bits);
        sc_ball_div(&part, &part, &sum, bits);
        sc_ball_add(&factor, &factor, &part, bits);
        sc_ball_mul(out, out, &factor, bits);
        sc_ball_div(out, out, &sum, bits);
    }
    sc_ball_set_int128(&part, (sc_int128)count - 1);
    sc_ball_mul(out, out, &part, bits);
}
