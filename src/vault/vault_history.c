/* Charges, answers and entries, read from the entries themselves. Nothing here writes. */
#include "base/memory.h"
#include "base/text_copy.h"
#include "ledger/release.h"
#include "ledger/run_record.h"
#include "mechanism/catalogue.h"
#include "vault/answer_salt.h"
#include "vault/booked_view.h"
#include "vault/vault_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static scrim_status copy_text(sc_text text, char **out, scrim_error *error)
{
    char *copy = sc_text_copy(text);
    if (copy == NULL)
        return sc_no_memory(error, "a release");
    *out = copy;
    return SCRIM_OK;
}

/* One release. */

/* A charge without an answer is finished when its question is asked again. The question of a closed version cannot be. */
static scrim_status set_state(const scrim_vault *v, const sc_dataset_entry *d,
                              scrim_vault_release *out, scrim_error *error)
{
    sc_digest question;
    bool is_there = false;
    const scrim_status status =
        v->store->functions->pending(v->store, out->entry, &question, &is_there, error);
    const bool is_current = !d->is_removed && !d->is_closed && d->version == out->version;
    out->state = is_there && is_current ? SCRIM_ENTRY_PENDING : SCRIM_ENTRY_CHARGED;
    return status;
}

/* The cost by itself, from the charge in vault->event. */
static void set_price(const scrim_vault *v, scrim_vault_release *out)
{
    const sc_event *e = &v->event;
    const sc_series_account *series =
        sc_event_is_window(e->kind) ? sc_book_series(&v->book, e->series) : NULL;
    SC_OWN(sc_ratio, amount, delta);
    sc_ratio_set(&amount, &e->amount);
    sc_ratio_set(&delta, &e->delta);
    if (series != NULL) {
        out->series = e->series;
        sc_series_account_price_upper(series, e, &amount, &delta);
    }
    sc_book_format_upper(&amount, out->price);
    sc_book_format_upper(&delta, out->price_delta);
}

/* From the charge in vault->event; the measurement is a copy. */
static scrim_status set_charge(const scrim_vault *v, uint64_t number, uint64_t entry,
                               scrim_vault_release *out, scrim_error *error)
{
    const sc_event *e = &v->event;
    const sc_dataset_entry *d = sc_book_dataset(&v->book, e->dataset);
    const sc_analyst *analyst = sc_book_analyst(&v->book, e->analyst);
    memset(out, 0, sizeof *out);
    if (d == NULL || analyst == NULL)
        return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                           "a charge of nobody, or of no dataset");
    const sc_population *people = &v->book.populations[d->population - 1];
    out->id = number;
    out->entry = entry;
    out->version = e->version;
    snprintf(out->population, sizeof out->population, "%s", people->name);
    snprintf(out->dataset, sizeof out->dataset, "%s", d->name);
    snprintf(out->analyst, sizeof out->analyst, "%s", analyst->name);
    out->unit = sc_filter_unit(people->filter.rule);
    sc_book_format_upper(&e->amount, out->amount);
    sc_book_format_upper(&e->delta, out->delta);
    set_price(v, out);
    out->is_joint = e->kind == SC_EVENT_JOINT;
    const scrim_status status = set_state(v, d, out, error);
    return status == SCRIM_OK ? copy_text(e->body, &out->measurement, error) : status;
}

/* The digest that the ledger holds of an answer: soon after its charge. */
typedef struct search {
    scrim_vault *vault;
    uint64_t charge;
    sc_digest digest;
    bool is_found;
} search;

static scrim_status find_digest(void *context, const sc_chain *at, sc_text bytes,
                                scrim_error *error)
{
    search *s = context;
    const sc_event *e = &s->vault->event;
    (void)at;
    scrim_status status = sc_event_parse(bytes, &s->vault->event, error);
    if (status != SCRIM_OK || e->kind != SC_EVENT_RELEASE || e->charge != s->charge)
        return status;
    s->digest = e->digest;
    s->is_found = true;
    return SCRIM_E_STATE; /* one is enough */
}

