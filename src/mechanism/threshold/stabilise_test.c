#include "choices.h"
#include "exact.h"
#include "goodness.h"
#include "mechanism/threshold/kept_size.h"
#include "mechanism/threshold/stabilise.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "mechanism_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pair of kept keys and an answer on them, by all sets of keys and all sums, in doubles. */

enum { KEYS = 4, REACH = 400, SUMS = 2 * REACH + 1 };

typedef struct side {
    size_t count;
    int64_t utility[KEYS], value[KEYS];
    bool is_there[KEYS];
} side;

static double tail(double w, int64_t a, int64_t t)
{
    return a < t ? exp(-w * (double)(t - a)) / (1 + exp(-w))
                 : 1 - exp(-w * (double)(a - t + 1)) / (1 + exp(-w));
}

/* The probability that exactly the keys of a set are kept, and the sum of their values. */
static double kept(const side *s, unsigned set, double w, int64_t k, int64_t *sum)
{
    double p = 1;
    *sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double keep = s->is_there[i] ? tail(w, s->utility[i], k) : 0;
        const bool is_in = set >> i & 1;
        p *= is_in ? keep : 1 - keep;
        *sum += is_in ? s->value[i] : 0;
    }
    return p;
}

/* sum over sets and noisy totals of max(0, P - e^(eps_s + eps) Q); the total has noise of rate
 * eps. */
static double excess(const side *x, const side *y, double eps_s, double eps, int64_t k)
{
    double total = 0;
    for (unsigned set = 0; set < 1u << x->count; set++) {
        int64_t a = 0, b = 0;
        const double p = kept(x, set, eps_s, k, &a), q = kept(y, set, eps_s, k, &b);
        for (int64_t v = -REACH; v <= REACH; v++) {
            const double pv = exp(-eps * fabs((double)(v - a))) * tanh(eps / 2);
            const double qv = exp(-eps * fabs((double)(v - b))) * tanh(eps / 2);
            total += fmax(0, p * pv - exp(eps_s + eps) * q * qv);
        }
    }
    return total;
}

static int64_t at(const json_t *list, size_t index)
{
    return json_integer_value(json_array_get(list, index));
}

TEST(stabilise_pair_has_the_printed_claim)
{
    CLAIM("stabilised.privacy");
    json_t *rows = vectors_load("thresholding", "stabilise_claim"), *row, *key;
    size_t r, k;
    json_array_foreach(rows, r, row)
    {
        side x = {.count = 0}, y = {.count = 0};
        json_array_foreach(json_object_get(row, "shared_keys"), k, key)
        {
            x.utility[x.count] = at(key, 0);
            y.utility[x.count] = at(key, 1);
            x.value[x.count] = at(key, 2);
            y.value[x.count] = at(key, 3);
            x.is_there[x.count] = y.is_there[x.count] = true;
            x.count++;
        }
        json_array_foreach(json_object_get(row, "new_keys"), k, key)
        {
            y.utility[x.count] = at(key, 0);
            y.value[x.count] = at(key, 1);
            y.is_there[x.count] = true;
            x.count++;
        }
        y.count = x.count;
        const double eps_s =
            strtod(json_string_value(json_object_get(row, "eps_s")), NULL);
        const double eps = strtod(json_string_value(json_object_get(row, "eps")), NULL);
        const double claim =
            strtod(json_string_value(json_object_get(row, "claim")), NULL);
        const int64_t threshold = json_integer_value(json_object_get(row, "K"));
        CHECK(fabs(excess(&y, &x, eps_s, eps, threshold) - claim) < 1e-13);
        CHECK(fabs(excess(&x, &y, eps_s, eps, threshold)) < 1e-13);
        if (claim > 0) { /* the mass of one new key of utility 1 */
            sc_law noise;
            sc_ball mass;
            const sc_new_groups own = {.groups = 1, .each = 1};
            exact_law(&sc_discrete_laplace_law, eps_s < 1 ? "2" : "1", 0, &noise);
            sc_ball_init(&mass);
            sc_new_groups_mass(&own, &noise, threshold, EXACT_BITS, &mass);
            CHECK_PRINTED(&mass, json_string_value(json_object_get(row, "claim")));
            sc_ball_clear(&mass);
            sc_law_clear(&noise);
        }
    }
    CHECK_INT(r, 4);
}

