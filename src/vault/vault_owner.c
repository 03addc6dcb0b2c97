/* Functions for the owner: datasets, populations, shares. */
#include "base/memory.h"
#include "data/table/source_seal.h"
#include "data/table/table.h"
#include "data/value/source_kind.h"
#include "vault/policy.h"
#include "vault/state/policy_terms.h"
#include "vault/vault_key.h"

#include <string.h>

static scrim_status check_owner(const scrim_vault *v, scrim_error *error)
{
    if (v->is_owner)
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_OWNER, "",
                       "only the vault's owner changes its policy");
}

typedef struct changing {
    const char *name;
    const char *policy;
    char *whole; /* the same with the changes of its zone, where they were not there */
    sc_event_kind kind;
    bool is_earlier; /* the policy is the one there is, which may lack bounds */
    sc_policy parsed;
    const sc_schema *schema;
    char *kept;           /* the policy as it is entered */
    bool is_same_version; /* it is the one there is, but perhaps for its terms */
    char *terms;          /* other ones; NULL: they are those there are */
    bool is_read;         /* the file was, before the vault was locked: */
    sc_source_key key;
    sc_source_stamp stamp;
    sc_source_content content;
} changing;

/* The policy as it is entered: without shares, which are entries of their own, with the
 * neighbours of its population and with the seal of its source. */

static bool is_kept(sc_text line)
{
    sc_text rest = line, key, value;
    return !sc_schema_line(&rest, &line, &key, &value) ||
           (!sc_text_is(key, "share") && !sc_text_is(key, "contents"));
}

static void put_line(sc_text_sink *sink, const char *key, const char *value)
{
    sc_text_put(sink, sc_text_of(key));
    sc_text_put(sink, sc_text_of("="));
    sc_text_put(sink, sc_text_of(value));
    sc_text_put(sink, sc_text_of("\n"));
}

static scrim_status keep(changing *c, scrim_neighbours neighbours,
                         const sc_source_seal *contents, scrim_error *error)
{
    char seal[SC_SOURCE_SEAL_BYTES];
    const size_t capacity = strlen(c->policy) + sizeof seal + 64;
    sc_text rest = sc_text_of(c->policy), line;
    sc_text_sink sink;
    sc_free(c->kept);
    c->kept = sc_allocate(capacity, 1);
    if (c->kept == NULL)
        return sc_no_memory(error, "a policy");
    sc_text_sink_init(&sink, c->kept, capacity);
    while (rest.bytes > 0) {
        if (!sc_text_split(rest, '\n', &line, &rest)) {
            line = rest;
            rest = (sc_text){NULL, 0};
        }
        if (!is_kept(line))
            continue;
        sc_text_put(&sink, line);
        sc_text_put(&sink, sc_text_of("\n"));
    }
    if (c->parsed.neighbours == SCRIM_NEIGHBOURS_UNSET)
        put_line(&sink, "neighbours", scrim_neighbours_name(neighbours));
    if (contents != NULL) {
        sc_source_seal_format(contents, seal);
        put_line(&sink, "contents", seal);
    }
    /* Under other neighbours it may lack a line. */
    sc_schema_free(c->schema);
    c->schema = NULL;
    return sc_schema_parse(sc_text_of(c->kept), NULL, &c->schema, error);
}

/* A stream has no contents to come back to, and neither have pushed rows. */
static bool has_file(const sc_schema *schema)
{
    return schema->source != NULL && !schema->source->has_no_file &&
           !sc_text_is(schema->path, "-");
}

static scrim_status keep_sealed(scrim_vault *v, changing *c, scrim_neighbours neighbours,
                                const sc_source_stamp *stamp,
                                const sc_source_content *content, scrim_error *error)
{
    sc_source_seal seal;
    sc_source_key key;
    scrim_status status =
        sc_vault_want_source_key(v, c->is_read ? &c->key : NULL, &key, error);
    if (status == SCRIM_OK)
        status = sc_vault_seal_source(&key, stamp, content, &seal, error);
    sc_wipe(&key, sizeof key);
    return status == SCRIM_OK ? keep(c, neighbours, &seal, error) : status;
}