static scrim_status check_digest(scrim_vault *v, uint64_t charge, const char *text,
                                 scrim_error *error)
{
    search s = {.vault = v, .charge = charge};
    sc_digest digest;
    scrim_status status =
        v->store->functions->entries(v->store, charge + 1, false, find_digest, &s, error);
    if (status != SCRIM_OK && status != SCRIM_E_STATE)
        return status;
    status =
        sc_digest_of(v->digester, sc_text_of(text), (sc_text){NULL, 0}, &digest, error);
    if (status == SCRIM_OK && (!s.is_found || !sc_digest_equal(&digest, &s.digest)))
        status = sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                             "the answer is not the one that was recorded");
    return status;
}

/* The answers of a run that was never closed: each is an entry of its own. */

typedef struct run_search {
    scrim_vault *vault;
    uint64_t charge;
    sc_run_record record;
} run_search;

static scrim_status take_piece(void *context, const sc_chain *at, sc_text bytes,
                               scrim_error *error)
{
    run_search *s = context;
    const sc_event *e = &s->vault->event;
    sc_run_piece piece;
    (void)at;
    scrim_status status = sc_event_parse(bytes, &s->vault->event, error);
    if (status != SCRIM_OK || e->kind != SC_EVENT_ASKED || e->charge != s->charge)
        return status;
    if (!sc_run_piece_read(e->body, &piece))
        return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                           "a run has an invalid answer");
    if (!sc_run_record_reserve(&s->record))
        return sc_no_memory(error, "a release");
    sc_run_record_add(&s->record, &piece);
    return SCRIM_OK;
}

/* Only these have answers before they have all of them. */
static bool is_interactive(const char *measurement)
{
    sc_text name = sc_text_of(measurement), rest;
    (void)sc_text_split(name, ' ', &name, &rest);
    const sc_mechanism *mechanism = sc_catalogue_find(name, NULL);
    return mechanism != NULL && mechanism->open != NULL;
}

/* NULL where none was given. */
static scrim_status find_run(scrim_vault *v, const scrim_vault_release *charge,
                             char **line, scrim_error *error)
{
    run_search s = {.vault = v, .charge = charge->entry};
    *line = NULL;
    if (!is_interactive(charge->measurement))
        return SCRIM_OK;
    scrim_status status = v->store->functions->entries(v->store, charge->entry + 1, false,
                                                       take_piece, &s, error);
    if (status == SCRIM_OK && s.record.asked > 0 &&
        (*line = sc_run_record_line(&s.record)) == NULL)
        status = sc_no_memory(error, "a release");
    sc_run_record_clear(&s.record);
    return status;
}

/* The answer, and what was kept with it. */
static scrim_status set_answer(scrim_vault *v, scrim_vault_release *out,
                               scrim_error *error)
{
    char *text = NULL;
    sc_text answer, note = {NULL, 0};
    scrim_status status =
        v->store->functions->answer(v->store, out->entry, NULL, &text, error);
    if (status == SCRIM_OK && text == NULL) {
        status = find_run(v, out, &out->answer, error);
        if (out->answer != NULL)
            out->state = SCRIM_ENTRY_RELEASED;
        return status;
    }
    if (status != SCRIM_OK)
        return status;
    answer = sc_answer_unsalted(sc_text_of(text));
    const bool has_note = sc_text_split(answer, '\n', &answer, &note);
    status = check_digest(v, out->entry, text, error);
    if (status == SCRIM_OK)
        status = copy_text(answer, &out->answer, error);
    if (status == SCRIM_OK && has_note)
        status = copy_text(note, &out->note, error);
    out->state = SCRIM_ENTRY_RELEASED;
    sc_free(text);
    return status;
}

/* The last time that was noted before a charge: it stands anywhere before it, and mostly near. */

