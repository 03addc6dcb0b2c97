/* Suggestions: their questions, planned and answered as a batch, and the bounds that follow. */
#include "base/number/ball_double.h"
#include "base/number/own.h"
#include "model/option_struct.h"
#include "query/answer/result.h"
#include "query/answer/suggested.h"
#include "query/estimate/bound_proposal.h"
#include "query/plan/plan.h"
#include "vault/vault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Two for rows, two a column. */
#define BOUNDS (2 + 2 * SC_SUGGESTED_COLUMNS)

struct scrim_suggestion {
    const sc_schema *schema;
    sc_suggested asked;
    const char *names[SC_SUGGESTED_COLUMNS]; /* of its columns */
    scrim_plan *plan;
    sc_ratio question_epsilon; /* that the bounds are found for */
    scrim_result *result;      /* NULL before the run */
    scrim_suggested_bound bounds[BOUNDS];
    size_t bound_count;
    sc_arena arena;
};

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a suggestion");
}

/* "" for NULL. */
static const char *name_of(const scrim_suggestion *s, const sc_column *column)
{
    for (size_t i = 0; i < s->asked.column_count; i++)
        if (s->asked.columns[i] == column)
            return s->names[i];
    return "";
}

/* Planning. */

static scrim_status copy_names(scrim_suggestion *s, scrim_error *error)
{
    for (size_t i = 0; i < s->asked.column_count; i++) {
        const sc_text name = s->asked.columns[i]->name;
        s->names[i] = sc_arena_copy(&s->arena, name.start, name.bytes);
        if (s->names[i] == NULL)
            return no_memory(error);
    }
    return SCRIM_OK;
}

static scrim_status read_schema(scrim_vault *vault, const char *dataset,
                                const sc_schema **out, scrim_error *error)
{
    char *policy = NULL;
    scrim_status status = scrim_vault_policy(vault, dataset, &policy, error);
    if (status == SCRIM_OK)
        status = sc_schema_parse(sc_text_of(policy), NULL, out, error);
    scrim_vault_text_free(policy);
    return status;
}

static scrim_status make_plan(scrim_suggestion *s, scrim_vault *vault,
                              const char *dataset, const scrim_suggestion_options *o,
                              scrim_error *error)
{
    const scrim_query_options options = {.size = sizeof options,
                                         .epsilon = o->epsilon,
                                         .confidence = o->confidence,
                                         .workers = o->workers,
                                         .memory_bytes = o->memory_bytes,
                                         .rows_upper = o->rows_upper,
                                         .progress = o->progress,
                                         .context = o->context};
    scrim_error own = {.message = ""};
    const scrim_status status =
        scrim_plan_new(vault, dataset, s->asked.queries, s->asked.query_count, &options,
                       &s->plan, NULL, &own);
    /* A limit of a mechanism names its parameters, which nobody can give here. */
    if (status == SCRIM_E_LIMIT && own.parameter[0] == '\0')
        return sc_fail_for(error, status, SCRIM_REASON_RANGE, "epsilon",
                           "epsilon %.40s is too small for these quantiles; use a larger "
                           "epsilon or fewer columns",
                           o->epsilon);
    if (status != SCRIM_OK && error != NULL)
        *error = own;
    return status;
}

/* Quantiles of values are searched among all steps of a range. */
static scrim_status check_ranges(const scrim_suggestion *s, scrim_error *error)
{
    for (size_t i = 0; i < s->asked.column_count; i++) {
        const sc_grid *grid = &s->asked.columns[i]->grid;
        if ((sc_int128)grid->high - grid->low >= (sc_int128)1 << 56)
            return sc_fail_for(
                error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "column",
                "the range of %.100s has more than 7.2e16 steps; the owner "
                "can declare a coarser step or a smaller range",
                s->names[i]);
    }
    return SCRIM_OK;
}

/* After the plan. */
static scrim_status read_question_epsilon(scrim_suggestion *s, const char *text,
                                          scrim_error *error)
{
    if (text == NULL) {
        sc_ratio_set(&s->question_epsilon, &s->plan->options.epsilon);
        return SCRIM_OK;
    }
    const scrim_status status =
        sc_ratio_parse(sc_text_of(text), &s->question_epsilon, error);
    if (status == SCRIM_OK && sc_ratio_sign(&s->question_epsilon) <= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
                                 "question-epsilon", "must be positive");
    return status;
}

