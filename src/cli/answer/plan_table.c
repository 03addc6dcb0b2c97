/* A plan in words and boxes. */
#include "cli/answer/plan_view.h"
#include "cli/answer/release_note.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIVE_A_GUESS "--expect ROWS,COLUMN=MEAN:DEVIATION gives a forecast"

/* Lists the keys that are shown because their range is declared. */
static scrim_status write_ranges(const sc_plan_view *view, size_t s,
                                 const scrim_plan_statement *statement)
{
    scrim_plan_output column;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < statement->outputs && status == SCRIM_OK; i++) {
        status = scrim_plan_output_at(view->plan, s, i, &column, view->error);
        if (status == SCRIM_OK && column.is_range)
            sc_output_format(view->output,
                             "            %s: every value of its declared range, %s to "
                             "%s; values outside are counted in the first or last\n",
                             column.name, column.low, column.high);
    }
    return status;
}

static void write_public_keys(sc_output *output, const scrim_plan_statement *statement)
{
    const uint64_t count = statement->key_count, null = statement->null_count;
    sc_output_text(output, "keys        public: ");
    if (null == 1)
        sc_output_format(output, "%" PRIu64 " key%s and NULL", count - 1,
                         count == 2 ? "" : "s");
    else
        sc_output_format(output, "%" PRIu64 " groups", count);
    if (null > 1)
        sc_output_format(output, ", %" PRIu64 " of them with NULL", null);
    sc_output_text(output, ", all shown even if empty\n");
}

/* Says which part of the cost counts the people whose rows the bounds leave out. --verbose has it in its table of parts. */
static void write_cut(const sc_plan_view *view, size_t s,
                      const scrim_plan_statement *statement)
{
    scrim_plan_part part;
    for (size_t i = 0; !view->is_verbose && i < statement->parts; i++)
        if (scrim_plan_part_at(view->plan, s, i, &part, NULL) == SCRIM_OK &&
            strcmp(part.what, "people cut") == 0)
            sc_output_format(view->output,
                             "%-12s%.3g %% of the cost counts how many %s the bounds cut "
                             "(--cut-share)\n",
                             "", 100 * sc_number_view(part.share),
                             view->facts.unit_words);
}

static void write_keys(const sc_plan_view *view, size_t s,
                       const scrim_plan_statement *statement)
{
    if (view->is_verbose)
        sc_output_format(view->output, "steps       %s (output rows per input row)\n",
                         statement->operations);
    if (statement->joins[0] != '\0')
        sc_output_format(view->output, "joins       %s\n", statement->joins);
    sc_kept_write(view->output, statement->kept);
    write_cut(view, s, statement);
    if (view->is_verbose)
        sc_left_out_write(view->output, view->facts.unit, statement->kept[0] == '\0');
    if (strcmp(statement->keys, "public") == 0)
        write_public_keys(view->output, statement);
    else if (strcmp(statement->keys, "discovered") == 0)
        sc_output_text(view->output, "keys        private: only groups that pass "
                                     "partition selection are released\n");
}

/* Boxes. */

#define LINE_BYTES 1024

static scrim_status write_outputs(const sc_plan_view *view, size_t s,
                                  const scrim_plan_statement *statement)
{
    static const sc_listing_column columns[] = {{.name = "column"},
                                                {.name = "what"},
                                                {.name = "range of one value"},
                                                {.name = "expected error"},
                                                {.name = "relative"}};
    char relative[SC_BOUND_BYTES];
    sc_listing box =
        SC_LISTING(columns, view->output, SCRIM_FORMAT_TABLE, view->terminal);
    scrim_plan_output column;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < statement->outputs && status == SCRIM_OK; i++) {
        status = scrim_plan_output_at(view->plan, s, i, &column, view->error);
        if (status != SCRIM_OK)
            break;
        if (column.is_all)
            continue;
        sc_listing_put(&box, "%s", column.name);
        sc_listing_put(&box, "%s", column.is_key ? "key" : column.aggregate);
        sc_listing_put(&box, column.low[0] == '\0' ? NULL : "%s to %s", column.low,
                       column.high);
        if (column.is_unknown)
            sc_listing_put(&box, "unknown");
        else
            sc_listing_put(&box, column.error[0] == '\0' ? NULL : "± %s", column.error);
        sc_percent_format(sc_number_view(column.relative), relative);
        sc_listing_put(&box, column.relative[0] == '\0' ? NULL : "%s", relative);
    }
    return sc_listing_close(&box, status, view->error);
}

