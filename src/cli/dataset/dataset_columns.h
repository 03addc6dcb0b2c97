/* A dataset for people who ask about it: its columns as a table, and what protects it in sentences. */
#ifndef SC_CLI_DATASET_COLUMNS_H
#define SC_CLI_DATASET_COLUMNS_H

#include "cli/dataset/policy_draft.h"
#include "cli/display/listing.h"

/* The columns of a page in this form. */
#define SC_DATASET_COLUMNS 4
extern const sc_listing_column sc_dataset_columns[SC_DATASET_COLUMNS];

/* Adds a row for each column. False without memory. */
bool sc_dataset_columns_add(sc_listing *page, const sc_policy_draft *draft);
/* Behind the table: who is protected, what one of them can reach, the budget, and every other line of the policy. */
void sc_dataset_columns_say(const scrim_dataset *dataset, const scrim_budget *budget,
                            const sc_policy_draft *draft);

#endif
