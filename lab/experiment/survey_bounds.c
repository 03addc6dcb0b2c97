#include "lab/experiment/survey_bounds.h"

#include "lab/experiment/experiment_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS LAB_QUANTITY_BITS

/* Rounds up: a result in doubles is off by a few units of 2^-53. */
static double round_up(double x)
{
    return x * (1 + 1e-12);
}

static double upper_of(const arb_t x)
{
    arf_t end;
    arf_init(end);
    arb_get_ubound_arf(end, x, BITS);
    const double upper = arf_get_d(end, ARF_RND_CEIL);
    arf_clear(end);
    return upper;
}

static double nearest(const fmpq_t x)
{
    arb_t ball;
    arb_init(ball);
    arb_set_fmpq(ball, x, BITS);
    const double value = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
    arb_clear(ball);
    return value;
}

/* Tail bounds. */

enum { TERMS, MEAN, DEVIATION, PROBABILITY, WIDTH, TAIL_WORDS };

static const lab_word_rule tail_rules[TAIL_WORDS] = {
    [TERMS] = {"terms", NULL, "1", "2^20", .is_whole = true,
               .domain = "an integer from 1 to 1048576"},
    [MEAN] = {"mean", NULL, "0", "2^40", .is_above_low = true,
              .domain = "a rational above 0 and below width"},
    [DEVIATION] = {"deviation", "", "0", "2^40", .is_above_low = true,
                   .domain = "a rational above 0"},
    [PROBABILITY] = {"probability", "", "0", "1", .is_above_low = true,
                     .is_below_high = true, .domain = "a rational above 0 and below 1"},
    [WIDTH] = {"width", "1", "0", "2^40", .is_above_low = true,
               .domain = "a rational above 0"},
};

typedef struct tail {
    int64_t n;
    fmpq_t p, e; /* mean and deviation in widths; e only where it is given */
    double p_at, width;
    double asked,
        beta; /* the probability as it was given, and for searches a little less */
} tail;

/* The largest integer k with k <= n x, at most n. */
static int64_t whole_part(int64_t n, const fmpq_t x)
{
    int64_t k = n;
    fmpq_t product;
    fmpz_t whole;
    fmpq_init(product);
    fmpz_init(whole);
    fmpq_set_si(product, n, 1);
    fmpq_mul(product, product, x);
    fmpz_fdiv_q(whole, fmpq_numref(product), fmpq_denref(product));
    if (fmpz_cmp_si(whole, n) < 0)
        k = fmpz_get_si(whole);
    fmpz_clear(whole);
    fmpq_clear(product);
    return k;
}

/* The number of terms that are w, of which each is with probability p: adds P(X = k) for k from n
 * downwards while k > last, and stops before the sum passes beta unless that is 0. Returns the last k that
 * was not added; sum has what was added. */
static int64_t add_tail(int64_t n, const fmpq_t p, int64_t last, double beta, arb_t sum)
{
    int64_t k = n;
    arb_t term, chance, odds, next, bound;
    fmpq_t rest;
    arb_init(term);
    arb_init(chance);
    arb_init(odds);
    arb_init(next);
    arb_init(bound);
    fmpq_init(rest);
    fmpq_set_si(rest, 1, 1);
    fmpq_sub(rest, rest, p);
    fmpq_div(rest, rest, p);
    arb_set_fmpq(odds, rest, BITS);
    arb_set_fmpq(chance, p, BITS);
    arb_pow_ui(term, chance, (ulong)n, BITS);
    arb_zero(sum);
    arb_set_d(bound, beta);
    for (; k > last; k--) {
        arb_add(next, sum, term, BITS);
        if (beta > 0 && !arb_le(next, bound))
            break;
        arb_swap(sum, next);
        /* P(k-1) = P(k) k/(n-k+1) (1-p)/p */
        arb_mul(term, term, odds, BITS);
        arb_mul_si(term, term, k, BITS);
        arb_div_si(term, term, n - k + 1, BITS);
    }
    fmpq_clear(rest);
    arb_clear(bound);
    arb_clear(next);
    arb_clear(odds);
    arb_clear(chance);
    arb_clear(term);
    return k;
}

/* By how much the mean of X/n exceeds p by more than with probability beta at most; or, with e, how likely it
 * exceeds p by more than e. */
