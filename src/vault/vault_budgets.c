#include "vault/vault_budgets.h"

#include "base/memory.h"

#include <stdio.h>
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

/* What is shown when the store's lock was given back: a visitor may take its time. */
typedef struct kept_view {
    scrim_budget budget;
    bool is_whole; /* with forecast and standing; else of an analyst */
    char analyst[SCRIM_NAME_BYTES];
    scrim_forecast forecast;
    scrim_standing standing;
} kept_view;

typedef struct showing {
    scrim_vault *vault;
    const char *population; /* NULL: all */
    uint64_t window;
    sc_charge_log log;
    bool is_composed; /* standings are told */
    kept_view *views;
    size_t count, capacity;
} showing;

static scrim_status keep_analyst(showing *s, size_t index, uint64_t analyst,
                                 scrim_error *error)
{
    scrim_budget budget;
    sc_vault_set_budget(&s->vault->book, index + 1, analyst, &budget);
    if (budget.charges == 0 && budget.share[0] == '\0' && budget.share_delta[0] == '\0')
        return SCRIM_OK;
    if (!sc_make_room(&s->views, s->count, &s->capacity, sizeof *s->views))
        return sc_no_memory(error, "the budgets");
    kept_view *view = &s->views[s->count++];
    view->budget = budget;
    view->is_whole = false;
    snprintf(view->analyst, sizeof view->analyst, "%s",
             s->vault->book.analysts[analyst - 1].name);
    return SCRIM_OK;
}

/* Those who have spent something or may only spend so much: where a share is everybody's, all. */
static scrim_status keep_analysts(showing *s, size_t index, scrim_error *error)
{
    const sc_book *book = &s->vault->book;
    scrim_status status = SCRIM_OK;
    const bool is_shared = sc_book_share(book, index + 1, 0) != NULL;
    for (uint64_t i = 1; is_shared && status == SCRIM_OK && i <= book->analyst_count; i++)
        status = keep_analyst(s, index, i, error);
    const sc_population *people = &book->populations[index];
    for (size_t i = 1; !is_shared && status == SCRIM_OK && i < people->tally_count; i++)
        status = keep_analyst(s, index, people->tallies[i].analyst, error);
    return status;
}

static scrim_status keep_population(showing *s, size_t index, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (!sc_make_room(&s->views, s->count, &s->capacity, sizeof *s->views))
        return sc_no_memory(error, "the budgets");
    kept_view *view = &s->views[s->count];
    view->is_whole = true;
    view->standing = (scrim_standing){.charges = 0};
    sc_vault_set_budget(&s->vault->book, index + 1, 0, &view->budget);
    sc_vault_forecast_from(s->vault, &s->log, index, s->window, &view->forecast);
    view->standing.charges = view->budget.charges;
    if (s->is_composed)
        status = sc_vault_standing_from(s->vault, &s->log, index, &view->standing, error);
    if (status != SCRIM_OK)
        return status;
    s->count++;
    return keep_analysts(s, index, error);
}

/* Populations that anything was charged to. */
static size_t count_charged(const sc_book *book)
{
    size_t count = 0;
    for (size_t i = 0; i < book->population_count; i++)
        count += book->populations[i].tallies[0].charges > 0;
    return count;
}

static scrim_status plan_views(scrim_vault *v, void *context, scrim_error *error)
{
    showing *s = context;
    uint64_t only = 0;
    if (s->population != NULL) {
        only = sc_book_find_population(&v->book, sc_text_of(s->population));
        if (only == 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                               "unknown population '%s'", s->population);
    }
    s->is_composed = only != 0 || count_charged(&v->book) <= COMPOSED;
    scrim_status status = sc_vault_log_charges(v, only, &s->log, error);
    if (status != SCRIM_OK)
        return status;
    if (only != 0)
        status = keep_population(s, only - 1, error);
    for (size_t i = 0; only == 0 && status == SCRIM_OK && i < v->book.population_count;
         i++)
        status = keep_population(s, i, error);
    sc_charge_log_clear(&s->log);
    return status;
}

scrim_status scrim_vault_budgets(scrim_vault *vault, const char *population,
                                 uint64_t window, scrim_budget_visitor *visitor,
                                 void *context, scrim_error *error)
{
    showing s = {.vault = vault, .population = population, .window = window};
    scrim_status status = sc_vault_read(vault, plan_views, &s, error);
    for (size_t i = 0; status == SCRIM_OK && i < s.count; i++) {
        const kept_view *view = &s.views[i];
        status = visitor(
            context,
            &(scrim_budget_view){.budget = &view->budget,
                                 .analyst = view->is_whole ? NULL : view->analyst,
                                 .forecast = view->is_whole ? &view->forecast : NULL,
                                 .standing = view->is_whole ? &view->standing : NULL});
    }
    sc_free(s.views);
    return status;
}

typedef struct seeking {
    const char *population, *analyst;
    scrim_budget *out;
} seeking;

static scrim_status plan_seek(scrim_vault *v, void *context, scrim_error *error)
{
    const seeking *s = context;
    uint64_t analyst = 0;
    const uint64_t found = sc_book_find_population(&v->book, sc_text_of(s->population));
    if (found == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                           "unknown population '%s'", s->population);
    if (s->analyst != NULL) {
        analyst = sc_book_find_analyst(&v->book, UINT64_MAX, sc_text_of(s->analyst));
        if (analyst == 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "analyst",
                               "the ledger has no analyst '%s'", s->analyst);
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