static bool has_certificate(const sc_plan_view *view, size_t s,
                            const scrim_plan_statement *statement)
{
    scrim_plan_output column;
    for (size_t i = 0; i < statement->outputs; i++)
        if (scrim_plan_output_at(view->plan, s, i, &column, view->error) == SCRIM_OK &&
            column.flexible[0] != '\0')
            return true;
    return false;
}

/* Has the answer a column of unknown error? unranked: one whose rank is unknown too. */
static bool has_unknown(const sc_plan_view *view, size_t s,
                        const scrim_plan_statement *statement, bool unranked)
{
    scrim_plan_output column;
    for (size_t i = 0; i < statement->outputs; i++)
        if (scrim_plan_output_at(view->plan, s, i, &column, view->error) == SCRIM_OK &&
            column.is_unknown && (!unranked || column.ranks[0] == '\0'))
            return true;
    return false;
}

/* Is every error a certain range, with no probability? */
static bool is_certain(const sc_plan_view *view, size_t s,
                       const scrim_plan_statement *statement)
{
    scrim_plan_output column;
    size_t ranges = 0;
    for (size_t i = 0; i < statement->outputs; i++) {
        if (scrim_plan_output_at(view->plan, s, i, &column, view->error) != SCRIM_OK ||
            (column.error[0] != '\0' && !column.is_certain))
            return false;
        ranges += column.is_certain != 0;
    }
    return ranges > 0;
}

/* Warns that all intervals hold at once less often than each by itself. */
static void write_at_once(const sc_plan_view *view, size_t s,
                          const scrim_plan_statement *statement)
{
    if (statement->number_count == 0 || is_certain(view, s, statement))
        return;
    sc_output_format(
        view->output,
        "at once     all %" PRIu64 " intervals hold together with probability "
        "%s if each has --confidence %s\n",
        statement->number_count, view->facts.confidence, statement->confidence_each);
}

/* The number that a relative error is relative to, and the certain bounds of a quantile. */
static void write_references(const sc_plan_view *view, size_t s,
                             const scrim_plan_statement *statement)
{
    scrim_plan_output column;
    for (size_t i = 0; i < statement->outputs; i++) {
        if (scrim_plan_output_at(view->plan, s, i, &column, view->error) != SCRIM_OK)
            return;
        if (column.reference[0] != '\0')
            sc_output_format(view->output, "relative    %s: to %s\n", column.name,
                             column.reference);
        if (column.ranks[0] != '\0')
            sc_output_format(
                view->output, "ranks       %s: %s%s\n", column.name, column.ranks,
                column.is_unknown && view->has_expect ? "; " GIVE_A_GUESS : "");
    }
}

/* The certificate of each value beforehand, in words and as a triple. */
static scrim_status write_certificates(const sc_plan_view *view, size_t s,
                                       const scrim_plan_statement *statement)
{
    scrim_plan_output column;
    scrim_status status = SCRIM_OK;
    const size_t begin = sc_fold_begin(view->output);
    write_references(view, s, statement);
    write_at_once(view, s, statement);
    for (size_t i = 0; i < statement->outputs && status == SCRIM_OK; i++) {
        status = scrim_plan_output_at(view->plan, s, i, &column, view->error);
        if (status != SCRIM_OK || column.certificate[0] == '\0')
            continue;
        sc_output_format(view->output, "certificate %s: %s\n", column.name,
                         column.certificate);
        if (column.flexible[0] != '\0')
            sc_output_format(view->output, "            %s\n", column.flexible);
    }
    if (status == SCRIM_OK)
        status = sc_plan_cautions_write(view->output, view->plan, NULL, s, view->error);
    sc_fold_end(view->output, begin, view->terminal->columns);
    return status;
}

/* Is the released value no larger than its error? A value that is no number tells something; a negative
 * count has an interval on one side. */
static bool tells_nothing(const scrim_result_cell *cell)
{
    char *end;
    if (cell->is_open || cell->low == NULL || cell->value[0] == '\0')
        return true;
    const double value = strtod(cell->value, &end),
                 below = value - strtod(cell->low, NULL),
                 above = strtod(cell->high, NULL) - value;
    return *end == '\0' && fmax(below, above) >= fabs(value);
}

