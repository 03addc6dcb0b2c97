#include "query/answer/series.h"

#include "mechanism/linear/counter.h"
#include "model/option_struct.h"
#include "query/language/lex.h"
#include "query/plan/plan_cut.h"
#include "query/plan/plan_keys.h"
#include "vault/state/policy_terms.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_no_memory(error, "a series");
}

void scrim_series_free(scrim_series *series)
{
    if (series == NULL)
        return;
    for (size_t i = 0; series->steps != NULL && i < series->entry.releases; i++) {
        sc_ratio_clear(&series->steps[i].amount);
        sc_ratio_clear(&series->steps[i].delta);
    }
    sc_free(series->steps);
    sc_free(series->entry.text);
    sc_arena_clear(&series->arena);
    sc_free(series);
}

static scrim_series *make_empty(void)
{
    scrim_series *series = sc_allocate(1, sizeof *series);
    if (series != NULL)
        sc_arena_init(&series->arena);
    return series;
}

static bool terminate(sc_text *text, sc_arena *arena)
{
    text->start = sc_arena_copy(arena, text->start, text->bytes);
    return text->start != NULL;
}

static bool terminate_windows(scrim_series *s)
{
    sc_window *list = sc_arena_allocate(&s->arena, s->text.window_count, sizeof *list);
    for (size_t i = 0; list != NULL && i < s->text.window_count; i++) {
        list[i] = s->text.windows[i];
        if (!terminate(&list[i].low, &s->arena) || !terminate(&list[i].high, &s->arena))
            return false;
    }
    s->text.windows = list;
    return list != NULL;
}

/* The groups of a query that was planned; if it cannot be read any more, no groups. */
static scrim_status find_groups(scrim_series *s, scrim_error *error)
{
    sc_refusal refusal = {.error = NULL};
    sc_tokens tokens;
    const scrim_status status = sc_lex(s->text.query, &s->arena, &tokens, &refusal);
    for (size_t i = 0; status == SCRIM_OK && i < tokens.count; i++)
        s->has_groups = s->has_groups || tokens.list[i].kind == SC_TOKEN_GROUP;
    return status == SCRIM_E_MEMORY ? no_memory(error) : SCRIM_OK;
}

/* Texts of the declaration, terminated; so are those of its windows. */
static scrim_status set_texts(scrim_series *s, scrim_error *error)
{
    const sc_text texts[] = {
        s->text.query,          s->text.epsilon,   s->text.delta,      s->text.column,
        s->text.mechanism,      s->text.expect,    s->text.max_groups, s->text.max_rows,
        s->text.max_total_rows, s->text.max_total, s->text.cut};
    const char **const to[] = {&s->query,      &s->epsilon,   &s->delta,
                               &s->column,     &s->mechanism, &s->expect,
                               &s->max_groups, &s->max_rows,  &s->max_total_rows,
                               &s->max_total,  &s->cut_share};
    /* The first of those that may be left out. */
    const size_t optional = 4;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        *to[i] = sc_arena_copy(&s->arena, texts[i].start, texts[i].bytes);
        if (*to[i] == NULL)
            return no_memory(error);
        if (i >= optional && texts[i].bytes == 0)
            *to[i] = NULL;
    }
    if (!terminate_windows(s))
        return no_memory(error);
    return find_groups(s, error);
}

/* The plan of a release. */

/* The query that is drawn: of the window of a release, or of its node, whose windows follow one
 * another. */
static scrim_status window_query(const scrim_series *s, uint64_t first, uint64_t last,
                                 sc_arena *arena, const char **out, scrim_error *error)
{
    const sc_window window = {.low = s->text.windows[first - 1].low,
                              .high = s->text.windows[last - 1].high};
    return sc_window_query(s->text.query, s->text.column, s->text.is_date, &window, arena,
                           out, error);
}

