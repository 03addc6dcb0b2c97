#include "mechanism/selection/scores.h"

#include "base/memory.h"
#include "model/certificate.h"
#include "sampling/bernoulli_exp.h"

const char *const sc_scores_monotone_words[] = {"no", "yes", NULL};

const sc_scores *sc_scores_of(const scrim_measurement *m)
{
    return m->state;
}

/* Checking. */

/* ceil(sensitivity / step). */
static scrim_status set_steps(const scrim_measurement *m, sc_scores *s,
                              scrim_error *error)
{
    SC_OWN(sc_integer, steps);
    sc_grid_sensitivity_upper(&m->domain.grid, sc_measurement_get(m, "sensitivity"),
                              &steps);
    bool fits = sc_integer_get_uint64(&steps, &s->steps) &&
                s->steps <= (uint64_t)1 << SC_GRID_BITS;
    if (fits)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LIMIT,
                   "%s: the sensitivity is beyond 4.6e18 steps; choose a coarser grid",
                   m->mechanism->entry.name);
}

/* epsilon / (rounds D), or half of it. */
static void set_rate(const scrim_measurement *m, sc_scores *s)
{
    SC_OWN(sc_ratio, factor);
    sc_ratio_set_int64(&factor, (int64_t)s->steps);
    sc_ratio_div(&s->rate, sc_measurement_get(m, "epsilon"), &factor);
    sc_ratio_set_int64(&factor, (int64_t)s->rounds * (s->is_monotone ? 1 : 2));
    sc_ratio_div(&s->rate, &s->rate, &factor);
}

scrim_status sc_scores_check(scrim_measurement *m, const sc_choice *choice, size_t rounds,
                             scrim_error *error)
{
    const bool is_monotone = sc_parameters_word(&m->parameters, "monotone", 0) == 1;
    if (is_monotone && sc_measurement_neighbours(m) == SCRIM_REPLACE)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "monotone",
                           "%s: scores cannot be monotone when a unit is replaced; leave "
                           "monotone=yes out, or use neighbours=add-remove",
                           m->mechanism->entry.name);
    scrim_status status = sc_domain_set_grid(&m->domain, sc_measurement_get(m, "grid"),
                                             sc_measurement_get(m, "lower"),
                                             sc_measurement_get(m, "upper"), error);
    if (status != SCRIM_OK)
        return status;
    sc_scores *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    m->domain.count_min = rounds;
    s->choice = choice;
    s->rounds = rounds;
    s->is_monotone = is_monotone;
    s->range = sc_scores_gap(m->domain.grid.high, m->domain.grid.low);
    sc_ratio_init(&s->rate);
    status = set_steps(m, s, error);
    if (status != SCRIM_OK)
        return status;
    set_rate(m, s);
    return choice->prepare(m, s, error);
}

void sc_scores_discard(scrim_measurement *m)
{
    sc_scores *s = m->state;
    if (s == NULL)
        return;
    s->choice->discard(s->prepared);
    sc_ratio_clear(&s->rate);
    sc_free(s);
}

scrim_status sc_scores_prepare_weights(const scrim_measurement *m, sc_scores *s,
                                       scrim_error *error)
{
    (void)m;
    sc_gap_weights *weights = sc_allocate(1, sizeof *weights);
    if (weights == NULL)
        return sc_no_memory(error, "a measurement");
    scrim_status status = sc_gap_weights_init(weights, &s->rate, error);
    if (status == SCRIM_OK)
        s->prepared = weights;
    else
        sc_free(weights);
    return status;
}

void sc_scores_discard_weights(void *prepared)
{
    if (prepared != NULL)
        sc_gap_weights_clear(prepared);
    sc_free(prepared);
}