static void exact_above(const tail *t, const fmpq_t p, bool finds_deviation,
                        double *probability, double *deviation)
{
    arb_t sum;
    arb_init(sum);
    if (finds_deviation) {
        const int64_t k = add_tail(t->n, p, -1, t->beta, sum);
        const double at = (double)k / (double)t->n - nearest(p);
        *probability = t->asked;
        *deviation = at > 0 ? round_up(at * t->width) : 0;
    } else {
        fmpq_t edge;
        fmpq_init(edge);
        fmpq_add(edge, p, t->e);
        (void)add_tail(t->n, p, whole_part(t->n, edge), 0, sum);
        *probability = upper_of(sum);
        *deviation = nearest(t->e) * t->width;
        fmpq_clear(edge);
    }
    arb_clear(sum);
}

/* KL(p + e, p) of two coins, at a double e; 1 - p - e is at least 0. */
static double relative_entropy(double p, double e)
{
    const double q = p + e;
    const double top = q * log(q / p);
    return q >= 1 ? log(1 / p) : top + (1 - q) * log((1 - q) / (1 - p));
}

/* The probability of a bound at a deviation e in widths, or NaN where the bound says nothing. */
typedef double tail_formula(const tail *t, double e);

static double additive(const tail *t, double e)
{
    return exp(-2 * (double)t->n * e * e);
}

static double both_sides(const tail *t, double e)
{
    return fmin(1, 2 * additive(t, e));
}

static double multiplicative_above(const tail *t, double e)
{
    const double d = e / t->p_at;
    return d > 1 ? (double)NAN : exp(-(double)t->n * t->p_at * d * d / 3);
}

static double multiplicative_below(const tail *t, double e)
{
    const double d = e / t->p_at;
    return d > 1 ? (double)NAN : exp(-(double)t->n * t->p_at * d * d / 2);
}

static double entropy_above(const tail *t, double e)
{
    return t->p_at + e > 1 ? 0 : exp(-(double)t->n * relative_entropy(t->p_at, e));
}

static double entropy_below(const tail *t, double e)
{
    return e > t->p_at ? 0 : exp(-(double)t->n * relative_entropy(1 - t->p_at, e));
}

/* The least deviation, but for 1e-12 of it, at which the bound is at most beta. Bounds fall. */
static double invert(const tail *t, tail_formula *formula)
{
    double low = 0, high = 1;
    if (!(formula(t, high) <= t->beta)) {
        high = t->p_at; /* multiplicative bounds end there */
        if (!(formula(t, high) <= t->beta))
            return (double)NAN;
    }
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (formula(t, middle) <= t->beta)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void put_bound(const tail *t, lab_tail_bounds *out, const lab_tail_bound *row,
                      tail_formula *formula)
{
    lab_tail_bound *to = &out->list[out->count++];
    const double e = out->finds_deviation ? invert(t, formula) : nearest(t->e);
    const double probability = out->finds_deviation ? t->asked : formula(t, e);
    *to = *row;
    to->is_known = !isnan(e) && !isnan(probability);
    to->deviation = !to->is_known          ? 0
                    : out->finds_deviation ? round_up(e * t->width)
                                           : e * t->width;
    to->probability = !to->is_known          ? 0
                      : out->finds_deviation ? probability
                                             : fmin(1, round_up(probability));
}

static void put_exact(const tail *t, lab_tail_bounds *out, const char *side)
{
    static const char source[] = "independent terms of 0 or width";
    lab_tail_bound *row = &out->list[out->count++];
    fmpq_t p;
    fmpq_init(p);
    fmpq_set(p, t->p);
    if (strcmp(side, "below") == 0) {
        fmpq_set_si(p, 1, 1);
        fmpq_sub(p, p, t->p);
    }
    *row = (lab_tail_bound){
        .name = "exact", .side = side, .is_known = true, .source = source};
    exact_above(t, p, out->finds_deviation, &row->probability, &row->deviation);
    fmpq_clear(p);
}

static void fill_bounds(const tail *t, lab_tail_bounds *out)
{
    static const struct {
        lab_tail_bound row;
        tail_formula *formula;
    } bounds[] = {
        {{.name = "chernoff-additive", .side = "above", .source = "Theorem 2.1"},
         additive},
        {{.name = "chernoff-additive", .side = "below", .source = "Theorem 2.1"},
         additive},
        {{.name = "chernoff-multiplicative",
          .side = "above",
          .source = "Theorem 2.2, errata 39 and 40"},
         multiplicative_above},
        {{.name = "chernoff-multiplicative",
          .side = "below",
          .source = "Theorem 2.2, erratum 39"},
         multiplicative_below},
        {{.name = "chernoff", .side = "above", .source = "relative entropy"},
         entropy_above},
        {{.name = "chernoff", .side = "below", .source = "relative entropy"},
         entropy_below},
        {{.name = "hoeffding", .side = "both", .source = "Theorem 2.3, erratum 41"},
         both_sides},
        {{.name = "azuma",
          .side = "above",
          .source = "Theorem 2.5; terms may depend on earlier ones"},
         additive}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        put_bound(t, out, &bounds[i].row, bounds[i].formula);
    put_exact(t, out, "above");
    put_exact(t, out, "below");
}

static scrim_status read_tail(const lab_word *words, tail *t, scrim_error *error)
{
    const bool has_deviation = words[DEVIATION].text[0] != '\0',
               has_probability = words[PROBABILITY].text[0] != '\0';
    int order = 0;
    if (has_deviation == has_probability)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "deviation",
                            "give either deviation=R or probability=R");
    (void)lab_quantity_compare(&words[MEAN].value, &words[WIDTH].value, &order);
    if (order >= 0)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "mean",
                            "mean must be below width");
    (void)lab_quantity_int64(&words[TERMS].value, &t->n);
    fmpq_div(t->p, words[MEAN].value.exact, words[WIDTH].value.exact);
    if (has_deviation)
        fmpq_div(t->e, words[DEVIATION].value.exact, words[WIDTH].value.exact);
    t->p_at = nearest(t->p);
    t->width = lab_quantity_upper(&words[WIDTH].value);
    t->asked = has_probability ? nearest(words[PROBABILITY].value.exact) : 0;
    t->beta = t->asked * (1 - 1e-15);
    return SCRIM_OK;
}

