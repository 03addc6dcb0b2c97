#include "cli/series/series_writer.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/result_writer.h"
#include "cli/answer/series_place.h"
#include "cli/display/notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Rows. */

enum { LEAD = 5, TABLE_LEAD = 2 };

static scrim_status make_rows(const sc_series_sheet *sheet, bool is_table,
                              sc_result_rows *out, scrim_error *error)
{
    static const sc_listing_column exact[LEAD] = {{"release", SC_KIND_WORD},
                                                  {"from", SC_KIND_TEXT | SC_OPTIONAL},
                                                  {"to", SC_KIND_TEXT | SC_OPTIONAL},
                                                  {"version", SC_KIND_WORD},
                                                  {"entry", SC_KIND_WORD}};
    const char *window = sheet->facts.window;
    const sc_listing_column brief[TABLE_LEAD] = {
        {.name = "release"}, {.name = window[0] == '\0' ? "of" : window}};
    const sc_listing_column *lead = is_table ? brief : exact;
    const size_t count = is_table ? TABLE_LEAD : LEAD;
    if (sheet->count > 0)
        return sc_result_rows_init(out, lead, count, sheet->results[0], 0, error);
    if (sheet->plan != NULL && !is_table)
        return sc_result_rows_init_plan(out, lead, count, sheet->plan, error);
    return sc_result_rows_init(out, lead, count, NULL, 0, error);
}

static void add_release(sc_listing *listing, sc_result_rows *rows,
                        const scrim_series_step *step, const scrim_result *result)
{
    char number[24], version[24], entry[24], window[SC_SERIES_WINDOW_BYTES];
    const bool is_table = listing->format == SCRIM_FORMAT_TABLE;
    snprintf(number, sizeof number, "%" PRIu64, step->number);
    snprintf(version, sizeof version, "%" PRIu64, step->version);
    snprintf(entry, sizeof entry, "%" PRIu64, step->release);
    sc_series_window_name(step, window);
    const char *const exact[LEAD] = {number, step->low, step->high, version, entry};
    const char *const brief[TABLE_LEAD] = {number, window};
    memcpy(rows->cells, is_table ? brief : exact, is_table ? sizeof brief : sizeof exact);
    for (size_t row = 0; row < scrim_result_rows(result, 0); row++)
        sc_result_rows_add(rows, listing, result, 0, row);
}

static void write_facts_json(sc_json *json, const sc_series_sheet *sheet,
                             const scrim_series_forecast *f)
{
    const scrim_series_facts *facts = &sheet->facts;
    sc_json_text(json, "series", facts->name);
    sc_json_text(json, "dataset", facts->dataset);
    sc_json_text(json, "query", facts->query);
    sc_json_text(json, "epsilon", facts->epsilon);
    sc_json_text(json, "delta", facts->delta);
    sc_json_text_if_any(json, "window", facts->window);
    sc_json_text_if_any(json, "known_keys", facts->known_keys);
    sc_json_count(json, "releases", facts->releases);
    sc_json_count(json, "made", facts->made);
    sc_json_truth(json, "parallel", facts->is_parallel);
    sc_json_truth(json, "running", facts->is_running);
    sc_json_object(json, "cost");
    sc_json_text(json, "unit", facts->unit);
    sc_json_text(json, "spent", facts->spent);
    sc_json_text(json, "spent_delta", facts->spent_delta);
    if (f != NULL) {
        sc_json_text(json, "to_come", f->total);
        sc_json_text(json, "to_come_delta", f->total_delta);
        sc_json_text(json, "left", f->left);
        sc_json_text(json, "left_delta", f->left_delta);
        sc_remainder_json(json, &f->remainder);
        if (f->pending > 0)
            sc_json_count(json, "pending", f->pending);
    }
    sc_json_end(json);
}

