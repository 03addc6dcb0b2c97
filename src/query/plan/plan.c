#include "query/plan/plan.h"

#include "base/number/ratio.h"
#include "base/text_copy.h"
#include "mechanism/linear/counter.h"
#include "model/option_struct.h"
#include "query/language/set_query.h"
#include "query/language/unnest.h"
#include "query/language/validate.h"
#include "query/plan/brought.h"
#include "query/plan/plan_caution.h"
#include "query/plan/plan_chain.h"
#include "query/plan/plan_choice.h"
#include "query/plan/plan_cut.h"
#include "query/plan/plan_keys.h"
#include "query/plan/plan_line.h"
#include "query/plan/plan_predict.h"
#include "query/plan/plan_sets.h"
#include "query/plan/plan_shown.h"
#include "vault/vault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The dataset. */

/* The same version, whatever the vault says by now. */
static void copy_dataset(const sc_plan_request *request, scrim_plan *plan)
{
    plan->dataset = request->like->dataset;
    plan->is_found = true;
}

static scrim_status read_dataset(const sc_plan_request *request, scrim_plan *plan,
                                 scrim_error *error)
{
    scrim_vault *vault = request->vault;
    const char *name = request->dataset;
    scrim_status status = SCRIM_OK;
    if (request->like != NULL)
        copy_dataset(request, plan);
    else
        status = vault == NULL ? sc_planned_dataset_declare(name, &plan->arena,
                                                            &plan->dataset, error)
                               : sc_planned_dataset_read(vault, name, &plan->arena,
                                                         &plan->dataset, error);
    if (status == SCRIM_OK)
        status =
            sc_schema_parse(sc_text_of(plan->dataset.policy), NULL, &plan->schema, error);
    plan->policy = plan->dataset.policy;
    if (status == SCRIM_OK)
        plan->neighbours = plan->schema->neighbours;
    return status;
}

/* Plans under the bounds that the question says. */
static scrim_status take_bounds(scrim_plan *plan, const scrim_query_options *given,
                                scrim_error *error)
{
    plan->has_single_rows = plan->schema->has_one_row;
    SC_TRY(sc_asked_bounds_read(given, &plan->asked, error));
    SC_TRY(sc_asked_ranges_take(&plan->asked, &plan->arena, error));
    return sc_asked_bounds_use(&plan->asked, &plan->arena, &plan->policy, &plan->schema,
                               error);
}

/* Statements. */

/* A row counts as many times as it is expanded to. */
static scrim_status set_reach(const scrim_plan *plan, sc_planned_statement *s,
                              scrim_error *error)
{
    const sc_schema *schema = s->query->schema;
    const bool has_units = schema->unit.bytes > 0;
    uint64_t constant = 1;
    SC_TRY(sc_plan_chain_constant(s->query, &constant, error));
    /* Elements of a list differ and are a key (unnest.h): each is in a group of its own, and the
     * schema's groups count them already. */
    const uint64_t elements = s->query->unnest == NULL ? 1 : s->query->unnest->limit;
    s->said = has_units ? schema->bounds : (sc_bounds){elements, 1, 0};
    s->said.rows *= constant / elements;
    if (sc_plan_finds(plan, s))
        s->said = sc_auto_guess(s);
    if (s->keys_kind == SC_PLAN_DISCOVERED && s->said.groups == 0 &&
        sc_ratio_sign(&plan->options.delta) == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "max-groups,delta",
                           "selecting private keys is charged by group and needs a "
                           "delta; give the most groups of one unit and a delta, e.g. "
                           "1e-7");
    if (s->keys_kind == SC_PLAN_DISCOVERED && s->said.groups == 0)
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "max-groups",
            "selecting private keys is charged by group; give the most groups of one "
            "unit");
    s->bounds = sc_bounds_normal(&s->said, sc_plan_groups(s->keys_kind, s->key_count));
    return SCRIM_OK;
}

