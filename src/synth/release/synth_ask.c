/* Synthetic records as charged releases (query/answer/charged.h): measured round by round within one allowance. */
#include "data/value/unit_word.h"
#include "synth/release/record_reader.h"
#include "synth/release/synth_draw.h"
#include "synth/release/synth_method.h"
#include "vault/booked_view.h"

#include <inttypes.h>

scrim_status scrim_synth_describe(scrim_vault *vault, const scrim_synth *s,
                                  scrim_synth_facts *out, scrim_error *error)
{
    SC_REQUIRE(error, "synth out", s, out);
    uint64_t known = 0;
    sc_allowance *allowance = NULL;
    scrim_status status = sc_synth_allowance(s, &allowance, error);
    if (status == SCRIM_OK && s->is_once)
        status = scrim_vault_find(vault, s->dataset.name, s->question, &known, error);
    if (status == SCRIM_OK) {
        const sc_bounds bounds = sc_bounds_normal(&s->schema->bounds, 0);
        const bool has_units = s->schema->unit.bytes > 0;
        *out = (scrim_synth_facts){.dataset = s->dataset.name,
                                   .method = sc_synth_method_name(s->method),
                                   .unit_word = sc_unit_word(s->schema->unit, false),
                                   .unit_words = sc_unit_word(s->schema->unit, true),
                                   .max_rows = s->unit.rows,
                                   .max_distinct = has_units ? bounds.groups : 1,
                                   .max_alike = has_units ? bounds.rows : 1,
                                   .column_count = s->domain.count,
                                   .count_error = s->count_error,
                                   .pair_error = s->pair_error,
                                   .ways = s->ways,
                                   .selection =
                                       s->selection == NULL ? "" : s->selection->text,
                                   .kept_half = s->kept_half,
                                   .kept_most = s->kept_most,
                                   .is_known = known != 0,
                                   .query_count = s->domain.query_count,
                                   .measured_count = s->measured_count};
        sc_cost_format(sc_allowance_cost(allowance), &out->cost);
    }
    sc_allowance_free(allowance);
    return status;
}

/* A release under way; only `out` is used to show one again. */
typedef struct asking {
    sc_record_reader reader; /* the first member, as its functions of a kind want */
    sc_found_keys found;
    sc_synth_released released;
    scrim_synth_release **out;
} asking;

static scrim_status prepare(sc_charged *c, scrim_error *error)
{
    const asking *a = c->context;
    return sc_synth_allowance(a->reader.synth, &c->allowance, error);
}

/* Keys first: they decide how rows are coded, and which marginals the rounds may measure. */
static scrim_status draw_record(sc_charged *c, char **record, scrim_error *error)
{
    asking *a = c->context;
    const scrim_synth *s = a->reader.synth;
    SC_TRY(sc_cancel_check(&c->cancel, error));
    SC_TRY(sc_found_keys_draw(&a->found, s, &a->reader, c->passage, error));
    SC_TRY(sc_record_reader_code(&a->reader, &a->found.domain, &c->cancel, error));
    sc_rounds rounds = {.passage = c->passage,
                        .allowance = c->allowance,
                        .records = a->reader.records,
                        .unit = s->unit,
                        .nullable = sc_synth_domain_nullable(&a->found.domain),
                        .released = &a->released,
                        .progress = sc_charged_tell,
                        .context = c,
                        .cancel = &c->cancel};
    SC_TRY(sc_synth_follow(s, &rounds, error));
    *record = sc_synth_record_write(s, &a->found.domain, &a->released);
    return SCRIM_OK;
}

static scrim_status show(void *context, const sc_recorded *r, scrim_error *error)
{
    const asking *a = context;
    return sc_synth_release_new(r->text, r->id, r->time, r->is_repeated, a->out, error);
}

static scrim_status refuse(uint64_t release, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                       "release %" PRIu64 " has no synthetic records", release);
}

static const sc_charged_kind kind = {.words = {"synth "},
                                     .planned = "the records",
                                     .released = "a synthetic release",
                                     .refuse = refuse,
                                     .prepare = prepare,
                                     .open_rows = sc_record_reader_open_rows,
                                     .take_room = sc_record_reader_take_room,
                                     .read_rows = sc_record_reader_read_rows,
                                     .draw_record = draw_record,
                                     .wipe_rows = sc_record_reader_wipe_rows,
                                     .show = show};

int scrim_synth_is_measurement(const char *measurement)
{
    return sc_charged_is(&kind, sc_text_of(measurement));
}

scrim_status scrim_synth_run(scrim_vault *vault, const scrim_synth *s,
                             scrim_synth_release **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault synth out", vault, s, out);
    const scrim_synth_options *options = &s->options;
    asking a = {.reader = {.synth = s}, .out = out};
    sc_charged charged = {
        .kind = &kind,
        .context = &a,
        .vault = vault,
        .dataset = &s->dataset,
        .question = s->question,
        .is_once = s->is_once,
        .rows = {.workers = options->workers,
                 .memory_bytes = options->memory_bytes,
                 .frame = sc_frame_with_rows(&s->frame)},
        .progress = options->progress,
        .progress_context = options->context,
        .read_work = SC_CHARGED_WORK / 2,
        .cancel = {.is_cancelled = options->is_cancelled, .context = options->context}};
    /* Rows of a refinement follow from the measurements of its release, too. */
    if (s->before != NULL)
        SC_TRY(sc_vault_book_view(vault, s->options.refine, error));
    sc_synth_released_init(&a.released);
    sc_found_keys_init(&a.found, s);
    const scrim_status status = sc_charged_run(&charged, error);
    sc_found_keys_clear(&a.found);
    sc_synth_released_clear(&a.released);
    return status;
}

scrim_status scrim_synth_replay(scrim_vault *vault, uint64_t id,
                                scrim_synth_release **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    asking a = {.out = out};
    return sc_charged_replay(&kind, &a, vault, id, error);
}

scrim_status sc_synth_read(scrim_vault *vault, uint64_t id, scrim_synth_release **out,
                           scrim_error *error)
{
    asking a = {.out = out};
    return sc_charged_read(&kind, &a, vault, id, error);
}