typedef struct time_search {
    scrim_vault *vault;
    uint64_t charge, time;
} time_search;

static scrim_status see_time(void *context, const sc_chain *at, sc_text bytes,
                             scrim_error *error)
{
    time_search *s = context;
    const sc_event *e = &s->vault->event;
    if (at->generation >= s->charge)
        return SCRIM_E_STATE; /* far enough */
    const scrim_status status = sc_event_parse(bytes, &s->vault->event, error);
    if (status == SCRIM_OK && e->kind == SC_EVENT_TIME)
        s->time = e->time;
    return status;
}

static scrim_status set_time(scrim_vault *v, scrim_vault_release *out, scrim_error *error)
{
    time_search s = {.vault = v, .charge = out->entry};
    scrim_status status = SCRIM_OK;
    uint64_t back = 64, from = out->entry;
    while (status == SCRIM_OK && s.time == 0 && from > 1) {
        from = out->entry > back ? out->entry - back : 1;
        status = v->store->functions->entries(v->store, from, false, see_time, &s, error);
        if (status == SCRIM_E_STATE)
            status = SCRIM_OK;
        back *= 8;
    }
    out->time = s.time;
    return status;
}

typedef struct replaying {
    uint64_t id;
    scrim_vault_release *out;
} replaying;

static scrim_status plan_replay(scrim_vault *v, void *context, scrim_error *error)
{
    const replaying *r = context;
    scrim_vault_release made = {.id = r->id};
    uint64_t entry = 0;
    char *bytes = NULL;
    scrim_status status = sc_vault_charge_of(v, r->id, &entry, error);
    if (status == SCRIM_OK)
        status = sc_vault_entry(v, entry, &bytes, error);
    if (status != SCRIM_OK)
        return status;
    status = set_charge(v, r->id, entry, &made, error);
    sc_free(bytes);
    if (status == SCRIM_OK)
        status = set_time(v, &made, error);
    if (status == SCRIM_OK)
        status = set_answer(v, &made, error);
    if (status == SCRIM_OK)
        *r->out = made;
    else
        scrim_vault_release_clear(&made);
    return status;
}

scrim_status sc_vault_recall(scrim_vault *vault, uint64_t id, scrim_vault_release *out,
                             scrim_error *error)
{
    replaying r = {id, out};
    return sc_vault_read(vault, plan_replay, &r, error);
}

/* Nobody gets an answer before it is booked, whatever they do with it. */
scrim_status scrim_vault_replay(scrim_vault *vault, uint64_t id, scrim_vault_release *out,
                                scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    scrim_vault_release made = {.id = id};
    scrim_status status = sc_vault_recall(vault, id, &made, error);
    if (status == SCRIM_OK && made.answer != NULL)
        status = sc_vault_book_view(vault, id, error);
    if (status == SCRIM_OK)
        *out = made;
    else
        scrim_vault_release_clear(&made);
    return status;
}

scrim_status scrim_vault_release_check(const scrim_vault_release *release,
                                       scrim_error *error)
{
    SC_REQUIRE(error, "release", release);
    return release->state == SCRIM_ENTRY_RELEASED
               ? SCRIM_OK
               : sc_unrecorded_fail(error, release->id,
                                    release->state == SCRIM_ENTRY_PENDING, release->unit,
                                    release->amount);
}

void scrim_vault_release_clear(scrim_vault_release *release)
{
    sc_free(release->measurement);
    sc_free(release->answer);
    sc_free(release->note);
    release->measurement = release->answer = release->note = NULL;
}

/* Reading in batches: the caller's visitor may take its time, and whoever holds the store's lock keeps
 * others from writing. A batch is read in one transaction, and shown after it. */

#define BATCH_ENTRIES 256
#define BATCH_BYTES ((size_t)1 << 20)

