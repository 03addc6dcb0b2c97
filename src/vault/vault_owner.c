/* What the owner does: datasets, populations, shares. */
#include "base/memory.h"
#include "vault/policy.h"
#include "vault/vault.h"

static scrim_status check_owner(const scrim_vault *v, scrim_error *error)
{
    if (v->is_owner)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_POLICY, "only the vault's owner changes its policy");
}

typedef struct changing {
    const char *name;
    const char *policy;
    sc_event_kind kind;
    sc_policy parsed;
} changing;

/* Lines that repeat what a population was made with may stand there; others are refused. */
static scrim_status check_agrees(const sc_account *account, const sc_policy *p,
                                 scrim_error *error)
{
    const sc_filter *f = &account->filter;
    bool agrees =
        (p->neighbours == SCRIM_NEIGHBOURS_UNSET || p->neighbours == f->neighbours) &&
        (p->rule == SC_FILTER_UNSET ||
         (p->rule == f->rule &&
          (p->rule != SC_FILTER_RENYI || sc_ratio_compare(&p->order, &f->order) == 0))) &&
        (!p->has_budget || (sc_ratio_compare(&p->epsilon, &f->epsilon) == 0 &&
                            sc_ratio_compare(&p->delta, &f->delta) == 0));
    if (agrees)
        return SCRIM_OK;
    return sc_fail(
        error, SCRIM_E_POLICY,
        "the population '%s' has another budget, accounting or neighbours, which "
        "are fixed; leave them out",
        account->name);
}

static scrim_status add_population(scrim_vault *v, sc_text name, const sc_policy *p,
                                   scrim_error *error)
{
    sc_event event;
    sc_filter filter;
    if (!p->has_budget)
        return sc_fail(error, SCRIM_E_PARAM,
                       "a new population needs a budget: budget=epsilon=R[,delta=R]");
    if (p->neighbours == SCRIM_NEIGHBOURS_UNSET)
        return sc_fail(error, SCRIM_E_PARAM,
                       "a new population needs neighbours=add-remove or replace");
    sc_event_init(&event);
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
    sc_event_clear(&event);
    return status;
}

/* A cap, or its end where the policy has none any more. */
static scrim_status set_cap(scrim_vault *v, uint64_t dataset, const sc_policy *p,
                            scrim_error *error)
{
    const sc_dataset *d = sc_book_dataset(&v->book, dataset);
    const char *unit =
        sc_filter_unit(sc_book_account(&v->book, d->population)->filter.rule);
    if (!p->has_cap && !d->has_most && !d->has_delta && !d->has_least)
        return SCRIM_OK;
    if (p->unit.bytes > 0 && !sc_text_is(p->unit, unit))
        return sc_fail(error, SCRIM_E_PARAM, "this population counts %s: say cap=%s=R",
                       unit, unit);
    sc_event event;
    sc_event_init(&event);
    event.kind = SC_EVENT_CAP;
    event.dataset = dataset;
    event.has_amount = p->unit.bytes > 0;
    event.has_delta = p->has_cap_delta;
    event.has_least = p->has_least;
    sc_ratio_set(&event.amount, &p->most);
    sc_ratio_set(&event.delta, &p->cap_delta);
    sc_ratio_set(&event.least, &p->least);
    scrim_status status = sc_vault_append(v, &event, error);
    sc_event_clear(&event);
    return status;
}

static scrim_status append_dataset(scrim_vault *v, const changing *c, uint64_t population,
                                   scrim_error *error)
{
    sc_event event;
    sc_event_init(&event);
    event.kind = SC_EVENT_DATASET;
    event.name = sc_text_of(c->name);
    event.population = population;
    event.body = sc_text_of(c->policy);
    scrim_status status = sc_vault_append(v, &event, error);
    sc_event_clear(&event);
    return status;
}

static scrim_status plan_add(scrim_vault *v, void *context, scrim_error *error)
{
    const changing *c = context;
    const sc_policy *p = &c->parsed;
    if (sc_book_find_dataset(&v->book, sc_text_of(c->name)) != 0)
        return sc_fail(error, SCRIM_E_PARAM, "there is a dataset '%s' already", c->name);
    sc_text name = p->population.bytes > 0 ? p->population : sc_text_of(c->name);
    uint64_t population = sc_book_find_account(&v->book, name);
    scrim_status status =
        population == 0 ? add_population(v, name, p, error)
                        : check_agrees(sc_book_account(&v->book, population), p, error);
    if (population == 0)
        population = v->book.account_count;
    if (status == SCRIM_OK)
        status = append_dataset(v, c, population, error);
    if (status == SCRIM_OK)
        status = set_cap(v, v->book.dataset_count, p, error);
    return status;
}

