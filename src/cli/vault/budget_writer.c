#include "cli/vault/budget_writer.h"

#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/number_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 7
/* Of the bar: this many cells, and a percentage behind them. */
#define BAR_CELLS 10
#define CELL_BYTES 64

static const char *const column_names[COLUMNS] = {"analyst", "unit",    "limit", "spent",
                                                  "left",    "charges", "used"};

/* "epsilon 0.5, delta 0.001", of those that are there; with a word for none. */
static void write_pair(sc_output *output, const char *unit, const char *amount,
                       const char *delta, bool upper)
{
    char shown[SC_BOUND_BYTES];
    void (*format)(const char *, char *) =
        upper ? sc_number_format_upper : sc_number_format_lower;
    if (amount[0] != '\0') {
        format(amount, shown);
        sc_output_format(output, "%s %s", unit, shown);
    }
    if (delta[0] != '\0' && strcmp(delta, "0") != 0) {
        format(delta, shown);
        sc_output_format(output, "%sdelta %s", amount[0] != '\0' ? ", " : "", shown);
    }
}

/* Tables. */

typedef struct row_cells {
    char limit[SC_BOUND_BYTES], spent[SC_BOUND_BYTES], left[SC_BOUND_BYTES];
    char charges[24], bar[CELL_BYTES];
} row_cells;

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
    snprintf(end, CELL_BYTES - (size_t)(end - text), " %3.0f%%",
             part <= 0     ? 0
             : percent < 1 ? 1
                           : percent);
}

static void fill_row(const sc_budget_row *row, bool utf8, row_cells *texts,
                     const char **cells)
{
    sc_number_format_lower(row->limit, texts->limit);
    sc_number_format_upper(row->spent, texts->spent);
    sc_number_format_lower(row->left, texts->left);
    snprintf(texts->charges, sizeof texts->charges, "%" PRIu64, row->charges);
    format_bar(row, utf8, texts->bar);
    const char *const all[COLUMNS] = {row->analyst[0] == '\0' ? "all" : row->analyst,
                                      row->unit,
                                      row->limit[0] == '\0' ? "" : texts->limit,
                                      texts->spent,
                                      texts->left,
                                      texts->charges,
                                      texts->bar};
    memcpy(cells, all, sizeof all);
}

/* The rows of one population, which follow one another. */
static void write_box(sc_output *output, const sc_budget_row *rows, size_t count,
                      row_cells *texts, const char **cells, const sc_terminal *terminal)
{
    for (size_t i = 0; i < count; i++)
        fill_row(&rows[i], terminal->utf8, &texts[i], cells + i * COLUMNS);
    const sc_box box = {column_names, COLUMNS, cells, count};
    sc_box_write(output, &box, SCRIM_FORMAT_TABLE, terminal);
}

static void write_heading(sc_output *output, const scrim_budget *b)
{
    sc_output_format(output, "%s: ", b->population);
    write_pair(output, "epsilon", b->epsilon, b->delta, false);
    sc_output_format(output, " in all, for ever; %s, accounting %s\n",
                     scrim_neighbours_name(b->neighbours), b->accounting);
}

static scrim_status write_tables(sc_output *output, const sc_budget_rows *rows,
                                 const sc_terminal *terminal, scrim_error *error)
{
    row_cells *texts = calloc(rows->count + 1, sizeof *texts);
    const char **cells = calloc((rows->count + 1) * COLUMNS, sizeof *cells);
    const bool has_memory = texts != NULL && cells != NULL;
    size_t at = 0;
    for (size_t i = 0; has_memory && i < rows->group_count; i++) {
        const scrim_budget *b = &rows->groups[i].budget;
        const size_t from = at;
        while (at < rows->count && strcmp(rows->rows[at].population, b->population) == 0)
            at++;
        write_heading(output, b);
        write_box(output, rows->rows + from, at - from, texts, cells, terminal);
    }
    free(cells);
    free(texts);
    return has_memory
               ? SCRIM_OK
               : sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the table");
}

