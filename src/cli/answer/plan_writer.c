#include "cli/answer/plan_writer.h"

#include "cli/answer/plan_view.h"
#include "cli/answer/release_note.h"

#include <inttypes.h>
#include <string.h>

/* JSON. */

static void write_json_pair(sc_output *output, const char *name, const char *text,
                            const char *before)
{
    sc_output_format(output, "%s\"%s\": ", before, name);
    sc_output_json_text(output, text);
}

static scrim_status write_json_outputs(const sc_plan_view *view, size_t s,
                                       const scrim_plan_statement *statement)
{
    scrim_plan_output column;
    sc_output *output = view->output;
    scrim_status status = SCRIM_OK;
    sc_output_text(output, ", \"columns\": [");
    for (size_t i = 0; i < statement->outputs && status == SCRIM_OK; i++) {
        status = scrim_plan_output_at(view->plan, s, i, &column, view->error);
        if (status != SCRIM_OK)
            break;
        write_json_pair(output, "name", column.name, i > 0 ? ", {" : "{");
        if (!column.is_key) {
            write_json_pair(output, "aggregate", column.aggregate, ", ");
            write_json_pair(output, "error", column.error, ", ");
        }
        if (column.relative[0] != '\0')
            write_json_pair(output, "relative", column.relative, ", ");
        if (column.low[0] != '\0') {
            write_json_pair(output, "low", column.low, ", ");
            write_json_pair(output, "high", column.high, ", ");
        }
        if (column.certificate[0] != '\0') {
            write_json_pair(output, "certificate", column.certificate, ", ");
            write_json_pair(output, "flexible", column.flexible, ", ");
        }
        if (column.caution[0] != '\0')
            write_json_pair(output, "caution", column.caution, ", ");
        sc_output_text(output, "}");
    }
    sc_output_text(output, "]");
    return status;
}

static scrim_status write_json_parts(const sc_plan_view *view, size_t s,
                                     const scrim_plan_statement *statement)
{
    scrim_plan_part part;
    sc_output *output = view->output;
    scrim_status status = SCRIM_OK;
    sc_output_text(output, ", \"parts\": [");
    for (size_t i = 0; i < statement->parts && status == SCRIM_OK; i++) {
        status = scrim_plan_part_at(view->plan, s, i, &part, view->error);
        if (status != SCRIM_OK)
            break;
        write_json_pair(output, "what", part.what, i > 0 ? ", {" : "{");
        write_json_pair(output, "measurement", part.measurement, ", ");
        write_json_pair(output, "share", part.share, ", ");
        sc_output_format(output, ", \"copies\": %" PRIu64 ", \"cost\": ", part.copies);
        sc_cost_json_write(output, &part.cost);
        if (part.scale[0] != '\0')
            write_json_pair(output, "deviation", part.scale, ", ");
        write_json_pair(output, "step", part.step, ", ");
        if (part.range[0] != '\0')
            write_json_pair(output, "range", part.range, ", ");
        sc_output_text(output, "}");
    }
    sc_output_text(output, "]");
    return status;
}

static scrim_status write_json_choices(const sc_plan_view *view, size_t s,
                                       const scrim_plan_statement *statement)
{
    scrim_plan_choice choice;
    sc_output *output = view->output;
    scrim_status status = SCRIM_OK;
    sc_output_text(output, ", \"selections\": [");
    for (size_t i = 0; i < statement->choices && status == SCRIM_OK; i++) {
        status = scrim_plan_choice_at(view->plan, s, i, &choice, view->error);
        if (status != SCRIM_OK)
            break;
        write_json_pair(output, "measurement", choice.measurement, i > 0 ? ", {" : "{");
        sc_output_format(output,
                         ", \"half\": %" PRIu64 ", \"most\": %" PRIu64 ", \"cost\": ",
                         choice.half, choice.most);
        sc_cost_json_write(output, &choice.cost);
        sc_output_format(output, ", \"shows_units\": %s",
                         choice.shows_units ? "true" : "false");
        if (choice.units[0] != '\0') {
            write_json_pair(output, "units", choice.units, ", ");
            sc_output_text(output, ", \"units_cost\": ");
            sc_cost_json_write(output, &choice.units_cost);
        }
        sc_output_format(output, ", \"chosen\": %s", choice.is_chosen ? "true" : "false");
        if (choice.is_chosen)
            write_json_pair(output, "reason", choice.reason, ", ");
        sc_output_text(output, "}");
    }
    sc_output_text(output, "]");
    return status;
}

