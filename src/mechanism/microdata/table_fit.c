#include "mechanism/microdata/table_fit.h"

#include "base/number/ratio.h"
#include "base/status.h"
#include "model/option_struct.h"
#include "scrim/microdata.h"

#include <string.h>

/* Squares. */

static sc_int128 floor_of(sc_int128 above, sc_int128 below)
{
    const sc_int128 whole = above / below;
    return whole * below > above ? whole - 1 : whole;
}

/* The increase of the squares by the unit that brings the table to `total`, times below. */
static sc_int128 unit_cost(const int64_t *values, size_t count, int64_t total,
                           int64_t sum, int64_t above, int64_t below)
{
    sc_projection p;
    sc_project(values, count, total, &p);
    const sc_int128 gamma = floor_of(p.sum - total, (sc_int128)p.support);
    return below * (-2 * gamma - 1) + above * (2 * ((sc_int128)total - sum) - 1);
}

/* The sum of max(0, value + shift). */
static sc_int128 sum_shifted(const int64_t *values, size_t count, int64_t shift)
{
    sc_int128 sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i] > -shift ? (sc_int128)values[i] + shift : 0;
    return sum;
}

int64_t sc_fit_squares(const int64_t *values, size_t count, int64_t sum, int64_t above,
                       int64_t below)
{
    const sc_int128 cells = sum_shifted(values, count, 0);
    const int64_t most = sc_projection_clamp(cells > sum ? cells : sum);
    int64_t low = 0, high = most < 0 ? 0 : most;
    /* The units up to low pay; those behind high do not. */
    while (low < high) {
        const int64_t middle = low + (high - low + 1) / 2;
        if (unit_cost(values, count, middle, sum, above, below) < 0)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The largest. */

static bool is_within(const int64_t *values, size_t count, int64_t sum, int64_t error)
{
    return sum_shifted(values, count, -error) <= (sc_int128)sum + error &&
           sum_shifted(values, count, error) >= (sc_int128)sum - error;
}

int64_t sc_fit_largest(const int64_t *values, size_t count, int64_t sum, int64_t *error)
{
    int64_t low = sum < 0 ? -sum : 0, high = SC_FIT_VALUE;
    for (size_t i = 0; i < count; i++)
        low = -values[i] > low ? -values[i] : low;
    /* With the largest of all values every table of nothing is within. */
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (is_within(values, count, sum, middle))
            high = middle;
        else
            low = middle + 1;
    }
    *error = low;
    const sc_int128 least = sum_shifted(values, count, -low),
                    most = sum_shifted(values, count, low);
    return (int64_t)(sum < least ? least : sum > most ? most : sum);
}

/* From outside. */

typedef enum fit_method { FIT_SQUARES, FIT_LARGEST, FIT_SUM, FIT_METHODS } fit_method;
static const char *const methods[] = {"squares", "largest", "sum"};

static scrim_status read_method(const char *text, fit_method *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    *out = FIT_SQUARES;
    for (size_t i = 0; text != NULL && i <= FIT_METHODS; i++) {
        if (i == FIT_METHODS)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "method",
                               "unknown method '%s'; use squares, largest or sum",
                               sc_text_quote(sc_text_of(text), quote));
        *out = (fit_method)i;
        if (strcmp(text, methods[i]) == 0)
            break;
    }
    return SCRIM_OK;
}

static bool read_part(const sc_integer *whole, int64_t *out)
{
    sc_int128 value = 0;
    if (!sc_integer_get_int128(whole, &value) || value < 0 || value > SC_FIT_WEIGHT)
        return false;
    *out = (int64_t)value;
    return true;
}

static scrim_status read_weight(const char *text, int64_t *above, int64_t *below,
                                scrim_error *error)
{
    SC_OWN(sc_ratio, weight);
    SC_OWN(sc_integer, n, m);
    *above = *below = 1;
    if (text == NULL)
        return SCRIM_OK;
    bool is_good = sc_ratio_parse(sc_text_of(text), &weight, NULL) == SCRIM_OK;
    if (is_good) {
        sc_ratio_numerator(&weight, &n);
        sc_ratio_denominator(&weight, &m);
        is_good = read_part(&n, above) && read_part(&m, below);
    }
    return is_good ? SCRIM_OK
                   : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "weight",
                                 "the weight must be at least 0, with a numerator and a "
                                 "denominator of at most 2147483648");
}

static bool is_inside(const int64_t *noisy, size_t cells, int64_t sum)
{
    bool is = cells >= 1 && cells <= SC_PROJECTION_CELLS && sum <= SC_FIT_VALUE &&
              sum >= -SC_FIT_VALUE;
    for (size_t i = 0; is && i < cells; i++)
        is = noisy[i] <= SC_FIT_VALUE && noisy[i] >= -SC_FIT_VALUE;
    return is;
}

scrim_status scrim_microdata_fit(const int64_t *noisy, size_t cells, int64_t noisy_sum,
                                 const scrim_microdata_fit_options *options,
                                 int64_t *table, scrim_error *error)
{
    scrim_microdata_fit_options given;
    fit_method method = FIT_SQUARES;
    int64_t above = 1, below = 1, largest = 0, total = noisy_sum < 0 ? 0 : noisy_sum;
    scrim_status status =
        sc_option_struct_copy(options, sizeof(size_t), &given, sizeof given, error);
    if (status == SCRIM_OK)
        status = read_method(given.method, &method, error);
    if (status == SCRIM_OK)
        status = read_weight(given.weight, &above, &below, error);
    if (status == SCRIM_OK && !is_inside(noisy, cells, noisy_sum))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "noisy",
                             "a table has 1 to 134217728 cells; cells and sum are at "
                             "most 1.15e18 in size");
    if (status != SCRIM_OK)
        return status;
    if (method == FIT_SQUARES)
        total = sc_fit_squares(noisy, cells, noisy_sum, above, below);
    else if (method == FIT_LARGEST)
        total = sc_fit_largest(noisy, cells, noisy_sum, &largest);
    return scrim_microdata_project(noisy, cells, total, given.seed, table, error);
}