static scrim_status set_queries(const scrim_series *s, uint64_t number, sc_arena *arena,
                                const char **query, sc_plan_series *out,
                                scrim_error *error)
{
    const char *total = NULL;
    if (s->text.window_count == 0)
        return SCRIM_OK;
    if (!s->text.is_running)
        return window_query(s, number, number, arena, query, error);
    scrim_status status =
        window_query(s, number - sc_counter_low(number) + 1, number, arena, query, error);
    if (status == SCRIM_OK)
        status = window_query(s, 1, number, arena, &total, error);
    if (status == SCRIM_OK) {
        out->running = s->entry.releases;
        out->total = sc_text_of(total);
    }
    return status;
}

scrim_status sc_series_plan(scrim_vault *vault, const scrim_series *s, uint64_t number,
                            const sc_plan_series *earlier, const scrim_series_run *run,
                            scrim_plan **out, scrim_error *error)
{
    sc_plan_series series = earlier == NULL ? (sc_plan_series){.number = 0} : *earlier;
    series.name = sc_text_of(s->entry.name);
    series.number = s->entry.number;
    series.release = number;
    series.is_continued = s->text.is_continued;
    series.discovers_ranges = !s->text.has_ranges;
    const scrim_query_options options = {
        .size = sizeof options,
        .epsilon = s->epsilon,
        .delta = s->delta,
        .mechanism = s->mechanism,
        .expect = s->expect,
        .max_groups = s->max_groups,
        .max_rows = s->max_rows,
        .max_total_rows = s->max_total_rows,
        .max_total = s->max_total,
        .cut_share = s->cut_share == NULL ? "0" : s->cut_share,
        .confidence = run == NULL ? NULL : run->confidence,
        .workers = run == NULL ? 0 : run->workers,
        .memory_bytes = run == NULL ? 0 : run->memory_bytes,
        .progress = run == NULL ? NULL : run->progress,
        .context = run == NULL ? NULL : run->context,
        .is_cancelled = run == NULL ? NULL : run->is_cancelled,
        .rows_upper = run == NULL ? 0 : run->rows_upper};
    const char *query = s->query;
    sc_arena arena;
    sc_arena_init(&arena);
    scrim_status status = set_queries(s, number, &arena, &query, &series, error);
    if (status == SCRIM_OK)
        status = sc_plan_new(&(sc_plan_request){.vault = vault,
                                                .dataset = s->entry.dataset,
                                                .queries = &query,
                                                .count = 1,
                                                .options = &options,
                                                .series = &series},
                             out, NULL, error);
    sc_arena_clear(&arena);
    return status;
}

scrim_status scrim_series_plan(scrim_vault *vault, const scrim_series *series,
                               uint64_t number, scrim_plan **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault series out", vault, series, out);
    return number == 0 || number > series->entry.releases
               ? sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "release",
                             "the series has no such release")
               : sc_series_plan(vault, series, number, NULL, NULL, out, error);
}

/* A new one. */

static scrim_status read_known_keys(const char *text, bool *is_continued,
                                    scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    *is_continued = true;
    if (text == NULL || sc_known_keys_parse(sc_text_of(text), is_continued))
        return SCRIM_OK;
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "known-keys",
                             "'%s' is neither continue nor rethreshold",
                             sc_text_quote(sc_text_of(text), quote));
}

/* The plan of the query as it stands, which knows the dataset and its schema, and refuses what is
 * no query with a place in the caller's own text. */
static scrim_status plan_whole(scrim_vault *vault, const char *dataset, const char *query,
                               const scrim_series_options *o, scrim_plan **out,
                               scrim_caret *caret, scrim_error *error)
{
    if (o->epsilon == NULL)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
            "epsilon, the cost of one release, is missing and has no default");
    const scrim_query_options options = {.size = sizeof options,
                                         .epsilon = o->epsilon,
                                         .delta = o->delta,
                                         .mechanism = o->mechanism,
                                         .expect = o->expect,
                                         .max_groups = o->max_groups,
                                         .max_rows = o->max_rows,
                                         .max_total_rows = o->max_total_rows,
                                         .max_total = o->max_total,
                                         .cut_share = o->running ? "0" : o->cut_share};
    return scrim_plan_new(vault, dataset, &query, 1, &options, out, caret, error);
}

