#include "mechanism/sparse/sparse_measurement.h"

#include "base/memory.h"
#include "model/certificate.h"

/* The most pairs of a box, and the most outcomes of a long run. */
#define BOX_MAX 2000
#define OUTCOMES_MAX 3000
#define FULL_MAX ((uint64_t)1 << 19) /* of a full run */
#define QUERIES_MAX 60

/* The box: places of a query, and ways of moving all of them. */

static size_t moves(const sc_sparse_family *family)
{
    return (size_t)1 << family->queries;
}

/* 3 or 2 places for each query where that is not too many, else 0: all have the same. */
static size_t places(const sc_sparse_family *family)
{
    for (size_t base = 3; base >= 2; base--)
        if (sc_size_power(base, family->queries) * moves(family) <= BOX_MAX)
            return base;
    return 0;
}

static size_t box_count(const sc_sparse_family *family)
{
    size_t base = places(family);
    return (base == 0 ? 3 : sc_size_power(base, family->queries)) * moves(family);
}

static void box_pair(const sc_sparse_family *family, size_t index, sc_pair *out)
{
    const size_t base = places(family), all = moves(family);
    size_t move = index % all, place = index / all;
    for (size_t i = 0; i < family->queries; i++) {
        int64_t at = (int64_t)(base == 0 ? place : place % base);
        int64_t step = family->shift;
        place = base == 0 ? place : place / base;
        if ((move >> i & 1) == 0)
            step = family->is_monotone ? 0 : -step;
        out->x[i] = family->level + (at - (base == 2 ? 0 : 1)) * family->shift;
        out->y[i] = out->x[i] + step;
    }
    out->x_count = out->y_count = family->queries;
}

/* Long runs. */

/* How many outcomes n queries have with at most c above: the sum of C(n,j) values^j, or more
 * than most where it is more. */
static uint64_t count_outcomes(uint64_t all_values, uint64_t n, uint64_t c, uint64_t most)
{
    const uint64_t values = all_values <= most ? all_values : most + 1;
    uint64_t sum = 1, choices = 1, lists = 1;
    for (uint64_t j = 1; j <= c && j <= n && sum <= most; j++) {
        choices = choices * (n - j + 1) / j;
        lists *= values;
        sum += choices * lists;
    }
    return sum;
}

static uint64_t outcomes(const sc_sparse_family *family, uint64_t n, uint64_t c)
{
    return count_outcomes(family->values, n, c, OUTCOMES_MAX);
}

/* 1, 2, 4 .. queries below, as long as such a run is answered whole and its law is short. */
static size_t run_lengths(const sc_sparse_family *family)
{
    size_t lengths = 0;
    for (uint64_t below = 1; family->count < QUERIES_MAX; below *= 2, lengths++) {
        uint64_t all = below + family->count;
        if (all > QUERIES_MAX || outcomes(family, all, family->count) > OUTCOMES_MAX ||
            (family->length != 0 && all > family->length))
            break;
    }
    return lengths;
}

static size_t heights(const sc_sparse_family *family)
{
    return family->height == 0 ? 1 : 3;
}

static void run_pair(const sc_sparse_family *family, size_t index, sc_pair *out)
{
    const size_t below = (size_t)1 << index / heights(family);
    const size_t all = below + (size_t)family->count;
    static const int64_t signs[] = {0, 1, -1};
    int64_t at = family->level + signs[index % heights(family)] * family->height;
    for (size_t i = 0; i < all; i++) {
        out->x[i] = at;
        if (i < below)
            out->y[i] = at + family->shift;
        else
            out->y[i] = family->is_monotone ? at : at - family->shift;
    }
    out->x_count = out->y_count = all;
}

/* Can some run that halts be listed? One that may not be so long halts in the box, or never. */
static bool lists_halting(const sc_sparse_family *family)
{
    return run_lengths(family) > 0 || family->queries >= family->count ||
           (family->length != 0 && family->length <= family->count);
}

/* Full runs: with and without a query that is to be below, all others down and all up. */

#define FULL_PAIRS 4

