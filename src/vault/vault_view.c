#include "vault/vault_view.h"

#include "base/memory.h"
#include "base/text_copy.h"
#include "data/source/arrow_frame.h"
#include "data/table/disclosure.h"
#include "data/table/mock_rows.h"
#include "data/table/source_seal.h"
#include "data/table/survey.h"
#include "model/option_struct.h"
#include "random/bits_system.h"
#include "vault/policy.h"
#include "vault/state/policy_terms.h"
#include "vault/vault_key.h"

#include <string.h>

/* All charges that the book has added up. */
static uint64_t all_charges(const sc_book *book)
{
    uint64_t charges = 0;
    for (size_t i = 0; i < book->population_count; i++)
        charges += book->populations[i].tallies[0].charges;
    return charges;
}

typedef struct counting {
    uint64_t last;   /* entry */
    uint64_t wanted; /* charge that ends the visit; 0: none */
    uint64_t count;
    uint64_t found; /* the entry of the one that was wanted */
} counting;

static scrim_status count_one(void *context, const sc_chain *at, sc_text bytes,
                              scrim_error *error)
{
    counting *c = context;
    (void)error;
    if (at->generation > c->last)
        return SCRIM_E_STATE;
    if (!sc_event_bytes_charge(bytes))
        return SCRIM_OK;
    c->count++;
    if (c->count != c->wanted)
        return SCRIM_OK;
    c->found = at->generation;
    return SCRIM_E_STATE; /* one is enough */
}

static scrim_status count(scrim_vault *v, uint64_t from, counting *c, scrim_error *error)
{
    c->count = 0;
    const scrim_status status =
        v->store->functions->entries(v->store, from, false, count_one, c, error);
    return status == SCRIM_E_STATE ? SCRIM_OK : status;
}

scrim_status sc_vault_count_charges(scrim_vault *v, uint64_t entry, uint64_t *out,
                                    scrim_error *error)
{
    const uint64_t all = all_charges(&v->book), last = v->chain.generation;
    const bool is_early = entry < last / 2;
    counting c = {.last = is_early ? entry : last};
    const scrim_status status =
        entry >= last ? SCRIM_OK : count(v, is_early ? 1 : entry + 1, &c, error);
    *out = is_early ? c.count : all - c.count;
    return status;
}

/* From the end on, where releases are asked for that were made lately; then further and further
 * back. */
scrim_status sc_vault_charge_of(scrim_vault *v, uint64_t number, uint64_t *entry,
                                scrim_error *error)
{
    const uint64_t all = all_charges(&v->book), last = v->chain.generation;
    counting c = {.last = last};
    scrim_status status = SCRIM_OK;
    if (number == 0 || number > all)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "release",
                           "there is no release %llu", (unsigned long long)number);
    for (uint64_t back = 64; c.found == 0 && status == SCRIM_OK; back *= 8) {
        const uint64_t from = last > back ? last - back : 1;
        c.wanted = 0;
        status = count(v, from, &c, error);
        if (status == SCRIM_OK && all - c.count < number) {
            c.wanted = number - (all - c.count);
            status = count(v, from, &c, error);
        }
        if (status == SCRIM_OK && from == 1 && c.found == 0)
            status = sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                                 "the totals are not those of the entries");
    }
    if (status == SCRIM_OK)
        *entry = c.found;
    return status;
}

typedef struct numbered_charge {
    uint64_t entry, number;
} numbered_charge;

static scrim_status plan_number(scrim_vault *v, void *context, scrim_error *error)
{
    numbered_charge *f = context;
    char *bytes = NULL;
    scrim_status status = sc_vault_entry(v, f->entry, &bytes, error);
    if (status == SCRIM_OK && !sc_event_is_charge(v->event.kind))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "release",
                             "entry %llu is not a release", (unsigned long long)f->entry);
    sc_free(bytes);
    return status == SCRIM_OK ? sc_vault_count_charges(v, f->entry, &f->number, error)
                              : status;
}

scrim_status sc_vault_release_of(scrim_vault *vault, uint64_t entry, uint64_t *number,
                                 scrim_error *error)
{
    numbered_charge f = {.entry = entry};
    const scrim_status status = sc_vault_read(vault, plan_number, &f, error);
    if (status == SCRIM_OK)
        *number = f.number;
    return status;
}

/* Views of a vault: datasets, budgets and analysts. Nothing here writes. */

