#include "cli/answer/plan_brief.h"

#include "cli/answer/plan_alternatives.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Columns that are named; the rest is counted. */
#define NAMED 6
#define LINE_BYTES 1024

/* "avg_age ± 0.449 (1 %)"; "median_age unknown" where no error can be predicted; the name alone where none is needed. */
static void put_column(const scrim_plan_output *column, char *line)
{
    const size_t used = strlen(line);
    const bool has_error = column->error[0] != '\0';
    char percent[SC_BOUND_BYTES] = "";
    if (has_error && column->relative[0] != '\0')
        sc_percent_format(sc_number_view(column->relative), percent);
    snprintf(line + used, LINE_BYTES - used, "%s%.100s%s%.60s%s%s%s",
             used == 0 ? "" : ", ", column->name, has_error ? " ± " : "", column->error,
             percent[0] == '\0' ? "" : " (", percent, percent[0] == '\0' ? "" : ")");
    if (!has_error && column->is_unknown)
        snprintf(line + strlen(line), LINE_BYTES - strlen(line), " unknown");
}

static scrim_status tell_columns(const scrim_plan *plan, size_t statement,
                                 scrim_error *error)
{
    scrim_plan_statement facts;
    scrim_plan_output column;
    char line[LINE_BYTES] = "";
    size_t numbers = 0;
    SC_TRY(scrim_plan_statement_at(plan, statement, &facts, error));
    for (size_t i = 0; i < facts.outputs; i++) {
        SC_TRY(scrim_plan_output_at(plan, statement, i, &column, error));
        if (column.is_key)
            continue;
        if (numbers++ < NAMED)
            put_column(&column, line);
    }
    if (numbers > NAMED)
        sc_talk("expected    %s and %zu more\n", line, numbers - NAMED);
    else if (numbers > 0)
        sc_talk("expected    %s\n", line);
    for (size_t i = 0; i < facts.outputs; i++) {
        SC_TRY(scrim_plan_output_at(plan, statement, i, &column, error));
        if (column.is_unknown && column.ranks[0] != '\0')
            sc_talk("unknown     %s: %s\n", column.name, column.ranks);
        else if (column.caution[0] != '\0')
            sc_talk("caution     %s: %s\n", column.name, column.caution);
    }
    if (facts.caution[0] != '\0')
        sc_talk("caution     %s\n", facts.caution);
    if (facts.unlisted[0] != '\0')
        sc_talk("caution     %s\n", facts.unlisted);
    return SCRIM_OK;
}

typedef void format_number(const char *exact, char out[SC_BOUND_BYTES]);

/* "epsilon 0.5", and delta where it is not 0. */
static void put_amount(const scrim_plan_facts *facts, const char *amount,
                       const char *delta, format_number *format, char text[LINE_BYTES])
{
    const bool has_delta = delta[0] != '\0' && strcmp(delta, "0") != 0;
    char shown[SC_BOUND_BYTES] = "", shown_delta[SC_BOUND_BYTES] = "";
    format(amount, shown);
    if (has_delta)
        format(delta, shown_delta);
    snprintf(text, LINE_BYTES, "%s %s%s%s", facts->account_unit, shown,
             has_delta ? ", delta " : "", shown_delta);
}

static void tell_price(const scrim_plan_facts *facts, sc_plan_price *price)
{
    char cost[LINE_BYTES], left[LINE_BYTES];
    put_amount(facts, facts->amount, facts->amount_delta, sc_number_format_upper, cost);
    put_amount(facts, facts->left, facts->left_delta, sc_number_format_lower, left);
    if (facts->repeats != 0 && !facts->is_booked) {
        *price = SC_PLAN_IS_FREE;
        sc_talk("cost        nothing: release %" PRIu64 " %s\n", facts->repeats,
                facts->is_pending ? "is charged and waits for its answer"
                                  : "answers it already");
    } else if (facts->after[0] == '\0') {
        *price = SC_PLAN_DOES_NOT_FIT;
        sc_talk("cost        %s, but %s is left\n", cost, left);
    } else {
        *price = SC_PLAN_COSTS;
        char after[LINE_BYTES];
        put_amount(facts, facts->after, facts->after_delta, sc_number_format_lower,
                   after);
        sc_talk("cost        %s; %s is left after it\n", cost, after);
    }
}

/* Other ways to ask. */
static void tell_others(const sc_query_request *request, const sc_options *options)
{
    char words[SC_ALTERNATIVE_BYTES];
    sc_plan_earlier_words(request, options, SC_ALTERNATIVE_PROMPT, words);
    if (words[0] != '\0')
        sc_talk("earlier     %s\n", words);
    sc_plan_half_words(request, options, words);
    if (words[0] != '\0')
        sc_talk("or          %s\n", words);
}

scrim_status sc_plan_brief(const sc_query_request *request, const sc_options *options,
                           sc_plan_price *price, scrim_error *error)
{
    scrim_plan_facts facts;
    SC_TRY(scrim_plan_describe(request->vault, request->plan, &facts, error));
    for (size_t i = 0; i < facts.statements; i++)
        SC_TRY(tell_columns(request->plan, i, error));
    if (facts.repeats == 0)
        tell_others(request, options);
    tell_price(&facts, price);
    return SCRIM_OK;
}
