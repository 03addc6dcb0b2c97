/* Statements on suppression as they were printed, and are wrong: spec/thresholding.md 11. */
#include "audit/broken.h"
#include "mechanism/noise/laplace.h"
#include "mechanism/threshold/hard_range.h"
#include "model/domain.h"
#include "sampling/law.h"

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "charged-epsilon"),
                            sc_measurement_get(m, "charged-delta"));
    return SCRIM_OK;
}

#define ENTRY(title)                                                                     \
    {                                                                                    \
        .name = (title), .parameters = "", .input = "values",                            \
        .claim = "one that does not hold", .reference = "none"                           \
    }

static size_t answers(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

/* Ranges, charged otherwise. */

static const sc_parameter_rule range_parameters[] = {
    BROKEN_PARAMETER("sensitivity"),   BROKEN_PARAMETER("epsilon"),
    BROKEN_PARAMETER("width"),         BROKEN_PARAMETER("charged-epsilon"),
    BROKEN_PARAMETER("charged-delta"), SC_PARAMETER_NEIGHBOURS};

static scrim_status range_check(scrim_measurement *m, scrim_error *error)
{
    return sc_hard_range.check(m, error);
}

static void range_discard(scrim_measurement *m)
{
    sc_hard_range.discard(m);
}

static scrim_status range_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    return sc_hard_range.law(m, input, bits, out, error);
}

static void range_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)index;
    broken_pair(0, sc_measurement_integer(m, "sensitivity", 1), out);
}

static const sc_mechanism range = {.entry = ENTRY("range-broken"),
                                   .parameters = range_parameters,
                                   .parameter_count =
                                       sizeof range_parameters / sizeof *range_parameters,
                                   .check = range_check,
                                   .discard = range_discard,
                                   .cost = cost,
                                   .certify = broken_certify,
                                   .answer_count = answers,
                                   .draw = broken_draw,
                                   .width = answers,
                                   .law = range_law,
                                   .pair_count = broken_one_pair,
                                   .pair = range_pair};

BROKEN(range_with_the_sign_of_the_source,
       .wrong = "delta of a range with L + D - 1 in the place of L - D + 1",
       .mechanism = &range,
       .line = "sensitivity=2 epsilon=1 width=5 charged-epsilon=1 "
               "charged-delta=0.0497870683678639430",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.0532502846127138967",
       .claimed = "0.0497870683678639430",
       .source = "spec/thresholding.md F1, v:range_mechanism_delta")
BROKEN(range_with_the_sign_of_the_source_of_four,
       .wrong = "the same where the sensitivity is 4", .mechanism = &range,
       .line = "sensitivity=4 epsilon=2 width=8 charged-epsilon=2 "
               "charged-delta=0.00408677143846406699",
       .kind = BROKEN_DELTA, .at = "2", .size = "0.0441796747896191726",
       .claimed = "0.00408677143846406699",
       .source = "spec/thresholding.md F1, v:range_mechanism_delta")

/* Keys that are shown or not, by how many are: the answer tells no more. */

static const sc_parameter_rule key_parameters[] = {BROKEN_PARAMETER("scale"),
                                                   BROKEN_PARAMETER("shown"),
                                                   BROKEN_PARAMETER("keys"),
                                                   BROKEN_PARAMETER("utility"),
                                                   BROKEN_PARAMETER("moved"),
                                                   BROKEN_PARAMETER("epsilon"),
                                                   BROKEN_PARAMETER("charged-epsilon"),
                                                   BROKEN_PARAMETER("charged-delta"),
                                                   SC_PARAMETER_NEIGHBOURS};

/* P(a + Z >= T). */
static void tail_of(const scrim_measurement *m, int64_t a, long bits, sc_ball *out)
{
    sc_law noise;
    sc_law_init(&noise, &sc_discrete_laplace_law, sc_measurement_get(m, "scale"), 0);
    sc_law_at_least(&noise, sc_measurement_integer(m, "shown", 1) - a, bits, out);
    sc_law_clear(&noise);
}