/* A bound of the question, which its text may have said. */
static bool copy_bound(scrim_series *s, uint64_t bound, sc_text *out)
{
    char text[24];
    if (bound == 0)
        return true;
    const int length = snprintf(text, sizeof text, "%" PRIu64, bound);
    const char *copy = sc_arena_copy(&s->arena, text, (size_t)length);
    *out = (sc_text){copy, (size_t)length};
    return copy != NULL;
}

static bool copy_totals(scrim_series *s, const char *totals)
{
    const sc_text text = sc_text_of(totals);
    const char *copy = sc_arena_copy(&s->arena, text.start, text.bytes);
    s->text.max_total = (sc_text){copy, text.bytes};
    return copy != NULL;
}

/* Keeps each declared option in its one spelling. */
static scrim_status declare(scrim_series *s, const scrim_plan *plan, scrim_error *error)
{
    const sc_text canonical = plan->statements[0].query->canonical;
    const char *noise = sc_plan_noise_name(plan->options.noise);
    const char *query = sc_arena_copy(&s->arena, canonical.start, canonical.bytes);
    sc_plan_option_texts texts;
    if (query == NULL || !sc_plan_options_copy_texts(&plan->options, &s->arena, &texts))
        return no_memory(error);
    s->text.query = (sc_text){query, canonical.bytes};
    s->text.has_ranges = plan->statements[0].uses_ranges;
    s->text.mechanism = sc_text_of(noise);
    s->text.epsilon = texts.epsilon;
    s->text.delta = texts.delta;
    if (plan->options.has_expect || plan->options.guesses.count > 0)
        s->text.expect = texts.expect;
    if (sc_plan_cut_is_any(plan)) {
        char share[SC_RATIO_TEXT_BYTES];
        const size_t length =
            sc_ratio_format(&plan->options.cut_share, share, sizeof share);
        s->text.cut = (sc_text){sc_arena_copy(&s->arena, share, length), length};
        if (s->text.cut.start == NULL)
            return no_memory(error);
    }
    const sc_bounds *asked = &plan->asked.bounds;
    return copy_totals(s, plan->asked.totals) &&
                   copy_bound(s, asked->groups, &s->text.max_groups) &&
                   copy_bound(s, asked->rows, &s->text.max_rows) &&
                   copy_bound(s, asked->total, &s->text.max_total_rows)
               ? SCRIM_OK
               : no_memory(error);
}

static scrim_status set_windows(scrim_series *s, const scrim_plan *plan,
                                const scrim_series_options *o, scrim_error *error)
{
    sc_windows windows;
    const sc_schema *schema = plan->schema;
    s->entry.releases = o->releases;
    if (o->window == NULL) {
        if (o->releases == 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "releases",
                               "give the number of planned releases");
        return o->releases > 999999
                   ? sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "releases",
                                 "a series has at most 999999 releases")
                   : SCRIM_OK;
    }
    const scrim_status status = sc_windows_parse(sc_text_of(o->window), schema,
                                                 o->releases, &s->arena, &windows, error);
    if (status != SCRIM_OK)
        return status;
    const sc_text name = windows.column->name;
    const char *copy = sc_arena_copy(&s->arena, name.start, name.bytes);
    s->text.column = (sc_text){copy, name.bytes};
    s->text.is_date = windows.column->type == SC_COLUMN_DATE;
    s->text.windows = windows.list;
    s->is_partial = windows.is_partial;
    s->text.window_count = s->entry.releases = windows.count;
    sc_text contents;
    s->entry.is_parallel =
        schema->unit.bytes == 0 && plan->neighbours == SCRIM_ADD_REMOVE &&
        sc_policy_line(sc_text_of(plan->dataset.policy), "contents", &contents);
    return copy == NULL ? no_memory(error) : SCRIM_OK;
}

