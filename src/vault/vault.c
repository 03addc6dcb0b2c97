#include "vault/vault.h"

#include "base/build_id.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/text_copy.h"
#include "vault/same_question.h"
#include "vault/store/store.h"
#include "vault/store/witness.h"

#include <errno.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

/* Room for the system's entry of a user; a user whose entry is longer counts as one without a name. */
#define ENTRY_BYTES 16384

static bool is_visible(const char *name)
{
    size_t count = 0;
    for (; name[count] != '\0'; count++)
        if (count >= SC_EVENT_NAME_BYTES || name[count] <= ' ' || name[count] > '~')
            return false;
    return count > 0;
}

void sc_identity_set(sc_identity *out, uint64_t user, const char *name)
{
    char number[SC_INT128_BYTES];
    sc_text_sink sink;
    memset(out, 0, sizeof *out);
    out->user = user;
    sc_text_sink_init(&sink, out->name, sizeof out->name);
    if (name != NULL && is_visible(name)) {
        sc_text_put(&sink, sc_text_of(name));
        return;
    }
    sc_int128_format((sc_int128)user, number);
    sc_text_put(&sink, sc_text_of("user-"));
    sc_text_put(&sink, sc_text_of(number));
}

/* Has the system given an answer, even if it is that there is no such user? A missing file of
 * users counts as an answer; a service that cannot be reached and a lack of memory or
 * descriptors do not. */
static bool is_answer(int code)
{
    return code == 0 || code == ENOENT || code == ESRCH || code == ERANGE;
}

scrim_status sc_identity_fail(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER,
                   "the system cannot say who you are: its name service has failed; "
                   "nothing was charged; try again");
}

void sc_identity_of_process(sc_identity *out)
{
    char room[ENTRY_BYTES];
    struct passwd entry, *found = NULL;
    const uid_t user = getuid();
    const int code = getpwuid_r(user, &entry, room, sizeof room, &found);
    sc_identity_set(out, user, code != 0 || found == NULL ? NULL : found->pw_name);
    out->is_unsure = !is_answer(code);
}

scrim_status sc_identity_of_name(const char *name, sc_identity *out, scrim_error *error)
{
    char room[ENTRY_BYTES];
    struct passwd entry, *found = NULL;
    const int code = getpwnam_r(name, &entry, room, sizeof room, &found);
    if (!is_answer(code))
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the system cannot say who '%s' is: its name service has failed; "
                       "try again",
                       name);
    if (code != 0 || found == NULL || strcmp(found->pw_name, name) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "analyst",
                           "unknown user '%s' on this system", name);
    sc_identity_set(out, found->pw_uid, found->pw_name);
    return SCRIM_OK;
}

scrim_status sc_vault_new(sc_store *store, int wait_ms, scrim_vault **out,
                          scrim_error *error)
{
    scrim_vault *v = sc_allocate(1, sizeof *v);
    scrim_status status = SCRIM_OK;
    if (v == NULL || !sc_process_mark_init(&v->here) ||
        pthread_mutex_init(&v->lock, NULL) != 0) {
        if (v != NULL)
            sc_process_mark_clear(&v->here);
        sc_free(v);
        store->functions->close(store);
        return sc_no_memory(error, "the vault");
    }
    v->store = store;
    v->wait_ms = wait_ms;
    v->is_stale = true;
    v->is_owner = true;
    sc_event_init(&v->event);
    sc_book_init(&v->book);
    sc_chain_init(&v->chain);
    sc_identity_of_process(&v->identity);
    memcpy(v->analyst, v->identity.name, sizeof v->analyst);
    status = sc_digester_new(&v->digester, error);
    if (status == SCRIM_OK)
        *out = v;
    else
        scrim_vault_close(v);
    return status;
}

void scrim_vault_close(scrim_vault *v)
{
    if (v == NULL)
        return;
    /* A child leaves the connection alone: closing it could roll back, in the file, what the parent
     * has under way. */
    if (sc_process_mark_is_here(&v->here))
        v->store->functions->close(v->store);
    sc_digester_free(v->digester);
    sc_book_clear(&v->book);
    sc_event_clear(&v->event);
    pthread_mutex_destroy(&v->lock);
    sc_process_mark_clear(&v->here);
    sc_free(v);
}

