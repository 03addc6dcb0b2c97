#include "cli/account/audit_writer.h"

#include "cli/answer/release_note.h"
#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/fold.h"
#include "cli/terminal/number_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A table shows about so many points of the curve, and of a number where they stand so many
 * characters. */
#define POINTS_SHOWN 10
#define AT_CHARS 9

/* CSV. */

/* Nothing where nothing is claimed. */
static void format_claim(double claimed, char text[SC_BOUND_BYTES])
{
    if (isfinite(claimed))
        sc_bound_format_exact(claimed, text);
    else
        text[0] = '\0';
}

static void write_csv(sc_output *output, const scrim_audit_report *report)
{
    char lower[SC_BOUND_BYTES], upper[SC_BOUND_BYTES], claimed[SC_BOUND_BYTES];
    sc_output_text(output, "quantity,at,lower,upper,claimed,verdict,pair\n");
    for (size_t i = 0; i < sc_audit_row_count(report); i++) {
        sc_audit_row row;
        sc_audit_row_get(report, i, &row);
        sc_bound_format_exact(row.lower, lower);
        sc_bound_format_exact(row.upper, upper);
        format_claim(row.claimed, claimed);
        sc_output_format(output, "%s,%s,%s,%s,%s,%s,", row.quantity, row.at, lower, upper,
                         claimed, scrim_audit_verdict_name(row.verdict));
        sc_output_csv_text(output, row.pair);
        sc_output_text(output, "\n");
    }
}

/* JSON. */

/* A number, null for no claim, or a string for what is infinite. */
static void write_json_bound(sc_output *output, const char *name, double value,
                             bool is_claim)
{
    char text[SC_BOUND_BYTES];
    sc_bound_format_exact(value, text);
    sc_output_format(output, ", \"%s\": %s", name,
                     isfinite(value) ? text
                     : is_claim      ? "null"
                                     : "\"inf\"");
}

static void write_json_row(sc_output *output, const scrim_audit_report *report,
                           size_t index)
{
    sc_audit_row row;
    sc_audit_row_get(report, index, &row);
    sc_output_format(output, "{\"quantity\": \"%s\"", row.quantity);
    if (row.at[0] != '\0')
        sc_output_format(output, ", \"at\": \"%s\"", row.at);
    write_json_bound(output, "lower", row.lower, false);
    write_json_bound(output, "upper", row.upper, false);
    write_json_bound(output, "claimed", row.claimed, true);
    sc_output_format(output, ", \"verdict\": \"%s\", \"pair\": ",
                     scrim_audit_verdict_name(row.verdict));
    sc_output_json_text(output, row.pair);
    sc_output_text(output, "}");
}

static void write_json_rows(sc_output *output, const scrim_audit_report *report,
                            const char *between, const char *after)
{
    size_t count = sc_audit_row_count(report);
    for (size_t i = 0; i < count; i++) {
        write_json_row(output, report, i);
        sc_output_text(output, i + 1 < count ? between : after);
    }
}

static void write_json(sc_output *output, const scrim_audit_report *report)
{
    scrim_cost cost;
    scrim_audit_loss loss;
    scrim_audit_report_cost(report, &cost);
    scrim_audit_report_loss(report, &loss);
    sc_output_text(output, "{\"measurement\": ");
    sc_output_json_text(output, scrim_audit_report_text(report));
    sc_output_format(output, ", \"verdict\": \"%s\", \"summary\": ",
                     scrim_audit_verdict_name(scrim_audit_report_verdict(report)));
    sc_output_json_text(output, scrim_audit_report_summary(report));
    sc_output_format(output, ", \"tight\": %s, \"cost\": ",
                     scrim_audit_report_is_tight(report) ? "true" : "false");
    sc_cost_json_write(output, &cost);
    sc_output_format(output, ", \"pairs\": %" PRIu64 ", \"outcomes\": %" PRIu64,
                     scrim_audit_report_pairs(report),
                     scrim_audit_report_outcomes(report));
    write_json_bound(output, "unlisted", loss.unlisted_upper, false);
    sc_output_text(output, ", \"worst_pair\": ");
    sc_output_json_text(output, scrim_audit_report_worst_pair(report));
    sc_output_text(output, ", \"rows\": [\n");
    write_json_rows(output, report, ",\n", "\n");
    sc_output_text(output, "]}\n");
}

/* A table. */

enum { COLUMNS = 6, CELL_BYTES = SCRIM_NUMBER_BYTES };

/* Before the number of its own column, the epsilon or the order. */
static const char *words_of(const char *quantity)
{
    static const struct {
        const char *quantity, *words;
    } names[] = {{"delta", "delta"}, {"charged", "charged"}, {"renyi", "Renyi order"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].quantity, quantity) == 0)
            return names[i].words;
    return "loss";
}

static bool is_shown(const scrim_audit_report *report, size_t index, bool all)
{
    size_t points = scrim_audit_report_points(report);
    size_t every = (points + POINTS_SHOWN - 1) / POINTS_SHOWN;
    sc_audit_row row;
    if (all || index >= points || index % every == 0 || index + 1 == points)
        return true;
    sc_audit_row_get(report, index, &row);
    return row.verdict != SCRIM_AUDIT_HOLDS && row.verdict != SCRIM_AUDIT_WATCHED;
}

