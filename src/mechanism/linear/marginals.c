#include "mechanism/linear/marginals.h"

#include "mechanism/linear/linear_noise.h"
#include "model/domain.h"

static const sc_parameter_rule parameters[] = {
    {.name = "tables",
     .kind = SC_PARAMETER_RATIONALS,
     .at_least = "1",
     .limit_high = "2^24",
     .domain = "the number of cells of each table, integers from 1 to 16777216"},
    SC_RULE_COUNT("max-rows", "2^20",
                  "the most rows of one unit, an integer from 1 to 1048576"),
    SC_LINEAR_PARAMETERS,
    SC_PARAMETER_NEIGHBOURS,
};

static bool is_replace(const scrim_measurement *m)
{
    return sc_measurement_neighbours(m) == SCRIM_REPLACE;
}

static int64_t rows_of(const scrim_measurement *m)
{
    return sc_measurement_integer(m, "max-rows", 1);
}

static size_t tables_of(const scrim_measurement *m)
{
    size_t count = 0;
    (void)sc_parameters_items(&m->parameters, "tables", &count);
    return count;
}

/* The cells of a table that was checked. */
static size_t size_of(const scrim_measurement *m, size_t table)
{
    size_t count = 0;
    uint64_t cells = 0;
    const sc_ratio *items = sc_parameters_items(&m->parameters, "tables", &count);
    SC_OWN(sc_integer, whole);
    sc_ratio_numerator(&items[table], &whole);
    (void)sc_integer_get_uint64(&whole, &cells);
    return (size_t)cells;
}

static size_t cells_of(const scrim_measurement *m)
{
    size_t cells = 0;
    for (size_t i = 0; i < tables_of(m); i++)
        cells += size_of(m, i);
    return cells;
}

static scrim_status check_sizes(const scrim_measurement *m, scrim_error *error)
{
    size_t count = 0;
    const sc_ratio *items = sc_parameters_items(&m->parameters, "tables", &count);
    for (size_t i = 0; i < count; i++)
        if (!sc_ratio_is_integer(&items[i]))
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "tables",
                                     "must be whole numbers");
    return SCRIM_OK;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    const int64_t sides = is_replace(m) ? 2 : 1, rows = rows_of(m);
    scrim_status status = check_sizes(m, error);
    if (status != SCRIM_OK)
        return status;
    sc_linear_move move;
    sc_ratio_init(&move.sum);
    sc_ratio_init(&move.square);
    sc_ratio_set_int64(&move.sum, sides * (int64_t)tables_of(m) * rows);
    sc_ratio_set_int64(&move.square, sides * (int64_t)tables_of(m) * rows * rows);
    const size_t cells = cells_of(m);
    status = sc_linear_check(m, &move, cells, cells, error);
    sc_ratio_clear(&move.square);
    sc_ratio_clear(&move.sum);
    return status;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const scrim_status status = sc_additive_certify(m, beta, count, out, error);
    out->excludes = "values that are not whole numbers";
    return status;
}

/* The audit: all rows of a unit in the first cell of every table; under replace they come from the
 * last cell, or from no row. */

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    if (input->count > SC_PAIR_VALUES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %d values", SC_PAIR_VALUES);
    return sc_linear_list(m, input, 0, rows_of(m), bits, out, error);
}

static size_t pair_count(const scrim_measurement *m)
{
    const size_t cells = cells_of(m), ends = (size_t)rows_of(m) + 1;
    if (cells > SC_PAIR_VALUES || ends > SC_OUTCOMES_MAX ||
        (!sc_linear_is_gaussian(m) && sc_size_power(ends, cells) > SC_OUTCOMES_MAX))
        return 0;
    return is_replace(m) ? 2 : 1;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    size_t first = 0;
    out->x_count = out->y_count = cells_of(m);
    for (size_t i = 0; i < out->x_count; i++)
        out->x[i] = out->y[i] = 0;
    for (size_t table = 0; table < tables_of(m); table++) {
        const size_t size = size_of(m, table);
        out->y[first] += rows_of(m);
        if (is_replace(m) && index == 0)
            out->x[first + size - 1] += rows_of(m);
        first += size;
    }
}

const sc_mechanism sc_marginals = {
    .entry = {.name = "marginals",
              .parameters = "tables=N,... [max-rows=N] " SC_LINEAR_TEXT_COST,
              .input = "numbers",
              .claim = "epsilon-DP, pure; with a delta or rho: concentrated",
              .does = "Adds noise to all cells of several tables of the same rows. "
                      "Each row counts once in each table.",
              .example = "tables=3,2 rho=1/100 neighbours=replace",
              .example_input = "120\n340\n280\n400\n340\n",
              .reference = "McKenna, Miklau, Sheldon: Winning the NIST Contest: A "
                           "scalable and general approach to differentially private "
                           "synthetic data, 2021"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .law_is_folded = true,
    .check = check,
    .discard = sc_additive_discard,
    .cost = sc_linear_cost,
    .certify = certify,
    .answer_count = sc_additive_count,
    .draw = sc_additive_draw,
    .noise = sc_additive_noise,
    .place = sc_linear_place,
    .width = sc_additive_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
