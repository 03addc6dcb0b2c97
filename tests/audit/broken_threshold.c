/* Noisy counts whose threshold or whose noise is not what was charged. */
#include "audit/broken.h"
#include "base/memory.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/domain.h"

/* The charge; the noise, Laplace by its scale or Gaussian by its variance; from where on
 * counts are shown; and the pair: a unit joins `groups` groups, each of `others` others. */
static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"),  BROKEN_PARAMETER("delta"), BROKEN_PARAMETER("scale"),
    BROKEN_PARAMETER("variance"), BROKEN_PARAMETER("shown"), BROKEN_PARAMETER("groups"),
    BROKEN_PARAMETER("others"),   SC_PARAMETER_NEIGHBOURS};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    const sc_ratio *scale = sc_measurement_get(m, "scale");
    sc_noisy_threshold *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a measurement");
    m->state = s;
    s->threshold = sc_measurement_integer(m, "shown", 1);
    return sc_noisy_threshold_init(
        s, scale != NULL ? &sc_discrete_laplace_law : &sc_discrete_gaussian_law,
        scale != NULL ? scale : sc_measurement_get(m, "variance"), error);
}

static void discard(scrim_measurement *m)
{
    if (m->state != NULL)
        sc_noisy_threshold_clear(m->state);
    sc_free(m->state);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    return SCRIM_OK;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)index;
    out->x_count = out->y_count = (size_t)sc_measurement_integer(m, "groups", 1);
    for (size_t i = 0; i < out->x_count; i++) {
        out->x[i] = sc_measurement_integer(m, "others", 0);
        out->y[i] = out->x[i] + 1;
    }
}

static const sc_mechanism threshold = {.entry = {.name = "threshold-broken",
                                                 .parameters = "",
                                                 .input = "counts",
                                                 .claim = "one that does not hold",
                                                 .reference = "none"},
                                       .parameters = parameters,
                                       .parameter_count =
                                           sizeof parameters / sizeof *parameters,
                                       .check = check,
                                       .discard = discard,
                                       .cost = cost,
                                       .certify = broken_certify,
                                       .answer_count = sc_unit_counts_answers,
                                       .draw = broken_draw,
                                       .width = sc_unit_counts_answers,
                                       .law = sc_noisy_threshold_law,
                                       .pair_count = broken_one_pair,
                                       .pair = pair};

BROKEN(threshold_laplace_off_by_one,
       .wrong = "counts are shown from T on, and charged as if above it",
       .mechanism = &threshold, .line = "epsilon=1 delta=0.00492583396 scale=1 shown=5",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.0133898049327",
       .claimed = "0.00492583396",
       .source = "THREATS A27: 1.339 % and 0.493 %, exp(-4)/(1 + exp(-1))")
BROKEN(threshold_gaussian_off_by_one,
       .wrong = "counts of three groups are shown from T on, and charged as if above it",
       .mechanism = &threshold,
       .line = "epsilon=1 delta=3.96178575835e-9 variance=100 shown=60 groups=3",
       .kind = BROKEN_DELTA, .at = "1", .size = "7.266514833e-9",
       .claimed = "3.96178575835e-9",
       .source = "THREATS A27, v:discrete_gaussian_thresholding")
BROKEN(threshold_gaussian_noise_of_one_group,
       .wrong = "a unit is in two groups, and each has the noise of one",
       .mechanism = &threshold,
       .line = "epsilon=1 delta=1e-5 variance=14 shown=1 groups=2 others=80",
       .kind = BROKEN_DELTA, .at = "1", .size = "7.543730645e-4", .claimed = "0.00001",
       .source = "spec/thresholding.md 6, by the sum of two draws")
