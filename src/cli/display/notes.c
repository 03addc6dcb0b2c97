#include "cli/display/notes.h"

#include "cli/terminal/line_fold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SC_EPSILON_VOID 5

/* The one scale of epsilon: above this it is weak protection, and from that on hardly any. */
#define SC_EPSILON_WEAK 1

#define INDENT 12
/* More than any note has. */
#define NOTE_BYTES (SC_OUTPUT_BYTES / 2)

size_t sc_fold_begin(sc_output *output)
{
    return (size_t)(sc_output_reserve(output, NOTE_BYTES) - output->bytes);
}

static void put(void *context, const char *bytes, size_t count)
{
    sc_output_bytes(context, bytes, count);
}

void sc_fold_end_at(sc_output *output, size_t begin, size_t columns, size_t indent)
{
    if (output->used < begin)
        return; /* it went out meanwhile */
    const size_t bytes = output->used - begin;
    char *note = malloc(bytes + 1);
    if (note == NULL)
        return;
    memcpy(note, output->bytes + begin, bytes);
    output->used = begin;
    sc_lines_fold(&(sc_line_fold){.columns = columns, .indent = indent}, note, bytes, put,
                  output);
    free(note);
}

void sc_fold_end(sc_output *output, size_t begin, size_t columns)
{
    sc_fold_end_at(output, begin, columns, INDENT);
}

void sc_fold_line(sc_output *output, const char *name, const char *text, size_t columns)
{
    const size_t begin = sc_fold_begin(output);
    sc_output_format(output, "%-*s", INDENT, name);
    sc_output_text(output, text);
    sc_output_text(output, "\n");
    if (strlen(text) < NOTE_BYTES / 2)
        sc_fold_end(output, begin, columns);
}

/* The bytes up to the next space outside of quotes. */
static size_t word_bytes(const char *command)
{
    char quote = '\0';
    size_t i = 0;
    for (; command[i] != '\0' && (command[i] != ' ' || quote != '\0'); i++) {
        if (command[i] == '\\' && quote != '\'' && command[i + 1] != '\0')
            i++;
        else if (quote == '\0' && (command[i] == '\'' || command[i] == '"'))
            quote = command[i];
        else if (command[i] == quote)
            quote = '\0';
    }
    return i;
}

void sc_fold_command(sc_output *output, const char *command, size_t columns,
                     size_t indent)
{
    const size_t inner = indent + 4;
    size_t column = indent + 2;
    sc_output_format(output, "%*s$ ", (int)indent, "");
    while (*command != '\0') {
        const size_t word = word_bytes(command), space = strspn(command + word, " ");
        if (column > inner && column + word + 2 > columns) {
            sc_output_format(output, "\\\n%*s", (int)inner, "");
            column = inner;
        }
        sc_output_bytes(output, command, word + space);
        column += word + space;
        command += word + space;
    }
    sc_output_text(output, "\n");
}

/* Not below 1 in a thousand people, as explain has it for groups that it knows nothing of. */
#define DELTA_LARGE 1e-3

#define SHOW_NUMBER(number) #number
#define NUMBER(number) SHOW_NUMBER(number)

/* Its sentence without a full stop; NULL: no caution. */
static const char *epsilon_caution(const char *epsilon)
{
    const double value = sc_number_view(epsilon);
    if (value >= SC_EPSILON_VOID)
        return "epsilon " NUMBER(
            SC_EPSILON_VOID) " or more is hardly any protection: some answers "
                             "may tell about a person with near certainty";
    if (value > SC_EPSILON_WEAK)
        return "epsilon above " NUMBER(
            SC_EPSILON_WEAK) " is weak protection: some answers may "
                             "tell about a person with high confidence";
    return NULL;
}

void sc_caution_cost(sc_output *output, const scrim_cost *cost)
{
    char caution[SC_DELTA_BYTES];
    sc_caution_query(output, cost);
    if (sc_caution_any_delta(cost->delta, caution))
        sc_output_format(output, "caution     %s\n", caution);
}

bool sc_caution_any_delta(const char *delta, char text[SC_DELTA_BYTES])
{
    char number[SC_BOUND_BYTES];
    text[0] = '\0';
    if (sc_number_view(delta) < DELTA_LARGE)
        return false;
    sc_number_format_upper(delta, number);
    snprintf(text, SC_DELTA_BYTES,
             "delta %s would allow publishing all of one person's data with that "
             "probability; use a far smaller delta",
             number);
    return true;
}

void sc_caution_query(sc_output *output, const scrim_cost *cost)
{
    const char *caution = epsilon_caution(cost->epsilon);
    if (caution != NULL)
        sc_output_format(output, "caution     %s\n", caution);
}

bool sc_delta_is_large(const scrim_cost *cost, const char *expect)
{
    return sc_number_view(cost->delta) * sc_number_view(expect) >= 1;
}

