#include "local/collect/decoding.h"

#include "base/memory.h"
#include "base/number/ball_double.h"
#include "local/collect/sum_kind.h"

#include <math.h>

void sc_decoding_clear(sc_decoding *decoding)
{
    sc_free(decoding->variances);
    sc_free(decoding->solved);
    sc_free(decoding->trials);
    sc_free(decoding->hits);
    sc_ratio_clear(&decoding->mean);
    sc_ratio_clear(&decoding->slope);
    sc_ratio_clear(&decoding->q);
    *decoding = (sc_decoding){0};
}

/* Products of the numbers of q with less than 2^53 reports fit. */
#define SHORT ((sc_int128)1 << 72)

static void shorten(sc_decoding *decoding)
{
    SC_OWN(sc_integer, over, under);
    SC_OWN(sc_ratio, unit);
    decoding->half_a_hit = sc_ball_near(&decoding->slope) / 2;
    decoding->q_near = sc_ball_near(&decoding->q);
    sc_ratio_numerator(&decoding->q, &over);
    sc_ratio_denominator(&decoding->q, &under);
    if (!sc_integer_get_int128(&over, &decoding->q_over) ||
        !sc_integer_get_int128(&under, &decoding->q_under) ||
        decoding->q_under >= SHORT) {
        decoding->q_under = 0;
        return;
    }
    sc_ratio_set_integer(&unit, &under);
    sc_ratio_div(&unit, &decoding->slope, &unit);
    decoding->unit = sc_ball_near(&unit);
}

scrim_status sc_decoding_init(sc_decoding *decoding, sc_sums *sums, scrim_error *error)
{
    const sc_sum_kind *kind = sc_sum_kind_of(&sums->config);
    if (sums->reports == 0)
        return sc_fail(error, SCRIM_E_STATE, "there is no report to decode");
    *decoding = (sc_decoding){.reports = sums->reports};
    sc_ratio_init(&decoding->q);
    sc_ratio_init(&decoding->slope);
    sc_ratio_init(&decoding->mean);
    (void)sc_sums_counts(sums);
    const scrim_status status = kind->decode(sums, decoding, error);
    if (status != SCRIM_OK)
        sc_decoding_clear(decoding);
    else if (decoding->hits != NULL)
        shorten(decoding);
    return status;
}

scrim_status sc_decoding_room(sc_decoding *decoding, size_t values, scrim_error *error)
{
    decoding->values = values;
    decoding->hits = sc_allocate(values, sizeof *decoding->hits);
    return decoding->hits != NULL ? SCRIM_OK : sc_no_memory(error, "decoding");
}

/* The second to fourth cumulants of a bit of probability p, times a power of slope. */
static void bit_cumulants(double p, double slope, double out[3])
{
    const double variance = p * (1 - p);
    out[0] = variance * slope * slope;
    out[1] = variance * (1 - 2 * p) * slope * slope * slope;
    out[2] = variance * (1 - 6 * variance) * slope * slope * slope * slope;
}

void sc_decoding_cumulants(sc_decoding *decoding, double p)
{
    const double slope = sc_ball_near(&decoding->slope);
    double held[3];
    bit_cumulants(sc_ball_near(&decoding->q), slope, decoding->own);
    bit_cumulants(p, slope, held);
    for (int i = 0; i < 3; i++)
        decoding->more[i] = held[i] - decoding->own[i];
}

uint64_t sc_decoding_trials(const sc_decoding *decoding, size_t value)
{
    return decoding->trials == NULL ? decoding->reports : decoding->trials[value];
}

void sc_decoding_exact(const sc_decoding *decoding, size_t value, sc_ratio *out)
{
    SC_OWN(sc_ratio, missed);
    sc_ratio_set_int64(out, (int64_t)sc_decoding_trials(decoding, value));
    sc_ratio_mul(&missed, out, &decoding->q);
    sc_ratio_set_int64(out, decoding->hits[value]);
    sc_ratio_sub(out, out, &missed);
    sc_ratio_mul(out, out, &decoding->slope);
}

double sc_decoding_estimate(const sc_decoding *decoding, size_t value)
{
    if (decoding->solved != NULL)
        return decoding->solved[value];
    if (decoding->q_under != 0) {
        const sc_int128 over =
            decoding->hits[value] * decoding->q_under -
            (sc_int128)sc_decoding_trials(decoding, value) * decoding->q_over;
        return (double)over * decoding->unit;
    }
    SC_OWN(sc_ratio, exact);
    sc_decoding_exact(decoding, value, &exact);
    return sc_ratio_sign(&exact) == 0 ? 0 : sc_ball_near(&exact);
}

double sc_decoding_variance(const sc_decoding *decoding, size_t value, double holders)
{
    if (decoding->variances != NULL)
        return decoding->variances[value];
    return fmax(0, (double)sc_decoding_trials(decoding, value) * decoding->own[0] +
                       holders * decoding->more[0]);
}
