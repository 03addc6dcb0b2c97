#include "mechanism/threshold/stabilise.h"

#include "base/memory.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "mechanism/threshold/unit_counts.h"
#include "mechanism/threshold/used_keys.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "scrim/threshold.h"

#include <string.h>

static const sc_parameter_rule parameters[] = {
    SC_RULE_COUNT(
        "sensitivity", "2^40",
        "the change of all utilities together, an integer from 1 to 1099511627776"),
    SC_RULE_POSITIVE("epsilon", "2^-20", "1000",
                     "a rational above 0, from 9.6e-7 to 1000"),
    {.name = "delta",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .below = "1",
     .limit_low = "2^-160",
     .domain = "a rational above 0 and below 1, from 6.9e-49 on",
     .instead = "threshold"},
    {.name = "threshold",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .at_least = "1",
     .limit_high = "2^50",
     .domain = "the least noisy utility of a kept key, an integer from 1 to 1.1e15",
     .instead = "delta"},
    SC_RULE_COUNT(
        "max-groups", "2^20",
        "the keys that are there by one unit alone, an integer from 1 to 1048576"),
    SC_RULE_COUNT("largest", "2^40",
                  "the utility of such a key, an integer from 1 to 1099511627776"),
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

/* Two keys share the sum, where both may be there by one unit alone. */
static void set_moves(const sc_new_groups *own, int64_t sum, sc_threshold_moves *out)
{
    const int64_t most = (int64_t)(own->groups > 0 ? own->each : own->total);
    *out = (sc_threshold_moves){.one = most};
    if (sum > 1 && own->groups != 1) {
        out->two[0] = 1;
        out->two[1] = sum - 1 < most ? sum - 1 : most;
    }
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const least[] = {"delta", "threshold", NULL};
    const int64_t sum = sc_measurement_integer(m, "sensitivity", 1);
    const int64_t largest = sc_measurement_integer(m, "largest", sum);
    sc_new_groups own = {.total = (uint64_t)sum};
    scrim_status status = sc_measurement_one_of(m, least, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_measurement_get(m, "largest") != NULL &&
        sc_measurement_get(m, "max-groups") == NULL)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "max-groups",
            "stabilise: largest is that of max-groups=... keys; give both");
    if (largest > sum)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "largest",
            "stabilise: largest must be at most the sensitivity, which is %lld",
            (long long)sum);
    if (sc_measurement_get(m, "max-groups") != NULL)
        own = (sc_new_groups){.groups = sc_unit_counts_groups(m),
                              .each = (uint64_t)largest};
    status = sc_laplace_threshold_check(m, &own, (uint64_t)sum, error);
    if (status == SCRIM_OK)
        status = sc_laplace_threshold_check_mass(m, error);
    if (status == SCRIM_OK) {
        sc_laplace_threshold *s = m->state;
        set_moves(&own, sum, &s->shown.moves);
        sc_unit_counts_sum(m);
    }
    return status;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    sc_int128 utility = 0;
    (void)count;
    SC_OWN(sc_ratio, number);
    sc_ratio_set_int64(&number, 1);
    sc_ratio_sub(&number, &number, beta);
    SC_TRY(sc_noisy_threshold_units(m, &number, &utility, error));
    sc_ratio_set_int128(&number, utility);
    sc_certificate_pac(out, &number, beta, "keys of less utility, which may be left out");
    return SCRIM_OK;
}

/* Drawing: as counts are, without the counts. */

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    scrim_status status = sc_noisy_threshold_draw(m, bits, input, out, error);
    for (size_t i = 0; status == SCRIM_OK && i < out->count; i++) {
        out->values[i] = out->marks[i] == SC_MARK_ABOVE_VALUE;
        out->marks[i] = SC_MARK_VALUE;
    }
    return status;
}

/* The probability that a key of this utility is kept, or that it is not. */
static void key_mass(const scrim_measurement *m, int64_t utility, bool is_kept, long bits,
                     sc_ball *out)
{
    const sc_noisy_threshold *s = sc_noisy_threshold_of(m);
    if (utility <= 0)
        sc_ball_set_int64(out, !is_kept);
    else if (is_kept)
        sc_law_at_least(&s->noise, (sc_int128)s->threshold - utility, bits, out);
    else
        sc_law_at_most(&s->noise, (sc_int128)s->threshold - 1 - utility, bits, out);
}

