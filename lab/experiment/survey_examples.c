#include "lab/experiment/survey_examples.h"

#include "lab/experiment/experiment_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS LAB_QUANTITY_BITS

/* The question. */

enum { QUERIES, BINS, PEOPLE, EPSILON, DELTA, CONFIDENCE, PARAMETERS };

static const lab_word_rule rules[PARAMETERS] = {
    [QUERIES] = {"queries", NULL, "1", "2^40", .is_whole = true,
                 .domain = "an integer from 1 to 1.1e12"},
    [BINS] = {"bins", NULL, "2", "2^40", .is_whole = true,
              .domain = "an integer from 2 to 1.1e12"},
    [PEOPLE] = {"people", NULL, "1", "2^40", .is_whole = true,
                .domain = "an integer from 1 to 1.1e12"},
    [EPSILON] = {"epsilon", NULL, "2^-20", "1000",
                 .domain = "a rational above 0, from 9.5e-7 to 1000"},
    [DELTA] = {"delta", "0", "0", "1", .is_below_high = true,
               .domain = "a rational of at least 0 and below 1"},
    [CONFIDENCE] = {"confidence", "0.95", "1/2", "1", .is_above_low = true,
                    .is_below_high = true, .domain = "a rational above 1/2 and below 1"},
};

typedef struct question {
    lab_word words[PARAMETERS];
    int64_t queries, bins, people;
    double e, d, b; /* epsilon, delta and beta as doubles, for searches */
} question;

static scrim_status read_question(question *q, const char *line, scrim_error *error)
{
    const scrim_status status = lab_words_read(rules, PARAMETERS, line, q->words, error);
    if (status != SCRIM_OK)
        return status;
    LAB_QUANTITY(beta);
    lab_quantity_set_int64(&beta, 1);
    lab_quantity_sub(&beta, &beta, &q->words[CONFIDENCE].value);
    q->b = lab_quantity_upper(&beta);
    q->e = lab_quantity_upper(&q->words[EPSILON].value);
    q->d = lab_quantity_upper(&q->words[DELTA].value);
    (void)lab_quantity_int64(&q->words[QUERIES].value, &q->queries);
    (void)lab_quantity_int64(&q->words[BINS].value, &q->bins);
    (void)lab_quantity_int64(&q->words[PEOPLE].value, &q->people);
    return SCRIM_OK;
}

/* Errors that are enough. */

/* The error that the library certifies for all answers of a measurement at once; infinite if it certifies none. */
static double certified_radius(const question *q, const char *mechanism,
                               const scrim_parameter *list, size_t count)
{
    scrim_measurement *m = NULL;
    scrim_certificate certificate;
    double radius = (double)INFINITY;
    if (scrim_measurement_new(mechanism, list, count, &m, NULL) == SCRIM_OK &&
        scrim_measurement_certify(m, q->words[CONFIDENCE].text, (size_t)q->queries,
                                  &certificate, NULL) == SCRIM_OK)
        radius =
            strtod(q->queries > 1 ? certificate.radius_all : certificate.radius, NULL);
    scrim_measurement_free(m);
    return radius;
}

static double laplace_error(const question *q)
{
    return certified_radius(q, "laplace",
                            SCRIM_PARAMETERS({"sensitivity", q->words[QUERIES].text},
                                             {"epsilon", q->words[EPSILON].text},
                                             {"neighbours", "add-remove"}));
}

/* The variance of one query is 1/(2 rho), rounded up to a multiple of 1/64, as the library does; that of
 * k queries is k times as much. */
static double gaussian_error(const question *q)
{
    const double rho = lab_concentrated_rho(q->e, q->d);
    const double steps = ceil(64 / (2 * rho));
    char variance[2 * LAB_QUANTITY_TEXT_BYTES];
    if (!(steps < 1e15))
        return (double)INFINITY;
    LAB_QUANTITY(product);
    lab_quantity_set_int64(&product, (int64_t)steps);
    lab_quantity_mul(&product, &product, &q->words[QUERIES].value);
    (void)fmpz_get_str(variance, 10, fmpq_numref(product.exact));
    (void)snprintf(variance + strlen(variance), 4, "/64");
    return certified_radius(q, "gaussian",
                            SCRIM_PARAMETERS({"sensitivity", "1"}, {"variance", variance},
                                             {"neighbours", "add-remove"}));
}

static void add_log_factorial(arb_t sum, uint64_t n, int sign)
{
    arb_t part;
    arb_init(part);
    arb_set_ui(part, n);
    arb_add_ui(part, part, 1, BITS);
    arb_lgamma(part, part, BITS);
    (sign > 0 ? arb_add : arb_sub)(sum, sum, part, BITS);
    arb_clear(part);
}

