/* The vault's ledger for the gate: a charge is durable before the draw, the answer before it is
 * shown. */
#include "vault/vault_ledger.h"

#include "base/memory.h"
#include "data/table/source_seal.h"
#include "ledger/ledger.h"
#include "ledger/release.h"
#include "vault/answer_salt.h"
#include "vault/vault_view.h"

#include <stdlib.h>
#include <string.h>

typedef struct vault_ledger {
    scrim_ledger ledger;
    scrim_vault *vault;
    uint64_t dataset, version;
    uint64_t series, release;         /* that the next charge is of; 0: of none */
    bool takes_other;                 /* of the next charge: SC_ONCE_OTHER is told */
    char *note;                       /* kept with each answer; NULL: none */
    scrim_vault_note_maker make_note; /* makes one of each answer; NULL: none */
    void *make_context;
} vault_ledger;

typedef struct charging {
    const vault_ledger *ledger;
    const sc_charge *charge;
    uint64_t id;     /* entry */
    uint64_t number; /* of the release */
} charging;

/* The four numbers of a window take at most this many bytes, so that it fits the line of an
 * entry. */
#define WINDOW_NUMBERS 192

static bool fits_window(const sc_event *e)
{
    const sc_ratio *const numbers[] = {&e->amount, &e->delta, &e->price, &e->price_delta};
    char text[SC_RATIO_TEXT_BYTES];
    size_t bytes = 0;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        bytes += sc_ratio_format(numbers[i], text, sizeof text);
    return bytes <= WINDOW_NUMBERS;
}

/* A window of rows that are in no other one: what it costs above the most expensive one of its
 * version before it. */