/* Do most of the released values of that column tell nothing? */
static bool is_useless(const scrim_result *result, size_t statement, const char *name)
{
    const size_t rows = scrim_result_rows(result, statement);
    size_t column = 0, useless = 0;
    while (column < scrim_result_columns(result, statement) &&
           strcmp(scrim_result_column_at(result, statement, column)->name, name) != 0)
        column++;
    if (column == scrim_result_columns(result, statement))
        return true;
    for (size_t row = 0; row < rows; row++)
        useless += tells_nothing(scrim_result_cell_at(result, statement, row, column));
    return 2 * useless >= rows;
}

/* "caution     query 2: ..." of a batch, "caution     sex, city: ..." of a set of keys, else neither. */
static void begin_caution(sc_output *output, const scrim_plan *plan,
                          const scrim_plan_statement *facts, size_t statement)
{
    scrim_plan_statement second;
    sc_output_text(output, "caution     ");
    if (facts->set[0] != '\0')
        sc_output_format(output, "%s: ", facts->set);
    else if (statement > 0 || scrim_plan_statement_at(plan, 1, &second, NULL) == SCRIM_OK)
        sc_output_format(output, "query %zu: ", statement + 1);
}

scrim_status sc_plan_cautions_write(sc_output *output, const scrim_plan *plan,
                                    const scrim_result *result, size_t statement,
                                    scrim_error *error)
{
    scrim_plan_statement facts;
    scrim_plan_output column;
    scrim_status status = scrim_plan_statement_at(plan, statement, &facts, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_empty = result == NULL || scrim_result_rows(result, statement) == 0;
    const char *const cautions[] = {facts.unlisted, is_empty ? facts.caution : "",
                                    facts.missing};
    for (size_t i = 0; i < sizeof cautions / sizeof *cautions; i++)
        if (cautions[i][0] != '\0') {
            begin_caution(output, plan, &facts, statement);
            sc_output_format(output, "%s\n", cautions[i]);
        }
    for (size_t i = 0; status == SCRIM_OK && i < facts.outputs; i++) {
        status = scrim_plan_output_at(plan, statement, i, &column, error);
        if (status == SCRIM_OK && column.caution[0] != '\0' &&
            (column.is_key || result == NULL ||
             is_useless(result, statement, column.name))) {
            begin_caution(output, plan, &facts, statement);
            sc_output_format(output, "%s: %s\n", column.name, column.caution);
        }
    }
    return status;
}

void sc_plan_needed_write(sc_output *output, const scrim_plan *plan, const char *units,
                          size_t statement)
{
    scrim_plan_choice choice;
    for (size_t i = 0;
         scrim_plan_choice_at(plan, statement, i, &choice, NULL) == SCRIM_OK; i++)
        if (choice.is_chosen)
            sc_output_format(output,
                             "keys        private: a group needs %" PRIu64
                             " %s for a 50 %% chance to be shown, and %" PRIu64
                             " for 95 %%\n",
                             choice.half, units, choice.most);
}

/* The length of the name that begins a line. Most people want it alone: the column of costs has epsilon and delta. */
static int name_bytes(const char *measurement)
{
    return measurement == NULL ? 0 : (int)strcspn(measurement, " ");
}

/* The numbers of a line count steps of the column's grid, and deviations are in its unit: most people read the
 * name alone. */
static void put_mechanism(sc_listing *box, const scrim_plan_part *part, bool is_verbose)
{
    char times[48] = "", steps[64] = "";
    const char *between = part->range[0] == '\0' ? "" : ": ";
    if (part->copies > 1)
        snprintf(times, sizeof times, ", %" PRIu64 " times", part->copies);
    if (is_verbose && strcmp(part->step, "1") != 0)
        snprintf(steps, sizeof steps, ", in steps of %.40s", part->step);
    char line[LINE_BYTES];
    sc_line_format(part->mechanism, line, sizeof line);
    sc_listing_put(box, "%.*s%s%s%s%s", is_verbose ? (int)strlen(line) : name_bytes(line),
                   line, steps, times, between, part->range);
}

static scrim_status write_parts(const sc_plan_view *view, size_t s,
                                const scrim_plan_statement *statement)
{
    static const sc_listing_column columns[] = {{.name = "released"},
                                                {.name = "share"},
                                                {.name = "mechanism"},
                                                {.name = "standard deviation"}};
    sc_listing box =
        SC_LISTING(columns, view->output, SCRIM_FORMAT_TABLE, view->terminal);
    scrim_plan_part part;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < statement->parts && status == SCRIM_OK; i++) {
        status = scrim_plan_part_at(view->plan, s, i, &part, view->error);
        if (status != SCRIM_OK)
            break;
        sc_listing_put(&box, "%s", part.what);
        sc_listing_put(&box, "%.1f %%", 100 * sc_number_view(part.share));
        put_mechanism(&box, &part, view->is_verbose);
        sc_listing_put(&box, "%s", part.scale);
    }
    status = sc_listing_close(&box, status, view->error);
    const size_t begin = sc_fold_begin(view->output);
    for (size_t i = 0; i < statement->parts && status == SCRIM_OK; i++) {
        status = scrim_plan_part_at(view->plan, s, i, &part, view->error);
        if (status == SCRIM_OK && part.note[0] != '\0')
            sc_output_format(view->output, "counted     %s: %s\n", part.what, part.note);
    }
    sc_fold_end(view->output, begin, view->terminal->columns);
    return status;
}