/* Only a selection of keys can keep groups by their units; known keys of a series pass it by. */
static scrim_status check_least(const scrim_plan *plan, const sc_planned_statement *s,
                                sc_refusal *refusal)
{
    const bool is_selected = s->keys_kind == SC_PLAN_DISCOVERED &&
                             !(plan->has_series && plan->series.is_continued);
    return s->query->least.count == 0 || is_selected
               ? SCRIM_OK
               : sc_refuse(refusal, s->query->least.span, SCRIM_E_POLICY,
                           "HAVING needs a name from SELECT; put this count into SELECT "
                           "with AS and a name");
}

/* Sums that stand alone are clamped by unit, where that is not what they are anyway: the noise is the same, and they are never
 * farther from all rows. */
static scrim_status clamp_sums(scrim_plan *plan, sc_planned_statement *s,
                               scrim_error *error)
{
    const sc_statistics before = s->statistics;
    /* Releases of a series mean the same, whenever it was begun. */
    if (plan->has_series || !sc_statistics_may_clamp(s->query, &s->bounds))
        return SCRIM_OK;
    s->clamps = true;
    SC_TRY(sc_plan_statistics_of(s, &plan->arena, &s->statistics, error));
    s->clamps = false;
    for (size_t i = 0; i < s->statistics.count; i++)
        s->clamps |=
            i >= before.count || s->statistics.list[i].kind != before.list[i].kind;
    return SCRIM_OK;
}

/* In the words that are charged and recorded. */
static scrim_status set_text(scrim_plan *plan, const sc_bounds *own,
                             sc_planned_statement *out, scrim_error *error)
{
    out->own = *own;
    out->text = out->query->canonical;
    if (own->groups == 0 && own->total == 0)
        return SCRIM_OK;
    const char *text = sc_asked_text(out->query->canonical, own, &plan->arena);
    if (text == NULL)
        return sc_no_memory(error, "a plan");
    out->text = sc_text_of(text);
    return SCRIM_OK;
}

/* A statement whose query is set. */
static scrim_status take_query(scrim_plan *plan, const sc_bounds *own,
                               sc_planned_statement *out, sc_refusal *refusal)
{
    scrim_error *error = refusal->error;
    out->set = "";
    SC_TRY(set_text(plan, own, out, error));
    out->discovers_ranges = plan->has_series && plan->series.discovers_ranges;
    scrim_status status = sc_plan_keys_of(out, &plan->arena, error);
    if (status == SCRIM_OK)
        status = check_least(plan, out, refusal);
    if (status != SCRIM_OK)
        return status;
    /* Later failures are not about a place in the text. */
    refusal->place = sc_span_at(0, 0);
    if (status == SCRIM_OK)
        status = set_reach(plan, out, error);
    if (status == SCRIM_OK)
        status = sc_plan_statistics_of(out, &plan->arena, &out->statistics, error);
    if (status == SCRIM_OK)
        status = clamp_sums(plan, out, error);
    if (plan->has_series && out->keys_kind == SC_PLAN_DISCOVERED) {
        out->is_continued = plan->series.is_continued;
        out->known = plan->series.known;
        out->known_count = plan->series.known_count;
    }
    return status;
}

static scrim_status read_query(scrim_plan *plan, sc_text text, const sc_bounds *own,
                               const sc_query **out, sc_refusal *refusal)
{
    const sc_schema *schema = NULL;
    SC_TRY(sc_asked_schema(own, plan->schema, &plan->arena, &schema, refusal->error));
    return sc_validate(text, sc_text_of(plan->dataset.name), schema, &plan->arena, out,
                       refusal);
}

/* Several sets of keys. */

