/* Suggestions: their questions, planned and answered as a batch, and the bounds that follow. */
#include "base/number/own.h"
#include "model/option_struct.h"
#include "query/answer/result.h"
#include "query/answer/suggested.h"
#include "query/estimate/bound_proposal.h"
#include "query/plan/plan.h"
#include "vault/vault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Three for rows, two a column. */
#define BOUNDS (3 + 2 * SC_SUGGESTED_COLUMNS)
#define QUANTILES 5
/* How near a share is to be known: 0.02. */
#define SURE (SC_LADDER_WHOLE / 50)

/* A quantity and what is read from its ladder. */
typedef struct quantity {
    sc_ladder_reading reading;
    const char *rungs[SC_LADDER_MOST];
    uint64_t errors[SC_LADDER_MOST]; /* of the people above a rung */
    /* After the run. */
    const char *above[SC_LADDER_MOST][3]; /* value, low, high */
    sc_ladder_quantile quantiles[QUANTILES];
} quantity;

struct scrim_suggestion {
    const sc_schema *schema;
    sc_suggested asked;
    const char *names[SC_SUGGESTED_COLUMNS]; /* of its columns */
    scrim_plan *plan;
    sc_ratio question_epsilon; /* that the bounds are found for */
    quantity *quantities;      /* as they are asked */
    scrim_result *result;      /* NULL before the run */
    scrim_suggested_bound bounds[BOUNDS];
    size_t bound_count;
    sc_arena arena;
};

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
            return sc_no_memory(error, "a suggestion");
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

/* "1,1,1": the same share for every quantity. */
static const char *equal_shares(scrim_suggestion *s)
{
    char *text = sc_arena_allocate(&s->arena, 2 * s->asked.count, 1);
    for (size_t i = 0; text != NULL && i < s->asked.count; i++) {
        text[2 * i] = '1';
        text[2 * i + 1] = i + 1 < s->asked.count ? ',' : '\0';
    }
    return text;
}

static scrim_status make_plan(scrim_suggestion *s, scrim_vault *vault,
                              const char *dataset, const scrim_suggestion_options *o,
                              scrim_error *error)
{
    const char *shares = equal_shares(s);
    if (shares == NULL)
        return sc_no_memory(error, "a suggestion");
    const scrim_query_options options = {.size = sizeof options,
                                         .epsilon = o->epsilon,
                                         .confidence = o->confidence,
                                         .shares = shares,
                                         .workers = o->workers,
                                         .memory_bytes = o->memory_bytes,
                                         .rows_upper = o->rows_upper,
                                         .progress = o->progress,
                                         .context = o->context};
    return scrim_plan_new(vault, dataset, s->asked.queries, s->asked.count, &options,
                          &s->plan, NULL, error);
}

/* Rungs are numbers of a query, which have at most 18 digits. */
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

/* Ladders. */

static const char *number_text(scrim_suggestion *s, const sc_column *column,
                               int64_t steps)
{
    char text[SC_COLUMN_TEXT_BYTES];
    if (column == NULL)
        snprintf(text, sizeof text, "%" PRId64, steps);
    else
        (void)sc_column_format(column, steps, text, sizeof text);
    return sc_arena_copy(&s->arena, text, strlen(text));
}

/* The smallest value of a quantity, in steps. */
static int64_t first_of(const sc_suggested_quantity *q)
{
    return q->kind == SC_SUGGESTED_VALUE ? q->column->grid.low : q->steps[0];
}

static bool set_ladder(scrim_suggestion *s, size_t index)
{
    const sc_suggested_quantity *asked = &s->asked.quantities[index];
    quantity *q = &s->quantities[index];
    sc_ladder_reading *r = &q->reading;
    sc_reading_init(
        r, asked->steps, asked->rungs, first_of(asked),
        asked->column == NULL ? (sc_value_step){1, 1} : sc_suggested_step(asked->column),
        s->plan->statements[index].parts[0].measurement, &s->plan->options.confidence);
    for (size_t i = 0; i < r->count; i++) {
        q->rungs[i] = number_text(s, asked->column, asked->steps[i]);
        q->errors[i] = sc_reading_error(r, r->count - 1 - i);
        if (q->rungs[i] == NULL)
            return false;
    }
    return true;
}