scrim_status lab_tail_bounds_of(const char *line, lab_tail_bounds *out,
                                scrim_error *error)
{
    lab_word words[TAIL_WORDS];
    tail t = {.n = 0};
    fmpq_init(t.p);
    fmpq_init(t.e);
    scrim_status status = lab_words_read(tail_rules, TAIL_WORDS, line, words, error);
    if (status == SCRIM_OK)
        status = read_tail(words, &t, error);
    if (status == SCRIM_OK) {
        *out = (lab_tail_bounds){.finds_deviation = t.beta > 0};
        fill_bounds(&t, out);
    }
    lab_words_clear(words, TAIL_WORDS);
    fmpq_clear(t.e);
    fmpq_clear(t.p);
    return status;
}

/* Central beside local. */

static const lab_word_rule trust_rules[] = {
    {"epsilon", NULL, "1e-6", "20", .domain = "a rational from 0.000001 to 20"},
    {"confidence", "0.95", "1/2", "1", .is_above_low = true, .is_below_high = true,
     .domain = "a rational above 1/2 and below 1"}};

/* The certified radius of one number, or of a frequency estimated from `count` reports. */
static scrim_status certified(const char *mechanism, const scrim_parameter *list,
                              size_t parameters, const char *confidence, size_t count,
                              double *out, scrim_error *error)
{
    scrim_measurement *m = NULL;
    scrim_certificate certificate;
    scrim_status status = scrim_measurement_new(mechanism, list, parameters, &m, error);
    if (status == SCRIM_OK)
        status = scrim_measurement_certify(m, confidence, count, &certificate, error);
    if (status == SCRIM_OK)
        *out = strtod(certificate.radius, NULL);
    scrim_measurement_free(m);
    return status;
}

static scrim_status fill_trust(const lab_word *words, lab_trust *out, scrim_error *error)
{
    const char *epsilon = words[0].text, *confidence = words[1].text;
    const double e = lab_quantity_upper(&words[0].value);
    const double beta = 1 - lab_quantity_upper(&words[1].value);
    const double spread = (exp(e) + 1) / expm1(e);
    double radius = 0;
    uint64_t people = 1;
    scrim_status status =
        certified("laplace",
                  SCRIM_PARAMETERS({"sensitivity", "1"}, {"epsilon", epsilon},
                                   {"neighbours", "add-remove"}),
                  confidence, 1, &radius, error);
    for (size_t i = 0; i < LAB_TRUST_ROWS && status == SCRIM_OK; i++) {
        lab_trust_row *row = &out->rows[i];
        row->people = people *= 10;
        const double n = (double)people;
        row->central = fmin(1, radius / n);
        row->central_printed = log(1 / beta) / (e * n);
        row->local_printed = spread * sqrt(log(2 / beta) / (2 * n));
        status =
            certified("randomised-response",
                      SCRIM_PARAMETERS({"epsilon", epsilon}, {"neighbours", "local"}),
                      confidence, (size_t)people, &row->local, error);
    }
    (void)snprintf(out->text, sizeof out->text, "epsilon %.40s, confidence %.40s",
                   epsilon, confidence);
    return status;
}

