/* Everything recomputed from the entries alone, and held against what stands beside them. */
#include "base/memory.h"
#include "ledger/bundle.h"
#include "ledger/run_record.h"
#include "vault/vault.h"
#include "vault/vault_key.h"

#include <inttypes.h>
#include <string.h>

typedef enum answer_state { STATE_OTHER = 0, STATE_CHARGED, STATE_ANSWERED } answer_state;

typedef struct inquiry {
    scrim_vault *vault;
    sc_book book;
    sc_chain chain;
    unsigned char *states; /* by entry, from 1 on */
    sc_digest *questions;  /* likewise, of charges */
    uint64_t *asked;       /* likewise, of runs: the answers so far */
    uint64_t entries;      /* that the head speaks of */
    bool has_last;         /* the last of them is there */
    uint64_t room;         /* for entries in states, questions and asked */
    uint64_t step;         /* entries of this transaction */
    bool is_whole;         /* all of them in one transaction */
    bool is_done;
    uint64_t policies, charges, releases, totals;
    const scrim_vault_options *options; /* NULL, or with a progress to tell */
} inquiry;

/* Entries of a transaction: between two of them others write, and the caller is told. */
#define PROGRESS_STEP 1024

static void tell_progress(const inquiry *q)
{
    if (q->options != NULL && q->options->progress != NULL &&
        q->chain.generation % PROGRESS_STEP == 0)
        q->options->progress(q->options->context, q->chain.generation, q->entries);
}

static scrim_status fail_check(const char *what, uint64_t id, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK, "the ledger does not hold: %s (entry %llu)",
                   what, (unsigned long long)id);
}

static scrim_status check_answer(inquiry *q, const sc_event *e, uint64_t id,
                                 scrim_error *error)
{
    char *answer = NULL;
    sc_digest digest, question;
    if (e->charge >= id || q->states[e->charge] != STATE_CHARGED)
        return fail_check("a release without its charge, or a second one", id, error);
    q->states[e->charge] = STATE_ANSWERED;
    q->releases++;
    scrim_vault *v = q->vault;
    scrim_status status =
        v->store->functions->answer(v->store, e->charge, &question, &answer, error);
    if (status == SCRIM_OK && answer == NULL)
        status = fail_check("an answer is missing", id, error);
    if (status == SCRIM_OK)
        status = sc_digest_of(v->digester, sc_text_of(answer), (sc_text){NULL, 0},
                              &digest, error);
    if (status == SCRIM_OK && !sc_digest_equal(&digest, &e->digest))
        status = fail_check("an answer was changed", id, error);
    if (status == SCRIM_OK && !sc_digest_equal(&question, &q->questions[e->charge]))
        status = fail_check("an answer is found by another question", id, error);
    sc_free(answer);
    return status;
}

/* An answer of a run that is open, one after the other. */
static scrim_status check_asked(inquiry *q, const sc_event *e, uint64_t id,
                                scrim_error *error)
{
    sc_run_piece piece;
    if (e->charge >= id || q->states[e->charge] != STATE_CHARGED)
        return fail_check("an answer of a run without its charge", id, error);
    if (e->query != q->asked[e->charge] + 1 || !sc_run_piece_read(e->body, &piece))
        return fail_check("an answer of a run is missing or invalid", id, error);
    q->asked[e->charge]++;
    return SCRIM_OK;
}

scrim_status sc_vault_joint_check(const sc_book *book, const sc_event *e, uint64_t id,
                                  scrim_error *error)
{
    const sc_dataset_entry *d = sc_book_dataset(book, e->dataset);
    const sc_filter *filter = &sc_book_population(book, d->population)->filter;
    scrim_neighbours neighbours = SCRIM_ADD_REMOVE;
    SC_OWN(sc_ratio, epsilon, delta);
    scrim_status status =
        sc_declared_price(e->declared, &neighbours, &epsilon, &delta, NULL);
    if (status == SCRIM_E_MEMORY)
        (void)sc_fail(error, SCRIM_E_MEMORY, "out of memory to verify the ledger");
    else if (status != SCRIM_OK || filter->rule != SC_FILTER_SUM ||
             filter->neighbours != neighbours ||
             sc_ratio_compare(&epsilon, &e->amount) != 0 ||
             sc_ratio_compare(&delta, &e->delta) != 0)
        status = fail_check("a joint charge is not what its parts come to", id, error);
    return status;
}

