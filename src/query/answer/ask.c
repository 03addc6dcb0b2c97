#include "query/answer/ask.h"

#include "query/answer/noisy_parts.h"
#include "query/answer/result.h"
#include "query/answer/running.h"
#include "query/answer/view_record.h"
#include "query/plan/auto_range.h"
#include "query/plan/plan.h"
#include "query/plan/plan_bars.h"
#include "vault/booked_view.h"

#include <inttypes.h>
#include <string.h>

/* Before the charge. */

/* The ladders and the question together, before either is drawn. */
static scrim_status prepare_auto(sc_charged *c, scrim_error *error)
{
    sc_asking *a = c->context;
    const scrim_plan *plan = a->plan;
    const sc_plan_options *options = &plan->options;
    if (c->rows.is_pushed)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "bounds",
                           "bounds cannot be found for rows that are pushed, which are "
                           "read once");
    if (a->widest == NULL)
        SC_TRY(sc_auto_widest(plan, &a->most, &a->widest, error));
    return sc_allowance_new(plan->neighbours,
                            sc_ratio_sign(&options->rho) > 0 ? &options->rho : NULL,
                            &options->epsilon, &options->delta, &c->allowance, error);
}

/* The plan of a look lacks what earlier releases of the series have shown. */
static scrim_status prepare(sc_charged *c, scrim_error *error)
{
    const scrim_plan *plan = ((const sc_asking *)c->context)->plan;
    if (plan->has_series && !plan->series.is_whole)
        return sc_fail_for(error, SCRIM_E_STATE, SCRIM_REASON_UNSUPPORTED, "series",
                           "this plan of a release is only for a look; have the series "
                           "make the release");
    return plan->ladder == NULL ? SCRIM_OK : prepare_auto(c, error);
}

static sc_pass_statement passed(const sc_planned_statement *s, const int64_t *counted)
{
    return (sc_pass_statement){.query = s->query,
                               .statistics = &s->statistics,
                               .bounds = s->said,
                               .cut = s->cut,
                               .has_keys = s->keys_kind != SC_PLAN_DISCOVERED,
                               .keys = s->keys,
                               .key_count = s->key_count,
                               .bar_widths = counted};
}

static scrim_status open_pass(sc_asking *a, const sc_pass_options *options, sc_bits *bits,
                              scrim_error *error)
{
    const scrim_plan *plan = a->drawn;
    sc_pass_statement *statements =
        sc_arena_allocate(&a->arena, plan->statement_count, sizeof *statements);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    a->counted = sc_arena_allocate(&a->arena, plan->statement_count, sizeof *a->counted);
    if (statements == NULL || a->counted == NULL)
        return sc_no_memory(error, "the query");
    size_t count = 0;
    for (size_t i = 0; i < plan->statement_count; i++) {
        const sc_planned_statement *s = &plan->statements[i];
        a->counted[i] = sc_plan_bars_counted(s, &a->arena);
        if (a->counted[i] == NULL)
            return sc_no_memory(error, "the query");
        if (!sc_plan_is_sum(plan, i))
            statements[count++] = passed(s, a->counted[i]);
    }
    /* It has counts and sums alone, and so it has no bars. With several sets the first one counts who is cut in it. */
    if (plan->unreleased != NULL) {
        statements[count] = passed(plan->unreleased, NULL);
        if (plan->has_sets)
            statements[count].cut = plan->statements[0].cut;
        count++;
    }
    return sc_pass_open(plan->schema, statements, count, options, bits, &a->pass, error);
}

static scrim_status get_nested(sc_asking *a, scrim_error *error)
{
    const scrim_plan *plan = a->drawn;
    scrim_status status = SCRIM_OK;
    if (plan->source == 0)
        return SCRIM_OK;
    a->nested = sc_arena_allocate(&a->arena, plan->statement_count, sizeof *a->nested);
    if (a->nested == NULL)
        return sc_no_memory(error, "the query");
    for (size_t i = 0; status == SCRIM_OK && i < plan->statement_count; i++)
        if (sc_plan_is_sum(plan, i))
            status = sc_nested_groups_init(&a->nested[i], plan, i, error);
    return status;
}

