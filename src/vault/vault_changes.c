/* Changes that the owner made, read from the entries themselves. Nothing here writes. */
#include "base/memory.h"
#include "base/text_copy.h"
#include "data/value/schema.h"
#include "vault/state/policy_terms.h"
#include "vault/vault.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Kept until the store's lock is given back, and shown then: a visitor may take its time. */
typedef struct kept_change {
    scrim_vault_change change; /* its texts are those below */
    char *what, *before, *after;
} kept_change;

/* A share as it is by now. */
typedef struct known_share {
    uint64_t population, analyst;
    char text[2 * SCRIM_NUMBER_BYTES + 32];
} known_share;

typedef struct tracing {
    scrim_vault *vault;
    const char *dataset; /* NULL: all */
    uint64_t population; /* that of the dataset, by number; 0: all */
    uint64_t time, entry;
    size_t datasets, populations; /* entered so far */
    uint64_t files, places;       /* where the vault has lived */
    char **policies;              /* of each dataset, as it is by now; NULL: none yet */
    known_share *shares;
    size_t share_count, share_capacity;
    kept_change *changes;
    size_t count, capacity;
} tracing;

/* Keeping. */

static const sc_text nothing = {NULL, 0};

/* A text whose start is NULL is missing: *out is NULL too. */
static bool keep_text(sc_text text, char **out)
{
    *out = text.start == NULL ? NULL : sc_text_copy(text);
    return text.start == NULL || *out != NULL;
}

typedef struct change_words {
    sc_text what, before, after;
} change_words;

/* For a dataset by number, or 0, and for its population, or 0 where the vault itself changed. */
static scrim_status keep(tracing *t, uint64_t dataset, uint64_t population,
                         uint64_t version, const change_words *words, scrim_error *error)
{
    const sc_book *book = &t->vault->book;
    const sc_dataset_entry *d = sc_book_dataset(book, dataset);
    const sc_population *people = sc_book_population(book, population);
    if (t->dataset != NULL &&
        (d == NULL ? population != t->population : strcmp(d->name, t->dataset) != 0))
        return SCRIM_OK;
    if (!sc_make_room(&t->changes, t->count, &t->capacity, sizeof *t->changes))
        return sc_no_memory(error, "the changes");
    kept_change *kept = &t->changes[t->count++];
    memset(kept, 0, sizeof *kept);
    kept->change.entry = t->entry;
    /* A vault is accepted when it is opened, before anybody tells the time. */
    kept->change.time = population == 0 ? 0 : t->time;
    kept->change.version = version;
    snprintf(kept->change.dataset, SCRIM_NAME_BYTES, "%s", d == NULL ? "" : d->name);
    snprintf(kept->change.population, SCRIM_NAME_BYTES, "%s",
             people == NULL ? "" : people->name);
    return keep_text(words->what, &kept->what) &&
                   keep_text(words->before, &kept->before) &&
                   keep_text(words->after, &kept->after)
               ? SCRIM_OK
               : sc_no_memory(error, "the changes");
}

/* Policies. */

/* One line: what it is about, "max-rows" or "column age", and what it says of it. */
typedef struct said {
    sc_text key, name, value; /* name: of a column; else empty */
} said;

static bool is_of_column(sc_text key)
{
    return sc_text_is(key, "column") || sc_text_is(key, "keys") ||
           sc_text_is(key, "missing") || sc_text_is(key, "max-total");
}

/* The seal of the contents says nothing to people, and a population is the same for good, whether or
 * not a policy names it. */
static bool is_passed_over(sc_text key)
{
    return sc_text_is(key, "contents") || sc_text_is(key, "budget") ||
           sc_text_is(key, "accounting") || sc_text_is(key, "population");
}

static bool next_said(sc_text *rest, said *out)
{
    sc_text line;
    do {
        if (!sc_schema_line(rest, &line, &out->key, &out->value))
            return false;
    } while (is_passed_over(out->key));
    out->name = nothing;
    if (is_of_column(out->key) &&
        !sc_text_split(out->value, '=', &out->name, &out->value))
        out->name = nothing;
    return true;
}

