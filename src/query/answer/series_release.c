/* The next release of a series, or an earlier one again. */
#include "data/value/source_kind.h"
#include "mechanism/linear/counter.h"
#include "model/option_struct.h"
#include "query/answer/ask.h"
#include "query/answer/running.h"
#include "query/answer/series.h"
#include "vault/booked_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Known keys. */

/* Do both have the same columns? Equal keys mean the same only then. */
static bool have_equal_columns(sc_text a, sc_text b)
{
    sc_text line, key, lines[2] = {a, b}, values[2];
    for (;;) {
        bool has[2];
        for (size_t i = 0; i < 2; i++)
            while ((has[i] = sc_schema_line(&lines[i], &line, &key, &values[i])) &&
                   !sc_text_is(key, "column"))
                ;
        if (!has[0] || !has[1])
            return has[0] == has[1];
        if (!sc_text_equal(values[0], values[1]))
            return false;
    }
}

static int compare_keys(const void *a, const void *b)
{
    return sc_text_compare(*(const sc_text *)a, *(const sc_text *)b);
}

/* The keys of a record, in increasing order, each once. */
static scrim_status take_keys(const sc_record *record, sc_arena *arena, sc_text **out,
                              size_t *count, scrim_error *error)
{
    const sc_record_statement *s = &record->statements[0];
    sc_text *keys = sc_arena_allocate(arena, s->row_count, sizeof *keys);
    size_t kept = 0;
    if (keys == NULL)
        return sc_no_memory(error, "the keys of a series");
    for (size_t i = 0; i < s->row_count; i++)
        keys[i] = s->rows[i].key;
    qsort(keys, s->row_count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < s->row_count; i++)
        if (kept == 0 || sc_text_compare(keys[kept - 1], keys[i]) != 0)
            keys[kept++] = keys[i];
    *out = keys;
    *count = kept;
    return SCRIM_OK;
}

/* Where earlier releases are read. */
typedef struct place {
    scrim_vault *vault;
    sc_arena *arena;
    bool books;
} place;

typedef struct reading {
    sc_arena *arena;
    sc_record *record;
} reading;

static scrim_status keep_record(void *context, const sc_recorded *recorded,
                                scrim_error *error)
{
    const reading *r = context;
    const char *copy = sc_arena_copy(r->arena, recorded->text, strlen(recorded->text));
    return copy == NULL ? sc_no_memory(error, "the releases of a series")
                        : sc_record_read(sc_text_of(copy), r->arena, r->record, error);
}

/* The record of an earlier release; its views point into the arena. The next one shows its keys or totals: a release books
 * it as a replay does, and a plan, which books nothing, is refused to whom it was not shown. */
static scrim_status read_record(const place *p, uint64_t id, sc_record *out,
                                scrim_error *error)
{
    sc_charged_kind kind = sc_query_kind;
    bool costs = false;
    kind.show = keep_record;
    if (p->books)
        SC_TRY(sc_vault_book_view(p->vault, id, error));
    SC_TRY(sc_vault_view_costs(p->vault, id, &costs, error));
    if (costs)
        return sc_fail(error, SCRIM_E_POLICY,
                       "it goes on from release %" PRIu64
                       ", whose answer you have not seen; replay that first",
                       id);
    return sc_charged_read(&kind, &(reading){p->arena, out}, p->vault, id, error);
}

/* Each release of a series that continues holds the keys of all before it, so the last one has every known key. */
static scrim_status read_known(const place *p, const scrim_series *s, uint64_t number,
                               sc_plan_series *out, scrim_error *error)
{
    sc_record record;
    sc_text *known = NULL;
    char *policy = NULL;
    if (!s->text.is_continued || number < 2 || s->steps[number - 2].release == 0)
        return SCRIM_OK;
    scrim_status status = read_record(p, s->steps[number - 2].release, &record, error);
    if (status == SCRIM_OK)
        status = scrim_vault_policy(p->vault, s->entry.dataset, &policy, error);
    if (status == SCRIM_OK && record.statements[0].keys_kind == SC_PLAN_DISCOVERED &&
        have_equal_columns(record.schema, sc_text_of(policy)))
        status = take_keys(&record, p->arena, &known, &out->known_count, error);
    out->known = known;
    scrim_vault_text_free(policy);
    return status;
}