double lab_linear_multisets(uint64_t bins, uint64_t people)
{
    LAB_QUANTITY(sum);
    sum.is_exact = false;
    add_log_factorial(sum.ball, bins + people - 1, 1);
    add_log_factorial(sum.ball, people, -1);
    add_log_factorial(sum.ball, bins - 1, -1);
    return lab_quantity_upper(&sum);
}

/* Rounds up: a result in doubles is off by a few units of 2^-53. */
static double round_up(double x)
{
    return x * (1 + 1e-12);
}

static double smalldb_error(const question *q)
{
    double best = (double)INFINITY;
    for (int i = 0; i < 64; i++) {
        const double alpha = pow(0.5, i / 4.0);
        /* m people, and one more against the rounding of doubles. */
        const double size = floor(log(2 * (double)q->queries) / (2 * alpha * alpha)) + 2;
        if (size > 1e12)
            break;
        const double choices = lab_linear_multisets((uint64_t)q->bins, (uint64_t)size);
        best = fmin(
            best, round_up(alpha * (double)q->people + 2 * (choices - log(q->b)) / q->e));
    }
    return best;
}

double lab_linear_cube_root(uint64_t queries, uint64_t bins, uint64_t people,
                            double epsilon, double beta)
{
    const double weight = 16 * log((double)bins) * log((double)queries);
    double low = 0, high = 1;
    while (high < 1e9 && epsilon * (double)people * high * high * high <
                             weight - 4 * high * high * log(beta))
        high *= 2;
    for (int i = 0; i < 200; i++) {
        const double middle = (low + high) / 2;
        const bool is_enough = epsilon * (double)people * middle * middle * middle >=
                               weight - 4 * middle * middle * log(beta);
        *(is_enough ? &high : &low) = middle;
    }
    return round_up(high);
}

/* Limits. */

/* delta_d, at most 1. */
static double group_delta(const question *q, double d)
{
    return q->d == 0 ? 0 : fmin(1, q->d * expm1(d * q->e) / expm1(q->e));
}

/* May some mechanism have the error a? The tolerance of 1e-12 is in its favour, so that a limit is never
 * too large. */
static bool one_count_allows(const question *q, double a)
{
    const double d = 2 * a + 1;
    return (1 - q->b) * (1 - 1e-12) <= exp(d * q->e) * q->b + group_delta(q, d);
}

static bool packing_allows(const question *q, double a)
{
    const double d = 2 * a + 1;
    const double tables = (double)(q->queries < q->bins ? q->queries : q->bins);
    return tables * exp(-d * q->e) * (1 - q->b - group_delta(q, d)) <= 1 + 1e-12;
}

/* The smallest integer that is allowed. The proofs need tables of d people, so d is at most their number. */
static double least_allowed(const question *q, bool (*allows)(const question *, double))
{
    double low = -1, high = 1;
    while (!allows(q, high) && 2 * high + 1 <= (double)q->people)
        high *= 2;
    high = fmin(high, floor(((double)q->people + 1) / 2));
    while (high - low > 1) {
        const double middle = floor((low + high) / 2);
        *(allows(q, middle) ? &high : &low) = middle;
    }
    return high < 0 ? 0 : high;
}

static double rebuild_limit(const question *q)
{
    int64_t people = 63 - __builtin_clzll((uint64_t)q->queries);
    people = people < q->bins ? people : q->bins;
    people = people < q->people ? people : q->people;
    const double wrong = (1 - q->d) / (1 + exp(q->e)) - q->b;
    return fmax(0, ceil((double)people * wrong / 4 * (1 - 1e-12) - 1e-9));
}

static void compute_bounds(const question *q, lab_linear_bounds *out)
{
    const struct {
        bool is_shown;
        lab_linear_bound bound;
    } all[LAB_LINEAR_BOUNDS] = {
        {true, {"laplace", false, laplace_error(q), "survey, Theorem 4.2"}},
        {q->d > 0,
         {"gaussian", false, q->d > 0 ? gaussian_error(q) : 0,
          "survey, 4.1.1; errata 55, 56"}},
        {true,
         {"smalldb", false, smalldb_error(q), "survey, Theorem 6.11; errata 80, 81"}},
        {q->queries > 1,
         {"cube-root", false,
          round_up((double)q->people *
                   lab_linear_cube_root((uint64_t)q->queries, (uint64_t)q->bins,
                                        (uint64_t)q->people, q->e, q->b)),
          "survey, Theorem 6.12; erratum 82"}},
        {true, {"nothing", false, (double)q->people / 2, "half of the number of people"}},
        {true,
         {"one count", true, least_allowed(q, one_count_allows), "two tables far apart"}},
        {true,
         {"packing", true, least_allowed(q, packing_allows), "many tables far apart"}},
        {true, {"rebuild", true, rebuild_limit(q), "Dinur, Nissim 2003"}}};
    out->count = 0;
    for (size_t i = 0; i < LAB_LINEAR_BOUNDS; i++)
        if (all[i].is_shown)
            out->list[out->count++] = all[i].bound;
}

