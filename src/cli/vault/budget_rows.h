/* What is left, gathered from a vault: a row for each population and unit, and below it one for
 * each analyst. A unit is what the population counts (epsilon, rho, divergence), or delta where
 * the budget has one. Numbers are exact text; what is left is never above the truth. */
#ifndef SC_CLI_BUDGET_ROWS_H
#define SC_CLI_BUDGET_ROWS_H

#include "scrim.h"

#include <stdbool.h>

typedef struct sc_budget_row {
    char population[SCRIM_NAME_BYTES];
    char analyst[SCRIM_NAME_BYTES]; /* "": all of them */
    const char *unit;
    char limit[SCRIM_NUMBER_BYTES]; /* the budget, or the analyst's share; "": none */
    char total[SCRIM_NUMBER_BYTES]; /* the budget */
    char spent[SCRIM_NUMBER_BYTES];
    char left[SCRIM_NUMBER_BYTES];
    uint64_t charges;
} sc_budget_row;

/* A population, and what its next charges may be like. */
typedef struct sc_budget_group {
    scrim_budget budget;
    scrim_forecast forecast;
    scrim_standing standing;
} sc_budget_group;

typedef struct sc_budget_rows {
    sc_budget_row *rows;
    size_t count, capacity;
    sc_budget_group *groups;
    size_t group_count, group_capacity;
    scrim_dataset *datasets; /* of those populations */
    size_t dataset_count, dataset_capacity;
    const scrim_dataset **by_population; /* the datasets, in the order of these names */
    uint64_t refusals;                   /* of the whole vault */
    bool is_unwitnessed;                 /* the vault */
} sc_budget_rows;

/* Of one population, by its name or that of a dataset, or of all (NULL). SCRIM_E_PARAM when there
 * is none of that name. */
SCRIM_MUST_USE scrim_status sc_budget_rows_get(scrim_vault *vault, const char *name,
                                               sc_budget_rows *out, scrim_error *error);
/* The budget of a population by name: as a whole, or (analyst is not NULL) for one. SCRIM_E_PARAM
 * when there is none. */
SCRIM_MUST_USE scrim_status sc_budget_find(scrim_vault *vault, const char *population,
                                           const char *analyst, scrim_budget *out,
                                           scrim_error *error);
/* The place in by_population of a population's first dataset, or where it would be. */
size_t sc_budget_first_dataset(const sc_budget_rows *rows, const char *population);
/* Also of zeros. */
void sc_budget_rows_clear(sc_budget_rows *rows);

#endif