/* The cost of the selection, and of all else that it needs. */
static void put_cost(sc_listing *box, const scrim_plan_choice *choice)
{
    const scrim_cost *units = &choice->units_cost;
    char epsilon[SC_BOUND_BYTES], delta[SC_BOUND_BYTES], besides[SC_BOUND_BYTES];
    sc_number_format_upper(choice->cost.epsilon, epsilon);
    sc_number_format_upper(choice->cost.delta, delta);
    if (choice->units[0] == '\0') {
        sc_listing_put(box, "epsilon %s, delta %s", epsilon, delta);
        return;
    }
    const bool has_epsilon = units->epsilon[0] != '\0';
    sc_number_format_upper(has_epsilon ? units->epsilon : units->rho, besides);
    sc_listing_put(box, "epsilon %s, delta %s; units %s %s", epsilon, delta,
                   has_epsilon ? "epsilon" : "rho", besides);
}

static scrim_status write_choices(const sc_plan_view *view, size_t s,
                                  const scrim_plan_statement *statement)
{
    char half[80];
    snprintf(half, sizeof half, "%s for a 50 %% chance to be shown",
             view->facts.unit_words);
    const sc_listing_column columns[] = {{.name = "selection"},
                                         {.name = half},
                                         {.name = "for 95 %"},
                                         {.name = "cost"},
                                         {.name = ""}};
    sc_listing box =
        SC_LISTING(columns, view->output, SCRIM_FORMAT_TABLE, view->terminal);
    scrim_plan_choice choice, chosen = {.reason = ""};
    scrim_status status = SCRIM_OK;
    if (statement->choices == 0)
        return SCRIM_OK;
    for (size_t i = 0; i < statement->choices && status == SCRIM_OK; i++) {
        status = scrim_plan_choice_at(view->plan, s, i, &choice, view->error);
        if (status != SCRIM_OK)
            break;
        sc_listing_put(&box, "%.*s%s%.*s", name_bytes(choice.measurement),
                       choice.measurement, choice.units[0] == '\0' ? "" : ", then ",
                       name_bytes(choice.units), choice.units);
        sc_listing_put(&box, "%" PRIu64, choice.half);
        sc_listing_put(&box, "%" PRIu64, choice.most);
        put_cost(&box, &choice);
        sc_listing_put(&box, "%s", choice.is_chosen ? "chosen" : "");
        if (choice.is_chosen)
            chosen = choice;
    }
    status = sc_listing_close(&box, status, view->error);
    if (status == SCRIM_OK) {
        const size_t begin = sc_fold_begin(view->output);
        sc_output_format(view->output, "chosen      %.*s: %s\n",
                         name_bytes(chosen.measurement), chosen.measurement,
                         chosen.reason);
        sc_fold_end(view->output, begin, view->terminal->columns);
    }
    return status;
}

