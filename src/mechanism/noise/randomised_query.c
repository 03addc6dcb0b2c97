#include "mechanism/noise/randomised_query.h"

#include "base/mask.h"
#include "base/memory.h"
#include "mechanism/noise/laplace.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "sampling/uniform.h"
#include "scrim/accuracy.h"

/* Only replace: one input becomes another. */
static const char *const relations[] = {"replace", NULL};

#define PLACE_MAX "2^53"

static const sc_parameter_rule parameters[] = {
    {.name = "places",
     .kind = SC_PARAMETER_RATIONALS,
     .at_least = "-" PLACE_MAX,
     .at_most = PLACE_MAX,
     .domain = "the places of all laws, integers of at most 2^53 in size, such as "
               "0,50,1,90"},
    {.name = "masses",
     .kind = SC_PARAMETER_RATIONALS,
     .at_least = "0",
     .at_most = "1",
     .domain = "the mass at each place, such as 9/10,1/10,9/10,1/10"},
    {.name = "sizes",
     .kind = SC_PARAMETER_RATIONALS,
     .at_least = "1",
     .at_most = "64",
     .domain = "how many places each law has, such as 2,2"},
    {.name = "pairs",
     .kind = SC_PARAMETER_RATIONALS,
     .optional = true,
     .at_least = "0",
     .at_most = "63",
     .domain = "laws of neighbours, two by two and counted from 0, such as 0,1,1,2"},
    SC_RULE_POSITIVE("epsilon", "2^-60", "1000",
                     "a rational above 0, from 8.7e-19 to 1000"),
    {.name = "theta",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .at_least = "0",
     .below = "1",
     .domain = "a rational of at least 0 and below 1"},
    SC_RULE_WORD("neighbours", relations, "replace"),
};

#define LAWS SC_PARAMETER_ITEMS
#define PAIRS (LAWS * (LAWS - 1) / 2)
/* All masses are counted in parts of one total, which is at most this. */
#define TOTAL_MAX ((uint64_t)1 << 62)

typedef struct query {
    sc_ratio sensitivity;
    int64_t place[LAWS];
    uint64_t weight[LAWS], total;
    size_t first[LAWS + 1],
        laws; /* the places of law i are from first[i] to first[i + 1] */
    scrim_law_pair pairs[PAIRS];
    size_t pair_count;
    bool has_noise, is_ready;
    sc_law law;
    sc_blocks blocks;
} query;

static const query *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* Reading the laws. */

static scrim_status fail_laws(const char *name, const char *text, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                       "randomised-query: %s", text);
}

/* An integer that its rule keeps small; false for a fraction. */
static bool small_integer(const sc_ratio *x, int64_t *out)
{
    sc_int128 wide = 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_numerator(x, &whole);
    return sc_ratio_is_integer(x) && sc_integer_get_int128(&whole, &wide) &&
           sc_int128_to_int64(wide, out);
}

static scrim_status read_sizes(const scrim_measurement *m, query *s, size_t places,
                               scrim_error *error)
{
    size_t count = 0;
    const sc_ratio *sizes = sc_parameters_items(&m->parameters, "sizes", &count);
    for (size_t i = 0; i < count; i++) {
        int64_t size = 0;
        if (!small_integer(&sizes[i], &size))
            return fail_laws("sizes", "sizes must be integers", error);
        s->first[i + 1] = s->first[i] + (size_t)size;
        if (s->first[i + 1] > places)
            break;
    }
    s->laws = count;
    if (s->first[count] != places)
        return fail_laws("sizes", "sizes must add up to the number of places", error);
    return SCRIM_OK;
}

static scrim_status read_places(const sc_ratio *places, size_t count, query *s,
                                scrim_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!small_integer(&places[i], &s->place[i]))
            return fail_laws("places",
                             "places must be integers; count them in smaller "
                             "units",
                             error);
    return SCRIM_OK;
}

/* The least number of which every mass is a multiple of its part. */
static bool find_total(const sc_ratio *masses, size_t count, uint64_t *total)
{
    bool fits = true;
    SC_OWN(sc_ratio, all, part);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&all, 1);
    for (size_t i = 0; fits && i < count; i++) {
        sc_ratio_mul(&part, &masses[i], &all);
        sc_ratio_denominator(&part, &whole);
        sc_ratio_set_integer(&part, &whole);
        sc_ratio_mul(&all, &all, &part);
        sc_ratio_numerator(&all, &whole);
        fits = sc_integer_get_uint64(&whole, total) && *total <= TOTAL_MAX;
    }
    return fits;
}

static scrim_status read_masses(const sc_ratio *masses, size_t count, query *s,
                                scrim_error *error)
{
    SC_OWN(sc_ratio, part, total);
    SC_OWN(sc_integer, whole);
    if (!find_total(masses, count, &s->total))
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "masses",
                           "randomised-query: the common denominator of masses is above "
                           "2^62; use fewer digits");
    sc_ratio_set_int128(&total, (sc_int128)s->total);
    for (size_t i = 0; i < s->laws; i++) {
        sc_uint128 sum = 0;
        for (size_t j = s->first[i]; j < s->first[i + 1]; j++) {
            sc_ratio_mul(&part, &masses[j], &total);
            sc_ratio_numerator(&part, &whole);
            (void)sc_integer_get_uint64(&whole, &s->weight[j]); /* at most total */
            sum += s->weight[j];
        }
        if (sum != s->total)
            return fail_laws("masses", "the masses of each law must add up to exactly 1",
                             error);
    }
    return SCRIM_OK;
}