typedef struct batch {
    uint64_t next; /* entry to read */
    uint64_t
        last; /* the head when the visit began: what was appended since is not shown */
    bool has_begun;
    size_t entries, bytes; /* that were read */
} batch;

/* Is this the first one? */
static bool begin_batch(batch *b, const scrim_vault *v)
{
    const bool is_first = !b->has_begun;
    if (is_first)
        b->last = v->chain.generation;
    b->has_begun = true;
    b->entries = b->bytes = 0;
    return is_first;
}

/* False: the entry is for another batch, or for none. */
static bool take(batch *b, const sc_chain *at, size_t bytes)
{
    if (at->generation > b->last || b->entries == BATCH_ENTRIES ||
        b->bytes >= BATCH_BYTES)
        return false;
    b->next = at->generation + 1;
    b->entries++;
    b->bytes += bytes;
    return true;
}

static scrim_status read_batch(batch *b, sc_store *store, sc_store_entry_visitor *visit,
                               void *context, scrim_error *error)
{
    const scrim_status status =
        store->functions->entries(store, b->next, false, visit, context, error);
    if (status == SCRIM_OK)
        b->next = b->last + 1;
    return status == SCRIM_E_STATE ? SCRIM_OK : status;
}

static bool is_over(const batch *b)
{
    return b->next > b->last;
}

/* All of them. */

typedef struct recalling {
    scrim_vault *vault;
    const char *dataset; /* NULL: all */
    batch batch;
    uint64_t time;
    uint64_t number;              /* of the last charge that was read */
    scrim_vault_release *charges; /* of the batch */
    size_t count;
    uint64_t *runs; /* charges of runs that were asked something */
    size_t run_count, run_capacity;
} recalling;

/* Keeps the charge of a first answer. */
static scrim_status note_run(void *context, const sc_chain *at, sc_text bytes,
                             scrim_error *error)
{
    recalling *r = context;
    sc_text word, rest;
    (void)at;
    if (!sc_text_split(bytes, ' ', &word, &rest) || !sc_text_is(word, "asked"))
        return SCRIM_OK;
    scrim_status status = sc_event_parse(bytes, &r->vault->event, error);
    if (status != SCRIM_OK || r->vault->event.query != 1)
        return status;
    if (r->run_count == r->run_capacity) {
        const size_t capacity = 2 * r->run_capacity + 16;
        uint64_t *runs = sc_allocate(capacity, sizeof *runs);
        if (runs == NULL)
            return sc_no_memory(error, "the history");
        if (r->run_count > 0)
            memcpy(runs, r->runs, r->run_count * sizeof *runs);
        sc_free(r->runs);
        r->runs = runs;
        r->run_capacity = capacity;
    }
    r->runs[r->run_count++] = r->vault->event.charge;
    return SCRIM_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool was_asked(const recalling *r, uint64_t charge)
{
    return r->run_count > 0 && bsearch(&charge, r->runs, r->run_count, sizeof charge,
                                       compare_numbers) != NULL;
}

static scrim_status keep_charge(recalling *r, uint64_t id, scrim_error *error)
{
    scrim_vault *v = r->vault;
    scrim_vault_release charge;
    char *answer = NULL;
    const sc_dataset_entry *d = sc_book_dataset(&v->book, v->event.dataset);
    if (r->dataset != NULL && d != NULL && strcmp(d->name, r->dataset) != 0)
        return SCRIM_OK;
    scrim_status status = set_charge(v, r->number, id, &charge, error);
    charge.time = r->time;
    if (status == SCRIM_OK)
        status = v->store->functions->answer(v->store, id, NULL, &answer, error);
    if (answer != NULL || was_asked(r, id))
        charge.state = SCRIM_ENTRY_RELEASED;
    sc_free(answer);
    if (status == SCRIM_OK)
        r->charges[r->count++] = charge;
    else
        scrim_vault_release_clear(&charge);
    return status;
}

static scrim_status recall(void *context, const sc_chain *at, sc_text bytes,
                           scrim_error *error)
{
    recalling *r = context;
    if (!take(&r->batch, at, bytes.bytes))
        return SCRIM_E_STATE; /* far enough */
    scrim_status status = sc_event_parse(bytes, &r->vault->event, error);
    if (status != SCRIM_OK)
        return status;
    if (r->vault->event.kind == SC_EVENT_TIME)
        r->time = r->vault->event.time;
    if (!sc_event_is_charge(r->vault->event.kind))
        return SCRIM_OK;
    r->number++;
    return keep_charge(r, at->generation, error);
}

scrim_status sc_vault_check_known(const scrim_vault *v, const char *dataset,
                                  uint64_t *population, scrim_error *error)
{
    const sc_book *book = &v->book;
    bool is_known = dataset == NULL;
    for (size_t i = 0; i < book->dataset_count && dataset != NULL; i++)
        if (strcmp(book->datasets[i].name, dataset) == 0) {
            is_known = true;
            *population = book->datasets[i].population;
        }
    const char *nearest =
        is_known ? NULL : sc_book_nearest_dataset(book, sc_text_of(dataset), true);
    if (nearest != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "dataset",
                           "unknown dataset '%s'; did you mean '%s'?", dataset, nearest);
    if (!is_known)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "dataset",
                           "unknown dataset '%s'", dataset);
    return SCRIM_OK;
}

