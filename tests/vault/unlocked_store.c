#include "unlocked_store.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HELD 4
#define HELD_BYTES 512

typedef struct held_entry {
    bool is_policy;
    sc_digest hash;
    size_t count;
    char bytes[HELD_BYTES];
} held_entry;

typedef struct unlocked_store {
    sc_store store;
    sc_store *inner;
    held_entry entries[HELD];
    size_t held;
    bool writing;
} unlocked_store;

static sc_store *inner_of(sc_store *store)
{
    return ((unlocked_store *)store)->inner;
}

/* A reader's view, whoever else may be writing. */
static scrim_status begin(sc_store *store, bool writing, scrim_error *error)
{
    unlocked_store *u = (unlocked_store *)store;
    u->held = 0;
    u->writing = writing;
    return u->inner->functions->begin(u->inner, false, error);
}

static void rollback(sc_store *store)
{
    inner_of(store)->functions->rollback(inner_of(store));
}

/* An entry that was admitted against that view is appended to whatever the head is by now. */
static scrim_status commit(sc_store *store, scrim_error *error)
{
    unlocked_store *u = (unlocked_store *)store;
    const sc_store_functions *f = u->inner->functions;
    sc_chain head;
    f->rollback(u->inner);
    /* On a busy machine, too, others look before it writes. */
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    scrim_status status = f->begin(u->inner, true, error);
    if (status != SCRIM_OK)
        return status;
    status = f->head(u->inner, &head, error);
    for (size_t i = 0; status == SCRIM_OK && i < u->held; i++) {
        head = (sc_chain){head.generation + 1, u->entries[i].hash};
        status = f->append(u->inner, &head, u->entries[i].is_policy,
                           (sc_text){u->entries[i].bytes, u->entries[i].count}, error);
    }
    if (status == SCRIM_OK)
        return f->commit(u->inner, error);
    f->rollback(u->inner);
    return status;
}

static scrim_status append(sc_store *store, const sc_chain *at, bool is_policy,
                           sc_text bytes, scrim_error *error)
{
    unlocked_store *u = (unlocked_store *)store;
    (void)error;
    if (u->held == HELD || bytes.bytes > HELD_BYTES)
        return SCRIM_E_LIMIT;
    held_entry *made = &u->entries[u->held++];
    made->is_policy = is_policy;
    made->hash = at->head;
    made->count = bytes.bytes;
    memcpy(made->bytes, bytes.start, bytes.bytes);
    return SCRIM_OK;
}

static scrim_status head(sc_store *store, sc_chain *out, scrim_error *error)
{
    return inner_of(store)->functions->head(inner_of(store), out, error);
}

static bool must_verify(sc_store *store)
{
    (void)store;
    return false;
}

/* Its entries have no seal. */
static scrim_status check_seal(sc_store *store, scrim_error *error)
{
    (void)store;
    (void)error;
    return SCRIM_OK;
}

static scrim_status put_total(sc_store *store, const sc_total *total, scrim_error *error)
{
    (void)store;
    (void)total;
    (void)error;
    return SCRIM_OK;
}

static scrim_status put_answer(sc_store *store, uint64_t charge,
                               const sc_digest *question, sc_text answer,
                               scrim_error *error)
{
    (void)store;
    (void)charge;
    (void)question;
    (void)answer;
    (void)error;
    return SCRIM_OK;
}

static scrim_status put_refusal(sc_store *store, scrim_error *error)
{
    (void)store;
    (void)error;
    return SCRIM_OK;
}

static scrim_status entries(sc_store *store, uint64_t from, bool policy_only,
                            sc_store_entry_visitor *visit, void *context,
                            scrim_error *error)
{
    return inner_of(store)->functions->entries(inner_of(store), from, policy_only, visit,
                                               context, error);
}

static scrim_status totals(sc_store *store, sc_store_total_visitor *visit, void *context,
                           scrim_error *error)
{
    return inner_of(store)->functions->totals(inner_of(store), visit, context, error);
}

/* It keeps neither answers nor keys. */
static scrim_status answer_of(sc_store *store, uint64_t charge, sc_digest *question,
                              char **out, scrim_error *error)
{
    (void)store;
    (void)charge;
    (void)question;
    (void)error;
    *out = NULL;
    return SCRIM_OK;
}

/* Neither keys nor answers are kept. */
static scrim_status next_none(sc_store *store, uint64_t *charge, scrim_error *error)
{
    (void)store;
    (void)error;
    *charge = 0;
    return SCRIM_OK;
}

static void close_both(sc_store *store)
{
    inner_of(store)->functions->close(inner_of(store));
    free(store);
}

static const sc_store_functions functions = {.begin = begin,
                                             .commit = commit,
                                             .rollback = rollback,
                                             .must_verify = must_verify,
                                             .check_seal = check_seal,
                                             .head = head,
                                             .append = append,
                                             .put_total = put_total,
                                             .put_answer = put_answer,
                                             .put_refusal = put_refusal,
                                             .entries = entries,
                                             .totals = totals,
                                             .answer = answer_of,
                                             .next_pending = next_none,
                                             .next_answer = next_none,
                                             .close = close_both};

sc_store *unlocked_store_new(sc_store *inner)
{
    unlocked_store *u = calloc(1, sizeof *u);
    if (u == NULL)
        return NULL;
    u->store.functions = &functions;
    u->inner = inner;
    return &u->store;
}
