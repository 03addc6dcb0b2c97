#include "cli/account/experiment_writer.h"

#include "cli/sheet/fold.h"
#include "cli/sheet/listing.h"
#include "cli/sheet/number_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define OURS "stlap"

sc_experiment_verdict sc_experiment_standing(const scrim_experiment_error *own,
                                             const scrim_experiment_error *least)
{
    if (own->is_least)
        return SC_STANDING_LEAST;
    return own->mean - least->mean <=
                   2 * hypot(own->standard_error, least->standard_error)
               ? SC_STANDING_TIED
               : SC_STANDING_BEHIND;
}

/* Programs. */

static void put_error(sc_listing *listing, const scrim_experiment_error *e)
{
    const double numbers[] = {e->mean, e->standard_error, e->quantile, e->expected};
    char text[SC_BOUND_BYTES];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sc_bound_format_exact(numbers[i], text);
        sc_listing_put(listing, "%s", i < 3 || e->has_expected ? text : "");
    }
    sc_listing_put(listing, "%s", e->is_least ? "yes" : "no");
}

static scrim_status write_csv(sc_output *output, const scrim_experiment *found,
                              scrim_error *error)
{
    static const sc_listing_column columns[] = {{.name = "experiment"},
                                                {.name = "statistic"},
                                                {.name = "epsilon"},
                                                {.name = "mechanism"},
                                                {.name = "runs"},
                                                {.name = "raw_mean"},
                                                {.name = "raw_standard_error"},
                                                {.name = "raw_quantile"},
                                                {.name = "raw_expected"},
                                                {.name = "raw_best"},
                                                {.name = "flexible_mean"},
                                                {.name = "flexible_standard_error"},
                                                {.name = "flexible_quantile"},
                                                {.name = "flexible_expected"},
                                                {.name = "flexible_best"}};
    sc_listing listing = SC_LISTING(columns, output, SCRIM_FORMAT_CSV, NULL);
    const scrim_experiment_row *row;
    for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++) {
        sc_listing_put(&listing, "%u", row->experiment);
        sc_listing_put(&listing, "%s", row->statistic);
        sc_listing_put(&listing, "%s", row->epsilon);
        sc_listing_put(&listing, "%s", row->mechanism);
        sc_listing_put(&listing, "%" PRIu64, row->runs);
        put_error(&listing, &row->raw);
        put_error(&listing, &row->flexible);
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

static void write_error_json(sc_json *json, const char *name,
                             const scrim_experiment_error *e)
{
    sc_json_object(json, name);
    sc_json_double(json, "mean", e->mean);
    sc_json_double(json, "standard_error", e->standard_error);
    sc_json_double(json, "quantile", e->quantile);
    if (e->has_expected)
        sc_json_double(json, "expected", e->expected);
    else
        sc_json_word(json, "expected", "null");
    sc_json_truth(json, "best", e->is_least);
    sc_json_end(json);
}

/* Lines have the mark that an object has once. */
static void write_rows_json(sc_json *json, const scrim_experiment *found, bool is_lines)
{
    const scrim_experiment_row *row;
    for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++) {
        sc_json_object(json, NULL);
        if (is_lines)
            sc_json_mark(json);
        sc_json_count(json, "experiment", row->experiment);
        sc_json_text(json, "statistic", row->statistic);
        sc_json_text(json, "epsilon", row->epsilon);
        sc_json_text(json, "mechanism", row->mechanism);
        sc_json_count(json, "runs", row->runs);
        write_error_json(json, "raw", &row->raw);
        write_error_json(json, "flexible", &row->flexible);
        sc_json_end(json);
    }
}

static void write_data_json(sc_json *json, const scrim_experiment *found)
{
    const scrim_experiment_data *data;
    char number[24];
    for (size_t i = 0; (data = scrim_experiment_data_at(found, i)) != NULL; i++) {
        sc_json_object(json, NULL);
        sc_json_count(json, "experiment", data->experiment);
        sc_json_text(json, "statistic", data->statistic);
        sc_json_text(json, "data", data->data);
        sc_json_count(json, "value", data->value);
        snprintf(number, sizeof number, "%" PRId64, data->allowance);
        sc_json_number(json, "allowance", number);
        sc_json_array(json, "heights");
        for (size_t bar = 0; bar < data->bars; bar++) {
            snprintf(number, sizeof number, "%" PRId64, data->heights[bar]);
            sc_json_number(json, NULL, number);
        }
        sc_json_end(json);
        sc_json_end(json);
    }
}

static void write_json(sc_json *json, const scrim_experiment *found)
{
    sc_json_object(json, NULL);
    sc_json_mark(json);
    sc_json_text(json, "name", "flexible-accuracy");
    sc_json_text(json, "delta", SCRIM_EXPERIMENT_DELTA);
    sc_json_text(json, "gamma", SCRIM_EXPERIMENT_GAMMA);
    sc_json_array(json, "data");
    write_data_json(json, found);
    sc_json_end(json);
    sc_json_rows(json, "rows");
    write_rows_json(json, found, false);
    sc_json_end(json);
    sc_json_end(json);
}

/* For people. */

static void put_brief(sc_listing *box, const scrim_experiment_error *e)
{
    sc_listing_put(box, "%.4f%s (%.4f)", e->mean, e->is_least ? "*" : "",
                   e->standard_error);
    sc_listing_put(box, "%.3g", e->quantile);
}

static scrim_status write_box(sc_output *output, const scrim_experiment *found,
                              unsigned experiment, const sc_terminal *terminal,
                              scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "epsilon"}, {.name = "mechanism"},        {.name = "raw error %"},
        {.name = "95 %"},    {.name = "flexible error %"}, {.name = "95 %"}};
    sc_listing box = SC_LISTING(columns, output, SCRIM_FORMAT_TABLE, terminal);
    const scrim_experiment_row *row;
    for (size_t i = 0; (row = scrim_experiment_row_at(found, i)) != NULL; i++) {
        if (row->experiment != experiment)
            continue;
        sc_listing_put(&box, "%s", row->epsilon);
        sc_listing_put(&box, "%s", row->mechanism);
        put_brief(&box, &row->raw);
        put_brief(&box, &row->flexible);
    }
    return sc_listing_close(&box, SCRIM_OK, error);
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
    for (sc_experiment_verdict standing = SC_STANDING_LEAST;
         standing <= SC_STANDING_BEHIND; standing++) {
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

static scrim_status write_table(sc_output *output, const scrim_experiment *found,
                                const sc_terminal *terminal, scrim_error *error)
{
    const scrim_experiment_data *data;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0;
         status == SCRIM_OK && (data = scrim_experiment_data_at(found, i)) != NULL; i++) {
        size_t begin = sc_fold_begin(output);
        sc_output_format(output, "%sexperiment  %u: %s of ", i == 0 ? "" : "\n",
                         data->experiment, data->statistic);
        sc_output_format(output, "%s\n", data->data);
        sc_fold_end(output, begin, terminal->columns);
        status = write_box(output, found, data->experiment, terminal, error);
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
    return status;
}

scrim_status sc_experiment_write(sc_output *output, const scrim_experiment *found,
                                 sc_format format, const sc_terminal *terminal,
                                 scrim_error *error)
{
    sc_json json;
    sc_json_init(&json, output);
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        return write_table(output, found, terminal, error);
    case SCRIM_FORMAT_CSV:
        return write_csv(output, found, error);
    case SCRIM_FORMAT_JSON:
        write_json(&json, found);
        break;
    case SCRIM_FORMAT_JSONL:
        write_rows_json(&json, found, true);
        break;
    }
    return SCRIM_OK;
}