scrim_status sc_scores_cost_pure(const scrim_measurement *m, sc_exact_cost *out,
                                 scrim_error *error)
{
    (void)error;
    sc_cost_set_pure(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

scrim_status sc_scores_cost_bounded_range(const scrim_measurement *m, sc_exact_cost *out,
                                          scrim_error *error)
{
    (void)error;
    sc_cost_set_bounded_range(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

/* Certifying. */

static bool is_rare(const sc_scores *s, uint64_t gap, size_t count, const sc_ball *beta)
{
    SC_OWN(sc_ball, miss);
    s->choice->miss_upper(s, gap, count, 192, &miss);
    return sc_ball_is_less_equal(&miss, beta);
}

uint64_t sc_scores_rare_gap(const sc_scores *s, size_t count, const sc_ball *beta)
{
    uint64_t low = 0, high = 1; /* not rare, rare */
    while (high <= s->range && !is_rare(s, high, count, beta)) {
        low = high;
        high = high > s->range / 2 ? s->range + 1 : 2 * high;
    }
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (is_rare(s, middle, count, beta))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* A number of steps in the unit of the scores. */
static void set_radius(const scrim_measurement *m, uint64_t steps, sc_ratio *out)
{
    SC_OWN(sc_ratio, step);
    SC_OWN(sc_integer, whole, one);
    sc_integer_set_uint128(&whole, steps);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_fraction(out, &whole, &one);
    sc_grid_step(&m->domain.grid, &step);
    sc_ratio_mul(out, out, &step);
}

scrim_status sc_scores_certify(const scrim_measurement *m, const sc_ratio *beta,
                               size_t count, sc_certificate *out, scrim_error *error)
{
    const sc_scores *s = sc_scores_of(m);
    const size_t candidates =
        count < s->rounds ? s->rounds : count; /* no fewer are taken */
    (void)error;
    SC_OWN(sc_ratio, share, radius);
    SC_OWN(sc_ball, each);
    /* Each round may miss with its part of beta. */
    sc_ratio_set_int64(&share, (int64_t)s->rounds);
    sc_ratio_div(&share, beta, &share);
    sc_ball_set_ratio(&each, &share, 256);
    set_radius(m, sc_scores_rare_gap(s, candidates, &each) - 1, &radius);
    sc_certificate_pac(out, &radius, beta,
                       "rounding to the grid and clamping of the scores");
    return SCRIM_OK;
}

/* Drawing, and the law of it. */

void sc_scores_change(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_EACH;
    out->is_monotone = sc_scores_of(m)->is_monotone;
    sc_ratio_set(&out->amount, sc_measurement_get(m, "sensitivity"));
}

size_t sc_scores_rounds(const scrim_measurement *m, size_t count)
{
    (void)count;
    return sc_scores_of(m)->rounds;
}

scrim_status sc_scores_draw_one(const scrim_measurement *m, sc_bits *bits,
                                const sc_private_input *input, sc_draw *out,
                                scrim_error *error)
{
    const sc_scores *s = sc_scores_of(m);
    size_t index = 0;
    scrim_status status =
        s->choice->choose(s, bits, input->values, input->count, &index, error);
    if (status != SCRIM_OK)
        return status;
    out->values[0] = (sc_int128)index;
    out->marks[0] = SC_MARK_INDEX;
    out->count = 1;
    return SCRIM_OK;
}

scrim_status sc_scores_law_one(const scrim_measurement *m, const sc_private_input *input,
                               long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_scores *s = sc_scores_of(m);
    if (input->count > SC_OUTCOMES_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %zu candidates",
                       SC_OUTCOMES_MAX);
    sc_ball *mass = sc_balls_new(input->count);
    if (mass == NULL)
        return sc_no_memory(error, "a law");
    scrim_status status =
        s->choice->probabilities(s, input->values, input->count, bits, mass, error);
    for (size_t i = 0; status == SCRIM_OK && i < input->count; i++) {
        const int64_t key = (int64_t)i;
        status = sc_outcomes_add(out, &key, &mass[i], error);
    }
    sc_balls_free(mass, input->count);
    return status;
}

void sc_scores_scale(const sc_ratio *rate, sc_ratio *out)
{
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_div(out, &one, rate);
}

scrim_status sc_scores_coin(sc_bits *bits, const sc_fraction *g, bool *out,
                            scrim_error *error)
{
    if (g->is_small)
        return sc_bernoulli_exp_64(bits, g->n64, g->d64, out, error);
    return sc_bernoulli_exp_integer(bits, &g->n, &g->d, out, error);
}

#define HEIGHTS 7 /* -3 .. 3 */

/* How many candidates the audit looks at: candidates=N, or the usual number, or one more than
 * are chosen. */
static size_t score_pairs_candidates(const scrim_measurement *m)
{
    const size_t rounds = sc_scores_of(m)->rounds;
    const int64_t usual = SC_SCORE_PAIRS_CANDIDATES;
    return (size_t)sc_measurement_integer(
        m, "candidates", (int64_t)rounds < usual ? usual : (int64_t)rounds + 1);
}

/* The parts that move together: the first, the last, and those between. */
static size_t parts(const scrim_measurement *m)
{
    const size_t candidates = score_pairs_candidates(m);
    return candidates < 3 ? candidates : 3;
}

size_t sc_score_pairs_count(const scrim_measurement *m)
{
    const size_t moves = sc_scores_of(m)->is_monotone ? 2 : 3;
    return sc_size_power(HEIGHTS, parts(m) - 1) * sc_size_power(moves, parts(m));
}

void sc_score_pairs_at(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const sc_scores *s = sc_scores_of(m);
    const sc_grid *grid = &m->domain.grid;
    const size_t candidates = score_pairs_candidates(m);
    const size_t moves = s->is_monotone ? 2 : 3, lowest = s->is_monotone ? 0 : 1;
    int height[3] = {0}, move[3] = {0}; /* of the first, the last, the others */
    for (size_t i = 0; i < parts(m); i++) {
        move[i] = (int)(index % moves) - (int)lowest;
        index /= moves;
    }
    for (size_t i = 0; i + 1 < parts(m); i++) {
        height[i] = (int)(index % HEIGHTS) - HEIGHTS / 2;
        index /= HEIGHTS;
    }
    const sc_int128 middle = ((sc_int128)grid->low + grid->high) / 2, d = s->steps;
    out->x_count = out->y_count = candidates;
    for (size_t i = 0; i < candidates; i++) {
        const size_t part = i == 0 ? 0 : i + 1 == candidates ? 1 : 2;
        const sc_int128 x = middle + height[part] * d, y = x + move[part] * d;
        out->x[i] = sc_grid_clamp(grid, x);
        out->y[i] = sc_grid_clamp(grid, y);
    }
}
