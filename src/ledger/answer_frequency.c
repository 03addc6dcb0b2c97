/* What many answers say together, where each person gives one of their own. */
#include "base/number/ratio.h"
#include "base/status.h"
#include "ledger/answer.h"

/* A millionth: six decimal places. */
#define PARTS 1000000

static uint64_t count_of(const scrim_answer *answer, sc_int128 value)
{
    uint64_t count = 0;
    for (size_t i = 0; i < answer->count; i++)
        count += answer->values[i] == value;
    return count;
}

typedef void rounding(const sc_ratio *x, sc_integer *out);

/* floor(x + 1/2). */
static void round_near(const sc_ratio *x, sc_integer *out)
{
    SC_OWN(sc_ratio, half, two);
    sc_ratio_set_int64(&half, 1);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, &half, &two);
    sc_ratio_add(&half, &half, x);
    sc_ratio_floor(&half, out);
}

static void put_rounded(const sc_ratio *x, rounding *round, char text[SCRIM_NUMBER_BYTES])
{
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, whole, parts);
    sc_ratio_set_int64(&scaled, PARTS);
    sc_ratio_mul(&scaled, &scaled, x);
    round(&scaled, &whole);
    sc_integer_set_int128(&parts, PARTS);
    sc_ratio_set_fraction(&scaled, &whole, &parts);
    sc_ratio_format(&scaled, text, SCRIM_NUMBER_BYTES);
}

static void clamp(sc_ratio *x)
{
    if (sc_ratio_sign(x) < 0)
        sc_ratio_set_int64(x, 0);
    if (sc_ratio_compare_int64(x, 1) > 0)
        sc_ratio_set_int64(x, 1);
}

/* The interval is around the estimate that was brought into [0, 1]: it is never empty. */
static void put_frequency(const sc_ratio *estimate, const sc_ratio *radius,
                          scrim_frequency *out)
{
    SC_OWN(sc_ratio, middle, end);
    put_rounded(estimate, round_near, out->estimate);
    sc_ratio_set(&middle, estimate);
    clamp(&middle);
    sc_ratio_sub(&end, &middle, radius);
    clamp(&end);
    put_rounded(&end, sc_ratio_floor, out->low);
    sc_ratio_add(&end, &middle, radius);
    clamp(&end);
    put_rounded(&end, sc_ratio_ceil, out->high);
}

scrim_status scrim_answer_frequency(const scrim_answer *answer,
                                    const scrim_measurement *measurement, uint64_t value,
                                    const scrim_certificate *certificate,
                                    scrim_frequency *out, scrim_error *error)
{
    if (value >= scrim_measurement_values(measurement))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "value",
                           "no answer has that value, or no frequency is estimated");
    if (certificate->form != SCRIM_CERTIFICATE_FREQUENCY)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "certificate",
                           "the certificate is of another form and gives no frequency");
    if (answer->count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "answers",
                           "there are no answers to estimate from");
    const sc_int128 wanted = (sc_int128)measurement->domain.grid.low + value;
    SC_OWN(sc_ratio, estimate, radius);
    SC_TRY(sc_ratio_parse(sc_text_of(certificate->radius), &radius, error));
    measurement->mechanism->frequency(measurement, count_of(answer, wanted),
                                      answer->count, &estimate);
    put_frequency(&estimate, &radius, out);
    return SCRIM_OK;
}