int scrim_vault_is_owned(const scrim_vault *vault)
{
    return vault->is_owner;
}

const char *scrim_vault_analyst(const scrim_vault *vault)
{
    return vault->analyst;
}

/* A child may have a copy of a lock that is held, and nobody there gives it back. */
void scrim_vault_tell_time(scrim_vault *vault, uint64_t seconds)
{
    if (!sc_process_mark_is_here(&vault->here))
        return;
    pthread_mutex_lock(&vault->lock);
    vault->now = seconds > SC_EVENT_TIME_MAX ? 0 : seconds;
    pthread_mutex_unlock(&vault->lock);
}

void scrim_vault_watch(scrim_vault *vault,
                       void (*progress)(void *context, uint64_t done, uint64_t total),
                       void *context)
{
    if (sc_process_mark_is_here(&vault->here))
        vault->watch = (sc_content_watch){progress, context};
}

/* Reading on. */

static scrim_status take_policy(void *context, const sc_chain *at, sc_text bytes,
                                scrim_error *error)
{
    scrim_vault *v = context;
    scrim_status status = sc_event_parse(bytes, &v->event, error);
    if (status == SCRIM_OK)
        status = sc_book_apply(&v->book, at->generation, &v->event, error);
    return status == SCRIM_OK || status == SCRIM_E_MEMORY ? status
                                                          : sc_vault_fail_chain(error);
}

static scrim_status take_total(void *context, const sc_total *total, scrim_error *error)
{
    scrim_vault *v = context;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, amount, delta);
    if (sc_ratio_parse(total->amount, &amount, NULL) != SCRIM_OK ||
        sc_ratio_parse(total->delta, &delta, NULL) != SCRIM_OK)
        status = sc_vault_fail_chain(error);
    if (status == SCRIM_OK)
        status = sc_book_load(&v->book, total->population, total->analyst, &amount,
                              &delta, total->charges, error);
    return status;
}

/* The book from what the store keeps beside the entries: policy and totals. */
static scrim_status reload(scrim_vault *v, const sc_chain *head, scrim_error *error)
{
    const sc_store_functions *f = v->store->functions;
    sc_book_clear(&v->book);
    v->is_stale = true;
    SC_TRY(sc_vault_check_tail(v, head, error));
    SC_TRY(f->check_seal(v->store, error));
    SC_TRY(f->entries(v->store, 1, true, take_policy, v, error));
    SC_TRY(f->totals(v->store, take_total, v, error));
    v->chain = *head;
    v->is_stale = false;
    return SCRIM_OK;
}

/* Reads the entries that others have appended since. */
static scrim_status take_next(void *context, const sc_chain *at, sc_text bytes,
                              scrim_error *error)
{
    scrim_vault *v = context;
    sc_chain next;
    scrim_status status = sc_chain_extend(&v->chain, v->digester, bytes, &next, error);
    if (status == SCRIM_OK && !sc_chain_equal(&next, at))
        status = sc_vault_fail_chain(error);
    if (status == SCRIM_OK)
        status = take_policy(v, at, bytes, error);
    if (status == SCRIM_OK)
        v->chain = next;
    return status;
}

void sc_vault_note_analyst(scrim_vault *v)
{
    const uint64_t number =
        sc_book_find_analyst(&v->book, v->identity.user, (sc_text){NULL, 0});
    const sc_analyst *known = sc_book_analyst(&v->book, number);
    if (known != NULL && strcmp(known->name, v->analyst) != 0)
        memcpy(v->analyst, known->name, strlen(known->name) + 1);
}

