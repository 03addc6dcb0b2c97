#include "cli/vault/budget_writer.h"

#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/terminal/complaint.h"
#include "cli/vault/vault_place.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Charges that a forecast looks at. */
#define WINDOW 20

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

/* Adds the row of one unit; analyst is "" for all of them. */
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
    /* A share that was removed, of somebody who never asked. */
    if (view->analyst != NULL && !view->budget->has_own_share &&
        view->budget->charges == 0 && is_zero(view->budget->spent) &&
        is_zero(view->budget->spent_delta))
        return SCRIM_OK;
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
            return sc_out_of_memory(error, "the budgets");
        *next = dataset;
        out->dataset_count++;
    }
    return status;
}

/* Sorts by the name of the population; datasets of one population stay in the order of the list. */
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
        return sc_out_of_memory(error, "the budgets");
    for (size_t i = 0; i < out->dataset_count; i++)
        out->by_population[i] = &out->datasets[i];
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    qsort(out->by_population, out->dataset_count, sizeof *out->by_population,
          compare_datasets);
    return SCRIM_OK;
}

/* The place in by_population of a population's first dataset, or where it would be. */
static size_t sc_budget_first_dataset(const sc_budget_rows *rows, const char *population)
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
        (void)sc_out_of_memory(error, "the budgets");
    if (status == SCRIM_OK)
        status = add_datasets(vault, wanted, out, error);
    if (status == SCRIM_OK)
        status = sort_datasets(out, error);
    if (status == SCRIM_OK)
        status = scrim_vault_refusals(vault, &out->refusals, error);
    if (status == SCRIM_OK)
        status = scrim_vault_lost(vault, &out->lost, error);
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

/* Cells of the bar; a percentage follows it. */
#define BAR_CELLS 10
#define CELL_BYTES 64

/* Tables. */

/* The part of the limit that is spent, where there is no limit of the budget; never too
 * little. */
static double part_spent(const sc_budget_row *row)
{
    double limit = sc_number_view(row->limit[0] == '\0' ? row->total : row->limit);
    double spent = sc_number_view(row->spent);
    if (spent <= 0)
        return 0;
    return limit > spent ? spent / limit : 1;
}

static void format_bar(const sc_budget_row *row, bool utf8, char text[CELL_BYTES])
{
    /* Upwards: a crumb that is spent is seen. */
    const double part = part_spent(row);
    const double cells = ceil(part * BAR_CELLS - SC_BOUND_SLACK);
    const double percent = ceil(part * 100 - 100 * SC_BOUND_SLACK);
    const size_t filled = part <= 0 ? 0 : cells < 1 ? 1 : (size_t)cells;
    char *end = text;
    for (size_t i = 0; i < BAR_CELLS; i++)
        end = stpcpy(end, i < filled ? (utf8 ? "█" : "#") : (utf8 ? "░" : "."));
    /* Do not round up to 100 % while anything is left. */
    const double most = part < 1 - SC_BOUND_SLACK ? 99 : 100;
    snprintf(end, CELL_BYTES - (size_t)(end - text), " %3.0f%%",
             part <= 0        ? 0
             : percent < 1    ? 1
             : percent > most ? most
                              : percent);
}

/* The rows of one population, which follow one another. */
static scrim_status write_box(sc_output *output, const sc_budget_row *rows, size_t count,
                              const sc_terminal *terminal, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "analyst"}, {.name = "measure"}, {.name = "limit"}, {.name = "spent"},
        {.name = "left"},    {.name = "charges"}, {.name = "used"}};
    sc_listing box = SC_LISTING(columns, output, SCRIM_FORMAT_TABLE, terminal);
    char limit[SC_BOUND_BYTES], spent[SC_BOUND_BYTES], left[SC_BOUND_BYTES];
    char charges[24], bar[CELL_BYTES];
    for (size_t i = 0; i < count; i++) {
        const sc_budget_row *row = &rows[i];
        sc_number_format_lower(row->limit, limit);
        sc_number_format_upper(row->spent, spent);
        sc_number_format_lower(row->left, left);
        snprintf(charges, sizeof charges, "%" PRIu64, row->charges);
        format_bar(row, terminal->utf8, bar);
        sc_listing_add(&box,
                       (const char *[]){row->analyst[0] == '\0' ? "all" : row->analyst,
                                        row->unit, row->limit[0] == '\0' ? "" : limit,
                                        spent, left, charges, bar});
    }
    return sc_listing_close(&box, SCRIM_OK, error);
}

