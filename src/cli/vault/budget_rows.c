#include "cli/vault/budget_rows.h"

#include "cli/terminal/complaint.h"
#include "cli/vault/dataset_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Charges that a forecast looks at. */
#define WINDOW 20

static scrim_status fail_memory(scrim_error *error)
{
    return sc_out_of_memory(error, "the budgets");
}

static bool is_zero(const char *number)
{
    return strcmp(number, "0") == 0;
}

static void copy_number(char *out, const char *number)
{
    snprintf(out, SCRIM_NUMBER_BYTES, "%s", number);
}

/* One more item of an array that grows by doubling: NULL without memory. */
static void *next_item(void **items, size_t count, size_t *capacity, size_t size)
{
    if (count == *capacity) {
        const size_t wanted = *capacity == 0 ? 16 : 2 * *capacity;
        void *moved = realloc(*items, wanted * size);
        if (moved == NULL)
            return NULL;
        *items = moved;
        *capacity = wanted;
    }
    return (char *)*items + count * size;
}

/* Of one unit; analyst is "" for all of them. */
static bool add_row(sc_budget_rows *out, const scrim_budget *b, const char *analyst,
                    bool is_delta)
{
    const char *total = is_delta ? b->total_delta : b->total;
    const char *share = is_delta ? b->share_delta : b->share;
    if (is_delta && is_zero(total))
        return true;
    sc_budget_row *row =
        next_item((void **)&out->rows, out->count, &out->capacity, sizeof *row);
    if (row == NULL)
        return false;
    out->count++;
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

/* A population, and then its analysts. */
static scrim_status add_view(void *context, const scrim_budget_view *view)
{
    sc_budget_rows *out = context;
    const char *analyst = view->analyst == NULL ? "" : view->analyst;
    if (view->analyst == NULL) {
        sc_budget_group *group = next_item((void **)&out->groups, out->group_count,
                                           &out->group_capacity, sizeof *group);
        if (group == NULL)
            return SCRIM_E_MEMORY;
        out->group_count++;
        *group = (sc_budget_group){*view->budget, *view->forecast, *view->standing};
    }
    return add_row(out, view->budget, analyst, false) &&
                   add_row(out, view->budget, analyst, true)
               ? SCRIM_OK
               : SCRIM_E_MEMORY;
}

scrim_status sc_budget_find(scrim_vault *vault, const char *population,
                            const char *analyst, scrim_budget *out, scrim_error *error)
{
    return scrim_vault_budget_of(vault, population, analyst, out, error);
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
        scrim_dataset *next = next_item((void **)&out->datasets, out->dataset_count,
                                        &out->dataset_capacity, sizeof *next);
        if (next == NULL)
            return fail_memory(error);
        *next = dataset;
        out->dataset_count++;
    }
    return status;
}

/* By the population's name, and as they were listed. */
static int compare_datasets(const void *a, const void *b)
{
    const scrim_dataset *x = *(const scrim_dataset *const *)a;
    const scrim_dataset *y = *(const scrim_dataset *const *)b;
    const int order = strcmp(x->population, y->population);
    return order != 0 ? order : (x > y) - (x < y);
}

static scrim_status sort_datasets(sc_budget_rows *out, scrim_error *error)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    out->by_population = calloc(out->dataset_count + 1, sizeof *out->by_population);
    if (out->by_population == NULL)
        return fail_memory(error);
    for (size_t i = 0; i < out->dataset_count; i++)
        out->by_population[i] = &out->datasets[i];
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    qsort(out->by_population, out->dataset_count, sizeof *out->by_population,
          compare_datasets);
    return SCRIM_OK;
}

size_t sc_budget_first_dataset(const sc_budget_rows *rows, const char *population)
{
    size_t low = 0, high = rows->dataset_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(rows->by_population[middle]->population, population) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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
        return sc_refuse(error, "unknown population or dataset '%s'; did you mean '%s'?",
                         name, nearest.name);
    return sc_refuse(
        error, "unknown population or dataset '%s'; 'scrim budget' lists them", name);
}

scrim_status sc_budget_rows_get(scrim_vault *vault, const char *name, sc_budget_rows *out,
                                scrim_error *error)
{
    char population[SCRIM_NAME_BYTES], *witness = NULL;
    const char *wanted = name == NULL ? NULL : population;
    memset(out, 0, sizeof *out);
    scrim_status status =
        name == NULL ? SCRIM_OK : population_of(vault, name, population, error);
    if (status == SCRIM_E_PARAM)
        return fail_unknown(vault, name, error);
    if (status == SCRIM_OK)
        status = scrim_vault_budgets(vault, wanted, WINDOW, add_view, out, error);
    if (status == SCRIM_E_MEMORY)
        (void)fail_memory(error);
    if (status == SCRIM_OK)
        status = add_datasets(vault, wanted, out, error);
    if (status == SCRIM_OK)
        status = sort_datasets(out, error);
    if (status == SCRIM_OK)
        status = scrim_vault_refusals(vault, &out->refusals, error);
    if (status == SCRIM_OK)
        status = scrim_vault_witness(vault, &witness, error);
    out->is_unwitnessed = witness == NULL;
    scrim_vault_text_free(witness);
    if (status != SCRIM_OK)
        sc_budget_rows_clear(out);
    return status;
}

void sc_budget_rows_clear(sc_budget_rows *rows)
{
    free(rows->rows);
    free(rows->groups);
    free(rows->by_population);
    free(rows->datasets);
    memset(rows, 0, sizeof *rows);
}
