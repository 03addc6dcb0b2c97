/* What the charges of a population come to as they stand: a view, which decides nothing. */
#include "account/joint.h"
#include "base/memory.h"
#include "vault/vault.h"

#include <string.h>

/* Charges that are composed, and entries that are read to find them. */
#define CHARGES 1024
#define ENTRIES 65536

typedef struct standing {
    scrim_vault *vault;
    size_t index;
    sc_cost *costs;
    sc_joint_part *parts;
    size_t count, capacity;
    scrim_standing *out;
} standing;

/* A charge is a part of which an epsilon and a delta are known, and no more. */
static scrim_status add_charge(void *context, const sc_chain *at, sc_text bytes,
                               scrim_error *error)
{
    standing *s = context;
    const sc_event *e = &s->vault->event;
    (void)at;
    scrim_status status = sc_event_parse(bytes, &s->vault->event, error);
    if (status != SCRIM_OK || !sc_event_is_charge(e->kind) || s->count == s->capacity)
        return status;
    const sc_dataset *d = sc_book_dataset(&s->vault->book, e->dataset);
    if (d == NULL || d->population != s->index + 1)
        return SCRIM_OK;
    if (sc_ratio_sign(&e->amount) == 0 && sc_ratio_sign(&e->delta) == 0)
        return SCRIM_OK; /* a window that another one has paid for */
    sc_cost *cost = &s->costs[s->count];
    sc_cost_init(cost);
    if (sc_ratio_sign(&e->delta) == 0)
        sc_cost_set_pure(cost, &e->amount);
    else
        sc_cost_set_approximate(cost, &e->amount, &e->delta);
    cost->neighbours = s->vault->book.accounts[s->index].filter.neighbours;
    s->parts[s->count++] = (sc_joint_part){cost, 1};
    return SCRIM_OK;
}

/* Epsilons: all charges together, at the delta of the budget. */
static scrim_status compose(standing *s, const sc_filter *filter, scrim_error *error)
{
    scrim_vault *v = s->vault;
    bool is_found = false;
    sc_ratio epsilon;
    sc_ratio_init(&epsilon);
    scrim_status status =
        v->store->functions->entries(v->store, 1, false, add_charge, s, error);
    if (status == SCRIM_OK && s->count > 0)
        status = sc_joint_epsilon(s->parts, s->count, &filter->delta, &is_found, &epsilon,
                                  error);
    if (status == SCRIM_OK && is_found) {
        sc_book_format_upper(&epsilon, s->out->epsilon);
        sc_book_format_upper(&filter->delta, s->out->delta);
    }
    sc_ratio_clear(&epsilon);
    return status;
}

static scrim_status compose_all(standing *s, const sc_filter *filter, uint64_t charges,
                                scrim_error *error)
{
    s->capacity = (size_t)charges;
    s->costs = sc_allocate(s->capacity, sizeof *s->costs);
    s->parts = sc_allocate(s->capacity, sizeof *s->parts);
    const scrim_status status =
        s->costs == NULL || s->parts == NULL
            ? sc_fail(error, SCRIM_E_MEMORY, "no memory for the budgets")
            : compose(s, filter, error);
    for (size_t i = 0; i < s->count; i++)
        sc_cost_clear(&s->costs[i]);
    sc_release(s->parts);
    sc_release(s->costs);
    return status;
}

/* Rhos: what is spent, converted at the half of delta that is for them; the other half is what
 * parts have had of theirs. */
static void convert(const sc_filter *filter, const sc_tally *all, scrim_standing *out)
{
    sc_ball_scope scope;
    sc_curve curve;
    sc_ratio epsilon, delta;
    sc_ball_enter(&scope);
    sc_curve_init(&curve);
    sc_ratio_init(&epsilon);
    sc_ratio_init(&delta);
    sc_curve_set_concentrated(&curve, &all->amount);
    if (sc_curve_epsilon_upper(&curve, &filter->parts, &epsilon)) {
        sc_ratio_add(&delta, &filter->parts, &all->delta);
        sc_book_format_upper(&epsilon, out->epsilon);
        sc_book_format_upper(&delta, out->delta);
    }
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
    sc_curve_clear(&curve);
    sc_ball_leave(&scope);
}

static scrim_status plan_standing(scrim_vault *v, void *context, scrim_error *error)
{
    standing *s = context;
    const sc_account *account = sc_book_account(&v->book, s->index + 1);
    if (account == NULL)
        return sc_fail(error, SCRIM_E_PARAM, "the vault has no such population");
    const sc_filter *filter = &account->filter;
    const sc_tally *all = sc_book_tally(&v->book, s->index + 1, 0);
    memset(s->out, 0, sizeof *s->out);
    s->out->charges = all->charges;
    if (all->charges == 0 || sc_ratio_sign(&filter->delta) == 0)
        return SCRIM_OK;
    if (filter->rule == SC_FILTER_CONCENTRATED)
        convert(filter, all, s->out);
    if (filter->rule != SC_FILTER_SUM || all->charges > CHARGES ||
        v->chain.generation > ENTRIES)
        return SCRIM_OK;
    return compose_all(s, filter, all->charges, error);
}

scrim_status scrim_vault_standing(scrim_vault *vault, size_t index, scrim_standing *out,
                                  scrim_error *error)
{
    standing s = {.vault = vault, .index = index, .out = out};
    return sc_vault_read(vault, plan_standing, &s, error);
}