static scrim_status price_window(scrim_vault *v, const charging *c,
                                 const sc_filter *filter, sc_event *event,
                                 bool *is_window, scrim_error *error)
{
    const sc_series_account *series = sc_book_series(&v->book, c->ledger->series);
    const uint64_t analyst =
        sc_book_charged_analyst(&v->book, v->identity.user, sc_text_of(v->identity.name));
    *is_window = false;
    if (series == NULL || series->dataset != event->dataset ||
        !sc_book_dataset(&v->book, event->dataset)->has_contents ||
        !sc_series_account_admits(series, c->ledger->release, analyst))
        return SCRIM_OK;
    const scrim_status status =
        sc_filter_price_all(filter, c->charge->costs, c->charge->count, &event->price,
                            &event->price_delta, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_set(&event->amount, &event->price);
    sc_ratio_set(&event->delta, &event->price_delta);
    sc_series_account_price(series, event->version, &event->amount, &event->delta);
    *is_window = fits_window(event);
    event->kind = SC_EVENT_WINDOW2;
    event->series = c->ledger->series;
    event->release = c->ledger->release;
    return SCRIM_OK;
}

/* The cost of all other charges: the sum of their prices, or less where its parts were declared jointly. */
static scrim_status price_whole(scrim_vault *v, const sc_charge *charge,
                                const sc_filter *filter, sc_event *event,
                                scrim_error *error)
{
    bool is_joint = false;
    SC_OWN(sc_ratio, left);
    if (charge->joint != NULL)
        sc_book_left_delta(&v->book, event->dataset,
                           sc_book_charged_analyst(&v->book, v->identity.user,
                                                   sc_text_of(v->identity.name)),
                           &left);
    scrim_status status = sc_filter_price_jointly(
        filter, &(sc_filter_parts){charge->costs, charge->count, charge->joint}, &left,
        &event->amount, &event->delta, &is_joint, error);
    event->kind = is_joint ? SC_EVENT_JOINT : SC_EVENT_CHARGE;
    event->declared = sc_text_of(is_joint ? charge->declaration : NULL);
    return status;
}

/* Earlier versions have admitted datasets of unlike units to one population. */
static scrim_status check_unit(const scrim_vault *v, const sc_dataset_entry *dataset,
                               scrim_error *error)
{
    const sc_population *people = sc_book_population(&v->book, dataset->population);
    if (!dataset->is_unlike)
        return SCRIM_OK;
    return sc_fail(
        error, SCRIM_E_POLICY,
        "the dataset '%s' protects another unit than its population '%s', which "
        "protects each %.64s: their costs do not add up; its owner can remove it "
        "and add it with another population",
        dataset->name, people->name, people->unit);
}

/* A charge of its own, with the key of its release where it can be repeated. */
static scrim_status charge_anew(scrim_vault *v, charging *c, const sc_pending *pending,
                                scrim_error *error)
{
    const sc_dataset_entry *dataset = sc_book_dataset(&v->book, c->ledger->dataset);
    const sc_filter *filter = &sc_book_population(&v->book, dataset->population)->filter;
    bool is_window = false;
    SC_OWN(sc_event, event);
    event.dataset = c->ledger->dataset;
    event.version = c->ledger->version;
    event.body = sc_text_of(c->charge->line);
    scrim_status status = check_unit(v, dataset, error);
    if (status == SCRIM_OK)
        status = price_window(v, c, filter, &event, &is_window, error);
    if (status == SCRIM_OK && !is_window)
        status = price_whole(v, c->charge, filter, &event, error);
    if (status == SCRIM_OK)
        status = sc_vault_want_analyst(v, &v->identity, &event.analyst, error);
    if (status == SCRIM_OK)
        status = sc_vault_append(v, &event, error);
    c->id = v->chain.generation;
    if (status == SCRIM_OK && pending != NULL)
        status = v->store->functions->put_pending(v->store, c->id, pending, error);
    return status;
}

/* Is the pending charge for the question in other words? */
static scrim_status is_other(scrim_vault *v, const charging *c, const sc_digest *question,
                             uint64_t entry, bool *out, scrim_error *error)
{
    sc_digest found;
    bool is_there = false;
    *out = false;
    SC_TRY(v->store->functions->pending(v->store, entry, &found, &is_there, error));
    if (!is_there || !sc_digest_equal(&found, question))
        return SCRIM_OK;
    char *bytes = NULL;
    const scrim_status status = sc_vault_entry(v, entry, &bytes, error);
    *out = status == SCRIM_OK && !sc_text_is(v->event.body, c->charge->line);
    sc_free(bytes);
    return status;
}

/* A charge without an answer for the same question in other words; 0: none. */
static scrim_status find_other(scrim_vault *v, const charging *c,
                               const sc_digest *question, uint64_t *entry,
                               scrim_error *error)
{
    const sc_store_functions *f = v->store->functions;
    bool is_found = false;
    *entry = 0;
    do {
        SC_TRY(f->next_pending(v->store, entry, error));
        if (*entry != 0)
            SC_TRY(is_other(v, c, question, *entry, &is_found, error));
    } while (*entry != 0 && !is_found);
    return SCRIM_OK;
}

/* The answer, else the charge that waits for one, else 0: in the transaction that charges, so that
 * of all who ask at once one is charged. */
static scrim_status find_once(scrim_vault *v, charging *c, sc_pending *pending,
                              scrim_error *error)
{
    const sc_charge *charge = c->charge;
    const sc_text line = sc_text_of(charge->line);
    const uint64_t dataset = c->ledger->dataset, version = c->ledger->version;
    SC_TRY(sc_vault_pending_of(v, dataset, version, line, sc_text_of(charge->once->parts),
                               pending, error));
    SC_TRY(sc_vault_find_question(v, dataset, version, line, &c->id, error));
    charge->once->standing = SC_ONCE_ANSWERED;
    if (c->id != 0)
        return SCRIM_OK;
    SC_TRY(v->store->functions->find_pending(v->store, pending, &c->id, error));
    charge->once->standing = SC_ONCE_JOINED;
    if (c->id != 0)
        return sc_vault_check_charge(v, c->id, dataset, version, line, error);
    charge->once->standing = SC_ONCE_CHARGED;
    if (!c->ledger->takes_other)
        return SCRIM_OK;
    SC_TRY(find_other(v, c, &pending->question, &c->id, error));
    if (c->id != 0)
        charge->once->standing = SC_ONCE_OTHER;
    return SCRIM_OK;
}

static scrim_status plan_once(scrim_vault *v, charging *c, scrim_error *error)
{
    sc_pending pending;
    sc_bits_key *key = &c->charge->once->key;
    scrim_status status = find_once(v, c, &pending, error);
    if (status == SCRIM_OK && c->charge->once->standing == SC_ONCE_CHARGED) {
        memcpy(pending.key.bytes, key->bytes, sizeof key->bytes);
        status = charge_anew(v, c, &pending, error);
    } else if (status == SCRIM_OK && c->charge->once->standing == SC_ONCE_JOINED) {
        memcpy(key->bytes, pending.key.bytes, sizeof key->bytes);
        /* A charge about a closed version is never finished. */
        if (sc_book_dataset(&v->book, c->ledger->dataset)->is_closed)
            status = sc_source_fail_changed(error);
    }
    sc_wipe(&pending, sizeof pending);
    return status;
}

static scrim_status plan_charge(scrim_vault *v, void *context, scrim_error *error)
{
    charging *c = context;
    const sc_dataset_entry *dataset = sc_book_dataset(&v->book, c->ledger->dataset);
    if (dataset == NULL)
        return sc_fail(error, SCRIM_E_LEDGER, "the dataset is no longer in the vault");
    /* Nothing is found for another version, or for one that was removed: the book refuses it. */
    const bool is_current =
        !dataset->is_removed && dataset->version == c->ledger->version;
    const scrim_status status = c->charge->once != NULL && is_current
                                    ? plan_once(v, c, error)
                                    : charge_anew(v, c, NULL, error);
    return status == SCRIM_OK ? sc_vault_count_charges(v, c->id, &c->number, error)
                              : status;
}

_Static_assert(SC_BITS_KEY_BYTES == SC_DIGEST_BYTES, "a store keeps secrets of 32 bytes");

static scrim_status vault_charge(scrim_ledger *ledger, const sc_charge *charge,
                                 uint64_t *id, scrim_error *error)
{
    const vault_ledger *l = (vault_ledger *)ledger;
    charging c = {l, charge, 0, 0};
    sc_vault_outcome outcome;
    scrim_status status = sc_vault_write_told(l->vault, plan_charge, &c, &outcome, error);
    if (status == SCRIM_OK)
        *id = c.number;
    else if (outcome == SC_VAULT_KEPT)
        return sc_unanswered_fail(error, status, c.number, charge->once != NULL);
    else if (outcome == SC_VAULT_SENT)
        return sc_uncertain_fail(error, status, c.number, charge->once != NULL);
    else if (status == SCRIM_E_BUSY)
        return sc_fail(error, SCRIM_E_BUSY,
                       "the vault is busy: another process uses it; nothing was charged; "
                       "try again");
    return status;
}

typedef struct recording {
    uint64_t number; /* of the release */
    uint64_t charge; /* its entry */
    sc_text answer;
    bool is_first; /* of those who answer the charge */
} recording;

static scrim_status record_answer(scrim_vault *v, const recording *r, scrim_error *error)
{
    sc_digest question;
    char *bytes = NULL;
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_RELEASE;
    event.charge = r->charge;
    scrim_status status = sc_vault_entry(v, r->charge, &bytes, error);
    if (status == SCRIM_OK && !sc_event_is_charge(v->event.kind))
        status = sc_fail(error, SCRIM_E_INTERNAL, "a release has no charge");
    if (status == SCRIM_OK)
        status = sc_vault_question(v, v->event.dataset, v->event.version, v->event.body,
                                   &question, error);
    if (status == SCRIM_OK)
        status = sc_digest_of(v->digester, r->answer, (sc_text){NULL, 0}, &event.digest,
                              error);
    if (status == SCRIM_OK)
        status = sc_vault_append(v, &event, error);
    if (status == SCRIM_OK)
        status = v->store->functions->put_answer(v->store, r->charge, &question,
                                                 r->answer, error);
    sc_free(bytes);
    return status;
}

static scrim_status plan_record(scrim_vault *v, void *context, scrim_error *error)
{
    recording *r = context;
    const scrim_status status = sc_vault_charge_of(v, r->number, &r->charge, error);
    return status == SCRIM_OK ? record_answer(v, r, error) : status;
}

/* For a charge that several processes may answer. */
static scrim_status plan_record_once(scrim_vault *v, void *context, scrim_error *error)
{
    recording *r = context;
    char *answer = NULL;
    scrim_status status = sc_vault_charge_of(v, r->number, &r->charge, error);
    if (status == SCRIM_OK)
        status = v->store->functions->answer(v->store, r->charge, NULL, &answer, error);
    r->is_first = answer == NULL;
    sc_free(answer);
    return status == SCRIM_OK && r->is_first ? record_answer(v, r, error) : status;
}

/* The answer, a newline and the note; freed by sc_free. NULL without memory. */
static char *with_note(const char *answer, const char *note)
{
    const size_t bytes = strlen(answer) + strlen(note) + 2;
    char *text = sc_allocate(bytes, 1);
    sc_text_sink sink;
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, bytes);
    sc_text_put(&sink, sc_text_of(answer));
    sc_text_put(&sink, sc_text_of("\n"));
    sc_text_put(&sink, sc_text_of(note));
    return text;
}