static void write_text(const question *q, char *text, size_t capacity)
{
    size_t length = (size_t)snprintf(text, capacity, "linear-queries");
    for (size_t i = 0; i < PARAMETERS && length < capacity; i++) {
        char number[LAB_QUANTITY_TEXT_BYTES];
        lab_quantity_format(&q->words[i].value, number);
        length += (size_t)snprintf(text + length, capacity - length, " %s=%s",
                                   rules[i].name, number);
    }
}

scrim_status lab_linear_bounds_of(const char *line, lab_linear_bounds *out,
                                  scrim_error *error)
{
    question q = {.e = 0};
    const scrim_status status = read_question(&q, line, error);
    if (status == SCRIM_OK) {
        write_text(&q, out->text, sizeof out->text);
        compute_bounds(&q, out);
    }
    lab_words_clear(q.words, PARAMETERS);
    return status;
}

/* The sale. */

#define LEAST 1e-300    /* smaller probabilities are shown as 0 */
#define HIGHEST 1000000 /* the largest price or valuation that is allowed */

static const uint64_t crowds[LAB_PRICING_CROWDS] = {1, 10, 100, 1000};

static const lab_word_rule sale_rules[] = {
    {"prices", "0.5,1,1.01,1.5,2,2.5,3,3.01,3.02,3.5,4", .is_list = true,
     .domain = "numbers separated by commas"},
    {"valuations", "1,1.01,3.01", .is_list = true,
     .domain = "numbers separated by commas"}};

/* In hundredths. */
typedef struct sale {
    int64_t prices[LAB_PRICING_MOST], valuations[LAB_PRICING_MOST];
    size_t price_count, valuation_count;
    int64_t largest; /* price */
} sale;

static scrim_status read_amounts(const char *name, const char *list, int64_t *out,
                                 size_t *count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    LAB_QUANTITY(amount);
    LAB_QUANTITY(hundred);
    lab_quantity_set_int64(&hundred, 100);
    *count = 0;
    while (lab_words_next(&list, name, &amount, &status, error)) {
        if (*count == LAB_PRICING_MOST)
            return lab_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, name,
                                "%s: at most %d numbers", name, LAB_PRICING_MOST);
        lab_quantity_mul(&amount, &amount, &hundred);
        if (!lab_quantity_int64(&amount, &out[*count]) ||
            out[*count] > (int64_t)HIGHEST * 100)
            return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                                "%s: use numbers from 0 to %d with at most two decimals",
                                name, HIGHEST);
        ++*count;
    }
    return status;
}

static scrim_status read_sale(const char *line, sale *out, scrim_error *error)
{
    lab_word words[2];
    scrim_status status = lab_words_read(sale_rules, 2, line, words, error);
    if (status == SCRIM_OK)
        status =
            read_amounts("prices", words[0].text, out->prices, &out->price_count, error);
    if (status == SCRIM_OK)
        status = read_amounts("valuations", words[1].text, out->valuations,
                              &out->valuation_count, error);
    lab_words_clear(words, 2);
    out->largest = 0;
    for (size_t i = 0; i < out->price_count && status == SCRIM_OK; i++)
        out->largest = out->prices[i] > out->largest ? out->prices[i] : out->largest;
    if (status == SCRIM_OK && (out->price_count < 2 || out->largest == 0))
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "prices",
                            "prices: give at least two, and one above 0");
    return status;
}

static unsigned buyers_at(const sale *s, int64_t price)
{
    unsigned count = 0;
    for (size_t i = 0; i < s->valuation_count; i++)
        count += s->valuations[i] >= price;
    return count;
}

/* The smallest loss that is exceeded with probability at most beta. */
static double loss_of(size_t count, const int64_t scores[], const double chance[],
                      double best, double beta)
{
    double loss = best;
    for (size_t i = 0; i < count; i++) {
        const double candidate = best - (double)scores[i] / 100;
        double beyond = 0;
        for (size_t k = 0; k < count; k++)
            beyond += scores[k] < scores[i] ? chance[k] : 0;
        if (beyond <= beta && candidate < loss)
            loss = candidate;
    }
    return loss;
}