/* Programs. */

static void write_csv(sc_output *output, const sc_budget_rows *rows)
{
    sc_output_text(output, "population,analyst,unit,limit,spent,left,charges\n");
    for (size_t i = 0; i < rows->count; i++) {
        const sc_budget_row *row = &rows->rows[i];
        sc_output_csv_text(output, row->population);
        sc_output_text(output, ",");
        sc_output_csv_text(output, row->analyst);
        sc_output_format(output, ",%s,%s,", row->unit, row->limit);
        sc_output_format(output, "%s,%s,%" PRIu64 "\n", row->spent, row->left,
                         row->charges);
    }
}

/* A member of an object, or null where there is no such thing. */
static void write_member(sc_output *output, const char *name, const char *value)
{
    sc_output_format(output, "\"%s\": ", name);
    if (value[0] == '\0')
        sc_output_text(output, "null");
    else
        sc_output_json_text(output, value);
    sc_output_text(output, ", ");
}

static void write_json_row(sc_output *output, const sc_budget_row *row)
{
    sc_output_text(output, "{");
    write_member(output, "population", row->population);
    write_member(output, "analyst", row->analyst);
    write_member(output, "unit", row->unit);
    write_member(output, "limit", row->limit);
    write_member(output, "spent", row->spent);
    write_member(output, "left", row->left);
    sc_output_format(output, "\"charges\": %" PRIu64 "}", row->charges);
}

static void write_json_standing(sc_output *output, const scrim_standing *standing)
{
    sc_output_text(output, "\"standing\": ");
    if (standing->epsilon[0] == '\0') {
        sc_output_text(output, "null, ");
        return;
    }
    sc_output_text(output, "{");
    write_member(output, "epsilon", standing->epsilon);
    write_member(output, "delta", standing->delta);
    sc_output_text(output, "\"note\": \"bookkeeping, not a guarantee\"}, ");
}

static void write_json_forecast(sc_output *output, const scrim_forecast *forecast)
{
    sc_output_text(output, "\"forecast\": ");
    if (forecast->window == 0) {
        sc_output_text(output, "null}");
        return;
    }
    sc_output_format(output, "{\"window\": %" PRIu64 ", ", forecast->window);
    write_member(output, "average", forecast->average);
    write_member(output, "average_delta", forecast->average_delta);
    sc_output_text(output, "\"charges\": ");
    if (forecast->charges == UINT64_MAX)
        sc_output_text(output, "null");
    else
        sc_output_format(output, "%" PRIu64, forecast->charges);
    sc_output_text(output, ", \"seconds\": ");
    if (forecast->seconds == 0)
        sc_output_text(output, "null}}");
    else
        sc_output_format(output, "%" PRIu64 "}}", forecast->seconds);
}

static void write_json_group(sc_output *output, const sc_budget_group *group)
{
    const scrim_budget *b = &group->budget;
    sc_output_text(output, "{");
    write_member(output, "population", b->population);
    write_member(output, "neighbours", scrim_neighbours_name(b->neighbours));
    write_member(output, "accounting", b->accounting);
    write_member(output, "epsilon", b->epsilon);
    write_member(output, "delta", b->delta);
    write_member(output, "share", b->share);
    write_member(output, "share_delta", b->share_delta);
    write_json_standing(output, &group->standing);
    write_json_forecast(output, &group->forecast);
}

static void write_json_dataset(sc_output *output, const scrim_dataset *dataset)
{
    sc_output_text(output, "{");
    write_member(output, "dataset", dataset->name);
    write_member(output, "population", dataset->population);
    write_member(output, "cap", dataset->cap);
    write_member(output, "cap_delta", dataset->cap_delta);
    write_member(output, "cap_least", dataset->cap_least);
    sc_output_format(output, "\"version\": %" PRIu64 "}", dataset->version);
}

static const char *between(size_t index, size_t count)
{
    return index + 1 < count ? ",\n" : "\n";
}