/* Rows of a file that scrim reads take memory by its declared size. */
static scrim_status check_size(const sc_schema *schema, const sc_source_stamp *stamp,
                               scrim_error *error)
{
    return schema->source->is_pushed ? SCRIM_OK
                                     : sc_schema_check_size(schema, stamp->bytes, error);
}

/* A file can be large: read it while nobody waits for the vault. A failure is ignored here: read_now finds it again and
 * reports it. */
static void read_ahead(scrim_vault *v, changing *c)
{
    sc_source_stamp now;
    c->is_read = has_file(c->schema) &&
                 sc_source_stamp_look(c->schema->path, &now, NULL) == SCRIM_OK &&
                 check_size(c->schema, &now, NULL) == SCRIM_OK &&
                 sc_source_header_check(c->schema, NULL) == SCRIM_OK &&
                 sc_vault_draft_source_key(v, &c->key, NULL) == SCRIM_OK &&
                 sc_declared_content_read(c->schema, &c->key, &v->watch, &c->stamp,
                                          &c->content, NULL) == SCRIM_OK;
}

/* The rest, under the lock. */
static scrim_status read_now(scrim_vault *v, changing *c, scrim_error *error)
{
    sc_source_stamp now;
    scrim_status status = sc_source_stamp_look(c->schema->path, &now, error);
    if (status == SCRIM_OK)
        status = sc_source_header_check(c->schema, error);
    if (status == SCRIM_OK)
        status = check_size(c->schema, &now, error);
    if (status != SCRIM_OK || (c->is_read && sc_source_stamp_same(&now, &c->stamp)))
        return status;
    status = sc_vault_want_source_key(v, NULL, &c->key, error);
    if (status == SCRIM_OK)
        status = sc_declared_content_read(c->schema, &c->key, &v->watch, &c->stamp,
                                          &c->content, error);
    c->is_read = status == SCRIM_OK;
    return status;
}

static scrim_status keep_anew(scrim_vault *v, changing *c, scrim_neighbours neighbours,
                              scrim_error *error)
{
    if (!has_file(c->schema))
        return keep(c, neighbours, NULL, error);
    const scrim_status status = read_now(v, c, error);
    return status == SCRIM_OK
               ? keep_sealed(v, c, neighbours, &c->stamp, &c->content, error)
               : status;
}

/* Where the file is as it was declared its header is, too; otherwise the next update looks. What a packed file
 * unpacks to is known by reading it, which a smaller declared size requires. */
static scrim_status check_header_then(scrim_vault *v, const sc_schema *schema,
                                      const sc_source_seal *then, bool is_smaller,
                                      scrim_error *error)
{
    sc_source_content content;
    sc_source_stamp now;
    sc_source_key key;
    scrim_status status = sc_vault_source_key(v, &key, error);
    if (status == SCRIM_OK &&
        sc_source_stamp_look(schema->path, &now, NULL) == SCRIM_OK &&
        sc_source_seal_fits(then, &key, &now)) {
        status = sc_source_header_check(schema, error);
        if (status == SCRIM_OK)
            status = check_size(schema, &now, error);
        if (status == SCRIM_OK && is_smaller)
            status =
                sc_declared_content_read(schema, &key, &v->watch, &now, &content, error);
    }
    sc_wipe(&key, sizeof key);
    return status;
}

/* A policy that is the one there is, or that under other terms, is no other version. */
static scrim_status compare(changing *c, const char *now, scrim_error *error)
{
    const size_t capacity = strlen(c->kept) + strlen(now) + SC_POLICY_TERMS_MORE;
    const sc_text text = sc_text_of(c->kept);
    c->is_same_version = sc_policy_terms_aside(sc_text_of(now), text);
    char *then = sc_allocate(capacity, 1);
    sc_free(c->terms);
    c->terms = sc_allocate(capacity, 1);
    if (then != NULL && c->terms != NULL) {
        sc_policy_terms(sc_text_of(now), then);
        sc_policy_terms(text, c->terms);
        if (strcmp(then, c->terms) == 0) {
            sc_free(c->terms);
            c->terms = NULL;
        }
        sc_free(then);
        return SCRIM_OK;
    }
    sc_free(then);
    return sc_no_memory(error, "a policy");
}