/* Has the population a dataset? All of them may be removed, and the budget stays. */
static bool is_used(const sc_budget_rows *rows, const char *population)
{
    const size_t first = sc_budget_first_dataset(rows, population);
    return first < rows->dataset_count &&
           strcmp(rows->by_population[first]->population, population) == 0;
}

static void write_heading(sc_output *output, const scrim_budget *b, bool has_dataset)
{
    sc_output_format(output, "budget      %s: total ", b->population);
    sc_amount_write(output, "epsilon", b->epsilon, b->delta, false);
    const bool is_sum = strcmp(b->accounting, "sum") == 0;
    sc_output_format(output, ", never renewed; %s%s%s%s\n",
                     scrim_neighbours_name(b->neighbours), is_sum ? "" : ", accounting ",
                     is_sum ? "" : b->accounting,
                     has_dataset ? "" : "; no dataset uses it now");
}

static scrim_status write_tables(sc_output *output, const sc_budget_rows *rows,
                                 const sc_terminal *terminal, scrim_error *error)
{
    size_t at = 0;
    for (size_t i = 0; i < rows->group_count; i++) {
        const scrim_budget *b = &rows->groups[i].budget;
        const size_t from = at;
        while (at < rows->count && strcmp(rows->rows[at].population, b->population) == 0)
            at++;
        const size_t begin = sc_fold_begin(output);
        write_heading(output, b, is_used(rows, b->population));
        sc_fold_end(output, begin, terminal->columns);
        SC_TRY(write_box(output, rows->rows + from, at - from, terminal, error));
    }
    return SCRIM_OK;
}

/* Programs. */

static void write_standing_json(sc_json *json, const scrim_standing *standing)
{
    if (standing->epsilon[0] == '\0') {
        sc_json_word(json, "standing", "null");
        return;
    }
    sc_json_object(json, "standing");
    sc_json_text(json, "epsilon", standing->epsilon);
    sc_json_text_or_null(json, "delta", standing->delta);
    sc_json_text(json, "note", "bookkeeping, not a guarantee");
    sc_json_end(json);
}

static void write_forecast_json(sc_json *json, const scrim_forecast *forecast)
{
    if (forecast->window == 0) {
        sc_json_word(json, "forecast", "null");
        return;
    }
    sc_json_object(json, "forecast");
    sc_json_count(json, "window", forecast->window);
    sc_json_text_or_null(json, "average", forecast->average);
    sc_json_text_or_null(json, "average_delta", forecast->average_delta);
    if (forecast->charges == UINT64_MAX)
        sc_json_word(json, "charges", "null");
    else
        sc_json_count(json, "charges", forecast->charges);
    if (forecast->seconds == 0)
        sc_json_word(json, "seconds", "null");
    else
        sc_json_count(json, "seconds", forecast->seconds);
    sc_json_end(json);
}

static void write_group_json(sc_json *json, const sc_budget_group *group)
{
    const scrim_budget *b = &group->budget;
    sc_json_object(json, NULL);
    sc_json_text(json, "population", b->population);
    sc_json_text(json, "neighbours", scrim_neighbours_name(b->neighbours));
    sc_json_text_or_null(json, "accounting", b->accounting);
    sc_json_text_or_null(json, "epsilon", b->epsilon);
    sc_json_text_or_null(json, "delta", b->delta);
    sc_json_text_or_null(json, "share", b->share);
    sc_json_text_or_null(json, "share_delta", b->share_delta);
    if (b->is_overshared) {
        sc_json_text_or_null(json, "shares", b->shares);
        sc_json_text_or_null(json, "shares_delta", b->shares_delta);
    }
    write_standing_json(json, &group->standing);
    write_forecast_json(json, &group->forecast);
    sc_json_end(json);
}

static void write_dataset_json(sc_json *json, const scrim_dataset *dataset)
{
    sc_json_object(json, NULL);
    sc_json_text(json, "dataset", dataset->name);
    sc_json_text(json, "population", dataset->population);
    sc_json_text_or_null(json, "cap", dataset->cap);
    sc_json_text_or_null(json, "cap_delta", dataset->cap_delta);
    sc_json_text_or_null(json, "cap_least", dataset->cap_least);
    sc_json_count(json, "version", dataset->version);
    sc_json_end(json);
}