static void set_text(char *out, size_t capacity, const char *text)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, out, capacity);
    sc_text_put(&sink, sc_text_of(text));
}

/* Datasets. */

typedef struct listing {
    size_t index;
    scrim_dataset *out;
} listing;

static scrim_status plan_list(scrim_vault *v, void *context, scrim_error *error)
{
    const listing *l = context;
    /* One after the other is the way of most: on from the last one. */
    const bool is_next =
        v->listed.generation == v->chain.generation && l->index == v->listed.index + 1;
    size_t left = is_next ? 0 : l->index;
    for (size_t i = is_next ? v->listed.place + 1 : 0; i < v->book.dataset_count; i++) {
        const sc_dataset_entry *d = &v->book.datasets[i];
        if (d->is_removed || left-- > 0)
            continue;
        v->listed = (sc_listed){v->chain.generation, l->index, i};
        memset(l->out, 0, sizeof *l->out);
        set_text(l->out->name, sizeof l->out->name, d->name);
        set_text(l->out->population, sizeof l->out->population,
                 v->book.populations[d->population - 1].name);
        l->out->version = d->version;
        l->out->is_closed = d->is_closed;
        if (d->has_most)
            sc_book_format_lower(&d->most, l->out->cap);
        if (d->has_delta)
            sc_book_format_lower(&d->delta, l->out->cap_delta);
        if (d->has_least)
            sc_book_format_upper(&d->least, l->out->cap_least);
        return SCRIM_OK;
    }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "index",
                       "the vault has no such dataset");
}

scrim_status scrim_vault_dataset(scrim_vault *vault, size_t index, scrim_dataset *out,
                                 scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    listing l = {index, out};
    return sc_vault_read(vault, plan_list, &l, error);
}

typedef struct reading {
    const char *name;
    char *text;
} reading;

scrim_status sc_vault_policy_now(scrim_vault *v, const sc_dataset_entry *dataset,
                                 char **out, scrim_error *error)
{
    char *bytes = NULL, *policy = NULL, *now = NULL;
    scrim_status status = sc_vault_entry(v, dataset->policy, &bytes, error);
    if (status != SCRIM_OK)
        return status;
    policy = now = sc_text_copy(v->event.body);
    sc_free(bytes);
    bytes = NULL;
    if (policy != NULL && dataset->terms != 0) {
        status = sc_vault_entry(v, dataset->terms, &bytes, error);
        now = status == SCRIM_OK ? sc_policy_under(sc_text_of(policy), v->event.body)
                                 : NULL;
        sc_free(policy);
        sc_free(bytes);
    }
    if (status == SCRIM_OK && now == NULL)
        status = sc_no_memory(error, "a policy");
    if (status == SCRIM_OK)
        *out = now;
    return status;
}

static scrim_status plan_policy(scrim_vault *v, void *context, scrim_error *error)
{
    reading *r = context;
    uint64_t number = 0;
    const scrim_status status = sc_vault_want_dataset(v, r->name, &number, error);
    return status == SCRIM_OK ? sc_vault_policy_now(v, sc_book_dataset(&v->book, number),
                                                    &r->text, error)
                              : status;
}

scrim_status scrim_vault_policy(scrim_vault *vault, const char *name, char **out,
                                scrim_error *error)
{
    SC_REQUIRE(error, "vault name out", vault, name, out);
    reading r = {name, NULL};
    SC_TRY(sc_vault_read(vault, plan_policy, &r, error));
    *out = r.text;
    return SCRIM_OK;
}

void scrim_vault_text_free(char *text)
{
    sc_free(text);
}

/* Budgets. */

typedef struct balance {
    size_t index;
    const char *analyst;
    scrim_budget *out;
} balance;

static void set_accounting(const sc_filter *filter, char text[SCRIM_NUMBER_BYTES])
{
    static const char *const words[] = {"", "sum", "concentrated", "renyi="};
    char order[SCRIM_NUMBER_BYTES];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, SCRIM_NUMBER_BYTES);
    sc_text_put(&sink, sc_text_of(words[filter->rule]));
    if (filter->rule == SC_FILTER_RENYI) {
        sc_ratio_format(&filter->order, order, sizeof order);
        sc_text_put(&sink, sc_text_of(order));
    }
}

static void set_spent(const sc_tally *tally, scrim_budget *out)
{
    set_text(out->spent, sizeof out->spent, "0");
    set_text(out->spent_delta, sizeof out->spent_delta, "0");
    out->charges = 0;
    if (tally == NULL)
        return;
    sc_book_format_upper(&tally->amount, out->spent);
    sc_book_format_upper(&tally->delta, out->spent_delta);
    out->charges = tally->charges;
}

