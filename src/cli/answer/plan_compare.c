#include "cli/answer/plan_compare.h"

#include "cli/answer/plan_view.h"
#include "cli/answer/release_note.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reading. */

static int by_epsilon(const void *a, const void *b)
{
    const double x = sc_number_view(((const sc_compared_plan *)a)->epsilon),
                 y = sc_number_view(((const sc_compared_plan *)b)->epsilon);
    return (x > y) - (x < y);
}

static scrim_status split(sc_plan_compare *out, scrim_error *error)
{
    for (char *at = out->text; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma = '\0';
        if (*at == '\0')
            return sc_refuse(
                error, "--compare needs a list of epsilons, as in --compare 0.1,0.3,1,3");
        if (out->count == SC_COMPARE_BUDGETS)
            return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                     "--compare takes at most %d epsilons",
                                     SC_COMPARE_BUDGETS);
        out->budgets[out->count++].epsilon = at;
        at = comma == NULL ? NULL : comma + 1;
    }
    qsort(out->budgets, out->count, sizeof *out->budgets, by_epsilon);
    return SCRIM_OK;
}

/* An epsilon that is too small for a mechanism has no plan; an invalid epsilon is an error. */
static scrim_status plan_at(const sc_plan_compare *compare, const sc_options *options,
                            sc_compared_plan *budget, scrim_error *error)
{
    scrim_status status = sc_query_request_at(compare->request, options, budget->epsilon,
                                              &budget->plan, error);
    if (status == SCRIM_OK)
        status = scrim_plan_describe(compare->request->vault, budget->plan,
                                     &budget->facts, error);
    return status == SCRIM_E_LIMIT && strcmp(error->parameter, "epsilon") != 0 ? SCRIM_OK
                                                                               : status;
}