/* Room for the numbers of public keys. */
static scrim_status get_room(sc_asking *a, scrim_error *error)
{
    const scrim_plan *plan = a->drawn;
    scrim_status status = SCRIM_OK;
    size_t part = 0;
    a->noisy = sc_arena_allocate(&a->arena, plan->statement_count, sizeof *a->noisy);
    a->noisy_count = plan->statement_count;
    if (a->noisy == NULL)
        return sc_no_memory(error, "the query");
    for (size_t i = 0; status == SCRIM_OK && i < plan->statement_count; i++) {
        const sc_planned_statement *s = &plan->statements[i];
        status = sc_noisy_init(&a->noisy[i], s, part, error);
        a->noisy[i].counted = a->counted[i];
        part += s->part_count + (s->cut_part.measurement != NULL);
    }
    return status == SCRIM_OK ? get_nested(a, error) : status;
}

/* The key of the second pass, and the memory that it needs, with the largest total that can be found: it may be more than that
 * of the first. */
static scrim_status look_ahead(sc_asking *a, const sc_pass_options *options,
                               sc_bits *bits, size_t *room, scrim_error *error)
{
    uint64_t words[SC_BITS_KEY_BYTES / sizeof(uint64_t)] = {0};
    scrim_status status = sc_bits_fill(bits, words, sizeof words / sizeof *words, error);
    memcpy(a->second.bytes, words, sizeof words);
    sc_wipe(words, sizeof words);
    if (status != SCRIM_OK)
        return status;
    a->drawn = a->widest;
    status = open_pass(a, options, bits, error);
    *room = status == SCRIM_OK ? sc_pass_room_bytes(a->pass) : 0;
    sc_pass_close(a->pass);
    a->pass = NULL;
    a->drawn = a->plan->ladder;
    return status;
}

static scrim_status open_second(sc_asking *a, const sc_pass_options *options,
                                scrim_error *error)
{
    sc_bits *bits = NULL;
    scrim_status status = sc_bits_keyed_open(&a->second, SC_BITS_HASHES, &bits, error);
    if (status == SCRIM_OK)
        status = open_pass(a, options, bits, error);
    sc_bits_keyed_close(bits);
    return status;
}

static scrim_status open_rows(sc_charged *c, const sc_pass_options *options,
                              sc_bits *bits, sc_charged_room *room, scrim_error *error)
{
    sc_asking *a = c->context;
    size_t second = 0;
    if (a->drawn == a->plan->ladder)
        SC_TRY(look_ahead(a, options, bits, &second, error));
    SC_TRY(a->found == NULL ? open_pass(a, options, bits, error)
                            : open_second(a, options, error));
    SC_TRY(get_room(a, error));
    /* No threads: sc_pass_open has found their addresses together with all of the room. It has taken a part of the
     * room since then, so a second look would ask for that part twice. */
    const size_t first = sc_pass_room_bytes(a->pass);
    *room = (sc_charged_room){first > second ? first : second, 0};
    return a->opened == NULL ? SCRIM_OK : a->opened(a->context, a->pass, error);
}

/* The record. */

/* The lines of a policy that say what columns are and how the answer was guarded; who reads the
 * record has no need of the others. */
static bool is_about_columns(sc_text key)
{
    static const char *const keys[] = {
        "unit",           "column",      "missing",  "max-groups",    "max-total",
        "max-total-rows", "bounds-from", "max-rows", "rows-per-unit", "neighbours",
        "quantum",        "zone",        "join",     "with",          "join-column"};
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
                                 .cells = s->cells,
                                 .disjoint = s->disjoint,
                                 .clamps = s->clamps,
                                 .cut_of = s->cut_of,
                                 .rows = noisy->rows,
                                 .row_count = noisy->row_count,
                                 .number_count = s->statistics.number_count,
                                 .widths = widths,
                                 .histogram_count = s->statistics.histogram_count};
    if (s->cut_part.measurement == NULL)
        return true;
    out->cut.count = s->cut.count;
    out->cut.measurement = sc_text_of(scrim_measurement_text(s->cut_part.measurement));
    memcpy(out->cut.from, s->cut.from, sizeof out->cut.from);
    memcpy(out->cut.people, noisy->cut, sizeof out->cut.people);
    return true;
}