/* Behind the rows. */
static void write_facts_json(sc_json *json, const sc_budget_rows *rows)
{
    sc_json_rows(json, "populations");
    for (size_t i = 0; i < rows->group_count; i++)
        write_group_json(json, &rows->groups[i]);
    sc_json_end(json);
    sc_json_rows(json, "datasets");
    for (size_t i = 0; i < rows->dataset_count; i++)
        write_dataset_json(json, &rows->datasets[i]);
    sc_json_end(json);
    sc_json_count(json, "refusals", rows->refusals);
    sc_json_word(json, "witness", rows->is_unwitnessed ? "false" : "true");
}

scrim_status sc_budget_write(sc_output *output, const sc_budget_rows *rows,
                             sc_format format, const sc_terminal *terminal,
                             scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {"population", SC_NULLABLE}, {"analyst", SC_NULLABLE}, {"unit", SC_NULLABLE},
        {"limit", SC_NULLABLE},      {"spent", SC_NULLABLE},   {"left", SC_NULLABLE},
        {"charges", SC_KIND_NUMBER}};
    sc_listing listing = SC_LISTING(columns, output, format, terminal);
    char charges[24];
    if (format == SCRIM_FORMAT_TABLE)
        return write_tables(output, rows, terminal, error);
    sc_json *json = sc_listing_open(&listing);
    for (size_t i = 0; i < rows->count; i++) {
        const sc_budget_row *row = &rows->rows[i];
        snprintf(charges, sizeof charges, "%" PRIu64, row->charges);
        sc_listing_add(&listing,
                       (const char *[]){row->population, row->analyst, row->unit,
                                        row->limit, row->spent, row->left, charges});
    }
    sc_listing_end_rows(&listing);
    if (json != NULL)
        write_facts_json(json, rows);
    return sc_listing_close(&listing, SCRIM_OK, error);
}

/* Notes. */

/* "3 days": for people, rounded down. */
static void write_span(sc_output *output, double seconds)
{
    static const struct {
        double seconds;
        const char *name;
    } spans[] = {{365.25 * 86400, "years"},
                 {86400, "days"},
                 {3600, "hours"},
                 {60, "minutes"},
                 {1, "seconds"}};
    size_t i = 0;
    while (i + 1 < sizeof spans / sizeof spans[0] && seconds < 2 * spans[i].seconds)
        i++;
    sc_output_format(output, "%.0f %s", floor(seconds / spans[i].seconds), spans[i].name);
}

/* An average is a fraction as a rule; people read digits. */
static void format_average(const char *average, char shown[SC_BOUND_BYTES])
{
    if (strchr(average, '/') == NULL)
        sc_number_format_upper(average, shown);
    else
        sc_bound_format(sc_number_view(average), true, shown);
}

