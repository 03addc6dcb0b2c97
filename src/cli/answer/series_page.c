#include "cli/answer/series_page.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/plan_view.h"
#include "cli/answer/result_writer.h"
#include "cli/answer/series_sheet.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void add_exact(const scrim_series_facts *facts, sc_listing *page)
{
    char releases[24], made[24];
    snprintf(releases, sizeof releases, "%" PRIu64, facts->releases);
    snprintf(made, sizeof made, "%" PRIu64, facts->made);
    const char *const cells[] = {facts->name,       facts->dataset, facts->window,
                                 facts->known_keys, releases,       made,
                                 facts->unit,       facts->spent,   facts->spent_delta};
    sc_listing_add(page, cells);
}

static void add_short(const scrim_series_facts *facts, sc_listing *page)
{
    char made[64], amount[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    char spent[SC_BOUND_BYTES + 32];
    snprintf(made, sizeof made, "%" PRIu64 " of %" PRIu64, facts->made, facts->releases);
    sc_number_format_upper(facts->spent, amount);
    sc_number_format_upper(facts->spent_delta, delta);
    snprintf(spent, sizeof spent, "%.31s %s", facts->unit, amount);
    const char *const cells[] = {
        facts->name, facts->dataset, facts->window, facts->known_keys,
        made,        spent,          delta};
    sc_listing_add(page, cells);
}

static scrim_status add_series(scrim_vault *vault, const char *name, sc_listing *page,
                               scrim_error *error)
{
    SC_OWNED(scrim_series_free_at) scrim_series *series = NULL;
    scrim_series_facts facts;
    SC_TRY(scrim_series_read(vault, name, &series, error));
    scrim_series_describe(series, &facts);
    if (page->format == SCRIM_FORMAT_TABLE)
        add_short(&facts, page);
    else
        add_exact(&facts, page);
    return SCRIM_OK;
}

scrim_status sc_series_list_write(const sc_options *options, scrim_vault *vault,
                                  scrim_error *error)
{
    static const sc_listing_column exact[] = {
        {.name = "series"}, {.name = "dataset"},         {.name = "window"},
        {.name = "keys"},   {"planned", SC_KIND_NUMBER}, {"made", SC_KIND_NUMBER},
        {.name = "unit"},   {.name = "spent"},           {.name = "delta"}};
    static const sc_listing_column brief[] = {
        {.name = "series"}, {.name = "dataset"}, {.name = "window"}, {.name = "keys"},
        {.name = "made"},   {.name = "spent"},   {.name = "delta"}};
    sc_listing *page = NULL;
    char name[SCRIM_NAME_BYTES];
    scrim_status status =
        sc_page_new(options, exact, sizeof exact / sizeof *exact, &page, error);
    if (status != SCRIM_OK)
        return status;
    if (page->format == SCRIM_FORMAT_TABLE) {
        page->columns = brief;
        page->column_count = sizeof brief / sizeof *brief;
    }
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_series_name_at(vault, i, name, error);
        if (status == SCRIM_E_PARAM)
            return sc_page_end(page, SCRIM_OK, error);
        if (status == SCRIM_OK)
            status = add_series(vault, name, page, error);
    }
    return sc_page_end(page, status, error);
}

/* A row; of what is left numbers are rounded down, of costs up. */
typedef struct price_row {
    const char *what, *unit, *amount, *delta;
    bool is_left;
} price_row;

