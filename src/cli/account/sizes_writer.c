#include "cli/account/sizes_writer.h"

#include "cli/answer/release_note.h"
#include "cli/terminal/box.h"
#include "cli/terminal/fold.h"
#include "cli/terminal/number_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* With all digits for programs, with five for people. */
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

/* CSV and JSON. */

static const char *const columns[COLUMNS] = {"mechanism",  "half",      "likely",
                                             "certain",    "threshold", "delta",
                                             "new_groups", "noise",     "added"};

static void write_csv(sc_output *output, const sheet *s, const sc_terminal *terminal)
{
    sc_box_write(output, &(sc_box){columns, COLUMNS, s->cells, s->rows}, SCRIM_FORMAT_CSV,
                 terminal);
}

/* {"mechanism": "...", "half": 12, ...} of the first so many columns. */
static void write_object(sc_output *output, const char *const *cells, size_t from,
                         size_t count)
{
    for (size_t i = from; i < count; i++) {
        sc_output_format(output, "%s\"%s\": ", i == from ? "{" : ", ", columns[i]);
        if (i == 0)
            sc_output_json_text(output, cells[i]);
        else if (i < 5 && cells[i][0] != '\0')
            sc_output_json_number(output, cells[i]);
        else
            sc_output_text(output, cells[i][0] == '\0' ? "null" : cells[i]);
    }
    sc_output_text(output, "}");
}

static void write_universe(sc_output *output, const scrim_sizes_report *report,
                           uint64_t keys)
{
    char nonzero[SC_BOUND_BYTES], positive[SC_BOUND_BYTES], formula[SC_BOUND_BYTES];
    if (!report->has_universe) {
        sc_output_text(output, "null");
        return;
    }
    sc_bound_format_exact(report->universe.nonzero_upper, nonzero);
    sc_bound_format_exact(report->universe.positive_upper, positive);
    sc_bound_format_exact(report->universe.formula_upper, formula);
    sc_output_format(output,
                     "{\"keys\": \"%" PRIu64 "\", \"nonzero\": %s, \"positive\": %s, "
                     "\"threshold\": %" PRIu64 ", \"formula\": %s}",
                     keys, nonzero, positive, report->universe.threshold, formula);
}

static void write_json(sc_output *output, const scrim_sizes_report *report,
                       const sheet *s, uint64_t keys)
{
    sc_output_text(output, "{\"measurement\": ");
    sc_output_json_text(output, report->text);
    sc_output_text(output, ", \"cost\": ");
    sc_cost_json_write(output, &report->cost);
    sc_output_text(output, ", \"confidence\": ");
    sc_output_json_text(output, report->confidence);
    sc_output_text(output, ", \"rows\": [");
    for (size_t i = 0; i < report->count; i++) {
        sc_output_text(output, i == 0 ? "" : ", ");
        write_object(output, s->cells + i * COLUMNS, 0, COLUMNS);
    }
    sc_output_text(output, "], \"least\": ");
    write_object(output, s->cells + report->count * COLUMNS, 1, 4);
    sc_output_text(output, ", \"universe\": ");
    write_universe(output, report, keys);
    sc_output_text(output, "}\n");
}

/* For people. */

static void write_box(sc_output *output, const scrim_sizes_report *report, const sheet *s,
                      const sc_terminal *terminal)
{
    char likely[SCRIM_NUMBER_BYTES + 8];
    (void)snprintf(likely, sizeof likely, "%s", report->confidence);
    /* The threshold is the size of the half; the two parts of what is added are for programs. */
    enum { SHOWN = 6 };
    static const size_t taken[SHOWN] = {0, 1, 2, 3, 5, 8};
    const char *const names[SHOWN] = {"kept by", "half",  likely,
                                      "always",  "delta", "deltas added"};
    const char *cells[ROWS * SHOWN];
    const size_t rows = report->count + 1;
    for (size_t i = 0; i < rows * SHOWN; i++)
        cells[i] = s->cells[i / SHOWN * COLUMNS + taken[i % SHOWN]];
    sc_box_write(output, &(sc_box){names, SHOWN, cells, rows}, SCRIM_FORMAT_TABLE,
                 terminal);
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

static void write_table(sc_output *output, const scrim_sizes_report *report,
                        const sheet *s, uint64_t keys, const sc_terminal *terminal)
{
    sc_fold_line(output, "asked", report->text, terminal->columns);
    sc_output_text(output, "cost        ");
    sc_cost_write(output, &report->cost);
    sc_output_format(
        output,
        "; neighbours %s\nsizes       the units that a group must have to be "
        "kept so often\n",
        scrim_neighbours_name(report->cost.neighbours));
    write_box(output, report, s, terminal);
    if (report->has_universe)
        write_public(output, report, keys, terminal);
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

void sc_sizes_write(sc_output *output, const scrim_sizes_report *report, uint64_t keys,
                    sc_format format, const sc_terminal *terminal)
{
    sheet s = {.rows = 0};
    fill(&s, report, format != SCRIM_FORMAT_TABLE);
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        write_table(output, report, &s, keys, terminal);
        sc_sizes_sentence_write(output, report, terminal);
        break;
    case SCRIM_FORMAT_CSV:
        write_csv(output, &s, terminal);
        break;
    case SCRIM_FORMAT_JSON:
    case SCRIM_FORMAT_JSONL:
        write_json(output, report, &s, keys);
        break;
    }
}
