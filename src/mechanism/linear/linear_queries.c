#include "mechanism/linear/linear_queries.h"

#include "mechanism/linear/linear_noise.h"
#include "model/neighbours.h"

#define COEFFICIENT_MAX ((int64_t)1 << 30) /* in steps */

static const char *const workloads[] = {"prefix", "ranges", "subsets", NULL};
enum { PREFIX, RANGES, SUBSETS, GIVEN };

static const sc_parameter_rule parameters[] = {
    {.name = "bins",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "256",
     .domain = "the number of bins, an integer from 1 to 256"},
    {.name = "coefficients",
     .kind = SC_PARAMETER_RATIONALS,
     .optional = true,
     .at_least = "0",
     .at_most = "1",
     .domain = "numbers from 0 to 1, bins of them for each query"},
    SC_RULE_WORD("workload", workloads, "prefix, ranges or subsets"),
    SC_RULE_COUNT("max-rows", "2^20",
                  "the most rows of one unit, an integer from 1 to 1048576"),
    SC_PARAMETER_GRID,
    SC_LINEAR_PARAMETERS,
    SC_PARAMETER_NEIGHBOURS,
};

/* The matrix. */

typedef struct matrix {
    size_t bins, queries, kind;
    int64_t one;                       /* the coefficient 1, in steps */
    int64_t given[SC_PARAMETER_ITEMS]; /* in steps */
} matrix;

/* The ends of a range of neighbouring bins: those that begin at bin 0 first. */
static bool is_in_range(size_t bins, size_t query, size_t bin)
{
    size_t first = 0;
    while (query >= bins - first)
        query -= bins - first++;
    return first <= bin && bin <= first + query;
}

static int64_t coefficient(const matrix *a, size_t query, size_t bin)
{
    bool is_in = false;
    if (a->kind == GIVEN)
        return a->given[query * a->bins + bin];
    if (a->kind == PREFIX)
        is_in = bin <= query;
    else if (a->kind == RANGES)
        is_in = is_in_range(a->bins, query, bin);
    else
        is_in = ((query + 1) >> bin & 1) != 0;
    return is_in ? a->one : 0;
}

/* x/step, where that is a whole number that is not too large. */
static bool in_steps(const sc_ratio *x, const sc_ratio *step, int64_t *out)
{
    sc_int128 wide = 0;
    SC_OWN(sc_ratio, quotient);
    SC_OWN(sc_integer, whole);
    sc_ratio_div(&quotient, x, step);
    sc_ratio_numerator(&quotient, &whole);
    if (!sc_ratio_is_integer(&quotient) || !sc_integer_get_int128(&whole, &wide) ||
        wide > COEFFICIENT_MAX)
        return false;
    *out = (int64_t)wide;
    return true;
}

static scrim_status read_given(const scrim_measurement *m, const sc_ratio *step,
                               matrix *a, scrim_error *error)
{
    size_t count = 0;
    const sc_ratio *items = sc_parameters_items(&m->parameters, "coefficients", &count);
    if (count % a->bins != 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT,
                                 "coefficients", "must be bins=%zu for each query",
                                 a->bins);
    a->queries = count / a->bins;
    for (size_t i = 0; i < count; i++)
        if (!in_steps(&items[i], step, &a->given[i]))
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
                                     "coefficients",
                                     "must be multiples of the grid's step, such as "
                                     "grid=0.01, and at most 1.07e9 steps");
    return SCRIM_OK;
}

/* The grid of the measurement is that of its answers, once its domain is set; before, the one that is
 * given. */