static scrim_status plan_history(scrim_vault *v, void *context, scrim_error *error)
{
    recalling *r = context;
    scrim_status status = SCRIM_OK;
    uint64_t population = 0;
    if (begin_batch(&r->batch, v)) {
        status = sc_vault_check_known(v, r->dataset, &population, error);
        if (status == SCRIM_OK && r->batch.next > 1)
            status = sc_vault_count_charges(v, r->batch.next - 1, &r->number, error);
        if (status == SCRIM_OK)
            status = v->store->functions->entries(v->store, r->batch.next, false,
                                                  note_run, r, error);
        if (r->run_count > 0)
            qsort(r->runs, r->run_count, sizeof *r->runs, compare_numbers);
    }
    return status == SCRIM_OK ? read_batch(&r->batch, v->store, recall, r, error)
                              : status;
}

/* Also what was read before a failure. */
static scrim_status show_charges(recalling *r, scrim_vault_charge_visitor *visitor,
                                 void *context)
{
    scrim_status said = SCRIM_OK;
    for (size_t i = 0; i < r->count; i++) {
        if (said == SCRIM_OK)
            said = visitor(context, &r->charges[i]);
        scrim_vault_release_clear(&r->charges[i]);
    }
    r->count = 0;
    return said;
}

scrim_status scrim_vault_history(scrim_vault *vault, const char *dataset, uint64_t from,
                                 scrim_vault_charge_visitor *visitor, void *context,
                                 scrim_error *error)
{
    SC_REQUIRE(error, "vault", vault);
    recalling r = {.vault = vault, .dataset = dataset, .batch = {.next = from}};
    scrim_status status = SCRIM_OK, said = SCRIM_OK;
    r.charges = sc_allocate(BATCH_ENTRIES, sizeof *r.charges);
    if (r.charges == NULL)
        return sc_no_memory(error, "the history");
    do {
        status = sc_vault_read(vault, plan_history, &r, error);
        said = show_charges(&r, visitor, context);
    } while (status == SCRIM_OK && said == SCRIM_OK && !is_over(&r.batch));
    sc_free(r.charges);
    sc_free(r.runs);
    return said == SCRIM_OK ? status : said;
}

/* The entries as they are. */

typedef struct kept_entry {
    uint64_t id;
    size_t count;
    char *bytes, *answer;
    char hash[SC_DIGEST_TEXT_BYTES];
} kept_entry;

typedef struct visiting {
    scrim_vault *vault;
    bool is_owner; /* sees answers */
    batch batch;
    kept_entry *entries; /* of the batch */
    size_t count;
} visiting;