/* The release. */

/* The earlier release that a running total adds to; 0: none. */
static uint64_t base_of(const scrim_series *s, uint64_t number)
{
    return s->text.is_running ? number - sc_counter_low(number) : 0;
}

static scrim_status make_total(const place *p, const scrim_series *s, uint64_t number,
                               const scrim_series_run *run, scrim_plan **out,
                               scrim_error *error)
{
    const uint64_t before = base_of(s, number);
    sc_plan_series earlier = {.number = 0};
    sc_record record;
    scrim_status status = SCRIM_OK;
    if (before > 0)
        status = read_record(p, s->steps[before - 1].release, &record, error);
    if (status == SCRIM_OK && before > 0)
        status =
            sc_running_base(&record, p->arena, &earlier.base, &earlier.base_count, error);
    if (status == SCRIM_OK)
        status = sc_series_plan(p->vault, s, number, &earlier, run, out, error);
    if (status == SCRIM_OK &&
        (!s->entry.is_parallel ||
         (before > 0 &&
          !sc_running_fits(*out, &record, earlier.base, earlier.base_count))))
        status = sc_fail(error, SCRIM_E_POLICY,
                         "the policy of %s or the noise has changed, so the series '%s' "
                         "cannot add to its earlier totals; create a new series",
                         s->entry.dataset, s->entry.name);
    return status;
}

typedef struct asked_series {
    scrim_vault *vault;
    const char *name;
    uint64_t number; /* 0: the next */
    const scrim_series_run *run;
    bool books; /* a release, not a plan */
} asked_series;

/* The plan with known keys or totals of earlier releases, whose memory it keeps. */
static scrim_status make_plan(const asked_series *asked, const scrim_series *s,
                              uint64_t number, scrim_plan **out, scrim_error *error)
{
    scrim_plan *plan = NULL;
    sc_plan_series earlier = {.number = 0};
    sc_arena arena;
    const place p = {asked->vault, &arena, asked->books};
    sc_arena_init(&arena);
    scrim_status status = SCRIM_OK;
    if (s->text.is_running)
        status = make_total(&p, s, number, asked->run, &plan, error);
    else
        status = read_known(&p, s, number, &earlier, error);
    if (status == SCRIM_OK && plan == NULL)
        status = sc_series_plan(p.vault, s, number, &earlier, asked->run, &plan, error);
    if (status != SCRIM_OK) {
        scrim_plan_free(plan);
        sc_arena_clear(&arena);
        return status;
    }
    plan->earlier = arena;
    plan->series.is_whole = true;
    *out = plan;
    return SCRIM_OK;
}

/* Does the dataset still have the contents of the last release? Never true of windows, nor of live rows, which are new at
 * every question. */
static bool is_unchanged(const scrim_series *s, uint64_t next)
{
    const uint64_t last = next == 0 ? s->entry.releases : next - 1;
    return s->text.window_count == 0 && !s->is_live && last > 0 &&
           s->steps[last - 1].version == s->entry.version;
}

/* The release whose answer is repeated; 0: a new one is made. */
static uint64_t repeated(const scrim_series *s, uint64_t number, uint64_t next)
{
    if (number != 0)
        return number <= s->entry.releases && s->steps[number - 1].release != 0 ? number
                                                                                : 0;
    if (!is_unchanged(s, next))
        return 0;
    return next == 0 ? s->entry.releases : next - 1;
}