bool sc_sparse_needs_full(const sc_sparse_family *family)
{
    const uint64_t c = family->count;
    return family->values > 1 && family->length == 0 && c < QUERIES_MAX &&
           outcomes(family, c + 1, c) > OUTCOMES_MAX &&
           count_outcomes(2 * (uint64_t)family->shift + 1, c + 1, c, FULL_MAX) <=
               FULL_MAX;
}

static void full_pair(const sc_sparse_family *family, size_t index, sc_pair *out)
{
    const bool is_up = index % 2 == 1;
    const size_t below = index / 2, all = below + (size_t)family->count;
    const int64_t down = family->is_monotone ? 0 : -family->shift;
    for (size_t i = 0; i < all; i++) {
        out->x[i] = family->level;
        out->y[i] = family->level + (is_up || i < below ? family->shift : down);
    }
    out->x_count = out->y_count = all;
}

size_t sc_sparse_pair_count(const sc_sparse_family *family)
{
    if (family->is_full)
        return FULL_PAIRS;
    if (!lists_halting(family))
        return 0;
    return box_count(family) + heights(family) * run_lengths(family);
}

void sc_sparse_pair(const sc_sparse_family *family, size_t index, sc_pair *out)
{
    size_t box = family->is_full ? 0 : box_count(family);
    if (family->is_full)
        full_pair(family, index, out);
    else if (index < box)
        box_pair(family, index, out);
    else
        run_pair(family, index - box, out);
    for (size_t i = 0; i < out->x_count; i++) {
        out->x[i] = sc_domain_clamp(family->domain, out->x[i]);
        out->y[i] = sc_domain_clamp(family->domain, out->y[i]);
    }
}

/* The most steps of the sum over the threshold's noise. */
#define STEPS 512
#define RADIUS_BITS 256

/* The most queries that a run answers, if `queries` are asked. */
static uint64_t asked_at_most(const sc_sparse_plan *plan, uint64_t queries)
{
    uint64_t all = 0;
    if (plan->stage_length == 0 ||
        !sc_uint64_mul(plan->stage_length, sc_sparse_stages(plan), &all))
        return queries;
    return queries < all ? queries : all;
}

static uint64_t less_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* P(|X| <= m)^power; 1 for a power of 0. */
static void within_power(const sc_law *law, sc_int128 m, uint64_t power, long bits,
                         sc_ball *out)
{
    if (m < 0) {
        sc_ball_set_int64(out, power == 0);
        return;
    }
    sc_law_at_least(law, m + 1, bits, out);
    sc_ball_mul_int64(out, out, -2, bits);
    sc_ball_add_int64(out, out, 1, bits);
    sc_ball_power(out, out, power, bits);
}

/* At least the probability that thresholds and queries together stay within a: a largest
 * threshold noise between two steps counts as the farther one. */
static void comparisons(const sc_sparse_plan *plan, uint64_t thresholds, uint64_t queries,
                        sc_int128 a, long bits, sc_ball *out)
{
    const sc_int128 step = a / STEPS + 1;
    SC_OWN(sc_ball, before, upto, part);
    sc_ball_set_int64(out, 0);
    for (sc_int128 t = 0; t <= a; t += step) {
        sc_int128 last = t + step - 1 < a ? t + step - 1 : a;
        within_power(&plan->threshold.law, last, thresholds, bits, &upto);
        within_power(&plan->query.law, a - last, queries, bits, &part);
        sc_ball_sub(&before, &upto, &before, bits);
        sc_ball_mul(&part, &part, &before, bits);
        sc_ball_add(out, out, &part, bits);
        sc_ball_set(&before, &upto);
    }
}

void sc_sparse_failure_upper(const sc_sparse_plan *plan, uint64_t queries, sc_int128 a,
                             long bits, sc_ball *out)
{
    const uint64_t asked = asked_at_most(plan, queries);
    SC_OWN(sc_ball, values);
    comparisons(plan, less_of(sc_sparse_thresholds(plan), asked), asked, a, bits, out);
    if (plan->is_numeric) {
        within_power(&plan->value.law, a, less_of(plan->count, asked), bits, &values);
        sc_ball_mul(out, out, &values, bits);
    }
    sc_ball_neg(out, out);
    sc_ball_add_int64(out, out, 1, bits);
}