static scrim_status check_entry(void *context, const sc_chain *at, sc_text bytes,
                                scrim_error *error)
{
    inquiry *q = context;
    scrim_vault *v = q->vault;
    sc_event *e = &v->event;
    if (!q->is_whole && q->step++ == PROGRESS_STEP)
        return SCRIM_E_STATE; /* the batch is full */
    scrim_status status =
        sc_chain_extend(&q->chain, v->digester, bytes, &q->chain, error);
    if (status != SCRIM_OK)
        return status;
    if (!sc_chain_equal(&q->chain, at) || at->generation > q->entries)
        return fail_check("the chain is broken", at->generation, error);
    if (sc_event_parse(bytes, e, NULL) != SCRIM_OK)
        return fail_check("it cannot be read", at->generation, error);
    status = sc_book_apply(&q->book, at->generation, e, error);
    if (status == SCRIM_E_MEMORY)
        return status;
    if (status != SCRIM_OK)
        return fail_check("it ought to have been refused", at->generation, error);
    if (e->kind == SC_EVENT_JOINT)
        status = sc_vault_joint_check(&q->book, e, at->generation, error);
    if (status != SCRIM_OK)
        return status;
    q->policies += !sc_event_is_traffic(e->kind);
    if (sc_event_is_charge(e->kind)) {
        q->states[at->generation] = STATE_CHARGED;
        q->charges++;
        status = sc_vault_question(v, e->dataset, e->version, e->body,
                                   &q->questions[at->generation], error);
    }
    if (e->kind == SC_EVENT_VIEW &&
        (e->charge >= at->generation || q->states[e->charge] == 0))
        return fail_check("it books the answer to no charge", at->generation, error);
    if (e->kind == SC_EVENT_ASKED)
        status = check_asked(q, e, at->generation, error);
    return e->kind == SC_EVENT_RELEASE ? check_answer(q, e, at->generation, error)
                                       : status;
}

static scrim_status check_total(void *context, const sc_total *total, scrim_error *error)
{
    inquiry *q = context;
    char amount[SC_RATIO_TEXT_BYTES], delta[SC_RATIO_TEXT_BYTES];
    const sc_tally *tally = sc_book_tally(&q->book, total->population, total->analyst);
    if (tally != NULL) {
        sc_ratio_format(&tally->amount, amount, sizeof amount);
        sc_ratio_format(&tally->delta, delta, sizeof delta);
    }
    if (tally == NULL || tally->charges != total->charges || tally->charges == 0 ||
        !sc_text_is(total->amount, amount) || !sc_text_is(total->delta, delta))
        return sc_fail(error, SCRIM_E_CHECK,
                       "the ledger does not hold: a total is not that of its entries");
    q->totals++;
    return SCRIM_OK;
}

/* An entry of the index of policy: as many as there are, and all of them policy. */
static scrim_status check_policy(void *context, const sc_chain *at, sc_text bytes,
                                 scrim_error *error)
{
    inquiry *q = context;
    if (sc_event_parse(bytes, &q->vault->event, NULL) != SCRIM_OK ||
        sc_event_is_traffic(q->vault->event.kind) || q->policies == 0)
        return fail_check("it is taken for policy", at->generation, error);
    q->policies--;
    return SCRIM_OK;
}

/* A key is kept for a charge that has no answer, under the question of that charge. */
static scrim_status check_pending(const inquiry *q, scrim_error *error)
{
    sc_store *store = q->vault->store;
    uint64_t id = 0;
    scrim_status status = store->functions->next_pending(store, &id, error);
    while (status == SCRIM_OK && id != 0) {
        sc_digest question = {{0}};
        bool is_there = false;
        if (id > q->entries || q->states[id] != STATE_CHARGED)
            return sc_fail(error, SCRIM_E_CHECK,
                           "the ledger does not hold: the key of a release that is "
                           "answered, or was never charged, is kept");
        status = store->functions->pending(store, id, &question, &is_there, error);
        if (status == SCRIM_OK && !sc_digest_equal(&question, &q->questions[id]))
            return fail_check("the pending charge is for another question", id, error);
        if (status == SCRIM_OK)
            status = store->functions->next_pending(store, &id, error);
    }
    return status;
}

