#include "cli/mechanism/calibration_writer.h"

#include "cli/answer/release_note.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Programs. */

static void write_csv(sc_output *output, const scrim_calibration *found)
{
    static const sc_listing_column columns[] = {
        {.name = "measurement"}, {.name = "parameter"},  {.name = "value"},
        {.name = "next"},        {.name = "count"},      {.name = "epsilon_each"},
        {.name = "delta_each"},  {.name = "rho_each"},   {.name = "epsilon"},
        {.name = "delta"},       {.name = "rho"},        {.name = "epsilon_lower"},
        {.name = "delta_upper"}, {.name = "accountant"}, {.name = "confidence"},
        {.name = "error"},       {.name = "error_all"}};
    char count[24], lower[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    snprintf(count, sizeof count, "%" PRIu64, found->count);
    sc_bound_format_exact(found->epsilon_lower, lower);
    sc_bound_format_exact(found->delta_upper, delta);
    sc_listing_csv_row(
        output, columns, sizeof columns / sizeof *columns,
        (const char *[]){found->text, found->parameter, found->value, found->next, count,
                         found->alone.epsilon, found->alone.delta, found->alone.rho,
                         found->joint.epsilon, found->joint.delta, found->joint.rho,
                         lower, delta, found->source, found->certificate.confidence,
                         found->certificate.radius, found->certificate.radius_all});
}

/* One object; JSON and a line of JSON are the same. */
static void write_json(sc_output *output, const scrim_calibration *found)
{
    sc_json json;
    sc_json_init(&json, output);
    sc_json_object(&json, NULL);
    sc_json_text(&json, "measurement", found->text);
    sc_json_text_or_null(&json, "parameter", found->parameter);
    sc_json_text_or_null(&json, "value", found->value);
    sc_json_text_or_null(&json, "next", found->next);
    sc_json_truth(&json, "exact", found->is_exact);
    sc_json_count(&json, "count", found->count);
    sc_cost_json(&json, "each", &found->alone);
    sc_cost_json(&json, "cost", &found->joint);
    sc_json_double(&json, "lower", found->epsilon_lower);
    sc_json_double(&json, "delta", found->delta_upper);
    sc_json_text_or_null(&json, "accountant", found->source);
    sc_certificate_json(&json, "certificate", &found->certificate);
    sc_json_end(&json);
}

/* For people. */

/* A release on a sample is as accurate as it says about that sample. */
static void write_certificate(sc_output *output, const scrim_calibration *found)
{
    sc_certificate_write(output, &found->certificate, found->input);
    if (found->certificate.form != SCRIM_CERTIFICATE_NONE &&
        strncmp(found->text, "poisson ", 8) == 0)
        sc_output_text(output, " (of its sample)");
}

static const char *releases(uint64_t count)
{
    return count == 1 ? "release" : "releases";
}

static void write_together(sc_output *output, const scrim_calibration *found)
{
    char lower[SC_BOUND_BYTES];
    if (found->count > 1) {
        sc_output_format(output, "together    %" PRIu64 " releases cost ", found->count);
        sc_cost_write(output, &found->joint);
        sc_output_text(output, "\n");
    }
    if (found->joint.epsilon[0] == '\0')
        return;
    sc_output_format(output, "proved by   the accountant %s", found->source);
    if (found->epsilon_lower > 0) {
        sc_bound_format(found->epsilon_lower, false, lower);
        sc_output_format(output, "; epsilon is %s at least", lower);
    }
    sc_output_text(output, "\n");
}

static void write_table(sc_output *output, const scrim_calibration *found, size_t columns)
{
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output, "calibrated  ");
    sc_output_text(output, found->text); /* may be long */
    sc_output_format(output, "\n%-11s %s", found->parameter, found->value);
    if (found->next[0] != '\0')
        sc_output_format(output, "; %s %s", found->next,
                         found->is_exact ? "and all beyond it miss the target"
                                         : "was tried, too, and misses the target");
    sc_output_text(output, "\ncost        one release: ");
    sc_cost_write(output, &found->alone);
    sc_output_format(output, "; neighbours %s\n",
                     scrim_neighbours_name(found->alone.neighbours));
    write_together(output, found);
    sc_output_text(output, "accuracy    ");
    write_certificate(output, found);
    if (found->certificate.form == SCRIM_CERTIFICATE_NONE &&
        strcmp(found->input, "scores") == 0)
        sc_output_text(output, " without --values N, the number of candidates");
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, columns);
}

/* "scale=3.5 for 10 releases costs epsilon 1, delta 0 together, and each value is ..." */
void sc_calibration_sentence_write(sc_output *output, const scrim_calibration *found,
                                   const sc_terminal *terminal)
{
    size_t begin = sc_fold_begin(output);
    sc_output_format(output, "in words    with %s=%s ", found->parameter, found->value);
    if (found->count == 1)
        sc_output_text(output, "one release costs ");
    else
        sc_output_format(output, "%" PRIu64 " %s cost together ", found->count,
                         releases(found->count));
    sc_cost_write(output, &found->joint);
    if (found->certificate.form != SCRIM_CERTIFICATE_NONE) {
        sc_output_text(output, found->count == 1 ? ", and " : ", and in one of them ");
        write_certificate(output, found);
    }
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, terminal->columns);
}

