#include "mechanism/selection/quantile.h"

#include "base/memory.h"
#include "mechanism/selection/quantile_law.h"
#include "mechanism/selection/quantile_plan.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "model/measurement.h"

static const char *const forms[] = {"split", "recursive", NULL};

#define ROWS_MAX "1048576"
#define AUDIT_ROWS 3

static const sc_parameter_rule parameters[] = {
    {.name = "p",
     .kind = SC_PARAMETER_RATIONALS,
     .above = "0",
     .below = "1",
     .domain = "a rational between 0 and 1, or up to 64 of them as in p=1/4,1/2,3/4"},
    SC_PARAMETER_LADDER_EPSILON,
    SC_PARAMETERS_RANGE,
    {.name = "max-rows",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .at_least = "1",
     .limit_high = ROWS_MAX,
     .domain = "the rows that one unit may own, an integer from 1 to " ROWS_MAX},
    SC_RULE_WORD("form", forms, "split or recursive"),
    SC_PARAMETER_NEIGHBOURS,
    SC_PARAMETER_PAIR_ROWS("64"),
};

static const sc_quantile_plan *plan_of(const scrim_measurement *m)
{
    return m->state;
}

static uint64_t rows_of_unit(const scrim_measurement *m)
{
    return (uint64_t)sc_measurement_integer(m, "max-rows", 1);
}

static sc_quantile_form form_of(const scrim_measurement *m)
{
    switch (sc_parameters_word(&m->parameters, "form", 2)) {
    case 0:
        return SC_QUANTILE_SPLIT;
    case 1:
        return SC_QUANTILE_RECURSIVE;
    default:
        return SC_QUANTILE_CHOOSE;
    }
}

static scrim_status set_domain(scrim_measurement *m, scrim_error *error)
{
    scrim_status status = sc_domain_set_grid(&m->domain, sc_measurement_get(m, "grid"),
                                             sc_measurement_get(m, "lower"),
                                             sc_measurement_get(m, "upper"), error);
    if (status != SCRIM_OK)
        return status;
    /* A value that is not a number counts as the lower end: dropping it would change n. */
    m->domain.grid.missing = m->domain.grid.low;
    /* Units that own up to several rows make their number private under replace too. */
    const bool is_public =
        sc_measurement_neighbours(m) == SCRIM_REPLACE && rows_of_unit(m) == 1;
    m->domain.count_min = is_public ? 1 : 0;
    return SCRIM_OK;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    scrim_status status = set_domain(m, error);
    if (status != SCRIM_OK)
        return status;
    sc_quantile_question question = {.epsilon = sc_measurement_get(m, "epsilon"),
                                     .neighbours = sc_measurement_neighbours(m),
                                     .rows = rows_of_unit(m),
                                     .largest = (uint64_t)m->domain.grid.high -
                                                (uint64_t)m->domain.grid.low,
                                     .form = form_of(m)};
    question.p = sc_parameters_items(&m->parameters, "p", &question.count);
    sc_quantile_plan *plan = sc_allocate(1, sizeof *plan);
    if (plan == NULL)
        return sc_no_memory(error, "a measurement");
    status = sc_quantile_plan_init(plan, &question, error);
    if (status == SCRIM_OK)
        m->state = plan;
    else
        sc_free(plan);
    return status;
}

static void discard(scrim_measurement *m)
{
    sc_quantile_plan *plan = m->state;
    if (plan == NULL)
        return;
    sc_quantile_plan_clear(plan);
    sc_free(plan);
}

/* One release is of bounded range, epsilon^2/8; several of share each, count share^2/8. */
static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_quantile_plan *plan = plan_of(m);
    (void)error;
    sc_composed_range_cost(out, sc_measurement_get(m, "epsilon"), &plan->share,
                           plan->releases);
    return SCRIM_OK;
}

static const char excludes_one[] =
    "clamping to the range and rounding to the grid. The radius counts rows: the "
    "answer may lie that many ranks from rank p n, whatever that is in the unit of the "
    "input";
