#include "mechanism/linear/linear_queries.h"

#include "mechanism/linear/linear_matrix.h"
#include "mechanism/linear/linear_noise.h"
#include "model/domain.h"

static const sc_parameter_rule parameters[] = {
    SC_LINEAR_MATRIX_PARAMETERS,
    SC_RULE_COUNT("max-rows", "2^20",
                  "the most rows of one unit, an integer from 1 to 1048576"),
    SC_PARAMETER_GRID,
    SC_LINEAR_PARAMETERS,
    SC_PARAMETER_NEIGHBOURS,
};

/* How far one row moves the sums: a column, or under replace the difference of two. */

typedef struct reach {
    sc_int128 sum, square;
} reach;

static void measure(const sc_linear_matrix *a, size_t bin, size_t other, reach *most)
{
    reach r = {0, 0};
    for (size_t i = 0; i < a->queries; i++) {
        int64_t by = sc_linear_matrix_at(a, i, bin);
        if (other < a->bins)
            by -= sc_linear_matrix_at(a, i, other);
        r.sum += by < 0 ? -by : by;
        r.square += (sc_int128)by * by;
    }
    most->sum = r.sum > most->sum ? r.sum : most->sum;
    most->square = r.square > most->square ? r.square : most->square;
}

static bool is_replace(const scrim_measurement *m)
{
    return sc_measurement_neighbours(m) == SCRIM_REPLACE;
}

static void find_reach(const scrim_measurement *m, const sc_linear_matrix *a, reach *out)
{
    *out = (reach){0, 0};
    for (size_t i = 0; i < a->bins; i++) {
        if (!is_replace(m))
            measure(a, i, a->bins, out);
        for (size_t k = 0; is_replace(m) && k < i; k++)
            measure(a, i, k, out);
    }
}

static void set_product(sc_ratio *out, sc_int128 x, int64_t by)
{
    SC_OWN(sc_integer, whole);
    SC_OWN(sc_ratio, factor);
    sc_integer_set_int128(&whole, x);
    sc_ratio_set_integer(out, &whole);
    sc_ratio_set_int64(&factor, by);
    sc_ratio_mul(out, out, &factor);
}

static int64_t rows_of(const scrim_measurement *m)
{
    return sc_measurement_integer(m, "max-rows", 1);
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_linear_matrix a;
    reach most;
    sc_linear_move move;
    scrim_status status = sc_linear_matrix_read(m, &a, error);
    if (status != SCRIM_OK)
        return status;
    find_reach(m, &a, &most);
    if (most.sum == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
                                 sc_linear_matrix_is_given(&a) ? "coefficients" : "bins",
                                 "must depend on the data: no unit changes any of these "
                                 "sums, which are public");
    sc_ratio_init(&move.sum);
    sc_ratio_init(&move.square);
    set_product(&move.sum, most.sum, rows_of(m));
    set_product(&move.square, most.square, rows_of(m) * rows_of(m));
    status = sc_linear_check(m, &move, a.bins, a.queries, error);
    sc_ratio_clear(&move.square);
    sc_ratio_clear(&move.sum);
    return status;
}

/* Releases. */

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    sc_linear_matrix a;
    (void)count;
    return sc_linear_matrix_load(m, &a);
}

/* The noise first, all of it, with no data near. */
static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    sc_linear_matrix a;
    const size_t queries = sc_linear_matrix_load(m, &a);
    const scrim_status status = sc_blocks_fill_wide(bits, &sc_additive_of(m)->blocks,
                                                    queries, out->values, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < queries; i++) {
        /* 256 counts of 2^63 times 2^30, and noise of 2^73 */
        for (size_t k = 0; k < input->count; k++)
            out->values[i] += (sc_int128)sc_linear_matrix_at(&a, i, k) * input->values[k];
        out->marks[i] = SC_MARK_VALUE;
    }
    out->count = queries;
    return SCRIM_OK;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const scrim_status status =
        sc_additive_certify(m, beta, answer_count(m, count), out, error);
    out->excludes = "values that are not whole numbers";
    return status;
}

/* The audit. */

/* The largest sum of the pairs below. */
static int64_t highest(const scrim_measurement *m, const sc_linear_matrix *a)
{
    int64_t most = 0;
    for (size_t i = 0; i < a->queries; i++)
        for (size_t k = 0; k < a->bins; k++)
            most =
                sc_linear_matrix_at(a, i, k) > most ? sc_linear_matrix_at(a, i, k) : most;
    return most * rows_of(m);
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    sc_linear_matrix a;
    int64_t sums[SC_PAIR_VALUES] = {0};
    if (sc_linear_matrix_load(m, &a) > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %d values", SC_PAIR_VALUES);
    for (size_t i = 0; i < a.queries; i++)
        for (size_t k = 0; k < input->count; k++)
            sums[i] += sc_linear_matrix_at(&a, i, k) * input->values[k];
    return sc_linear_list(m, &(sc_private_input){.values = sums, .count = a.queries}, 0,
                          highest(m, &a), bits, out, error);
}

/* All rows of a unit in one bin, or moved from one bin to another. None where the sums have too many
 * outcomes. */
static size_t pair_count(const scrim_measurement *m)
{
    sc_linear_matrix a;
    const size_t queries = sc_linear_matrix_load(m, &a);
    const int64_t most = highest(m, &a);
    if (a.bins > SC_PAIR_VALUES || queries > SC_PAIR_VALUES ||
        most >= (int64_t)SC_OUTCOMES_MAX ||
        (!sc_linear_is_gaussian(m) &&
         sc_size_power((size_t)most + 1, queries) > SC_OUTCOMES_MAX))
        return 0;
    return is_replace(m) ? a.bins * (a.bins - 1) / 2 : a.bins;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_linear_matrix a;
    size_t bin = 0;
    (void)sc_linear_matrix_load(m, &a);
    out->x_count = out->y_count = a.bins;
    for (size_t i = 0; i < a.bins; i++)
        out->x[i] = out->y[i] = 0;
    if (!is_replace(m)) {
        out->y[index] = rows_of(m);
        return;
    }
    while (index > bin)
        index -= ++bin; /* the pair of the bins bin + 1 and index */
    out->x[index] = rows_of(m);
    out->y[bin + 1] = rows_of(m);
}

const sc_mechanism sc_linear_queries = {
    .entry = {.name = "linear-queries",
              .parameters =
                  "bins=N coefficients=R,...|workload=W [columns=N,... ways=N max-rows=N "
                  "grid=R] " SC_LINEAR_TEXT_COST,
              .input = "numbers",
              .claim = "epsilon-DP, pure, by the exact l1 sensitivity; with a delta or "
                       "rho: concentrated, by the l2 sensitivity",
              .does = "Answers weighted sums of the counts of public bins. The noise "
                      "fits the exact sensitivity of all queries together.",
              .example = "bins=3 coefficients=1,1,0,0,1/2,1 grid=1/2 epsilon=1 "
                         "neighbours=add-remove",
              .example_input = "120\n340\n280\n",
              .reference = "Dwork, McSherry, Nissim, Smith: Calibrating Noise to "
                           "Sensitivity in Private Data Analysis, 2006; errata 50 and "
                           "78"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .law_is_folded = true,
    .check = check,
    .discard = sc_additive_discard,
    .cost = sc_linear_cost,
    .certify = certify,
    .answer_count = answer_count,
    .draw = draw,
    .place = sc_linear_place,
    .width = answer_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