static scrim_status record_with(scrim_ledger *ledger, sc_vault_plan *plan, uint64_t id,
                                const char *answer, bool *is_first, scrim_error *error)
{
    const vault_ledger *l = (vault_ledger *)ledger;
    char *made = l->make_note == NULL ? NULL : l->make_note(answer, l->make_context);
    const char *note = l->make_note == NULL ? l->note : made;
    const bool has_note = l->make_note != NULL || l->note != NULL;
    char *text = note == NULL ? NULL : with_note(answer, note);
    free(made);
    if (has_note && text == NULL)
        return sc_no_memory(error, "an answer");
    char *salted = NULL;
    scrim_status status =
        sc_answer_salt(sc_text_of(text == NULL ? answer : text), &salted, error);
    sc_free(text);
    if (status != SCRIM_OK)
        return status;
    recording r = {.number = id, .answer = sc_text_of(salted), .is_first = true};
    status = sc_vault_write(l->vault, plan, &r, error);
    sc_free(salted);
    *is_first = r.is_first;
    return status;
}

/* One answer of a run. */
typedef struct piece_recording {
    uint64_t number; /* of the release */
    sc_event *event;
} piece_recording;

static scrim_status plan_record_piece(scrim_vault *v, void *context, scrim_error *error)
{
    piece_recording *r = context;
    const scrim_status status =
        sc_vault_charge_of(v, r->number, &r->event->charge, error);
    return status == SCRIM_OK ? sc_vault_append(v, r->event, error) : status;
}