/* Another policy of the same source is about the contents that were declared. */
static scrim_status keep_contents(scrim_vault *v, const sc_dataset_entry *d, changing *c,
                                  scrim_neighbours neighbours, scrim_error *error)
{
    const sc_schema *then = NULL;
    char *now = NULL;
    SC_OWN(sc_policy, policy);
    scrim_status status = sc_vault_policy_now(v, d, &now, error);
    const bool is_same =
        status == SCRIM_OK && has_file(c->schema) &&
        sc_policy_parse(sc_text_of(now), &policy, NULL) == SCRIM_OK &&
        policy.has_contents &&
        sc_schema_parse(sc_text_of(now), NULL, &then, NULL) == SCRIM_OK &&
        then->source == c->schema->source && sc_text_equal(then->path, c->schema->path) &&
        then->csv.end == c->schema->csv.end; /* which a digest depends on */
    if (is_same)
        status = check_header_then(v, c->schema, &policy.contents,
                                   c->schema->max_bytes < then->max_bytes, error);
    if (status == SCRIM_OK)
        status = is_same ? keep(c, neighbours, &policy.contents, error)
                         : keep_anew(v, c, neighbours, error);
    if (status == SCRIM_OK)
        status = compare(c, now, error);
    /* The stamp of an earlier version is entered no more: its seal is. */
    if (status == SCRIM_OK && is_same && !c->is_same_version && policy.contents.is_plain)
        status = keep_sealed(v, c, neighbours, &policy.contents.stamp, NULL, error);
    sc_schema_free(then);
    sc_free(now);
    return status;
}

/* A budget has two numbers. */
static scrim_status is_fixed(const sc_population *people, const char *what,
                             const char *value, const char *delta, scrim_error *error)
{
    const bool is_budget = delta[0] != '\0';
    return sc_fail_for(
        error, SCRIM_E_POLICY, SCRIM_REASON_CONFLICT, what,
        "the %s of the population '%s' cannot be changed (%s%.60s%s%.60s); leave it "
        "out",
        what, people->name, is_budget ? "epsilon " : "", value,
        is_budget ? ", delta " : "", delta);
}

/* Lines that repeat what a population was made with may stand there; others are refused. */
static scrim_status check_agrees(const sc_population *people, const sc_policy *p,
                                 scrim_error *error)
{
    static const char *const words[] = {"", "sum", "concentrated", "renyi"};
    const sc_filter *f = &people->filter;
    char epsilon[SCRIM_NUMBER_BYTES], delta[SCRIM_NUMBER_BYTES];
    if (p->neighbours != SCRIM_NEIGHBOURS_UNSET && p->neighbours != f->neighbours)
        return is_fixed(people, "neighbours", scrim_neighbours_name(f->neighbours), "",
                        error);
    if (p->rule != SC_FILTER_UNSET &&
        (p->rule != f->rule ||
         (p->rule == SC_FILTER_RENYI && sc_ratio_compare(&p->order, &f->order) != 0)))
        return is_fixed(people, "accounting", words[f->rule], "", error);
    if (!p->has_budget || (sc_ratio_compare(&p->epsilon, &f->epsilon) == 0 &&
                           sc_ratio_compare(&p->delta, &f->delta) == 0))
        return SCRIM_OK;
    sc_book_format_lower(&f->epsilon, epsilon);
    sc_book_format_lower(&f->delta, delta);
    sc_text_shorten_numbers(delta);
    return is_fixed(people, "budget", epsilon, delta, error);
}