static scrim_status catch_up(scrim_vault *v, scrim_error *error)
{
    sc_chain head;
    scrim_status status = v->store->functions->head(v->store, &head, error);
    if (status != SCRIM_OK)
        return status;
    if (v->is_stale)
        return reload(v, &head, error);
    if (sc_chain_equal(&head, &v->chain))
        return SCRIM_OK;
    if (head.generation <= v->chain.generation)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault was put back to an earlier state while it was open");
    status = v->store->functions->entries(v->store, v->chain.generation + 1, false,
                                          take_next, v, error);
    if (status == SCRIM_OK && !sc_chain_equal(&head, &v->chain))
        status = sc_vault_fail_chain(error);
    if (status != SCRIM_OK)
        v->is_stale = true;
    return status;
}

/* Writing. */

static scrim_status put_tally(scrim_vault *v, uint64_t population, uint64_t analyst,
                              scrim_error *error)
{
    const sc_tally *tally = sc_book_tally(&v->book, population, analyst);
    char amount[SC_RATIO_TEXT_BYTES], delta[SC_RATIO_TEXT_BYTES];
    sc_ratio_format(&tally->amount, amount, sizeof amount);
    sc_ratio_format(&tally->delta, delta, sizeof delta);
    const sc_total total = {population, analyst, tally->charges, sc_text_of(amount),
                            sc_text_of(delta)};
    return v->store->functions->put_total(v->store, &total, error);
}

static scrim_status put_tallies(scrim_vault *v, const sc_event *event, scrim_error *error)
{
    const uint64_t population = v->book.datasets[event->dataset - 1].population;
    if (sc_event_is_charge(event->kind))
        SC_TRY(put_tally(v, population, 0, error));
    return put_tally(v, population, event->analyst, error);
}

static scrim_status append_one(scrim_vault *v, const sc_event *event, scrim_error *error)
{
    sc_chain next;
    size_t count = 0;
    char *bytes = sc_allocate(sc_event_capacity(event), 1);
    if (bytes == NULL)
        return sc_no_memory(error, "an entry");
    scrim_status status = sc_event_format(event, bytes, &count, error);
    if (status == SCRIM_OK)
        status = sc_chain_extend(&v->chain, v->digester, (sc_text){bytes, count}, &next,
                                 error);
    if (status == SCRIM_OK)
        status = sc_book_apply(&v->book, next.generation, event, error);
    if (status == SCRIM_OK) {
        v->is_dirty = true;
        v->chain = next;
        status = v->store->functions->append(v->store, &next,
                                             !sc_event_is_traffic(event->kind),
                                             (sc_text){bytes, count}, error);
    }
    if (status == SCRIM_OK &&
        (sc_event_is_charge(event->kind) || event->kind == SC_EVENT_VIEW))
        status = put_tallies(v, event, error);
    sc_free(bytes);
    return status;
}

/* An answer follows its charge, and has no time of its own. */
scrim_status sc_vault_append(scrim_vault *v, const sc_event *event, scrim_error *error)
{
    const bool is_answer =
        event->kind == SC_EVENT_RELEASE || event->kind == SC_EVENT_ASKED;
    scrim_status status = SCRIM_OK;
    if (v->now != 0 && v->now != v->book.time && !is_answer) {
        SC_OWN(sc_event, now);
        now.kind = SC_EVENT_TIME;
        now.time = v->now;
        status = append_one(v, &now, error);
    }
    return status == SCRIM_OK ? append_one(v, event, error) : status;
}

scrim_status sc_vault_add_key(scrim_vault *v, scrim_error *error)
{
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_KEY;
    SC_TRY(sc_store_key_draw(v->store, &event.digest, error));
    return sc_vault_append(v, &event, error);
}

typedef struct sighting {
    sc_chain seen;
    bool is_there;
} sighting;

static scrim_status take_seen(void *context, const sc_chain *at, sc_text bytes,
                              scrim_error *error)
{
    sighting *s = context;
    (void)bytes;
    (void)error;
    s->is_there = sc_chain_equal(at, &s->seen);
    return SCRIM_E_STATE; /* one is enough */
}

scrim_status sc_vault_check_seen(scrim_vault *v, const sc_chain *seen, scrim_error *error)
{
    sighting s = {.seen = *seen};
    scrim_status status = v->store->functions->entries(v->store, seen->generation, false,
                                                       take_seen, &s, error);
    if (status != SCRIM_OK && status != SCRIM_E_STATE)
        return status;
    if (s.is_there)
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_MOVED, "restored",
                       "the vault was put back to an earlier state: its witness has seen "
                       "entry %llu, which is not there; use the file that has it",
                       (unsigned long long)seen->generation);
}

