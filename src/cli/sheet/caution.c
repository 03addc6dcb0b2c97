#include "cli/sheet/caution.h"

#include "cli/sheet/number_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
            SC_EPSILON_VOID) " or more is hardly any protection: an "
                             "attacker may learn about a person with near certainty";
    if (value > SC_EPSILON_WEAK)
        return "epsilon above " NUMBER(
            SC_EPSILON_WEAK) " is weak protection: an attacker "
                             "may learn about a person with high confidence";
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

void sc_left_out_write(sc_output *output, const char *unit, bool is_first)
{
    if (strcmp(unit, "row") != 0)
        sc_output_format(output, "%-12srows without %s are ignored\n",
                         is_first ? "bounds" : "", unit);
}
