/* Synthetic records from their plan to the recorded release, in the order of query/answer/ask.c: known already; the
 * source as it was declared; charged whole, or the charge joined; read; drawn round by round; recorded; shown.
 */
#include "ledger/unanswered.h"
#include "query/answer/ask.h"
#include "synth/release/found_keys.h"
#include "synth/release/synth_draw.h"
#include "synth/release/synth_method.h"
#include "synth/release/synth_source.h"

#include <inttypes.h>
#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a synthetic release");
}

/* What was released before. */

int scrim_synth_is_measurement(const char *measurement)
{
    static const char word[] = "synth ";
    return strncmp(measurement, word, sizeof word - 1) == 0;
}

static scrim_status want_records(const scrim_vault_release *release, scrim_error *error)
{
    return scrim_synth_is_measurement(release->measurement)
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                             "release %" PRIu64 " has no synthetic records", release->id);
}

static scrim_status show_again(scrim_vault *vault, uint64_t id, bool is_repeated,
                               scrim_synth_release **out, scrim_error *error)
{
    char *text = NULL;
    uint64_t time = 0;
    scrim_status status = sc_ask_recorded(vault, id, want_records, &text, &time, error);
    if (status == SCRIM_OK)
        status = sc_synth_release_new(text, id, time, is_repeated, out, error);
    if (status == SCRIM_E_CHECK)
        status = sc_fail(error, SCRIM_E_LEDGER,
                         "release %" PRIu64
                         " is recorded in a form that this version cannot read",
                         id);
    sc_free(text);
    return status;
}

scrim_status scrim_synth_replay(scrim_vault *vault, uint64_t id,
                                scrim_synth_release **out, scrim_error *error)
{
    return show_again(vault, id, true, out, error);
}

scrim_status scrim_synth_describe(scrim_vault *vault, const scrim_synth *s,
                                  scrim_synth_facts *out, scrim_error *error)
{
    uint64_t known = 0;
    sc_allowance *allowance = NULL;
    scrim_status status = sc_synth_allowance(s, &allowance, error);
    if (status == SCRIM_OK && s->is_once)
        status = scrim_vault_find(vault, s->dataset.name, s->question, &known, error);
    if (status == SCRIM_OK) {
        *out = (scrim_synth_facts){.dataset = s->dataset.name,
                                   .method = sc_synth_method_name(s->method),
                                   .max_rows = s->unit.rows,
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

/* What is asked anew. */

typedef struct asking {
    scrim_vault *vault;
    const scrim_synth *synth;
    sc_synth_source source;
    sc_allowance *allowance;
    sc_passage *passage;
    sc_found_keys found;
    sc_synth_released released;
    sc_cancel cancel;
    char *record;
} asking;

/* Progress: half of it is reading, half are the rounds. How much there is to read is not told. */

#define SHARES 1000

static void tell(const asking *a, uint64_t before, uint64_t done, uint64_t total)
{
    const scrim_synth_options *options = &a->synth->options;
    if (total > 0 && options->progress != NULL && !a->source.policy.has_quantum)
        options->progress(options->context,
                          before + (uint64_t)((sc_uint128)done * (SHARES / 2) / total),
                          SHARES);
}

static void tell_pass(void *context, uint64_t done, uint64_t total)
{
    tell(context, 0, done, total);
}

static void tell_rounds(void *context, uint64_t done, uint64_t total)
{
    tell(context, SHARES / 2, done, total);
}

static int ask_cancelled(void *context)
{
    return sc_cancel_asks(&((asking *)context)->cancel);
}

static sc_pass_options pass_options(asking *a)
{
    return (sc_pass_options){
        .workers = a->synth->options.workers,
        .memory_bytes = a->synth->options.memory_bytes,
        .progress = tell_pass,
        .is_cancelled = a->synth->options.is_cancelled == NULL ? NULL : ask_cancelled,
        .context = a};
}

/* After the charge: whatever fails from here on, it stays. */

static scrim_status draw(asking *a, scrim_error *error)
{
    sc_rounds rounds = {.passage = a->passage,
                        .allowance = a->allowance,
                        .records = a->source.reader.records,
                        .unit = a->synth->unit,
                        .nullable = sc_synth_domain_nullable(&a->found.domain),
                        .released = &a->released,
                        .progress = tell_rounds,
                        .context = a,
                        .cancel = &a->cancel};
    return sc_synth_follow(a->synth, &rounds, error);
}

static scrim_status answer(asking *a, scrim_error *error)
{
    const sc_pass_options options = pass_options(a);
    scrim_status status = sc_synth_source_read(&a->source, a->passage, &options, error);
    if (status == SCRIM_OK)
        status = sc_cancel_check(&a->cancel, error);
    if (status == SCRIM_OK)
        status =
            sc_found_keys_draw(&a->found, a->synth, &a->source.reader, a->passage, error);
    if (status == SCRIM_OK)
        status = sc_record_reader_code(&a->source.reader, a->synth, &a->found.domain,
                                       &a->cancel, error);
    if (status == SCRIM_OK)
        status = draw(a, error);
    if (status == SCRIM_OK && (a->record = sc_synth_record_write(
                                   a->synth, &a->found.domain, &a->released)) == NULL)
        status = no_memory(error);
    status = sc_synth_source_end(&a->source, status, error);
    if (status == SCRIM_OK)
        status = sc_passage_record(a->passage, a->record, error);
    return sc_unanswered_fail(error, status, sc_passage_entry(a->passage),
                              a->synth->is_once);
}

static scrim_status ask_anew(asking *a, scrim_synth_release **out, scrim_error *error)
{
    const sc_pass_options options = pass_options(a);
    scrim_status status = sc_synth_allowance(a->synth, &a->allowance, error);
    if (status == SCRIM_OK)
        status = sc_synth_source_ready(&a->source, &options, error);
    if (status == SCRIM_OK)
        status =
            sc_passage_open_within(a->source.ledger, a->synth->question, a->allowance,
                                   &a->source.key, a->synth->is_once, &a->passage, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_charged = sc_passage_standing(a->passage) == SC_ONCE_CHARGED;
    if (sc_passage_standing(a->passage) != SC_ONCE_ANSWERED)
        status = answer(a, error);
    if (status != SCRIM_OK)
        return status;
    const uint64_t id = sc_passage_entry(a->passage);
    return sc_answered_fail(error, show_again(a->vault, id, !is_charged, out, error), id);
}

scrim_status scrim_synth_run(scrim_vault *vault, const scrim_synth *s,
                             scrim_synth_release **out, scrim_error *error)
{
    asking a = {.vault = vault,
                .synth = s,
                .cancel = {.is_cancelled = s->options.is_cancelled,
                           .context = s->options.context}};
    uint64_t known = 0;
    sc_synth_released_init(&a.released);
    sc_found_keys_init(&a.found, s);
    sc_synth_source_start(&a.source, s);
    scrim_status status = sc_synth_source_open(&a.source, vault, error);
    if (status == SCRIM_OK && s->is_once)
        status = scrim_vault_find(vault, s->dataset.name, s->question, &known, error);
    if (status == SCRIM_OK)
        status = known != 0 ? show_again(vault, known, true, out, error)
                            : ask_anew(&a, out, error);
    sc_passage_close(a.passage);
    sc_allowance_free(a.allowance);
    sc_synth_source_close(&a.source);
    sc_found_keys_clear(&a.found);
    sc_synth_released_clear(&a.released);
    sc_free(a.record);
    return status;
}
