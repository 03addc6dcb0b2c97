#include "cli/account/audit_writer.h"

#include "cli/answer/release_note.h"
#include "cli/sheet/fold.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A table shows about so many points of the curve, and of a number where they stand so many
 * characters. */
#define POINTS_SHOWN 10
#define AT_CHARS 9

/* Programs. */

static const sc_listing_column exact_columns[] = {
    {.name = "quantity"},
    {"at", SC_OPTIONAL},
    {"lower", SC_KIND_BOUND},
    {"upper", SC_KIND_BOUND | SC_NULLABLE},
    {"claimed", SC_KIND_BOUND | SC_NULLABLE},
    {.name = "verdict"},
    {.name = "pair"}};

sc_json *sc_audit_rows_open(sc_listing *listing, sc_output *output, sc_format format)
{
    *listing = (sc_listing)SC_LISTING(exact_columns, output, format, NULL);
    return sc_listing_open(listing);
}

/* "" where there is none. */
static void format_bound(double bound, bool has_bound, char text[SC_BOUND_BYTES])
{
    text[0] = '\0';
    if (has_bound)
        sc_bound_format_exact(bound, text);
}

void sc_audit_row_add(sc_listing *listing, const sc_audit_row *row)
{
    char lower[SC_BOUND_BYTES], upper[SC_BOUND_BYTES], claimed[SC_BOUND_BYTES];
    format_bound(row->lower, true, lower);
    format_bound(row->upper, !row->has_no_upper, upper);
    format_bound(row->claimed, isfinite(row->claimed), claimed);
    sc_listing_add(listing,
                   (const char *[]){row->quantity, row->at, lower, upper, claimed,
                                    scrim_audit_verdict_name(row->verdict), row->pair});
}

static void write_facts_json(sc_json *json, const scrim_audit_report *report)
{
    scrim_cost cost;
    scrim_audit_loss loss;
    scrim_audit_report_cost(report, &cost);
    scrim_audit_report_loss(report, &loss);
    sc_json_text(json, "measurement", scrim_audit_report_text(report));
    sc_json_text(json, "verdict",
                 scrim_audit_verdict_name(scrim_audit_report_verdict(report)));
    sc_json_text(json, "summary", scrim_audit_report_summary(report));
    sc_json_truth(json, "tight", scrim_audit_report_is_tight(report));
    sc_cost_json(json, "cost", &cost);
    sc_json_count(json, "pairs", scrim_audit_report_pairs(report));
    sc_json_count(json, "outcomes", scrim_audit_report_outcomes(report));
    sc_json_double(json, "unlisted", loss.unlisted_upper);
    sc_json_text(json, "worst_pair", scrim_audit_report_worst_pair(report));
}

static scrim_status write_rows(sc_output *output, const scrim_audit_report *report,
                               sc_format format, scrim_error *error)
{
    sc_listing listing;
    sc_audit_row row = {.quantity = ""};
    sc_json *json = sc_audit_rows_open(&listing, output, format);
    if (json != NULL)
        write_facts_json(json, report);
    for (size_t i = 0; i < sc_audit_row_count(report); i++) {
        sc_audit_row_get(report, i, &row);
        sc_audit_row_add(&listing, &row);
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

/* A table. */

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

/* Exact where that is short, else to five digits and upwards, as a cost is shown. Does it round? */
static bool format_at(const char *at, char cell[SCRIM_NUMBER_BYTES])
{
    const bool rounds = strchr(at, '/') != NULL || strlen(at) > AT_CHARS;
    if (rounds)
        sc_bound_format(sc_number_view(at), true, cell);
    else
        snprintf(cell, SCRIM_NUMBER_BYTES, "%s", at);
    return rounds;
}

/* True when the row stands at a number that was rounded. */
static bool add_row(sc_listing *box, const sc_audit_row *row)
{
    char at[SCRIM_NUMBER_BYTES], lower[SC_BOUND_BYTES], upper[SC_BOUND_BYTES];
    char claimed[SC_BOUND_BYTES];
    const bool rounds = format_at(row->at, at);
    sc_bound_format(row->lower, false, lower);
    sc_bound_format(row->upper, true, upper);
    sc_bound_format(row->claimed, true, claimed);
    sc_listing_add(box, (const char *[]){words_of(row->quantity), at, lower, upper,
                                         isfinite(row->claimed) ? claimed : "nothing",
                                         scrim_audit_verdict_name(row->verdict)});
    return rounds;
}

static scrim_status write_box(sc_output *output, const scrim_audit_report *report,
                              bool all, const sc_terminal *terminal, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "what"},    {.name = "at"},      {.name = "at least"},
        {.name = "at most"}, {.name = "claimed"}, {.name = "verdict"}};
    sc_listing box = SC_LISTING(columns, output, SCRIM_FORMAT_TABLE, terminal);
    sc_audit_row row = {.quantity = ""};
    bool rounds = false;
    for (size_t i = 0; i < sc_audit_row_count(report); i++) {
        if (!is_shown(report, i, all))
            continue;
        sc_audit_row_get(report, i, &row);
        rounds = add_row(&box, &row) || rounds;
    }
    SC_TRY(sc_listing_close(&box, SCRIM_OK, error));
    if (rounds)
        sc_output_text(output, "at          rounded up; CSV and JSON are exact\n");
    return SCRIM_OK;
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
                     "; neighbours %s\nchecked     %" PRIu64
                     " %s of neighbouring inputs in both directions, up to %" PRIu64
                     " outcomes each\n",
                     scrim_neighbours_name(cost.neighbours),
                     scrim_audit_report_pairs(report),
                     scrim_audit_report_pairs(report) == 1 ? "pair" : "pairs",
                     scrim_audit_report_outcomes(report));
    if (loss.unlisted_upper > 0)
        sc_output_format(output,
                         "truncated   outcomes with a total probability of %.2g\n",
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
        sc_output_text(output, " and is tight");
    sc_output_text(output, ": ");
    sc_output_text(output, scrim_audit_report_summary(report));
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, columns);
}

scrim_status sc_audit_write(sc_output *output, const scrim_audit_report *report,
                            sc_format format, bool all, const sc_terminal *terminal,
                            scrim_error *error)
{
    if (format != SCRIM_FORMAT_TABLE)
        return write_rows(output, report, format, error);
    write_heading(output, report, terminal->columns);
    const scrim_status status = write_box(output, report, all, terminal, error);
    sc_audit_verdict_write(output, report, terminal->columns);
    return status;
}