scrim_status lab_trust_of(const char *line, lab_trust *out, scrim_error *error)
{
    lab_word words[2];
    lab_trust found;
    scrim_status status = lab_words_read(trust_rules, 2, line, words, error);
    if (status == SCRIM_OK)
        status = fill_trust(words, &found, error);
    if (status == SCRIM_OK)
        *out = found;
    lab_words_clear(words, 2);
    return status;
}

/* Truncation. */

#define TRANSACTIONS 2000 /* that contain the set */
#define GROUPS 32         /* of equal length */

enum { SIZE, KEEP, LENGTHS, GAMMA, SCALE, TRUNCATION_WORDS };

static const lab_word_rule truncation_rules[TRUNCATION_WORDS] = {
    [SIZE] = {"size", NULL, "1", "64", .is_whole = true,
              .domain = "an integer from 1 to 64"},
    [KEEP] = {"keep", NULL, "1", "10000", .is_whole = true,
              .domain = "an integer from 1 to 10000"},
    [LENGTHS] = {"lengths", NULL, .is_list = true,
                 .domain = "a list like 3:40,12:2: 40 transactions of 3 items"},
    [GAMMA] = {"gamma", "0.1", .is_list = true, .domain = "numbers separated by commas"},
    [SCALE] = {"scale", "no", .is_list = true, .domain = "yes or no"}};

typedef struct truncation {
    int64_t size, keep;
    size_t groups, total;
    struct {
        uint64_t length, count;
    } group[GROUPS];
    double gammas[LAB_TRUNCATION_ROWS];
    size_t gamma_count;
    bool is_scaled;
} truncation;

static scrim_status fail_lengths(scrim_error *error)
{
    return lab_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "lengths",
        "lengths: write LENGTH:COUNT,..., like 3:40,12:2: lengths from size to 10000, at "
        "most %d of them and %d transactions",
        GROUPS, TRANSACTIONS);
}

static scrim_status read_lengths(const char *at, truncation *t, scrim_error *error)
{
    while (*at != '\0') {
        char *end = NULL;
        const unsigned long long length = strtoull(at, &end, 10);
        unsigned long long count = 1;
        if (end == at || *at < '0' || *at > '9')
            return fail_lengths(error);
        if (*end == ':') {
            at = end + 1;
            count = strtoull(at, &end, 10);
            if (end == at || *at < '0' || *at > '9')
                return fail_lengths(error);
        }
        if ((*end != ',' && *end != '\0') || t->groups == GROUPS ||
            length < (unsigned long long)t->size || length > 10000 || count == 0 ||
            count > TRANSACTIONS - t->total)
            return fail_lengths(error);
        t->group[t->groups].length = length;
        t->group[t->groups++].count = count;
        t->total += count;
        at = end + (*end == ',');
    }
    return t->groups == 0 ? fail_lengths(error) : SCRIM_OK;
}

static scrim_status read_truncation(const lab_word *words, truncation *t,
                                    scrim_error *error)
{
    const char *at = words[GAMMA].text;
    scrim_status status = SCRIM_OK;
    LAB_QUANTITY(gamma);
    (void)lab_quantity_int64(&words[SIZE].value, &t->size);
    (void)lab_quantity_int64(&words[KEEP].value, &t->keep);
    if (t->keep < t->size)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "keep",
                            "keep must be at least size; no set of %s items is left in "
                            "transactions of %s",
                            words[SIZE].text, words[KEEP].text);
    t->is_scaled = strcmp(words[SCALE].text, "yes") == 0;
    if (!t->is_scaled && strcmp(words[SCALE].text, "no") != 0)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "scale",
                            "scale must be yes or no");
    while (status == SCRIM_OK && lab_words_next(&at, "gamma", &gamma, &status, error)) {
        if (t->gamma_count == LAB_TRUNCATION_ROWS)
            return lab_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "gamma",
                                "gamma: at most %d numbers", LAB_TRUNCATION_ROWS);
        t->gammas[t->gamma_count++] = lab_quantity_upper(&gamma);
    }
    return status == SCRIM_OK ? read_lengths(words[LENGTHS].text, t, error) : status;
}

/* C(L-s, m-s)/C(L, m) = the product of (m-i)/(L-i) for i below s; 1 if nothing is cut. */
static void survival(const truncation *t, uint64_t length, arb_t out)
{
    arb_one(out);
    if (length <= (uint64_t)t->keep)
        return;
    for (int64_t i = 0; i < t->size; i++) {
        arb_mul_si(out, out, t->keep - i, BITS);
        arb_div_si(out, out, (int64_t)length - i, BITS);
    }
}