void sc_plan_error_words(const sc_plan_view *view, size_t s)
{
    scrim_plan_statement statement;
    if (scrim_plan_statement_at(view->plan, s, &statement, view->error) != SCRIM_OK)
        return;
    sc_output_text(view->output, "error       half of the ");
    if (is_certain(view, s, &statement))
        sc_output_text(view->output, "interval, which always holds");
    else
        sc_output_format(view->output, "%.6g %% interval",
                         100 * sc_number_view(view->facts.confidence));
    sc_output_format(view->output, ", assuming %s rows per group", view->facts.expect);
    if (view->facts.guesses[0] != '\0')
        sc_output_format(view->output, " with %s", view->facts.guesses);
    if (view->has_expect)
        sc_output_text(view->output, " (--expect)");
    if (has_certificate(view, s, &statement))
        sc_output_text(view->output,
                       "; for columns with an accuracy guarantee, the distance from the "
                       "value of all rows if these are spread evenly");
    if (has_unknown(view, s, &statement, false))
        sc_output_text(
            view->output,
            "; the error of a quantile depends on how far apart the values are");
    if (view->has_expect && has_unknown(view, s, &statement, true))
        sc_output_text(view->output, "; " GIVE_A_GUESS);
    sc_output_text(view->output, "\n");
}

scrim_status sc_plan_table_write(const sc_plan_view *view)
{
    scrim_plan_statement statement;
    scrim_status status = SCRIM_OK;
    size_t begin;
    sc_plan_head_write(view);
    for (size_t s = 0; s < view->facts.statements && status == SCRIM_OK; s++) {
        status = scrim_plan_statement_at(view->plan, s, &statement, view->error);
        if (status != SCRIM_OK)
            break;
        /* The text of a single question is left out: the user has just typed it. */
        if (statement.set[0] != '\0') {
            sc_output_text(view->output, "\n");
            if (view->is_verbose && s == 0)
                sc_fold_line(view->output, "query", statement.text,
                             view->terminal->columns);
            sc_fold_line(view->output, "set", statement.set, view->terminal->columns);
        } else if (view->is_verbose || view->facts.statements > 1) {
            sc_output_text(view->output, "\n");
            sc_fold_line(view->output, "query", statement.text, view->terminal->columns);
        }
        begin = sc_fold_begin(view->output);
        write_keys(view, s, &statement);
        status = write_ranges(view, s, &statement);
        if (status != SCRIM_OK)
            break;
        sc_plan_error_words(view, s);
        sc_fold_end(view->output, begin, view->terminal->columns);
        status = write_outputs(view, s, &statement);
        if (status == SCRIM_OK)
            status = write_certificates(view, s, &statement);
        if (status == SCRIM_OK)
            status = write_choices(view, s, &statement);
        if (status == SCRIM_OK && view->is_verbose)
            status = write_parts(view, s, &statement);
        if (status == SCRIM_OK)
            status = sc_plan_others_write(view, s, &statement);
    }
    return status;
}

/* Rows. */

static scrim_status add_rows(const sc_plan_view *view, sc_listing *listing, size_t s)
{
    scrim_plan_statement statement;
    scrim_plan_output column;
    char number[24];
    scrim_status status = scrim_plan_statement_at(view->plan, s, &statement, view->error);
    snprintf(number, sizeof number, "%zu", s + 1);
    for (size_t i = 0; status == SCRIM_OK && i < statement.outputs; i++) {
        status = scrim_plan_output_at(view->plan, s, i, &column, view->error);
        if (status == SCRIM_OK)
            sc_listing_add(listing,
                           (const char *[]){number, column.name,
                                            column.is_key ? "" : column.aggregate,
                                            column.low, column.high, column.error,
                                            column.relative, column.certificate});
    }
    return status;
}

scrim_status sc_plan_rows_write(const sc_plan_view *view, sc_format format)
{
    static const sc_listing_column columns[] = {{"statement", SC_KIND_NUMBER},
                                                {.name = "column"},
                                                {.name = "aggregate"},
                                                {.name = "low"},
                                                {.name = "high"},
                                                {.name = "error"},
                                                {.name = "relative"},
                                                {.name = "certificate"}};
    sc_listing listing = SC_LISTING(columns, view->output, format, view->terminal);
    scrim_status status = SCRIM_OK;
    (void)sc_listing_open(&listing);
    for (size_t s = 0; s < view->facts.statements && status == SCRIM_OK; s++)
        status = add_rows(view, &listing, s);
    return sc_listing_close(&listing, status, view->error);
}
