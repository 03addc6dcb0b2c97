#include "query/language/key_text.h"
#include "query/plan/auto_bounds.h"
#include "query/plan/auto_range.h"
#include "query/plan/plan.h"

#include <string.h>

/* Bounds before they are found. */

sc_bounds sc_auto_guess(const sc_planned_statement *s)
{
    const uint64_t total = sc_bounds_normal(&s->said, 0).total;
    return (sc_bounds){.groups = s->keys_kind == SC_PLAN_DISCOVERED ? s->said.groups : 0,
                       .total = total < SC_SCHEMA_CONTRIBUTION ? total
                                                               : SC_SCHEMA_CONTRIBUTION};
}

/* Questions that can be asked. */

static scrim_status unsupported(scrim_error *error, const char *why)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "bounds",
                       "bounds cannot be found for this query: %s", why);
}

static scrim_status conflict(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "bounds",
                       "give contribution bounds or have them found, not both");
}

static scrim_status needless(scrim_error *error, const char *why)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "bounds",
                       "%s, so there are no bounds to find; leave them out", why);
}

/* Does it say bounds of its own? Groups of private keys may be said: selecting keys is charged by group. */
static bool says_bounds(const scrim_plan *plan, const sc_planned_statement *s)
{
    const bool is_alone = plan->statement_count == 1;
    return s->own.total > 0 ||
           (s->keys_kind != SC_PLAN_DISCOVERED &&
            (s->own.groups > 0 || (is_alone && plan->asked.bounds.groups > 0)));
}

static scrim_status check_statement(const scrim_plan *plan, const sc_planned_statement *s,
                                    scrim_error *error)
{
    if (s->query->schema->unit.bytes == 0)
        return needless(error, "each row is a privacy unit");
    if (s->query->unnest != NULL)
        return unsupported(error, "it expands a list");
    return says_bounds(plan, s) ? conflict(error) : SCRIM_OK;
}

/* A bound of a person's total is that of one query. */
static scrim_status check_ranges(const scrim_plan *plan, scrim_error *error)
{
    if (plan->asked.ranges == NULL)
        return SCRIM_OK;
    if (sc_ratio_sign(&plan->options.auto_share) == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "bounds",
                           "a bound of a total is found together with the other bounds");
    return plan->statement_count == 1
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "max-total",
                             "a bound of a total is found for one query at a time");
}

static scrim_status check_plan(const scrim_plan *plan, const sc_plan_request *request,
                               scrim_error *error)
{
    if (request->series != NULL || request->nesting != NULL ||
        plan->options.version[0] != '\0')
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "bounds",
                           "bounds cannot be found for a series, for tables of one tree "
                           "or for rows that are pushed");
    /* The rows are read once for the ladders and once for the question. */
    if (sc_text_is(plan->schema->path, "-"))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "bounds",
                           "bounds cannot be found for standard input, which is read "
                           "once; declare a file");
    if (plan->schema->has_fixed_bounds)
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_CONFLICT, "fixed-bounds",
                           "the owner has fixed the contribution bounds of this dataset");
    if (plan->asked.bounds.rows + plan->asked.bounds.total > 0)
        return conflict(error);
    for (size_t i = 0; i < plan->statement_count; i++)
        SC_TRY(check_statement(plan, &plan->statements[i], error));
    return SCRIM_OK;
}

/* Ladders. */

static bool finds_range(const scrim_plan *plan, sc_text name)
{
    sc_text rest = sc_text_of(plan->asked.ranges), own;
    while (sc_text_item(&rest, '\n', &own))
        if (sc_text_equal(own, name))
            return true;
    return false;
}

/* In so few groups a unit may be in all: leaving some out saves little noise, and a second ladder doubles that of the first. */
#define FEW_GROUPS 5