/* One row is in many totals, and only the tree of disjoint windows bounds in how many draws. */
static scrim_status set_running(scrim_series *s, scrim_error *error)
{
    s->text.is_running = true;
    if (s->text.window_count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "running",
                           "running totals need windows");
    return s->entry.is_parallel
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_UNSUPPORTED, "running",
                             "running totals need each row as a unit, add-remove "
                             "neighbours and a file");
}

static scrim_status set_name(scrim_series *s, const char *name, scrim_error *error)
{
    if (name == NULL || !sc_event_is_name(sc_text_of(name)))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "series",
            "a series' name is letters, digits, '_', '.' and '-', from 1 to "
            "64 of them");
    snprintf(s->entry.name, sizeof s->entry.name, "%s", name);
    return SCRIM_OK;
}

static scrim_status fill(scrim_series *s, scrim_vault *vault, const char *dataset,
                         const char *query, const scrim_series_options *o,
                         scrim_caret *caret, scrim_error *error)
{
    scrim_plan *whole = NULL, *first = NULL;
    scrim_status status = sc_vault_check_series_free(vault, s->entry.name, error);
    if (status == SCRIM_OK)
        status = read_known_keys(o->known_keys, &s->text.is_continued, error);
    if (status == SCRIM_OK)
        status = plan_whole(vault, dataset, query, o, &whole, caret, error);
    if (status != SCRIM_OK)
        return status;
    if (whole->statements[0].query->person != NULL) {
        scrim_plan_free(whole);
        return sc_fail(error, SCRIM_E_POLICY,
                       "a series cannot use SELECT in FROM; leave it out");
    }
    snprintf(s->entry.dataset, sizeof s->entry.dataset, "%s", whole->dataset.name);
    s->entry.dataset_number = whole->dataset.number;
    s->entry.version = whole->dataset.version;
    status = declare(s, whole, error);
    if (status == SCRIM_OK)
        status = set_windows(s, whole, o, error);
    if (status == SCRIM_OK && o->running != 0)
        status = set_running(s, error);
    if (status == SCRIM_OK)
        status = set_texts(s, error);
    if (status == SCRIM_OK && o->known_keys != NULL && !s->has_groups)
        status =
            sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "known-keys",
                              "the query has no GROUP BY, and so no keys");
    /* A release may be refused where the query is not: its text is longer. */
    if (status == SCRIM_OK)
        status = sc_series_plan(vault, s, s->entry.releases, NULL, NULL, &first, error);
    scrim_plan_free(first);
    scrim_plan_free(whole);
    return status;
}

scrim_status scrim_series_new(scrim_vault *vault, const char *name, const char *dataset,
                              const char *query, const scrim_series_options *options,
                              scrim_series **out, scrim_caret *caret, scrim_error *error)
{
    SC_REQUIRE(error, "vault name dataset query out", vault, name, dataset, query, out);
    scrim_series_options all;
    if (caret != NULL)
        *caret = (scrim_caret){.query = 0};
    scrim_status status =
        sc_option_struct_copy(options, sizeof(size_t), &all, sizeof all, error);
    if (status != SCRIM_OK)
        return status;
    scrim_series *series = make_empty();
    if (series == NULL)
        return no_memory(error);
    status = set_name(series, name, error);
    if (status == SCRIM_OK)
        status = fill(series, vault, dataset, query, &all, caret, error);
    if (status == SCRIM_OK)
        *out = series;
    else
        scrim_series_free(series);
    return status;
}

