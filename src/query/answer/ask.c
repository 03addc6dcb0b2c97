#include "query/answer/ask.h"

#include "ledger/unanswered.h"
#include "query/answer/result.h"

#include <inttypes.h>
#include <string.h>

/* What was answered before. */

char *sc_ask_record(const scrim_vault_release *release)
{
    const char *note = release->note == NULL ? "" : release->note;
    const size_t bytes = strlen(release->answer) + strlen(note) + 2;
    char *text = sc_allocate(bytes, 1);
    sc_text_sink sink;
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, bytes);
    sc_text_put(&sink, sc_text_of(release->answer));
    if (release->note != NULL)
        sc_text_put(&sink, sc_text_of("\n"));
    sc_text_put(&sink, sc_text_of(note));
    return text;
}

scrim_status sc_ask_recorded(scrim_vault *vault, uint64_t id, sc_ask_kind_check *check,
                             char **record, uint64_t *time, scrim_error *error)
{
    scrim_vault_release release = {.id = 0};
    scrim_status status = scrim_vault_replay(vault, id, &release, error);
    if (status != SCRIM_OK)
        return status;
    *time = release.time;
    status = check(&release, error);
    if (status == SCRIM_OK)
        status = scrim_vault_release_check(&release, error);
    if (status == SCRIM_OK && (*record = sc_ask_record(&release)) == NULL)
        status = sc_fail(error, SCRIM_E_MEMORY, "out of memory for an answer");
    scrim_vault_release_clear(&release);
    return status;
}

static scrim_status want_question(const scrim_vault_release *release, scrim_error *error)
{
    return sc_ask_is_question(sc_text_of(release->measurement))
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                             "release %" PRIu64 " is not the answer of a query",
                             release->id);
}

static scrim_status show_again(scrim_vault *vault, uint64_t id, const char *confidence,
                               bool is_repeated, scrim_result **out, scrim_error *error)
{
    sc_result_origin origin = {.release = id, .is_repeated = is_repeated};
    char *text = NULL;
    scrim_status status =
        sc_ask_recorded(vault, id, want_question, &text, &origin.time, error);
    if (status == SCRIM_OK)
        status = sc_result_new(sc_text_of(text), confidence, &origin, out, error);
    sc_free(text);
    return status;
}

bool sc_ask_is_question(sc_text measurement)
{
    static const char word[] = "query ";
    return measurement.bytes >= sizeof word - 1 &&
           memcmp(measurement.start, word, sizeof word - 1) == 0;
}

scrim_status scrim_query_replay(scrim_vault *vault, uint64_t id, const char *confidence,
                                scrim_result **out, scrim_error *error)
{
    return show_again(vault, id, confidence, true, out, error);
}

/* What is asked anew. */

/* From the record: one's own, or that of whoever was first. */
static scrim_status show_release(const sc_asking *a, scrim_result **out,
                                 scrim_error *error)
{
    const uint64_t release = sc_asking_release(a);
    if (!sc_asking_is_own(a))
        return show_again(a->vault, release, a->confidence, !a->is_charged, out, error);
    const sc_result_origin origin = {.release = release, .time = a->vault->now};
    return sc_result_new(sc_text_of(a->record), NULL, &origin, out, error);
}

scrim_status sc_ask_end(sc_asking *a, scrim_status rows, scrim_result **out,
                        scrim_error *error)
{
    const scrim_status status = sc_asking_end(a, rows, error);
    if (status != SCRIM_OK)
        return status;
    return a->known != 0 ? show_release(a, out, error)
                         : sc_answered_fail(error, show_release(a, out, error),
                                            sc_asking_release(a));
}

scrim_status scrim_query_run(scrim_vault *vault, const scrim_plan *plan,
                             scrim_result **out, scrim_error *error)
{
    sc_asking a;
    scrim_status status =
        sc_asking_begin(&a, &(sc_asking_setting){.vault = vault, .plan = plan}, error);
    if (status == SCRIM_OK) {
        const scrim_status rows =
            sc_asking_needs_rows(&a) ? sc_pass_run(a.pass, error) : SCRIM_OK;
        status = sc_ask_end(&a, rows, out, error);
    }
    sc_asking_clear(&a);
    return status;
}