static const char excludes_recursive[] =
    "clamping to the range and rounding to the grid, and a 64th of the rows that share a "
    "released value, for each value between which an answer was looked for. The radius "
    "counts rows: an answer may lie that many ranks from rank p n";
static const char excludes_all[] =
    "everything: a rank is promised at a confidence of at most 0.9999";

/* To a whole number of rows. */
static void round_up(sc_ratio *rows)
{
    SC_OWN(sc_integer, above, one);
    sc_ratio_ceil(rows, &above);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_fraction(rows, &above, &one);
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const sc_quantile_plan *plan = plan_of(m);
    (void)count, (void)error;
    SC_OWN(sc_ratio, radius);
    if (sc_quantile_plan_radius_upper(plan, beta, &radius)) {
        round_up(&radius);
        sc_certificate_pac(out, &radius, beta,
                           plan->is_recursive ? excludes_recursive : excludes_one);
    } else {
        sc_certificate_none(out, excludes_all);
    }
    return SCRIM_OK;
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)count;
    return plan_of(m)->count;
}

static sc_order_rows rows_of(const scrim_measurement *m, const sc_private_input *input)
{
    return (sc_order_rows){.rows = input->values,
                           .count = input->count,
                           .low = m->domain.grid.low,
                           .high = m->domain.grid.high};
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const sc_order_rows rows = rows_of(m, input);
    sc_quantile_parts parts;
    scrim_status status = sc_quantile_parts_init(&parts, plan_of(m), &rows, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_quantile_parts_draw(&parts, bits, error);
    if (status == SCRIM_OK) {
        out->count = plan_of(m)->count;
        for (size_t i = 0; i < out->count; i++) {
            out->values[i] = (sc_int128)rows.low + parts.keys[i];
            out->marks[i] = SC_MARK_VALUE;
        }
    }
    sc_quantile_parts_clear(&parts);
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_order_rows rows = rows_of(m, input);
    return sc_quantile_law(plan_of(m), &rows, bits, out, error);
}

static sc_quantile_family family_of(const scrim_measurement *m)
{
    size_t rows = (size_t)sc_measurement_integer(m, "records", AUDIT_ROWS);
    uint64_t owned = rows_of_unit(m);
    size_t unit = owned < SC_QUANTILE_UNIT_MAX ? (size_t)owned : SC_QUANTILE_UNIT_MAX;
    return (sc_quantile_family){.neighbours = sc_measurement_neighbours(m),
                                .low = m->domain.grid.low,
                                .high = m->domain.grid.high,
                                .rows = rows < unit ? unit : rows,
                                .unit = unit};
}

static size_t pair_count(const scrim_measurement *m)
{
    const sc_quantile_family family = family_of(m);
    return sc_quantile_pair_count(&family);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const sc_quantile_family family = family_of(m);
    sc_quantile_pair(&family, index, out);
}

const sc_mechanism sc_quantile = {
    .entry = {.name = "quantile",
              .parameters = "p=R,... epsilon=R lower=R upper=R [grid=R max-rows=N "
                            "form=split|recursive]; audit: records=N",
              .input = "rows",
              .claim = "epsilon-DP, pure",
              .does = "Releases quantiles of numbers, such as the median, by the "
                      "exponential mechanism on ranks. The answer is close in rank, "
                      "whatever the gaps between the numbers.",
              .example = "p=1/2 epsilon=1 lower=0 upper=120 neighbours=add-remove",
              .example_input = "34\n51\n29\n62\n45\n38\n57\n41\n",
              .reference = "Smith: Privacy-Preserving Statistical Estimation with "
                           "Optimal Convergence Rates, 2011; Kaplan, Schnapp, Stemmer: "
                           "Differentially Private Approximate Quantiles, 2022"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .audit_count = 1,
    .clamps_itself = true,
    .input_is_rows = true,
    .answer_parameter = "p",
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .draw = draw,
    .width = answer_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