/* The radius of a law at beta / parts. */
static scrim_status part_radius(const sc_law *law, const sc_ratio *beta, uint64_t parts,
                                sc_int128 *out, scrim_error *error)
{
    SC_OWN(sc_ratio, part);
    sc_ratio_set_int64(&part, (int64_t)parts);
    sc_ratio_div(&part, beta, &part);
    return sc_law_radius(law, &part, out, error);
}

/* A radius that holds by adding up: a third of beta each for thresholds, queries and values. */
static scrim_status plain_radius(const sc_sparse_plan *plan, const sc_ratio *beta,
                                 uint64_t queries, sc_int128 *out, scrim_error *error)
{
    const uint64_t asked = asked_at_most(plan, queries);
    sc_int128 threshold = 0, query = 0, value = 0;
    scrim_status status =
        part_radius(&plan->threshold.law, beta,
                    3 * less_of(sc_sparse_thresholds(plan), asked), &threshold, error);
    if (status == SCRIM_OK)
        status = part_radius(&plan->query.law, beta, 3 * asked, &query, error);
    if (status == SCRIM_OK && plan->is_numeric)
        status = part_radius(&plan->value.law, beta, 3 * less_of(plan->count, asked),
                             &value, error);
    if (status == SCRIM_OK)
        *out = threshold + query > value ? threshold + query : value;
    return status;
}

static bool is_good(const sc_sparse_plan *plan, const sc_ratio *beta, uint64_t queries,
                    sc_int128 a)
{
    SC_OWN(sc_ball, failure, allowed);
    sc_sparse_failure_upper(plan, queries, a, RADIUS_BITS, &failure);
    sc_ball_set_ratio(&allowed, beta, RADIUS_BITS);
    return sc_ball_is_less_equal(&failure, &allowed);
}

scrim_status sc_sparse_radius(const sc_sparse_plan *plan, const sc_ratio *beta,
                              uint64_t queries, sc_int128 *out, scrim_error *error)
{
    sc_int128 yes = 0, no = -1;
    scrim_status status = plain_radius(plan, beta, queries, &yes, error);
    if (status != SCRIM_OK)
        return status;
    while (yes - no > 1 + yes / 1024) {
        sc_int128 middle = no + (yes - no) / 2;
        if (is_good(plan, beta, queries, middle))
            yes = middle;
        else
            no = middle;
    }
    *out = yes;
    return SCRIM_OK;
}

const char *const sc_sparse_yes_words[] = {"no", "yes", NULL};

/* More queries are not asked of one run. */
#define QUERIES_FAR ((uint64_t)1 << 60)

/* Parameters. */

const sc_sparse_state *sc_sparse_state_of(const scrim_measurement *m)
{
    return m->state;
}

bool sc_sparse_is(const scrim_measurement *m, const char *name)
{
    return sc_parameters_word(&m->parameters, name, 0) == 1;
}

uint64_t sc_sparse_number(const scrim_measurement *m, const char *name, uint64_t missing)
{
    return (uint64_t)sc_measurement_integer(m, name, (int64_t)missing);
}

/* ceil(sensitivity): at least 1, at most 2^50 by its domain. */
static uint64_t sensitivity_steps(const scrim_measurement *m)
{
    uint64_t steps = 1;
    SC_OWN(sc_integer, whole);
    sc_ratio_ceil(sc_measurement_get(m, "sensitivity"), &whole);
    (void)sc_integer_get_uint64(&whole, &steps);
    return steps;
}

scrim_status sc_sparse_state_new(scrim_measurement *m, sc_sparse_state **out,
                                 scrim_error *error)
{
    if (sc_sparse_is(m, "monotone") && sc_measurement_neighbours(m) == SCRIM_REPLACE)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "monotone",
                                 "queries cannot be monotone when a unit is replaced; "
                                 "leave it out, or declare neighbours=add-remove");
    sc_sparse_state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    sc_ratio_init(&s->run_epsilon);
    s->sensitivity = sensitivity_steps(m);
    s->is_monotone = sc_sparse_is(m, "monotone");
    s->plan.is_numeric = sc_sparse_is(m, "numeric");
    s->plan.level = sc_measurement_integer(m, "threshold", 0);
    s->plan.count = s->plan.stage_count = sc_sparse_number(m, "count", 1);
    *out = s;
    return SCRIM_OK;
}

