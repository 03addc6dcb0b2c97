/* A question from its plan to its record, in the one order that keeps the promises: known already;
 * the source as it was declared; charged, or the charge joined; read; drawn; recorded. Who has
 * joined reads and draws with the key of the charge and so finds the same answer. */
#include "query/answer/asking.h"

#include "ledger/unanswered.h"
#include "query/answer/noisy_parts.h"
#include "query/answer/running.h"
#include "query/plan/plan_bars.h"
#include "query/rows/memory_room.h"
#include "vault/vault_series.h"

#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the query");
}

#define SHARES 1000

/* How much is done, and not how much there is: the size of the source is for its owner alone. */
static void tell_progress(void *context, uint64_t done, uint64_t total)
{
    const scrim_plan *plan = ((const sc_asking *)context)->plan;
    if (total > 0)
        plan->options.progress(plan->options.context,
                               (uint64_t)((sc_uint128)done * SHARES / total), SHARES);
}

static int ask_cancelled(void *context)
{
    const sc_plan_options *options = &((const sc_asking *)context)->plan->options;
    return options->is_cancelled(options->context);
}

static sc_pass_statement passed(const sc_planned_statement *s, const int64_t *counted)
{
    return (sc_pass_statement){.query = s->query,
                               .statistics = &s->statistics,
                               .max_groups = s->max_groups,
                               .max_rows = s->max_rows,
                               .has_keys = s->keys_kind != SC_PLAN_DISCOVERED,
                               .keys = s->keys,
                               .key_count = s->key_count,
                               .bar_widths = counted};
}

static scrim_status open_pass(sc_asking *a, scrim_error *error)
{
    const scrim_plan *plan = a->plan;
    const sc_pass_options options = {
        .workers = plan->options.workers,
        .is_pushed = a->setting.is_pushed,
        .rows_upper = plan->options.rows_upper,
        .memory_bytes = plan->options.memory_bytes,
        .contents = a->policy.has_contents ? &a->policy.contents : NULL,
        .contents_key = &a->contents_key,
        .is_changed = &a->is_changed,
        /* How far it is would tell the time that the quantum hides. */
        .progress = a->policy.has_quantum || plan->options.progress == NULL
                        ? NULL
                        : tell_progress,
        /* The feed calls nothing of the program. */
        .is_cancelled = a->setting.is_pushed || plan->options.is_cancelled == NULL
                            ? NULL
                            : ask_cancelled,
        .context = a};
    sc_pass_statement *statements =
        sc_arena_allocate(&a->arena, plan->statement_count, sizeof *statements);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    a->counted = sc_arena_allocate(&a->arena, plan->statement_count, sizeof *a->counted);
    if (statements == NULL || a->counted == NULL)
        return no_memory(error);
    size_t count = 0;
    for (size_t i = 0; i < plan->statement_count; i++) {
        const sc_planned_statement *s = &plan->statements[i];
        a->counted[i] = sc_plan_bars_counted(s, &a->arena);
        if (a->counted[i] == NULL)
            return no_memory(error);
        if (!sc_plan_is_sum(plan, i))
            statements[count++] = passed(s, a->counted[i]);
    }
    /* It counts rows alone, and so it has no bars. */
    if (plan->unreleased != NULL)
        statements[count++] = passed(plan->unreleased, NULL);
    sc_bits *bits = NULL;
    scrim_status status =
        sc_release_keyed_open(a->ledger, &a->key, SC_BITS_HASHES, &bits, error);
    if (status == SCRIM_OK)
        status = sc_pass_open(plan->schema, statements, count, &options, bits, &a->pass,
                              error);
    sc_release_keyed_close(a->ledger, bits);
    return status;
}

static scrim_status get_nested(sc_asking *a, scrim_error *error)
{
    const scrim_plan *plan = a->plan;
    scrim_status status = SCRIM_OK;
    if (plan->source == 0)
        return SCRIM_OK;
    a->nested = sc_arena_allocate(&a->arena, plan->statement_count, sizeof *a->nested);
    if (a->nested == NULL)
        return no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < plan->statement_count; i++)
        if (sc_plan_is_sum(plan, i))
            status = sc_nested_groups_init(&a->nested[i], plan, i, error);
    return status;
}