/* NULL without memory. */
static char *write_record(sc_asking *a)
{
    const scrim_plan *plan = a->plan;
    const scrim_plan *drawn = a->drawn;
    const size_t own = drawn->statement_count, count = own + a->ladder_count;
    const scrim_cost cost = sc_plan_cost(plan);
    sc_record_statement *statements =
        sc_arena_allocate(&a->arena, count, sizeof *statements);
    sc_plan_option_texts texts = {.epsilon = {NULL, 0}};
    sc_record record = {.dataset = sc_text_of(plan->dataset.name),
                        .version = plan->dataset.version,
                        .series = plan->series.name,
                        .release = plan->series.release,
                        .is_continued = plan->series.is_continued,
                        .is_running = plan->series.running > 0,
                        .confidence = sc_text_of(a->confidence),
                        .finds_bounds = plan->ladder != NULL,
                        .tells_cut = plan->ladder != NULL,
                        .cost_epsilon = sc_text_of(cost.epsilon),
                        .cost_delta = sc_text_of(cost.delta),
                        .cost_rho = sc_text_of(cost.rho),
                        .statements = statements,
                        .statement_count = count};
    bool is_done = statements != NULL &&
                   copy_schema(drawn->policy, &a->arena, &record.schema) &&
                   sc_plan_options_copy_texts(&plan->options, &a->arena, &texts);
    record.epsilon = texts.epsilon;
    record.delta = texts.delta;
    record.expect = texts.expect;
    for (size_t i = 0; is_done && i < a->ladder_count; i++)
        is_done = describe_statement(&a->ladders[i], sc_plan_text(plan->ladder, i),
                                     &a->arena, &statements[own + i]);
    for (size_t i = 0; is_done && i < own; i++) {
        is_done = describe_statement(&a->noisy[i], sc_plan_text(drawn, i), &a->arena,
                                     &statements[i]);
        if ((own > 1 || a->ladder_count > 1) && plan->statements[i].ladder > 0)
            statements[i].found_by = own + plan->statements[i].ladder;
        statements[i].rows_of = sc_plan_is_sum(plan, i) ? plan->source : 0;
        statements[i].set = plan->has_sets ? i + 1 : 0;
        statements[i].groups_of_all =
            plan->unreleased == NULL ? 0 : plan->unreleased->key_count;
    }
    return is_done ? sc_record_write(&record) : NULL;
}

/* After the charge. */

static scrim_status read_rows(sc_charged *c, scrim_error *error)
{
    return sc_pass_run(((const sc_asking *)c->context)->pass, error);
}

/* How many people were cut, of the statement that the pass has at this place. */
static scrim_status draw_cut(sc_asking *a, size_t i, size_t place, scrim_error *error)
{
    uint64_t cut[SC_CUT_CELLS];
    sc_pass_cut(a->pass, place, cut);
    const scrim_status status =
        sc_noisy_draw_cut(&a->noisy[i], a->charged.passage, cut, error);
    sc_wipe(cut, sizeof cut);
    return status;
}

/* With nested statements the pass has the source alone. */
static scrim_status draw_statement(sc_asking *a, size_t i, scrim_error *error)
{
    sc_passage *passage = a->charged.passage;
    const size_t place = a->nested == NULL ? i : 0;
    if (!sc_plan_is_sum(a->drawn, i)) {
        SC_TRY(sc_noisy_draw_pass(&a->noisy[i], passage, a->pass, place, error));
        return draw_cut(a, i, place, error);
    }
    const sc_groups groups =
        sc_nested_groups_sum(&a->nested[i], sc_pass_groups(a->pass, 0));
    SC_TRY(sc_noisy_draw(&a->noisy[i], passage, &groups, error));
    return draw_cut(a, i, place, error);
}