/* Exact where that is short, else to five digits and upwards, as a cost is shown. */
static bool format_at(const char *at, char cell[CELL_BYTES])
{
    const bool rounds = strchr(at, '/') != NULL || strlen(at) > AT_CHARS;
    if (rounds)
        sc_bound_format(sc_number_view(at), true, cell);
    else
        snprintf(cell, CELL_BYTES, "%s", at);
    return rounds;
}

/* True when the row stands at a number that was rounded. */
static bool fill_cells(const sc_audit_row *row, char cells[COLUMNS][CELL_BYTES])
{
    snprintf(cells[0], CELL_BYTES, "%s", words_of(row->quantity));
    const bool rounds = format_at(row->at, cells[1]);
    sc_bound_format(row->lower, false, cells[2]);
    sc_bound_format(row->upper, true, cells[3]);
    if (isfinite(row->claimed))
        sc_bound_format(row->claimed, true, cells[4]);
    else
        snprintf(cells[4], CELL_BYTES, "nothing");
    snprintf(cells[5], CELL_BYTES, "%s", scrim_audit_verdict_name(row->verdict));
    return rounds;
}

static scrim_status write_box(sc_output *output, const scrim_audit_report *report,
                              bool all, const sc_terminal *terminal, scrim_error *error)
{
    static const char *const columns[COLUMNS] = {"what",    "at",      "at least",
                                                 "at most", "claimed", "verdict"};
    size_t count = sc_audit_row_count(report), shown = 0;
    bool rounds = false;
    char(*texts)[COLUMNS][CELL_BYTES] = calloc(count, sizeof *texts);
    const char **cells = calloc(count * COLUMNS, sizeof *cells);
    if (texts != NULL && cells != NULL) {
        for (size_t i = 0; i < count; i++) {
            sc_audit_row row;
            if (!is_shown(report, i, all))
                continue;
            sc_audit_row_get(report, i, &row);
            rounds = fill_cells(&row, texts[shown]) || rounds;
            for (size_t column = 0; column < COLUMNS; column++)
                cells[shown * COLUMNS + column] = texts[shown][column];
            shown++;
        }
        sc_box box = {columns, COLUMNS, cells, shown};
        sc_box_write(output, &box, SCRIM_FORMAT_TABLE, terminal);
        if (rounds)
            sc_output_text(output, "at          rounded up; CSV and JSON are exact\n");
    }
    bool written = texts != NULL && cells != NULL;
    free(cells);
    free(texts);
    return written ? SCRIM_OK
                   : sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the table");
}

static void write_heading(sc_output *output, const scrim_audit_report *report,
                          size_t columns)
{
    scrim_cost cost;
    scrim_audit_loss loss;
    scrim_audit_report_cost(report, &cost);
    scrim_audit_report_loss(report, &loss);
    sc_fold_line(output, "audited", scrim_audit_report_text(report), columns);
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output, "claim       ");
    sc_cost_write(output, &cost);
    sc_output_format(output,
                     "; neighbours %s\nlooked at   %" PRIu64
                     " %s of neighbours, both ways, laws of up to %" PRIu64 " outcomes\n",
                     scrim_neighbours_name(cost.neighbours),
                     scrim_audit_report_pairs(report),
                     scrim_audit_report_pairs(report) == 1 ? "pair" : "pairs",
                     scrim_audit_report_outcomes(report));
    if (loss.unlisted_upper > 0)
        sc_output_format(output,
                         "not listed  outcomes of a probability of %.2g together\n",
                         loss.unlisted_upper);
    sc_output_text(output, "worst pair  ");
    sc_output_text(output, scrim_audit_report_worst_pair(report));
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, columns);
}

void sc_audit_verdict_write(sc_output *output, const scrim_audit_report *report,
                            size_t columns)
{
    scrim_audit_verdict verdict = scrim_audit_report_verdict(report);
    const char *word = verdict == SCRIM_AUDIT_HOLDS      ? "the claim holds"
                       : verdict == SCRIM_AUDIT_VIOLATED ? "the claim is VIOLATED"
                                                         : "UNDECIDED";
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output, "verdict     ");
    sc_output_text(output, word);
    if (verdict == SCRIM_AUDIT_HOLDS && scrim_audit_report_is_tight(report))
        sc_output_text(output, " and is attained");
    sc_output_text(output, ": ");
    sc_output_text(output, scrim_audit_report_summary(report));
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, columns);
}

scrim_status sc_audit_write(sc_output *output, const scrim_audit_report *report,
                            sc_format format, bool all, const sc_terminal *terminal,
                            scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        write_heading(output, report, terminal->columns);
        status = write_box(output, report, all, terminal, error);
        sc_audit_verdict_write(output, report, terminal->columns);
        break;
    case SCRIM_FORMAT_CSV:
        write_csv(output, report);
        break;
    case SCRIM_FORMAT_JSON:
        write_json(output, report);
        break;
    case SCRIM_FORMAT_JSONL:
        write_json_rows(output, report, "\n", "\n");
        break;
    }
    return status;
}