scrim_status sc_plan_compare_read(const sc_query_request *request,
                                  const sc_options *options, sc_plan_compare *out,
                                  scrim_error *error)
{
    *out = (sc_plan_compare){.request = request,
                             .text = strdup(options->value[SCRIM_OPTION_COMPARE])};
    if (out->text == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = split(out, error);
    for (size_t i = 0; i < out->count && status == SCRIM_OK; i++) {
        status = plan_at(out, options, &out->budgets[i], error);
        if (out->budgets[i].plan != NULL)
            out->made = &out->budgets[i];
    }
    return status == SCRIM_OK && out->made == NULL ? SCRIM_E_LIMIT : status;
}

void sc_plan_compare_clear(sc_plan_compare *compare)
{
    for (size_t i = 0; i < compare->count; i++)
        scrim_plan_free(compare->budgets[i].plan);
    free(compare->titles);
    free(compare->points);
    free(compare->curves);
    free(compare->text);
    *compare = (sc_plan_compare){.count = 0};
}

/* Columns: of all statements, those that are no keys. */

typedef struct compared_column {
    size_t statement, output; /* SIZE_MAX: the groups that are kept */
    bool is_ranks; /* a quantile whose error is unknown: how far it is from its rank */
    char *name;
} compared_column;

typedef struct column_list {
    compared_column *list;
    size_t count;
} column_list;

#define OF_GROUPS SIZE_MAX
#define NAME_BYTES 512
#define RANKS " rows from its rank"

static void clear_columns(column_list *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        free(columns->list[i].name);
    free(columns->list);
}

static bool add_column(column_list *columns, size_t statement, size_t output,
                       bool is_ranks, const char *name)
{
    compared_column *more =
        realloc(columns->list, (columns->count + 1) * sizeof *columns->list);
    if (more == NULL)
        return false;
    columns->list = more;
    more[columns->count] = (compared_column){statement, output, is_ranks, strdup(name)};
    return more[columns->count++].name != NULL;
}

/* "n", "n_error" for programs, "n_rank_error" where only that is known; of a batch "2: n", "2_n_error". */
static void name_column(const sc_compared_plan *made, size_t statement, const char *name,
                        const char *ending, bool for_people, char out[NAME_BYTES])
{
    char number[32] = "";
    if (made->facts.statements > 1)
        snprintf(number, sizeof number, for_people ? "%zu: " : "%zu_", statement + 1);
    snprintf(out, NAME_BYTES, "%s%.400s%s", number, name, for_people ? "" : ending);
}

static bool add_statement(column_list *columns, const sc_compared_plan *made, size_t s,
                          bool for_people, scrim_error *error)
{
    scrim_plan_statement statement;
    scrim_plan_output output;
    char name[NAME_BYTES];
    bool is_there = scrim_plan_statement_at(made->plan, s, &statement, error) == SCRIM_OK;
    if (is_there && statement.choices > 0) {
        char half[80];
        snprintf(half, sizeof half, "%s for a 50 %% chance to be shown",
                 made->facts.unit_words);
        name_column(made, s, half, "", true, name);
        if (!for_people)
            snprintf(name, sizeof name, made->facts.statements > 1 ? "%zu_half" : "half",
                     s + 1);
        is_there = add_column(columns, s, OF_GROUPS, false, name);
    }
    for (size_t i = 0; is_there && i < statement.outputs; i++) {
        is_there = scrim_plan_output_at(made->plan, s, i, &output, error) == SCRIM_OK;
        if (!is_there || output.is_key)
            continue;
        const bool is_ranks = output.is_unknown && output.rank_error[0] != '\0';
        name_column(made, s, output.name, is_ranks ? "_rank_error" : "_error", for_people,
                    name);
        is_there = add_column(columns, s, i, is_ranks, name);
    }
    return is_there;
}

static scrim_status find_columns(const sc_compared_plan *made, bool for_people,
                                 column_list *out, scrim_error *error)
{
    for (size_t s = 0; s < made->facts.statements; s++)
        if (!add_statement(out, made, s, for_people, error))
            return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    return SCRIM_OK;
}

/* Rows. */

/* The share of the epsilon (or rho) that is left; below 0 where nothing is left. */
static double share_of_left(const scrim_plan_facts *facts)
{
    const double left = sc_number_view(facts->left),
                 amount = sc_number_view(facts->amount);
    if (amount > 0 && left <= 0)
        return -1;
    return left > 0 ? amount / left : 0;
}

static const char *verdict_of(const sc_compared_plan *budget,
                              const scrim_dataset *dataset)
{
    if (budget->plan == NULL)
        return "impossible";
    if (budget->facts.repeats > 0)
        return "free";
    if (budget->facts.after[0] == '\0')
        return "above budget";
    return sc_plan_is_above_cap(dataset, &budget->facts) ? "above cap" : "fits";
}

/* "12 %", or why it takes nothing. */
static void put_share(sc_listing *box, const sc_compared_plan *budget,
                      const char *verdict)
{
    const double share = budget->plan == NULL ? 0 : share_of_left(&budget->facts);
    char percent[SC_BOUND_BYTES];
    sc_percent_format(share, percent);
    if (strcmp(verdict, "fits") == 0)
        sc_listing_put(box, "%s", percent);
    else if (strcmp(verdict, "free") == 0)
        sc_listing_put(box, "nothing: answered before");
    else if (strcmp(verdict, "impossible") == 0)
        sc_listing_put(box, "too small to plan");
    else if (share < 0)
        sc_listing_put(box, "%s", verdict);
    else
        sc_listing_put(box, "%s, %s", percent, verdict);
}

static void put_half(sc_listing *listing, const scrim_plan *plan, size_t statement)
{
    scrim_plan_choice choice;
    for (size_t i = 0;
         scrim_plan_choice_at(plan, statement, i, &choice, NULL) == SCRIM_OK; i++)
        if (choice.is_chosen) {
            sc_listing_put(listing, "%" PRIu64, choice.half);
            return;
        }
    sc_listing_put(listing, NULL);
}

static void put_error(sc_listing *listing, const scrim_plan *plan,
                      const compared_column *column, bool for_people)
{
    scrim_plan_output output;
    if (plan != NULL && column->output == OF_GROUPS) {
        put_half(listing, plan, column->statement);
    } else if (plan == NULL ||
               scrim_plan_output_at(plan, column->statement, column->output, &output,
                                    NULL) != SCRIM_OK) {
        sc_listing_put(listing, NULL);
    } else if (output.error[0] == '\0' && !column->is_ranks) {
        sc_listing_put(listing, for_people && output.is_unknown ? "unknown" : NULL);
    } else if (column->is_ranks) {
        sc_listing_put(listing, for_people ? "%s" RANKS : "%s", output.rank_error);
    } else if (for_people && output.relative[0] != '\0') {
        char relative[SC_BOUND_BYTES];
        sc_percent_format(sc_number_view(output.relative), relative);
        sc_listing_put(listing, "± %s (%s)", output.error, relative);
    } else {
        sc_listing_put(listing, for_people ? "± %s" : "%s", output.error);
    }
}

/* How often a guess about one person is right at most. */
static void put_guess(sc_listing *listing, const sc_compared_plan *budget)
{
    if (budget->plan == NULL) {
        sc_listing_put(listing, NULL);
        return;
    }
    const double guess = sc_number_view(budget->facts.guess);
    if (guess < 1)
        sc_listing_put(listing, "%.1f %%", 100 * guess);
    else
        sc_listing_put(listing, "> 99.9 %%");
}

static void put_budget(sc_listing *listing, const sc_compared_plan *budget,
                       const scrim_dataset *dataset, const column_list *columns)
{
    const bool for_people = listing->format == SCRIM_FORMAT_TABLE;
    const char *verdict = verdict_of(budget, dataset);
    const double share = budget->plan == NULL ? -1 : share_of_left(&budget->facts);
    sc_listing_put(listing, "%s", budget->epsilon);
    if (for_people) {
        put_share(listing, budget, verdict);
        put_guess(listing, budget);
    } else {
        sc_listing_put(listing, share < 0 ? NULL : "%.6g", share);
        sc_listing_put(listing, "%s", verdict);
    }
    for (size_t i = 0; i < columns->count; i++)
        put_error(listing, budget->plan, &columns->list[i], for_people);
}

/* The whole. */

/* The number that a percentage is of, where it is not the number of rows. */
static void write_references(const sc_plan_view *view, size_t s,
                             const scrim_plan_statement *statement)
{
    scrim_plan_output column;
    for (size_t i = 0; i < statement->outputs; i++)
        if (scrim_plan_output_at(view->plan, s, i, &column, view->error) == SCRIM_OK &&
            column.reference[0] != '\0')
            sc_output_format(view->output, "relative    %s: to %s\n", column.name,
                             column.reference);
}

static void write_words(sc_output *output, const sc_plan_compare *compare,
                        const sc_terminal *terminal, scrim_error *error)
{
    const scrim_plan_facts *facts = &compare->made->facts;
    const sc_plan_view view = {.plan = compare->made->plan,
                               .facts = *facts,
                               .has_expect = true,
                               .output = output,
                               .terminal = terminal,
                               .error = error};
    scrim_plan_statement statement;
    char left[SC_REMAINDER_BYTES], delta[SC_BOUND_BYTES];
    for (size_t s = 0; s < facts->statements; s++) {
        if (scrim_plan_statement_at(view.plan, s, &statement, error) != SCRIM_OK)
            return;
        sc_fold_line(output, "query", statement.text, terminal->columns);
        const size_t begin = sc_fold_begin(output);
        sc_plan_error_words(&view, s);
        write_references(&view, s, &statement);
        sc_fold_end(output, begin, terminal->columns);
    }
    const size_t begin = sc_fold_begin(output);
    if (!sc_remainder_format(facts->account_unit, &facts->remainder, left))
        sc_amount_format(facts->account_unit, facts->left, facts->left_delta, false,
                         left);
    sc_output_format(output, "left        %s", left);
    if (sc_number_view(facts->amount_delta) > 0) {
        sc_number_format_upper(facts->amount_delta, delta);
        sc_output_format(output, "; each row of the table costs delta %s", delta);
    }
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, terminal->columns);
}