/* A sum of all rows of a unit whose total is found needs no total of rows. */
static bool needs_rows(const scrim_plan *plan, const sc_planned_statement *s)
{
    if (plan->asked.ranges == NULL || s->keys_kind == SC_PLAN_DISCOVERED ||
        s->key_count > FEW_GROUPS)
        return true;
    for (size_t i = 0; i < s->query->aggregate_count; i++) {
        const sc_query_aggregate *a = &s->query->aggregates[i];
        const sc_column *column = a->kind->reads != SC_READS_SUM
                                      ? NULL
                                      : sc_statistic_column(s->query, a->value);
        if (column == NULL || !finds_range(plan, column->name))
            return true;
    }
    return false;
}

/* One for all queries that count the same rows. */
static scrim_status list_ladders(scrim_plan *plan, sc_planned_statement *statements,
                                 const char **texts, size_t *count, scrim_error *error)
{
    *count = 0;
    for (size_t i = 0; i < plan->statement_count; i++) {
        size_t at = 0;
        if (!sc_plan_finds(plan, &statements[i]) || !needs_rows(plan, &statements[i]))
            continue;
        const char *text = sc_auto_ladder_text(statements[i].query, &plan->arena);
        if (text == NULL)
            return sc_no_memory(error, "a plan");
        while (at < *count && strcmp(texts[at], text) != 0)
            at++;
        texts[at] = text;
        *count += at == *count;
        statements[i].ladder = at + 1;
    }
    return *count > 0 || plan->asked.ranges != NULL
               ? SCRIM_OK
               : needless(error, "each unit counts once, by all of its rows");
}

/* One or two for each total whose bound is found. */
static scrim_status list_ranges(scrim_plan *plan, const char **texts, size_t *count,
                                scrim_error *error)
{
    const sc_query *query = plan->statements[0].query;
    if (plan->asked.ranges != NULL && !sc_plan_finds(plan, &plan->statements[0]))
        return needless(error, "each unit counts once, by all of its rows");
    SC_TRY(sc_auto_ranges_read(plan, &plan->arena, &plan->ranges, &plan->range_count,
                               error));
    for (size_t i = 0; i < plan->range_count; i++) {
        sc_auto_range *range = &plan->ranges[i];
        if (range->column->grid.high > 0) {
            texts[(*count)++] =
                sc_auto_range_text(query, range->column, true, &plan->arena);
            range->largest = *count;
        }
        if (range->column->grid.low < 0) {
            texts[(*count)++] =
                sc_auto_range_text(query, range->column, false, &plan->arena);
            range->smallest = *count;
        }
    }
    for (size_t i = 0; i < *count; i++)
        if (texts[i] == NULL)
            return sc_no_memory(error, "a plan");
    return SCRIM_OK;
}

/* Exact texts of options. */
typedef struct option_texts {
    char epsilon[SC_RATIO_TEXT_BYTES], rho[SC_RATIO_TEXT_BYTES],
        delta[SC_RATIO_TEXT_BYTES], confidence[SC_RATIO_TEXT_BYTES],
        cut_share[SC_RATIO_TEXT_BYTES];
} option_texts;

/* With this epsilon, or this rho where the cost is a rho. */
static scrim_query_options options_at(const scrim_plan *plan, const sc_ratio *epsilon,
                                      const sc_ratio *rho, option_texts *texts)
{
    const sc_plan_options *own = &plan->options;
    const bool has_rho = sc_ratio_sign(rho) > 0;
    scrim_query_options out = {.size = sizeof out};
    (void)sc_ratio_format(epsilon, texts->epsilon, sizeof texts->epsilon);
    (void)sc_ratio_format(rho, texts->rho, sizeof texts->rho);
    (void)sc_ratio_format(&own->delta, texts->delta, sizeof texts->delta);
    (void)sc_ratio_format(&own->confidence, texts->confidence, sizeof texts->confidence);
    (void)sc_ratio_format(&own->cut_share, texts->cut_share, sizeof texts->cut_share);
    out.epsilon = has_rho ? NULL : texts->epsilon;
    out.rho = has_rho ? texts->rho : NULL;
    out.delta = has_rho ? texts->delta : NULL;
    out.confidence = texts->confidence;
    out.cut_share = texts->cut_share;
    out.with = plan->with;
    return out;
}