static scrim_status list_key(const void *context, int64_t utility, long bits,
                             sc_outcomes *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, mass);
    const int64_t last = utility > 0 ? 1 : 0;
    for (int64_t answer = 0; status == SCRIM_OK && answer <= last; answer++) {
        key_mass(context, utility, answer == 1, bits, &mass);
        status = sc_outcomes_add(out, &answer, &mass, error);
    }
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many keys to give the probability of each answer");
    const sc_outcomes_each each = {
        .values = input->values, .count = input->count, .list = list_key, .context = m};
    return sc_outcomes_of_each(&each, bits + 64, out, error);
}

static void change(const scrim_measurement *m, sc_change *out)
{
    out->kind = SC_CHANGE_SUM;
    sc_ratio_set_int64(&out->amount, sc_measurement_integer(m, "sensitivity", 1));
    out->few = (uint64_t)sc_measurement_integer(m, "max-groups", 0);
    out->most = sc_measurement_integer(m, "largest", 0);
}

/* The descriptor of both steps, chosen by the input of the second one; NULL if it cannot be a second step. */
static const sc_mechanism *stabilised_by(const scrim_measurement *then);

const sc_mechanism sc_stabilise = {
    .entry = {.name = "stabilise",
              .parameters =
                  "sensitivity=N epsilon=R delta=R|threshold=N [max-groups=N largest=N "
                  "whole=yes] [then MECHANISM ...]",
              .input = "counts",
              .claim = "(epsilon, delta)-DP; keys that have utility enough to be used",
              .does = "Decides which keys are useful enough to be used, so that a list "
                      "of keys that changes with the data can be released. Another "
                      "mechanism may follow on the kept keys under the same cost.",
              .example = "sensitivity=1 epsilon=1 delta=1e-6 whole=yes "
                         "neighbours=add-remove",
              .example_input = "40\n3\n900\n",
              .reference = "Wu, Wu, Zeng, Naughton: Suppression Strikes Back: On the "
                           "Interaction of Thresholding and Differential Privacy, "
                           "section 5.1, corrected: errata 155 to 158"},
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof *parameters,
    .followed = stabilised_by,
    .check = check,
    .discard = sc_laplace_threshold_discard,
    .cost = sc_laplace_threshold_cost,
    .certify = certify,
    .is_kept = sc_unit_counts_is_one,
    .answer_count = sc_unit_counts_answers,
    .draw = draw,
    .width = sc_unit_counts_answers,
    .law = law,
    .pair_count = sc_noisy_threshold_pair_count,
    .pair = sc_noisy_threshold_pair,
    .change = change,
};

/* Stabilise, then use: the cost of both steps together. */

static scrim_status join(const sc_exact_cost *keys, const sc_exact_cost *then,
                         sc_exact_cost *out, scrim_error *error)
{
    if (!then->has_epsilon)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
            "the mechanism on the kept keys has no epsilon; give it epsilon and delta");
    if (then->neighbours != keys->neighbours)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "neighbours",
                           "both parts must hold for the same neighbours");
    SC_OWN(sc_ratio, epsilon, delta);
    sc_ratio_add(&epsilon, &keys->epsilon, &then->epsilon);
    sc_ratio_add(&delta, &keys->delta, &then->delta);
    sc_cost_round_up(&delta, &delta);
    if (sc_ratio_compare_int64(&delta, 1) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                           "the deltas of both parts reach 1");
    out->has_aside = false;
    sc_cost_set_approximate(out, &epsilon, &delta);
    return SCRIM_OK;
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    sc_exact_cost keys;
    sc_cost_init(&keys);
    scrim_status status = sc_laplace_threshold_cost(m, &keys, error);
    keys.neighbours = sc_measurement_neighbours(m);
    if (status == SCRIM_OK)
        status = join(&keys, &m->then->cost, out, error);
    sc_cost_clear(&keys);
    return status;
}

