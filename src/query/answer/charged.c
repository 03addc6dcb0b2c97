#include "query/answer/charged.h"

#include "ledger/release.h"
#include "query/rows/memory_room.h"
#include "vault/booked_view.h"
#include "vault/vault_ledger.h"

#include <inttypes.h>
#include <string.h>

/* Progress and cancelling. */

/* A share of the work, never bytes or rows: the size of the source is for its owner alone. */
static void tell(const sc_charged *c, uint64_t before, uint64_t share, uint64_t done,
                 uint64_t total)
{
    if (total > 0 && c->progress != NULL && !c->policy.has_quantum)
        c->progress(c->progress_context,
                    before + (uint64_t)((sc_uint128)done * share / total),
                    SC_CHARGED_WORK);
}

static void tell_reading(void *context, uint64_t done, uint64_t total)
{
    const sc_charged *c = context;
    tell(c, 0, c->read_work, done, total);
}

void sc_charged_tell(void *charged, uint64_t done, uint64_t total)
{
    const sc_charged *c = charged;
    tell(c, c->read_work, SC_CHARGED_WORK - c->read_work, done, total);
}

static int ask_cancelled(void *context)
{
    return sc_cancel_asks(&((sc_charged *)context)->cancel);
}

/* Before the charge. */

/* The version comes first: policy, ledger and recorded answers are those of the planned dataset. */
static scrim_status find_dataset(sc_charged *c, scrim_error *error)
{
    const char *name = c->dataset->name;
    SC_TRY(sc_planned_dataset_check(c->vault, c->dataset, c->kind->planned,
                                    &c->contents_key, error));
    SC_TRY(sc_policy_parse(sc_text_of(c->dataset->policy), &c->policy, error));
    c->quantum.length_ns = sc_policy_quantum_ns(&c->policy);
    SC_TRY(scrim_vault_ledger(c->vault, name, &c->ledger, error));
    if (c->series != 0)
        sc_vault_ledger_for_series(c->ledger, c->series, c->series_release);
    return c->is_once ? scrim_vault_find(c->vault, name, c->question, &c->known, error)
                      : SCRIM_OK;
}

/* Hashes and the choice of rows follow the key of the release, so that a process that joins its charge reads the same rows. */
static scrim_status open_rows(sc_charged *c, scrim_error *error)
{
    sc_pass_options options = c->rows;
    sc_bits *bits = NULL;
    options.contents = c->policy.has_contents ? &c->policy.contents : NULL;
    options.contents_key = &c->contents_key;
    options.is_changed = &c->is_changed;
    options.progress = c->progress == NULL ? NULL : tell_reading;
    options.is_cancelled = c->cancel.is_cancelled == NULL ? NULL : ask_cancelled;
    options.context = c;
    c->kind->wipe_rows(c);
    scrim_status status =
        sc_release_keyed_open(c->ledger, &c->key, SC_BITS_HASHES, &bits, error);
    if (status == SCRIM_OK)
        status = c->kind->open_rows(c, &options, bits, &c->room, error);
    sc_release_keyed_close(c->ledger, bits);
    return status;
}

/* Whether memory suffices must not depend on rows, so all of it is looked for now. With a quantum the peak of the process is
 * public too: it is reached here, and rows use less. */
static scrim_status find_room(const sc_charged *c, scrim_error *error)
{
    const bool is_there = sc_memory_room_is_there_with(c->room.bytes, c->room.threads) &&
                          (!c->policy.has_quantum || sc_memory_room_touch(c->room.bytes));
    return is_there ? SCRIM_OK : sc_no_memory(error, c->kind->released);
}

static scrim_status take_room(sc_charged *c, scrim_error *error)
{
    return c->kind->take_room == NULL ? SCRIM_OK : c->kind->take_room(c, error);
}

