#include "query/plan/plan_measure.h"

#include "mechanism/histogram/stlap.h"
#include "mechanism/noise/gaussian.h"
#include "mechanism/noise/laplace.h"
#include "mechanism/selection/quantile.h"
#include "query/estimate/range_choice.h"
#include "query/rows/quantile_rings.h"

#include <string.h>

/* Gaussian noise on an unknown number of groups is planned for more than one: the figures of one
 * value alone would be too good. */
#define SEVERAL 2
#define QUANTILE_EPSILON 20

sc_reach sc_plan_reach(const sc_planned_statement *s, scrim_neighbours neighbours)
{
    return (sc_reach){.neighbours = neighbours,
                      .bounds = s->bounds,
                      .groups = sc_plan_groups(s->keys_kind, s->key_count)};
}

void sc_plan_norms(const sc_planned_statement *s, const sc_group_statistic *statistic,
                   const sc_reach *reach, sc_norms *norms)
{
    sc_sensitivity_of(statistic,
                      statistic->value == SC_STATISTIC_NONE
                          ? NULL
                          : &s->statistics.groups[statistic->value],
                      reach, norms);
}

/* Measurements. */

#define GIVEN(list) (list), sizeof(list) / sizeof *(list)

/* The most steps by which one unit may move a number. */
#define REACH_MOST ((int64_t)1 << 62)

static scrim_status sensitivity_of(const sc_planned_statement *s,
                                   const sc_group_statistic *statistic,
                                   const sc_reach *reach, sc_norms *norms,
                                   scrim_error *error)
{
    sc_plan_norms(s, statistic, reach, norms);
    return sc_ratio_compare_int64(&norms->l1, REACH_MOST) <= 0
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_LIMIT,
                         "the bounds let one unit move a number by more than "
                         "4611686018427387904 steps");
}

/* Noise within a bound, or a range that may be missing: whichever is narrower. */
static scrim_status measure_range(const sc_planned_statement *s,
                                  const sc_group_statistic *statistic,
                                  scrim_neighbours neighbours, const sc_grant *grant,
                                  scrim_measurement **out, scrim_error *error)
{
    const sc_reach reach = sc_plan_reach(s, neighbours);
    SC_OWN(sc_norms, norms);
    SC_TRY(sensitivity_of(s, statistic, &reach, &norms, error));
    return sc_range_choose(&norms.l1, grant->epsilon, grant->delta, neighbours, out,
                           error);
}

/* A measurement of `count` numbers, which one unit moves by at most these norms together. */
static scrim_status measure_numbers(const sc_norms *norms, int64_t count,
                                    scrim_neighbours neighbours, const sc_grant *grant,
                                    scrim_measurement **out, scrim_error *error)
{
    const bool is_gaussian = grant->kind != SC_GRANT_LAPLACE;
    SC_OWN(sc_ratio, size);
    sc_ratio_set_int64(&size, count);
    const sc_argument list[] = {
        {.name = "sensitivity", .values = is_gaussian ? &norms->l2 : &norms->l1},
        {.name = "rho", .values = grant->kind == SC_GRANT_RHO ? grant->rho : NULL},
        {.name = "epsilon",
         .values = grant->kind == SC_GRANT_RHO ? NULL : grant->epsilon},
        {.name = "delta",
         .values = grant->kind == SC_GRANT_GAUSSIAN ? grant->delta : NULL},
        {.name = "size", .values = is_gaussian ? &size : NULL},
        {.name = "neighbours", .word = scrim_neighbours_name(neighbours)}};
    return sc_measurement_of(is_gaussian ? &sc_gaussian_noise : &sc_laplace, GIVEN(list),
                             out, error);
}

static scrim_status measure_number(const sc_planned_statement *s,
                                   const sc_group_statistic *statistic,
                                   scrim_neighbours neighbours, const sc_grant *grant,
                                   scrim_measurement **out, scrim_error *error)
{
    const sc_reach reach = sc_plan_reach(s, neighbours);
    const size_t numbers =
        sc_statistic_numbers(&s->statistics, (size_t)(statistic - s->statistics.list));
    SC_OWN(sc_norms, norms);
    SC_TRY(sensitivity_of(s, statistic, &reach, &norms, error));
    return measure_numbers(
        &norms, reach.groups == 0 ? SEVERAL : (int64_t)(reach.groups * numbers),
        neighbours, grant, out, error);
}

