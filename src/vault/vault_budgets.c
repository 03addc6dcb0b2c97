#include "vault/vault_budgets.h"

#include <string.h>

#define RECENT_ENTRIES 4096
/* Composing takes about a millisecond or more for each population: for so many of them. */
#define COMPOSED 64

scrim_status sc_vault_log_charges(scrim_vault *v, uint64_t population, sc_charge_log *out,
                                  scrim_error *error)
{
    const uint64_t end = v->chain.generation;
    return sc_charge_log_read(v, end > SC_LOGGED_ENTRIES ? end - RECENT_ENTRIES + 1 : 1,
                              population, out, error);
}

typedef struct showing {
    scrim_vault *vault;
    const char *population; /* NULL: all */
    uint64_t window;
    scrim_budget_visitor *visitor;
    void *context;
    sc_charge_log log;
    bool is_composed;  /* standings are told */
    scrim_status said; /* by the visitor, last */
} showing;

static scrim_status show(showing *s, const scrim_budget_view *view)
{
    return s->said = s->visitor(s->context, view);
}

static scrim_status show_analyst(showing *s, size_t index, uint64_t analyst)
{
    scrim_budget budget;
    sc_vault_set_budget(&s->vault->book, index + 1, analyst, &budget);
    if (budget.charges == 0 && budget.share[0] == '\0' && budget.share_delta[0] == '\0')
        return SCRIM_OK;
    return show(
        s, &(scrim_budget_view){.budget = &budget,
                                .analyst = s->vault->book.analysts[analyst - 1].name});
}

/* Those who have spent something or may only spend so much: where a share is everybody's, all. */
static scrim_status show_analysts(showing *s, size_t index)
{
    const sc_book *book = &s->vault->book;
    scrim_status status = SCRIM_OK;
    const bool is_shared = sc_book_share(book, index + 1, 0) != NULL;
    for (uint64_t i = 1; is_shared && status == SCRIM_OK && i <= book->analyst_count; i++)
        status = show_analyst(s, index, i);
    const sc_account *account = &book->accounts[index];
    for (size_t i = 1; !is_shared && status == SCRIM_OK && i < account->tally_count; i++)
        status = show_analyst(s, index, account->tallies[i].analyst);
    return status;
}

static scrim_status show_population(showing *s, size_t index, scrim_error *error)
{
    scrim_budget budget;
    scrim_forecast forecast;
    scrim_standing standing = {.charges = 0};
    sc_vault_set_budget(&s->vault->book, index + 1, 0, &budget);
    sc_vault_forecast_from(s->vault, &s->log, index, s->window, &forecast);
    standing.charges = budget.charges;
    scrim_status status = SCRIM_OK;
    if (s->is_composed)
        status = sc_vault_standing_from(s->vault, &s->log, index, &standing, error);
    if (status == SCRIM_OK)
        status =
            show(s, &(scrim_budget_view){
                        .budget = &budget, .forecast = &forecast, .standing = &standing});
    return status == SCRIM_OK ? show_analysts(s, index) : status;
}

/* Populations that anything was charged to. */
static size_t count_charged(const sc_book *book)
{
    size_t count = 0;
    for (size_t i = 0; i < book->account_count; i++)
        count += book->accounts[i].tallies[0].charges > 0;
    return count;
}

static scrim_status plan_show(scrim_vault *v, void *context, scrim_error *error)
{
    showing *s = context;
    uint64_t only = 0;
    if (s->population != NULL) {
        only = sc_book_find_account(&v->book, sc_text_of(s->population));
        if (only == 0)
            return sc_fail(error, SCRIM_E_PARAM, "the vault has no population '%s'",
                           s->population);
    }
    s->is_composed = only != 0 || count_charged(&v->book) <= COMPOSED;
    scrim_status status = sc_vault_log_charges(v, only, &s->log, error);
    if (status != SCRIM_OK)
        return status;
    if (only != 0)
        status = show_population(s, only - 1, error);
    for (size_t i = 0; only == 0 && status == SCRIM_OK && i < v->book.account_count; i++)
        status = show_population(s, i, error);
    sc_charge_log_clear(&s->log);
    return status;
}

scrim_status scrim_vault_budgets(scrim_vault *vault, const char *population,
                                 uint64_t window, scrim_budget_visitor *visitor,
                                 void *context, scrim_error *error)
{
    showing s = {.vault = vault,
                 .population = population,
                 .window = window,
                 .visitor = visitor,
                 .context = context};
    const scrim_status status = sc_vault_read(vault, plan_show, &s, error);
    return s.said == SCRIM_OK ? status : s.said;
}

typedef struct seeking {
    const char *population, *analyst;
    scrim_budget *out;
} seeking;

static scrim_status plan_seek(scrim_vault *v, void *context, scrim_error *error)
{
    const seeking *s = context;
    uint64_t analyst = 0;
    const uint64_t found = sc_book_find_account(&v->book, sc_text_of(s->population));
    if (found == 0)
        return sc_fail(error, SCRIM_E_PARAM, "the vault has no population '%s'",
                       s->population);
    if (s->analyst != NULL) {
        analyst = sc_book_find_analyst(&v->book, UINT64_MAX, sc_text_of(s->analyst));
        if (analyst == 0)
            return sc_fail(error, SCRIM_E_PARAM, "the ledger knows no analyst '%s'",
                           s->analyst);
    }
    sc_vault_set_budget(&v->book, found, analyst, s->out);
    return SCRIM_OK;
}

scrim_status scrim_vault_budget_of(scrim_vault *vault, const char *population,
                                   const char *analyst, scrim_budget *out,
                                   scrim_error *error)
{
    seeking s = {population, analyst, out};
    return sc_vault_read(vault, plan_seek, &s, error);
}