static scrim_status open_passage(sc_charged *c, scrim_error *error)
{
    return c->bundle != NULL
               ? sc_passage_open(c->ledger, c->question, c->bundle, &c->key, c->is_once,
                                 &c->passage, error)
               : sc_passage_open_within(c->ledger, c->question, c->allowance, &c->key,
                                        c->is_once, &c->passage, error);
}

/* The charge stands already, so a failure here waits and is worded as one of reading is. */
static scrim_status join(sc_charged *c, scrim_error *error)
{
    scrim_status status = open_rows(c, error);
    if (status == SCRIM_OK)
        status = take_room(c, error);
    return status == SCRIM_OK ? SCRIM_OK : sc_charged_end(c, status, error);
}

static scrim_status charge(sc_charged *c, scrim_error *error)
{
    if (c->kind->prepare != NULL)
        SC_TRY(c->kind->prepare(c, error));
    SC_TRY(sc_bits_key_draw(&c->key, error));
    SC_TRY(open_rows(c, error));
    SC_TRY(find_room(c, error));
    SC_TRY(take_room(c, error));
    sc_vault_ledger_take_other(c->ledger, c->kind->take_other != NULL && !c->has_other);
    SC_TRY(open_passage(c, error));
    c->is_charged = sc_passage_standing(c->passage) == SC_ONCE_CHARGED;
    return sc_passage_standing(c->passage) == SC_ONCE_JOINED ? join(c, error) : SCRIM_OK;
}

/* Once is enough: what is charged then is the words of the other, or one's own. */
static scrim_status charge_other(sc_charged *c, scrim_error *error)
{
    const uint64_t other = sc_passage_entry(c->passage);
    sc_passage_close(c->passage);
    c->passage = NULL;
    c->has_other = true;
    SC_TRY(c->kind->take_other(c, other, error));
    return charge(c, error);
}

scrim_status sc_charged_begin(sc_charged *c, scrim_error *error)
{
    c->quantum = sc_quantum_start(0);
    sc_policy_init(&c->policy);
    SC_TRY(find_dataset(c, error));
    if (c->known == 0) {
        SC_TRY(charge(c, error));
        if (sc_passage_standing(c->passage) == SC_ONCE_OTHER)
            SC_TRY(charge_other(c, error));
    }
    return c->is_charged ? SCRIM_OK
                         : sc_vault_book_view(c->vault, sc_charged_release(c), error);
}

bool sc_charged_needs_rows(const sc_charged *c)
{
    return c->known == 0 && sc_passage_standing(c->passage) != SC_ONCE_ANSWERED;
}

uint64_t sc_charged_release(const sc_charged *c)
{
    return c->known != 0 ? c->known : sc_passage_entry(c->passage);
}

/* After the charge. */

scrim_status sc_charged_reopen(sc_charged *c, scrim_error *error)
{
    SC_TRY(open_rows(c, error));
    return take_room(c, error);
}

scrim_status sc_charged_end(sc_charged *c, scrim_status status, scrim_error *error)
{
    if (!sc_charged_needs_rows(c))
        return SCRIM_OK;
    if (status == SCRIM_OK)
        status = c->kind->draw_record(c, &c->record, error);
    if (status == SCRIM_OK && c->record == NULL)
        status = sc_no_memory(error, c->kind->released);
    /* Wiping, pages and time come before the entry: its moment in the ledger tells nothing of the rows. */
    c->kind->wipe_rows(c);
    if (c->policy.has_quantum)
        sc_memory_room_level(c->room.bytes);
    sc_quantum_wait(&c->quantum);
    if (status == SCRIM_OK)
        status = sc_passage_record(c->passage, c->record, error);
    if (c->is_changed)
        status = sc_planned_dataset_close(c->vault, c->dataset, status, error);
    return sc_unanswered_fail(error, status, sc_passage_entry(c->passage), c->is_once);
}