static void write_json(sc_output *output, const sc_budget_rows *rows)
{
    sc_output_text(output, "{\"rows\": [\n");
    for (size_t i = 0; i < rows->count; i++) {
        write_json_row(output, &rows->rows[i]);
        sc_output_text(output, between(i, rows->count));
    }
    sc_output_text(output, "], \"populations\": [\n");
    for (size_t i = 0; i < rows->group_count; i++) {
        write_json_group(output, &rows->groups[i]);
        sc_output_text(output, between(i, rows->group_count));
    }
    sc_output_text(output, "], \"datasets\": [\n");
    for (size_t i = 0; i < rows->dataset_count; i++) {
        write_json_dataset(output, &rows->datasets[i]);
        sc_output_text(output, between(i, rows->dataset_count));
    }
    sc_output_format(output, "], \"refusals\": %" PRIu64 "}\n", rows->refusals);
}

scrim_status sc_budget_write(sc_output *output, const sc_budget_rows *rows,
                             sc_format format, const sc_terminal *terminal,
                             scrim_error *error)
{
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        return write_tables(output, rows, terminal, error);
    case SCRIM_FORMAT_CSV:
        write_csv(output, rows);
        break;
    case SCRIM_FORMAT_JSON:
        write_json(output, rows);
        break;
    case SCRIM_FORMAT_JSONL:
        for (size_t i = 0; i < rows->count; i++) {
            write_json_row(output, &rows->rows[i]);
            sc_output_text(output, "\n");
        }
        break;
    }
    return SCRIM_OK;
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
    write_pair(output, unit, average, delta, true);
}

static void write_forecast(sc_output *output, const sc_budget_group *group)
{
    const scrim_forecast *forecast = &group->forecast;
    if (forecast->window == 0) {
        sc_output_format(output, "forecast    of %s nothing has been charged of late\n",
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
        sc_output_text(output, "no more like that fits");
    else
        sc_output_format(output, "%" PRIu64 " more like that fit%s", forecast->charges,
                         forecast->charges == 1 ? "s" : "");
    const double seconds = forecast->window < 2 || forecast->charges == UINT64_MAX
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
    write_pair(output, "epsilon", standing->epsilon, standing->delta, true);
    sc_output_text(output, " as they stand, had they been declared in advance: "
                           "bookkeeping, not a guarantee, which is what is spent\n");
}

static void write_caps(sc_output *output, const scrim_dataset *dataset, const char *unit)
{
    char shown[SC_BOUND_BYTES];
    const bool has_most = dataset->cap[0] != '\0' || dataset->cap_delta[0] != '\0';
    if (!has_most && dataset->cap_least[0] == '\0')
        return;
    sc_output_format(output, "cap         one question to %s costs ", dataset->name);
    if (has_most) {
        write_pair(output, unit, dataset->cap, dataset->cap_delta, false);
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
    if (b->share[0] != '\0' || b->share_delta[0] != '\0') {
        sc_output_format(output,
                         "share       of %s whoever has none of their own may spend ",
                         b->population);
        write_pair(output, b->unit, b->share, b->share_delta, false);
        sc_output_text(output, "\n");
    }
    for (size_t i = sc_budget_first_dataset(rows, b->population);
         i < rows->dataset_count &&
         strcmp(rows->by_population[i]->population, b->population) == 0;
         i++)
        write_caps(output, rows->by_population[i], b->unit);
    write_standing(output, group);
    write_forecast(output, group);
}

void sc_budget_note_write(sc_output *output, const sc_budget_rows *rows)
{
    for (size_t i = 0; i < rows->group_count; i++)
        write_group(output, rows, &rows->groups[i]);
    if (rows->group_count == 0)
        sc_output_text(output,
                       "there is no budget in the vault yet; 'scrim dataset add' makes "
                       "one\n");
    if (rows->refusals > 0)
        sc_output_format(output, "refused     %" PRIu64 " so far in this vault\n",
                         rows->refusals);
}