/* One budget bounds what is learnt about one unit: costs of unlike ones do not add up. */
static scrim_status check_unit(const sc_population *people, const changing *c,
                               scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text unit;
    if (!sc_policy_unit(sc_text_of(c->policy), &unit) || people->unit == NULL ||
        sc_text_is(unit, people->unit))
        return SCRIM_OK;
    sc_text_quote(unit, quote);
    const bool is_new = c->kind == SC_EVENT_DATASET;
    if (strcmp(people->unit, "row") == 0 || sc_text_is(unit, "row"))
        return sc_fail_for(
            error, SCRIM_E_POLICY, SCRIM_REASON_CONFLICT, "population",
            "the population '%s' protects each %.64s, this table each %s, whose "
            "costs do not add up; %s another population",
            people->name, people->unit, quote,
            is_new ? "name" : "remove the dataset and add it with");
    return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_CONFLICT, "same-unit",
                       "the population '%s' protects each %.64s, this table each %s; say "
                       "same-unit %.64s if both identify the same units, else %s "
                       "another population",
                       people->name, people->unit, quote, people->unit,
                       is_new ? "name" : "remove the dataset and add it with");
}

static scrim_status add_population(scrim_vault *v, sc_text name, const sc_policy *p,
                                   scrim_error *error)
{
    sc_filter filter;
    if (!p->has_budget)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "budget",
                           "a new population needs a budget");
    if (p->neighbours == SCRIM_NEIGHBOURS_UNSET)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "neighbours",
                           "a new population needs neighbours");
    SC_OWN(sc_event, event);
    sc_filter_init(&filter);
    filter.rule = event.rule = p->rule == SC_FILTER_UNSET ? SC_FILTER_SUM : p->rule;
    filter.neighbours = event.neighbours = p->neighbours;
    sc_ratio_set(&filter.order, &p->order);
    sc_ratio_set(&filter.epsilon, &p->epsilon);
    sc_ratio_set(&filter.delta, &p->delta);
    scrim_status status = sc_filter_fix(&filter, error);
    event.kind = SC_EVENT_POPULATION;
    event.name = name;
    sc_ratio_set(&event.order, &p->order);
    sc_ratio_set(&event.epsilon, &p->epsilon);
    sc_ratio_set(&event.delta, &p->delta);
    sc_ratio_set(&event.amount, &filter.amount);
    if (status == SCRIM_OK)
        status = sc_vault_append(v, &event, error);
    sc_filter_clear(&filter);
    return status;
}

/* Sets the cap of the policy, or removes the cap if the policy has no cap any more. */
static scrim_status set_cap(scrim_vault *v, uint64_t dataset, const sc_policy *p,
                            scrim_error *error)
{
    const sc_dataset_entry *d = sc_book_dataset(&v->book, dataset);
    const char *unit =
        sc_filter_unit(sc_book_population(&v->book, d->population)->filter.rule);
    if (!p->has_cap && !d->has_most && !d->has_delta && !d->has_least)
        return SCRIM_OK;
    if (p->unit.bytes > 0 && !sc_text_is(p->unit, unit))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "cap",
                                 "this population counts %s; write %s=R", unit, unit);
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_CAP;
    event.dataset = dataset;
    event.has_amount = p->unit.bytes > 0;
    event.has_delta = p->has_cap_delta;
    event.has_least = p->has_least;
    sc_ratio_set(&event.amount, &p->most);
    sc_ratio_set(&event.delta, &p->cap_delta);
    sc_ratio_set(&event.least, &p->least);
    return sc_vault_append(v, &event, error);
}

/* Shares. */

/* Entered already, as the last word on this analyst? */
static bool is_shared(const scrim_vault *v, const sc_event *e)
{
    const sc_tally *t = sc_book_tally(&v->book, e->population, e->analyst);
    if (t == NULL || !t->has_share)
        return !e->has_amount && !e->has_delta;
    return t->has_amount == e->has_amount && t->has_delta == e->has_delta &&
           (!e->has_amount || sc_ratio_compare(&t->share_amount, &e->amount) == 0) &&
           (!e->has_delta || sc_ratio_compare(&t->share_delta, &e->delta) == 0);
}