TEST(stabilise_threshold_is_the_smallest)
{
    CLAIM("stabilise.privacy");
    static const struct {
        const char *rest;
        int64_t sum, groups, largest;
    } list[] = {{"sensitivity=1", 1, 0, 0},
                {"sensitivity=4", 4, 0, 0},
                {"sensitivity=4 max-groups=3 largest=2", 4, 3, 2},
                {"sensitivity=4 max-groups=1", 4, 1, 4}};
    for (size_t i = 0; i < COUNT(list); i++) {
        char line[200];
        snprintf(line, sizeof line,
                 "stabilise %s epsilon=1/2 delta=1e-4 neighbours=replace", list[i].rest);
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        const double w = 0.5 / (double)list[i].sum, d = (double)list[i].sum;
        for (int64_t k = sc_threshold_of(m) - 1; k <= sc_threshold_of(m); k++) {
            const double mass =
                list[i].groups > 0
                    ? -expm1((double)list[i].groups * log1p(-tail(w, list[i].largest, k)))
                    : fmax(tail(w, list[i].sum, k), -expm1(d * log1p(-tail(w, 1, k))));
            CHECK((mass <= 1e-4) == (k == sc_threshold_of(m)));
        }
        scrim_measurement_free(m);
    }
}

/* A key of one unit alone, kept with probability p: p one way, 1 - e^eps (1 - p) the other. */
static void check_new_key(const json_t *row, const char *rate, const char *onto,
                          const char *from)
{
    char line[200];
    sc_outcomes law;
    const int64_t is_kept = 1;
    const int64_t utility = json_integer_value(json_object_get(row, "Delta"));
    snprintf(line, sizeof line,
             "stabilise sensitivity=%lld epsilon=%s threshold=%lld neighbours=add-remove",
             (long long)utility, vectors_text(row, rate),
             (long long)json_integer_value(json_object_get(row, "T")));
    scrim_measurement *m = choices_new(line);
    REQUIRE(m != NULL);
    REQUIRE(choices_law(m, &utility, 1, 128, &law));
    const double p = choices_mass(&law, &is_kept);
    const double e = exp(strtod(vectors_text(row, "eps"), NULL));
    CHECK_NEAR(p, strtod(vectors_text(row, from), NULL), 1e-14);
    CHECK_NEAR(fmax(0, 1 - e * (1 - p)), strtod(vectors_text(row, onto), NULL), 1e-14);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

TEST(stabilise_has_the_printed_deltas_of_a_new_key)
{
    CLAIM("stabilise.exact");
    json_t *rows = vectors_load("thresholding", "theorem5_side_condition"), *row;
    size_t r;
    check_new_key(vectors_load("thresholding", "thresholding_both_directions"), "eps",
                  "D_to_Dprime", "Dprime_to_D");
    json_array_foreach(rows, r, row)
        check_new_key(row, "omega", "true_delta_D_to_Dprime", "true_delta_Dprime_to_D");
    CHECK(r >= 3);
}

/* F12: half of the Laplace tail, which the source leaves out, and the step of the integers. */
TEST(stabilise_threshold_is_below_the_printed_one)
{
    CLAIM("stabilise.privacy");
    json_t *rows = vectors_load("thresholding", "lemma7_half"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        char line[200];
        snprintf(line, sizeof line,
                 "stabilise sensitivity=1 epsilon=%s delta=%s neighbours=add-remove",
                 json_string_value(json_object_get(row, "eps")),
                 json_string_value(json_object_get(row, "delta")));
        scrim_measurement *m = choices_new(line);
        REQUIRE(m != NULL);
        const double e = strtod(json_string_value(json_object_get(row, "eps")), NULL);
        const double d = strtod(json_string_value(json_object_get(row, "delta")), NULL);
        const double paper =
            strtod(json_string_value(json_object_get(row, "kappa_paper")), NULL);
        const double exact =
            strtod(json_string_value(json_object_get(row, "kappa_exact")), NULL);
        CHECK_NEAR(1 + log(1 / d) / e, paper, 1e-12);
        CHECK_NEAR(1 + log(0.5 / d) / e, exact, 1e-12);
        CHECK((double)sc_threshold_of(m) <= ceil(paper));
        CHECK(fabs((double)sc_threshold_of(m) - exact) <= 1);
        scrim_measurement_free(m);
    }
    CHECK_INT(r, 3);
}

TEST(stabilise_law_is_that_of_each_key)
{
    CLAIM("stabilise.exact");
    static const char line[] =
        "stabilise sensitivity=2 epsilon=1 delta=0.05 neighbours=add-remove";
    static const int64_t input[] = {0, 1, 9};
    scrim_measurement *m = choices_new(line);
    sc_outcomes law;
    REQUIRE(m != NULL);
    const int64_t k = sc_threshold_of(m);
    REQUIRE(choices_law(m, input, 3, 128, &law));
    choices_check_total(&law, 100);
    CHECK_INT(law.count, 4);
    for (size_t i = 0; i < law.count; i++) {
        double p = 1;
        CHECK_INT(law.keys[3 * i], 0);
        for (size_t j = 1; j < 3; j++) {
            const double keep = tail(0.5, input[j], k);
            p *= law.keys[3 * i + j] == 1 ? keep : 1 - keep;
        }
        CHECK_NEAR(goodness_middle(&law.mass[i]), p, 1e-12);
    }
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
    choices_fit(line, input, 3, check_count(20000, 1000000));
}

TEST(stabilise_certifies_utilities)
{
    CLAIM("stabilise.accuracy");
    scrim_measurement *m =
        choices_new("stabilise sensitivity=2 epsilon=1 delta=0.05 neighbours=add-remove");
    scrim_certificate c;
    sc_ratio half;
    uint64_t units = 0;
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_certify(m, "0.9", 3, &c, NULL));
    CHECK_STR(c.value_radius, "");
    const int64_t u = strtoll(c.radius, NULL, 10);
    CHECK(tail(0.5, u, sc_threshold_of(m)) >= 0.9);
    CHECK(tail(0.5, u - 1, sc_threshold_of(m)) < 0.9);
    exact_ratio("1/2", &half);
    CHECK(sc_threshold_kept_size(m, &half, &units));
    CHECK_INT(units, sc_threshold_of(m));
    sc_ratio_clear(&half);
    scrim_measurement_free(m);
}

TEST(stabilise_refuses_what_is_none)
{
    choices_refused("stabilise epsilon=1 delta=1e-3 neighbours=replace", SCRIM_E_PARAM,
                    "sensitivity");
    choices_refused("stabilise sensitivity=3/2 epsilon=1 delta=1e-3 neighbours=replace",
                    SCRIM_E_PARAM, "sensitivity");
    choices_refused(
        "stabilise sensitivity=3 largest=2 epsilon=1 delta=1e-3 neighbours=replace",
        SCRIM_E_PARAM, "max-groups");
    choices_refused("stabilise sensitivity=3 max-groups=2 largest=4 epsilon=1 delta=1e-3 "
                    "neighbours=replace",
                    SCRIM_E_PARAM, "largest");
    static const int64_t units[] = {11, 0, 12};
    choices_check_entropy(
        "stabilise sensitivity=2 epsilon=1 delta=0.05 neighbours=add-remove", units, 3);
    mechanism_check_faults(
        "stabilise sensitivity=2 epsilon=1 delta=0.05 neighbours=add-remove");
}
