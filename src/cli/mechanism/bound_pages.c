/* scrim experiment: pages of calculators for statements of the survey: tail bounds, central against local, truncation, private
 * labels. */
#include "cli/display/chart.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/mechanism/experiments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "lab/experiment/private_labels.h"
#include "lab/experiment/survey_bounds.h"
#include "lab/experiment/table_extension.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PATH_BYTES 4096

/* A number, rounded up: five digits in a table for people, all digits in CSV and JSON. */
static void put_upper(sc_listing *page, double value)
{
    char text[SC_BOUND_BYTES];
    if (page->format == SCRIM_FORMAT_TABLE)
        sc_bound_format(value, true, text);
    else
        sc_bound_format_exact(value, text);
    sc_listing_put(page, "%s", text);
}

static char *words_of(const sc_options *options)
{
    return sc_word_line(options->words + 2, options->word_count - 2);
}

/* Tail bounds. */

static const sc_listing_column tail_columns[] = {
    {.name = "bound"},
    {.name = "side"},
    {"deviation", SC_KIND_NUMBER | SC_NULLABLE},
    {"probability", SC_KIND_NUMBER | SC_NULLABLE},
    {.name = "source"}};

scrim_status sc_tail_bounds_show(const sc_options *options, scrim_error *error)
{
    lab_tail_bounds bounds;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_FREED char *line = words_of(options);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    SC_TRY(lab_tail_bounds_of(line, &bounds, error));
    SC_TRY(sc_page_new(options, tail_columns, sizeof tail_columns / sizeof *tail_columns,
                       &page, error));
    page->heading = bounds.finds_deviation
                        ? "how far the mean deviates at most, but for that probability"
                        : "how likely the mean deviates by more than that, at most";
    for (size_t i = 0; i < bounds.count; i++) {
        const lab_tail_bound *row = &bounds.list[i];
        sc_listing_put(page, "%s", row->name);
        sc_listing_put(page, "%s", row->side);
        if (row->is_known) {
            put_upper(page, row->deviation);
            put_upper(page, row->probability);
        } else {
            sc_listing_put(page, NULL);
            sc_listing_put(page, NULL);
        }
        sc_listing_put(page, "%s", row->source);
    }
    return sc_page_write(page, error);
}

/* Central beside local. */

static const sc_listing_column trust_columns[] = {
    {"people", SC_KIND_NUMBER},          {"central", SC_KIND_NUMBER},
    {"local", SC_KIND_NUMBER},           {"times", SC_KIND_NUMBER},
    {"central_formula", SC_KIND_NUMBER}, {"local_formula", SC_KIND_NUMBER}};

typedef struct trust_page {
    lab_trust found;
    double people[LAB_TRUST_ROWS], central[LAB_TRUST_ROWS], local[LAB_TRUST_ROWS];
    sc_chart chart;
    char path[PATH_BYTES];
} trust_page;

/* Both axes are logarithmic: the slopes are those of 1/n and 1/sqrt(n). */
static void make_chart(trust_page *p)
{
    p->chart = (sc_chart){.points = p->people,
                          .count = LAB_TRUST_ROWS,
                          .stride = 1,
                          .names_y = true,
                          .rows = 15,
                          .label_chars = 8,
                          .margin = 8,
                          .line_count = 2,
                          .lines = {{.words = "central", .y = p->central},
                                    {.words = "local", .y = p->local}}};
    sc_chart_axis_init(&p->chart.x, "people", true);
    sc_chart_axis_init(&p->chart.y, "error of a fraction", true);
    for (size_t i = 0; i < LAB_TRUST_ROWS; i++) {
        p->people[i] = (double)p->found.rows[i].people;
        p->central[i] = p->found.rows[i].central;
        p->local[i] = p->found.rows[i].local;
        sc_chart_axis_widen(&p->chart.x, p->people[i]);
        sc_chart_axis_widen(&p->chart.y, p->central[i]);
        sc_chart_axis_widen(&p->chart.y, p->local[i]);
    }
    sc_chart_axis_label_log(&p->chart.x);
    sc_chart_axis_label_log(&p->chart.y);
}

