#include "mechanism/linear/linear_matrix.h"

#define COEFFICIENT_MAX ((int64_t)1 << 30) /* in steps */

const char *const sc_linear_workloads[] = {"prefix", "ranges",    "subsets",
                                           "each",   "marginals", NULL};
enum { PREFIX, RANGES, SUBSETS, EACH, MARGINALS, GIVEN };

bool sc_linear_matrix_is_given(const sc_linear_matrix *a)
{
    return a->kind == GIVEN;
}

/* The ends of a range of neighbouring bins: those that begin at bin 0 first. */
static bool is_in_range(size_t bins, size_t query, size_t bin)
{
    size_t first = 0;
    while (query >= bins - first)
        query -= bins - first++;
    return first <= bin && bin <= first + query;
}

/* The cell of a bin in the table of a set of columns. */
static size_t cell_of(const sc_linear_matrix *a, unsigned table, size_t bin)
{
    size_t cell = 0, step = 1;
    for (size_t i = a->column_count; i-- > 0; bin /= a->sizes[i])
        if ((table >> i & 1) != 0) {
            cell += bin % a->sizes[i] * step;
            step *= a->sizes[i];
        }
    return cell;
}

static bool is_in_cell(const sc_linear_matrix *a, size_t query, size_t bin)
{
    size_t table = a->table_count - 1;
    while (a->firsts[table] > query)
        table--;
    return cell_of(a, a->tables[table], bin) == query - a->firsts[table];
}

int64_t sc_linear_matrix_at(const sc_linear_matrix *a, size_t query, size_t bin)
{
    bool is_in = false;
    if (a->kind == GIVEN)
        return a->given[query * a->bins + bin];
    if (a->kind == PREFIX)
        is_in = bin <= query;
    else if (a->kind == RANGES)
        is_in = is_in_range(a->bins, query, bin);
    else if (a->kind == EACH)
        is_in = bin == query;
    else if (a->kind == MARGINALS)
        is_in = is_in_cell(a, query, bin);
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
                               sc_linear_matrix *a, scrim_error *error)
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

static scrim_status refuse_columns(const sc_linear_matrix *a, scrim_error *error)
{
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "columns",
                             "must be 1 to %d whole numbers whose product is bins=%zu",
                             SC_LINEAR_COLUMNS, a->bins);
}

static scrim_status read_columns(const scrim_measurement *m, sc_linear_matrix *a,
                                 scrim_error *error)
{
    size_t count = 0, cells = 1;
    const sc_ratio *items = sc_parameters_items(&m->parameters, "columns", &count);
    if (count == 0 || count > SC_LINEAR_COLUMNS)
        return refuse_columns(a, error);
    for (size_t i = 0; i < count; i++) {
        uint64_t size = 0;
        SC_OWN(sc_integer, whole);
        sc_ratio_numerator(&items[i], &whole);
        if (!sc_ratio_is_integer(&items[i]) || !sc_integer_get_uint64(&whole, &size) ||
            size > a->bins / cells)
            return refuse_columns(a, error);
        a->sizes[a->column_count++] = (size_t)size;
        cells *= (size_t)size;
    }
    return cells == a->bins ? SCRIM_OK : refuse_columns(a, error);
}

/* All sets of the given number of columns, ascending as numbers. */
static scrim_status read_marginals(const scrim_measurement *m, sc_linear_matrix *a,
                                   scrim_error *error)
{
    scrim_status status = read_columns(m, a, error);
    if (status != SCRIM_OK)
        return status;
    const size_t usual = a->column_count < 2 ? 1 : 2;
    const size_t ways = (size_t)sc_measurement_integer(m, "ways", (int64_t)usual);
    if (ways > a->column_count)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "ways",
                                 "must be at most the number of columns, which is %zu",
                                 a->column_count);
    for (unsigned set = 1; set < 1U << a->column_count; set++) {
        size_t cells = 1;
        if ((size_t)__builtin_popcount(set) != ways)
            continue;
        for (size_t i = 0; i < a->column_count; i++)
            cells *= (set >> i & 1) != 0 ? a->sizes[i] : 1;
        a->tables[a->table_count] = set;
        a->firsts[a->table_count++] = a->queries;
        a->queries += cells;
    }
    return SCRIM_OK;
}

static void count_queries(sc_linear_matrix *a)
{
    if (a->kind == SUBSETS && a->bins > 12)
        a->queries = SIZE_MAX;
    else
        a->queries = a->kind == PREFIX || a->kind == EACH ? a->bins
                     : a->kind == RANGES                  ? a->bins * (a->bins + 1) / 2
                                                          : ((size_t)1 << a->bins) - 1;
}