static scrim_status set_ladders(scrim_suggestion *s, scrim_error *error)
{
    s->quantities = sc_arena_allocate(&s->arena, s->asked.count, sizeof *s->quantities);
    bool is_well = s->quantities != NULL;
    for (size_t i = 0; is_well && i < s->asked.count; i++)
        is_well = set_ladder(s, i);
    return is_well ? SCRIM_OK : sc_no_memory(error, "a suggestion");
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
    SC_REQUIRE(error, "vault dataset", vault, dataset);
    scrim_suggestion_options all;
    scrim_status status =
        sc_option_struct_copy(options, sizeof(size_t), &all, sizeof all, error);
    if (status != SCRIM_OK)
        return status;
    scrim_suggestion *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a suggestion");
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
        status = set_ladders(s, error);
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

/* Rungs. */

uint64_t scrim_suggestion_people(const scrim_suggestion *s)
{
    const int64_t people =
        s->result == NULL ? 0 : sc_reading_people(&s->quantities[0].reading);
    return people > 0 ? (uint64_t)people : 0;
}

static const char *quantity_name(sc_suggested_kind kind)
{
    static const char *const names[] = {[SC_SUGGESTED_ALL_ROWS] = "rows",
                                        [SC_SUGGESTED_GROUPS] = "groups",
                                        [SC_SUGGESTED_ROWS] = "rows of a group",
                                        [SC_SUGGESTED_LARGEST] = "largest total",
                                        [SC_SUGGESTED_SMALLEST] = "smallest total",
                                        [SC_SUGGESTED_VALUE] = "value"};
    return names[kind];
}

int scrim_suggestion_rung_at(const scrim_suggestion *s, size_t index,
                             scrim_suggested_rung *out)
{
    size_t i = 0;
    while (i < s->asked.count && index >= s->asked.quantities[i].rungs)
        index -= s->asked.quantities[i++].rungs;
    if (i == s->asked.count)
        return 0;
    const sc_suggested_quantity *asked = &s->asked.quantities[i];
    const quantity *q = &s->quantities[i];
    *out = (scrim_suggested_rung){.quantity = quantity_name(asked->kind),
                                  .column = name_of(s, asked->column),
                                  .rung = q->rungs[index],
                                  .is_last = index + 1 == asked->rungs,
                                  .people = "",
                                  .people_low = "",
                                  .people_high = "",
                                  .above = "",
                                  .above_low = "",
                                  .above_high = "",
                                  .error = q->errors[index]};
    if (s->result == NULL)
        return 1;
    const scrim_result_cell *cell = scrim_result_cell_at(s->result, i, index, 1);
    out->people = cell->value;
    out->people_low = cell->low;
    out->people_high = cell->high;
    out->above = q->above[index][0];
    out->above_low = q->above[index][1];
    out->above_high = q->above[index][2];
    return 1;
}

/* Quantiles. */

static size_t ps_of(sc_suggested_kind kind, const char *const **out)
{
    static const char *const counts[] = {"0.5", "0.9", "0.95", "0.99"},
                             *const values[QUANTILES] = {"0.01", "0.05", "0.5", "0.95",
                                                         "0.99"};
    *out = kind == SC_SUGGESTED_VALUE ? values : counts;
    return kind == SC_SUGGESTED_VALUE ? QUANTILES : sizeof counts / sizeof *counts;
}

/* "0.5", "0.95". */
static unsigned hundredths_of(const char *p)
{
    return (unsigned)(p[2] - '0') * 10 + (p[3] == '\0' ? 0 : (unsigned)(p[3] - '0'));
}

int scrim_suggestion_quantile_at(const scrim_suggestion *s, size_t index,
                                 scrim_suggested_quantile *out)
{
    const char *const *ps = NULL;
    size_t i = 0, count = 0;
    while (i < s->asked.count &&
           index >= (count = ps_of(s->asked.quantities[i].kind, &ps))) {
        index -= count;
        i++;
    }
    if (i == s->asked.count)
        return 0;
    const sc_suggested_quantity *asked = &s->asked.quantities[i];
    const quantity *q = &s->quantities[i];
    *out = (scrim_suggested_quantile){.quantity = quantity_name(asked->kind),
                                      .column = name_of(s, asked->column),
                                      .p = ps[index],
                                      .value = "",
                                      .low = "",
                                      .high = "",
                                      .people = q->errors[0] * (SC_LADDER_WHOLE / SURE)};
    if (s->result == NULL)
        return 1;
    const sc_ladder_quantile *found = &q->quantiles[index];
    out->value = q->rungs[found->rung];
    out->low = q->rungs[found->low];
    out->high = q->rungs[found->high];
    out->is_last = found->rung + 1 == asked->rungs;
    return 1;
}

/* The released counts. */

/* Nobody has more rows in a group, or more groups, than rows: a quantile of these that noise took beyond that of all rows is
 * moved there. Its interval stays. */
static void keep_order(scrim_suggestion *s)
{
    const quantity *all = NULL;
    for (size_t i = 0; i < s->asked.count; i++)
        if (s->asked.quantities[i].kind == SC_SUGGESTED_ALL_ROWS)
            all = &s->quantities[i];
    for (size_t i = 0; all != NULL && i < s->asked.count; i++) {
        const sc_suggested_kind kind = s->asked.quantities[i].kind;
        if (kind != SC_SUGGESTED_ROWS && kind != SC_SUGGESTED_GROUPS)
            continue;
        for (size_t k = 0; k < QUANTILES; k++) {
            sc_ladder_quantile *own = &s->quantities[i].quantiles[k];
            if (own->rung > all->quantiles[k].rung)
                own->rung = all->quantiles[k].rung;
            if (own->low > own->rung)
                own->low = own->rung;
        }
    }
}

/* At least 0, as every number of people is; the value itself as it was drawn. */
static const char *people_text(scrim_suggestion *s, int64_t people, bool is_end)
{
    return number_text(s, NULL, is_end && people < 0 ? 0 : people);
}

static bool read_counts(scrim_suggestion *s, const scrim_result *result, size_t index)
{
    const sc_suggested_quantity *asked = &s->asked.quantities[index];
    const char *const *ps;
    quantity *q = &s->quantities[index];
    const size_t count = ps_of(asked->kind, &ps);
    bool is_well = scrim_result_rows(result, index) == asked->rungs;
    for (size_t i = 0; is_well && i < asked->rungs; i++)
        q->reading.counts[i] =
            strtoll(scrim_result_cell_at(result, index, i, 1)->value, NULL, 10);
    for (size_t i = 0; is_well && i < asked->rungs; i++) {
        const int64_t above = sc_reading_above(&q->reading, i),
                      error = (int64_t)q->errors[i];
        q->above[i][0] = people_text(s, above, false);
        q->above[i][1] = people_text(s, above - error, true);
        q->above[i][2] = people_text(s, above + error, true);
        for (size_t k = 0; k < 3; k++)
            is_well = is_well && q->above[i][k] != NULL;
    }
    for (size_t i = 0; is_well && i < count; i++)
        q->quantiles[i] = sc_reading_find(&q->reading, hundredths_of(ps[i]));
    return is_well;
}

/* Bounds. */

/* SIZE_MAX where it is not asked for. */
static size_t find(const scrim_suggestion *s, sc_suggested_kind kind,
                   const sc_column *column)
{
    for (size_t i = 0; i < s->asked.count; i++)
        if (s->asked.quantities[i].kind == kind &&
            s->asked.quantities[i].column == column)
            return i;
    return SIZE_MAX;
}

static const char *share_text(scrim_suggestion *s, int share)
{
    char text[16];
    snprintf(text, sizeof text, "%d.%04d", share / SC_LADDER_WHOLE,
             share % SC_LADDER_WHOLE);
    return sc_arena_copy(&s->arena, text, strlen(text));
}

/* False without memory. */
static bool add(scrim_suggestion *s, const char *bound, const sc_column *column,
                const char *low, const char *high, sc_ladder_part beyond)
{
    scrim_suggested_bound *b = &s->bounds[s->bound_count++];
    *b = (scrim_suggested_bound){.bound = bound,
                                 .column = name_of(s, column),
                                 .low = low,
                                 .high = high,
                                 .beyond = share_text(s, beyond.share),
                                 .beyond_low = share_text(s, beyond.low),
                                 .beyond_high = share_text(s, beyond.high),
                                 .is_sure = beyond.share - beyond.low <= SURE &&
                                            beyond.high - beyond.share <= SURE};
    return b->beyond != NULL && b->beyond_low != NULL && b->beyond_high != NULL &&
           low != NULL && high != NULL;
}

static sc_ladder_part share_above(const quantity *q, size_t rung)
{
    return sc_reading_share(&q->reading, sc_reading_above(&q->reading, rung),
                            q->reading.count - 1 - rung);
}

static bool add_count(scrim_suggestion *s, const char *bound, size_t index, size_t rung)
{
    const quantity *q = &s->quantities[index];
    return add(s, bound, NULL, "", q->rungs[rung], share_above(q, rung));
}

static bool add_rows(scrim_suggestion *s, sc_proposal *proposal)
{
    const size_t all = find(s, SC_SUGGESTED_ALL_ROWS, NULL),
                 groups = find(s, SC_SUGGESTED_GROUPS, NULL),
                 rows = find(s, SC_SUGGESTED_ROWS, NULL);
    if (all == SIZE_MAX) { /* each row is a unit */
        sc_proposal_of_rows(proposal);
        return true;
    }
    const sc_ladder_reading *in_all = &s->quantities[all].reading;
    const size_t total = sc_proposal_total_rows(proposal, in_all);
    const bool has_groups = groups != SIZE_MAX;
    const sc_proposal_pair pair =
        sc_proposal_rows(proposal, has_groups ? &s->quantities[groups].reading : NULL,
                         has_groups ? &s->quantities[rows].reading : in_all);
    return add_count(s, "max-total-rows", all, total) &&
           (!has_groups || (add_count(s, "max-groups", groups, pair.groups) &&
                            add_count(s, "max-rows", rows, pair.rows)));
}

/* The total on a side of 0, in steps; 0 where the column has no values there. Sets the larger share beyond. */
static int64_t total_of(const scrim_suggestion *s, const sc_proposal *proposal,
                        sc_suggested_kind kind, const sc_column *column,
                        sc_ladder_part *beyond)
{
    const size_t index = find(s, kind, column);
    if (index == SIZE_MAX)
        return 0;
    const quantity *q = &s->quantities[index];
    const size_t rung = sc_proposal_total(
        proposal, &q->reading,
        kind == SC_SUGGESTED_LARGEST ? column->grid.high : -column->grid.low);
    const sc_ladder_part own = share_above(q, rung);
    if (own.share >= beyond->share)
        *beyond = own;
    return s->asked.quantities[index].steps[rung];
}

static bool add_total(scrim_suggestion *s, const sc_proposal *proposal,
                      const sc_column *column)
{
    sc_ladder_part beyond = {0, 0, 0};
    const int64_t above = total_of(s, proposal, SC_SUGGESTED_LARGEST, column, &beyond),
                  below = total_of(s, proposal, SC_SUGGESTED_SMALLEST, column, &beyond);
    return above + below == 0 ||
           add(s, "max-total", column, number_text(s, column, -below),
               number_text(s, column, above), beyond);
}

/* An end that lies on its side of 0 moves; another one adds no noise, and stays as declared. */
static bool add_clamp(scrim_suggestion *s, const sc_proposal *proposal,
                      const sc_column *column)
{
    const size_t index = find(s, SC_SUGGESTED_VALUE, column);
    const int64_t *steps = s->asked.quantities[index].steps;
    const quantity *q = &s->quantities[index];
    const sc_ladder_reading *r = &q->reading;
    const sc_grid *grid = &column->grid;
    const size_t high = grid->high > 0 ? sc_proposal_high(proposal, r) : r->count - 1,
                 low = grid->low < 0 ? sc_proposal_low(proposal, r) : 0;
    int64_t outside = sc_reading_above(r, high);
    for (size_t i = 0; i < low; i++)
        outside += r->counts[i];
    return add(s, "clamp", column,
               number_text(s, column, low == 0 ? grid->low : steps[low - 1]),
               number_text(s, column, steps[high]),
               sc_reading_share(r, outside, r->count - 1 - high + low));
}

static bool find_bounds(scrim_suggestion *s)
{
    sc_proposal proposal = {.people = (int64_t)scrim_suggestion_people(s),
                            .keys = s->asked.keys,
                            .epsilon = &s->question_epsilon,
                            .is_doubled = s->plan->neighbours == SCRIM_REPLACE &&
                                          s->asked.by.count > 0};
    bool is_well = add_rows(s, &proposal);
    for (size_t i = 0; is_well && i < s->asked.column_count; i++) {
        const sc_column *column = s->asked.columns[i];
        if (column->type != SC_COLUMN_INT && column->type != SC_COLUMN_DECIMAL)
            continue;
        if (s->schema->unit.bytes > 0)
            is_well = add_total(s, &proposal, column);
        is_well = is_well && add_clamp(s, &proposal, column);
    }
    return is_well;
}

/* Takes the result, also on failure. */
static scrim_status take(scrim_suggestion *s, scrim_result *result, scrim_error *error)
{
    bool is_well = true;
    scrim_result_free(s->result);
    s->result = result;
    s->bound_count = 0;
    for (size_t i = 0; is_well && i < s->asked.count; i++)
        is_well = read_counts(s, result, i);
    if (is_well)
        keep_order(s);
    return is_well && find_bounds(s) ? SCRIM_OK : sc_no_memory(error, "a suggestion");
}

scrim_status scrim_suggestion_run(scrim_vault *vault, scrim_suggestion *s,
                                  scrim_error *error)
{
    SC_REQUIRE(error, "vault suggestion", vault, s);
    scrim_result *result = NULL;
    const scrim_status status = scrim_query_run(vault, s->plan, &result, error);
    return status == SCRIM_OK ? take(s, result, error) : status;
}

scrim_status scrim_suggestion_take(scrim_suggestion *s, scrim_result *result,
                                   scrim_error *error)
{
    SC_REQUIRE(error, "suggestion result", s, result);
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    bool is_own = facts.statements == s->plan->statement_count &&
                  strcmp(facts.dataset, s->plan->dataset.name) == 0;
    for (size_t i = 0; is_own && i < facts.statements; i++)
        is_own = sc_text_is(sc_plan_text(s->plan, i), scrim_result_text(result, i));
    if (!is_own)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "result",
                           "the result is not that of the suggestion's plan");
    return take(s, result, error);
}

int scrim_suggestion_bound_at(const scrim_suggestion *s, size_t index,
                              scrim_suggested_bound *out)
{
    if (index >= s->bound_count)
        return 0;
    *out = s->bounds[index];
    return 1;
}