static void set_share(const sc_tally *share, scrim_budget *out)
{
    if (share != NULL && share->has_amount)
        sc_book_format_lower(&share->share_amount, out->share);
    if (share != NULL && share->has_delta)
        sc_book_format_lower(&share->share_delta, out->share_delta);
}

static void set_shares(const sc_book *book, uint64_t population, scrim_budget *out)
{
    sc_share_sum sum;
    sc_book_sum_shares(book, population, &sum);
    if (sum.has_amount)
        sc_book_format_upper(&sum.amount, out->shares);
    if (sum.has_delta)
        sc_book_format_upper(&sum.delta, out->shares_delta);
    out->is_overshared = sum.is_above;
    sc_share_sum_clear(&sum);
}

void sc_vault_set_budget(const sc_book *book, uint64_t population, uint64_t analyst,
                         scrim_budget *out)
{
    const sc_population *people = sc_book_population(book, population);
    SC_OWN(sc_ratio, amount, delta);
    memset(out, 0, sizeof *out);
    set_text(out->population, sizeof out->population, people->name);
    out->neighbours = people->filter.neighbours;
    set_accounting(&people->filter, out->accounting);
    out->unit = sc_filter_unit(people->filter.rule);
    sc_book_format_lower(&people->filter.epsilon, out->epsilon);
    sc_book_format_lower(&people->filter.delta, out->delta);
    sc_book_format_lower(&people->filter.amount, out->total);
    sc_book_format_lower(&people->filter.parts, out->total_delta);
    set_spent(sc_book_tally(book, population, analyst), out);
    set_share(sc_book_share(book, population, analyst), out);
    const sc_tally *own = sc_book_tally(book, population, analyst);
    out->has_own_share = analyst != 0 && own != NULL && own->has_share;
    sc_book_left(book, population, analyst, &amount, &delta);
    sc_book_format_lower(&amount, out->left);
    sc_book_format_lower(&delta, out->left_delta);
    sc_book_set_remainder(book, population, analyst, &out->remainder);
    if (analyst == 0)
        set_shares(book, population, out);
}

static scrim_status plan_budget(scrim_vault *v, void *context, scrim_error *error)
{
    const balance *b = context;
    uint64_t analyst = 0;
    if (sc_book_population(&v->book, b->index + 1) == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                           "the vault has no such population");
    if (b->analyst != NULL) {
        analyst = sc_book_find_analyst(&v->book, UINT64_MAX, sc_text_of(b->analyst));
        /* Who asks may have been charged nothing yet. */
        if (analyst == 0 && strcmp(b->analyst, v->analyst) == 0)
            analyst = sc_book_charged_analyst(&v->book, v->identity.user,
                                              sc_text_of(v->analyst));
        if (analyst == 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "analyst",
                               "the ledger has no analyst '%s'", b->analyst);
    }
    sc_vault_set_budget(&v->book, b->index + 1, analyst, b->out);
    return SCRIM_OK;
}

scrim_status scrim_vault_budget(scrim_vault *vault, size_t index, const char *analyst,
                                scrim_budget *out, scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    balance b = {index, analyst, out};
    return sc_vault_read(vault, plan_budget, &b, error);
}

static scrim_status plan_refusals(scrim_vault *v, void *context, scrim_error *error)
{
    return v->store->functions->refusals(v->store, context, error);
}

scrim_status scrim_vault_refusals(scrim_vault *vault, uint64_t *out, scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    return sc_vault_read(vault, plan_refusals, out, error);
}

static scrim_status plan_lost(scrim_vault *v, void *context, scrim_error *error)
{
    uint64_t *out = context;
    (void)error;
    *out = v->book.lost;
    return SCRIM_OK;
}

scrim_status scrim_vault_lost(scrim_vault *vault, uint64_t *out, scrim_error *error)
{
    return sc_vault_read(vault, plan_lost, out, error);
}

typedef struct naming {
    size_t index;
    char *name;
} naming;

static scrim_status plan_analyst(scrim_vault *v, void *context, scrim_error *error)
{
    const naming *n = context;
    const sc_analyst *analyst = sc_book_analyst(&v->book, n->index + 1);
    if (analyst == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "index",
                           "the ledger has room for no more analysts");
    set_text(n->name, SCRIM_NAME_BYTES, analyst->name);
    return SCRIM_OK;
}