static scrim_status append_share(scrim_vault *v, const sc_identity *analyst, sc_event *e,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    e->kind = SC_EVENT_SHARE;
    if (analyst != NULL)
        status = sc_vault_want_analyst(v, analyst, &e->analyst, error);
    if (status != SCRIM_OK || is_shared(v, e))
        return status;
    return sc_vault_append(v, e, error);
}

static scrim_status enter_share(scrim_vault *v, uint64_t population,
                                const sc_policy_share *s, scrim_error *error)
{
    char name[SC_EVENT_NAME_BYTES + 1], quote[SC_TEXT_QUOTE_BYTES];
    const char *unit =
        sc_filter_unit(sc_book_population(&v->book, population)->filter.rule);
    const bool is_everybody = sc_text_is(s->analyst, "*");
    sc_identity identity;
    sc_text_sink sink;
    scrim_status status = SCRIM_OK;
    if (s->unit.bytes > 0 && !sc_text_is(s->unit, unit))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "share",
                                 "this population counts %s; write %s=%s=R", unit,
                                 sc_text_quote(s->analyst, quote), unit);
    sc_text_sink_init(&sink, name, sizeof name);
    sc_text_put(&sink, s->analyst);
    if (sink.length >= sizeof name)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "analyst",
                           "unknown user '%s' on this system",
                           sc_text_quote(s->analyst, quote));
    if (!is_everybody)
        status = sc_identity_of_name(name, &identity, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_event, event);
    event.population = population;
    event.has_amount = s->unit.bytes > 0;
    event.has_delta = s->has_delta;
    sc_ratio_set(&event.amount, &s->amount);
    sc_ratio_set(&event.delta, &s->delta);
    return append_share(v, is_everybody ? NULL : &identity, &event, error);
}

static scrim_status enter_shares(scrim_vault *v, uint64_t population, const char *policy,
                                 scrim_error *error)
{
    sc_text rest = sc_text_of(policy), line, key, value;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_policy_share, share);
    while (status == SCRIM_OK && sc_schema_line(&rest, &line, &key, &value))
        if (sc_text_is(key, "share") && sc_policy_share_parse(value, &share))
            status = enter_share(v, population, &share, error);
    return status;
}

static scrim_status append_dataset(scrim_vault *v, const changing *c, uint64_t population,
                                   scrim_error *error)
{
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_DATASET;
    event.name = sc_text_of(c->name);
    event.population = population;
    event.body = sc_text_of(c->kept);
    return sc_vault_append(v, &event, error);
}

/* A dataset that was removed is perhaps added again: its people are not new because nobody says who
 * they are. */
static scrim_status check_former(const scrim_vault *v, const changing *c,
                                 scrim_error *error)
{
    const char *former = NULL;
    for (size_t i = 0; i < v->book.dataset_count; i++)
        if (strcmp(v->book.datasets[i].name, c->name) == 0)
            former = sc_book_population(&v->book, v->book.datasets[i].population)->name;
    if (former == NULL || c->parsed.population.bytes > 0 || strcmp(former, c->name) == 0)
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_MISSING, "population",
                       "the removed dataset '%s' used the budget of the population "
                       "'%s'; name that population, or that of other people",
                       c->name, former);
}

static scrim_status fail_name(const char *name, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "dataset",
                       "invalid name '%s'; use at most 64 letters, digits, '_', '.' and "
                       "'-', beginning with a letter or digit",
                       sc_text_quote(sc_text_of(name), quote));
}