/* The distribution of the count that is left: law[k] for k from 0 to total. */
static bool fill_law(const truncation *t, arb_ptr law, arb_t kept)
{
    arb_t p, q, part;
    size_t done = 0;
    arb_init(p);
    arb_init(q);
    arb_init(part);
    arb_zero(kept);
    arb_one(law);
    for (size_t g = 0; g < t->groups; g++) {
        survival(t, t->group[g].length, p);
        arb_sub_ui(q, p, 1, BITS);
        arb_neg(q, q);
        arb_addmul_ui(kept, p, t->group[g].count, BITS);
        for (uint64_t i = 0; i < t->group[g].count; i++) {
            done++;
            arb_mul(law + done, law + done - 1, p, BITS);
            for (size_t k = done - 1; k > 0; k--) {
                arb_mul(part, law + k - 1, p, BITS);
                arb_mul(law + k, law + k, q, BITS);
                arb_add(law + k, law + k, part, BITS);
            }
            arb_mul(law, law, q, BITS);
        }
    }
    arb_div_ui(kept, kept, t->total, BITS);
    arb_clear(part);
    arb_clear(q);
    arb_clear(p);
    return done == t->total;
}

/* Is the count surely within e^-gamma and e^gamma of the true one? */
static bool is_near(const truncation *t, size_t k, const arb_t scale, double gamma)
{
    arb_t count, factor, edge;
    arb_init(count);
    arb_init(factor);
    arb_init(edge);
    arb_mul_ui(count, scale, k, BITS);
    arb_set_d(factor, gamma);
    arb_exp(factor, factor, BITS);
    arb_mul_ui(edge, factor, t->total, BITS);
    bool is_inside = arb_le(count, edge);
    arb_mul(count, count, factor, BITS);
    arb_set_ui(edge, t->total);
    is_inside = is_inside && arb_ge(count, edge);
    arb_clear(edge);
    arb_clear(factor);
    arb_clear(count);
    return is_inside;
}

static uint64_t sets_within(int64_t length, int64_t size)
{
    double sets = 1;
    for (int64_t i = 0; i < size; i++)
        sets = sets * (double)(length - i) / (double)(i + 1);
    return sets < 1e18 ? (uint64_t)(sets + 0.5) : UINT64_MAX;
}

static void fill_truncation(const truncation *t, arb_ptr law, lab_truncation *out)
{
    int64_t longest = 0;
    arb_t kept, scale, far;
    arb_init(kept);
    arb_init(scale);
    arb_init(far);
    (void)fill_law(t, law, kept);
    arb_one(scale);
    if (t->is_scaled)
        arb_div(scale, scale, kept, BITS);
    for (size_t g = 0; g < t->groups; g++)
        longest =
            (int64_t)t->group[g].length > longest ? (int64_t)t->group[g].length : longest;
    const int64_t shown = longest < t->keep ? longest : t->keep;
    *out = (lab_truncation){.transactions = t->total,
                            .kept = arf_get_d(arb_midref(kept), ARF_RND_NEAR),
                            .scale = arf_get_d(arb_midref(scale), ARF_RND_NEAR),
                            .moved_before = sets_within(longest, t->size),
                            .moved_after = sets_within(shown, t->size),
                            .count = t->gamma_count};
    for (size_t i = 0; i < t->gamma_count; i++) {
        arb_zero(far);
        for (size_t k = 0; k <= t->total; k++)
            if (!is_near(t, k, scale, t->gammas[i]))
                arb_add(far, far, law + k, BITS);
        out->rows[i].gamma = t->gammas[i];
        out->rows[i].beta = fmin(1, fmax(0, upper_of(far)));
    }
    arb_clear(far);
    arb_clear(scale);
    arb_clear(kept);
}

scrim_status lab_truncation_of(const char *line, lab_truncation *out, scrim_error *error)
{
    lab_word words[TRUNCATION_WORDS];
    truncation t = {.groups = 0};
    scrim_status status =
        lab_words_read(truncation_rules, TRUNCATION_WORDS, line, words, error);
    if (status == SCRIM_OK)
        status = read_truncation(words, &t, error);
    if (status == SCRIM_OK) {
        arb_ptr law = _arb_vec_init((slong)t.total + 1);
        fill_truncation(&t, law, out);
        _arb_vec_clear(law, (slong)t.total + 1);
    }
    lab_words_clear(words, TRUNCATION_WORDS);
    return status;
}