static bool is_about(const said *a, const said *b)
{
    return sc_text_equal(a->key, b->key) && sc_text_equal(a->name, b->name);
}

static bool find_said(sc_text policy, const said *wanted, said *out)
{
    while (next_said(&policy, out))
        if (is_about(out, wanted))
            return true;
    return false;
}

static scrim_status keep_line(tracing *t, uint64_t dataset, uint64_t version,
                              const said *line, sc_text before, sc_text after,
                              scrim_error *error)
{
    char what[256];
    snprintf(what, sizeof what, "%.*s%s%.*s", (int)line->key.bytes, line->key.start,
             line->name.bytes == 0 ? "" : " ",
             (int)(line->name.bytes < 200 ? line->name.bytes : 200),
             line->name.bytes == 0 ? "" : line->name.start);
    return keep(t, dataset, sc_book_dataset(&t->vault->book, dataset)->population,
                version, &(change_words){sc_text_of(what), before, after}, error);
}

/* Lines of one that the other has not, or otherwise; of lines that both have, only while before is
 * asked for by the newer one. */
static scrim_status keep_lines(tracing *t, uint64_t dataset, uint64_t version,
                               sc_text policy, sc_text other, bool is_new,
                               scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    said line, found;
    while (status == SCRIM_OK && next_said(&policy, &line)) {
        const bool is_there = find_said(other, &line, &found);
        if (is_there && (!is_new || sc_text_equal(line.value, found.value)))
            continue;
        status = keep_line(t, dataset, version, &line,
                           !is_new    ? line.value
                           : is_there ? found.value
                                      : nothing,
                           is_new ? line.value : nothing, error);
    }
    return status;
}

/* The policy as it is from this entry on, which is taken over. */
static scrim_status replace_policy(tracing *t, uint64_t dataset, uint64_t version,
                                   char *policy, scrim_error *error)
{
    if (policy == NULL)
        return sc_no_memory(error, "the changes");
    const sc_text now = sc_text_of(policy), before = sc_text_of(t->policies[dataset - 1]);
    scrim_status status = keep_lines(t, dataset, version, before, now, false, error);
    if (status == SCRIM_OK)
        status = keep_lines(t, dataset, version, now, before, true, error);
    sc_free(t->policies[dataset - 1]);
    t->policies[dataset - 1] = policy;
    return status;
}

/* Entries. */

static scrim_status see_dataset(tracing *t, const sc_event *e, scrim_error *error)
{
    const uint64_t dataset = ++t->datasets;
    said cap;
    const said wanted = {.key = sc_text_of("cap")};
    t->policies[dataset - 1] = sc_text_copy(e->body);
    if (t->policies[dataset - 1] == NULL)
        return sc_no_memory(error, "the changes");
    scrim_status status =
        keep(t, dataset, e->population, 1,
             &(change_words){sc_text_of("added"), nothing, nothing}, error);
    if (status == SCRIM_OK && find_said(e->body, &wanted, &cap))
        status = keep_line(t, dataset, 1, &cap, nothing, cap.value, error);
    return status;
}

static scrim_status see_version(tracing *t, const sc_event *e, scrim_error *error)
{
    const uint64_t population = sc_book_dataset(&t->vault->book, e->dataset)->population;
    const scrim_status status =
        keep(t, e->dataset, population, e->version,
             &(change_words){
                 sc_text_of(e->kind == SC_EVENT_UPDATE ? "new contents" : "new policy"),
                 nothing, nothing},
             error);
    return status == SCRIM_OK
               ? replace_policy(t, e->dataset, e->version, sc_text_copy(e->body), error)
               : status;
}

static scrim_status see_terms(tracing *t, const sc_event *e, scrim_error *error)
{
    return replace_policy(
        t, e->dataset, e->version,
        sc_policy_under(sc_text_of(t->policies[e->dataset - 1]), e->body), error);
}

static scrim_status see_population(tracing *t, const sc_event *e, scrim_error *error)
{
    char text[2 * SCRIM_NUMBER_BYTES + 32], epsilon[SCRIM_NUMBER_BYTES],
        delta[SCRIM_NUMBER_BYTES];
    sc_book_format_lower(&e->epsilon, epsilon);
    sc_book_format_lower(&e->delta, delta);
    snprintf(text, sizeof text, "epsilon=%s,delta=%s", epsilon, delta);
    return keep(t, 0, ++t->populations, 0,
                &(change_words){sc_text_of("budget"), nothing, sc_text_of(text)}, error);
}