void sc_charged_clear(sc_charged *c)
{
    c->kind->wipe_rows(c);
    sc_passage_close(c->passage);
    sc_allowance_free(c->allowance);
    sc_wipe(&c->key, sizeof c->key);
    scrim_ledger_free(c->ledger);
    sc_free(c->record);
    sc_policy_clear(&c->policy);
    sc_wipe(&c->contents_key, sizeof c->contents_key);
}

/* Records. */

bool sc_charged_is(const sc_charged_kind *kind, sc_text measurement)
{
    for (size_t i = 0; i < 2 && kind->words[i] != NULL; i++) {
        const size_t bytes = strlen(kind->words[i]);
        if (measurement.bytes >= bytes &&
            memcmp(measurement.start, kind->words[i], bytes) == 0)
            return true;
    }
    return false;
}

char *sc_charged_record_text(const scrim_vault_release *release)
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

static scrim_status show_record(const sc_charged_kind *kind, void *context,
                                const sc_recorded *recorded, scrim_error *error)
{
    const scrim_status status = kind->show(context, recorded, error);
    return status != SCRIM_E_CHECK
               ? status
               : sc_fail(error, SCRIM_E_LEDGER,
                         "release %" PRIu64
                         " is recorded in a form that this version cannot read",
                         recorded->id);
}

static scrim_status show_release(const sc_charged_kind *kind, void *context,
                                 sc_recorded recorded, bool books, scrim_error *error)
{
    scrim_vault_release release = {.id = 0};
    char *text = NULL;
    scrim_status status = sc_vault_recall(recorded.vault, recorded.id, &release, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_charged_is(kind, sc_text_of(release.measurement))
                 ? scrim_vault_release_check(&release, error)
                 : kind->refuse(recorded.id, error);
    if (status == SCRIM_OK && (text = sc_charged_record_text(&release)) == NULL)
        status = sc_no_memory(error, "an answer");
    if (status == SCRIM_OK && books)
        status = sc_vault_book_view(recorded.vault, recorded.id, error);
    recorded.text = text;
    recorded.time = release.time;
    scrim_vault_release_clear(&release);
    if (status == SCRIM_OK)
        status = show_record(kind, context, &recorded, error);
    sc_free(text);
    return status;
}

scrim_status sc_charged_replay(const sc_charged_kind *kind, void *context,
                               scrim_vault *vault, uint64_t id, scrim_error *error)
{
    return show_release(kind, context,
                        (sc_recorded){.vault = vault, .id = id, .is_repeated = true},
                        true, error);
}

scrim_status sc_charged_read(const sc_charged_kind *kind, void *context,
                             scrim_vault *vault, uint64_t id, scrim_error *error)
{
    return show_release(kind, context,
                        (sc_recorded){.vault = vault, .id = id, .is_repeated = true},
                        false, error);
}

scrim_status sc_charged_show(const sc_charged *c, scrim_error *error)
{
    sc_recorded recorded = {.vault = c->vault,
                            .id = sc_charged_release(c),
                            .time = c->vault->now,
                            .is_repeated = !c->is_charged,
                            .text = c->record};
    if (c->known != 0) /* sc_charged_begin has booked it */
        return show_release(c->kind, c->context, recorded, false, error);
    /* Two who finish one charge have drawn the same record, but the ledger has the first one's. */
    const bool is_own =
        c->is_charged && sc_passage_standing(c->passage) != SC_ONCE_ANSWERED;
    const scrim_status status =
        is_own ? show_record(c->kind, c->context, &recorded, error)
               : show_release(c->kind, c->context, recorded, false, error);
    return sc_answered_fail(error, status, recorded.id);
}

scrim_status sc_charged_run(sc_charged *c, scrim_error *error)
{
    scrim_status status = sc_charged_begin(c, error);
    if (status == SCRIM_OK && sc_charged_needs_rows(c))
        status = sc_charged_end(c, c->kind->read_rows(c, error), error);
    if (status == SCRIM_OK)
        status = sc_charged_show(c, error);
    sc_charged_clear(c);
    return status;
}