static scrim_status check_beside(inquiry *q, scrim_error *error)
{
    sc_store *store = q->vault->store;
    const sc_store_functions *f = store->functions;
    uint64_t answers = 0, spent = 0;
    scrim_status status = f->entries(store, 1, true, check_policy, q, error);
    if (status == SCRIM_OK && q->policies != 0)
        status = sc_fail(error, SCRIM_E_CHECK,
                         "the ledger does not hold: policy is left out of its index");
    if (status == SCRIM_OK)
        status = f->totals(store, check_total, q, error);
    for (size_t i = 0; i < q->book.population_count; i++)
        for (size_t k = 0; k < q->book.populations[i].tally_count; k++)
            spent += q->book.populations[i].tallies[k].charges > 0;
    if (status == SCRIM_OK && spent != q->totals)
        status =
            sc_fail(error, SCRIM_E_CHECK, "the ledger does not hold: a total is missing");
    if (status == SCRIM_OK)
        status = f->answer_count(store, &answers, error);
    if (status == SCRIM_OK && answers != q->releases)
        status = sc_fail(error, SCRIM_E_CHECK,
                         "the ledger does not hold: an answer has no release");
    if (status == SCRIM_OK)
        status = sc_vault_key_check(q->vault, &q->book, error);
    if (status == SCRIM_OK)
        status = f->check_seal(store, error);
    if (status == SCRIM_OK)
        status = check_pending(q, error);
    return status == SCRIM_OK ? f->inspect(store, error) : status;
}

static scrim_status find_last(void *context, const sc_chain *at, sc_text bytes,
                              scrim_error *error)
{
    (void)bytes, (void)error;
    inquiry *q = context;
    q->has_last |= at->generation == q->entries;
    return SCRIM_OK;
}

static bool widen(void **array, size_t size, uint64_t had, uint64_t room)
{
    void *wider = sc_allocate(room, size);
    if (wider == NULL)
        return false;
    if (had > 0)
        memcpy(wider, *array, had * size);
    sc_free(*array);
    *array = wider;
    return true;
}

static scrim_status make_room(inquiry *q, scrim_error *error)
{
    void *states = q->states, *questions = q->questions, *asked = q->asked;
    const uint64_t room = q->entries + 1 + PROGRESS_STEP;
    if (q->entries < q->room)
        return SCRIM_OK;
    const bool is_made = widen(&states, sizeof *q->states, q->room, room) &&
                         widen(&questions, sizeof *q->questions, q->room, room) &&
                         widen(&asked, sizeof *q->asked, q->room, room);
    q->states = states;
    q->questions = questions;
    q->asked = asked;
    if (!is_made)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory to verify the ledger");
    q->room = room;
    return SCRIM_OK;
}

/* The entries from where the last transaction has ended; behind the last of them, and in the same
 * transaction, what stands beside them. What is verified already is bound by the chain. */
static scrim_status inquire(inquiry *q, scrim_error *error)
{
    sc_store *store = q->vault->store;
    sc_chain head;
    scrim_status status = store->functions->head(store, &head, error);
    if (status != SCRIM_OK)
        return status;
    q->entries = head.generation;
    q->has_last = false;
    q->step = 0;
    /* A forged head must not ask for memory that nobody has. */
    status = store->functions->entries(store, q->entries, false, find_last, q, error);
    if (status == SCRIM_OK && !q->has_last)
        status = fail_check("the head is of no entry", q->entries, error);
    if (status == SCRIM_OK)
        status = make_room(q, error);
    if (status != SCRIM_OK)
        return status;
    status = store->functions->entries(store, q->chain.generation + 1, false, check_entry,
                                       q, error);
    if (status == SCRIM_E_STATE)
        return SCRIM_OK;
    q->is_done = true;
    if (status == SCRIM_OK && !sc_chain_equal(&head, &q->chain))
        status = fail_check("the head is another", head.generation, error);
    return status == SCRIM_OK ? check_beside(q, error) : status;
}

/* Charges that earlier versions admitted. */

