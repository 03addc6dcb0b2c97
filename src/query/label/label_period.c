#include "query/label/label_period.h"

#include "base/status.h"
#include "vault/vault_key.h"
#include "vault/vault_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FROM "period.from-seconds"
#define UNTIL "period.until-seconds"
#define CHARGES "period.charges"

bool sc_label_is_period(const scrim_label *label)
{
    return scrim_label_get(label, CHARGES) != NULL &&
           scrim_label_get(label, "release.number") == NULL;
}

/* The sums of a population. */
typedef struct spending {
    sc_ratio before, before_delta, within, within_delta;
    uint64_t charges_before, charges, releases;
} spending;

typedef struct charged_entry {
    uint64_t entry, population;
} charged_entry;

typedef struct counting {
    scrim_vault *vault;
    const scrim_label_period *period;
    sc_book book;
    sc_chain head;
    uint64_t now; /* the last time that was noted; 0: none */
    spending *sums;
    size_t sum_count, sum_room;
    charged_entry *within; /* the charges of the time, in order */
    size_t count, room;
} counting;

/* The sums of each population that the book has by now. */
static scrim_status follow_book(counting *c, scrim_error *error)
{
    while (c->sum_count < c->book.population_count) {
        if (!sc_make_room(&c->sums, c->sum_count, &c->sum_room, sizeof *c->sums))
            return sc_no_memory(error, "a label");
        spending *added = &c->sums[c->sum_count++];
        memset(added, 0, sizeof *added);
        sc_ratio_init(&added->before);
        sc_ratio_init(&added->before_delta);
        sc_ratio_init(&added->within);
        sc_ratio_init(&added->within_delta);
    }
    return SCRIM_OK;
}

static scrim_status count_charge(counting *c, const sc_event *e, uint64_t entry,
                                 scrim_error *error)
{
    const scrim_label_period *period = c->period;
    const uint64_t population = sc_book_dataset(&c->book, e->dataset)->population;
    spending *sum = &c->sums[population - 1];
    if (period->until != 0 && c->now >= period->until)
        return SCRIM_OK;
    if (c->now != 0 && c->now < period->from) {
        sc_ratio_add(&sum->before, &sum->before, &e->amount);
        sc_ratio_add(&sum->before_delta, &sum->before_delta, &e->delta);
        sum->charges_before++;
        return SCRIM_OK;
    }
    sc_ratio_add(&sum->within, &sum->within, &e->amount);
    sc_ratio_add(&sum->within_delta, &sum->within_delta, &e->delta);
    sum->charges++;
    if (!sc_make_room(&c->within, c->count, &c->room, sizeof *c->within))
        return sc_no_memory(error, "a label");
    c->within[c->count++] = (charged_entry){entry, population};
    return SCRIM_OK;
}

static void count_release(counting *c, uint64_t charge)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->within[middle].entry < charge)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < c->count && c->within[low].entry == charge)
        c->sums[c->within[low].population - 1].releases++;
}

static scrim_status see(void *context, const sc_chain *at, sc_text bytes,
                        scrim_error *error)
{
    counting *c = context;
    sc_event *e = &c->vault->event;
    if (at->generation > c->period->entries)
        return SCRIM_E_STATE;
    SC_TRY(sc_event_parse(bytes, e, error));
    SC_TRY(sc_book_apply(&c->book, at->generation, e, error));
    c->head = *at;
    SC_TRY(follow_book(c, error));
    if (e->kind == SC_EVENT_TIME)
        c->now = e->time;
    if (e->kind == SC_EVENT_RELEASE)
        count_release(c, e->charge);
    return sc_event_is_charge(e->kind) ? count_charge(c, e, at->generation, error)
                                       : SCRIM_OK;
}

static scrim_status plan_count(scrim_vault *v, void *context, scrim_error *error)
{
    counting *c = context;
    if (c->period->entries > v->chain.generation)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "entries",
                           "the ledger has fewer entries");
    const scrim_status status =
        v->store->functions->entries(v->store, 1, false, see, c, error);
    return status == SCRIM_E_STATE && c->head.generation == c->period->entries ? SCRIM_OK
                                                                               : status;
}

static void clear(counting *c)
{
    for (size_t i = 0; i < c->sum_count; i++) {
        sc_ratio_clear(&c->sums[i].before);
        sc_ratio_clear(&c->sums[i].before_delta);
        sc_ratio_clear(&c->sums[i].within);
        sc_ratio_clear(&c->sums[i].within_delta);
    }
    sc_free(c->sums);
    sc_free(c->within);
    sc_book_clear(&c->book);
}

/* Facts. */

static void put(scrim_label *label, const char *key, const char *value)
{
    sc_label_put(label, key, sc_text_of(value));
}

static void put_amount(scrim_label *label, size_t number, const char *member,
                       const sc_ratio *amount)
{
    char key[SC_LABEL_KEY_BYTES], text[SCRIM_NUMBER_BYTES];
    sc_book_format_upper(amount, text);
    put(label, sc_label_key(key, "budget", number, member), text);
}