/* Cells, as those around quantiles: a unit stands in one, and one that is replaced leaves it and enters another. */
scrim_status sc_plan_measure_cut(const sc_planned_statement *s,
                                 scrim_neighbours neighbours, const sc_grant *grant,
                                 scrim_measurement **out, scrim_error *error)
{
    const sc_group_statistic cells = {.kind = SC_STATISTIC_AROUND,
                                      .value = SC_STATISTIC_NONE,
                                      .most = 1,
                                      .count = s->cut.count};
    const sc_reach once = {.neighbours = neighbours, .bounds = {1, 1, 1}, .groups = 1};
    SC_OWN(sc_norms, norms);
    sc_sensitivity_of(&cells, NULL, &once, &norms);
    return measure_numbers(&norms, (int64_t)s->cut.count, neighbours, grant, out, error);
}

/* Drawn for each group by itself, for units that are added to it or removed. */
static scrim_status measure_quantiles(const sc_planned_statement *s,
                                      const sc_group_statistic *statistic,
                                      scrim_neighbours neighbours, const sc_grant *grant,
                                      scrim_measurement **out, scrim_error *error)
{
    const sc_group_value *value = &s->statistics.groups[statistic->value];
    const sc_reach reach = sc_plan_reach(s, neighbours);
    sc_ratio p[SC_RINGS_QUANTILES], low, high, rows, most;
    if (statistic->count > SC_RINGS_QUANTILES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "at most %d quantiles of one value; ask for fewer",
                       SC_RINGS_QUANTILES);
    sc_ratio_init(&low);
    sc_ratio_init(&high);
    sc_ratio_init(&rows);
    sc_ratio_init(&most);
    for (size_t i = 0; i < statistic->count; i++) {
        sc_ratio_init(&p[i]);
        sc_extent_value(statistic->p[i], 1, &p[i]);
    }
    sc_ratio_set_int64(&low, value->low);
    sc_ratio_set_int64(&high, value->high);
    sc_ratio_set_int64(&rows, (int64_t)sc_sensitivity_rows(&reach).rows);
    sc_ratio_set_int64(&most, QUANTILE_EPSILON);
    /* The mechanism takes at most this epsilon; the rest of the grant stays unspent. */
    const bool is_more = sc_ratio_compare(grant->epsilon, &most) > 0;
    const sc_argument list[] = {
        {.name = "p", .values = p, .count = statistic->count},
        {.name = "epsilon", .values = is_more ? &most : grant->epsilon},
        {.name = "lower", .values = &low},
        {.name = "upper", .values = &high},
        {.name = "max-rows", .values = &rows},
        {.name = "neighbours", .word = scrim_neighbours_name(SCRIM_ADD_REMOVE)}};
    const scrim_status status = sc_measurement_of(&sc_quantile, GIVEN(list), out, error);
    for (size_t i = 0; i < statistic->count; i++)
        sc_ratio_clear(&p[i]);
    sc_ratio_clear(&most);
    sc_ratio_clear(&rows);
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
    return status;
}

/* The bars of all groups are one histogram, of which one unit has as many elements as rows in all; of a
 * unit that is replaced, as many leave and as many enter. */
static scrim_status measure_bars(const sc_planned_statement *s,
                                 scrim_neighbours neighbours, const sc_grant *grant,
                                 scrim_measurement **out, scrim_error *error)
{
    const uint64_t elements = s->bounds.total;
    SC_OWN(sc_ratio, group);
    sc_ratio_set_int64(&group, (int64_t)elements);
    const sc_argument list[] = {
        {.name = "epsilon", .values = grant->epsilon},
        {.name = "delta", .values = grant->delta},
        {.name = "group", .values = elements > 1 ? &group : NULL},
        {.name = "neighbours", .word = scrim_neighbours_name(neighbours)}};
    return sc_measurement_of(&sc_stlap, GIVEN(list), out, error);
}

static scrim_status refuse_limit(const sc_planned_statement *s, size_t statistic,
                                 scrim_error *error)
{
    char what[SC_PLAN_WHAT_BYTES], quote[SC_TEXT_QUOTE_BYTES];
    sc_plan_what(s, statistic, what);
    sc_text_quote(sc_text_of(what), quote);
    if (s->statistics.list[statistic].value == SC_STATISTIC_NONE ||
        s->statistics.list[statistic].kind == SC_STATISTIC_ROWS ||
        sc_statistic_is_cell(&s->statistics.list[statistic]) ||
        s->statistics.list[statistic].kind == SC_STATISTIC_UNITS ||
        s->statistics.list[statistic].kind == SC_STATISTIC_VALUES ||
        s->statistics.list[statistic].kind == SC_STATISTIC_BARS)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "%s: the contribution bounds let one person change it by more "
                       "than noise can hide at this epsilon; ask for a larger epsilon",
                       quote);
    return sc_fail(
        error, SCRIM_E_LIMIT,
        "%s: one person can change it by more steps than noise is made for at "
        "this epsilon; make it coarser with ROUND(x, digits), or bound it with "
        "CLAMP(x, low, high)",
        quote);
}

