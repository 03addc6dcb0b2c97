#include "cli/account/experiment_writer.h"

#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/fold.h"
#include "cli/terminal/number_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SCRIM_TESTING
#define NOT_PRIVATE "\"not_private\": true, "
#else
#define NOT_PRIVATE ""
#endif

#define OURS "stlap"

sc_standing sc_experiment_standing(const scrim_experiment_error *own,
                                   const scrim_experiment_error *least)
{
    if (own->is_least)
        return SC_STANDING_LEAST;
    return own->mean - least->mean <=
                   2 * hypot(own->standard_error, least->standard_error)
               ? SC_STANDING_TIED
               : SC_STANDING_BEHIND;
}

/* CSV. */

static void write_csv_error(sc_output *output, const scrim_experiment_error *e)
{
    const double numbers[] = {e->mean, e->standard_error, e->quantile};
    char text[SC_BOUND_BYTES];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sc_bound_format_exact(numbers[i], text);
        sc_output_format(output, ",%s", text);
    }
    sc_bound_format_exact(e->expected, text);
    sc_output_format(output, ",%s,%s", e->has_expected ? text : "",
                     e->is_least ? "yes" : "no");
}

static void write_csv(sc_output *output, const scrim_experiment *found)
{
    const scrim_experiment_row *row;
    sc_output_text(output, "experiment,statistic,epsilon,mechanism,runs,raw_mean,"
                           "raw_standard_error,raw_quantile,raw_expected,raw_best,"
                           "flexible_mean,flexible_standard_error,flexible_quantile,"
                           "flexible_expected,flexible_best\n");
    for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++) {
        sc_output_format(output, "%u,%s,%s,%s,%" PRIu64, row->experiment, row->statistic,
                         row->epsilon, row->mechanism, row->runs);
        write_csv_error(output, &row->raw);
        write_csv_error(output, &row->flexible);
        sc_output_text(output, "\n");
    }
}

/* JSON. */

static void write_json_error(sc_output *output, const char *name,
                             const scrim_experiment_error *e)
{
    char mean[SC_BOUND_BYTES], error[SC_BOUND_BYTES], quantile[SC_BOUND_BYTES],
        expected[SC_BOUND_BYTES];
    sc_bound_format_exact(e->mean, mean);
    sc_bound_format_exact(e->standard_error, error);
    sc_bound_format_exact(e->quantile, quantile);
    sc_bound_format_exact(e->expected, expected);
    sc_output_format(output,
                     ", \"%s\": {\"mean\": %s, \"standard_error\": %s, \"quantile\": %s, "
                     "\"expected\": %s, \"best\": %s}",
                     name, mean, error, quantile, e->has_expected ? expected : "null",
                     e->is_least ? "true" : "false");
}

static void write_json_row(sc_output *output, const scrim_experiment_row *row,
                           const char *before)
{
    sc_output_format(output,
                     "{%s\"experiment\": %u, \"statistic\": \"%s\", \"epsilon\": \"%s\", "
                     "\"mechanism\": \"%s\", \"runs\": %" PRIu64,
                     before, row->experiment, row->statistic, row->epsilon,
                     row->mechanism, row->runs);
    write_json_error(output, "raw", &row->raw);
    write_json_error(output, "flexible", &row->flexible);
    sc_output_text(output, "}");
}

static void write_json_data(sc_output *output, const scrim_experiment *found)
{
    const scrim_experiment_data *data;
    for (size_t i = 0; (data = scrim_experiment_data_at(found, i)) != NULL; i++) {
        sc_output_format(output,
                         "%s{\"experiment\": %u, \"statistic\": \"%s\", \"data\": ",
                         i == 0 ? "" : ", ", data->experiment, data->statistic);
        sc_output_json_text(output, data->data);
        sc_output_format(output,
                         ", \"value\": %zu, \"allowance\": %" PRId64 ", \"heights\": [",
                         data->value, data->allowance);
        for (size_t bar = 0; bar < data->bars; bar++)
            sc_output_format(output, bar == 0 ? "%" PRId64 : ", %" PRId64,
                             data->heights[bar]);
        sc_output_text(output, "]}");
    }
}

static void write_json(sc_output *output, const scrim_experiment *found)
{
    const scrim_experiment_row *row;
    sc_output_text(output, "{" NOT_PRIVATE "\"name\": \"flexible-accuracy\", \"delta\": "
                           "\"" SCRIM_EXPERIMENT_DELTA "\", \"gamma\": "
                           "\"" SCRIM_EXPERIMENT_GAMMA "\", \"data\": [");
    write_json_data(output, found);
    sc_output_text(output, "], \"rows\": [\n");
    for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++) {
        write_json_row(output, row, "");
        sc_output_text(output,
                       scrim_experiment_row_at(found, i + 1) == NULL ? "\n" : ",\n");
    }
    sc_output_text(output, "]}\n");
}

static void write_json_lines(sc_output *output, const scrim_experiment *found)
{
    const scrim_experiment_row *row;
    for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++) {
        write_json_row(output, row, NOT_PRIVATE);
        sc_output_text(output, "\n");
    }
}

/* For people. */

enum { COLUMNS = 6, CELL_BYTES = 32, ROWS_MOST = 64 };