scrim_status scrim_vault_analyst_at(scrim_vault *vault, size_t index, char *name,
                                    scrim_error *error)
{
    SC_REQUIRE(error, "vault name", vault, name);
    naming n = {index, name};
    return sc_vault_read(vault, plan_analyst, &n, error);
}

/* Releases that were made earlier. */

typedef struct latest_charge {
    const char *dataset, *measurement;
    uint64_t id;
} latest_charge;

static scrim_status plan_find(scrim_vault *v, void *context, scrim_error *error)
{
    latest_charge *f = context;
    uint64_t number = 0;
    SC_TRY(sc_vault_want_dataset(v, f->dataset, &number, error));
    SC_TRY(sc_vault_find_question(v, number, sc_book_dataset(&v->book, number)->version,
                                  sc_text_of(f->measurement), &f->id, error));
    return f->id == 0 ? SCRIM_OK : sc_vault_count_charges(v, f->id, &f->id, error);
}

scrim_status scrim_vault_find(scrim_vault *vault, const char *dataset,
                              const char *measurement, uint64_t *id, scrim_error *error)
{
    SC_REQUIRE(error, "vault dataset measurement id", vault, dataset, measurement, id);
    latest_charge f = {dataset, measurement, 0};
    SC_TRY(sc_vault_read(vault, plan_find, &f, error));
    *id = f.id;
    return SCRIM_OK;
}

/* Raw data for the owner alone, and mock rows, which are not data. Nothing here writes. */

/* The dataset as it is now. */
typedef struct looking {
    const char *name;
    uint64_t version;
    bool is_closed;
    const sc_schema *schema;
    sc_policy policy;
    sc_source_key key; /* of the seal in it */
} looking;

static scrim_status plan_look(scrim_vault *v, void *context, scrim_error *error)
{
    looking *l = context;
    uint64_t number = 0;
    char *policy = NULL;
    scrim_status status = sc_vault_want_dataset(v, l->name, &number, error);
    if (status != SCRIM_OK)
        return status;
    const sc_dataset_entry *d = sc_book_dataset(&v->book, number);
    l->version = d->version;
    l->is_closed = d->is_closed;
    status = sc_vault_policy_now(v, d, &policy, error);
    if (status == SCRIM_OK)
        status = sc_policy_parse(sc_text_of(policy), &l->policy, error);
    if (status == SCRIM_OK)
        status = sc_schema_parse(sc_text_of(policy), NULL, &l->schema, error);
    if (status == SCRIM_OK)
        status = sc_vault_source_key(v, &l->key, error);
    sc_free(policy);
    return status;
}

/* Not under the vault's lock: a large source takes its time. */
static scrim_status survey(const looking *l, const scrim_inspect_options *options,
                           scrim_inspection *out, scrim_error *error)
{
    scrim_frame frame;
    SC_TRY(sc_frame_copy(options->frame, &frame, error));
    const sc_survey_request request = {
        .schema = l->schema,
        .frame = sc_frame_with_rows(&frame),
        .declared = l->policy.has_contents ? &l->policy.contents : NULL,
        .declared_key = &l->key,
        .workers = options->workers,
        .progress = options->progress,
        .is_cancelled = options->is_cancelled,
        .context = options->context};
    SC_TRY(sc_survey(&request, out, error));
    out->version = l->version;
    return SCRIM_OK;
}

/* Facts for the owner alone: the schema and the seal of its source. */
static scrim_status look(scrim_vault *vault, looking *l, scrim_error *error)
{
    if (!vault->is_owner)
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_OWNER, "",
                           "only the vault's owner looks at raw data");
    return sc_vault_read(vault, plan_look, l, error);
}

static void look_away(looking *l)
{
    sc_schema_free(l->schema);
    sc_policy_clear(&l->policy);
    sc_wipe(&l->key, sizeof l->key);
}

/* The bytes are read only where size and time are those that were declared. */
static scrim_status compare_file(scrim_vault *vault, const looking *l, int *out,
                                 scrim_error *error)
{
    const sc_source_seal *seal = &l->policy.contents;
    sc_source_stamp now;
    sc_source_content content;
    *out = 0;
    if (!l->policy.has_contents || l->is_closed ||
        sc_source_stamp_look(l->schema->path, &now, NULL) != SCRIM_OK ||
        !sc_source_seal_fits(seal, &l->key, &now))
        return SCRIM_OK;
    SC_TRY(sc_declared_content_read(l->schema, &l->key, &vault->watch, &now, &content,
                                    error));
    *out = sc_source_seal_fits(seal, &l->key, &now) &&
           sc_source_seal_holds(seal, &l->key, &content);
    return SCRIM_OK;
}