/* Columns and ways belong to marginals alone. */
static scrim_status check_marginals(const scrim_measurement *m, const sc_linear_matrix *a,
                                    scrim_error *error)
{
    static const char *const names[] = {"columns", "ways"};
    for (size_t i = 0; i < 2; i++)
        if (a->kind != MARGINALS && sc_measurement_get(m, names[i]) != NULL)
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT,
                                     names[i], "is for workload=marginals");
    return SCRIM_OK;
}

/* The grid of the measurement is that of its answers, once its domain is set; before, the one that is
 * given. */
scrim_status sc_linear_matrix_read(const scrim_measurement *m, sc_linear_matrix *a,
                                   scrim_error *error)
{
    static const char *const either[] = {"coefficients", "workload", NULL};
    const sc_ratio *grid = sc_measurement_get(m, "grid");
    scrim_status status = sc_measurement_one_of(m, either, error);
    if (status != SCRIM_OK)
        return status;
    *a = (sc_linear_matrix){.bins = (size_t)sc_measurement_integer(m, "bins", 1)};
    SC_OWN(sc_ratio, one, step);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set(&step, grid == NULL ? &one : grid);
    a->kind = sc_measurement_get(m, "coefficients") != NULL
                  ? GIVEN
                  : sc_parameters_word(&m->parameters, "workload", GIVEN);
    status = check_marginals(m, a, error);
    if (status != SCRIM_OK)
        return status;
    if (a->kind == GIVEN)
        return read_given(m, &step, a, error);
    if (!in_steps(&one, &step, &a->one))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "grid",
                                 "must divide 1, and be at least 9.4e-10");
    if (a->kind == MARGINALS)
        return read_marginals(m, a, error);
    count_queries(a);
    if (a->queries > SC_LINEAR_QUERIES)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "bins",
                                 "has more than %d queries of this workload",
                                 SC_LINEAR_QUERIES);
    return SCRIM_OK;
}

scrim_status sc_linear_matrix_read_any(const scrim_measurement *m, sc_linear_matrix *a,
                                       scrim_error *error)
{
    if (sc_measurement_get(m, "coefficients") != NULL ||
        sc_measurement_get(m, "workload") != NULL)
        return sc_linear_matrix_read(m, a, error);
    *a = (sc_linear_matrix){.bins = (size_t)sc_measurement_integer(m, "bins", 1),
                            .kind = GIVEN};
    return check_marginals(m, a, error);
}

/* The coefficient of one bin, from 0 to 1. */
static bool read_coefficient(sc_text text, const sc_ratio *step, int64_t *out)
{
    SC_OWN(sc_ratio, value, one);
    sc_ratio_set_int64(&one, 1);
    return sc_ratio_parse(text, &value, NULL) == SCRIM_OK && sc_ratio_sign(&value) >= 0 &&
           sc_ratio_compare(&value, &one) <= 0 && in_steps(&value, step, out);
}

scrim_status sc_linear_matrix_read_query(const scrim_measurement *m, sc_text text,
                                         sc_linear_matrix *out, scrim_error *error)
{
    const size_t bins = (size_t)sc_measurement_integer(m, "bins", 1);
    const sc_ratio *grid = sc_measurement_get(m, "grid");
    sc_linear_matrix a = {.bins = bins, .queries = 1, .kind = GIVEN};
    sc_text item, rest = text;
    bool is_right = true, is_more = true;
    SC_OWN(sc_ratio, step);
    sc_ratio_set_int64(&step, 1);
    if (grid != NULL)
        sc_ratio_set(&step, grid);
    for (size_t i = 0; is_right && i < bins; i++) {
        is_right = is_more;
        item = rest;
        is_more = sc_text_split(rest, ',', &item, &rest);
        is_right = is_right && read_coefficient(item, &step, &a.given[i]);
    }
    if (!is_right || is_more)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "query",
            "a query is %zu coefficients from 0 to 1, separated by commas, "
            "multiples of the grid's step",
            bins);
    *out = a;
    return SCRIM_OK;
}

/* Reads the matrix of a measurement that has passed its check. */
size_t sc_linear_matrix_load(const scrim_measurement *m, sc_linear_matrix *a)
{
    return sc_linear_matrix_read(m, a, NULL) == SCRIM_OK ? a->queries : 0;
}

scrim_status sc_linear_matrix_steps(const scrim_measurement *m, int most, int64_t *out,
                                    scrim_error *error)
{
    const sc_ratio *grid = sc_measurement_get(m, "grid");
    SC_OWN(sc_ratio, steps);
    SC_OWN(sc_integer, whole);
    uint64_t found = 0;
    sc_ratio_set_int64(&steps, 1);
    if (grid != NULL)
        sc_ratio_div(&steps, &steps, grid);
    sc_ratio_numerator(&steps, &whole);
    if (!sc_ratio_is_integer(&steps) || !sc_integer_get_uint64(&whole, &found) ||
        found > (uint64_t)most)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "grid",
                                 "must divide 1, and be at least 1/%d", most);
    *out = (int64_t)found;
    return SCRIM_OK;
}
