#include "cli/answer/plan_writer.h"

#include "cli/answer/plan_view.h"
#include "cli/answer/release_note.h"
#include "cli/display/notes.h"
#include "cli/terminal/complaint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* JSON. */

static scrim_status write_outputs(sc_json *json, const sc_plan_view *view, size_t s,
                                  const scrim_plan_statement *statement)
{
    scrim_plan_output column;
    scrim_status status = SCRIM_OK;
    sc_json_array(json, "columns");
    for (size_t i = 0; i < statement->outputs && status == SCRIM_OK; i++) {
        status = scrim_plan_output_at(view->plan, s, i, &column, view->error);
        if (status != SCRIM_OK)
            break;
        sc_json_object(json, NULL);
        sc_json_text(json, "name", column.name);
        if (!column.is_key) {
            sc_json_text(json, "aggregate", column.aggregate);
            sc_json_text(json, "error", column.error);
        }
        sc_json_text_if_any(json, "relative", column.relative);
        sc_json_text_if_any(json, "reference", column.reference);
        sc_json_text_if_any(json, "rank_error", column.rank_error);
        sc_json_text_if_any(json, "ranks", column.ranks);
        if (column.is_unknown)
            sc_json_truth(json, "error_is_unknown", true);
        if (column.low[0] != '\0') {
            sc_json_text(json, "low", column.low);
            sc_json_text(json, "high", column.high);
        }
        if (column.certificate[0] != '\0') {
            sc_json_text(json, "certificate", column.certificate);
            sc_json_text_if_any(json, "flexible", column.flexible);
        }
        sc_json_text_if_any(json, "caution", column.caution);
        sc_json_end(json);
    }
    sc_json_end(json);
    return status;
}

static scrim_status write_parts(sc_json *json, const sc_plan_view *view, size_t s,
                                const scrim_plan_statement *statement)
{
    scrim_plan_part part;
    scrim_status status = SCRIM_OK;
    sc_json_array(json, "parts");
    for (size_t i = 0; i < statement->parts && status == SCRIM_OK; i++) {
        status = scrim_plan_part_at(view->plan, s, i, &part, view->error);
        if (status != SCRIM_OK)
            break;
        sc_json_object(json, NULL);
        sc_json_text(json, "what", part.what);
        sc_json_text(json, "measurement", part.measurement);
        sc_json_text(json, "share", part.share);
        sc_json_count(json, "copies", part.copies);
        sc_cost_json(json, "cost", &part.cost);
        sc_json_text_if_any(json, "deviation", part.scale);
        sc_json_text(json, "step", part.step);
        sc_json_text_if_any(json, "range", part.range);
        sc_json_text_if_any(json, "note", part.note);
        sc_json_end(json);
    }
    sc_json_end(json);
    return status;
}

static scrim_status write_choices(sc_json *json, const sc_plan_view *view, size_t s,
                                  const scrim_plan_statement *statement)
{
    scrim_plan_choice choice;
    scrim_status status = SCRIM_OK;
    sc_json_array(json, "selections");
    for (size_t i = 0; i < statement->choices && status == SCRIM_OK; i++) {
        status = scrim_plan_choice_at(view->plan, s, i, &choice, view->error);
        if (status != SCRIM_OK)
            break;
        sc_json_object(json, NULL);
        sc_json_text(json, "measurement", choice.measurement);
        sc_json_count(json, "half", choice.half);
        sc_json_count(json, "most", choice.most);
        sc_cost_json(json, "cost", &choice.cost);
        sc_json_truth(json, "shows_units", choice.shows_units);
        if (choice.units[0] != '\0') {
            sc_json_text(json, "units", choice.units);
            sc_cost_json(json, "units_cost", &choice.units_cost);
        }
        sc_json_truth(json, "chosen", choice.is_chosen);
        if (choice.is_chosen)
            sc_json_text(json, "reason", choice.reason);
        sc_json_end(json);
    }
    sc_json_end(json);
    return status;
}