static scrim_status plan_ladders(scrim_plan *plan, const sc_plan_request *request,
                                 const char **texts, size_t count, scrim_error *error)
{
    option_texts own;
    SC_OWN(sc_ratio, epsilon, rho);
    sc_ratio_mul(&epsilon, &plan->options.epsilon, &plan->options.auto_share);
    sc_ratio_mul(&rho, &plan->options.rho, &plan->options.auto_share);
    const scrim_query_options options = options_at(plan, &epsilon, &rho, &own);
    const sc_plan_request ladders = {.vault = request->vault,
                                     .dataset = request->dataset,
                                     .queries = texts,
                                     .count = count,
                                     .options = &options};
    return sc_plan_new(&ladders, &plan->ladder, NULL, error);
}

/* The whole cost, which is charged, and the rest of it, which the question is planned with. */
static scrim_status split_cost(scrim_plan *plan, scrim_error *error)
{
    sc_plan_options *options = &plan->options;
    const bool has_rho = sc_ratio_sign(&options->rho) > 0;
    SC_TRY(sc_allowance_new(plan->neighbours, has_rho ? &options->rho : NULL,
                            &options->epsilon, &options->delta, &plan->allowance, error));
    if (!has_rho) {
        sc_ratio_sub(&options->epsilon, &options->epsilon,
                     &plan->ladder->options.epsilon);
        return SCRIM_OK;
    }
    sc_ratio_sub(&options->rho, &options->rho, &plan->ladder->options.rho);
    return sc_allowance_epsilon(&options->rho, &options->delta, &options->epsilon, error);
}

scrim_status sc_auto_begin(scrim_plan *plan, const sc_plan_request *request,
                           sc_planned_statement *statements, scrim_error *error)
{
    size_t count = 0;
    SC_TRY(check_ranges(plan, error));
    if (sc_ratio_sign(&plan->options.auto_share) == 0)
        return SCRIM_OK;
    SC_TRY(check_plan(plan, request, error));
    const char **texts = sc_arena_allocate(
        &plan->arena, plan->statement_count + (size_t)2 * SC_AUTO_RANGES,
        sizeof(const char *));
    if (texts == NULL)
        return sc_no_memory(error, "a plan");
    SC_TRY(list_ladders(plan, statements, texts, &count, error));
    SC_TRY(list_ranges(plan, texts, &count, error));
    SC_TRY(plan_ladders(plan, request, texts, count, error));
    return split_cost(plan, error);
}

/* The epsilon and rho of the question, given those of everything. */
static void rest_of(const scrim_plan *plan, sc_ratio *epsilon, sc_ratio *rho)
{
    sc_ratio_sub(epsilon, &plan->options.epsilon, &plan->ladder->options.epsilon);
    sc_ratio_sub(rho, &plan->options.rho, &plan->ladder->options.rho);
}

void sc_auto_restore(scrim_plan *plan)
{
    if (plan->ladder == NULL)
        return;
    sc_ratio_set(&plan->options.epsilon, &sc_allowance_cost(plan->allowance)->epsilon);
    if (sc_ratio_sign(&plan->options.rho) > 0)
        sc_ratio_set(&plan->options.rho, sc_allowance_total(plan->allowance));
}

/* The question with what was found. */

/* Sums without groups of all rows of a unit need no bound of rows. */
static bool is_bounded(const sc_planned_statement *s)
{
    return s->ladder > 0 || s->keys_kind != SC_PLAN_NO_KEYS;
}

/* Each query with a clause of its bounds. */
static scrim_status write_queries(const scrim_plan *plan, const uint64_t *totals,
                                  sc_arena *arena, const char **out, scrim_error *error)
{
    for (size_t i = 0; i < plan->statement_count; i++) {
        const sc_planned_statement *s = &plan->statements[i];
        const sc_bounds found = {.groups = s->said.groups, .total = totals[i]};
        const sc_text text = s->query->canonical;
        out[i] = totals[i] == 0 ? sc_arena_copy(arena, text.start, text.bytes)
                                : sc_asked_text(text, &found, arena);
        if (out[i] == NULL)
            return sc_no_memory(error, "a plan");
    }
    return SCRIM_OK;
}