/* Room for the numbers of public keys. */
static scrim_status get_room(sc_asking *a, scrim_error *error)
{
    const scrim_plan *plan = a->plan;
    scrim_status status = SCRIM_OK;
    size_t part = 0;
    a->noisy = sc_arena_allocate(&a->arena, plan->statement_count, sizeof *a->noisy);
    if (a->noisy == NULL)
        return no_memory(error);
    for (size_t i = 0; status == SCRIM_OK && i < plan->statement_count; i++) {
        const sc_planned_statement *s = &plan->statements[i];
        status = sc_noisy_init(&a->noisy[i], s, part, error);
        a->noisy[i].counted = a->counted[i];
        part += s->part_count;
    }
    return status == SCRIM_OK ? get_nested(a, error) : status;
}

/* All that can be refused, before anything is charged. */
static scrim_status prepare(sc_asking *a, scrim_error *error)
{
    if (a->plan->has_series && !a->plan->series.is_whole)
        return sc_fail_for(error, SCRIM_E_STATE, SCRIM_REASON_UNSUPPORTED, "series",
                           "this plan of a release is only for a look; have the series "
                           "make the release");
    (void)sc_ratio_format(&a->plan->options.confidence, a->confidence,
                          sizeof a->confidence);
    scrim_status status =
        sc_policy_parse(sc_text_of(a->plan->dataset.policy), &a->policy, error);
    if (status == SCRIM_OK)
        status = scrim_vault_ledger(a->vault, a->plan->dataset.name, &a->ledger, error);
    if (status == SCRIM_OK && a->plan->has_series)
        sc_vault_ledger_for_series(a->ledger, a->plan->series.number,
                                   a->plan->series.release);
    return status;
}

/* The record. */

/* The lines of a policy that say what columns are and how the answer was guarded; who reads the
 * record has no need of the others. */
static bool is_about_columns(sc_text key)
{
    static const char *const keys[] = {
        "unit",        "column",   "missing",    "max-groups", "max-total",
        "bounds-from", "max-rows", "neighbours", "quantum",    "zone"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sc_text_is(key, keys[i]))
            return true;
    return false;
}

static bool copy_schema(const char *policy, sc_arena *arena, sc_text *out)
{
    const size_t bytes = strlen(policy) + 2;
    char *text = sc_arena_allocate(arena, bytes, 1);
    sc_text rest = sc_text_of(policy), line, key, value;
    sc_text_sink sink;
    if (text == NULL)
        return false;
    sc_text_sink_init(&sink, text, bytes);
    while (sc_schema_line(&rest, &line, &key, &value))
        if (is_about_columns(key)) {
            sc_text_put(&sink, line);
            sc_text_put(&sink, sc_text_of("\n"));
        }
    *out = (sc_text){text, sink.length};
    return true;
}

static bool describe_statement(const sc_noisy *noisy, sc_text text, sc_arena *arena,
                               sc_record_statement *out)
{
    const sc_planned_statement *s = noisy->statement;
    sc_text *lines = sc_arena_allocate(arena, s->part_count, sizeof *lines);
    size_t *places = sc_arena_allocate(arena, s->part_count, sizeof *places);
    uint64_t *copies = sc_arena_allocate(arena, s->part_count, sizeof *copies);
    int64_t *widths =
        sc_arena_allocate(arena, s->statistics.histogram_count, sizeof *widths);
    if (lines == NULL || places == NULL || copies == NULL || widths == NULL)
        return false;
    for (size_t i = 0; i < s->part_count; i++) {
        lines[i] = sc_text_of(scrim_measurement_text(s->parts[i].measurement));
        places[i] = s->parts[i].statistic;
        copies[i] = s->parts[i].copies;
        if (s->parts[i].width > 0)
            widths[s->statistics.list[places[i]].histogram] = s->parts[i].width;
    }
    *out = (sc_record_statement){.text = text,
                                 .measurements = lines,
                                 .statistics = places,
                                 .copies = copies,
                                 .part_count = s->part_count,
                                 .keys_kind = s->keys_kind,
                                 .uses_ranges = s->uses_ranges,
                                 .rows = noisy->rows,
                                 .row_count = noisy->row_count,
                                 .number_count = s->statistics.number_count,
                                 .widths = widths,
                                 .histogram_count = s->statistics.histogram_count};
    return true;
}