scrim_status sc_sparse_set_noise(sc_sparse_state *s, sc_sparse_noise *noise,
                                 sc_sparse_noise_kind kind, const sc_ratio *shape,
                                 scrim_error *error)
{
    bool *has = noise == &s->plan.threshold ? &s->has_threshold
                : noise == &s->plan.query   ? &s->has_query
                                            : &s->has_value;
    scrim_status status = sc_sparse_noise_init(noise, kind, shape, error);
    *has = status == SCRIM_OK;
    return status;
}

scrim_status sc_sparse_set_laplace(sc_sparse_state *s, sc_sparse_noise *noise,
                                   uint64_t times, const sc_ratio *epsilon,
                                   scrim_error *error)
{
    SC_OWN(sc_ratio, scale, factor);
    /* at most 2 count 2^50, count at most 2^20 */
    sc_ratio_set_int64(&scale, (int64_t)s->sensitivity);
    sc_ratio_set_int64(&factor, (int64_t)times);
    sc_ratio_mul(&scale, &scale, &factor);
    sc_ratio_div(&scale, &scale, epsilon);
    return sc_sparse_set_noise(s, noise, SC_SPARSE_LAPLACE, &scale, error);
}

/* Twice the standard deviation of the threshold's noise, about; 0 when it is not small. */
static int64_t some_height(const sc_sparse_plan *plan)
{
    uint64_t height = 0;
    SC_OWN(sc_ratio, square);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&square, plan->threshold.kind == SC_SPARSE_GAUSSIAN ? 4 : 8);
    sc_ratio_mul(&square, &square, &plan->threshold.law.shape);
    if (plan->threshold.kind == SC_SPARSE_LAPLACE)
        sc_ratio_mul(&square, &square, &plan->threshold.law.shape);
    sc_ratio_ceil(&square, &whole);
    sc_integer_sqrt(&whole, &whole);
    if (!sc_integer_get_uint64(&whole, &height) || height > (uint64_t)1 << 40)
        height = 0;
    return (int64_t)height;
}

void sc_sparse_set_family(scrim_measurement *m, sc_sparse_state *s)
{
    const int64_t shift = (int64_t)s->sensitivity;
    s->family = (sc_sparse_family){
        .domain = &m->domain,
        .level = s->plan.level,
        .shift = shift,
        .height = s->plan.is_numeric ? 0 : some_height(&s->plan),
        .queries = (size_t)sc_sparse_number(m, "queries", 3),
        .count = s->plan.stage_count,
        .length = s->plan.stage_length,
        .values = s->plan.is_numeric ? 4 * s->sensitivity + 1 : 1,
        .is_monotone = s->is_monotone,
    };
    s->family.is_full = sc_sparse_needs_full(&s->family);
    const int64_t reach = s->family.is_full ? shift : 2 * shift;
    s->range = (sc_sparse_range){s->plan.level - reach, s->plan.level + reach};
}

/* Members of the descriptors. */

void sc_sparse_discard(scrim_measurement *m)
{
    sc_sparse_state *s = m->state;
    if (s == NULL)
        return;
    if (s->has_threshold)
        sc_sparse_noise_clear(&s->plan.threshold);
    if (s->has_query)
        sc_sparse_noise_clear(&s->plan.query);
    if (s->has_value)
        sc_sparse_noise_clear(&s->plan.value);
    if (s->has_renyi)
        sc_sparse_renyi_clear(&s->renyi);
    sc_ratio_clear(&s->run_epsilon);
    sc_free(s);
}

/* A whole number of steps, which are of 1. */
static void set_steps(sc_int128 steps, sc_ratio *out)
{
    SC_OWN(sc_integer, whole, one);
    sc_integer_set_int128(&whole, steps);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_fraction(out, &whole, &one);
}