static known_share *find_share(tracing *t, uint64_t population, uint64_t analyst)
{
    for (size_t i = 0; i < t->share_count; i++)
        if (t->shares[i].population == population && t->shares[i].analyst == analyst)
            return &t->shares[i];
    if (!sc_make_room(&t->shares, t->share_count, &t->share_capacity, sizeof *t->shares))
        return NULL;
    known_share *made = &t->shares[t->share_count++];
    *made = (known_share){.population = population, .analyst = analyst};
    return made;
}

/* "epsilon=1,delta=0.001"; "" for no limit. */
static void format_share(const char *unit, const sc_event *e, known_share *out)
{
    char amount[SCRIM_NUMBER_BYTES] = "", delta[SCRIM_NUMBER_BYTES] = "";
    if (e->has_amount)
        sc_book_format_lower(&e->amount, amount);
    if (e->has_delta)
        sc_book_format_lower(&e->delta, delta);
    snprintf(out->text, sizeof out->text, "%s%s%s%s%s%s", e->has_amount ? unit : "",
             e->has_amount ? "=" : "", amount, e->has_amount && e->has_delta ? "," : "",
             e->has_delta ? "delta=" : "", delta);
}

static scrim_status see_share(tracing *t, const sc_event *e, scrim_error *error)
{
    const sc_book *book = &t->vault->book;
    const sc_analyst *analyst = sc_book_analyst(book, e->analyst);
    const sc_filter *filter = &sc_book_population(book, e->population)->filter;
    known_share *share = find_share(t, e->population, e->analyst);
    char what[SCRIM_NAME_BYTES + 16];
    if (share == NULL)
        return sc_no_memory(error, "the changes");
    const known_share before = *share;
    format_share(sc_filter_unit(filter->rule), e, share);
    snprintf(what, sizeof what, "share of %s", analyst == NULL ? "*" : analyst->name);
    return keep(
        t, 0, e->population, 0,
        &(change_words){sc_text_of(what),
                        before.text[0] == '\0' ? nothing : sc_text_of(before.text),
                        share->text[0] == '\0' ? nothing : sc_text_of(share->text)},
        error);
}

/* "series monthly created", "12 releases". */
static scrim_status see_series(tracing *t, const sc_event *e, scrim_error *error)
{
    const sc_dataset_entry *d = sc_book_dataset(&t->vault->book, e->dataset);
    char what[SCRIM_NAME_BYTES + 24], releases[48];
    snprintf(what, sizeof what, "series %.*s created", (int)e->name.bytes, e->name.start);
    snprintf(releases, sizeof releases, "%llu releases", (unsigned long long)e->release);
    return keep(t, e->dataset, d->population, d->version,
                &(change_words){sc_text_of(what), nothing, sc_text_of(releases)}, error);
}

/* The vault was moved or copied, and its owner has accepted that. A vault of an earlier format has
 * one place of each kind to begin with. */
static scrim_status see_place(tracing *t, const sc_event *e, scrim_error *error)
{
    uint64_t *seen = e->kind == SC_EVENT_FILE ? &t->files : &t->places;
    return (*seen)++ == 0
               ? SCRIM_OK
               : keep(t, 0, 0, 0,
                      &(change_words){sc_text_of("vault moved"), nothing, nothing},
                      error);
}

/* e->seen is not 0 where the vault lacks entries that its former witness had seen. */
static scrim_status see_witness(tracing *t, const sc_event *e, scrim_error *error)
{
    char seen[40], last[40];
    if (e->seen == 0)
        return keep(t, 0, 0, 0, &(change_words){sc_text_of("witness"), nothing, e->body},
                    error);
    snprintf(seen, sizeof seen, "entry %" PRIu64, e->seen);
    snprintf(last, sizeof last, "entry %" PRIu64, t->entry - 1);
    return keep(
        t, 0, 0, 0,
        &(change_words){sc_text_of("vault restored"), sc_text_of(seen), sc_text_of(last)},
        error);
}