static scrim_status plan_add(scrim_vault *v, void *context, scrim_error *error)
{
    changing *c = context;
    const sc_policy *p = &c->parsed;
    if (!sc_event_is_name(sc_text_of(c->name)))
        return fail_name(c->name, error);
    if (sc_book_find_dataset(&v->book, sc_text_of(c->name)) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_TAKEN, "dataset",
                           "dataset '%s' exists already", c->name);
    scrim_status status = check_former(v, c, error);
    if (status != SCRIM_OK)
        return status;
    sc_text name = p->population.bytes > 0 ? p->population : sc_text_of(c->name);
    uint64_t population = sc_book_find_population(&v->book, name);
    status = population == 0
                 ? add_population(v, name, p, error)
                 : check_agrees(sc_book_population(&v->book, population), p, error);
    if (status == SCRIM_OK && population != 0)
        status = check_unit(sc_book_population(&v->book, population), c, error);
    if (population == 0)
        population = v->book.population_count;
    if (status == SCRIM_OK)
        status =
            keep_anew(v, c, v->book.populations[population - 1].filter.neighbours, error);
    if (status == SCRIM_OK)
        status = append_dataset(v, c, population, error);
    if (status == SCRIM_OK)
        status = set_cap(v, v->book.dataset_count, p, error);
    if (status == SCRIM_OK)
        status = enter_shares(v, population, c->policy, error);
    return status;
}

static scrim_status append_change(scrim_vault *v, uint64_t number, const changing *c,
                                  scrim_error *error)
{
    SC_OWN(sc_event, event);
    event.kind = c->is_same_version ? SC_EVENT_TERMS : c->kind;
    event.dataset = number;
    event.version =
        sc_book_dataset(&v->book, number)->version + (c->is_same_version ? 0 : 1);
    event.body = sc_text_of(c->is_same_version ? c->terms : c->kept);
    return sc_vault_append(v, &event, error);
}

static scrim_status plan_change(scrim_vault *v, void *context, scrim_error *error)
{
    changing *c = context;
    const sc_policy *p = &c->parsed;
    uint64_t number = 0;
    scrim_status status = sc_vault_want_dataset(v, c->name, &number, error);
    if (status != SCRIM_OK)
        return status;
    const sc_dataset_entry *d = sc_book_dataset(&v->book, number);
    const sc_population *people = sc_book_population(&v->book, d->population);
    if (p->population.bytes > 0 && !sc_text_is(p->population, people->name))
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_UNSUPPORTED, "population",
                           "the dataset '%s' belongs to the population '%s' for good",
                           c->name, people->name);
    const uint64_t population = d->population;
    const scrim_neighbours neighbours = people->filter.neighbours;
    status = check_agrees(people, p, error);
    if (status == SCRIM_OK)
        status = check_unit(people, c, error);
    if (status == SCRIM_OK)
        status = c->kind == SC_EVENT_UPDATE ? keep_anew(v, c, neighbours, error)
                                            : keep_contents(v, d, c, neighbours, error);
    const bool is_changed = !c->is_same_version || c->terms != NULL;
    if (status == SCRIM_OK && is_changed)
        status = append_change(v, number, c, error);
    if (status == SCRIM_OK && is_changed)
        status = set_cap(v, number, p, error);
    return status == SCRIM_OK ? enter_shares(v, population, c->policy, error) : status;
}

static scrim_status change(scrim_vault *vault, changing *c, sc_vault_plan *plan,
                           scrim_error *error)
{
    scrim_status status = check_owner(vault, error);
    if (status != SCRIM_OK)
        return status;
    sc_policy_init(&c->parsed);
    status = sc_policy_parse(sc_text_of(c->policy), &c->parsed, error);
    if (status == SCRIM_OK)
        status = sc_policy_schema(c->policy, &c->whole, &c->schema, error);
    if (c->whole != NULL)
        c->policy = c->whole;
    if (status == SCRIM_OK && !c->is_earlier)
        status = sc_schema_bounded(c->schema, error);
    if (status == SCRIM_OK && !c->is_earlier)
        status = sc_schema_rows_alone(c->schema, error);
    if (status == SCRIM_OK)
        status = sc_schema_own_tables(c->schema, error);
    if (status == SCRIM_OK && c->kind != SC_EVENT_POLICY)
        read_ahead(vault, c);
    if (status == SCRIM_OK)
        status = sc_vault_write(vault, plan, c, error);
    sc_wipe(&c->key, sizeof c->key);
    sc_schema_free(c->schema);
    sc_free(c->kept);
    sc_free(c->terms);
    sc_free(c->whole);
    sc_policy_clear(&c->parsed);
    return status;
}