/* The law of whether any of the keys of value 0 is shown. */
static scrim_status zeros_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t keys[2] = {0, 1};
    sc_ball hidden, any;
    sc_ball_init(&hidden);
    sc_ball_init(&any);
    tail_of(m, 0, bits + 64, &any);
    sc_ball_neg(&hidden, &any);
    sc_ball_add_int64(&hidden, &hidden, 1, bits + 64);
    sc_ball_power(&hidden, &hidden, (uint64_t)input->values[0], bits + 64);
    sc_ball_neg(&any, &hidden);
    sc_ball_add_int64(&any, &any, 1, bits + 64);
    scrim_status status = sc_outcomes_add(out, &keys[0], &hidden, error);
    if (status == SCRIM_OK && input->values[0] > 0)
        status = sc_outcomes_add(out, &keys[1], &any, error);
    sc_ball_clear(&any);
    sc_ball_clear(&hidden);
    return status;
}

static void zeros_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)index;
    broken_pair(0, sc_measurement_integer(m, "keys", 1), out);
}

/* The number of kept keys among keys of one utility: the binomial law. */
static scrim_status kept_law(const scrim_measurement *m, const sc_private_input *input,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    const long inner = bits + 128;
    const int64_t n = sc_measurement_integer(m, "keys", 1);
    sc_ball keep, drop, mass, factor;
    scrim_status status = SCRIM_OK;
    sc_ball_init(&keep);
    sc_ball_init(&drop);
    sc_ball_init(&mass);
    sc_ball_init(&factor);
    tail_of(m, input->values[0], inner, &keep);
    sc_ball_neg(&drop, &keep);
    sc_ball_add_int64(&drop, &drop, 1, inner);
    for (int64_t k = 0; status == SCRIM_OK && k <= n; k++) {
        sc_ball_power(&mass, &keep, (uint64_t)k, inner);
        sc_ball_power(&factor, &drop, (uint64_t)(n - k), inner);
        sc_ball_mul(&mass, &mass, &factor, inner);
        for (int64_t i = 0; i < k; i++) { /* n over k */
            sc_ball_mul_int64(&mass, &mass, n - i, inner);
            sc_ball_div_int64(&mass, &mass, i + 1, inner);
        }
        status = sc_outcomes_add(out, &k, &mass, error);
    }
    sc_ball_clear(&factor);
    sc_ball_clear(&mass);
    sc_ball_clear(&drop);
    sc_ball_clear(&keep);
    return status;
}

static void kept_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const int64_t u = sc_measurement_integer(m, "utility", 1);
    (void)index;
    broken_pair(u, u + sc_measurement_integer(m, "moved", 1), out);
}

#define KEYS(title, law_of, pair_of, cost_of)                                            \
    {                                                                                    \
        .entry = ENTRY(title), .parameters = key_parameters,                             \
        .parameter_count = sizeof key_parameters / sizeof *key_parameters,               \
        .check = broken_check, .discard = broken_discard, .cost = (cost_of),             \
        .certify = broken_certify, .answer_count = broken_one, .draw = broken_draw,      \
        .width = broken_one, .law = (law_of), .pair_count = broken_one_pair,             \
        .pair = (pair_of)                                                                \
    }

/* Nothing where there is no key; else the key with a mark, or with its count. */
static scrim_status marked_law(const scrim_measurement *m, const sc_private_input *input,
                               long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t nothing = 0, mark = 1, shown = 2;
    scrim_status status;
    sc_ball above, below;
    sc_ball_init(&above);
    sc_ball_init(&below);
    sc_ball_set_int64(&below, 1);
    if (input->values[0] == 0) {
        status = sc_outcomes_add(out, &nothing, &below, error);
    } else {
        tail_of(m, input->values[0], bits, &above);
        sc_ball_sub(&below, &below, &above, bits);
        status = sc_outcomes_add(out, &mark, &below, error);
        if (status == SCRIM_OK)
            status = sc_outcomes_add(out, &shown, &above, error);
    }
    sc_ball_clear(&below);
    sc_ball_clear(&above);
    return status;
}