static void put_count(scrim_label *label, size_t number, const char *member,
                      uint64_t count)
{
    char key[SC_LABEL_KEY_BYTES];
    sc_label_put_number(label, sc_label_key(key, "budget", number, member), count);
}

static void put_budget(counting *c, scrim_label *label, size_t number, size_t population)
{
    const spending *sum = &c->sums[population];
    char key[SC_LABEL_KEY_BYTES];
    scrim_budget budget;
    SC_OWN(sc_ratio, end, end_delta);
    sc_vault_set_budget(&c->book, population + 1, 0, &budget);
    put(label, sc_label_key(key, "budget", number, "population"), budget.population);
    put(label, sc_label_key(key, "budget", number, "neighbours"),
        scrim_neighbours_name(budget.neighbours));
    put(label, sc_label_key(key, "budget", number, "account"), budget.unit);
    put(label, sc_label_key(key, "budget", number, "total"), budget.total);
    put(label, sc_label_key(key, "budget", number, "total-delta"), budget.total_delta);
    put_count(label, number, "charges-before", sum->charges_before);
    put_amount(label, number, "spent-before", &sum->before);
    put_amount(label, number, "spent-before-delta", &sum->before_delta);
    put_count(label, number, "charges", sum->charges);
    put_count(label, number, "releases", sum->releases);
    put_amount(label, number, "spent", &sum->within);
    put_amount(label, number, "spent-delta", &sum->within_delta);
    sc_ratio_add(&end, &sum->before, &sum->within);
    sc_ratio_add(&end_delta, &sum->before_delta, &sum->within_delta);
    put_amount(label, number, "spent-end", &end);
    put_amount(label, number, "spent-end-delta", &end_delta);
}

static void put_digest(scrim_label *label, const char *key, const sc_digest *digest)
{
    char text[SC_DIGEST_TEXT_BYTES];
    sc_digest_format(digest, text);
    put(label, key, text);
}

static void put_facts(counting *c, const sc_label_file *file, scrim_label *label)
{
    uint64_t charges = 0, releases = 0;
    size_t number = 0;
    for (size_t i = 0; i < c->sum_count; i++) {
        charges += c->sums[i].charges;
        releases += c->sums[i].releases;
    }
    sc_label_put_number(label, FROM, c->period->from);
    sc_label_put_number(label, UNTIL, c->period->until);
    sc_label_put_number(label, CHARGES, charges);
    sc_label_put_number(label, "period.releases", releases);
    for (size_t i = 0; i < c->sum_count; i++)
        if (c->sums[i].charges > 0 || c->sums[i].charges_before > 0)
            put_budget(c, label, ++number, i);
    put(label, "software.name", "scrim");
    put(label, "software.version", scrim_version());
    sc_label_put_number(label, "ledger.entries", c->head.generation);
    put_digest(label, "ledger.head", &c->head.head);
    if (c->book.key_entry != 0)
        put_digest(label, SC_LABEL_KEY_FACT, &c->book.key);
    if (file == NULL)
        return;
    put(label, SC_LABEL_FILE_FACTS "kind", file->kind);
    sc_label_put_number(label, SC_LABEL_FILE_FACTS "bytes", file->bytes);
    put_digest(label, SC_LABEL_FILE_DIGEST, &file->digest);
}

static scrim_status sign(scrim_vault *vault, scrim_label *label, scrim_error *error)
{
    SC_TRY(sc_vault_key_sign(vault, sc_text_of(label->text), &label->signature, error));
    label->has_signature = true;
    return sc_label_seal(label, error);
}

scrim_status sc_label_make_period(scrim_vault *vault, const scrim_label_period *period,
                                  const sc_label_file *file, scrim_label **out,
                                  scrim_error *error)
{
    counting c = {.vault = vault, .period = period};
    sc_book_init(&c.book);
    scrim_status status = sc_vault_read(vault, plan_count, &c, error);
    scrim_label *label = status == SCRIM_OK ? sc_label_new() : NULL;
    if (status == SCRIM_OK && label == NULL)
        status = sc_no_memory(error, "a label");
    if (status == SCRIM_OK) {
        put_facts(&c, file, label);
        status = sc_label_seal(label, error);
    }
    if (status == SCRIM_OK && c.book.key_entry != 0)
        status = sign(vault, label, error);
    clear(&c);
    if (status == SCRIM_OK)
        *out = label;
    else
        scrim_label_free(label);
    return status;
}

scrim_status sc_label_read_period(const scrim_label *label, scrim_label_period *out,
                                  scrim_error *error)
{
    const struct {
        const char *key;
        uint64_t *out;
    } facts[] = {
        {FROM, &out->from}, {UNTIL, &out->until}, {"ledger.entries", &out->entries}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        const char *value = scrim_label_get(label, facts[i].key);
        if (value == NULL || !sc_text_uint64(sc_text_of(value), facts[i].out))
            return sc_fail(error, SCRIM_E_CHECK, "the label lacks the fact %s",
                           facts[i].key);
    }
    return out->entries > 0
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_CHECK,
                         "the label does not say how many entries the ledger had");
}
