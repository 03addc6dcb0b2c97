/* A histogram of rounded real noise that is charged as the noise on integers is. */
#include "audit/broken.h"
#include "mechanism/histogram/rounded_stlap.h"
#include "mechanism/histogram/stlap_noise.h"

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    sc_ratio delta;
    sc_ball claimed;
    sc_ratio_init(&delta);
    sc_ball_init(&claimed);
    scrim_status status = sc_rounded_stlap.cost(m, out, error);
    sc_stlap_delta(&out->epsilon, (uint64_t)sc_measurement_integer(m, "q", 1), 1, 1, 256,
                   &claimed);
    if (status == SCRIM_OK && !sc_cost_round_up_ball(&claimed, &delta))
        status = sc_fail(error, SCRIM_E_INTERNAL, "no delta");
    if (status == SCRIM_OK)
        sc_cost_set_approximate(out, &out->epsilon, &delta);
    sc_ball_clear(&claimed);
    sc_ratio_clear(&delta);
    return status;
}

static sc_mechanism rounded;

__attribute__((constructor)) static void make_rounded(void)
{
    rounded = sc_rounded_stlap;
    rounded.cost = cost;
}

#define SOURCE "spec/papers-additions.md 5.1, v:rounded_stlap"

BROKEN(rounded_noise_as_integer_noise, .wrong = "rounded noise, charged as integer noise",
       .mechanism = &rounded, .line = "q=4", .kind = BROKEN_DELTA, .at = "1/2",
       .size = "0.188770334399", .claimed = "0.124754788695", .source = SOURCE)
BROKEN(rounded_noise_of_more_as_integer_noise,
       .wrong = "the same where a bar may lose more", .mechanism = &rounded,
       .line = "q=16", .kind = BROKEN_DELTA, .at = "1/4", .size = "0.0222274943505",
       .claimed = "0.0190918457368", .source = SOURCE)
