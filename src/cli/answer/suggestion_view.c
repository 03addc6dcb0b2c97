#include "cli/answer/suggestion_view.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/result_plot.h"
#include "cli/answer/result_show.h"
#include "cli/answer/result_writer.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const sc_listing_column bound_columns[] = {
    {"bound", SC_KIND_TEXT},
    {"column", SC_KIND_KEY},
    {"low", SC_KIND_DECIMAL | SC_NULLABLE},
    {"high", SC_KIND_DECIMAL},
    {"beyond", SC_KIND_DECIMAL | SC_VALUE | SC_TOGETHER},
    {"beyond_low", SC_BOUND},
    {"beyond_high", SC_BOUND},
    {"sure", SC_KIND_TEXT}};
static const sc_listing_column quantile_columns[] = {
    {"quantity", SC_KIND_TEXT},    {"column", SC_KIND_KEY},
    {"quantile", SC_KIND_DECIMAL}, {"value", SC_KIND_DECIMAL | SC_VALUE | SC_TOGETHER},
    {"value_low", SC_BOUND},       {"value_high", SC_BOUND},
    {"people", SC_KIND_NUMBER}};
static const sc_listing_column rung_columns[] = {
    {"quantity", SC_KIND_TEXT},
    {"column", SC_KIND_KEY},
    {"rung", SC_KIND_DECIMAL},
    {"people", SC_KIND_DECIMAL | SC_VALUE | SC_TOGETHER},
    {"people_low", SC_BOUND},
    {"people_high", SC_BOUND},
    {"above", SC_KIND_DECIMAL | SC_VALUE | SC_TOGETHER},
    {"above_low", SC_BOUND},
    {"above_high", SC_BOUND}};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* One row of each. */

static void bound_cells(const scrim_suggested_bound *b, const char *cells[])
{
    const char *const all[] = {
        b->bound,  b->column,     b->low,         b->high,
        b->beyond, b->beyond_low, b->beyond_high, b->is_sure ? "yes" : "no"};
    memcpy(cells, all, sizeof all);
}

static void rung_cells(const scrim_suggested_rung *r, const char *cells[])
{
    const char *const all[] = {r->quantity, r->column,     r->rung,
                               r->people,   r->people_low, r->people_high,
                               r->above,    r->above_low,  r->above_high};
    memcpy(cells, all, sizeof all);
}

static scrim_status write_bounds(sc_listing *listing, const scrim_suggestion *suggestion,
                                 scrim_error *error)
{
    scrim_suggested_bound bound;
    const char *cells[COUNT(bound_columns)];
    for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++) {
        bound_cells(&bound, cells);
        sc_listing_add(listing, cells);
    }
    return sc_listing_close(listing, SCRIM_OK, error);
}

static scrim_status write_quantiles(sc_listing *listing,
                                    const scrim_suggestion *suggestion,
                                    scrim_error *error)
{
    scrim_suggested_quantile q;
    char people[24];
    for (size_t i = 0; scrim_suggestion_quantile_at(suggestion, i, &q); i++) {
        snprintf(people, sizeof people, "%" PRIu64, q.people);
        const char *const cells[] = {q.quantity, q.column, q.p,   q.value,
                                     q.low,      q.high,   people};
        sc_listing_add(listing, cells);
    }
    return sc_listing_close(listing, SCRIM_OK, error);
}

static scrim_status write_rungs(sc_listing *listing, const scrim_suggestion *suggestion,
                                scrim_error *error)
{
    scrim_suggested_rung rung;
    const char *cells[COUNT(rung_columns)];
    for (size_t i = 0; scrim_suggestion_rung_at(suggestion, i, &rung); i++) {
        rung_cells(&rung, cells);
        sc_listing_add(listing, cells);
    }
    return sc_listing_close(listing, SCRIM_OK, error);
}

/* JSON. */

static void write_json_bounds(sc_json *json, const scrim_suggestion *suggestion)
{
    scrim_suggested_bound bound;
    const char *cells[COUNT(bound_columns)];
    sc_json_rows(json, "bounds");
    for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++) {
        bound_cells(&bound, cells);
        sc_listing_json_row(json, NULL, bound_columns, COUNT(bound_columns), cells);
    }
    sc_json_end(json);
}

