/* Writing what is left in every format. */
#ifndef SC_CLI_BUDGET_WRITER_H
#define SC_CLI_BUDGET_WRITER_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

#include <stdbool.h>

/* Remainders of budgets, gathered from a vault: a row for each population and unit, and below it one for
 * each analyst. A unit is what the population counts (epsilon, rho, divergence), or delta where
 * the budget has one. Numbers are exact text; what is left is never above the truth. */

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
    uint64_t lost;       /* entries that an accepted earlier state of it lacks */
    bool is_unwitnessed; /* the vault */
} sc_budget_rows;

/* Rows of one population, by its name or that of a dataset, or of all (NULL). SCRIM_E_PARAM when
 * no population has that name. */
SCRIM_MUST_USE scrim_status sc_budget_rows_get(scrim_vault *vault, const char *name,
                                               sc_budget_rows *out, scrim_error *error);
/* A line of what one query may cost; nothing without a cap. */
void sc_caps_write(sc_output *output, const scrim_dataset *dataset, const char *unit);

/* The budget of a population by name: as a whole, or (analyst is not NULL) for one. SCRIM_E_PARAM
 * when there is no such budget. */
SCRIM_MUST_USE scrim_status sc_budget_find(scrim_vault *vault, const char *population,
                                           const char *analyst, scrim_budget *out,
                                           scrim_error *error);
/* Also of zeros. */
void sc_budget_rows_clear(sc_budget_rows *rows);

/* CSV has a row for each population, analyst and unit; JSON is an object with rows, populations
 * (with the forecast), datasets (with their caps) and refusals; a table has a bar in each row
 * that shows how much is spent, never too little. */
SCRIM_MUST_USE scrim_status sc_budget_write(sc_output *output, const sc_budget_rows *rows,
                                            sc_format format, const sc_terminal *terminal,
                                            scrim_error *error);
/* Facts that the rows do not have: how a budget is counted, shares and caps, and the forecast. */
void sc_budget_note_write(sc_output *output, const sc_budget_rows *rows);

#endif