static scrim_status read_pairs(const scrim_measurement *m, query *s, scrim_error *error)
{
    size_t count = 0;
    const sc_ratio *given = sc_parameters_items(&m->parameters, "pairs", &count);
    for (size_t i = 0; i + 1 < count; i += 2) {
        int64_t a = 0, b = 0;
        if (!small_integer(&given[i], &a) || !small_integer(&given[i + 1], &b) ||
            (size_t)a >= s->laws || (size_t)b >= s->laws || a == b)
            return fail_laws("pairs", "pairs must name two different laws each", error);
        s->pairs[s->pair_count++] = (scrim_law_pair){(size_t)a, (size_t)b};
    }
    if (count % 2 == 1)
        return fail_laws("pairs", "pairs must name two laws each", error);
    for (size_t i = 0; given == NULL && i < s->laws; i++)
        for (size_t j = i + 1; j < s->laws; j++)
            s->pairs[s->pair_count++] = (scrim_law_pair){i, j};
    return s->pair_count > 0 ? SCRIM_OK
                             : fail_laws("sizes", "give at least two laws", error);
}

static scrim_status read_laws(const scrim_measurement *m, query *s, scrim_error *error)
{
    size_t count = 0, mass_count = 0;
    const sc_ratio *places = sc_parameters_items(&m->parameters, "places", &count);
    const sc_ratio *masses = sc_parameters_items(&m->parameters, "masses", &mass_count);
    if (mass_count != count)
        return fail_laws("masses", "give as many masses as places", error);
    scrim_status status = read_sizes(m, s, count, error);
    if (status == SCRIM_OK)
        status = read_places(places, count, s, error);
    if (status == SCRIM_OK)
        status = read_masses(masses, count, s, error);
    return status == SCRIM_OK ? read_pairs(m, s, error) : status;
}

/* S. */

#define DIGITS 24

static scrim_status find_sensitivity(const scrim_measurement *m, query *s,
                                     scrim_error *error)
{
    char text[LAWS][2][DIGITS], theta[SC_RATIO_TEXT_BYTES];
    scrim_place places[LAWS];
    scrim_law_list laws[LAWS];
    scrim_theta_step step;
    size_t steps = 0;
    for (size_t i = 0; i < s->first[s->laws]; i++) {
        SC_OWN(sc_ratio, x);
        sc_ratio_set_int64(&x, s->place[i]);
        sc_ratio_format(&x, text[i][0], DIGITS);
        sc_ratio_set_int128(&x, (sc_int128)s->weight[i]);
        sc_ratio_format(&x, text[i][1], DIGITS);
        places[i] = (scrim_place){.place = text[i][0], .mass = text[i][1]};
    }
    for (size_t i = 0; i < s->laws; i++)
        laws[i] = (scrim_law_list){.places = places + s->first[i],
                                   .count = s->first[i + 1] - s->first[i]};
    const sc_ratio *given = sc_measurement_get(m, "theta");
    SC_OWN(sc_ratio, none);
    sc_ratio_format(given == NULL ? &none : given, theta, sizeof theta);
    SC_TRY(scrim_theta_steps(laws, s->laws, s->pairs, s->pair_count, theta, &step, 1,
                             &steps, error));
    return sc_ratio_parse(sc_text_of(step.sensitivity), &s->sensitivity, error);
}

/* Making one. */

static scrim_status prepare(scrim_measurement *m, query *s, scrim_error *error)
{
    SC_OWN(sc_ratio, scale);
    s->has_noise = sc_ratio_sign(&s->sensitivity) > 0;
    if (!s->has_noise)
        return SCRIM_OK;
    sc_ratio_div(&scale, &s->sensitivity, sc_measurement_get(m, "epsilon"));
    sc_law_init(&s->law, &sc_discrete_laplace_law, &scale, 0);
    scrim_status status = sc_laplace_scale_check(m, &scale, error);
    if (status == SCRIM_OK)
        status = sc_blocks_init_shape(
            &s->blocks, &(sc_blocks_law){.sides = SC_SIDES_BOTH}, &scale, error);
    s->is_ready = status == SCRIM_OK;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    query *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    sc_ratio_init(&s->sensitivity);
    SC_OWN(sc_ratio, zero, last);
    scrim_status status = read_laws(m, s, error);
    if (status == SCRIM_OK)
        status = find_sensitivity(m, s, error);
    if (status == SCRIM_OK)
        status = prepare(m, s, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_set_int64(&last, (int64_t)s->laws - 1);
    m->domain.count_min = m->domain.count_max = 1;
    return sc_domain_set_grid(&m->domain, NULL, &zero, &last, error);
}

static void discard(scrim_measurement *m)
{
    query *s = m->state;
    if (s == NULL)
        return;
    if (s->is_ready)
        sc_blocks_clear(&s->blocks);
    if (s->has_noise)
        sc_law_clear(&s->law);
    sc_ratio_clear(&s->sensitivity);
    sc_wipe(s, sizeof *s);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_ratio *theta = sc_measurement_get(m, "theta");
    (void)error;
    SC_OWN(sc_ratio, epsilon);
    if (state_of(m)->has_noise)
        sc_ratio_set(&epsilon, sc_measurement_get(m, "epsilon"));
    if (theta != NULL && sc_ratio_sign(theta) > 0)
        sc_cost_set_approximate(out, &epsilon, theta);
    else
        sc_cost_set_pure(out, &epsilon);
    return SCRIM_OK;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)count;
    sc_int128 k = 0;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, radius, never);
    if (state_of(m)->has_noise)
        status = sc_law_radius(&state_of(m)->law, beta, &k, error);
    sc_ratio_set_int128(&radius, k);
    sc_certificate_interval(out, &radius, state_of(m)->has_noise ? beta : &never,
                            "the draw of the query itself");
    return status;
}