static void write_json_rungs(sc_json *json, const scrim_suggestion *suggestion)
{
    scrim_suggested_rung rung;
    const char *cells[COUNT(rung_columns)];
    sc_json_rows(json, "ladder");
    for (size_t i = 0; scrim_suggestion_rung_at(suggestion, i, &rung); i++) {
        rung_cells(&rung, cells);
        sc_listing_json_row(json, NULL, rung_columns, COUNT(rung_columns), cells);
    }
    sc_json_end(json);
}

static scrim_status write_json(sc_output *output, scrim_vault *vault,
                               const scrim_suggestion *suggestion, scrim_error *error)
{
    const scrim_result *result = scrim_suggestion_result(suggestion);
    sc_listing quantiles = SC_LISTING(quantile_columns, output, SCRIM_FORMAT_JSON, NULL);
    scrim_vault_release charge = {0};
    scrim_result_facts facts;
    sc_json json;
    scrim_result_describe(result, &facts);
    scrim_status status = scrim_vault_replay(vault, facts.release, &charge, error);
    if (status != SCRIM_OK)
        return status;
    sc_json_init(&json, output);
    sc_result_head_json(&json, result, NULL);
    sc_json_count(&json, "people", scrim_suggestion_people(suggestion));
    write_json_bounds(&json, suggestion);
    write_json_rungs(&json, suggestion);
    quantiles.json = &json;
    status = write_quantiles(&quantiles, suggestion, error);
    sc_result_tail_json(&json, result, &charge, facts.is_repeated);
    scrim_vault_release_clear(&charge);
    return status;
}

/* Tables. */

double sc_suggestion_round_up(double value)
{
    static const double steps[] = {1, 2, 5};
    for (int exponent = -12; exponent < 15; exponent++)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            const double step = exponent < 0 ? steps[i] / pow(10, -exponent)
                                             : steps[i] * pow(10, exponent);
            if (step >= value)
                return step;
        }
    return value;
}

/* The people on the rungs of each quantity as bars. */
static void write_plots(sc_output *output, const scrim_suggestion *suggestion,
                        const sc_terminal *terminal)
{
    const scrim_result *result = scrim_suggestion_result(suggestion);
    scrim_suggested_rung rung;
    size_t statement = 0;
    for (size_t i = 0; scrim_suggestion_rung_at(suggestion, i, &rung);
         i += scrim_result_rows(result, statement++)) {
        sc_output_format(output, "\n%s%s%s: ", rung.quantity,
                         rung.column[0] == '\0' ? "" : " of ", rung.column);
        sc_result_plot_write(output, result, statement, terminal);
    }
}

/* A table has the rungs only where they are asked for: there are many. */
static scrim_status write_tables(sc_output *output, const sc_answer_style *style,
                                 const scrim_suggestion *suggestion, scrim_error *error)
{
    const bool is_csv = style->format == SCRIM_FORMAT_CSV,
               is_table = style->format == SCRIM_FORMAT_TABLE;
    sc_listing bounds =
                   SC_LISTING(bound_columns, output, style->format, &style->terminal),
               quantiles =
                   SC_LISTING(quantile_columns, output, style->format, &style->terminal),
               rungs = SC_LISTING(rung_columns, output, style->format, &style->terminal);
    bounds.is_marked = quantiles.is_marked = rungs.is_marked = true;
    scrim_suggested_bound first;
    sc_listing_column named[COUNT(quantile_columns)];
    memcpy(named, quantile_columns, sizeof named);
    named[COUNT(named) - 1].name = "people needed";
    if (is_table)
        quantiles.columns = named;
    if (!is_table || scrim_suggestion_bound_at(suggestion, 0, &first)) {
        (void)sc_listing_open(&bounds);
        SC_TRY(write_bounds(&bounds, suggestion, error));
    }
    if (is_csv)
        sc_output_text(output, "\n");
    (void)sc_listing_open(&quantiles);
    SC_TRY(write_quantiles(&quantiles, suggestion, error));
    if (is_table && style->plot && style->terminal.is_terminal)
        write_plots(output, suggestion, &style->terminal);
    if (is_table && !style->is_verbose)
        return SCRIM_OK;
    if (is_csv)
        sc_output_text(output, "\n");
    (void)sc_listing_open(&rungs);
    return write_rungs(&rungs, suggestion, error);
}