scrim_status scrim_stabilised_cost(const scrim_measurement *keys,
                                   const scrim_measurement *mechanism, scrim_cost *out,
                                   scrim_error *error)
{
    SC_REQUIRE(error, "stabilise mechanism out", keys, mechanism, out);
    sc_exact_cost both;
    if (keys->mechanism != &sc_stabilise)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "%s does not stabilise a universe",
                           keys->mechanism->entry.name);
    sc_cost_init(&both);
    both.neighbours = keys->cost.neighbours;
    const scrim_status status = join(&keys->cost, &mechanism->cost, &both, error);
    if (status == SCRIM_OK)
        sc_cost_format(&both, out);
    sc_cost_clear(&both);
    return status;
}

/* How far the second step lets neighbours differ. */

typedef struct declared {
    sc_change change;
    bool has_sum; /* of all values together: sum */
    sc_ratio sum;
} declared;

static void declared_init(declared *x)
{
    *x = (declared){.has_sum = false};
    sc_ratio_init(&x->change.amount);
    sc_ratio_init(&x->sum);
}

static void declared_clear(declared *x)
{
    sc_ratio_clear(&x->sum);
    sc_ratio_clear(&x->change.amount);
}

/* Numbers of elements, which declare no change, have as many as one unit may have. */
static void declared_get(const scrim_measurement *then, declared *out)
{
    if (then->mechanism->change != NULL)
        then->mechanism->change(then, &out->change);
    else {
        out->change.kind = SC_CHANGE_SUM;
        sc_ratio_set_int64(&out->change.amount, sc_measurement_integer(then, "group", 1));
    }
    out->has_sum = out->change.kind == SC_CHANGE_SUM || out->change.kind == SC_CHANGE_FEW;
    sc_ratio_set(&out->sum, &out->change.amount);
    if (out->change.kind == SC_CHANGE_FEW) {
        const int64_t sides = then->cost.neighbours == SCRIM_REPLACE ? 2 : 1;
        SC_OWN(sc_ratio, few);
        sc_ratio_set_int64(&few, sides * (int64_t)out->change.few);
        sc_ratio_mul(&out->sum, &out->sum, &few);
    }
}

/* Do two values that move by a and b, or one by a (b = 0), stay within it? */
static bool is_declared(const declared *x, int64_t a, int64_t b)
{
    SC_OWN(sc_ratio, one, both, square);
    sc_ratio_set_int64(&one, a > b ? a : b);
    if (x->change.kind == SC_CHANGE_LENGTH) {
        sc_ratio_set_int128(&both, (sc_int128)a * a + (sc_int128)b * b);
        sc_ratio_mul(&square, &x->change.amount, &x->change.amount);
        return sc_ratio_compare(&both, &square) <= 0;
    }
    sc_ratio_set_int64(&both, a + b);
    return sc_ratio_compare(&one, &x->change.amount) <= 0 &&
           (!x->has_sum || sc_ratio_compare(&both, &x->sum) <= 0) &&
           (x->change.kind != SC_CHANGE_FEW || b == 0 || x->change.few > 1);
}

/* Making one. */

/* Sizes of one group for the audit: each law is that of a whole mechanism. */
#define PAIRS 24
/* Two keys have laws of many answers unless the noise is short. */
static bool is_short(const scrim_measurement *then)
{
    return sc_used_keys_are_chosen(then) ||
           sc_ratio_compare_int64(&then->cost.epsilon, 1) >= 0;
}

/* The moves of the audit, as far as both steps allow them; one key is there at least. */
static void cut_moves(const scrim_measurement *then, const declared *x,
                      sc_noisy_threshold *s)
{
    sc_threshold_moves *moves = &s->moves;
    while (moves->one > 1 && !is_declared(x, moves->one, 0))
        moves->one = (moves->one + 1) / 2;
    if (moves->two[0] > 0 && (!is_short(then) || then->domain.count_max < 2 ||
                              !is_declared(x, moves->two[0], moves->two[1])))
        moves->two[0] = moves->two[1] = 0;
    s->pairs = PAIRS;
}

static bool has_step_of_one(const sc_grid *grid)
{
    return grid->exponent == 0;
}

static scrim_status refuse(const scrim_measurement *then, const char *parameter,
                           const char *why, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, parameter,
                       "%s cannot follow stabilise: %s", then->mechanism->entry.name,
                       why);
}