scrim_status sc_plan_measure(const sc_planned_statement *s, size_t statistic,
                             scrim_neighbours neighbours, const sc_grant *grant,
                             scrim_measurement **out, scrim_error *error)
{
    const sc_group_statistic *t = &s->statistics.list[statistic];
    if (grant->kind == SC_GRANT_QUANTILE)
        return measure_quantiles(s, t, neighbours, grant, out, error);
    const scrim_status status = grant->kind == SC_GRANT_RANGE
                                    ? measure_range(s, t, neighbours, grant, out, error)
                                : grant->kind == SC_GRANT_BARS
                                    ? measure_bars(s, neighbours, grant, out, error)
                                    : measure_number(s, t, neighbours, grant, out, error);
    return status == SCRIM_E_LIMIT ? refuse_limit(s, statistic, error) : status;
}

/* Names for people. */

static void put_text(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

/* Is an aggregate made of a value? */
static bool is_value_of(const sc_planned_statement *s, size_t aggregate, size_t value)
{
    const sc_statistic_use *use = &s->statistics.uses[aggregate];
    const size_t by = use->sum != SC_STATISTIC_NONE     ? use->sum
                      : use->bars != SC_STATISTIC_NONE  ? use->bars
                      : use->rows != SC_STATISTIC_NONE  ? use->rows
                      : use->units != SC_STATISTIC_NONE ? use->units
                                                        : use->quantiles;
    return by != SC_STATISTIC_NONE && s->statistics.list[by].value == value;
}

/* A column is called by its name, what is computed by the first output that is made of it. */
static void put_value(sc_text_sink *what, const sc_planned_statement *s, size_t value)
{
    const sc_typed *typed = s->statistics.values[value];
    if (typed->operation == SC_OP_PRESENT)
        typed = typed->parts[0];
    if (typed->operation == SC_OP_COLUMN) {
        put_text(what, " of ");
        sc_text_put(what, s->query->schema->columns[typed->column].name);
        return;
    }
    for (size_t i = 0; i < s->query->output_count; i++) {
        bool is_made = false;
        for (size_t k = 0; k < s->query->aggregate_count; k++)
            is_made |=
                is_value_of(s, k, value) && sc_query_output_has(&s->query->outputs[i], k);
        if (!is_made)
            continue;
        put_text(what, " for ");
        sc_text_put(what, s->query->columns[i].name);
        return;
    }
}

void sc_plan_what(const sc_planned_statement *s, size_t statistic,
                  char out[SC_PLAN_WHAT_BYTES])
{
    static const char *const names[] = {
        [SC_STATISTIC_UNITS] = "units",
        [SC_STATISTIC_ROWS] = "rows",
        [SC_STATISTIC_SUM] = "sum",
        [SC_STATISTIC_SQUARES] = "squares",
        [SC_STATISTIC_QUANTILES] = "quantiles",
        [SC_STATISTIC_AROUND] = "rows around quantiles",
        [SC_STATISTIC_BARS] = "histogram",
        [SC_STATISTIC_TOTAL] = "totals",
        [SC_STATISTIC_PRESENT] = "present and missing values",
        [SC_STATISTIC_MISSING] = "missing values",
        [SC_STATISTIC_VALUES] = "different values",
        [SC_STATISTIC_DISJOINT] = "counts without common rows",
    };
    sc_text_sink what;
    sc_text_sink_init(&what, out, SC_PLAN_WHAT_BYTES);
    if (statistic == SC_STATISTIC_NONE) {
        put_text(&what, "keys");
        return;
    }
    const sc_group_statistic *t = &s->statistics.list[statistic];
    const bool is_present = t->kind == SC_STATISTIC_ROWS && t->value != SC_STATISTIC_NONE;
    put_text(&what, is_present ? "values" : names[t->kind]);
    if (t->value != SC_STATISTIC_NONE && t->kind != SC_STATISTIC_DISJOINT)
        put_value(&what, s, t->value);
    if (t->with_range)
        put_text(&what, " with range");
}