/* The errors that another plan would have, of each column. */
static scrim_status write_errors(sc_json *json, const sc_plan_view *view, size_t s,
                                 const scrim_plan_statement *statement,
                                 const scrim_plan_other *other)
{
    scrim_plan_output column;
    scrim_status status = SCRIM_OK;
    sc_json_array(json, "columns");
    for (size_t i = 0; i < statement->outputs && status == SCRIM_OK; i++) {
        status = scrim_plan_output_at(view->plan, s, i, &column, view->error);
        if (status != SCRIM_OK || other->errors[i][0] == '\0')
            continue;
        sc_json_object(json, NULL);
        sc_json_text(json, "name", column.name);
        sc_json_text(json, "error", other->errors[i]);
        sc_json_text_if_any(json, "times", other->times[i]);
        sc_json_end(json);
    }
    sc_json_end(json);
    return status;
}

/* The plans that were not taken. */
static scrim_status write_others(sc_json *json, const sc_plan_view *view, size_t s,
                                 const scrim_plan_statement *statement)
{
    scrim_plan_other other;
    scrim_status status = SCRIM_OK;
    sc_json_array(json, "compared");
    for (size_t i = 0; i < statement->others && status == SCRIM_OK; i++) {
        status = scrim_plan_other_at(view->plan, s, i, &other, view->error);
        if (status != SCRIM_OK)
            break;
        sc_json_object(json, NULL);
        sc_json_text(json, "chosen", other.chosen);
        sc_json_text(json, "other", other.name);
        status = write_errors(json, view, s, statement, &other);
        sc_json_end(json);
    }
    sc_json_end(json);
    return status;
}

static void write_charge(sc_json *json, const scrim_plan_facts *facts)
{
    sc_json_object(json, "charge");
    sc_json_text(json, "unit", facts->account_unit);
    sc_json_text(json, "amount", facts->amount);
    sc_json_text(json, "delta", facts->amount_delta);
    sc_json_truth(json, "joint", facts->is_joint);
    sc_json_text(json, "left", facts->left);
    sc_json_text(json, "left_delta", facts->left_delta);
    sc_remainder_json(json, &facts->remainder);
    sc_json_truth(json, "fits", facts->after[0] != '\0');
    sc_json_text(json, "after", facts->after);
    sc_json_text(json, "after_delta", facts->after_delta);
    sc_json_end(json);
}

static void write_facts(sc_json *json, const sc_plan_view *view)
{
    const scrim_plan_facts *facts = &view->facts;
    char guess[16];
    snprintf(guess, sizeof guess, "%.3f", sc_number_view(facts->guess));
    sc_json_text(json, "dataset", facts->dataset);
    sc_json_count(json, "version", facts->version);
    sc_json_text(json, "unit", facts->unit);
    sc_json_text(json, "neighbours", scrim_neighbours_name(facts->neighbours));
    sc_json_text(json, "confidence", facts->confidence);
    sc_json_text(json, "expect", facts->expect);
    sc_json_text(json, "guesses", facts->guesses);
    sc_json_truth(json, "delta_is_large", sc_delta_is_large(&facts->cost, facts->expect));
    sc_cost_json(json, "cost", &facts->cost);
    sc_cost_json(json, "cost_of_2", &facts->of_two);
    sc_cost_json(json, "cost_of_4", &facts->of_four);
    sc_json_word(json, "guess", guess);
    write_charge(json, facts);
    sc_json_text_if_any(json, "quantum", facts->quantum);
    if (facts->repeats > 0 && !facts->is_booked)
        sc_json_count(json, "repeats", facts->repeats);
    if (facts->is_booked)
        sc_json_truth(json, "booked_on_share", true);
}