static void add_row(sc_listing *page, const price_row *row)
{
    const bool is_table = page->format == SCRIM_FORMAT_TABLE;
    char amount[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    void (*const format)(const char *, char *) =
        row->is_left ? sc_number_format_lower : sc_number_format_upper;
    format(row->amount, amount);
    format(row->delta, delta);
    const char *const cells[] = {row->what, row->unit, is_table ? amount : row->amount,
                                 is_table ? delta : row->delta};
    sc_listing_add(page, cells);
}

scrim_status sc_series_price_write(const scrim_series_forecast *f,
                                   const sc_options *options, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "cost"}, {.name = "unit"}, {.name = "amount"}, {.name = "delta"}};
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    char all[64];
    const scrim_remainder *share = &f->remainder;
    const bool is_shared = share->share[0] != '\0' || share->share_delta[0] != '\0';
    snprintf(all, sizeof all, "%" PRIu64 " release%s", f->remaining,
             f->remaining == 1 ? "" : "s");
    const price_row rows[] = {
        {"one release", f->unit, f->amount, f->delta, false},
        {all, f->unit, f->total, f->total_delta, false},
        {"jointly", "epsilon", f->joint, f->at_delta, false},
        {"left", f->unit, f->left, f->left_delta, true},
        {"left of your share", f->unit, share->share, share->share_delta, true},
        {"left of the whole budget", f->unit, is_shared ? share->whole : "",
         share->whole_delta, true},
    };
    SC_TRY(sc_page_new(options, columns, 4, &page, error));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].amount[0] != '\0')
            add_row(page, &rows[i]);
    return sc_page_write(page, error);
}

static const char *charges_of(const scrim_series_facts *facts)
{
    if (facts->is_running)
        return "charges     binary tree: each total is a sum of a few draws, and a row "
               "is "
               "in one draw of each size, so all totals of a version are charged once; "
               "those of a later version cost that once more\n";
    return facts->is_parallel ? "charges     parallel composition: each row of a version "
                                "is in one window, so all windows of a version cost as "
                                "much as the most expensive one; windows of a later "
                                "version cost that once more\n"
                              : "charges     one unit can be in all releases, so each "
                                "release is charged\n";
}

void sc_series_price_talk(sc_output *output, const scrim_series_facts *facts,
                          const scrim_series_step *first, const scrim_series_forecast *f,
                          unsigned columns)
{
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output, charges_of(facts));
    if (f->joint[0] != '\0')
        sc_output_text(output, "jointly     the joint cost of all of them, fixed in "
                               "advance; the budget is charged release by release\n");
    if (facts->is_partial)
        sc_output_format(output,
                         "left out    rows with %.128s below %s are in no window and are "
                         "never released\n",
                         facts->window, first->low);
    sc_fold_end(output, begin, columns);
}

#define WINDOWS_SHOWN 24

scrim_status sc_series_windows_talk(sc_output *output, const scrim_series *series,
                                    const scrim_series_facts *facts, unsigned columns,
                                    scrim_error *error)
{
    const bool is_long = facts->releases > WINDOWS_SHOWN;
    char window[SC_SERIES_WINDOW_BYTES];
    scrim_status status = SCRIM_OK;
    if (facts->window[0] == '\0')
        return SCRIM_OK;
    const size_t begin = sc_fold_begin(output);
    for (size_t i = 0; status == SCRIM_OK && i < facts->releases;
         i += is_long && i == 0 ? facts->releases - 1 : 1) {
        scrim_series_step step;
        status = scrim_series_step_at(series, i, &step, error);
        if (status != SCRIM_OK)
            break;
        sc_series_window_name(&step, window);
        sc_output_format(output, "%s%" PRIu64 ": %s\n",
                         i == 0 ? "windows     " : "            ", step.number, window);
    }
    sc_fold_end(output, begin, columns);
    return status;
}

/* A line for each column that has an error; when stands behind it. */
static scrim_status write_errors(sc_output *output, const scrim_plan *plan,
                                 const char *when, scrim_error *error)
{
    scrim_plan_statement statement;
    scrim_plan_output column;
    SC_TRY(scrim_plan_statement_at(plan, 0, &statement, error));
    for (size_t i = 0; i < statement.outputs; i++) {
        SC_TRY(scrim_plan_output_at(plan, 0, i, &column, error));
        if (column.error[0] != '\0')
            sc_output_format(output, "            %s: %s%s\n", column.name, column.error,
                             when);
    }
    return SCRIM_OK;
}