static size_t one(const scrim_measurement *m, size_t count)
{
    (void)m;
    (void)count;
    return 1;
}

/* Drawing. */

/* The place of law x at which the masses so far exceed u; all places are looked at. */
static int64_t place_at(const query *s, uint64_t x, uint64_t u)
{
    uint64_t found = 0;
    for (size_t i = 0; i < s->laws; i++) {
        uint64_t below = 0;
        for (size_t j = s->first[i]; j < s->first[i + 1]; j++) {
            const uint64_t next = below + s->weight[j];
            const uint64_t here =
                sc_mask(i == x) & sc_mask(u >= below) & sc_mask(u < next);
            found |= here & (uint64_t)s->place[j];
            below = next;
        }
    }
    return (int64_t)found;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const query *s = state_of(m);
    uint64_t u = 0;
    sc_int128 noise = 0;
    scrim_status status = sc_uniform_64(bits, s->total, &u, error);
    if (status == SCRIM_OK && s->has_noise)
        status = sc_blocks_fill_wide(bits, &s->blocks, 1, &noise, error);
    if (status == SCRIM_OK) {
        out->values[0] = place_at(s, (uint64_t)input->values[0], u) + noise;
        out->marks[0] = SC_MARK_VALUE;
        out->count = 1;
    }
    sc_wipe(&u, sizeof u);
    sc_wipe(&noise, sizeof noise);
    return status;
}

/* The law. */

static scrim_status list_drawn(const query *s, size_t law, long bits, sc_outcomes *out,
                               scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, mass, total);
    SC_OWN(sc_ball, ball);
    sc_ratio_set_int128(&total, (sc_int128)s->total);
    for (size_t j = s->first[law]; status == SCRIM_OK && j < s->first[law + 1]; j++) {
        sc_ratio_set_int128(&mass, (sc_int128)s->weight[j]);
        sc_ratio_div(&mass, &mass, &total);
        sc_ball_set_ratio(&ball, &mass, bits);
        if (s->weight[j] > 0)
            status = sc_outcomes_add(out, &s->place[j], &ball, error);
    }
    return status == SCRIM_OK ? sc_outcomes_sort(out, bits, error) : status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const query *s = state_of(m);
    if (!s->has_noise)
        return list_drawn(s, (size_t)input->values[0], bits, out, error);
    sc_outcomes drawn;
    sc_outcomes_init(&drawn, 1);
    scrim_status status =
        list_drawn(s, (size_t)input->values[0], bits + 32, &drawn, error);
    if (status == SCRIM_OK)
        status = sc_outcomes_add_laplace(&drawn, &s->law, bits, out, error);
    sc_outcomes_clear(&drawn);
    return status;
}

static size_t pair_count(const scrim_measurement *m)
{
    return state_of(m)->pair_count;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    out->x_count = out->y_count = 1;
    out->x[0] = (int64_t)state_of(m)->pairs[index].first;
    out->y[0] = (int64_t)state_of(m)->pairs[index].second;
}

const sc_mechanism sc_randomised_query = {
    .entry = {.name = "randomised-query",
              .parameters = "places=LIST masses=LIST sizes=LIST epsilon=R [theta=R "
                            "pairs=LIST]",
              .input = "values",
              .claim = "(epsilon, theta)-DP of a number drawn from the law of the input",
              .does = "Draws a number from the distribution that belongs to the input, "
                      "and adds discrete Laplace noise to it. All distributions are "
                      "listed in advance; the input says which one applies.",
              .example =
                  "places=0,50,1,90 masses=9/10,1/10,9/10,1/10 sizes=2,2 epsilon=1 "
                  "theta=1/10 neighbours=replace",
              .example_input = "0\n",
              .reference = "Extending the Foundations of Differential Privacy: "
                           "Robustness and Flexibility (anonymous draft), Mechanism 3, "
                           "corrected: errata 2 to 5"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = one,
    .draw = draw,
    .width = one,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