scrim_status scrim_suggestion_new(scrim_vault *vault, const char *dataset,
                                  const scrim_suggestion_options *options,
                                  scrim_suggestion **out, scrim_error *error)
{
    scrim_suggestion_options all;
    scrim_status status =
        sc_option_struct_copy(options, sizeof(size_t), &all, sizeof all, error);
    if (status != SCRIM_OK)
        return status;
    scrim_suggestion *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return no_memory(error);
    sc_arena_init(&s->arena);
    sc_ratio_init(&s->question_epsilon);
    status = read_schema(vault, dataset, &s->schema, error);
    s->asked.schema = s->schema;
    if (status == SCRIM_OK)
        status = sc_suggested_read(&s->asked, all.columns, all.by, &s->arena, error);
    if (status == SCRIM_OK)
        status = copy_names(s, error);
    if (status == SCRIM_OK)
        status = check_ranges(s, error);
    if (status == SCRIM_OK)
        status = make_plan(s, vault, dataset, &all, error);
    if (status == SCRIM_OK)
        status = read_question_epsilon(s, all.question_epsilon, error);
    if (status == SCRIM_OK)
        *out = s;
    else
        scrim_suggestion_free(s);
    return status;
}

void scrim_suggestion_free(scrim_suggestion *s)
{
    if (s == NULL)
        return;
    scrim_result_free(s->result);
    scrim_plan_free(s->plan);
    sc_schema_free(s->schema);
    sc_ratio_clear(&s->question_epsilon);
    sc_arena_clear(&s->arena);
    sc_free(s);
}

const scrim_plan *scrim_suggestion_plan(const scrim_suggestion *s)
{
    return s->plan;
}

const scrim_result *scrim_suggestion_result(const scrim_suggestion *s)
{
    return s->result;
}

/* Quantiles. */

static void value_of(const scrim_suggestion *s, const sc_suggested_quantity *q,
                     size_t place, sc_ratio *out)
{
    sc_result_quantile_of(s->result, q->statement, q->first + place, out);
}

/* How deep quantiles that are drawn together lie in one another: each has a level's part of epsilon. */
static int64_t depth_of(size_t count)
{
    int64_t depth = 0;
    for (; count > 0; count /= 2)
        depth++;
    return depth;
}

/* The people that a quantile needs. Each quantity has a part for its quantiles, and one for the counts about
 * them. */
static uint64_t people_of(const scrim_suggestion *s, const sc_suggested_quantity *q,
                          size_t place)
{
    const sc_drawn_part *part = &s->plan->statements[q->statement].parts[2 * q->number];
    size_t count;
    const sc_ratio *ps = sc_parameters_items(&part->measurement->parameters, "p", &count);
    SC_OWN(sc_ratio, epsilon, levels);
    sc_ratio_set_int64(&levels, depth_of(count));
    sc_ratio_div(&epsilon, sc_measurement_get(part->measurement, "epsilon"), &levels);
    return sc_proposal_people(&epsilon, q->choices, &ps[place]);
}

uint64_t scrim_suggestion_people(const scrim_suggestion *s)
{
    const int64_t people = s->result == NULL ? 0 : sc_result_ranked(s->result, 0);
    return people > 0 ? (uint64_t)people : 0;
}

/* Do as many people seem to be there? */
static bool has_people(const scrim_suggestion *s, const sc_suggested_quantity *q,
                       size_t place)
{
    const uint64_t people = scrim_suggestion_people(s);
    return people > 0 && people_of(s, q, place) <= people;
}

/* Is it the end of a range that could not be as wide as totals may be? */
static bool is_at_cut(const scrim_suggestion *s, const sc_suggested_quantity *q,
                      size_t place)
{
    int64_t steps;
    if (q->column == NULL || !sc_suggested_cut(q->kind, q->column, &steps))
        return false;
    SC_OWN(sc_ratio, value, end);
    sc_extent_value(sc_suggested_step(q->column), steps, &end);
    value_of(s, q, place, &value);
    return sc_ratio_compare(&value, &end) == 0;
}

static void describe(const scrim_suggestion *s, const sc_suggested_quantity *q,
                     size_t place, scrim_suggested_quantile *out)
{
    static const char *const names[] = {[SC_SUGGESTED_GROUPS] = "groups",
                                        [SC_SUGGESTED_ROWS] = "rows",
                                        [SC_SUGGESTED_LARGEST] = "largest total",
                                        [SC_SUGGESTED_SMALLEST] = "smallest total",
                                        [SC_SUGGESTED_VALUE] = "value"};
    const char *const *ps;
    (void)sc_suggested_ps(q->kind, &ps);
    *out = (scrim_suggested_quantile){.quantity = names[q->kind],
                                      .column = name_of(s, q->column),
                                      .p = ps[place],
                                      .value = "",
                                      .low = "",
                                      .high = "",
                                      .people = people_of(s, q, place)};
    if (s->result == NULL)
        return;
    const scrim_result_cell *cell =
        scrim_result_cell_at(s->result, q->statement, 0, q->first + place);
    out->value = cell->value;
    out->low = cell->low;
    out->high = cell->high;
    out->is_used = has_people(s, q, place);
    out->is_cut = is_at_cut(s, q, place);
}

