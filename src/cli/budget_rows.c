#include "cli/budget_rows.h"

#include "cli/complaint.h"
#include "cli/dataset_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Charges that a forecast looks at. */
#define WINDOW 20

static scrim_status fail_memory(scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the budgets");
}

static bool is_zero(const char *number)
{
    return strcmp(number, "0") == 0;
}

static void copy_number(char *out, const char *number)
{
    snprintf(out, SCRIM_NUMBER_BYTES, "%s", number);
}

/* Of one unit; analyst is "" for all of them. */
static bool add_row(sc_budget_rows *out, const scrim_budget *b, const char *analyst,
                    bool is_delta)
{
    const char *total = is_delta ? b->total_delta : b->total;
    const char *share = is_delta ? b->share_delta : b->share;
    if (is_delta && is_zero(total))
        return true;
    sc_budget_row *rows = realloc(out->rows, (out->count + 1) * sizeof *rows);
    if (rows == NULL)
        return false;
    out->rows = rows;
    sc_budget_row *row = &rows[out->count++];
    snprintf(row->population, sizeof row->population, "%s", b->population);
    snprintf(row->analyst, sizeof row->analyst, "%s", analyst);
    row->unit = is_delta ? "delta" : b->unit;
    copy_number(row->total, total);
    copy_number(row->limit, analyst[0] == '\0' ? total : share);
    copy_number(row->spent, is_delta ? b->spent_delta : b->spent);
    copy_number(row->left, is_delta ? b->left_delta : b->left);
    row->charges = b->charges;
    return true;
}

static bool add_rows(sc_budget_rows *out, const scrim_budget *b, const char *analyst)
{
    return add_row(out, b, analyst, false) && add_row(out, b, analyst, true);
}

/* Analysts who have spent something here, or may only spend so much. */
static scrim_status add_analysts(scrim_vault *vault, size_t index, sc_budget_rows *out,
                                 scrim_error *error)
{
    char analyst[SCRIM_NAME_BYTES];
    scrim_budget b;
    for (size_t i = 0;; i++) {
        scrim_status status = scrim_vault_analyst_at(vault, i, analyst, error);
        if (status == SCRIM_E_PARAM)
            return SCRIM_OK; /* past the last */
        if (status == SCRIM_OK)
            status = scrim_vault_budget(vault, index, analyst, &b, error);
        if (status != SCRIM_OK)
            return status;
        if (b.charges == 0 && b.share[0] == '\0' && b.share_delta[0] == '\0')
            continue;
        if (!add_rows(out, &b, analyst))
            return fail_memory(error);
    }
}

static scrim_status add_group(scrim_vault *vault, size_t index, const scrim_budget *b,
                              sc_budget_rows *out, scrim_error *error)
{
    sc_budget_group *groups =
        realloc(out->groups, (out->group_count + 1) * sizeof *groups);
    if (groups == NULL)
        return fail_memory(error);
    out->groups = groups;
    sc_budget_group *group = &groups[out->group_count++];
    group->budget = *b;
    if (!add_rows(out, b, ""))
        return fail_memory(error);
    scrim_status status =
        scrim_vault_forecast(vault, index, WINDOW, &group->forecast, error);
    if (status == SCRIM_OK)
        status = scrim_vault_standing(vault, index, &group->standing, error);
    return status == SCRIM_OK ? add_analysts(vault, index, out, error) : status;
}

scrim_status sc_budget_find(scrim_vault *vault, const char *population,
                            const char *analyst, scrim_budget *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_budget(vault, i, analyst, out, error);
        if (status == SCRIM_OK && strcmp(out->population, population) == 0)
            break;
    }
    return status;
}

/* The population that a name means: its own, or that of a dataset. */
static scrim_status population_of(scrim_vault *vault, const char *name,
                                  char population[SCRIM_NAME_BYTES], scrim_error *error)
{
    scrim_dataset dataset;
    scrim_budget budget;
    snprintf(population, SCRIM_NAME_BYTES, "%s", name);
    scrim_status status = sc_budget_find(vault, name, NULL, &budget, error);
    if (status != SCRIM_E_PARAM)
        return status;
    status = sc_dataset_find(vault, name, &dataset, error);
    if (status == SCRIM_OK)
        snprintf(population, SCRIM_NAME_BYTES, "%s", dataset.population);
    return status;
}

static scrim_status add_groups(scrim_vault *vault, const char *population,
                               sc_budget_rows *out, scrim_error *error)
{
    scrim_budget b;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_budget(vault, i, NULL, &b, error);
        if (status == SCRIM_E_PARAM)
            return SCRIM_OK; /* past the last */
        if (status == SCRIM_OK &&
            (population == NULL || strcmp(b.population, population) == 0))
            status = add_group(vault, i, &b, out, error);
    }
    return status;
}

static scrim_status add_datasets(scrim_vault *vault, const char *population,
                                 sc_budget_rows *out, scrim_error *error)
{
    scrim_dataset dataset;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_dataset(vault, i, &dataset, error);
        if (status == SCRIM_E_PARAM)
            return SCRIM_OK;
        if (status != SCRIM_OK ||
            (population != NULL && strcmp(dataset.population, population) != 0))
            continue;
        scrim_dataset *datasets =
            realloc(out->datasets, (out->dataset_count + 1) * sizeof *datasets);
        if (datasets == NULL)
            return fail_memory(error);
        out->datasets = datasets;
        datasets[out->dataset_count++] = dataset;
    }
    return status;
}

/* Neither a population nor a dataset has that name; which may have been meant? */
static scrim_status fail_unknown(scrim_vault *vault, const char *name, scrim_error *error)
{
    scrim_budget budget;
    scrim_dataset dataset;
    sc_nearest nearest;
    sc_nearest_init(&nearest, name);
    for (size_t i = 0; scrim_vault_budget(vault, i, NULL, &budget, error) == SCRIM_OK;
         i++)
        (void)sc_nearest_offer(&nearest, budget.population);
    for (size_t i = 0; scrim_vault_dataset(vault, i, &dataset, error) == SCRIM_OK; i++)
        (void)sc_nearest_offer(&nearest, dataset.name);
    if (nearest.name[0] != '\0')
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "the vault has no population and no dataset '%s'; did you mean '%s'?", name,
            nearest.name);
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "the vault has no population and no dataset '%s'; "
                             "'scrim budget' shows all there are",
                             name);
}

scrim_status sc_budget_rows_get(scrim_vault *vault, const char *name, sc_budget_rows *out,
                                scrim_error *error)
{
    char population[SCRIM_NAME_BYTES];
    const char *wanted = name == NULL ? NULL : population;
    memset(out, 0, sizeof *out);
    scrim_status status =
        name == NULL ? SCRIM_OK : population_of(vault, name, population, error);
    if (status == SCRIM_E_PARAM)
        return fail_unknown(vault, name, error);
    if (status == SCRIM_OK)
        status = add_groups(vault, wanted, out, error);
    if (status == SCRIM_OK)
        status = add_datasets(vault, wanted, out, error);
    if (status == SCRIM_OK)
        status = scrim_vault_refusals(vault, &out->refusals, error);
    if (status != SCRIM_OK)
        sc_budget_rows_clear(out);
    return status;
}

void sc_budget_rows_clear(sc_budget_rows *rows)
{
    free(rows->rows);
    free(rows->groups);
    free(rows->datasets);
    memset(rows, 0, sizeof *rows);
}