/* Words. */

/* " --max-total amount=500": one number where the range begins at 0, since it is cut there. */
static void put_total(sc_output *talk, const scrim_suggested_bound *bound)
{
    char text[2 * SCRIM_COLUMN_BYTES + 200], word[SC_TALK_WORD_BYTES];
    const bool is_one = strcmp(bound->low, "0") == 0;
    snprintf(text, sizeof text, is_one ? "%s=%s%s" : "%s=%s,%s", bound->column,
             is_one ? "0," : bound->low, bound->high);
    sc_output_format(talk, " --max-total %s", sc_talk_word(text, word));
}

static void write_command(sc_output *talk, const scrim_suggestion *suggestion,
                          const char *dataset, const char *where)
{
    scrim_suggested_bound bound;
    size_t count = 0;
    bool has_groups = false;
    for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++)
        has_groups = has_groups || strcmp(bound.bound, "max-groups") == 0;
    for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++) {
        const bool is_in_all = strcmp(bound.bound, "max-total-rows") == 0;
        if (strcmp(bound.bound, "clamp") == 0 || (is_in_all && has_groups))
            continue;
        if (count++ == 0)
            sc_output_format(talk, "owner       scrim dataset set %s", dataset);
        if (strcmp(bound.bound, "max-total") == 0)
            put_total(talk, &bound);
        else
            sc_output_format(talk, " --%s %s", bound.bound, bound.high);
    }
    if (count > 0)
        sc_output_format(talk, " --bounds-from suggest%s\n", where);
}

static void write_clamps(sc_output *talk, const scrim_suggestion *suggestion)
{
    scrim_suggested_bound bound;
    char column[SC_TALK_WORD_BYTES];
    for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++)
        if (strcmp(bound.bound, "max-total-rows") == 0)
            sc_output_format(talk, "analyst     scrim query ... --max-total-rows %s\n",
                             bound.high);
        else if (strcmp(bound.bound, "clamp") == 0)
            sc_output_format(talk, "analyst     CLAMP(%s, %s, %s)\n",
                             sc_talk_column(bound.column, column), bound.low, bound.high);
}

/* "amount", or the bound's own name where it has no column. */
static void put_rough(sc_output *talk, const scrim_suggested_bound *bound, bool is_first)
{
    sc_output_format(talk, "%s%s%s%s", is_first ? "" : ", ", bound->bound,
                     bound->column[0] == '\0' ? "" : " of ", bound->column);
}

/* The widest interval of people above a rung, to one side. */
static uint64_t widest(const scrim_suggestion *suggestion)
{
    scrim_suggested_rung rung;
    uint64_t most = 0;
    for (size_t i = 0; scrim_suggestion_rung_at(suggestion, i, &rung); i++)
        most = rung.error > most ? rung.error : most;
    return most;
}

/* The bounds whose share beyond is not known to 2 %, and an epsilon that should do. The number of people has
 * noise: the advice also holds if they are half as many. */
static void write_rough(sc_output *talk, const scrim_suggestion *suggestion,
                        const char *epsilon)
{
    const uint64_t people = scrim_suggestion_people(suggestion),
                   error = widest(suggestion);
    scrim_suggested_bound bound;
    size_t count = 0;
    for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++) {
        if (bound.is_sure)
            continue;
        if (count == 0)
            sc_output_text(talk, "caution     rough: ");
        put_rough(talk, &bound, count++ == 0);
    }
    if (count == 0)
        return;
    sc_output_format(talk,
                     "; the noise hides up to %" PRIu64
                     " people above a rung, more than 2 %% of all",
                     error);
    if (people > 0)
        sc_output_format(talk, "; --epsilon %.15g should be enough",
                         sc_suggestion_round_up(2 * sc_number_view(epsilon) *
                                                (double)error * 50 / (double)people));
    sc_output_text(talk, "\n");
}