static void write_members(sc_json *json, const sc_plan_compare *compare)
{
    const scrim_plan_facts *facts = &compare->made->facts;
    sc_json_text(json, "dataset", facts->dataset);
    sc_json_count(json, "version", facts->version);
    sc_json_text(json, "confidence", facts->confidence);
    sc_json_text(json, "expect", facts->expect);
    sc_json_text(json, "guesses", facts->guesses);
    sc_json_text(json, "delta", facts->delta);
    sc_json_text(json, "account_unit", facts->account_unit);
    sc_json_text(json, "left", facts->left);
    sc_json_text(json, "left_delta", facts->left_delta);
    sc_remainder_json(json, &facts->remainder);
    sc_json_array(json, "queries");
    for (size_t i = 0; i < compare->request->query_count; i++)
        sc_json_text(json, NULL, compare->request->queries[i]);
    sc_json_end(json);
}

/* The columns in front of the errors. */
static size_t first_columns(bool for_people, const char *unit, sc_listing_column out[3])
{
    static const sc_listing_column people[] = {{.name = "epsilon"},
                                               {.name = "of epsilon left"},
                                               {.name = "best guess"}},
                                   programs[] = {
                                       {.name = "epsilon"},
                                       {"left_share", SC_KIND_WORD | SC_NULLABLE},
                                       {.name = "verdict"}};
    memcpy(out, for_people ? people : programs,
           for_people ? sizeof people : sizeof programs);
    if (for_people && strcmp(unit, "rho") == 0)
        out[1].name = "of rho left";
    return 3;
}