static scrim_status draw_ladders(sc_asking *a, scrim_error *error)
{
    SC_TRY(sc_passage_take_parts(a->charged.passage, a->drawn->bundle, error));
    for (size_t i = 0; i < a->noisy_count; i++) {
        SC_TRY(draw_statement(a, i, error));
        if (!sc_noisy_settle(&a->noisy[i], &a->arena))
            return sc_no_memory(error, "the query");
    }
    a->ladders = a->noisy;
    a->ladder_count = a->noisy_count;
    a->noisy = NULL;
    a->noisy_count = 0;
    return SCRIM_OK;
}

/* Draws the ladders, and reads the rows again with the bounds that their counts propose. */
static scrim_status find_bounds(sc_charged *c, scrim_error *error)
{
    sc_asking *a = c->context;
    sc_auto_bounds found;
    SC_TRY(draw_ladders(a, error));
    sc_auto_counts *counts =
        sc_arena_allocate(&a->arena, a->ladder_count, sizeof *counts);
    if (counts == NULL)
        return sc_no_memory(error, "the query");
    for (size_t i = 0; i < a->ladder_count; i++)
        counts[i] = (sc_auto_counts){a->ladders[i].numbers, a->ladders[i].row_count};
    sc_auto_propose(a->plan, counts, &a->most, &found);
    SC_TRY(sc_auto_found(a->plan, &found, &a->found, error));
    a->drawn = a->found;
    SC_TRY(sc_passage_take_parts(c->passage, a->found->bundle, error));
    SC_TRY(sc_charged_reopen(c, error));
    return sc_pass_run(a->pass, error);
}

static scrim_status draw_record(sc_charged *c, char **record, scrim_error *error)
{
    sc_asking *a = c->context;
    if (a->plan->ladder != NULL)
        SC_TRY(find_bounds(c, error));
    for (size_t i = 0; i < a->drawn->statement_count; i++) {
        SC_TRY(sc_cancel_check(&c->cancel, error));
        SC_TRY(draw_statement(a, i, error));
    }
    SC_TRY(sc_cancel_check(&c->cancel, error));
    SC_TRY(sc_running_add(a->plan, &a->noisy[0], &a->arena, error));
    *record = write_record(a);
    return SCRIM_OK;
}

static void wipe_rows(sc_charged *c)
{
    sc_asking *a = c->context;
    for (size_t i = 0; a->noisy != NULL && i < a->noisy_count; i++)
        sc_noisy_clear(&a->noisy[i]);
    for (size_t i = 0; a->nested != NULL && i < a->drawn->statement_count; i++)
        sc_nested_groups_clear(&a->nested[i]);
    a->noisy = NULL;
    a->nested = NULL;
    sc_pass_close(a->pass);
    a->pass = NULL;
}

/* The record in the words of who asks; NULL where it has them. */
static scrim_status view(const sc_asking *a, sc_text record, char **out,
                         scrim_error *error)
{
    const scrim_plan *asked = a->asked;
    sc_text texts[SC_PLAN_STATEMENTS];
    bool is_needed = false;
    /* Releases of a series and sums of one another are asked for in one form only. */
    if (asked->has_series || asked->source > 0 || asked->ladder != NULL)
        return SCRIM_OK;
    for (size_t i = 0; i < asked->statement_count; i++)
        texts[i] = sc_plan_text(asked, i);
    SC_TRY(sc_view_is_needed(record, texts, asked->statement_count, &is_needed, error));
    return is_needed ? sc_view_record(record, texts, asked->statement_count, out, error)
                     : SCRIM_OK;
}