scrim_status scrim_vault_add_dataset(scrim_vault *vault, const char *name,
                                     const char *policy, scrim_error *error)
{
    SC_REQUIRE(error, "vault name policy", vault, name, policy);
    changing c = {.name = name, .policy = policy, .kind = SC_EVENT_DATASET};
    return change(vault, &c, plan_add, error);
}

scrim_status scrim_vault_set_dataset(scrim_vault *vault, const char *name,
                                     const char *policy, scrim_error *error)
{
    SC_REQUIRE(error, "vault name policy", vault, name, policy);
    changing c = {.name = name, .policy = policy, .kind = SC_EVENT_POLICY};
    return change(vault, &c, plan_change, error);
}

scrim_status scrim_vault_update_dataset(scrim_vault *vault, const char *name,
                                        const char *policy, scrim_error *error)
{
    SC_REQUIRE(error, "vault name", vault, name);
    char *now = NULL;
    scrim_status status =
        policy == NULL ? scrim_vault_policy(vault, name, &now, error) : SCRIM_OK;
    changing c = {.name = name,
                  .policy = policy == NULL ? now : policy,
                  .kind = SC_EVENT_UPDATE,
                  .is_earlier = policy == NULL};
    if (status == SCRIM_OK)
        status = change(vault, &c, plan_change, error);
    sc_free(now);
    return status;
}

static scrim_status plan_remove(scrim_vault *v, void *context, scrim_error *error)
{
    const char *name = context;
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_REMOVE;
    SC_TRY(sc_vault_want_dataset(v, name, &event.dataset, error));
    return sc_vault_append(v, &event, error);
}

scrim_status scrim_vault_remove_dataset(scrim_vault *vault, const char *name,
                                        scrim_error *error)
{
    SC_REQUIRE(error, "vault name", vault, name);
    char copy[SC_EVENT_NAME_BYTES + 1];
    scrim_status status = check_owner(vault, error);
    if (status != SCRIM_OK)
        return status;
    sc_text_sink sink;
    sc_text_sink_init(&sink, copy, sizeof copy);
    sc_text_put(&sink, sc_text_of(name));
    if (sink.length >= sizeof copy)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "dataset",
                           "the vault has no dataset of that name");
    return sc_vault_write(vault, plan_remove, copy, error);
}

typedef struct sharing {
    const char *population;
    const sc_identity *analyst; /* NULL: everybody */
    sc_event event;
} sharing;

static scrim_status plan_share(scrim_vault *v, void *context, scrim_error *error)
{
    sharing *s = context;
    s->event.population = sc_book_find_population(&v->book, sc_text_of(s->population));
    if (s->event.population == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                           "unknown population '%s'", s->population);
    return append_share(v, s->analyst, &s->event, error);
}

static scrim_status read_limit(const char *text, bool *is_there, sc_ratio *out,
                               scrim_error *error)
{
    *is_there = text != NULL;
    if (text == NULL)
        return SCRIM_OK;
    scrim_status status = sc_ratio_parse(sc_text_of(text), out, error);
    if (status == SCRIM_OK && sc_ratio_sign(out) < 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "share",
                             "a share must be at least 0");
    return status;
}

scrim_status scrim_vault_share(scrim_vault *vault, const char *population,
                               const char *analyst, const char *amount, const char *delta,
                               scrim_error *error)
{
    SC_REQUIRE(error, "vault population", vault, population);
    sc_identity identity;
    sharing s = {.population = population};
    scrim_status status = check_owner(vault, error);
    if (status != SCRIM_OK)
        return status;
    sc_event_init(&s.event);
    if (analyst != NULL) {
        status = sc_identity_of_name(analyst, &identity, error);
        s.analyst = &identity;
    }
    if (status == SCRIM_OK)
        status = read_limit(amount, &s.event.has_amount, &s.event.amount, error);
    if (status == SCRIM_OK)
        status = read_limit(delta, &s.event.has_delta, &s.event.delta, error);
    if (status == SCRIM_OK)
        status = sc_vault_write(vault, plan_share, &s, error);
    sc_event_clear(&s.event);
    return status;
}
