/* The last entries, which opening looks at. */
#include "base/memory.h"
#include "vault/vault.h"

#include <string.h>

/* A charge or the answer to one. */
typedef struct item {
    uint64_t charge;    /* 0: neither */
    bool is_release;    /* the answer */
    bool is_answered;   /* of a charge */
    sc_digest question; /* of a charge */
    sc_digest answer;   /* of a release */
} item;

typedef struct tail {
    scrim_vault *vault;
    sc_chain chain; /* of generation 0 before the first */
    uint64_t from;  /* the first entry */
    size_t count;
    item items[SC_TAIL_ENTRIES + 1];
} tail;

scrim_status sc_vault_fail_chain(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                       "the ledger's chain is broken");
}

static scrim_status fail_beside(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                       "the vault's answers do not match its ledger");
}

/* The question of the charge that was read last. */
static scrim_status question_of(scrim_vault *v, sc_digest *out, scrim_error *error)
{
    const sc_event *e = &v->event;
    return sc_event_is_charge(e->kind)
               ? sc_vault_question(v, e->dataset, e->version, e->body, out, error)
               : fail_beside(error);
}

static scrim_status take_item(tail *t, uint64_t id, sc_text bytes, scrim_error *error)
{
    const sc_event *e = &t->vault->event;
    item *made = &t->items[t->count++];
    *made = (item){.charge = 0};
    scrim_status status = sc_event_parse(bytes, &t->vault->event, error);
    if (status != SCRIM_OK)
        return status == SCRIM_E_MEMORY ? status : sc_vault_fail_chain(error);
    if (sc_event_is_charge(e->kind)) {
        made->charge = id;
        return question_of(t->vault, &made->question, error);
    }
    if (e->kind == SC_EVENT_RELEASE) {
        *made = (item){.charge = e->charge, .is_release = true, .answer = e->digest};
        if (e->charge >= t->from && e->charge < id)
            t->items[e->charge - t->from].is_answered = true;
    }
    return SCRIM_OK;
}

static scrim_status take_entry(void *context, const sc_chain *at, sc_text bytes,
                               scrim_error *error)
{
    tail *t = context;
    const bool is_inside = t->chain.generation != 0 || at->generation == 1;
    sc_chain next = *at;
    scrim_status status = SCRIM_OK;
    if (is_inside)
        status = sc_chain_extend(&t->chain, t->vault->digester, bytes, &next, error);
    else
        t->from = at->generation;
    if (status == SCRIM_OK && (!sc_chain_equal(&next, at) || t->count > SC_TAIL_ENTRIES))
        status = sc_vault_fail_chain(error);
    t->chain = next;
    return status == SCRIM_OK ? take_item(t, at->generation, bytes, error) : status;
}

/* The charge among the last entries; NULL: it is none of them, or no charge. */
static const item *charge_in(const tail *t, uint64_t id)
{
    const item *found =
        id >= t->from && id - t->from < t->count ? &t->items[id - t->from] : NULL;
    return found != NULL && found->charge == id && !found->is_release ? found : NULL;
}

static scrim_status find_question(const tail *t, uint64_t charge, sc_digest *out,
                                  scrim_error *error)
{
    const item *known = charge_in(t, charge);
    char *bytes = NULL;
    if (known != NULL) {
        *out = known->question;
        return SCRIM_OK;
    }
    if (charge == 0 || charge >= t->from)
        return fail_beside(error);
    scrim_status status = sc_vault_entry(t->vault, charge, &bytes, error);
    if (status == SCRIM_E_PARAM)
        status = fail_beside(error);
    if (status == SCRIM_OK)
        status = question_of(t->vault, out, error);
    sc_free(bytes);
    return status;
}