static void write_json_facts(const sc_plan_view *view)
{
    const scrim_plan_facts *facts = &view->facts;
    sc_output *output = view->output;
    write_json_pair(output, "dataset", facts->dataset, "{");
    sc_output_format(output, ", \"version\": %" PRIu64, facts->version);
    write_json_pair(output, "unit", facts->unit, ", ");
    write_json_pair(output, "neighbours", scrim_neighbours_name(facts->neighbours), ", ");
    write_json_pair(output, "confidence", facts->confidence, ", ");
    write_json_pair(output, "expect", facts->expect, ", ");
    write_json_pair(output, "guesses", facts->guesses, ", ");
    sc_output_format(output, ", \"delta_is_large\": %s",
                     sc_plan_view_delta_is_large(view) ? "true" : "false");
    sc_output_text(output, ", \"cost\": ");
    sc_cost_json_write(output, &facts->cost);
    sc_output_text(output, ", \"cost_of_2\": ");
    sc_cost_json_write(output, &facts->of_two);
    sc_output_text(output, ", \"cost_of_4\": ");
    sc_cost_json_write(output, &facts->of_four);
    sc_output_format(output, ", \"guess\": %.3f", sc_cost_guess_upper(&facts->cost));
    write_json_pair(output, "unit", facts->account_unit, ", \"charge\": {");
    write_json_pair(output, "amount", facts->amount, ", ");
    write_json_pair(output, "delta", facts->amount_delta, ", ");
    sc_output_format(output, ", \"joint\": %s", facts->is_joint ? "true" : "false");
    write_json_pair(output, "left", facts->left, ", ");
    write_json_pair(output, "left_delta", facts->left_delta, ", ");
    sc_output_format(output, ", \"fits\": %s",
                     facts->after[0] == '\0' ? "false" : "true");
    write_json_pair(output, "after", facts->after, ", ");
    write_json_pair(output, "after_delta", facts->after_delta, ", ");
    sc_output_text(output, "}");
    if (facts->quantum[0] != '\0')
        write_json_pair(output, "quantum", facts->quantum, ", ");
    if (facts->repeats > 0)
        sc_output_format(output, ", \"repeats\": %" PRIu64, facts->repeats);
}

static scrim_status write_json(const sc_plan_view *view)
{
    scrim_plan_statement statement;
    sc_output *output = view->output;
    scrim_status status = SCRIM_OK;
    write_json_facts(view);
    sc_output_text(output, ", \"statements\": [\n");
    for (size_t s = 0; s < view->facts.statements && status == SCRIM_OK; s++) {
        status = scrim_plan_statement_at(view->plan, s, &statement, view->error);
        if (status != SCRIM_OK)
            break;
        write_json_pair(output, "query", statement.text, "{");
        write_json_pair(output, "keys", statement.keys, ", ");
        write_json_pair(output, "operations", statement.operations, ", ");
        sc_output_format(output,
                         ", \"groups\": %" PRIu64 ", \"max_groups\": %" PRIu64
                         ", \"max_rows\": %" PRIu64,
                         statement.key_count, statement.max_groups, statement.max_rows);
        status = write_json_outputs(view, s, &statement);
        if (status == SCRIM_OK)
            status = write_json_choices(view, s, &statement);
        if (status == SCRIM_OK)
            status = write_json_parts(view, s, &statement);
        sc_output_text(output, s + 1 < view->facts.statements ? "},\n" : "}\n");
    }
    sc_output_text(output, "]}\n");
    return status;
}

/* It is there: a plan was made for it. */
static scrim_status find_dataset(scrim_vault *vault, const char *name, scrim_dataset *out,
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

scrim_status sc_plan_write(sc_output *output, scrim_vault *vault, const scrim_plan *plan,
                           sc_format format, const sc_terminal *terminal,
                           scrim_error *error)
{
    sc_plan_view view = {
        .plan = plan, .output = output, .terminal = terminal, .error = error};
    scrim_status status = scrim_plan_describe(vault, plan, &view.facts, error);
    if (status == SCRIM_OK)
        status = find_dataset(vault, view.facts.dataset, &view.dataset, error);
    if (status != SCRIM_OK)
        return status;
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        return sc_plan_table_write(&view);
    case SCRIM_FORMAT_JSON:
        return write_json(&view);
    case SCRIM_FORMAT_CSV:
    case SCRIM_FORMAT_JSONL:
        return sc_plan_rows_write(&view, format);
    }
    return SCRIM_E_INTERNAL;
}