scrim_status scrim_series_enter(scrim_vault *vault, const scrim_series *series,
                                int beyond_budget, scrim_error *error)
{
    SC_REQUIRE(error, "vault series", vault, series);
    scrim_series_forecast forecast;
    sc_series_entry entry = series->entry;
    sc_arena arena;
    if (series->is_entered)
        return sc_fail(error, SCRIM_E_STATE, "the series is entered already");
    scrim_status status = sc_series_forecast(vault, series, false, &forecast, error);
    if (status == SCRIM_OK && !forecast.fits && !beyond_budget)
        /* The amounts of the error stay empty: this refusal is about a number of releases. */
        return sc_fail_for(
            error, SCRIM_E_BUDGET, SCRIM_REASON_BUDGET, "releases",
            "the budget is too small for %" PRIu64
            " releases: %s %s and delta %s are needed, %s and %s are left, "
            "which is enough for %" PRIu64 "; nothing was charged",
            forecast.remaining, forecast.unit, forecast.total, forecast.total_delta,
            forecast.left, forecast.left_delta, forecast.most);
    sc_arena_init(&arena);
    const char *text = sc_series_text_write(&series->text, &arena);
    entry.text = sc_allocate(text == NULL ? 1 : strlen(text) + 1, 1);
    if (status == SCRIM_OK && (text == NULL || entry.text == NULL))
        status = no_memory(error);
    if (status == SCRIM_OK) {
        memcpy(entry.text, text, strlen(text) + 1);
        status = sc_vault_enter_series(vault, &entry, error);
    }
    sc_free(entry.text);
    sc_arena_clear(&arena);
    return status;
}

/* One of the vault's. */

/* The number of the release that a charge is for; 0: it is not a release of this series. Its
 * question begins with "query series=NAME release=N ". */
static uint64_t release_of(const scrim_series *s, sc_text question)
{
    sc_text word, name, number;
    uint64_t release = 0;
    if (!sc_text_word(&question, &word) || !sc_text_is(word, "query") ||
        !sc_text_word(&question, &word) || !sc_text_split(word, '=', &name, &word) ||
        !sc_text_is(name, "series") || !sc_text_is(word, s->entry.name) ||
        !sc_text_word(&question, &word) || !sc_text_split(word, '=', &name, &number) ||
        !sc_text_is(name, "release") || !sc_text_uint64(number, &release))
        return 0;
    return release > s->entry.releases ? 0 : release;
}

static scrim_status add_text(sc_ratio *sum, const char *text)
{
    SC_OWN(sc_ratio, x);
    const scrim_status status = sc_ratio_parse(sc_text_of(text), &x, NULL);
    if (status == SCRIM_OK)
        sc_ratio_add(sum, sum, &x);
    return status;
}

static scrim_status take_charge(void *context, const scrim_vault_release *charge)
{
    scrim_series *s = context;
    const uint64_t number = release_of(s, sc_text_of(charge->measurement));
    if (number == 0)
        return SCRIM_OK;
    sc_release_cost *step = &s->steps[number - 1];
    step->lost += charge->state == SCRIM_ENTRY_CHARGED;
    if (charge->state == SCRIM_ENTRY_PENDING)
        step->pending = charge->id;
    if (charge->state == SCRIM_ENTRY_RELEASED && step->release == 0) {
        step->release = charge->id;
        step->version = charge->version;
        step->time = charge->time;
    }
    scrim_status status = add_text(&step->amount, charge->amount);
    if (status == SCRIM_OK)
        status = add_text(&step->delta, charge->delta);
    return status;
}

static scrim_status read_unit(scrim_vault *v, void *context, scrim_error *error)
{
    scrim_series *s = context;
    (void)error;
    const sc_dataset_entry *d = sc_book_dataset(&v->book, s->entry.dataset_number);
    s->unit = sc_filter_unit(sc_book_population(&v->book, d->population)->filter.rule);
    return SCRIM_OK;
}

static scrim_status read_steps(scrim_series *s, scrim_vault *vault, scrim_error *error)
{
    s->steps = sc_allocate(s->entry.releases, sizeof *s->steps);
    if (s->steps == NULL)
        return no_memory(error);
    for (size_t i = 0; i < s->entry.releases; i++) {
        sc_ratio_init(&s->steps[i].amount);
        sc_ratio_init(&s->steps[i].delta);
    }
    return scrim_vault_history(vault, s->entry.dataset, s->entry.entry, take_charge, s,
                               error);
}