static void write_average(sc_output *output, const char *unit,
                          const scrim_forecast *forecast)
{
    char average[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    format_average(forecast->average, average);
    format_average(forecast->average_delta, delta);
    sc_amount_write(output, unit, average, delta, true);
}

static void write_forecast(sc_output *output, const sc_budget_group *group)
{
    const scrim_forecast *forecast = &group->forecast;
    if (forecast->window == 0) {
        sc_output_format(output, "forecast    no recent charges to %s\n",
                         group->budget.population);
        return;
    }
    if (forecast->window == 1)
        sc_output_text(output, "forecast    the last charge");
    else
        sc_output_format(output, "forecast    the last %" PRIu64 " charges",
                         forecast->window);
    sc_output_format(output, " of %s cost ", group->budget.population);
    write_average(output, group->budget.unit, forecast);
    sc_output_text(output, forecast->window == 1 ? "; " : " on average; ");
    if (forecast->charges == UINT64_MAX)
        sc_output_text(output, "any number of them fits");
    else if (forecast->charges == 0)
        sc_output_text(output, "no further one fits");
    else
        sc_output_format(output, "%" PRIu64 " more like that fit%s", forecast->charges,
                         forecast->charges == 1 ? "s" : "");
    /* The pace of less than a day says nothing about the next weeks. */
    const double seconds = forecast->window < 2 || forecast->charges == UINT64_MAX ||
                                   forecast->seconds < 86400
                               ? 0
                               : (double)forecast->charges * (double)forecast->seconds /
                                     (double)(forecast->window - 1);
    if (seconds >= 1) {
        sc_output_text(output, ", at their pace within ");
        write_span(output, seconds);
    }
    sc_output_text(output, "\n");
}

/* Where it is less than what is spent by a twentieth, or in another unit. */
static void write_standing(sc_output *output, const sc_budget_group *group)
{
    const scrim_standing *standing = &group->standing;
    const scrim_budget *b = &group->budget;
    if (standing->epsilon[0] == '\0' ||
        (strcmp(b->unit, "epsilon") == 0 &&
         sc_number_view(standing->epsilon) > 0.95 * sc_number_view(b->spent)))
        return;
    sc_output_format(output, "standing    the %" PRIu64 " charge%s of %s come%s to ",
                     standing->charges, standing->charges == 1 ? "" : "s", b->population,
                     standing->charges == 1 ? "s" : "");
    sc_amount_write(output, "epsilon", standing->epsilon, standing->delta, true);
    sc_output_text(output, standing->charges == 1
                               ? " as it stands: "
                               : " as they stand, had they been declared in advance: ");
    sc_output_text(output, "bookkeeping, not a guarantee, which is what is spent\n");
}

void sc_caps_write(sc_output *output, const scrim_dataset *dataset, const char *unit)
{
    char shown[SC_BOUND_BYTES];
    const bool has_most = dataset->cap[0] != '\0' || dataset->cap_delta[0] != '\0';
    if (!has_most && dataset->cap_least[0] == '\0')
        return;
    sc_output_format(output, "cap         one query to %s costs ", dataset->name);
    if (has_most) {
        sc_amount_write(output, unit, dataset->cap, dataset->cap_delta, false);
        sc_output_text(output, " at most");
    }
    if (dataset->cap_least[0] != '\0') {
        sc_number_format_upper(dataset->cap_least, shown);
        sc_output_format(output, "%s%s %s at least", has_most ? ", " : "", unit, shown);
    }
    sc_output_text(output, "\n");
}

static void write_group(sc_output *output, const sc_budget_rows *rows,
                        const sc_budget_group *group)
{
    const scrim_budget *b = &group->budget;
    char caution[SC_SHARES_BYTES];
    if (sc_caution_shares(b, caution))
        sc_output_format(output, "caution     %s\n", caution);
    if (b->share[0] != '\0' || b->share_delta[0] != '\0') {
        sc_output_format(
            output, "share       of %s analysts without a share of their own may spend ",
            b->population);
        sc_amount_write(output, b->unit, b->share, b->share_delta, false);
        sc_output_text(output, "\n");
    }
    for (size_t i = sc_budget_first_dataset(rows, b->population);
         i < rows->dataset_count &&
         strcmp(rows->by_population[i]->population, b->population) == 0;
         i++)
        sc_caps_write(output, rows->by_population[i], b->unit);
    write_standing(output, group);
    if (is_used(rows, b->population))
        write_forecast(output, group);
}

void sc_budget_note_write(sc_output *output, const sc_budget_rows *rows)
{
    for (size_t i = 0; i < rows->group_count; i++)
        write_group(output, rows, &rows->groups[i]);
    if (rows->group_count == 0)
        sc_output_text(output,
                       "no budget in the vault yet; 'scrim dataset add' creates one\n");
    if (rows->refusals > 0)
        sc_output_format(
            output, "refused     %" PRIu64 " request%s in this vault, without a charge\n",
            rows->refusals, rows->refusals == 1 ? "" : "s");
    if (rows->lost > 0)
        sc_output_format(output,
                         "restored    %" PRIu64
                         " entr%s lost when the vault was put back "
                         "to an earlier state; treat their charges as spent\n",
                         rows->lost, rows->lost == 1 ? "y was" : "ies were");
    if (rows->is_unwitnessed && rows->group_count > 0)
        sc_output_text(
            output, "witness     none: nobody notices an older copy of the vault in its "
                    "place; 'scrim init --moved --witness FILE' adds one\n");
}