static scrim_status plan_change(scrim_vault *v, void *context, scrim_error *error)
{
    const changing *c = context;
    const sc_policy *p = &c->parsed;
    uint64_t number = 0;
    scrim_status status = sc_vault_want_dataset(v, c->name, &number, error);
    if (status != SCRIM_OK)
        return status;
    const sc_dataset *d = sc_book_dataset(&v->book, number);
    const sc_account *account = sc_book_account(&v->book, d->population);
    if (p->population.bytes > 0 && !sc_text_is(p->population, account->name))
        return sc_fail(error, SCRIM_E_POLICY,
                       "the dataset '%s' belongs to the population '%s' for good",
                       c->name, account->name);
    status = check_agrees(account, p, error);
    sc_event event;
    sc_event_init(&event);
    event.kind = c->kind;
    event.dataset = number;
    event.version = d->version + 1;
    event.body = sc_text_of(c->policy);
    if (status == SCRIM_OK)
        status = sc_vault_append(v, &event, error);
    sc_event_clear(&event);
    return status == SCRIM_OK ? set_cap(v, number, p, error) : status;
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
        status = sc_vault_write(vault, plan, c, error);
    sc_policy_clear(&c->parsed);
    return status;
}

scrim_status scrim_vault_add_dataset(scrim_vault *vault, const char *name,
                                     const char *policy, scrim_error *error)
{
    changing c = {.name = name, .policy = policy, .kind = SC_EVENT_DATASET};
    return change(vault, &c, plan_add, error);
}

scrim_status scrim_vault_set_dataset(scrim_vault *vault, const char *name,
                                     const char *policy, scrim_error *error)
{
    changing c = {.name = name, .policy = policy, .kind = SC_EVENT_POLICY};
    return change(vault, &c, plan_change, error);
}

scrim_status scrim_vault_update_dataset(scrim_vault *vault, const char *name,
                                        const char *policy, scrim_error *error)
{
    changing c = {.name = name, .policy = policy, .kind = SC_EVENT_UPDATE};
    return change(vault, &c, plan_change, error);
}

static scrim_status plan_remove(scrim_vault *v, void *context, scrim_error *error)
{
    const char *name = context;
    sc_event event;
    sc_event_init(&event);
    event.kind = SC_EVENT_REMOVE;
    scrim_status status = sc_vault_want_dataset(v, name, &event.dataset, error);
    if (status == SCRIM_OK)
        status = sc_vault_append(v, &event, error);
    sc_event_clear(&event);
    return status;
}

scrim_status scrim_vault_remove_dataset(scrim_vault *vault, const char *name,
                                        scrim_error *error)
{
    char copy[SC_EVENT_NAME_BYTES + 1];
    scrim_status status = check_owner(vault, error);
    if (status != SCRIM_OK)
        return status;
    sc_text_sink sink;
    sc_text_sink_init(&sink, copy, sizeof copy);
    sc_text_put(&sink, sc_text_of(name));
    if (sink.length >= sizeof copy)
        return sc_fail(error, SCRIM_E_PARAM, "the vault has no dataset of that name");
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
    scrim_status status = SCRIM_OK;
    s->event.population = sc_book_find_account(&v->book, sc_text_of(s->population));
    if (s->event.population == 0)
        return sc_fail(error, SCRIM_E_PARAM, "the vault has no population '%s'",
                       s->population);
    if (s->analyst != NULL)
        status = sc_vault_want_analyst(v, s->analyst, &s->event.analyst, error);
    return status == SCRIM_OK ? sc_vault_append(v, &s->event, error) : status;
}

static scrim_status read_limit(const char *text, bool *is_there, sc_ratio *out,
                               scrim_error *error)
{
    *is_there = text != NULL;
    if (text == NULL)
        return SCRIM_OK;
    scrim_status status = sc_ratio_parse(sc_text_of(text), out, error);
    if (status == SCRIM_OK && sc_ratio_sign(out) < 0)
        status = sc_fail(error, SCRIM_E_PARAM, "a share is at least 0");
    return status;
}

scrim_status scrim_vault_share(scrim_vault *vault, const char *population,
                               const char *analyst, const char *amount, const char *delta,
                               scrim_error *error)
{
    sc_identity identity;
    sharing s = {.population = population};
    scrim_status status = check_owner(vault, error);
    if (status != SCRIM_OK)
        return status;
    sc_event_init(&s.event);
    s.event.kind = SC_EVENT_SHARE;
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