static scrim_status read_back(scrim_series *s, scrim_vault *vault, const char *name,
                              scrim_error *error)
{
    scrim_status status = sc_vault_find_series(vault, name, &s->entry, error);
    if (status == SCRIM_OK)
        status =
            sc_series_text_read(sc_text_of(s->entry.text), &s->arena, &s->text, error);
    if (status == SCRIM_OK && s->text.window_count != 0 &&
        s->text.window_count != s->entry.releases)
        status = sc_fail(error, SCRIM_E_LEDGER,
                         "the ledger holds a series that this version cannot read");
    if (status == SCRIM_OK)
        status = set_texts(s, error);
    if (status == SCRIM_OK)
        status = sc_vault_read(vault, read_unit, s, error);
    if (status == SCRIM_OK)
        status = read_steps(s, vault, error);
    s->is_entered = true;
    return status;
}

scrim_status scrim_series_read(scrim_vault *vault, const char *name, scrim_series **out,
                               scrim_error *error)
{
    SC_REQUIRE(error, "vault name out", vault, name, out);
    scrim_series *series = make_empty();
    if (series == NULL)
        return no_memory(error);
    const scrim_status status = read_back(series, vault, name, error);
    if (status == SCRIM_OK)
        *out = series;
    else
        scrim_series_free(series);
    return status;
}

scrim_status scrim_series_name_at(scrim_vault *vault, size_t index, char *name,
                                  scrim_error *error)
{
    SC_REQUIRE(error, "vault name", vault, name);
    return sc_vault_series_name(vault, index, name, error);
}

/* Facts. */

uint64_t sc_series_next(const scrim_series *s)
{
    for (size_t i = 0; i < s->entry.releases; i++)
        if (s->steps == NULL || s->steps[i].release == 0)
            return i + 1;
    return 0;
}

void scrim_series_describe(const scrim_series *s, scrim_series_facts *out)
{
    SC_OWN(sc_ratio, amount, delta);
    *out = (scrim_series_facts){
        .name = s->entry.name,
        .dataset = s->entry.dataset,
        .query = s->query,
        .epsilon = s->epsilon,
        .delta = s->delta,
        .max_groups = s->max_groups,
        .max_rows = s->max_rows,
        .max_total_rows = s->max_total_rows,
        .max_total = s->max_total,
        .cut_share = s->cut_share == NULL ? "0" : s->cut_share,
        .window = s->column,
        .known_keys = !s->has_groups ? "" : sc_known_keys_name(s->text.is_continued),
        .is_partial = s->is_partial,
        .is_running = s->text.is_running,
        .releases = s->entry.releases,
        .next = sc_series_next(s),
        .version = s->entry.version,
        .is_parallel = s->entry.is_parallel,
        .is_over = s->entry.is_removed,
        .unit = s->unit == NULL ? "" : s->unit};
    for (size_t i = 0; s->steps != NULL && i < s->entry.releases; i++) {
        out->made += s->steps[i].release != 0;
        sc_ratio_add(&amount, &amount, &s->steps[i].amount);
        sc_ratio_add(&delta, &delta, &s->steps[i].delta);
    }
    sc_book_format_upper(&amount, out->spent);
    sc_book_format_upper(&delta, out->spent_delta);
}

scrim_status scrim_series_step_at(const scrim_series *s, size_t index,
                                  scrim_series_step *out, scrim_error *error)
{
    SC_REQUIRE(error, "series out", s, out);
    if (index >= s->entry.releases)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "index",
                           "the series has no such release");
    *out = (scrim_series_step){.number = index + 1,
                               .low = "",
                               .high = "",
                               .draws =
                                   s->text.is_running ? sc_counter_nodes(index + 1) : 1};
    if (s->text.window_count > 0) {
        out->low = s->text.windows[s->text.is_running ? 0 : index].low.start;
        out->high = s->text.windows[index].high.start;
    }
    if (s->steps == NULL)
        return SCRIM_OK;
    const sc_release_cost *step = &s->steps[index];
    out->release = step->release;
    out->version = step->version;
    out->time = step->time;
    out->lost = step->lost;
    sc_book_format_upper(&step->amount, out->amount);
    sc_book_format_upper(&step->delta, out->delta);
    return SCRIM_OK;
}