static scrim_status show(void *context, const sc_recorded *recorded, scrim_error *error)
{
    const sc_asking *a = context;
    sc_result_origin origin = {.release = recorded->id,
                               .time = recorded->time,
                               .is_repeated = recorded->is_repeated};
    char *viewed = NULL;
    scrim_status status = SCRIM_OK;
    if (a->asked != NULL)
        status = view(a, sc_text_of(recorded->text), &viewed, error);
    origin.is_view = viewed != NULL;
    if (status == SCRIM_OK)
        status = sc_result_new(sc_text_of(viewed == NULL ? recorded->text : viewed),
                               a->shown_confidence, &origin, a->out, error);
    sc_free(viewed);
    return status;
}

/* A charge in other words. */

static scrim_status take_other(sc_charged *c, uint64_t release, scrim_error *error)
{
    sc_asking *a = c->context;
    scrim_vault_release charge = {.id = 0};
    scrim_plan *plan = NULL;
    scrim_status status = sc_vault_recall(c->vault, release, &charge, error);
    if (status == SCRIM_OK)
        status = sc_plan_of_line(c->vault, a->plan, sc_text_of(charge.measurement), &plan,
                                 error);
    scrim_vault_release_clear(&charge);
    if (status != SCRIM_OK || plan == NULL)
        return status;
    a->plan = a->drawn = a->joined = plan;
    c->question = plan->line;
    c->bundle = plan->bundle;
    return SCRIM_OK;
}

static scrim_status refuse(uint64_t release, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                       "release %" PRIu64 " is not the answer of a query", release);
}

const sc_charged_kind sc_query_kind = {.words = {"query "},
                                       .planned = "the query",
                                       .released = "the query",
                                       .refuse = refuse,
                                       .prepare = prepare,
                                       .open_rows = open_rows,
                                       .read_rows = read_rows,
                                       .draw_record = draw_record,
                                       .wipe_rows = wipe_rows,
                                       .take_other = take_other,
                                       .show = show};

void sc_asking_init(sc_asking *a, scrim_vault *vault, const scrim_plan *plan)
{
    const sc_plan_options *options = &plan->options;
    *a = (sc_asking){.charged = {.kind = &sc_query_kind,
                                 .context = a,
                                 .vault = vault,
                                 .dataset = &plan->dataset,
                                 .question = plan->line,
                                 .bundle = plan->ladder == NULL ? plan->bundle : NULL,
                                 .is_once = plan->is_once,
                                 .rows = {.workers = options->workers,
                                          .rows_upper = options->rows_upper,
                                          .memory_bytes = options->memory_bytes}},
                     .plan = plan,
                     .asked = plan,
                     .drawn = plan->ladder == NULL ? plan : plan->ladder};
    sc_arena_init(&a->arena);
    if (plan->has_series) {
        a->charged.series = plan->series.number;
        a->charged.series_release = plan->series.release;
    }
    (void)sc_ratio_format(&options->confidence, a->confidence, sizeof a->confidence);
    a->shown_confidence = a->confidence;
}

void sc_asking_clear(sc_asking *a)
{
    sc_wipe(&a->second, sizeof a->second);
    for (size_t i = 0; i < a->ladder_count; i++)
        sc_noisy_clear(&a->ladders[i]);
    scrim_plan_free(a->found);
    scrim_plan_free(a->widest);
    sc_arena_clear(&a->arena);
    scrim_plan_free(a->joined);
}

scrim_status scrim_query_run(scrim_vault *vault, const scrim_plan *plan,
                             scrim_result **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault plan out", vault, plan, out);
    const sc_plan_options *options = &plan->options;
    sc_asking a;
    sc_asking_init(&a, vault, plan);
    a.out = out;
    a.charged.progress = options->progress;
    a.charged.progress_context = options->context;
    a.charged.read_work = SC_CHARGED_WORK;
    a.charged.cancel =
        (sc_cancel){.is_cancelled = options->is_cancelled, .context = options->context};
    const scrim_status status = sc_charged_run(&a.charged, error);
    sc_asking_clear(&a);
    return status;
}

scrim_status scrim_query_replay(scrim_vault *vault, uint64_t id, const char *confidence,
                                scrim_result **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    sc_asking a = {.out = out, .shown_confidence = confidence};
    return sc_charged_replay(&sc_query_kind, &a, vault, id, error);
}