scrim_status scrim_vault_is_declared(scrim_vault *vault, const char *dataset, int *out,
                                     scrim_error *error)
{
    looking l = {.name = dataset};
    scrim_status status = look(vault, &l, error);
    if (status == SCRIM_OK)
        status = compare_file(vault, &l, out, error);
    look_away(&l);
    return status;
}

scrim_status scrim_vault_inspect(scrim_vault *vault, const char *dataset,
                                 const scrim_inspect_options *options,
                                 scrim_inspection *out, scrim_error *error)
{
    SC_REQUIRE(error, "vault dataset out", vault, dataset, out);
    looking l = {.name = dataset};
    scrim_inspect_options given;
    scrim_status status = sc_option_struct_copy(
        options, offsetof(scrim_inspect_options, progress), &given, sizeof given, error);
    if (status != SCRIM_OK)
        return status;
    sc_policy_init(&l.policy);
    status = look(vault, &l, error);
    if (status == SCRIM_OK)
        status = survey(&l, &given, out, error);
    look_away(&l);
    return status;
}

scrim_status scrim_vault_risk(scrim_vault *vault, const char *dataset,
                              const scrim_risk_options *options, scrim_risk *out,
                              scrim_error *error)
{
    SC_REQUIRE(error, "vault dataset out", vault, dataset, out);
    looking l = {.name = dataset};
    scrim_risk_options given;
    scrim_status status = sc_option_struct_copy(
        options, offsetof(scrim_risk_options, progress), &given, sizeof given, error);
    if (status != SCRIM_OK)
        return status;
    scrim_frame frame;
    sc_policy_init(&l.policy);
    status = sc_frame_copy(given.frame, &frame, error);
    if (status == SCRIM_OK)
        status = look(vault, &l, error);
    const sc_survey_request of_rows = {.schema = l.schema,
                                       .frame = sc_frame_with_rows(&frame),
                                       .progress = given.progress,
                                       .is_cancelled = given.is_cancelled,
                                       .context = given.context};
    const sc_disclosure_request request = {&of_rows, given.columns, given.sensitive};
    if (status == SCRIM_OK)
        status = sc_disclosure_look(&request, out, error);
    if (status == SCRIM_OK)
        out->version = l.version;
    look_away(&l);
    return status;
}

scrim_status sc_vault_owner_schema(scrim_vault *vault, const char *dataset,
                                   uint64_t *version, const sc_schema **out,
                                   scrim_error *error)
{
    looking l = {.name = dataset};
    sc_policy_init(&l.policy);
    const scrim_status status = look(vault, &l, error);
    if (status == SCRIM_OK) {
        *version = l.version;
        *out = l.schema;
        l.schema = NULL;
    }
    look_away(&l);
    return status;
}

/* The policy, which anybody may see. */

static scrim_status plan_mock(scrim_vault *v, void *context, scrim_error *error)
{
    looking *l = context;
    uint64_t number = 0;
    char *policy = NULL;
    scrim_status status = sc_vault_want_dataset(v, l->name, &number, error);
    if (status == SCRIM_OK)
        status =
            sc_vault_policy_now(v, sc_book_dataset(&v->book, number), &policy, error);
    if (status == SCRIM_OK)
        status = sc_schema_parse(sc_text_of(policy), NULL, &l->schema, error);
    sc_free(policy);
    return status;
}

scrim_status scrim_vault_mock(scrim_vault *vault, const char *dataset, uint64_t rows,
                              scrim_status (*write)(void *context, const char *bytes,
                                                    size_t count, scrim_error *error),
                              void *context, scrim_error *error)
{
    SC_REQUIRE(error, "vault dataset", vault, dataset);
    looking l = {.name = dataset};
    sc_bits *bits = NULL;
    scrim_status status = sc_vault_read(vault, plan_mock, &l, error);
    if (status == SCRIM_OK)
        status = sc_bits_system_open(&bits, error);
    if (status == SCRIM_OK)
        status =
            sc_mock_rows(l.schema, rows, bits, &(sc_mock_sink){write, context}, error);
    sc_bits_system_close(bits);
    sc_schema_free(l.schema);
    return status;
}