static void caution_unlike(const sc_book *book, const sc_dataset_entry *d, bool is_open,
                           scrim_error *out)
{
    const sc_population *people = &book->populations[d->population - 1];
    if (is_open)
        (void)sc_fail(
            out, SCRIM_E_CHECK,
            "the entries hold, but the population '%s' protects each %.64s, and "
            "its dataset '%s' another unit: their costs do not add up; remove "
            "the dataset and add it with another population",
            people->name, people->unit, d->name);
    else
        (void)sc_fail(
            out, SCRIM_E_CHECK,
            "the population '%s' protects each %.64s, and its budget also holds "
            "what the dataset '%s' cost when it protected another unit",
            people->name, people->unit, d->name);
}

static void set_caution(const sc_book *book, scrim_vault_state *out)
{
    scrim_error said = {.message = ""};
    const sc_dataset_entry *now = sc_book_find_unlike(book, false);
    const sc_dataset_entry *then = sc_book_find_unlike(book, true);
    out->needs_owner = now != NULL;
    if (then != NULL)
        caution_unlike(book, now != NULL ? now : then, now != NULL, &said);
    for (size_t i = 0; i < book->series_count && said.message[0] == '\0'; i++)
        if (book->series[i].is_underpaid)
            (void)sc_fail(&said, SCRIM_E_CHECK,
                          "the series '%s' has windows of several versions that an "
                          "earlier version of scrim charged once; a row that was in two "
                          "of them cost more than that",
                          book->series[i].name);
    if (book->lost > 0 && said.message[0] == '\0')
        (void)sc_fail(&said, SCRIM_E_CHECK,
                      "%" PRIu64 " entr%s lost when the vault was put back to an earlier "
                      "state; treat their charges as spent",
                      book->lost, book->lost == 1 ? "y was" : "ies were");
    memcpy(out->caution, said.message, sizeof out->caution);
}

static void begin(inquiry *q, bool is_whole)
{
    *q = (inquiry){.vault = q->vault, .options = q->options, .is_whole = is_whole};
    sc_book_init(&q->book);
    sc_chain_init(&q->chain);
}

static void clear(inquiry *q)
{
    sc_book_clear(&q->book);
    sc_free(q->asked);
    sc_free(q->questions);
    sc_free(q->states);
}

/* After a commit that was cut short only what was seen in this transaction counts. */
static scrim_status inquire_here(inquiry *q, scrim_error *error)
{
    sc_store *store = q->vault->store;
    const bool must_verify = store->functions->must_verify(store);
    if (must_verify && !q->is_whole) {
        clear(q);
        begin(q, true);
    }
    const scrim_status status = inquire(q, error);
    if (status == SCRIM_OK && must_verify)
        store->functions->is_verified(store);
    return status;
}

scrim_status sc_vault_verify_here(scrim_vault *vault, scrim_error *error)
{
    inquiry q = {.vault = vault};
    begin(&q, true);
    const scrim_status status = inquire_here(&q, error);
    clear(&q);
    return status;
}

/* A vault that cannot even be read on is one that does not hold: the reader's refusal comes
 * first otherwise. */
static scrim_status in_transaction(scrim_vault *v, inquiry *q, scrim_error *error)
{
    pthread_mutex_lock(&v->lock);
    scrim_status status = v->store->functions->begin(v->store, false, error);
    if (status == SCRIM_OK) {
        status = inquire_here(q, error);
        v->store->functions->rollback(v->store);
    }
    pthread_mutex_unlock(&v->lock);
    return status;
}

scrim_status sc_vault_verify_with(scrim_vault *vault, const scrim_vault_options *options,
                                  scrim_vault_state *out, scrim_error *error)
{
    inquiry q = {.vault = vault, .options = options};
    scrim_status status = sc_vault_check_process(vault, error);
    if (status != SCRIM_OK)
        return status;
    begin(&q, false);
    while (status == SCRIM_OK && !q.is_done) {
        status = in_transaction(vault, &q, error);
        if (status == SCRIM_OK)
            tell_progress(&q);
    }
    if (status == SCRIM_OK) {
        *out = (scrim_vault_state){
            .entries = q.chain.generation, .charges = q.charges, .releases = q.releases};
        sc_digest_format(&q.chain.head, out->head);
        set_caution(&q.book, out);
    }
    clear(&q);
    return status;
}

scrim_status scrim_vault_verify(scrim_vault *vault, scrim_vault_state *out,
                                scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    return sc_vault_verify_with(vault, NULL, out, error);
}

/* The last entries, which opening looks at. */

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

/* The charge among the last entries; NULL: it is not among them, or not a charge. */
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