static scrim_status write_error_words(sc_output *output, scrim_vault *vault,
                                      const scrim_plan *plan, scrim_error *error)
{
    sc_plan_view view = {
        .plan = plan, .has_expect = true, .output = output, .error = error};
    SC_TRY(scrim_plan_describe(vault, plan, &view.facts, error));
    sc_plan_error_words(&view, 0);
    return SCRIM_OK;
}

scrim_status sc_series_error_talk(sc_output *output, scrim_vault *vault,
                                  const scrim_plan *plan, unsigned columns,
                                  scrim_error *error)
{
    const size_t begin = sc_fold_begin(output);
    scrim_status status = write_error_words(output, vault, plan, error);
    if (status == SCRIM_OK)
        status = write_errors(output, plan, "", error);
    if (status == SCRIM_OK)
        status = sc_plan_cautions_write(output, plan, NULL, 0, error);
    sc_fold_end(output, begin, columns);
    return status;
}

#define RELEASES_SHOWN 3
#define RELEASES_BYTES 128

/* Returns the first release that has `draws` draws; 0 if no release has. */
static uint64_t format_releases(const scrim_series *series, uint64_t count,
                                uint64_t draws, char text[RELEASES_BYTES])
{
    scrim_series_step step;
    uint64_t first = 0;
    size_t known = 0, used = 0;
    for (size_t i = 0; i < count && known <= RELEASES_SHOWN; i++) {
        if (scrim_series_step_at(series, i, &step, NULL) != SCRIM_OK ||
            step.draws != draws)
            continue;
        first = first == 0 ? step.number : first;
        char number[32] = ", ...";
        if (known < RELEASES_SHOWN)
            snprintf(number, sizeof number, "%s%" PRIu64,
                     known == 0 ? " in release " : ", ", step.number);
        used += (size_t)snprintf(text + used, RELEASES_BYTES - used, "%s", number);
        known++;
    }
    return first;
}

scrim_status sc_series_running_talk(sc_output *output, scrim_vault *vault,
                                    const scrim_series *series,
                                    const scrim_series_facts *facts, unsigned columns,
                                    scrim_error *error)
{
    const size_t begin = sc_fold_begin(output);
    scrim_status status = SCRIM_OK;
    char when[RELEASES_BYTES];
    uint64_t draws = 1, first;
    while (status == SCRIM_OK &&
           (first = format_releases(series, facts->releases, draws, when)) > 0) {
        scrim_plan *plan = NULL;
        status = scrim_series_plan(vault, series, first, &plan, error);
        if (status == SCRIM_OK && draws == 1)
            status = write_error_words(output, vault, plan, error);
        if (status == SCRIM_OK)
            status = write_errors(output, plan, when, error);
        scrim_plan_free(plan);
        draws++;
    }
    sc_fold_end(output, begin, columns);
    return status;
}

void sc_series_created_talk(sc_output *output, const scrim_series_facts *facts,
                            const char *where, unsigned columns)
{
    const size_t begin = sc_fold_begin(output);
    sc_output_format(
        output, "created     %s: 'scrim series release %s%s' makes the first release",
        facts->name, facts->name, where);
    if (facts->window[0] == '\0' && facts->releases > 1)
        sc_output_format(
            output,
            "; each later release needs a new version: run 'scrim dataset update %s%s'",
            facts->dataset, where);
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, columns);
}

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
    SC_OWNED(sc_result_rows_clear) sc_result_rows rows = {0};
    SC_TRY(make_rows(sheet, format == SCRIM_FORMAT_TABLE, &rows, error));
    sc_listing listing = {.columns = rows.columns,
                          .column_count = rows.column_count,
                          .output = output,
                          .format = format,
                          .terminal = terminal};
    sc_json *json = sc_listing_open(&listing);
    if (json != NULL)
        write_facts_json(json, sheet, forecast);
    for (size_t i = 0; i < sheet->count; i++)
        add_release(&listing, &rows, &sheet->steps[i], sheet->results[i]);
    return sc_listing_close(&listing, SCRIM_OK, error);
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
