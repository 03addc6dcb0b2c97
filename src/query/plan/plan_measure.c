#include "query/plan/plan_measure.h"

#include "query/estimate/range_choice.h"
#include "query/pass/quantile_rings.h"

#include <string.h>

#define LINE_BYTES 16384
/* Gaussian noise on an unknown number of groups is planned for more than one: the figures of one
 * value alone would be too good. */
#define SEVERAL 2
#define QUANTILE_EPSILON 20

sc_reach sc_plan_reach(const sc_plan_statement *s, scrim_neighbours neighbours)
{
    return (sc_reach){.neighbours = neighbours,
                      .max_groups = s->max_groups,
                      .max_rows = s->max_rows,
                      .groups = s->keys_kind == SC_PLAN_NO_KEYS      ? 1
                                : s->keys_kind == SC_PLAN_DISCOVERED ? 0
                                                                     : s->key_count};
}

/* Lines. */

static void put_text(sc_text_sink *line, const char *text)
{
    sc_text_put(line, sc_text_of(text));
}

static void put_ratio(sc_text_sink *line, const char *key, const sc_ratio *x)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(x, text, sizeof text);
    put_text(line, key);
    put_text(line, text);
}

static void put_integer(sc_text_sink *line, const char *key, int64_t x)
{
    sc_ratio ratio;
    sc_ratio_init(&ratio);
    sc_ratio_set_int64(&ratio, x);
    put_ratio(line, key, &ratio);
    sc_ratio_clear(&ratio);
}

static void put_neighbours(sc_text_sink *line, scrim_neighbours neighbours)
{
    put_text(line, " neighbours=");
    put_text(line, scrim_neighbours_name(neighbours));
}

static void sensitivity_of(const sc_plan_statement *s, const sc_statistic *statistic,
                           const sc_reach *reach, sc_ratio *l1, sc_ratio *l2)
{
    sc_sensitivity_of(statistic,
                      statistic->value == SC_STATISTIC_NONE
                          ? NULL
                          : &s->statistics.groups[statistic->value],
                      reach, l1, l2);
}

/* Noise within a bound, or a range that there may be none of: whichever is narrower. */
static scrim_status measure_range(const sc_plan_statement *s,
                                  const sc_statistic *statistic,
                                  scrim_neighbours neighbours, const sc_grant *grant,
                                  scrim_measurement **out, scrim_error *error)
{
    const sc_reach reach = sc_plan_reach(s, neighbours);
    sc_ratio l1, l2;
    sc_ratio_init(&l1);
    sc_ratio_init(&l2);
    sensitivity_of(s, statistic, &reach, &l1, &l2);
    const scrim_status status =
        sc_range_choose(&l1, grant->epsilon, grant->delta, neighbours, out, error);
    sc_ratio_clear(&l2);
    sc_ratio_clear(&l1);
    return status;
}

static void put_number(sc_text_sink *line, const sc_plan_statement *s,
                       const sc_statistic *statistic, scrim_neighbours neighbours,
                       const sc_grant *grant)
{
    static const char *const names[] = {
        [SC_GRANT_LAPLACE] = "laplace",
        [SC_GRANT_RHO] = "gaussian",
        [SC_GRANT_GAUSSIAN] = "gaussian",
    };
    const sc_reach reach = sc_plan_reach(s, neighbours);
    const bool is_gaussian =
        grant->kind == SC_GRANT_RHO || grant->kind == SC_GRANT_GAUSSIAN;
    sc_ratio l1, l2;
    sc_ratio_init(&l1);
    sc_ratio_init(&l2);
    sensitivity_of(s, statistic, &reach, &l1, &l2);
    put_text(line, names[grant->kind]);
    put_ratio(line, " sensitivity=", is_gaussian ? &l2 : &l1);
    if (grant->kind == SC_GRANT_RHO)
        put_ratio(line, " rho=", grant->rho);
    else
        put_ratio(line, " epsilon=", grant->epsilon);
    if (grant->kind == SC_GRANT_GAUSSIAN)
        put_ratio(line, " delta=", grant->delta);
    if (is_gaussian)
        put_integer(line, " size=",
                    reach.groups == 0 ? SEVERAL
                                      : (int64_t)(reach.groups * statistic->count));
    put_neighbours(line, neighbours);
    sc_ratio_clear(&l2);
    sc_ratio_clear(&l1);
}

/* Drawn for each group by itself, for units that are added to it or removed. */
static void put_quantile(sc_text_sink *line, const sc_plan_statement *s,
                         const sc_statistic *statistic, const sc_grant *grant)
{
    const sc_group_value *value = &s->statistics.groups[statistic->value];
    sc_ratio p, q;
    sc_ratio_init(&p);
    sc_ratio_init(&q);
    put_text(line, "quantile");
    for (size_t i = 0; i < statistic->count; i++) {
        sc_ratio_set_int64(&p, statistic->p[i].numerator);
        sc_ratio_set_int64(&q, statistic->p[i].denominator);
        sc_ratio_div(&p, &p, &q);
        put_ratio(line, i == 0 ? " p=" : ",", &p);
    }
    /* What the mechanism does not take is left unspent. */
    sc_ratio_set_int64(&q, QUANTILE_EPSILON);
    put_ratio(line, " epsilon=",
              sc_ratio_compare(grant->epsilon, &q) > 0 ? &q : grant->epsilon);
    put_integer(line, " lower=", value->low);
    put_integer(line, " upper=", value->high);
    put_integer(line, " max-rows=", (int64_t)s->max_rows);
    put_neighbours(line, SCRIM_ADD_REMOVE);
    sc_ratio_clear(&q);
    sc_ratio_clear(&p);
}