void sc_calibration_write(sc_output *output, const scrim_calibration *found,
                          sc_format format, const sc_terminal *terminal)
{
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        write_table(output, found, terminal->columns);
        sc_calibration_sentence_write(output, found, terminal);
        break;
    case SCRIM_FORMAT_CSV:
        write_csv(output, found);
        break;
    case SCRIM_FORMAT_JSON:
    case SCRIM_FORMAT_JSONL:
        write_json(output, found);
        break;
    }
}

#define COLUMNS 9
#define ROWS (SCRIM_SIZES_ROWS + 2) /* and anybody, and a public universe */
#define CELL_BYTES 40

/* A row of text. Of each mechanism the sizes, the threshold, and what its delta is made of. */
typedef struct sheet {
    char text[ROWS][COLUMNS][CELL_BYTES];
    const char *cells[ROWS * COLUMNS];
    size_t rows;
} sheet;

static void put_number(uint64_t number, char *out)
{
    out[0] = '\0';
    if (number > 0)
        (void)snprintf(out, CELL_BYTES, "%" PRIu64, number);
}

static void put_bound(double bound, bool is_exact, char out[CELL_BYTES])
{
    if (is_exact)
        sc_bound_format_exact(bound, out);
    else
        sc_bound_format(bound, true, out);
}

static char (*new_row(sheet *s, const char *name))[CELL_BYTES]
{
    char(*row)[CELL_BYTES] = s->text[s->rows++];
    (void)snprintf(row[0], CELL_BYTES, "%s", name);
    return row;
}

static void put_sizes(char (*row)[CELL_BYTES], const scrim_group_sizes *kept)
{
    put_number(kept->half, row[1]);
    put_number(kept->likely, row[2]);
    put_number(kept->certain, row[3]);
}

/* Numbers have all digits for programs, and five for people. */
static void fill(sheet *s, const scrim_sizes_report *report, bool is_exact)
{
    s->rows = 0;
    for (size_t i = 0; i < report->count; i++) {
        const scrim_sizes_row *from = &report->rows[i];
        char(*row)[CELL_BYTES] = new_row(s, from->name);
        if (!from->is_possible)
            continue;
        put_sizes(row, &from->kept);
        put_bound(from->delta_upper, is_exact, row[5]);
        if (!from->has_threshold)
            continue;
        put_number((uint64_t)from->facts.threshold, row[4]);
        put_bound(from->facts.new_groups_upper, is_exact, row[6]);
        put_bound(from->facts.noise_upper, is_exact, row[7]);
        put_bound(from->facts.added_upper, is_exact, row[8]);
    }
    put_sizes(new_row(s, "any, at least"), &report->least);
    if (report->has_universe)
        put_number(report->universe.threshold, new_row(s, "public keys")[4]);
    for (size_t i = 0; i < s->rows * COLUMNS; i++)
        s->cells[i] = s->text[i / COLUMNS][i % COLUMNS];
}

/* Programs. */

/* All but texts are numbers, or null if they are missing. */
static const sc_listing_column columns[COLUMNS] = {
    {.name = "mechanism"},
    {"half", SC_KIND_NUMBER | SC_NULLABLE},
    {"likely", SC_KIND_NUMBER | SC_NULLABLE},
    {"certain", SC_KIND_NUMBER | SC_NULLABLE},
    {"threshold", SC_KIND_NUMBER | SC_NULLABLE},
    {"delta", SC_KIND_WORD | SC_NULLABLE},
    {"new_groups", SC_KIND_WORD | SC_NULLABLE},
    {"noise", SC_KIND_WORD | SC_NULLABLE},
    {"added", SC_KIND_WORD | SC_NULLABLE}};

static scrim_status sizes_write_csv(sc_output *output, const sheet *s, scrim_error *error)
{
    sc_listing listing = SC_LISTING(columns, output, SCRIM_FORMAT_CSV, NULL);
    for (size_t i = 0; i < s->rows; i++)
        sc_listing_add(&listing, s->cells + i * COLUMNS);
    return sc_listing_close(&listing, SCRIM_OK, error);
}

static void write_universe(sc_json *json, const scrim_sizes_report *report, uint64_t keys)
{
    char count[24];
    if (!report->has_universe) {
        sc_json_word(json, "universe", "null");
        return;
    }
    snprintf(count, sizeof count, "%" PRIu64, keys);
    sc_json_object(json, "universe");
    sc_json_text(json, "keys", count);
    sc_json_double(json, "nonzero", report->universe.nonzero_upper);
    sc_json_double(json, "positive", report->universe.positive_upper);
    sc_json_count(json, "threshold", report->universe.threshold);
    sc_json_double(json, "formula", report->universe.formula_upper);
    sc_json_end(json);
}