static scrim_status read_matrix(const scrim_measurement *m, matrix *a, scrim_error *error)
{
    const sc_ratio *grid = sc_measurement_get(m, "grid");
    *a = (matrix){.bins = (size_t)sc_measurement_integer(m, "bins", 1)};
    SC_OWN(sc_ratio, one, step);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set(&step, grid == NULL ? &one : grid);
    a->kind = sc_measurement_get(m, "coefficients") != NULL
                  ? GIVEN
                  : sc_parameters_word(&m->parameters, "workload", GIVEN);
    if (a->kind == GIVEN)
        return read_given(m, &step, a, error);
    if (!in_steps(&one, &step, &a->one))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "grid",
                                 "must divide 1, and be at least 9.4e-10");
    if (a->kind == SUBSETS && a->bins > 12)
        a->queries = SIZE_MAX;
    else
        a->queries = a->kind == PREFIX   ? a->bins
                     : a->kind == RANGES ? a->bins * (a->bins + 1) / 2
                                         : ((size_t)1 << a->bins) - 1;
    if (a->queries > SC_LINEAR_QUERIES)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "bins",
                                 "has more than %d queries of this workload",
                                 SC_LINEAR_QUERIES);
    return SCRIM_OK;
}

/* What a measurement has passed already. */
static size_t load(const scrim_measurement *m, matrix *a)
{
    return read_matrix(m, a, NULL) == SCRIM_OK ? a->queries : 0;
}

/* How far one row moves the sums: a column, or under replace the difference of two. */

typedef struct reach {
    sc_int128 sum, square;
} reach;

static void measure(const matrix *a, size_t bin, size_t other, reach *most)
{
    reach r = {0, 0};
    for (size_t i = 0; i < a->queries; i++) {
        int64_t by = coefficient(a, i, bin);
        if (other < a->bins)
            by -= coefficient(a, i, other);
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

static void find_reach(const scrim_measurement *m, const matrix *a, reach *out)
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
    static const char *const either[] = {"coefficients", "workload", NULL};
    matrix a;
    reach most;
    sc_linear_move move;
    scrim_status status = sc_measurement_one_of(m, either, error);
    if (status == SCRIM_OK)
        status = read_matrix(m, &a, error);
    if (status != SCRIM_OK)
        return status;
    find_reach(m, &a, &most);
    if (most.sum == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
                                 a.kind == GIVEN ? "coefficients" : "bins",
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
    matrix a;
    (void)count;
    return load(m, &a);
}

/* The noise first, all of it, with no data near. */
static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    matrix a;
    const size_t queries = load(m, &a);
    const scrim_status status = sc_blocks_fill_wide(bits, &sc_additive_of(m)->blocks,
                                                    queries, out->values, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < queries; i++) {
        /* 256 counts of 2^63 times 2^30, and noise of 2^73 */
        for (size_t k = 0; k < input->count; k++)
            out->values[i] += (sc_int128)coefficient(&a, i, k) * input->values[k];
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
static int64_t highest(const scrim_measurement *m, const matrix *a)
{
    int64_t most = 0;
    for (size_t i = 0; i < a->queries; i++)
        for (size_t k = 0; k < a->bins; k++)
            most = coefficient(a, i, k) > most ? coefficient(a, i, k) : most;
    return most * rows_of(m);
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    matrix a;
    int64_t sums[SC_PAIR_VALUES] = {0};
    if (load(m, &a) > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %d values", SC_PAIR_VALUES);
    for (size_t i = 0; i < a.queries; i++)
        for (size_t k = 0; k < input->count; k++)
            sums[i] += coefficient(&a, i, k) * input->values[k];
    return sc_linear_list(m, &(sc_private_input){.values = sums, .count = a.queries}, 0,
                          highest(m, &a), bits, out, error);
}

/* All rows of a unit in one bin, or moved from one bin to another. None where the sums have too many
 * outcomes. */
static size_t pair_count(const scrim_measurement *m)
{
    matrix a;
    const size_t queries = load(m, &a);
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
    matrix a;
    size_t bin = 0;
    (void)load(m, &a);
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
              .parameters = "bins=N coefficients=R,...|workload=W [max-rows=N "
                            "grid=R] " SC_LINEAR_TEXT_COST,
              .input = "numbers",
              .claim = "epsilon-DP, pure, by the exact l1 sensitivity; with a delta or "
                       "rho: concentrated, by the l2 sensitivity",
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