static scrim_status vault_record_piece(scrim_ledger *ledger, uint64_t id, uint64_t number,
                                       const char *piece, scrim_error *error)
{
    const vault_ledger *l = (vault_ledger *)ledger;
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_ASKED;
    event.query = number;
    event.body = sc_text_of(piece);
    piece_recording r = {id, &event};
    return sc_vault_write(l->vault, plan_record_piece, &r, error);
}

static scrim_status vault_record(scrim_ledger *ledger, uint64_t id, const char *answer,
                                 scrim_error *error)
{
    bool is_first = true;
    return record_with(ledger, plan_record, id, answer, &is_first, error);
}

static scrim_status vault_record_once(scrim_ledger *ledger, uint64_t id,
                                      const char *answer, bool *is_first,
                                      scrim_error *error)
{
    return record_with(ledger, plan_record_once, id, answer, is_first, error);
}

/* The question to plan_rule, and its result. */
typedef struct ruling {
    uint64_t dataset;
    sc_filter_rule rule;
} ruling;

static scrim_status plan_rule(scrim_vault *v, void *context, scrim_error *error)
{
    ruling *r = context;
    const sc_dataset_entry *dataset = sc_book_dataset(&v->book, r->dataset);
    if (dataset == NULL)
        return sc_fail(error, SCRIM_E_LEDGER, "the dataset is no longer in the vault");
    r->rule = sc_book_population(&v->book, dataset->population)->filter.rule;
    return SCRIM_OK;
}