static void draw_trust(const void *context, sc_output *output)
{
    const trust_page *p = context;
    const sc_svg_field field = {
        .left = 70, .right = SC_SVG_WIDTH - 20, .top = 110, .bottom = 350};
    sc_svg_open_headed(
        output, 400,
        &(sc_svg_heading){.title = "The error of a fraction: central and local",
                          .summary = p->found.text,
                          .summary_lines = 1,
                          .x = 70,
                          .y = 24});
    sc_svg_key(output, 70, 86, SC_SVG_THIN, "central: Laplace noise");
    sc_svg_key(output, 320, 86, SC_SVG_BROAD, "local: randomised response");
    sc_chart_svg_write(output, &p->chart, &field);
    sc_svg_close(output);
}

static scrim_status plot_trust(const trust_page *p, scrim_error *error)
{
    sc_terminal beside;
    sc_output output;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    sc_chart_terminal_write(&output, &p->chart, &beside);
    return sc_output_finish(&output, error);
}

static scrim_status list_trust(const trust_page *p, const sc_options *options,
                               scrim_error *error)
{
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, trust_columns,
                       sizeof trust_columns / sizeof *trust_columns, &page, error));
    page->heading = "the error of a fraction of the people";
    for (size_t i = 0; i < LAB_TRUST_ROWS; i++) {
        const lab_trust_row *row = &p->found.rows[i];
        sc_listing_put(page, "%" PRIu64, row->people);
        put_upper(page, row->central);
        put_upper(page, row->local);
        sc_listing_put(page, "%.4g", row->local / row->central);
        put_upper(page, row->central_printed);
        put_upper(page, row->local_printed);
    }
    return sc_page_write(page, error);
}

scrim_status sc_central_local_show(const sc_options *options, scrim_error *error)
{
    const char *folder = options->value[SCRIM_OPTION_SVG];
    SC_FREED trust_page *p = calloc(1, sizeof *p);
    SC_FREED char *line = words_of(options);
    if (p == NULL || line == NULL)
        return sc_out_of_memory(error, "an experiment");
    if (folder != NULL &&
        snprintf(p->path, sizeof p->path, "%s/central-local.svg", folder) >= PATH_BYTES)
        return sc_refuse(error, "--svg: the name is too long");
    if (folder != NULL)
        SC_TRY(sc_file_writer_check_in("--svg", folder, p->path, error));
    SC_TRY(lab_trust_of(line, &p->found, error));
    make_chart(p);
    if (folder != NULL) {
        SC_TRY(sc_folder_make("--svg", folder, error));
        SC_TRY(sc_file_write("--svg", p->path, draw_trust, p, error));
    }
    SC_TRY(list_trust(p, options, error));
    return sc_options_has(options, SCRIM_OPTION_PLOT) ? plot_trust(p, error) : SCRIM_OK;
}

/* Truncation. */

static const sc_listing_column truncation_columns[] = {
    {"gamma", SC_KIND_NUMBER},       {"beta", SC_KIND_NUMBER},
    {"kept", SC_KIND_NUMBER},        {"scale", SC_KIND_NUMBER},
    {"sets_before", SC_KIND_NUMBER}, {"sets_after", SC_KIND_NUMBER}};