/* The exponential mechanism with monotone scores: P ~ exp(epsilon score / largest price). */
static void fill_crowd(const sale *s, uint64_t times, long double epsilon, double beta,
                       lab_pricing_crowd *out)
{
    int64_t scores[LAB_PRICING_MOST], best = 0;
    long double weights[LAB_PRICING_MOST], total = 0;
    *out = (lab_pricing_crowd){.buyers = times * s->valuation_count};
    for (size_t i = 0; i < s->price_count; i++) {
        scores[i] = s->prices[i] * (int64_t)(buyers_at(s, s->prices[i]) * times);
        best = scores[i] > best ? scores[i] : best;
    }
    /* Differences of scores are exact integers, so that large weights keep their digits. */
    for (size_t i = 0; i < s->price_count; i++)
        total += weights[i] =
            expl(epsilon * (long double)(scores[i] - best) / (long double)s->largest);
    for (size_t i = 0; i < s->price_count; i++) {
        const double chance = (double)(weights[i] / total);
        out->chance[i] = chance < LEAST ? 0 : chance;
        out->expected += out->chance[i] * (double)scores[i] / 100;
        out->nothing += scores[i] == 0 ? out->chance[i] : 0;
    }
    out->best = (double)best / 100;
    out->loss_bound = round_up((log((double)s->price_count) - log(beta)) *
                               (double)s->largest / 100 / (double)epsilon);
    out->loss = loss_of(s->price_count, scores, out->chance, out->best, beta);
}

static scrim_status read_confidence(const char *text, double *beta, scrim_error *error)
{
    int low = 0, high = 0;
    LAB_QUANTITY(value);
    LAB_QUANTITY(end);
    if (!lab_quantity_parse(&value, text, strlen(text)))
        return lab_fail_for(
            error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "confidence",
            "'%.40s' is not an exact number; write it like 12, 0.1, 1/3, 1e-9 or 2^-40",
            text);
    (void)lab_quantity_compare(&value, &end, &low);
    lab_quantity_set_int64(&end, 1);
    (void)lab_quantity_compare(&value, &end, &high);
    if (low <= 0 || high >= 0)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                            "confidence must be above 0 and below 1");
    *beta = 1 - lab_quantity_upper(&value);
    return SCRIM_OK;
}

/* The library checks epsilon. */
static scrim_status make_exponential(const sale *s, const char *epsilon,
                                     scrim_measurement **out, scrim_error *error)
{
    char sensitivity[LAB_QUANTITY_TEXT_BYTES];
    LAB_QUANTITY(largest);
    LAB_QUANTITY(hundred);
    lab_quantity_set_int64(&largest, s->largest);
    lab_quantity_set_int64(&hundred, 100);
    (void)lab_quantity_div(&largest, &largest, &hundred);
    lab_quantity_format(&largest, sensitivity);
    return scrim_measurement_new("exponential",
                                 SCRIM_PARAMETERS({"sensitivity", sensitivity},
                                                  {"epsilon", epsilon},
                                                  {"monotone", "yes"}, {"grid", "0.01"},
                                                  {"neighbours", "add-remove"}),
                                 out, error);
}

scrim_status lab_pricing_of(const char *line, const char *epsilon, const char *confidence,
                            lab_pricing *out, scrim_error *error)
{
    sale s;
    scrim_measurement *m = NULL;
    scrim_cost cost;
    double beta = 0;
    LAB_QUANTITY(value);
    scrim_status status = read_sale(line, &s, error);
    if (status == SCRIM_OK)
        status = read_confidence(confidence, &beta, error);
    if (status == SCRIM_OK)
        status = make_exponential(&s, epsilon, &m, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_cost(m, &cost, error);
    if (status != SCRIM_OK) {
        scrim_measurement_free(m);
        return status;
    }
    (void)lab_quantity_parse(&value, cost.epsilon, strlen(cost.epsilon));
    const long double e = (long double)fmpz_get_d(fmpq_numref(value.exact)) /
                          (long double)fmpz_get_d(fmpq_denref(value.exact));
    out->prices = s.price_count;
    out->valuations = s.valuation_count;
    for (size_t i = 0; i < s.price_count; i++) {
        out->price[i] = (double)s.prices[i] / 100;
        out->buyers[i] = buyers_at(&s, s.prices[i]);
        out->revenue[i] = (double)(s.prices[i] * (int64_t)out->buyers[i]) / 100;
    }
    for (size_t i = 0; i < LAB_PRICING_CROWDS; i++)
        fill_crowd(&s, crowds[i], e, beta, &out->crowd[i]);
    /* P(noise >= 1) of discrete Laplace noise of scale largest/epsilon, both in hundredths, as one buyer can
     * change the largest valuation by the largest price. */
    out->overstep = 1 / (1 + (double)expl(e / (long double)s.largest));
    (void)snprintf(out->text, sizeof out->text, "%s", scrim_measurement_text(m));
    scrim_measurement_free(m);
    return SCRIM_OK;
}
