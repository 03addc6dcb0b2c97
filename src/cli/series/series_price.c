#include "cli/series/series_price.h"

#include "cli/answer/plan_view.h"
#include "cli/answer/series_sheet.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"

#include <inttypes.h>
#include <stdio.h>

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
    sc_listing *page = NULL;
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
    const scrim_status status = sc_page_new(options, columns, 4, &page, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].amount[0] != '\0')
            add_row(page, &rows[i]);
    return sc_page_end(page, SCRIM_OK, error);
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
    scrim_status status = scrim_plan_statement_at(plan, 0, &statement, error);
    for (size_t i = 0; status == SCRIM_OK && i < statement.outputs; i++) {
        status = scrim_plan_output_at(plan, 0, i, &column, error);
        if (status == SCRIM_OK && column.error[0] != '\0')
            sc_output_format(output, "            %s: %s%s\n", column.name, column.error,
                             when);
    }
    return status;
}

static scrim_status write_error_words(sc_output *output, scrim_vault *vault,
                                      const scrim_plan *plan, scrim_error *error)
{
    sc_plan_view view = {
        .plan = plan, .has_expect = true, .output = output, .error = error};
    const scrim_status status = scrim_plan_describe(vault, plan, &view.facts, error);
    if (status == SCRIM_OK)
        sc_plan_error_words(&view, 0);
    return status;
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

/* Returns the first release with so many draws; 0: there is none. */
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