/* Quantiles on the last rung may be anything beyond it. */
static void write_last(sc_output *talk, const scrim_suggestion *suggestion)
{
    scrim_suggested_quantile q;
    for (size_t i = 0; scrim_suggestion_quantile_at(suggestion, i, &q); i++)
        if (q.is_last && strcmp(q.quantity, "value") != 0 &&
            strcmp(q.quantity, "groups") != 0)
            sc_output_format(talk,
                             "caution     %s%s%s: the quantile %s is %s or more, on the "
                             "last rung\n",
                             q.quantity, q.column[0] == '\0' ? "" : " of ", q.column, q.p,
                             q.value);
}

/* How bounds are chosen. */
static void write_basis(sc_output *talk, const char *epsilon)
{
    sc_output_format(
        talk,
        "basis       released counts of people, not rows, on the rungs of a ladder: a "
        "person stands on the first rung that is not below their number, and on the last "
        "one beyond it; each bound is the rung with the smallest predicted error of one "
        "count or sum at epsilon %.100s; max-groups is at most the number of public "
        "keys, "
        "with NULL if a key may be NULL\n",
        epsilon);
    sc_output_text(talk, "range       rungs are public, and none is the largest value in "
                         "the data\n");
}

static void write_words(sc_output *talk, const sc_answer_style *style,
                        const scrim_suggestion *suggestion, const char *spent,
                        const char *epsilon, unsigned columns)
{
    const bool is_short = style->format == SCRIM_FORMAT_TABLE && !style->is_verbose;
    scrim_result_facts facts;
    char where[SC_VAULT_WORDS_BYTES];
    scrim_result_describe(scrim_suggestion_result(suggestion), &facts);
    sc_vault_words(style->vault, where);
    write_command(talk, suggestion, facts.dataset, where);
    write_clamps(talk, suggestion);
    const size_t begin = sc_fold_begin(talk);
    write_rough(talk, suggestion, spent);
    write_last(talk, suggestion);
    if (!is_short)
        write_basis(talk, epsilon);
    if (style->format == SCRIM_FORMAT_TABLE)
        sc_output_text(talk,
                       "needed      with so many people a quantile is within 2 % of "
                       "its rank\n");
    sc_output_text(talk, "applied     nothing is applied by itself\n");
    sc_output_format(talk,
                     "people      there are about %" PRIu64
                     ", by the released counts; each count of people above a bound is "
                     "accurate to within %" PRIu64,
                     scrim_suggestion_people(suggestion), widest(suggestion));
    sc_output_text(talk,
                   is_short ? "; --verbose shows all rungs, --plot draws them\n" : "\n");
    sc_fold_end(talk, begin, columns);
}

static scrim_status write_talk(sc_output *output, const sc_answer_style *style,
                               scrim_vault *vault, const scrim_suggestion *suggestion,
                               const char *spent, const char *epsilon, scrim_error *error)
{
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    if (style->plot &&
        !(style->format == SCRIM_FORMAT_TABLE && style->terminal.is_terminal))
        write_plots(output, suggestion, &beside);
    if (!style->quiet)
        write_words(output, style, suggestion, spent, epsilon, beside.columns);
    const scrim_status status = sc_output_finish(output, error);
    return status == SCRIM_OK && !style->quiet
               ? sc_result_talk(style, vault, scrim_suggestion_result(suggestion), error)
               : status;
}

scrim_status sc_suggestion_show(const sc_answer_style *style, scrim_vault *vault,
                                const scrim_suggestion *suggestion,
                                const char *question_epsilon, scrim_error *error)
{
    scrim_plan_facts plan;
    SC_TRY(scrim_plan_describe(vault, scrim_suggestion_plan(suggestion), &plan, error));
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory to show the answer");
    sc_output_init_screen(output, STDOUT_FILENO, style->format);
    SC_TRY(style->format == SCRIM_FORMAT_JSON
               ? write_json(output, vault, suggestion, error)
               : write_tables(output, style, suggestion, error));
    SC_TRY(sc_output_finish(output, error));
    if (style->plot || !style->quiet)
        SC_TRY(write_talk(output, style, vault, suggestion, plan.epsilon,
                          question_epsilon == NULL ? plan.epsilon : question_epsilon,
                          error));
    return SCRIM_OK;
}