/* Was somebody else charged? */
static scrim_status is_of_other(scrim_vault *v, uint64_t charge, bool *out,
                                scrim_error *error)
{
    char *bytes = NULL;
    const scrim_status status = sc_vault_entry(v, charge, &bytes, error);
    *out = v->event.analyst != sc_book_charged_analyst(&v->book, v->identity.user,
                                                       sc_text_of(v->identity.name));
    sc_free(bytes);
    return status;
}

static scrim_status keep_entry(void *context, const sc_chain *at, sc_text bytes,
                               scrim_error *error)
{
    visiting *visit = context;
    scrim_vault *v = visit->vault;
    if (!take(&visit->batch, at, bytes.bytes))
        return SCRIM_E_STATE; /* far enough */
    kept_entry kept = {.id = at->generation, .count = bytes.bytes};
    sc_digest_format(&at->head, kept.hash);
    bool is_withheld = false;
    scrim_status status = sc_event_parse(bytes, &v->event, error);
    if (status == SCRIM_OK && v->event.kind == SC_EVENT_RELEASE && visit->is_owner)
        status = v->store->functions->answer(v->store, v->event.charge, NULL,
                                             &kept.answer, error);
    if (status == SCRIM_OK && v->event.kind == SC_EVENT_ASKED && !visit->is_owner)
        status = is_of_other(v, v->event.charge, &is_withheld, error);
    if (status == SCRIM_OK && kept.answer != NULL)
        visit->batch.bytes += strlen(kept.answer);
    if (is_withheld)
        kept.count = 0;
    else if (status == SCRIM_OK)
        status = copy_text(bytes, &kept.bytes, error);
    if (status == SCRIM_OK)
        visit->entries[visit->count++] = kept;
    else
        sc_free(kept.answer);
    return status;
}

static scrim_status plan_visit(scrim_vault *v, void *context, scrim_error *error)
{
    visiting *visit = context;
    (void)begin_batch(&visit->batch, v);
    return read_batch(&visit->batch, v->store, keep_entry, visit, error);
}

/* Also what was read before a failure. */
static scrim_status show_entries(visiting *visit, scrim_vault_visitor *visitor,
                                 void *context)
{
    scrim_status said = SCRIM_OK;
    for (size_t i = 0; i < visit->count; i++) {
        kept_entry *e = &visit->entries[i];
        if (said == SCRIM_OK)
            said = visitor(context, e->id, e->bytes, e->count, e->hash, e->answer);
        sc_free(e->bytes);
        sc_free(e->answer);
    }
    visit->count = 0;
    return said;
}

scrim_status scrim_vault_visit(scrim_vault *vault, uint64_t from,
                               scrim_vault_visitor *visitor, void *context,
                               scrim_error *error)
{
    SC_REQUIRE(error, "vault", vault);
    visiting visit = {
        .vault = vault, .is_owner = scrim_vault_is_owned(vault), .batch = {.next = from}};
    scrim_status status = SCRIM_OK, said = SCRIM_OK;
    visit.entries = sc_allocate(BATCH_ENTRIES, sizeof *visit.entries);
    if (visit.entries == NULL)
        return sc_no_memory(error, "the entries");
    do {
        status = sc_vault_read(vault, plan_visit, &visit, error);
        said = show_entries(&visit, visitor, context);
    } while (status == SCRIM_OK && said == SCRIM_OK && !is_over(&visit.batch));
    sc_free(visit.entries);
    return said == SCRIM_OK ? status : said;
}

static scrim_status plan_count(scrim_vault *v, void *context, scrim_error *error)
{
    (void)error;
    *(uint64_t *)context = v->chain.generation;
    return SCRIM_OK;
}

scrim_status scrim_vault_count(scrim_vault *vault, uint64_t *out, scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    return sc_vault_read(vault, plan_count, out, error);
}