typedef struct sheet {
    char text[ROWS_MOST][COLUMNS][CELL_BYTES];
    const char *cells[ROWS_MOST * COLUMNS];
} sheet;

static void fill_error(char mean[CELL_BYTES], char quantile[CELL_BYTES],
                       const scrim_experiment_error *e)
{
    snprintf(mean, CELL_BYTES, "%.4f%s (%.4f)", e->mean, e->is_least ? "*" : "",
             e->standard_error);
    snprintf(quantile, CELL_BYTES, "%.3g", e->quantile);
}

static size_t fill(sheet *s, const scrim_experiment *found, unsigned experiment)
{
    const scrim_experiment_row *row;
    size_t count = 0;
    for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++) {
        if (row->experiment != experiment || count == ROWS_MOST)
            continue;
        char(*text)[CELL_BYTES] = s->text[count];
        snprintf(text[0], CELL_BYTES, "%s", row->epsilon);
        snprintf(text[1], CELL_BYTES, "%s", row->mechanism);
        fill_error(text[2], text[3], &row->raw);
        fill_error(text[4], text[5], &row->flexible);
        for (size_t column = 0; column < COLUMNS; column++)
            s->cells[count * COLUMNS + column] = text[column];
        count++;
    }
    return count;
}

/* The row of the least mean at the epsilon of another. */
static const scrim_experiment_row *least_beside(const scrim_experiment *found,
                                                const scrim_experiment_row *own,
                                                bool is_flexible)
{
    const scrim_experiment_row *row;
    for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++)
        if (row->experiment == own->experiment &&
            strcmp(row->epsilon, own->epsilon) == 0 &&
            (is_flexible ? row->flexible.is_least : row->raw.is_least))
            return row;
    return own;
}

/* "least at 0.05, 0.1; tied at 2; behind smooth at 0.5". */
static void write_standing(sc_output *output, const scrim_experiment *found,
                           unsigned experiment, bool is_flexible)
{
    static const char *const words[] = {"least", "tied with the least", "behind"};
    const char *between = "";
    for (sc_standing standing = SC_STANDING_LEAST; standing <= SC_STANDING_BEHIND;
         standing++) {
        const scrim_experiment_row *row;
        const char *before = " at ";
        for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++) {
            if (row->experiment != experiment || strcmp(row->mechanism, OURS) != 0)
                continue;
            const scrim_experiment_row *least = least_beside(found, row, is_flexible);
            if (sc_experiment_standing(is_flexible ? &row->flexible : &row->raw,
                                       is_flexible ? &least->flexible : &least->raw) !=
                standing)
                continue;
            if (before[0] == ' ')
                sc_output_format(output, "%s%s", between, words[standing]);
            sc_output_format(output, "%s%s", before, row->epsilon);
            if (standing != SC_STANDING_LEAST)
                sc_output_format(output, " (%s)", least->mechanism);
            before = ", ";
            between = "; ";
        }
    }
    sc_output_text(output, "\n");
}

static void write_table(sc_output *output, const scrim_experiment *found, sheet *s,
                        const sc_terminal *terminal)
{
    static const char *const columns[COLUMNS] = {
        "epsilon", "mechanism", "raw error %", "95 %", "flexible error %", "95 %"};
    const scrim_experiment_data *data;
    for (size_t i = 0; (data = scrim_experiment_data_at(found, i)) != NULL; i++) {
        size_t begin = sc_fold_begin(output);
        sc_output_format(output, "%sexperiment  %u: %s of ", i == 0 ? "" : "\n",
                         data->experiment, data->statistic);
        sc_output_format(output, "%s\n", data->data);
        sc_fold_end(output, begin, terminal->columns);
        const sc_box box = {columns, COLUMNS, s->cells, fill(s, found, data->experiment)};
        sc_box_write(output, &box, SCRIM_FORMAT_TABLE, terminal);
        begin = sc_fold_begin(output);
        sc_output_text(output, "raw         " OURS " is ");
        write_standing(output, found, data->experiment, false);
        sc_output_text(output, "flexible    " OURS " is ");
        write_standing(output, found, data->experiment, true);
        sc_fold_end(output, begin, terminal->columns);
    }
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output,
                   "\nlegend      mean in percent of the number of bars, in brackets its "
                   "standard error, an asterisk behind the least; 95 %: what 95 % of the "
                   "runs stay within; tied: within two standard errors\n");
    sc_fold_end(output, begin, terminal->columns);
}

scrim_status sc_experiment_write(sc_output *output, const scrim_experiment *found,
                                 sc_format format, const sc_terminal *terminal,
                                 scrim_error *error)
{
    if (format == SCRIM_FORMAT_CSV)
        write_csv(output, found);
    else if (format == SCRIM_FORMAT_JSON)
        write_json(output, found);
    else if (format == SCRIM_FORMAT_JSONL)
        write_json_lines(output, found);
    if (format != SCRIM_FORMAT_TABLE)
        return SCRIM_OK;
    sheet *s = calloc(1, sizeof *s);
    if (s == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for a table");
    write_table(output, found, s, terminal);
    free(s);
    return SCRIM_OK;
}