int scrim_suggestion_quantile_at(const scrim_suggestion *s, size_t index,
                                 scrim_suggested_quantile *out)
{
    const char *const *ps;
    for (size_t i = 0; i < s->asked.count; i++) {
        const size_t count = sc_suggested_ps(s->asked.quantities[i].kind, &ps);
        if (index < count) {
            describe(s, &s->asked.quantities[i], index, out);
            return 1;
        }
        index -= count;
    }
    return 0;
}

/* Bounds. */

static const sc_suggested_quantity *find(const scrim_suggestion *s,
                                         sc_suggested_kind kind, const sc_column *column)
{
    for (size_t i = 0; i < s->asked.count; i++)
        if (s->asked.quantities[i].kind == kind &&
            s->asked.quantities[i].column == column)
            return &s->asked.quantities[i];
    return NULL;
}

/* From 0.5 outwards, as far as enough people stand behind them; false where none do. */
static bool points_of(const scrim_suggestion *s, sc_suggested_kind kind,
                      const sc_column *column, sc_proposal_points *out)
{
    const char *const *ps;
    const sc_suggested_quantity *q = find(s, kind, column);
    const size_t count = sc_suggested_ps(kind, &ps);
    SC_OWN(sc_ratio, value);
    out->count = 0;
    for (size_t i = 0; q != NULL && i < SC_PROPOSAL_POINTS; i++) {
        const size_t place = kind == SC_SUGGESTED_SMALLEST
                                 ? count - 1 - i
                                 : count - SC_PROPOSAL_POINTS + i;
        if (!has_people(s, q, place))
            break;
        value_of(s, q, place, &value);
        out->values[out->count++] = sc_ball_near(&value);
    }
    return out->count > 0;
}

static const char *number_text(scrim_suggestion *s, const sc_column *column,
                               int64_t steps)
{
    char text[SC_COLUMN_TEXT_BYTES];
    const size_t bytes = sc_column_format(column, steps, text, sizeof text);
    const char *copy = sc_arena_copy(&s->arena, text, bytes);
    return copy == NULL ? "" : copy;
}

static void add(scrim_suggestion *s, const char *bound, const sc_column *column,
                const char *low, const char *high)
{
    s->bounds[s->bound_count++] = (scrim_suggested_bound){
        .bound = bound, .column = name_of(s, column), .low = low, .high = high};
}

static void add_rows(scrim_suggestion *s, sc_proposal *proposal)
{
    sc_proposal_points groups, rows;
    const bool has_groups = points_of(s, SC_SUGGESTED_GROUPS, NULL, &groups);
    char text[32];
    if (!points_of(s, SC_SUGGESTED_ROWS, NULL, &rows) ||
        (s->asked.by.count > 0 && !has_groups)) {
        sc_proposal_rows(proposal, NULL, &sc_proposal_ones);
        proposal->max_rows = 1;
        return;
    }
    sc_proposal_rows(proposal, has_groups ? &groups : NULL, &rows);
    snprintf(text, sizeof text, "%" PRIu64, proposal->max_groups);
    const char *groups_text = sc_arena_copy(&s->arena, text, strlen(text));
    snprintf(text, sizeof text, "%" PRIu64, proposal->max_rows);
    const char *rows_text = sc_arena_copy(&s->arena, text, strlen(text));
    if (has_groups)
        add(s, "max-groups", NULL, "", groups_text == NULL ? "" : groups_text);
    add(s, "max-rows", NULL, "", rows_text == NULL ? "" : rows_text);
}

/* The median alone says nothing of how far people reach beyond it. */
static bool has_tail(const sc_proposal_points *points)
{
    return points->count > 1;
}

/* The bound of totals on one side of 0, where the column has one; SC_PROPOSAL_NONE where too little is
 * known. */
static int64_t total_end(const scrim_suggestion *s, const sc_proposal *proposal,
                         sc_suggested_kind kind, const sc_column *column)
{
    sc_proposal_points points;
    if (find(s, kind, column) == NULL)
        return 0;
    (void)points_of(s, kind, column, &points);
    return has_tail(&points) ? sc_proposal_end(proposal, &points, false,
                                               sc_suggested_step(column), SC_EXTENT_MAX)
                             : SC_PROPOSAL_NONE;
}