static scrim_status write_statement(sc_json *json, const sc_plan_view *view, size_t s)
{
    scrim_plan_statement statement;
    scrim_status status = scrim_plan_statement_at(view->plan, s, &statement, view->error);
    if (status != SCRIM_OK)
        return status;
    sc_json_object(json, NULL);
    sc_json_text(json, "query", statement.text);
    sc_json_text(json, "keys", statement.keys);
    sc_json_text_if_any(json, "set", statement.set);
    sc_json_text(json, "operations", statement.operations);
    sc_json_text_if_any(json, "joins", statement.joins);
    sc_json_text_if_any(json, "unlisted", statement.unlisted);
    sc_json_count(json, "groups", statement.key_count);
    sc_json_count(json, "max_groups", statement.max_groups);
    sc_json_count(json, "max_rows", statement.max_rows);
    sc_json_count(json, "max_total_rows", statement.max_total_rows);
    sc_json_text_if_any(json, "kept", statement.kept);
    sc_json_text_if_any(json, "caution", statement.caution);
    sc_json_text_if_any(json, "missing", statement.missing);
    if (statement.number_count > 0) {
        sc_json_count(json, "numbers", statement.number_count);
        sc_json_text(json, "confidence_each", statement.confidence_each);
    }
    status = write_outputs(json, view, s, &statement);
    if (status == SCRIM_OK)
        status = write_choices(json, view, s, &statement);
    if (status == SCRIM_OK)
        status = write_parts(json, view, s, &statement);
    if (status == SCRIM_OK)
        status = write_others(json, view, s, &statement);
    sc_json_end(json);
    return status;
}

static scrim_status write_json(const sc_plan_view *view)
{
    sc_json json;
    scrim_status status = SCRIM_OK;
    sc_json_init(&json, view->output);
    sc_json_object(&json, NULL);
    write_facts(&json, view);
    sc_json_rows(&json, "statements");
    for (size_t s = 0; s < view->facts.statements && status == SCRIM_OK; s++)
        status = write_statement(&json, view, s);
    sc_json_end(&json);
    sc_json_end(&json);
    return status;
}

/* Cannot fail to find the dataset, since a plan was made for it. */
scrim_status sc_plan_dataset(scrim_vault *vault, const char *name, scrim_dataset *out,
                             scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_dataset(vault, i, out, error);
        if (status == SCRIM_OK && strcmp(out->name, name) == 0)
            break;
    }
    return status;
}

scrim_status sc_plan_warn(scrim_vault *vault, const scrim_plan *plan,
                          const scrim_result *result, scrim_error *error)
{
    scrim_plan_facts facts;
    sc_terminal terminal;
    sc_terminal_look(STDERR_FILENO, &terminal);
    scrim_status status = scrim_plan_describe(vault, plan, &facts, error);
    if (status != SCRIM_OK)
        return status;
    sc_output *talk = malloc(sizeof *talk);
    if (talk == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    sc_output_init_screen(talk, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    const size_t begin = sc_fold_begin(talk);
    for (size_t s = 0; s < facts.statements && status == SCRIM_OK; s++)
        status = sc_plan_cautions_write(talk, plan, result, s, error);
    sc_fold_end(talk, begin, terminal.columns);
    if (status == SCRIM_OK)
        status = sc_output_finish(talk, error);
    free(talk);
    return status;
}

scrim_status sc_plan_write(sc_output *output, const sc_plan_style *style,
                           scrim_vault *vault, const scrim_plan *plan, scrim_error *error)
{
    sc_plan_view view = {.plan = plan,
                         .is_verbose = style->is_verbose,
                         .has_expect = style->has_expect,
                         .output = output,
                         .terminal = style->terminal,
                         .error = error};
    scrim_status status = scrim_plan_describe(vault, plan, &view.facts, error);
    if (status == SCRIM_OK)
        status = sc_plan_dataset(vault, view.facts.dataset, &view.dataset, error);
    if (status != SCRIM_OK)
        return status;
    switch (style->format) {
    case SCRIM_FORMAT_TABLE:
        return sc_plan_table_write(&view);
    case SCRIM_FORMAT_JSON:
        return write_json(&view);
    case SCRIM_FORMAT_CSV:
    case SCRIM_FORMAT_JSONL:
        return sc_plan_rows_write(&view, style->format);
    }
    return SCRIM_E_INTERNAL;
}