static const sc_mechanism zeros = KEYS("zeros-broken", zeros_law, zeros_pair, cost);
static const sc_mechanism marked = KEYS("marks-broken", marked_law, zeros_pair, cost);
static const sc_mechanism kept = KEYS("stabilise-broken", kept_law, kept_pair, cost);
static const sc_mechanism kept_pure =
    KEYS("stabilise-pure-broken", kept_law, kept_pair, broken_cost_pure);

BROKEN(threshold_of_keys_without_value,
       .wrong = "a thousand new keys of value 0 are no new key to the l1 norm",
       .mechanism = &zeros,
       .line = "scale=1 shown=10 keys=1000 charged-epsilon=1 "
               "charged-delta=0.0000902197959646153189",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.0326457959505750153",
       .claimed = "0.0000902197959646153189",
       .source = "spec/thresholding.md F8, v:zero_valued_new_keys")
BROKEN(threshold_with_a_mark_at_small_keys,
       .wrong = "a key of the data is printed with a mark where its count is hidden",
       .mechanism = &marked,
       .line = "scale=1 shown=10 keys=1 charged-epsilon=1 "
               "charged-delta=0.0000902197959646153189",
       .kind = BROKEN_DELTA, .at = "1", .size = "1.0",
       .claimed = "0.0000902197959646153189",
       .source = "spec/thresholding.md F9, v:bottom_vs_omission")
BROKEN(stabilise_by_the_largest_change,
       .wrong = "sixty utilities move by one each, and the largest change is charged",
       .mechanism = &kept,
       .line = "scale=2 shown=28 keys=60 utility=29 charged-epsilon=1 "
               "charged-delta=0.00000164872127070012815",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.459851497188308",
       .claimed = "v:thresholding/theorem6_counterexample/theorem6_claimed_delta",
       .source = "spec/thresholding.md F10, v:theorem6_counterexample, by how many keys "
                 "are kept")
BROKEN(stabilise_by_the_largest_change_purely,
       .wrong = "twenty utilities move by one each, and are charged as one, without a "
                "delta",
       .mechanism = &kept_pure, .line = "scale=2 shown=28 keys=20 utility=27 epsilon=1",
       .kind = BROKEN_LOSS, .size = "10.0",
       .claimed = "v:thresholding/lemma8_pure/lemma8_allows",
       .source = "spec/thresholding.md F10, v:lemma8_pure on the integers: 20 times 1/2, "
                 "where all of them are kept")
BROKEN(stabilise_by_results_that_depend_on_data,
       .wrong = "a utility is the best of the results that the data allow: none changes, "
                "and their number does",
       .mechanism = &kept,
       .line = "scale=2 shown=28 keys=1 utility=0 moved=100 charged-epsilon=1 "
               "charged-delta=1e-6",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.99999948240718939361",
       .claimed = "0.000001",
       .source = "spec/thresholding.md F11, v:definition6_range: from 0 to 100")
BROKEN(stabilise_by_force, .wrong = "a key is forced in by a rule that looks at the data",
       .mechanism = &kept,
       .line = "scale=2 shown=28 keys=1 utility=1 moved=1000000 charged-epsilon=1 "
               "charged-delta=1e-6",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.99999914663372398425",
       .claimed = "0.000001",
       .source = "spec/thresholding.md F19: 1 - tau(1), that the key is not there")
BROKEN(threshold_loss_of_the_source,
       .wrong = "known keys charged exp(delta D) in the place of exp(epsilon)",
       .mechanism = &kept,
       .line = "scale=1 shown=9 keys=1 utility=8 charged-epsilon=1e-6 "
               "charged-delta=1e-6",
       .kind = BROKEN_DELTA, .at = "1e-6", .size = "0.462116888318454",
       .claimed = "0.000001",
       .source = "spec/thresholding.md F5, v:lemma3, by whether the key is kept")

/* Stabilise, then use, without the noise of the second step, or of the first. */