static scrim_status check_next(const scrim_series *s, uint64_t number, uint64_t next,
                               scrim_error *error)
{
    if (s->entry.is_removed)
        return sc_fail(error, SCRIM_E_POLICY,
                       "the dataset %s was removed: the series '%s' is over",
                       s->entry.dataset, s->entry.name);
    if (number > s->entry.releases)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "release",
                           "the series '%s' has %" PRIu64 " releases", s->entry.name,
                           s->entry.releases);
    if (next == 0)
        return sc_fail_for(error, SCRIM_E_STATE, SCRIM_REASON_COMPLETE, "series",
                           "all %" PRIu64 " releases of the series '%s' are made",
                           s->entry.releases, s->entry.name);
    if (number != 0 && number != next)
        return sc_fail(error, SCRIM_E_STATE,
                       "release %" PRIu64 " of the series '%s' comes next", next,
                       s->entry.name);
    /* A version is released once: another draw of it would only cost. */
    if (is_unchanged(s, next))
        return sc_fail_for(error, SCRIM_E_STATE, SCRIM_REASON_MISSING, "version",
                           "release %" PRIu64 " is of the next version", next);
    return SCRIM_OK;
}

/* Rows are live if a program pushes them and no file holds them. */
static scrim_status find_live(scrim_vault *vault, scrim_series *s, scrim_error *error)
{
    char *policy = NULL;
    const sc_schema *schema = NULL;
    if (s->entry.is_removed)
        return SCRIM_OK;
    scrim_status status = scrim_vault_policy(vault, s->entry.dataset, &policy, error);
    if (status == SCRIM_OK)
        status = sc_schema_parse(sc_text_of(policy), NULL, &schema, error);
    if (status == SCRIM_OK && schema->source != NULL)
        s->is_live = schema->source->is_pushed && schema->source->has_no_file;
    sc_schema_free(schema);
    scrim_vault_text_free(policy);
    return status;
}

/* The plan of the next release; or *made, the number of the release to repeat. */
static scrim_status prepare(const asked_series *asked, scrim_plan **out, uint64_t *made,
                            scrim_error *error)
{
    scrim_series *s = NULL;
    scrim_status status = scrim_series_read(asked->vault, asked->name, &s, error);
    if (status != SCRIM_OK)
        return status;
    status = find_live(asked->vault, s, error);
    const uint64_t next = sc_series_next(s);
    const uint64_t again = status == SCRIM_OK ? repeated(s, asked->number, next) : 0;
    *made = again == 0 ? 0 : s->steps[again - 1].release;
    if (status == SCRIM_OK && again == 0)
        status = check_next(s, asked->number, next, error);
    if (status == SCRIM_OK && again == 0)
        status = make_plan(asked, s, next, out, error);
    scrim_series_free(s);
    return status;
}

static scrim_status copy_run(const scrim_series_run *run, scrim_series_run *out,
                             scrim_error *error)
{
    *out = (scrim_series_run){.size = sizeof *out};
    return run == NULL
               ? SCRIM_OK
               : sc_option_struct_copy(run, sizeof(size_t), out, sizeof *out, error);
}

scrim_status scrim_series_prepare(scrim_vault *vault, const char *name, uint64_t number,
                                  const scrim_series_run *run, scrim_plan **out,
                                  uint64_t *made, scrim_error *error)
{
    SC_REQUIRE(error, "vault name out", vault, name, out);
    scrim_series_run all;
    scrim_plan *plan = NULL;
    scrim_status status = copy_run(run, &all, error);
    if (status == SCRIM_OK)
        status = prepare(&(asked_series){vault, name, number, &all, false}, &plan, made,
                         error);
    if (status == SCRIM_OK)
        *out = plan;
    return status;
}

scrim_status scrim_series_release(scrim_vault *vault, const char *name, uint64_t number,
                                  const scrim_series_run *run, scrim_result **out,
                                  scrim_error *error)
{
    SC_REQUIRE(error, "vault name out", vault, name, out);
    scrim_series_run all;
    scrim_plan *plan = NULL;
    uint64_t made = 0;
    scrim_status status = copy_run(run, &all, error);
    if (status == SCRIM_OK)
        status = prepare(&(asked_series){vault, name, number, &all, true}, &plan, &made,
                         error);
    if (status == SCRIM_OK)
        status = made != 0 ? scrim_query_replay(vault, made, all.confidence, out, error)
                           : scrim_query_run(vault, plan, out, error);
    scrim_plan_free(plan);
    return status;
}