scrim_status sc_series_write(sc_output *output, const sc_series_sheet *sheet,
                             const scrim_series_forecast *forecast, sc_format format,
                             const sc_terminal *terminal, scrim_error *error)
{
    sc_listing listing = {.output = output, .format = format, .terminal = terminal};
    sc_result_rows rows;
    scrim_status status = make_rows(sheet, format == SCRIM_FORMAT_TABLE, &rows, error);
    if (status != SCRIM_OK)
        return status;
    listing.columns = rows.columns;
    listing.column_count = rows.column_count;
    sc_json *json = sc_listing_open(&listing);
    if (json != NULL)
        write_facts_json(json, sheet, forecast);
    for (size_t i = 0; i < sheet->count; i++)
        add_release(&listing, &rows, &sheet->steps[i], sheet->results[i]);
    status = sc_listing_close(&listing, SCRIM_OK, error);
    sc_result_rows_clear(&rows);
    return status;
}

/* Words. */

static void write_numbers(sc_output *output, const char *unit, const char *amount,
                          const char *delta)
{
    char shown[SC_BOUND_BYTES], shown_delta[SC_BOUND_BYTES];
    sc_number_format_upper(amount, shown);
    sc_number_format_upper(delta, shown_delta);
    sc_output_format(output, "%s %s, delta %s", unit, shown, shown_delta);
}

/* Private keys need a delta; the plan knows of keys that are public nevertheless. */
static bool has_private_keys(const sc_series_sheet *sheet)
{
    scrim_plan_statement statement;
    if (sheet->facts.known_keys[0] == '\0' || strcmp(sheet->facts.delta, "0") == 0)
        return false;
    return sheet->plan == NULL ||
           scrim_plan_statement_at(sheet->plan, 0, &statement, NULL) != SCRIM_OK ||
           strcmp(statement.keys, "public") != 0;
}

static void write_facts(sc_output *output, const sc_series_sheet *sheet)
{
    const scrim_series_facts *facts = &sheet->facts;
    sc_output_format(output,
                     "series      %s of %s: %" PRIu64 " of %" PRIu64 " releases made, ",
                     facts->name, facts->dataset, facts->made, facts->releases);
    if (facts->window[0] == '\0')
        sc_output_text(output, "one per version\n");
    else
        sc_output_format(output, "one per window of %.128s%s\n", facts->window,
                         facts->is_running ? ", each the total of all so far" : "");
    sc_output_text(output, "query       ");
    sc_output_text(output, facts->query);
    sc_output_text(output, "\n");
    if (has_private_keys(sheet))
        sc_output_format(
            output, "keys        %s\n",
            strcmp(facts->known_keys, "continue") == 0
                ? "private keys become public once shown, and are shown from then on"
                : "private keys are selected anew in each release");
    sc_output_text(output, "spent       ");
    write_numbers(output, facts->unit, facts->spent, facts->spent_delta);
    sc_output_text(output, facts->is_parallel ? " (parallel composition: the most "
                                                "expensive window of each version)\n"
                                              : "\n");
}

static void write_to_come(sc_output *output, const scrim_series_forecast *f)
{
    char left[SC_BOUND_BYTES], left_delta[SC_BOUND_BYTES], rest[SC_REMAINDER_BYTES];
    sc_number_format_lower(f->left, left);
    sc_number_format_lower(f->left_delta, left_delta);
    sc_output_text(output, "to come     ");
    write_numbers(output, f->unit, f->total, f->total_delta);
    sc_output_format(output, " for %" PRIu64 " release%s, of %s and %s that are left%s\n",
                     f->remaining, f->remaining == 1 ? "" : "s", left, left_delta,
                     f->fits ? "" : ": not enough");
    if (sc_remainder_format(f->unit, &f->remainder, rest))
        sc_output_format(output, "left        %s\n", rest);
    if (f->pending > 0)
        sc_output_format(output,
                         "pending     release %" PRIu64
                         " is charged for the next one and "
                         "has no answer yet: asking again is free\n",
                         f->pending);
}

void sc_series_talk(sc_output *output, const sc_series_sheet *sheet,
                    const scrim_series_forecast *forecast, const char *vault,
                    unsigned columns)
{
    char where[SC_VAULT_WORDS_BYTES];
    const size_t begin = sc_fold_begin(output);
    write_facts(output, sheet);
    if (forecast != NULL)
        write_to_come(output, forecast);
    sc_vault_words(vault, where);
    if (sheet->count > 0)
        sc_series_next_talk(output, &sheet->facts, sheet->steps[sheet->count - 1].version,
                            where);
    sc_fold_end(output, begin, columns);
}