static void sizes_write_json(sc_output *output, const scrim_sizes_report *report,
                             const sheet *s, uint64_t keys)
{
    sc_json json;
    sc_json_init(&json, output);
    sc_json_object(&json, NULL);
    sc_json_text(&json, "measurement", report->text);
    sc_cost_json(&json, "cost", &report->cost);
    sc_json_text(&json, "confidence", report->confidence);
    sc_json_array(&json, "rows");
    for (size_t i = 0; i < report->count; i++)
        sc_listing_json_row(&json, NULL, columns, COLUMNS, s->cells + i * COLUMNS);
    sc_json_end(&json);
    sc_listing_json_row(&json, "least", columns + 1, 3,
                        s->cells + report->count * COLUMNS + 1);
    write_universe(&json, report, keys);
    sc_json_end(&json);
}

/* For people. */

/* The threshold is the size of the half; the two parts of what is added are for programs. */
static scrim_status write_box(sc_output *output, const scrim_sizes_report *report,
                              const sheet *s, const sc_terminal *terminal,
                              scrim_error *error)
{
    const sc_listing_column shown[] = {
        {.name = "kept by"}, {.name = "half"},  {.name = report->confidence},
        {.name = "always"},  {.name = "delta"}, {.name = "deltas added"}};
    sc_listing box = SC_LISTING(shown, output, SCRIM_FORMAT_TABLE, terminal);
    for (size_t i = 0; i <= report->count; i++) {
        const char *const *from = s->cells + i * COLUMNS;
        sc_listing_add(
            &box, (const char *[]){from[0], from[1], from[2], from[3], from[5], from[8]});
    }
    return sc_listing_close(&box, SCRIM_OK, error);
}

static void write_public(sc_output *output, const scrim_sizes_report *report,
                         uint64_t keys, const sc_terminal *terminal)
{
    const size_t begin = sc_fold_begin(output);
    char positive[SC_BOUND_BYTES], formula[SC_BOUND_BYTES];
    sc_bound_format(100 * report->universe.positive_upper, true, positive);
    sc_bound_format(report->universe.formula_upper, true, formula);
    sc_output_format(output,
                     "public keys were all %" PRIu64
                     " of them public, no key would be a secret; noise of that epsilon "
                     "makes %s %% of those that are empty positive, and none of them "
                     "reaches %" PRIu64 " with probability %s (the formula ln(keys / "
                     "beta) / epsilon: %s)\n",
                     keys, positive, report->universe.threshold, report->confidence,
                     formula);
    sc_fold_end(output, begin, terminal->columns);
}

void sc_sizes_sentence_write(sc_output *output, const scrim_sizes_report *report,
                             const sc_terminal *terminal)
{
    const size_t begin = sc_fold_begin(output);
    const scrim_sizes_row *first = &report->rows[0], *best = first;
    for (size_t i = 1; i < report->count; i++)
        if (report->rows[i].is_possible && report->rows[i].kept.half < best->kept.half)
            best = &report->rows[i];
    sc_output_format(output,
                     "in words    %s publishes a key of %" PRIu64
                     " unit%s half the time, and one of %" PRIu64
                     " with probability %s; ",
                     first->name, first->kept.half, first->kept.half == 1 ? "" : "s",
                     first->kept.likely, report->confidence);
    if (best != first)
        sc_output_format(output, "%s needs %" PRIu64 " for the half; ", best->name,
                         best->kept.half);
    sc_output_format(output,
                     "whatever mechanism has this epsilon and delta needs %" PRIu64
                     " for it at least\n",
                     report->least.half);
    sc_fold_end(output, begin, terminal->columns);
}

static scrim_status sizes_write_table(sc_output *output, const scrim_sizes_report *report,
                                      const sheet *s, uint64_t keys,
                                      const sc_terminal *terminal, scrim_error *error)
{
    sc_fold_line(output, "asked", report->text, terminal->columns);
    sc_output_text(output, "cost        ");
    sc_cost_write(output, &report->cost);
    sc_output_format(
        output,
        "; neighbours %s\nsizes       the units that a group must have to be "
        "kept so often\n",
        scrim_neighbours_name(report->cost.neighbours));
    const scrim_status status = write_box(output, report, s, terminal, error);
    if (report->has_universe)
        write_public(output, report, keys, terminal);
    sc_sizes_sentence_write(output, report, terminal);
    return status;
}

scrim_status sc_sizes_write(sc_output *output, const scrim_sizes_report *report,
                            uint64_t keys, sc_format format, const sc_terminal *terminal,
                            scrim_error *error)
{
    sheet s = {.rows = 0};
    fill(&s, report, format != SCRIM_FORMAT_TABLE);
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        return sizes_write_table(output, report, &s, keys, terminal, error);
    case SCRIM_FORMAT_CSV:
        return sizes_write_csv(output, &s, error);
    case SCRIM_FORMAT_JSON:
    case SCRIM_FORMAT_JSONL:
        sizes_write_json(output, report, &s, keys);
        break;
    }
    return SCRIM_OK;
}