/* The witness is prepared before the commit, so that one that cannot be written costs no charge.
 * The head that it has seen is looked for again: a copy of the vault may have gone on since this one was
 * opened. */
static scrim_status commit_prepared(scrim_vault *v, const char *path,
                                    sc_witness_step step, sc_witness_writer **out,
                                    scrim_error *error)
{
    const sc_witness witness = {v->book.identity, v->chain};
    sc_witness_writer *writer = NULL;
    scrim_status status = SCRIM_OK;
    if (path != NULL)
        status = sc_witness_prepare(path, &witness, step, v->wait_ms, &writer, error);
    if (status == SCRIM_OK && path != NULL && step == SC_WITNESS_NEXT) {
        const sc_chain seen = sc_witness_seen(writer);
        status = sc_vault_check_seen(v, &seen, error);
    }
    if (status != SCRIM_OK) {
        v->store->functions->rollback(v->store);
    } else {
        v->outcome = SC_VAULT_SENT;
        status = v->store->functions->commit(v->store, error);
        if (status == SCRIM_E_BUSY)
            v->outcome = SC_VAULT_NOTHING;
    }
    if (status == SCRIM_OK) {
        v->outcome = SC_VAULT_KEPT;
        *out = writer;
        return SCRIM_OK;
    }
    v->is_stale = true;
    sc_witness_abandon(writer);
    return status;
}

/* It has its name after the commit, so that it never runs ahead. */
static scrim_status commit_witnessed(scrim_vault *v, scrim_error *error)
{
    sc_witness_writer *writer = NULL;
    const scrim_status status = commit_prepared(
        v, v->book.witness, v->is_accepted ? SC_WITNESS_AGAIN : SC_WITNESS_NEXT, &writer,
        error);
    return status == SCRIM_OK && writer != NULL ? sc_witness_publish(writer, error)
                                                : status;
}

/* In a transaction of its own, and whether it succeeds or not: the refusal stands. */
static void count_refusal(scrim_vault *v)
{
    if (v->store->functions->begin(v->store, true, NULL) != SCRIM_OK)
        return;
    if (v->store->functions->put_refusal(v->store, NULL) != SCRIM_OK ||
        v->store->functions->commit(v->store, NULL) != SCRIM_OK)
        v->store->functions->rollback(v->store);
}

static scrim_status transact(scrim_vault *v, bool writing, sc_vault_plan *plan,
                             void *context, scrim_error *error)
{
    const sc_store_functions *f = v->store->functions;
    v->is_dirty = false;
    v->is_accepted = false;
    v->outcome = SC_VAULT_NOTHING;
    scrim_status status = f->begin(v->store, writing, error);
    if (status != SCRIM_OK)
        return status;
    if (f->must_verify(v->store))
        status = sc_vault_verify_here(v, error);
    if (status == SCRIM_OK)
        status = catch_up(v, error);
    const bool is_caught_up = status == SCRIM_OK;
    if (status == SCRIM_OK)
        status = plan(v, context, error);
    /* A vault that was made without a key gets one as its owner uses it. */
    if (status == SCRIM_OK && v->is_dirty && v->is_owner && v->book.key_entry == 0)
        status = sc_vault_add_key(v, error);
    /* So does one whose place is known as format 1 knew it. */
    if (status == SCRIM_OK && v->is_dirty && v->is_owner && v->is_found &&
        v->book.location.is_brief)
        status = sc_vault_move(v, &v->location, error);
    if (status == SCRIM_OK && v->is_dirty)
        return commit_witnessed(v, error);
    f->rollback(v->store);
    if (v->is_dirty)
        v->is_stale = true;
    if (is_caught_up && writing && (status == SCRIM_E_BUDGET || status == SCRIM_E_POLICY))
        count_refusal(v);
    return status;
}