/* The answer is there, is found by its question, and is the one whose digest was entered. */
static scrim_status check_release(const tail *t, const item *release, size_t *bytes,
                                  scrim_error *error)
{
    sc_store *store = t->vault->store;
    const sc_store_functions *f = store->functions;
    sc_digest want, question, digest;
    uint64_t first = 0;
    char *answer = NULL;
    scrim_status status = find_question(t, release->charge, &want, error);
    if (status == SCRIM_OK)
        status = f->answer(store, release->charge, &question, &answer, error);
    if (status == SCRIM_OK && answer == NULL)
        status = fail_beside(error);
    if (status == SCRIM_OK)
        status = f->find(store, &want, &first, error);
    if (status == SCRIM_OK) {
        *bytes += strlen(answer);
        status = sc_digest_of(t->vault->digester, sc_text_of(answer), (sc_text){NULL, 0},
                              &digest, error);
    }
    if (status == SCRIM_OK &&
        (first == 0 || first > release->charge || !sc_digest_equal(&question, &want) ||
         !sc_digest_equal(&digest, &release->answer)))
        status = fail_beside(error);
    sc_free(answer);
    return status;
}

/* An entry that is not an answered charge has no answer. */
static scrim_status check_unanswered(const tail *t, uint64_t entry, scrim_error *error)
{
    sc_store *store = t->vault->store;
    char *answer = NULL;
    scrim_status status = store->functions->answer(store, entry, NULL, &answer, error);
    if (status == SCRIM_OK && answer != NULL)
        status = fail_beside(error);
    sc_free(answer);
    return status;
}

/* The newest entries first, until enough bytes of answers are read. */
static scrim_status check_items(const tail *t, scrim_error *error)
{
    size_t bytes = 0;
    scrim_status status = SCRIM_OK;
    for (size_t i = t->count; i > 0 && status == SCRIM_OK; i--) {
        const item *now = &t->items[i - 1];
        if (bytes > SC_TAIL_ANSWER_BYTES)
            break;
        if (!now->is_answered)
            status = check_unanswered(t, t->from + i - 1, error);
        if (status == SCRIM_OK && now->is_release)
            status = check_release(t, now, &bytes, error);
    }
    return status;
}

/* Each key belongs to a charge without an answer. */
static scrim_status check_keys(const tail *t, scrim_error *error)
{
    sc_store *store = t->vault->store;
    uint64_t charge = 0;
    scrim_status status = store->functions->next_pending(store, &charge, error);
    for (size_t i = 0; status == SCRIM_OK && charge != 0 && i < SC_TAIL_ENTRIES; i++) {
        const item *known = charge_in(t, charge);
        sc_digest want, question;
        bool is_there = false;
        status = find_question(t, charge, &want, error);
        if (status == SCRIM_OK)
            status =
                store->functions->pending(store, charge, &question, &is_there, error);
        if (status == SCRIM_OK && (!is_there || !sc_digest_equal(&question, &want) ||
                                   (known != NULL && known->is_answered)))
            status = fail_beside(error);
        if (status == SCRIM_OK && known == NULL)
            status = check_unanswered(t, charge, error);
        if (status == SCRIM_OK)
            status = store->functions->next_pending(store, &charge, error);
    }
    return status;
}

/* No answer is numbered beyond the last entry: it would be shown for a charge that is yet to be made. */
static scrim_status check_behind(const tail *t, uint64_t last, scrim_error *error)
{
    sc_store *store = t->vault->store;
    uint64_t charge = last;
    SC_TRY(store->functions->next_answer(store, &charge, error));
    return charge == 0 ? SCRIM_OK : fail_beside(error);
}

/* The head is that of the last entry; an empty ledger has the empty head. */
scrim_status sc_vault_check_tail(scrim_vault *v, const sc_chain *head, scrim_error *error)
{
    tail *t = sc_allocate(1, sizeof *t);
    if (t == NULL)
        return sc_no_memory(error, "the vault");
    t->vault = v;
    t->from = 1;
    const uint64_t from =
        head->generation > SC_TAIL_ENTRIES ? head->generation - SC_TAIL_ENTRIES : 1;
    scrim_status status =
        v->store->functions->entries(v->store, from, false, take_entry, t, error);
    if (status == SCRIM_OK && !sc_chain_equal(&t->chain, head))
        status = sc_vault_fail_chain(error);
    if (status == SCRIM_OK)
        status = check_items(t, error);
    if (status == SCRIM_OK)
        status = check_keys(t, error);
    if (status == SCRIM_OK)
        status = check_behind(t, head->generation, error);
    sc_free(t);
    return status;
}