/* The exact count of a key that is kept. */
static scrim_status exact_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t unseen = -1;
    sc_ball keep, drop;
    sc_ball_init(&keep);
    sc_ball_init(&drop);
    tail_of(m, input->values[0], bits + 64, &keep);
    sc_ball_neg(&drop, &keep);
    sc_ball_add_int64(&drop, &drop, 1, bits + 64);
    scrim_status status = sc_outcomes_add(out, &unseen, &drop, error);
    if (status == SCRIM_OK)
        status = sc_outcomes_add(out, &input->values[0], &keep, error);
    sc_ball_clear(&drop);
    sc_ball_clear(&keep);
    return status;
}

/* Whether a key is kept, by its count alone. */
static scrim_status certain_law(const scrim_measurement *m, const sc_private_input *input,
                                long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t is_kept = input->values[0] >= sc_measurement_integer(m, "shown", 1);
    sc_ball one;
    (void)bits;
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    const scrim_status status = sc_outcomes_add(out, &is_kept, &one, error);
    sc_ball_clear(&one);
    return status;
}

static const sc_mechanism exact_keys =
    KEYS("stabilise-then-exact", exact_law, kept_pair, cost);
static const sc_mechanism certain_keys =
    KEYS("stabilise-without-noise", certain_law, kept_pair, cost);

BROKEN(
    stabilise_then_the_exact_table,
    .wrong = "the exact counts of the kept keys are released", .mechanism = &exact_keys,
    .line = "scale=1 shown=6 utility=6 charged-epsilon=2 "
            "charged-delta=0.00492583395603572836",
    .kind = BROKEN_DELTA, .at = "2", .size = "0.901061980198552799",
    .claimed = "0.00492583395603572836",
    .source = "spec/papers-additions.md 5.4: a key of 7 is kept, and no neighbour of 6 "
              "shows 7")
BROKEN(stabilise_without_noise, .wrong = "keys are kept by their exact counts",
       .mechanism = &certain_keys,
       .line = "scale=1 shown=6 utility=5 charged-epsilon=2 "
               "charged-delta=0.00492583395603572836",
       .kind = BROKEN_DELTA, .at = "2", .size = "1.0",
       .claimed = "0.00492583395603572836",
       .source = "spec/papers-additions.md 5.4: 5 is never kept, 6 always")

/* A map of tables that keeps the number of rows: n rows become n copies of n mod 2. */

static const sc_parameter_rule copy_parameters[] = {BROKEN_PARAMETER("sensitivity"),
                                                    BROKEN_PARAMETER("epsilon"),
                                                    SC_PARAMETER_NEIGHBOURS};

static scrim_status copy_check(scrim_measurement *m, scrim_error *error)
{
    return sc_laplace.check(m, error);
}

static void copy_discard(scrim_measurement *m)
{
    sc_laplace.discard(m);
}

static scrim_status copy_law(const scrim_measurement *m, const sc_private_input *input,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    return sc_laplace.law(m, input, bits, out, error);
}

/* 10 copies of 0, and 11 of 1. */
static void copy_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    *out = (sc_pair){.x = {10, 0}, .y = {0, 11}, .x_count = 2, .y_count = 2};
}

static const sc_mechanism copies = {.entry = ENTRY("copies-broken"),
                                    .parameters = copy_parameters,
                                    .parameter_count =
                                        sizeof copy_parameters / sizeof *copy_parameters,
                                    .check = copy_check,
                                    .discard = copy_discard,
                                    .cost = broken_cost_pure,
                                    .certify = broken_certify,
                                    .answer_count = answers,
                                    .draw = broken_draw,
                                    .width = answers,
                                    .law = copy_law,
                                    .pair_count = broken_one_pair,
                                    .pair = copy_pair};

BROKEN(map_that_keeps_the_number_of_rows,
       .wrong = "a map that keeps the number of rows is taken for free",
       .mechanism = &copies, .line = "sensitivity=1 epsilon=1", .kind = BROKEN_LOSS,
       .size = "21.0", .claimed = "1",
       .source = "spec/thresholding.md F15, "
                 "v:lemma9_counterexample")