static scrim_status write_record(sc_asking *a, scrim_error *error)
{
    const scrim_plan *plan = a->plan;
    const scrim_cost *cost = sc_bundle_cost(plan->bundle);
    sc_record_statement *statements =
        sc_arena_allocate(&a->arena, plan->statement_count, sizeof *statements);
    sc_plan_option_texts texts = {.epsilon = {NULL, 0}};
    sc_record record = {.dataset = sc_text_of(plan->dataset.name),
                        .version = plan->dataset.version,
                        .series = plan->series.name,
                        .release = plan->series.release,
                        .is_continued = plan->series.is_continued,
                        .is_running = plan->series.running > 0,
                        .confidence = sc_text_of(a->confidence),
                        .cost_epsilon = sc_text_of(cost->epsilon),
                        .cost_delta = sc_text_of(cost->delta),
                        .cost_rho = sc_text_of(cost->rho),
                        .statements = statements,
                        .statement_count = plan->statement_count};
    bool is_done = statements != NULL &&
                   copy_schema(plan->dataset.policy, &a->arena, &record.schema) &&
                   sc_plan_options_copy_texts(&plan->options, &a->arena, &texts);
    record.epsilon = texts.epsilon;
    record.delta = texts.delta;
    record.expect = texts.expect;
    for (size_t i = 0; is_done && i < plan->statement_count; i++) {
        is_done = describe_statement(&a->noisy[i], sc_plan_text(plan, i), &a->arena,
                                     &statements[i]);
        statements[i].rows_of = sc_plan_is_sum(plan, i) ? plan->source : 0;
        statements[i].groups_of_all =
            plan->unreleased == NULL ? 0 : plan->unreleased->key_count;
    }
    if (is_done)
        a->record = sc_record_write(&record);
    return a->record == NULL ? no_memory(error) : SCRIM_OK;
}

static void forget_rows(sc_asking *a)
{
    for (size_t i = 0; a->noisy != NULL && i < a->plan->statement_count; i++)
        sc_noisy_clear(&a->noisy[i]);
    for (size_t i = 0; a->nested != NULL && i < a->plan->statement_count; i++)
        sc_nested_groups_clear(&a->nested[i]);
    a->noisy = NULL;
    a->nested = NULL;
    sc_pass_close(a->pass);
    a->pass = NULL;
}

/* With nested statements the pass has the source alone. */
static scrim_status draw_statement(sc_asking *a, size_t i, scrim_error *error)
{
    if (!sc_plan_is_sum(a->plan, i))
        return sc_noisy_draw_pass(&a->noisy[i], a->passage, a->pass,
                                  a->nested == NULL ? i : 0, error);
    const sc_groups groups =
        sc_nested_groups_sum(&a->nested[i], sc_pass_groups(a->pass, 0));
    return sc_noisy_draw(&a->noisy[i], a->passage, &groups, error);
}

/* After the charge: whatever fails from here on, it stays. How long it takes to read, to draw and to
 * let go of it all shows in nothing that comes later, the record in the ledger among it. */
static scrim_status answer(sc_asking *a, scrim_status status, scrim_error *error)
{
    for (size_t i = 0; status == SCRIM_OK && i < a->plan->statement_count; i++)
        status = draw_statement(a, i, error);
    if (status == SCRIM_OK)
        status = sc_running_add(a->plan, &a->noisy[0], &a->arena, error);
    if (status == SCRIM_OK)
        status = write_record(a, error);
    forget_rows(a);
    if (a->policy.has_quantum)
        sc_memory_room_level(a->room_bytes);
    sc_quantum_wait(&a->quantum);
    if (status == SCRIM_OK)
        status = sc_passage_record(a->passage, a->record, error);
    if (a->is_changed)
        status = sc_planned_dataset_close(a->vault, &a->plan->dataset, status, error);
    return status;
}