/* The statements of a query with sets. The finest grouping is the source; where it is no set, nothing of it is drawn. */
static scrim_status read_sets(scrim_plan *plan, const sc_query *whole,
                              const sc_bounds *own, sc_planned_statement *out,
                              sc_refusal *refusal)
{
    scrim_error *error = refusal->error;
    const size_t finest = sc_query_finest_set(whole);
    sc_planned_statement *source = finest > 0 ? &out[finest - 1] : NULL;
    if (finest == 0) {
        source = sc_arena_allocate(&plan->arena, 1, sizeof *source);
        if (source == NULL)
            return sc_no_memory(error, "a plan");
        source->query = sc_query_of_set(whole, 0, &plan->arena);
        if (source->query == NULL)
            return sc_no_memory(error, "a plan");
        SC_TRY(take_query(plan, own, source, refusal));
        plan->unreleased = source;
    }
    for (size_t i = 0; i < whole->set_count; i++) {
        out[i].query = sc_query_of_set(whole, i + 1, &plan->arena);
        if (out[i].query == NULL)
            return sc_no_memory(error, "a plan");
        SC_TRY(take_query(plan, own, &out[i], refusal));
        out[i].set = sc_plan_set_words(out[i].query, &plan->arena);
        if (out[i].set == NULL)
            return sc_no_memory(error, "a plan");
        out[i].source_keys = whole->sets[i];
    }
    if (source->bounds.total > SC_SCHEMA_CONTRIBUTION)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "max-rows",
                           "max-groups times max-rows must be at most %d",
                           SC_SCHEMA_CONTRIBUTION);
    for (size_t i = 0; i < whole->set_count; i++)
        if (&out[i] != source)
            sc_plan_set_reach(source, &out[i]);
    plan->has_sets = true;
    plan->source = finest > 0 ? finest : SC_ROWS_OF_ALL;
    SC_TRY(sc_plan_sets_check_consistent(out, whole->set_count, error));
    return sc_plan_sets_check_units(source, error);
}

static scrim_status read_statement(scrim_plan *plan, sc_text text, const sc_bounds *own,
                                   sc_planned_statement *out, sc_refusal *refusal)
{
    SC_TRY(read_query(plan, text, own, &out->query, refusal));
    return take_query(plan, own, out, refusal);
}

/* One of the texts of a batch. */
typedef struct asked_text {
    sc_text text;
    const sc_bounds *own;
    size_t place, count; /* of how many */
} asked_text;

/* With several sets of keys the statements are these. */
static scrim_status read_text(scrim_plan *plan, const asked_text *asked,
                              sc_planned_statement **statements, size_t *count,
                              sc_refusal *refusal)
{
    sc_planned_statement *own = &(*statements)[asked->place];
    SC_TRY(read_query(plan, asked->text, asked->own, &own->query, refusal));
    const sc_query *query = own->query;
    if (query->set_count == 0)
        return take_query(plan, asked->own, own, refusal);
    refusal->place = sc_span_at(0, 0);
    SC_TRY(sc_plan_sets_check(plan, query, asked->count, refusal->error));
    *count = query->set_count;
    *statements = sc_arena_allocate(&plan->arena, *count, sizeof **statements);
    return *statements == NULL ? sc_no_memory(refusal->error, "a plan")
                               : read_sets(plan, query, asked->own, *statements, refusal);
}

static scrim_status read_statements(scrim_plan *plan, const sc_asked_queries *queries,
                                    size_t count, sc_planned_statement **out,
                                    scrim_caret *caret, scrim_error *error)
{
    const size_t queries_asked = count;
    *out = sc_arena_allocate(&plan->arena, count, sizeof **out);
    if (*out == NULL)
        return sc_no_memory(error, "a plan");
    for (size_t i = 0; i < queries_asked; i++) {
        const sc_text text = sc_text_of(queries->texts[i]);
        sc_refusal refusal = {.place = {0, 0}, .error = error};
        const asked_text asked = {text, &queries->own[i], i, queries_asked};
        const scrim_status status = read_text(plan, &asked, out, &count, &refusal);
        if (status != SCRIM_OK) {
            sc_caret_show(i, text, &refusal, caret);
            return status;
        }
    }
    plan->statements = *out;
    plan->statement_count = count;
    return SCRIM_OK;
}

/* The source that is not released. Its groups are kept in memory, so all of them must be public. */
static scrim_status read_source(scrim_plan *plan, const char *query, scrim_error *error)
{
    const sc_bounds none = {.total = 0};
    sc_refusal refusal = {.place = {0, 0}, .error = error};
    const size_t bytes = strlen(query);
    const char *text = sc_arena_copy(&plan->arena, query, bytes);
    sc_planned_statement *source = sc_arena_allocate(&plan->arena, 1, sizeof *source);
    if (text == NULL || source == NULL)
        return sc_no_memory(error, "a plan");
    const scrim_status status =
        read_statement(plan, (sc_text){text, bytes}, &none, source, &refusal);
    plan->unreleased = source;
    return status != SCRIM_OK || source->keys_kind == SC_PLAN_PUBLIC_KEYS
               ? status
               : sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "tables",
                             "several tables of units with several rows need all "
                             "combinations of their columns: at most 65536 groups, or "
                             "4194304 if all keys are listed; release one table at a "
                             "time");
}