void sc_caution_delta(sc_output *output, const scrim_cost *cost, const char *expect)
{
    if (sc_delta_is_large(cost, expect))
        sc_output_format(
            output,
            "caution     delta %s is not below 1 divided by the %s expected rows of a "
            "group: it would allow publishing one person's data; use a far smaller "
            "delta\n",
            cost->delta, expect);
}

const char *sc_caution_epsilon(const char *epsilon)
{
    return epsilon_caution(epsilon);
}

const char *sc_caution_budget(const char *epsilon)
{
    return sc_number_view(epsilon) >= SC_EPSILON_VOID ? epsilon_caution(epsilon) : NULL;
}

bool sc_caution_shares(const scrim_budget *budget, char text[SC_SHARES_BYTES])
{
    char shares[SC_AMOUNT_BYTES], whole[SC_AMOUNT_BYTES];
    text[0] = '\0';
    if (!budget->is_overshared)
        return false;
    sc_amount_format(budget->unit, budget->shares, budget->shares_delta, true, shares);
    sc_amount_format(budget->unit, budget->total, budget->total_delta, false, whole);
    snprintf(text, SC_SHARES_BYTES,
             "the shares of %s add up to %s, more than its budget of %s; not every share "
             "can be spent",
             budget->population, shares, whole);
    return true;
}

void sc_kept_write(sc_output *output, const char *kept)
{
    if (kept[0] != '\0')
        sc_output_format(output, "bounds      %s\n", kept);
}

void sc_uncounted_write(sc_output *output, const char *units)
{
    sc_output_format(output, "%-12s" SC_UNCOUNTED "\n", "", units);
}

void sc_left_out_write(sc_output *output, const char *unit, bool is_first)
{
    if (strcmp(unit, "row") != 0)
        sc_output_format(output, "%-12srows without %s are ignored\n",
                         is_first ? "bounds" : "", unit);
}

static bool has_share(const scrim_remainder *left)
{
    return left->share[0] != '\0' || left->share_delta[0] != '\0';
}

bool sc_remainder_format(const char *unit, const scrim_remainder *left,
                         char text[SC_REMAINDER_BYTES])
{
    char share[SC_AMOUNT_BYTES], whole[SC_AMOUNT_BYTES], number[SC_BOUND_BYTES];
    text[0] = '\0';
    if (!has_share(left))
        return false;
    sc_amount_format(unit, left->share, left->share_delta, false, share);
    sc_amount_format(unit, left->whole, left->whole_delta, false, whole);
    /* Both are numbers of one unit: it is named once. */
    if (strchr(share, ',') == NULL && strchr(whole, ',') == NULL &&
        left->share[0] != '\0') {
        sc_number_format_lower(left->whole, number);
        snprintf(text, SC_REMAINDER_BYTES, "%s of your share, %s of the whole budget",
                 share, number);
    } else {
        snprintf(text, SC_REMAINDER_BYTES, "%s of your share; %s of the whole budget",
                 share, whole);
    }
    return true;
}

#define REFUSED ", which is not enough: the query would be refused (status 4)"

static bool is_below(const char *left, const char *cost)
{
    return left[0] != '\0' && sc_number_view(left) < sc_number_view(cost);
}

void sc_remainder_lack(const char *unit, const scrim_remainder *left, const char *amount,
                       const char *delta, char text[SC_REMAINDER_BYTES])
{
    char share[SC_AMOUNT_BYTES], whole[SC_AMOUNT_BYTES];
    sc_amount_format(unit, left->whole, left->whole_delta, false, whole);
    if (!has_share(left)) {
        snprintf(text, SC_REMAINDER_BYTES, "%s" REFUSED, whole);
        return;
    }
    sc_amount_format(unit, left->share, left->share_delta, false, share);
    if (is_below(left->whole, amount) || is_below(left->whole_delta, delta))
        snprintf(text, SC_REMAINDER_BYTES,
                 "the whole budget has %s left" REFUSED "; your share has %s", whole,
                 share);
    else
        snprintf(text, SC_REMAINDER_BYTES,
                 "your share has %s left" REFUSED "; the whole budget has %s", share,
                 whole);
}

void sc_remainder_json(sc_json *json, const scrim_remainder *left)
{
    if (!has_share(left))
        return;
    sc_json_text_or_null(json, "share_left", left->share);
    sc_json_text_or_null(json, "share_left_delta", left->share_delta);
    sc_json_text(json, "whole_left", left->whole);
    sc_json_text(json, "whole_left_delta", left->whole_delta);
}

void sc_amount_write(sc_output *output, const char *unit, const char *amount,
                     const char *delta, bool upper)
{
    char text[SC_AMOUNT_BYTES];
    sc_output_text(output, sc_amount_format(unit, amount, delta, upper, text));
}