/* Do the rows that are used reach beyond a total? */
static bool is_within(const sc_proposal *proposal, int64_t total, int64_t end)
{
    return end > 0 && total < (sc_int128)end * (sc_int128)proposal->max_rows;
}

static void add_total(scrim_suggestion *s, const sc_proposal *proposal,
                      const sc_column *column)
{
    const int64_t above = total_end(s, proposal, SC_SUGGESTED_LARGEST, column),
                  below = total_end(s, proposal, SC_SUGGESTED_SMALLEST, column);
    if (below >= 0 && above >= 0 && below + above > 0 &&
        (is_within(proposal, above, column->grid.high) ||
         is_within(proposal, below, -column->grid.low)))
        add(s, "max-total", column, number_text(s, column, -below),
            number_text(s, column, above));
}

/* The lowest quantile that enough people stand behind; the declared end where there is none, and where
 * that adds no noise. */
static int64_t clamp_low(const scrim_suggestion *s, const sc_suggested_quantity *q)
{
    const sc_grid *grid = &q->column->grid;
    size_t lowest = 0;
    SC_OWN(sc_ratio, least);
    while (lowest < 3 && !has_people(s, q, lowest))
        lowest++;
    if (grid->low >= 0 || lowest == 3)
        return grid->low;
    value_of(s, q, lowest, &least);
    const int64_t low = sc_grid_of_ratio(grid, &least);
    return low > 0 ? 0 : low;
}

/* The end with the least error, the declared one where too little is known. */
static int64_t clamp_high(const scrim_suggestion *s, const sc_proposal *proposal,
                          const sc_column *column)
{
    const int64_t high = column->grid.high;
    sc_proposal_points points;
    (void)points_of(s, SC_SUGGESTED_VALUE, column, &points);
    if (high <= 0 || !has_tail(&points))
        return high;
    const int64_t end =
        sc_proposal_end(proposal, &points, true, sc_suggested_step(column), high);
    return end > 0 ? end : high;
}

static void add_clamp(scrim_suggestion *s, const sc_proposal *proposal,
                      const sc_column *column)
{
    const sc_suggested_quantity *q = find(s, SC_SUGGESTED_VALUE, column);
    if (q == NULL)
        return;
    const int64_t low = clamp_low(s, q), high = clamp_high(s, proposal, column);
    if (low < high && (low > column->grid.low || high < column->grid.high))
        add(s, "clamp", column, number_text(s, column, low),
            number_text(s, column, high));
}

static void find_bounds(scrim_suggestion *s)
{
    sc_proposal proposal = {.people = sc_result_ranked(s->result, 0),
                            .keys = s->asked.keys,
                            .epsilon = &s->question_epsilon,
                            .is_doubled = s->plan->neighbours == SCRIM_REPLACE &&
                                          s->asked.by.count > 0};
    s->bound_count = 0;
    add_rows(s, &proposal);
    for (size_t i = 0; i < s->asked.column_count; i++) {
        const sc_column *column = s->asked.columns[i];
        if (column->type != SC_COLUMN_INT && column->type != SC_COLUMN_DECIMAL)
            continue;
        if (s->schema->unit.bytes > 0)
            add_total(s, &proposal, column);
        add_clamp(s, &proposal, column);
    }
}

static void take(scrim_suggestion *s, scrim_result *result)
{
    scrim_result_free(s->result);
    s->result = result;
    find_bounds(s);
}

scrim_status scrim_suggestion_run(scrim_vault *vault, scrim_suggestion *s,
                                  scrim_error *error)
{
    scrim_result *result = NULL;
    const scrim_status status = scrim_query_run(vault, s->plan, &result, error);
    if (status == SCRIM_OK)
        take(s, result);
    return status;
}

scrim_status scrim_suggestion_take(scrim_suggestion *s, scrim_result *result,
                                   scrim_error *error)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    bool is_own = facts.statements == s->plan->statement_count &&
                  strcmp(facts.dataset, s->plan->dataset.name) == 0;
    for (size_t i = 0; is_own && i < facts.statements; i++)
        is_own = sc_text_is(sc_plan_text(s->plan, i), scrim_result_text(result, i));
    if (!is_own)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "result",
                           "the result is not that of the suggestion's plan");
    take(s, result);
    return SCRIM_OK;
}

int scrim_suggestion_bound_at(const scrim_suggestion *s, size_t index,
                              scrim_suggested_bound *out)
{
    if (index >= s->bound_count)
        return 0;
    *out = s->bounds[index];
    return 1;
}