/* All rows of a unit that the source counts may be in one group of a sum: their counts are at least 0 and add up to at most
 * the total, so that the sum of their squares is at most its square. */
static scrim_status set_nesting(scrim_plan *plan, sc_planned_statement *statements,
                                const sc_plan_nesting *nesting, scrim_error *error)
{
    if (nesting == NULL)
        return SCRIM_OK;
    plan->source = nesting->query != NULL ? SC_ROWS_OF_ALL : nesting->source + 1;
    if (nesting->query != NULL)
        SC_TRY(read_source(plan, nesting->query, error));
    const sc_planned_statement *source = sc_plan_source(plan);
    if (source->bounds.total > SC_SCHEMA_CONTRIBUTION)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "max-rows",
                           "max-groups times max-rows must be at most %d",
                           SC_SCHEMA_CONTRIBUTION);
    for (size_t i = 0; i < plan->statement_count; i++) {
        statements[i].source_keys = nesting->keys[i];
        if (!sc_plan_is_sum(plan, i))
            continue;
        statements[i].said = (sc_bounds){1, source->bounds.total, 0};
        statements[i].bounds = sc_bounds_normal(&statements[i].said, 1);
    }
    return SCRIM_OK;
}

/* Parts. */

static void adopt(scrim_plan *plan, sc_planned_statement *statements, sc_trial *trial)
{
    plan->trial = trial;
    plan->bundle = trial->bundle;
    for (size_t i = 0; i < plan->statement_count; i++) {
        statements[i].parts = trial->statements[i].parts;
        statements[i].part_count = trial->statements[i].part_count;
        statements[i].cut_part = trial->statements[i].cut_part;
        statements[i].choices = trial->statements[i].choices;
        statements[i].choice_count = trial->statements[i].choice_count;
    }
}

static scrim_status set_parts(scrim_plan *plan, sc_planned_statement *statements,
                              scrim_error *error)
{
    sc_trial *trial = NULL;
    scrim_status status = sc_bars_choose(plan, statements, &trial, error);
    if (status == SCRIM_OK && sc_ratio_sign(&plan->options.delta) > 0)
        status = sc_bundle_join(trial->bundle, &plan->options.delta, error);
    if (status == SCRIM_OK)
        adopt(plan, statements, trial);
    else
        sc_trial_free(trial);
    return status;
}

static scrim_status set_shown(scrim_plan *plan, scrim_error *error)
{
    const size_t count = sc_plan_outputs(plan);
    sc_ratio *errors = sc_plan_errors_new(count);
    if (errors == NULL)
        return sc_no_memory(error, "a plan");
    scrim_status status = sc_plan_predict_outputs(
        plan, plan->trial, &plan->options.confidence, errors, error);
    if (status == SCRIM_OK)
        status = sc_plan_show(plan, errors, error);
    sc_plan_errors_free(errors, count);
    return status;
}

/* The series. */

/* Readable bytes behind a key, as hashing wants them. */
#define PADDING 16

static bool copy_keys(const sc_plan_series *from, sc_arena *arena, sc_plan_series *out)
{
    sc_text *known = sc_arena_allocate(arena, from->known_count, sizeof *known);
    for (size_t i = 0; known != NULL && i < from->known_count; i++) {
        char *key = sc_arena_allocate(arena, from->known[i].bytes + PADDING, 1);
        if (key == NULL)
            return false;
        memcpy(key, from->known[i].start, from->known[i].bytes);
        known[i] = (sc_text){key, from->known[i].bytes};
    }
    out->known = known;
    return known != NULL;
}