void sc_asking_clear(sc_asking *a)
{
    forget_rows(a);
    sc_passage_close(a->passage);
    sc_wipe(&a->key, sizeof a->key);
    scrim_ledger_free(a->ledger);
    sc_free(a->record);
    sc_policy_clear(&a->policy);
    sc_wipe(&a->contents_key, sizeof a->contents_key);
    sc_arena_clear(&a->arena);
}

/* The source and the memory, before the charge; or again, with the key of a charge that was
 * joined. */
static scrim_status open_all(sc_asking *a, scrim_error *error)
{
    forget_rows(a);
    scrim_status status = open_pass(a, error);
    if (status == SCRIM_OK)
        status = get_room(a, error);
    if (status == SCRIM_OK && a->setting.opened != NULL)
        status = a->setting.opened(a->setting.context, a->pass, error);
    return status;
}

/* Where what a question takes is hidden, it has taken the most that it can before the charge. */
static scrim_status touch_room(sc_asking *a, scrim_error *error)
{
    a->room_bytes = sc_pass_room_bytes(a->pass);
    if (!a->policy.has_quantum)
        return SCRIM_OK;
    return sc_memory_room_touch(a->room_bytes) ? SCRIM_OK : no_memory(error);
}

/* The words of a failure after the charge. */
static scrim_status fail_charged(const sc_asking *a, scrim_status status,
                                 scrim_error *error)
{
    return sc_unanswered_fail(error, status, sc_passage_entry(a->passage), a->is_once);
}

static scrim_status charge(sc_asking *a, scrim_error *error)
{
    scrim_status status = sc_bits_key_draw(&a->key, error);
    if (status == SCRIM_OK)
        status = open_all(a, error);
    if (status == SCRIM_OK)
        status = touch_room(a, error);
    /* A stream is another at every question. */
    if (status == SCRIM_OK)
        status = sc_passage_open(a->ledger, a->plan->question, a->plan->bundle, &a->key,
                                 a->is_once, &a->passage, error);
    if (status != SCRIM_OK)
        return status;
    a->is_charged = sc_passage_standing(a->passage) == SC_ONCE_CHARGED;
    if (sc_passage_standing(a->passage) == SC_ONCE_JOINED)
        status = fail_charged(a, open_all(a, error), error);
    return status;
}

scrim_status sc_asking_begin(sc_asking *a, const sc_asking_setting *setting,
                             scrim_error *error)
{
    *a = (sc_asking){.vault = setting->vault, .plan = setting->plan, .setting = *setting};
    sc_policy_init(&a->policy);
    sc_arena_init(&a->arena);
    const sc_quantum begun = sc_quantum_start(0);
    scrim_status status = sc_planned_dataset_check(a->vault, &a->plan->dataset,
                                                   "the query", &a->contents_key, error);
    if (status == SCRIM_OK)
        status = prepare(a, error);
    a->quantum = (sc_quantum){begun.start_ns, sc_policy_quantum_ns(&a->policy)};
    a->is_once = a->plan->is_once;
    if (status == SCRIM_OK && a->is_once)
        status = scrim_vault_find(a->vault, a->plan->dataset.name, a->plan->question,
                                  &a->known, error);
    if (status == SCRIM_OK && a->known == 0)
        status = charge(a, error);
    return status;
}

bool sc_asking_needs_rows(const sc_asking *a)
{
    return a->known == 0 && sc_passage_standing(a->passage) != SC_ONCE_ANSWERED;
}

uint64_t sc_asking_release(const sc_asking *a)
{
    return a->known != 0 ? a->known : sc_passage_entry(a->passage);
}

bool sc_asking_is_own(const sc_asking *a)
{
    return a->is_charged && sc_passage_standing(a->passage) != SC_ONCE_ANSWERED;
}

scrim_status sc_asking_end(sc_asking *a, scrim_status rows, scrim_error *error)
{
    if (!sc_asking_needs_rows(a))
        return SCRIM_OK;
    return fail_charged(a, answer(a, rows, error), error);
}