scrim_status sc_vault_refuse_damage(scrim_status status, scrim_error *error)
{
    if (status != SCRIM_E_CHECK)
        return status;
    if (error != NULL)
        error->status = SCRIM_E_LEDGER;
    return SCRIM_E_LEDGER;
}

scrim_status sc_vault_check_process(const scrim_vault *v, scrim_error *error)
{
    if (sc_process_mark_is_here(&v->here))
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_STATE,
                   "a vault is used by the process that opened it; open it again");
}

static scrim_status locked(scrim_vault *v, bool writing, sc_vault_plan *plan,
                           void *context, sc_vault_outcome *outcome, scrim_error *error)
{
    scrim_status status = sc_vault_check_process(v, error);
    *outcome = SC_VAULT_NOTHING;
    if (status != SCRIM_OK)
        return status;
    pthread_mutex_lock(&v->lock);
    status = transact(v, writing, plan, context, error);
    *outcome = (sc_vault_outcome)v->outcome;
    pthread_mutex_unlock(&v->lock);
    return sc_vault_refuse_damage(status, error);
}

scrim_status sc_vault_write(scrim_vault *v, sc_vault_plan *plan, void *context,
                            scrim_error *error)
{
    sc_vault_outcome outcome;
    return locked(v, true, plan, context, &outcome, error);
}

scrim_status sc_vault_write_told(scrim_vault *v, sc_vault_plan *plan, void *context,
                                 sc_vault_outcome *outcome, scrim_error *error)
{
    return locked(v, true, plan, context, outcome, error);
}

scrim_status sc_vault_read(scrim_vault *v, sc_vault_plan *plan, void *context,
                           scrim_error *error)
{
    sc_vault_outcome outcome;
    return locked(v, false, plan, context, &outcome, error);
}

scrim_status sc_vault_move(scrim_vault *v, const sc_location *here, scrim_error *error)
{
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_FILE;
    event.name = sc_text_of(here->system);
    event.inode = here->inode;
    event.has_born = here->has_born;
    event.born = here->born;
    event.has_generation = here->has_generation;
    event.generation = here->generation;
    return sc_vault_append(v, &event, error);
}

scrim_status sc_vault_accept(scrim_vault *v, const char *witness, uint64_t seen,
                             scrim_error *error)
{
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_WITNESS;
    event.seen = seen;
    event.body = sc_text_of(witness == NULL ? "" : witness);
    v->is_accepted = true;
    return sc_vault_append(v, &event, error);
}

/* The first entries. */

static scrim_status begin_ledger(scrim_vault *v, const char *witness,
                                 const sc_location *here, scrim_error *error)
{
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_INIT;
    event.is_test = sc_is_test_build;
    event.is_keyed = true;
    /* A public key is a name that no other vault has. */
    scrim_status status = sc_store_key_draw(v->store, &event.digest, error);
    char *path = status == SCRIM_OK && witness != NULL
                     ? sc_witness_path(witness, &event.digest)
                     : NULL;
    if (status == SCRIM_OK && witness != NULL && path == NULL)
        status = sc_no_memory(error, "the vault");
    event.body = sc_text_of(path);
    if (status == SCRIM_OK)
        status = sc_vault_append(v, &event, error);
    sc_free(path);
    return status == SCRIM_OK ? sc_vault_move(v, here, error) : status;
}

scrim_status sc_vault_begin(scrim_vault *v, const char *witness, const sc_location *here,
                            sc_witness_writer **writer, scrim_error *error)
{
    const sc_location nowhere = {.system = "-"};
    sc_witness_writer *none = NULL;
    scrim_status status = v->store->functions->begin(v->store, true, error);
    if (status != SCRIM_OK)
        return status;
    status = catch_up(v, error);
    if (status == SCRIM_OK)
        status = begin_ledger(v, witness, here == NULL ? &nowhere : here, error);
    if (status == SCRIM_OK)
        return commit_prepared(v, v->book.witness, SC_WITNESS_NEW,
                               witness == NULL ? &none : writer, error);
    v->store->functions->rollback(v->store);
    return status;
}