scrim_status sc_sparse_certify(const scrim_measurement *m, const sc_ratio *beta,
                               size_t count, sc_certificate *out, scrim_error *error)
{
    const sc_sparse_plan *plan = &sc_sparse_state_of(m)->plan;
    sc_int128 steps = 0, value_steps = 0;
    if (count < 1 || count > QUERIES_FAR)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "queries",
                           "a run takes from 1 to 1.1e18 queries");
    scrim_status status = sc_sparse_radius(plan, beta, count, &steps, error);
    if (status == SCRIM_OK && plan->is_numeric)
        status = sc_law_radius(&plan->value.law, beta, &value_steps, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ratio, radius);
    set_steps(steps, &radius);
    sc_certificate_pac(out, &radius, beta, "when the run halts, and clamping of queries");
    set_steps(value_steps, &radius);
    if (plan->is_numeric)
        sc_certificate_add_value_radius(out, &radius);
    return SCRIM_OK;
}

size_t sc_sparse_answer_count(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

scrim_status sc_sparse_release(const scrim_measurement *m, sc_bits *bits,
                               const sc_private_input *input, sc_draw *out,
                               scrim_error *error)
{
    return sc_sparse_draw(&sc_sparse_state_of(m)->plan, bits, input, out, error);
}

size_t sc_sparse_key_width(const scrim_measurement *m, size_t count)
{
    return sc_sparse_width(&sc_sparse_state_of(m)->plan, count);
}

scrim_status sc_sparse_release_law(const scrim_measurement *m,
                                   const sc_private_input *input, long bits,
                                   sc_outcomes *out, scrim_error *error)
{
    const sc_sparse_state *s = sc_sparse_state_of(m);
    return sc_sparse_law(&s->plan, &s->range, input, bits, out, error);
}

/* "3 below", "above". */
static void put_answers(uint64_t count, const char *what, sc_text_sink *sink)
{
    char digits[SC_INT128_BYTES];
    if (count > 1) {
        sc_int128_format((sc_int128)count, digits);
        sc_text_put(sink, sc_text_of(digits));
        sc_text_put(sink, sc_text_of(" "));
    }
    sc_text_put(sink, sc_text_of(what));
}

/* " (5 or more)" */
static void put_value(const sc_sparse_range *range, int64_t value, sc_text_sink *sink)
{
    char digits[SC_INT128_BYTES];
    sc_int128_format(value, digits);
    sc_text_put(sink, sc_text_of(" ("));
    sc_text_put(sink, sc_text_of(digits));
    sc_text_put(sink, sc_text_of(value == range->upper   ? " or more)"
                                 : value == range->lower ? " or less)"
                                                         : ")"));
}

void sc_sparse_outcome(const scrim_measurement *m, const int64_t *key, sc_text_sink *sink)
{
    const sc_sparse_state *s = sc_sparse_state_of(m);
    const bool has_values = sc_sparse_width(&s->plan, 1) > 2;
    const int64_t *value = key + 2;
    if (key[0] == 0)
        sc_text_put(sink, sc_text_of("no answer"));
    for (int64_t i = 0, run; i < key[0]; i += run) {
        const bool is_above = (key[1] >> i & 1) != 0;
        for (run = 1; i + run < key[0] && (key[1] >> (i + run) & 1) == is_above &&
                      !(is_above && has_values);)
            run++;
        if (i > 0)
            sc_text_put(sink, sc_text_of(", "));
        put_answers((uint64_t)run, is_above ? "above" : "below", sink);
        if (is_above && has_values)
            put_value(&s->range, *value++, sink);
    }
}

size_t sc_sparse_pairs(const scrim_measurement *m)
{
    return sc_sparse_pair_count(&sc_sparse_state_of(m)->family);
}

void sc_sparse_pair_at(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_sparse_pair(&sc_sparse_state_of(m)->family, index, out);
}

scrim_status sc_sparse_run_open(const scrim_measurement *m, sc_bits *bits, void *run,
                                scrim_error *error)
{
    return sc_sparse_open(&sc_sparse_state_of(m)->plan, bits, run, error);
}

scrim_status sc_sparse_run_ask(const scrim_measurement *m, sc_bits *bits, void *run,
                               int64_t query, sc_run_piece *out, scrim_error *error)
{
    return sc_sparse_ask(&sc_sparse_state_of(m)->plan, bits, run, query, out, error);
}

void sc_sparse_change(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_EACH;
    out->is_monotone = sc_sparse_state_of(m)->is_monotone;
    sc_ratio_set(&out->amount, sc_measurement_get(m, "sensitivity"));
}