/* Is a whole change of D in all, of the keys and sizes that the first step allows, beyond what the
 * second one was declared for? Such a change is no shorter than the root of D. */
static bool is_smaller(const scrim_measurement *m, const declared *x)
{
    const int64_t groups = sc_measurement_integer(m, "max-groups", 0);
    SC_OWN(sc_ratio, sum, largest, square);
    sc_ratio_set_int64(&sum, sc_measurement_integer(m, "sensitivity", 1));
    sc_ratio_set_int64(&largest, sc_measurement_integer(m, "largest", 0));
    sc_ratio_mul(&square, &x->change.amount, &x->change.amount);
    return (x->has_sum && sc_ratio_compare(&x->sum, &sum) < 0) ||
           (x->change.kind == SC_CHANGE_LENGTH && sc_ratio_compare(&square, &sum) < 0) ||
           (x->change.kind == SC_CHANGE_FEW && x->change.few < (uint64_t)groups) ||
           sc_ratio_compare(&x->change.amount, &largest) < 0;
}

/* The meaning of an answer must not depend on how many keys are kept. */
static scrim_status check_then(const scrim_measurement *m, const declared *x,
                               scrim_error *error)
{
    const scrim_measurement *then = m->then;
    size_t guesses = 0;
    if (!has_step_of_one(&then->domain.grid))
        return refuse(then, "grid", "the values of keys are integers; leave grid out",
                      error);
    if (sc_parameters_items(&then->parameters, "guesses", &guesses) != NULL ||
        then->mechanism->place != NULL)
        return refuse(then, "mechanism",
                      "its values have fixed places, and some keys are not kept", error);
    if (is_smaller(m, x))
        return refuse(then, "sensitivity",
                      "it is declared for a smaller sensitivity than stabilise", error);
    return SCRIM_OK;
}

static scrim_status then_check(scrim_measurement *m, scrim_error *error)
{
    declared x;
    declared_init(&x);
    declared_get(m->then, &x);
    scrim_status status = check(m, error);
    if (status == SCRIM_OK)
        status = check_then(m, &x, error);
    if (status == SCRIM_OK) {
        sc_laplace_threshold *s = m->state;
        cut_moves(m->then, &x, &s->shown);
        m->domain.count_max = m->then->domain.count_max; /* of keys, kept or not */
    }
    declared_clear(&x);
    return status;
}

/* The accuracy is that of the second step, whose noise is independent of which keys were kept. */
static scrim_status then_certify(const scrim_measurement *m, const sc_ratio *beta,
                                 size_t count, sc_certificate *out, scrim_error *error)
{
    const scrim_status status =
        m->then->mechanism->certify(m->then, beta, count, out, error);
    out->excludes = "keys that were not kept, which the answer is not about";
    return status;
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    const size_t then = m->then->mechanism->answer_count(m->then, count);
    return then > count ? then : count > 0 ? count : 1;
}

/* By both steps: a key that the first one leaves out has no number. */
static bool is_kept(const scrim_measurement *m, sc_mark mark, sc_int128 value)
{
    const sc_mechanism *then = m->then->mechanism;
    return sc_unit_counts_is_above(m, mark, value) &&
           (then->is_kept == NULL || then->is_kept(m->then, mark, value));
}

/* The law: a key of it is the set of kept keys, as bits, and then one of the second step's. */

#define SETS_OF 10 /* keys at most */

static size_t width(const scrim_measurement *m, size_t count)
{
    return 1 + m->then->mechanism->width(m->then, count);
}

typedef struct listing {
    const scrim_measurement *m;
    const sc_private_input *input;
    long bits;
    int64_t *key; /* of out */
    sc_outcomes *out;
} listing;

static scrim_status add_answers(const listing *l, const sc_ball *mass, sc_outcomes *part,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, both);
    for (size_t i = 0; status == SCRIM_OK && i < part->count; i++) {
        for (size_t k = 1; k < l->out->width; k++)
            l->key[k] = k <= part->width ? part->keys[i * part->width + k - 1] : 0;
        sc_ball_mul(&both, mass, &part->mass[i], l->bits);
        status = sc_outcomes_add(l->out, l->key, &both, error);
    }
    sc_ball_mul(&both, mass, &part->rest, l->bits);
    sc_ball_add(&l->out->rest, &l->out->rest, &both, l->bits);
    return status;
}