/* A concentrated population, and one at a Renyi order, keeps half of its delta for parts. */
static scrim_status vault_admit_run(scrim_ledger *ledger, scrim_error *error)
{
    const vault_ledger *l = (vault_ledger *)ledger;
    ruling r = {.dataset = l->dataset};
    scrim_status status = sc_vault_read(l->vault, plan_rule, &r, error);
    if (status == SCRIM_OK && r.rule != SC_FILTER_SUM)
        status = sc_ledger_refuse_run(error);
    return status;
}

static void vault_free(scrim_ledger *ledger)
{
    sc_free(((vault_ledger *)ledger)->note);
    sc_free(ledger);
}

static const sc_ledger_functions durable = {.charge = vault_charge,
                                            .record = vault_record,
                                            .record_piece = vault_record_piece,
                                            .record_once = vault_record_once,
                                            .admit_run = vault_admit_run,
                                            .free = vault_free};

typedef struct choosing {
    const char *name;
    uint64_t dataset, version;
    scrim_neighbours neighbours;
} choosing;

static scrim_status plan_choose(scrim_vault *v, void *context, scrim_error *error)
{
    choosing *c = context;
    SC_TRY(sc_vault_want_dataset(v, c->name, &c->dataset, error));
    const sc_dataset_entry *entry = sc_book_dataset(&v->book, c->dataset);
    c->version = entry->version;
    c->neighbours = sc_book_population(&v->book, entry->population)->filter.neighbours;
    return SCRIM_OK;
}

scrim_status scrim_vault_ledger(scrim_vault *vault, const char *dataset,
                                scrim_ledger **out, scrim_error *error)
{
    SC_REQUIRE(error, "vault dataset out", vault, dataset, out);
    choosing c = {.name = dataset};
    scrim_status status = sc_vault_read(vault, plan_choose, &c, error);
    if (status != SCRIM_OK)
        return status;
    vault_ledger *l = sc_allocate(1, sizeof *l);
    if (l == NULL)
        return sc_no_memory(error, "a ledger");
    *l = (vault_ledger){.ledger = {.functions = &durable,
                                   .neighbours = c.neighbours,
                                   .bits = vault->bits},
                        .vault = vault,
                        .dataset = c.dataset,
                        .version = c.version};
    *out = &l->ledger;
    return SCRIM_OK;
}

void sc_vault_ledger_for_series(scrim_ledger *ledger, uint64_t series, uint64_t release)
{
    vault_ledger *l = (vault_ledger *)ledger;
    l->series = series;
    l->release = release;
}

void sc_vault_ledger_take_other(scrim_ledger *ledger, bool takes_other)
{
    ((vault_ledger *)ledger)->takes_other = takes_other;
}

static scrim_status check_keeps_notes(const scrim_ledger *ledger, scrim_error *error)
{
    return ledger->functions == &durable
               ? SCRIM_OK
               : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "note",
                             "a note is kept by a vault's ledger only");
}

scrim_status scrim_vault_note_by(scrim_ledger *ledger, scrim_vault_note_maker make,
                                 void *context, scrim_error *error)
{
    SC_REQUIRE(error, "ledger", ledger);
    vault_ledger *l = (vault_ledger *)ledger;
    const scrim_status status = check_keeps_notes(ledger, error);
    if (status != SCRIM_OK)
        return status;
    l->make_note = make;
    l->make_context = context;
    return SCRIM_OK;
}

scrim_status scrim_vault_note(scrim_ledger *ledger, const char *note, scrim_error *error)
{
    SC_REQUIRE(error, "ledger note", ledger, note);
    vault_ledger *l = (vault_ledger *)ledger;
    const scrim_status status = check_keeps_notes(ledger, error);
    if (status != SCRIM_OK)
        return status;
    const size_t bytes = strlen(note) + 1;
    char *copy = sc_allocate(bytes, 1);
    if (copy == NULL)
        return sc_no_memory(error, "a note");
    memcpy(copy, note, bytes);
    sc_free(l->note);
    l->note = copy;
    l->make_note = NULL;
    return SCRIM_OK;
}