/* The total is asked and recorded in one spelling too. */
static scrim_status set_total(scrim_plan *plan, const sc_planned_statement *s,
                              scrim_error *error)
{
    sc_refusal refusal = {.error = error};
    const sc_query *total = NULL;
    if (plan->series.running == 0)
        return SCRIM_OK;
    if (s->keys_kind == SC_PLAN_DISCOVERED || !sc_estimate_is_summed(s->query))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED,
                                 "running",
                                 "use COUNT or SUM without arithmetic, of all rows or "
                                 "by public keys");
    const scrim_status status =
        sc_validate(plan->series.total, sc_text_of(plan->dataset.name), plan->schema,
                    &plan->arena, &total, &refusal);
    if (status == SCRIM_OK && total->set_count > 0)
        return sc_plan_sets_refuse(error, "in a series");
    if (status == SCRIM_OK)
        plan->series.total = total->canonical;
    return status;
}

static scrim_status set_series(scrim_plan *plan, const sc_plan_series *series,
                               scrim_error *error)
{
    plan->draws = 1;
    if (series == NULL)
        return SCRIM_OK;
    plan->has_series = true;
    plan->series = *series;
    const char *name =
        sc_arena_copy(&plan->arena, series->name.start, series->name.bytes);
    const char *total =
        sc_arena_copy(&plan->arena, series->total.start, series->total.bytes);
    plan->series.name = (sc_text){name, series->name.bytes};
    plan->series.total = (sc_text){total, series->total.bytes};
    return name == NULL || total == NULL ||
                   !copy_keys(series, &plan->arena, &plan->series)
               ? sc_no_memory(error, "a plan")
               : SCRIM_OK;
}

/* The whole. */

static scrim_status fill(scrim_plan *plan, const sc_plan_request *request,
                         scrim_caret *caret, scrim_error *error)
{
    sc_planned_statement *statements = NULL;
    scrim_query_options given;
    sc_asked_queries queries;
    SC_TRY(read_dataset(request, plan, error));
    SC_TRY(sc_option_struct_copy(request->options, sizeof(size_t), &given, sizeof given,
                                 error));
    given.size = sizeof given;
    SC_TRY(sc_asked_clauses_take(request->queries, request->count, &plan->arena, &given,
                                 &queries, caret, error));
    SC_TRY(sc_plan_options_read(&given, &plan->options, error));
    SC_TRY(sc_brought_use(given.with, plan, error));
    SC_TRY(take_bounds(plan, &given, error));
    SC_TRY(sc_planned_dataset_once(&plan->dataset, plan->schema, plan->options.version,
                                   &plan->is_once, error));
    SC_TRY(sc_column_guesses_check(&plan->options.guesses, plan->schema, error));
    SC_TRY(read_statements(plan, &queries, request->count, &statements, caret, error));
    SC_TRY(set_nesting(plan, statements, request->nesting, error));
    SC_TRY(set_total(plan, statements, error));
    /* The noise is chosen for the worst of all totals, so that each has the same. */
    plan->draws = sc_plan_levels(plan);
    for (size_t i = 0; i < plan->statement_count; i++)
        SC_TRY(sc_cells_choose(plan, &plan->arena, &statements[i], error));
    SC_TRY(sc_plan_cut_set(plan, statements, error));
    SC_TRY(sc_auto_begin(plan, request, statements, error));
    SC_TRY(set_parts(plan, statements, error));
    sc_auto_restore(plan);
    if (plan->series.running > 0)
        plan->draws = sc_counter_nodes(plan->series.release);
    SC_TRY(sc_plan_line_set(plan, error));
    return set_shown(plan, error);
}

scrim_status sc_plan_new(const sc_plan_request *request, scrim_plan **out,
                         scrim_caret *caret, scrim_error *error)
{
    if (caret != NULL)
        *caret = (scrim_caret){.query = 0};
    if (request->count == 0 || request->queries == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "query",
                           "there is no query");
    if (request->count > SC_PLAN_STATEMENTS)
        return sc_fail(error, SCRIM_E_LIMIT, "a batch has at most %d queries",
                       SC_PLAN_STATEMENTS);
    scrim_plan *plan = sc_allocate(1, sizeof *plan);
    if (plan == NULL)
        return sc_no_memory(error, "a plan");
    sc_arena_init(&plan->arena);
    sc_arena_init(&plan->earlier);
    sc_plan_options_init(&plan->options);
    scrim_status status = set_series(plan, request->series, error);
    if (status == SCRIM_OK)
        status = fill(plan, request, caret, error);
    if (status == SCRIM_OK)
        *out = plan;
    else
        scrim_plan_free(plan);
    return status;
}