static scrim_status write_rows(sc_output *output, const sc_plan_compare *compare,
                               const column_list *columns, sc_format format,
                               const sc_terminal *terminal, scrim_error *error)
{
    scrim_dataset dataset;
    SC_TRY(sc_plan_dataset(compare->request->vault, compare->made->facts.dataset,
                           &dataset, error));
    SC_FREED sc_listing_column *named = calloc(columns->count + 3, sizeof *named);
    if (named == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    const size_t first = first_columns(format == SCRIM_FORMAT_TABLE,
                                       compare->made->facts.account_unit, named);
    for (size_t i = 0; i < columns->count; i++)
        named[first + i] = (sc_listing_column){
            columns->list[i].name,
            columns->list[i].output == OF_GROUPS ? SC_KIND_NUMBER : SC_KIND_TEXT};
    sc_listing listing = {.columns = named,
                          .column_count = first + columns->count,
                          .output = output,
                          .format = format,
                          .terminal = terminal};
    sc_json *json = sc_listing_open(&listing);
    if (json != NULL)
        write_members(json, compare);
    for (size_t i = 0; i < compare->count; i++)
        put_budget(&listing, &compare->budgets[i], &dataset, columns);
    return sc_listing_close(&listing, SCRIM_OK, error);
}

scrim_status sc_plan_compare_write(sc_output *output, const sc_plan_compare *compare,
                                   sc_format format, const sc_terminal *terminal,
                                   scrim_error *error)
{
    const bool for_people = format == SCRIM_FORMAT_TABLE;
    column_list columns = {.list = NULL};
    scrim_status status = find_columns(compare->made, for_people, &columns, error);
    if (status == SCRIM_OK && for_people)
        write_words(output, compare, terminal, error);
    if (status == SCRIM_OK)
        status = write_rows(output, compare, &columns, format, terminal, error);
    clear_columns(&columns);
    return status;
}

/* Curves. */

static size_t fill_points(const sc_plan_compare *compare, const compared_column *column,
                          sc_error_point *points)
{
    scrim_plan_output output;
    size_t count = 0;
    for (size_t i = 0; i < compare->count; i++) {
        const sc_compared_plan *budget = &compare->budgets[i];
        if (budget->plan == NULL || column->output == OF_GROUPS ||
            scrim_plan_output_at(budget->plan, column->statement, column->output, &output,
                                 NULL) != SCRIM_OK)
            continue;
        const sc_error_point point = {
            sc_number_view(budget->epsilon),
            sc_number_view(column->is_ranks ? output.rank_error : output.error)};
        if (point.error > 0)
            points[count++] = point;
    }
    return count;
}

scrim_status sc_plan_compare_draw(sc_plan_compare *compare, scrim_error *error)
{
    column_list columns = {.list = NULL};
    scrim_status status = find_columns(compare->made, true, &columns, error);
    compare->curves = calloc(columns.count + 1, sizeof *compare->curves);
    compare->titles = calloc(columns.count + 1, sizeof *compare->titles);
    compare->points =
        calloc((columns.count + 1) * compare->count, sizeof *compare->points);
    const bool has_room =
        compare->curves != NULL && compare->titles != NULL && compare->points != NULL;
    if (status == SCRIM_OK && !has_room)
        status = sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    for (size_t i = 0; has_room && i < columns.count; i++) {
        sc_error_point *points = compare->points + i * compare->count;
        const size_t count = fill_points(compare, &columns.list[i], points);
        if (count < 2)
            continue;
        snprintf(compare->titles[i], sizeof *compare->titles, "%s%s",
                 columns.list[i].name, columns.list[i].is_ranks ? "," RANKS : "");
        compare->curves[compare->curve_count++] = (sc_error_curve){
            .title = compare->titles[i], .points = points, .count = count};
    }
    clear_columns(&columns);
    return status;
}