/* The bars of all groups are one histogram, of which one unit has max_groups max_rows elements; of a
 * unit that is replaced, as many leave and as many enter. */
static void put_bars(sc_text_sink *line, const sc_plan_statement *s,
                     scrim_neighbours neighbours, const sc_grant *grant)
{
    put_text(line, "stlap");
    put_ratio(line, " epsilon=", grant->epsilon);
    put_ratio(line, " delta=", grant->delta);
    if (s->max_groups * s->max_rows > 1)
        put_integer(line, " group=", (int64_t)(s->max_groups * s->max_rows));
    put_neighbours(line, neighbours);
}

static scrim_status refuse_limit(const sc_plan_statement *s, size_t statistic,
                                 scrim_error *error)
{
    char what[SC_PLAN_WHAT_BYTES], quote[SC_TEXT_QUOTE_BYTES];
    sc_plan_what(s, statistic, what);
    sc_text_quote(sc_text_of(what), quote);
    if (s->statistics.list[statistic].value == SC_STATISTIC_NONE ||
        s->statistics.list[statistic].kind == SC_STATISTIC_BARS)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "%s: max-groups and max-rows let one person change it by more "
                       "than noise can hide at this epsilon; ask for a larger epsilon",
                       quote);
    return sc_fail(
        error, SCRIM_E_LIMIT,
        "%s: one person can change it by more steps than noise is made for at "
        "this epsilon; make it coarser with ROUND(x, digits), or bound it with "
        "CLAMP(x, low, high)",
        quote);
}

scrim_status sc_plan_measure(const sc_plan_statement *s, size_t statistic,
                             scrim_neighbours neighbours, const sc_grant *grant,
                             scrim_measurement **out, scrim_error *error)
{
    char text[LINE_BYTES];
    sc_text_sink line;
    if (grant->kind == SC_GRANT_RANGE) {
        const scrim_status found = measure_range(s, &s->statistics.list[statistic],
                                                 neighbours, grant, out, error);
        return found == SCRIM_E_LIMIT ? refuse_limit(s, statistic, error) : found;
    }
    sc_text_sink_init(&line, text, sizeof text);
    if (s->statistics.list[statistic].kind == SC_STATISTIC_QUANTILES &&
        s->statistics.list[statistic].count > SC_RINGS_QUANTILES)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "at most %d quantiles of one value; ask for fewer",
                       SC_RINGS_QUANTILES);
    if (grant->kind == SC_GRANT_QUANTILE)
        put_quantile(&line, s, &s->statistics.list[statistic], grant);
    else if (grant->kind == SC_GRANT_BARS)
        put_bars(&line, s, neighbours, grant);
    else
        put_number(&line, s, &s->statistics.list[statistic], neighbours, grant);
    if (line.length >= sizeof text)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "too many quantiles of one value; ask for fewer");
    const scrim_status status = scrim_measurement_parse(text, out, error);
    return status == SCRIM_E_LIMIT && grant->kind != SC_GRANT_QUANTILE
               ? refuse_limit(s, statistic, error)
               : status;
}

/* Names for people. */

/* A column is called by its name, what is computed by the first output that is made of it. */
static void put_value(sc_text_sink *what, const sc_plan_statement *s, size_t value)
{
    const sc_typed *typed = s->statistics.values[value];
    if (typed->operation == SC_OP_COLUMN) {
        put_text(what, " of ");
        sc_text_put(what, s->query->schema->columns[typed->column].name);
        return;
    }
    for (size_t i = 0; i < s->query->output_count; i++) {
        if (s->query->outputs[i].is_key)
            continue;
        const sc_statistic_use *use = &s->statistics.uses[s->query->outputs[i].index];
        const size_t by = use->sum != SC_STATISTIC_NONE    ? use->sum
                          : use->bars != SC_STATISTIC_NONE ? use->bars
                                                           : use->quantiles;
        if (by == SC_STATISTIC_NONE || s->statistics.list[by].value != value)
            continue;
        put_text(what, " for ");
        sc_text_put(what, s->query->columns[i].name);
        return;
    }
}

void sc_plan_what(const sc_plan_statement *s, size_t statistic,
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
    };
    sc_text_sink what;
    sc_text_sink_init(&what, out, SC_PLAN_WHAT_BYTES);
    if (statistic == SC_STATISTIC_NONE) {
        put_text(&what, "keys");
        return;
    }
    const sc_statistic *t = &s->statistics.list[statistic];
    put_text(&what, names[t->kind]);
    if (t->value != SC_STATISTIC_NONE)
        put_value(&what, s, t->value);
    if (t->with_range)
        put_text(&what, " with range");
}