/* Refuses a question whose literals are probably misspelt, since its answer would be noise. One that was
 * charged before still gets its answer. */
static scrim_status check_spelling(scrim_vault *vault, scrim_plan *plan,
                                   scrim_error *error)
{
    scrim_plan_facts facts;
    for (size_t i = 0; i < plan->statement_count; i++) {
        const char *why = sc_plan_misspelt(plan->statements[i].query, &plan->arena);
        if (why == NULL)
            return sc_no_memory(error, "a plan");
        if (why[0] == '\0')
            continue;
        facts.repeats = 0;
        const scrim_status status =
            vault == NULL ? SCRIM_OK : scrim_plan_describe(vault, plan, &facts, error);
        if (status != SCRIM_OK || facts.repeats > 0)
            return status;
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "query", "%s",
                           why);
    }
    return SCRIM_OK;
}

scrim_status scrim_plan_new(scrim_vault *vault, const char *dataset,
                            const char *const *queries, size_t count,
                            const scrim_query_options *options, scrim_plan **out,
                            scrim_caret *caret, scrim_error *error)
{
    SC_REQUIRE(error, "dataset queries out", dataset, queries, out);
    scrim_plan *plan = NULL;
    const sc_plan_request request = {.vault = vault,
                                     .dataset = dataset,
                                     .queries = queries,
                                     .count = count,
                                     .options = options};
    scrim_status status = sc_plan_new(&request, &plan, caret, error);
    if (status == SCRIM_OK)
        status = check_spelling(vault, plan, error);
    if (status == SCRIM_OK)
        *out = plan;
    else
        scrim_plan_free(plan);
    return status;
}

/* From a line to its plan. */

scrim_status sc_plan_of_line(scrim_vault *vault, const scrim_plan *like, sc_text line,
                             scrim_plan **out, scrim_error *error)
{
    const sc_plan_options *own = &like->options;
    scrim_query_options options = {
        .size = sizeof options,
        /* a line from before people were counted says nothing of it */
        .cut_share = "0",
        .workers = own->workers,
        .memory_bytes = own->memory_bytes,
        .rows_upper = own->rows_upper,
        .progress = own->progress,
        .is_cancelled = own->is_cancelled,
        .context = own->context,
        .with = like->with};
    const char *queries[SC_PLAN_STATEMENTS];
    scrim_plan *plan = NULL;
    char *copy = sc_text_copy(line);
    *out = NULL;
    if (copy == NULL)
        return sc_no_memory(error, "a plan");
    const size_t count = sc_plan_line_cut(copy, &options, queries);
    if (options.rho != NULL)
        options.epsilon = NULL;
    const sc_plan_request request = {.vault = vault,
                                     .dataset = like->dataset.name,
                                     .queries = queries,
                                     .count = count,
                                     .options = &options};
    const scrim_status status =
        count == 0 ? SCRIM_OK : sc_plan_new(&request, &plan, NULL, NULL);
    sc_free(copy);
    if (status == SCRIM_OK && plan != NULL && sc_text_is(line, plan->line))
        *out = plan;
    else
        scrim_plan_free(plan);
    return status == SCRIM_E_MEMORY ? sc_no_memory(error, "a plan") : SCRIM_OK;
}

void scrim_plan_free(scrim_plan *plan)
{
    if (plan == NULL)
        return;
    scrim_plan_free(plan->ladder);
    sc_allowance_free(plan->allowance);
    sc_trial_free(plan->trial);
    sc_schema_free(plan->schema);
    sc_plan_options_clear(&plan->options);
    sc_arena_clear(&plan->arena);
    sc_arena_clear(&plan->earlier);
    sc_free(plan);
}