static char *shares_of(const scrim_plan *plan, sc_arena *arena)
{
    const size_t bytes = 1 + plan->options.share_count * 12;
    char *text = sc_arena_allocate(arena, bytes, 1);
    sc_text_sink sink;
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, bytes);
    sc_plan_options_put_shares(&plan->options, &sink);
    return text;
}

static scrim_status plan_found(const scrim_plan *plan, const sc_auto_bounds *found,
                               sc_arena *arena, scrim_plan **out, scrim_error *error)
{
    option_texts own;
    sc_plan_option_texts texts = {.epsilon = {NULL, 0}};
    const char **queries =
        sc_arena_allocate(arena, plan->statement_count, sizeof(const char *));
    const char *shares = shares_of(plan, arena);
    const char *ranges = plan->range_count == 0
                             ? plan->asked.totals
                             : sc_auto_range_lines(plan, found->rungs, arena);
    SC_OWN(sc_ratio, epsilon, rho);
    if (queries == NULL || shares == NULL || (ranges == NULL && plan->range_count > 0) ||
        !sc_plan_options_copy_texts(&plan->options, arena, &texts))
        return sc_no_memory(error, "a plan");
    SC_TRY(write_queries(plan, found->totals, arena, queries, error));
    rest_of(plan, &epsilon, &rho);
    scrim_query_options options = options_at(plan, &epsilon, &rho, &own);
    options.delta = own.delta;
    options.expect = texts.expect.start;
    options.mechanism = sc_plan_noise_name(plan->options.noise);
    options.max_total = ranges;
    options.shares = plan->options.share_count == 0 ? NULL : shares;
    options.workers = plan->options.workers;
    options.memory_bytes = plan->options.memory_bytes;
    const sc_plan_request request = {.queries = queries,
                                     .count = plan->statement_count,
                                     .options = &options,
                                     .like = plan};
    return sc_plan_new(&request, out, NULL, error);
}

scrim_status sc_auto_found(const scrim_plan *plan, const sc_auto_bounds *found,
                           scrim_plan **out, scrim_error *error)
{
    sc_arena arena;
    sc_arena_init(&arena);
    const scrim_status status = plan_found(plan, found, &arena, out, error);
    sc_arena_clear(&arena);
    return status;
}

/* With rungs of ranges up to this one. */
static scrim_status plan_widest(const scrim_plan *plan, uint64_t total, size_t rung,
                                sc_auto_bounds *most, scrim_plan **out,
                                scrim_error *error)
{
    for (size_t i = 0; i < plan->statement_count; i++)
        most->totals[i] = is_bounded(&plan->statements[i]) ? total : 0;
    for (size_t i = 0; i < plan->range_count; i++)
        for (size_t k = 0; k < 2; k++) {
            int64_t steps[SC_LADDER_MOST];
            const sc_grid *grid = &plan->ranges[i].column->grid;
            const size_t count = sc_total_rungs(k == 0 ? grid->high : -grid->low, steps);
            most->rungs[i][k] = rung < count ? rung : count - 1;
        }
    return sc_auto_found(plan, most, out, error);
}

scrim_status sc_auto_widest(const scrim_plan *plan, sc_auto_bounds *most,
                            scrim_plan **out, scrim_error *error)
{
    const size_t last = plan->range_count == 0 ? 1 : SC_LADDER_MOST - 1;
    scrim_status status = SCRIM_E_LIMIT;
    for (size_t rung = SC_AUTO_RUNGS; status == SCRIM_E_LIMIT && rung > 0; rung--)
        for (size_t end = last; status == SCRIM_E_LIMIT && end > 0; end--)
            status = plan_widest(plan, (uint64_t)sc_rung_value((int64_t)rung), end, most,
                                 out, error);
    return status;
}