static scrim_status list_set(const listing *l, uint64_t set, scrim_error *error)
{
    const scrim_measurement *then = l->m->then;
    int64_t values[SETS_OF];
    size_t count = 0;
    SC_OWN(sc_ball, mass, one);
    sc_ball_set_int64(&mass, 1);
    for (size_t i = 0; i < l->input->count; i++) {
        const bool is_kept = set >> i & 1;
        if (is_kept && l->input->values[i] <= 0)
            return SCRIM_OK; /* a key that is not there is never kept */
        key_mass(l->m, l->input->values[i], is_kept, l->bits, &one);
        sc_ball_mul(&mass, &mass, &one, l->bits);
        if (is_kept)
            values[count++] = sc_domain_clamp(&then->domain, l->input->values[i]);
    }
    l->key[0] = (int64_t)set;
    if (!sc_used_keys_is_enough(then, count)) {
        memset(l->key + 1, 0, (l->out->width - 1) * sizeof *l->key);
        return sc_outcomes_add(l->out, l->key, &mass, error);
    }
    sc_outcomes part;
    sc_outcomes_init(&part, then->mechanism->width(then, count));
    scrim_status status =
        then->mechanism->law(then, &(sc_private_input){.values = values, .count = count},
                             l->bits, &part, error);
    if (status == SCRIM_OK)
        status = add_answers(l, &mass, &part, error);
    sc_outcomes_clear(&part);
    return status;
}

static scrim_status then_law(const scrim_measurement *m, const sc_private_input *input,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    listing l = {.m = m, .input = input, .bits = bits + 64, .out = out};
    if (input->count > SETS_OF)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many keys to give the probability of each answer");
    l.key = sc_allocate(out->width, sizeof *l.key);
    if (l.key == NULL)
        return sc_no_memory(error, "a distribution");
    scrim_status status = SCRIM_OK;
    for (uint64_t set = 0; status == SCRIM_OK && set < (uint64_t)1 << input->count; set++)
        status = list_set(&l, set, error);
    sc_free(l.key);
    if (status == SCRIM_OK) {
        sc_ball_cut_unit(&out->rest);
        status = sc_outcomes_sort(out, bits, error);
    }
    return status;
}

#define STABILISED(its_input)                                                            \
    {                                                                                    \
        .entry = {.name = "stabilise",                                                   \
                  .parameters = "",                                                      \
                  .input = (its_input),                                                  \
                  .claim = "(epsilon, delta)-DP; a mechanism on the keys that are kept", \
                  .reference =                                                           \
                      "Wu, Wu, Zeng, Naughton: Suppression Strikes Back: On the "        \
                      "Interaction of Thresholding and Differential Privacy, section "   \
                      "5.1, corrected: errata 155 to 158"},                              \
        .parameters = parameters,                                                        \
        .parameter_count = sizeof parameters / sizeof *parameters, .check = then_check,  \
        .discard = sc_laplace_threshold_discard, .cost = cost, .certify = then_certify,  \
        .is_kept = is_kept, .answer_count = answer_count, .draw = draw, .width = width,  \
        .law = then_law, .pair_count = sc_noisy_threshold_pair_count,                    \
        .pair = sc_noisy_threshold_pair, .change = change                                \
    }

/* One value for each key, however many are kept. */
static bool answers_each(const scrim_measurement *then)
{
    const sc_mechanism *second = then->mechanism;
    return second->answer_count(then, 2) == 2 && second->answer_count(then, 3) == 3;
}

/* One for each kind of input, which says what an answer is. */
static const sc_mechanism kinds[] = {STABILISED("numbers"), STABILISED("counts"),
                                     STABILISED("scores"), STABILISED("queries")};

static const sc_mechanism *stabilised_by(const scrim_measurement *then)
{
    const sc_mechanism *second = then->mechanism;
    const bool has_law = second->draw != NULL && second->law != NULL;
    if (!has_law || second->input_is_rows ||
        (!sc_used_keys_are_chosen(then) && !answers_each(then)))
        return NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].entry.input, second->entry.input) == 0)
            return &kinds[i];
    return NULL;
}