scrim_status sc_truncation_show(const sc_options *options, scrim_error *error)
{
    lab_truncation found;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_FREED char *line = words_of(options);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    SC_TRY(lab_truncation_of(line, &found, error));
    SC_TRY(sc_page_new(options, truncation_columns,
                       sizeof truncation_columns / sizeof *truncation_columns, &page,
                       error));
    page->heading = "how likely the count is off by a factor of more than e^gamma";
    for (size_t i = 0; i < found.count; i++) {
        sc_listing_put(page, "%.6g", found.rows[i].gamma);
        put_upper(page, found.rows[i].beta);
        sc_listing_put(page, "%.6g", found.kept);
        sc_listing_put(page, "%.6g", found.scale);
        sc_listing_put(page, "%" PRIu64, found.moved_before);
        sc_listing_put(page, "%" PRIu64, found.moved_after);
    }
    return sc_page_write(page, error);
}

/* Extensions to all tables. */

static const sc_listing_column extension_columns[] = {
    {"tables", SC_KIND_NUMBER},        {"typical", SC_KIND_NUMBER},
    {"changed", SC_KIND_NUMBER},       {"epsilon", SC_KIND_NUMBER},
    {"loss", SC_KIND_NUMBER},          {"typical_loss", SC_KIND_NUMBER},
    {"typical_error", SC_KIND_NUMBER}, {"error", SC_KIND_NUMBER}};

scrim_status sc_table_extension_show(const sc_options *options, scrim_error *error)
{
    lab_extension found;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_FREED char *line = words_of(options);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    SC_TRY(lab_extension_of(line, &found, error));
    SC_TRY(sc_page_new(options, extension_columns,
                       sizeof extension_columns / sizeof *extension_columns, &page,
                       error));
    page->heading = found.text;
    sc_listing_put(page, "%zu", found.tables);
    sc_listing_put(page, "%zu", found.typical);
    sc_listing_put(page, "%zu", found.changed);
    sc_listing_put(page, "%.6g", found.epsilon);
    sc_listing_put(page, "%.6g", found.loss);
    sc_listing_put(page, "%.6g", found.typical_loss);
    sc_listing_put(page, "%.6g", found.typical_error);
    sc_listing_put(page, "%.6g", found.error);
    return sc_page_write(page, error);
}

/* Private labels. */

#define RUNS_LIMIT 1000
#define RUNS_USUAL 10

static const sc_listing_column label_columns[] = {
    {.name = "labels_from"},
    {"epsilon", SC_KIND_NUMBER | SC_NULLABLE},
    {"delta", SC_KIND_NUMBER | SC_NULLABLE},
    {"labels", SC_KIND_NUMBER | SC_NULLABLE},
    {"right_percent", SC_KIND_NUMBER | SC_NULLABLE},
    {"student_percent", SC_KIND_NUMBER}};

static void put_way(sc_listing *page, const lab_label_way *way)
{
    const bool has_labels = way->shown > 0 || way->has_cost;
    sc_listing_put(page, "%s", way->name);
    if (way->has_cost) {
        put_upper(page, way->epsilon);
        put_upper(page, way->delta);
    } else {
        sc_listing_put(page, NULL);
        sc_listing_put(page, NULL);
    }
    sc_listing_put(page, has_labels ? "%.1f" : NULL, way->shown);
    sc_listing_put(page, way->shown > 0 ? "%.1f" : NULL, 100 * way->right);
    sc_listing_put(page, "%.1f", 100 * way->student);
}

scrim_status sc_private_labels_show(const sc_options *options, scrim_error *error)
{
    lab_labels found;
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    uint64_t runs = 0;
    SC_FREED char *line = words_of(options);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    SC_TRY(sc_options_number(options, SCRIM_OPTION_RUNS, RUNS_LIMIT, RUNS_USUAL, &runs,
                             error));
    if (runs == 0)
        return sc_refuse(error, "--runs must be at least 1");
    SC_TRY(lab_labels_run(line, runs, &found, error));
    SC_TRY(sc_page_new(options, label_columns,
                       sizeof label_columns / sizeof *label_columns, &page, error));
    page->heading = found.mechanism;
    for (size_t i = 0; i < LAB_LABEL_WAYS; i++)
        put_way(page, &found.ways[i]);
    return sc_page_write(page, error);
}