static scrim_status see(tracing *t, const sc_event *e, scrim_error *error)
{
    switch (e->kind) {
    case SC_EVENT_POPULATION:
        return see_population(t, e, error);
    case SC_EVENT_DATASET:
        return see_dataset(t, e, error);
    case SC_EVENT_POLICY:
    case SC_EVENT_UPDATE:
        return see_version(t, e, error);
    case SC_EVENT_TERMS:
        return see_terms(t, e, error);
    case SC_EVENT_CLOSE:
        return keep(t, e->dataset,
                    sc_book_dataset(&t->vault->book, e->dataset)->population, e->version,
                    &(change_words){sc_text_of("closed: the source has changed"), nothing,
                                    nothing},
                    error);
    case SC_EVENT_REMOVE:
        return keep(t, e->dataset,
                    sc_book_dataset(&t->vault->book, e->dataset)->population, 0,
                    &(change_words){sc_text_of("removed"), nothing, nothing}, error);
    case SC_EVENT_SHARE:
        return see_share(t, e, error);
    case SC_EVENT_SERIES:
        return see_series(t, e, error);
    case SC_EVENT_PLACE:
    case SC_EVENT_FILE:
        return see_place(t, e, error);
    case SC_EVENT_WITNESS:
        return see_witness(t, e, error);
    case SC_EVENT_TIME:
        t->time = e->time;
        return SCRIM_OK;
    case SC_EVENT_INIT:
    case SC_EVENT_ANALYST:
    case SC_EVENT_CAP: /* its policy or its terms say the same */
    case SC_EVENT_CHARGE:
    case SC_EVENT_RELEASE:
    case SC_EVENT_JOINT:
    case SC_EVENT_WINDOW:
    case SC_EVENT_WINDOW2:
    case SC_EVENT_KEY:
    case SC_EVENT_ASKED:
    case SC_EVENT_VIEW:
        break;
    }
    return SCRIM_OK;
}

/* Most entries are charges and answers: they are told by their first word and not parsed. */
static scrim_status trace(void *context, const sc_chain *at, sc_text bytes,
                          scrim_error *error)
{
    tracing *t = context;
    sc_text word, rest;
    if (sc_event_bytes_charge(bytes) ||
        (sc_text_split(bytes, ' ', &word, &rest) &&
         (sc_text_is(word, "release") || sc_text_is(word, "asked"))))
        return SCRIM_OK;
    const scrim_status status = sc_event_parse(bytes, &t->vault->event, error);
    t->entry = at->generation;
    return status == SCRIM_OK ? see(t, &t->vault->event, error) : status;
}

static scrim_status plan_changes(scrim_vault *v, void *context, scrim_error *error)
{
    tracing *t = context;
    const scrim_status status =
        sc_vault_check_known(v, t->dataset, &t->population, error);
    if (status != SCRIM_OK)
        return status;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    t->policies = sc_allocate(v->book.dataset_count + 1, sizeof *t->policies);
    return t->policies == NULL
               ? sc_no_memory(error, "the changes")
               : v->store->functions->entries(v->store, 1, false, trace, t, error);
}

scrim_status scrim_vault_changes(scrim_vault *vault, const char *dataset,
                                 scrim_vault_change_visitor *visitor, void *context,
                                 scrim_error *error)
{
    SC_REQUIRE(error, "vault", vault);
    tracing t = {.vault = vault, .dataset = dataset};
    scrim_status status = sc_vault_read(vault, plan_changes, &t, error);
    for (size_t i = 0; i < t.count; i++) {
        kept_change *kept = &t.changes[i];
        kept->change.what = kept->what;
        kept->change.before = kept->before;
        kept->change.after = kept->after;
        if (status == SCRIM_OK)
            status = visitor(context, &kept->change);
        sc_free(kept->what);
        sc_free(kept->before);
        sc_free(kept->after);
    }
    for (size_t i = 0; t.policies != NULL && i < t.datasets; i++)
        sc_free(t.policies[i]);
    sc_free(t.policies);
    sc_free(t.shares);
    sc_free(t.changes);
    return status;
}
