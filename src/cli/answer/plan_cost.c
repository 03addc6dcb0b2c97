/* The cost of a plan in words: whom it protects, what it charges and leaves, what a guess can gain. */
#include "cli/answer/plan_view.h"
#include "cli/answer/release_note.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_protection(const sc_plan_view *view)
{
    const scrim_plan_facts *facts = &view->facts;
    if (strcmp(facts->unit, "row") == 0)
        sc_output_text(view->output, "protects    each row");
    else
        sc_output_format(view->output, "protects    all rows of one %s", facts->unit);
    sc_output_format(view->output, ", as if %s (neighbours: %s)\n",
                     facts->neighbours == SCRIM_REPLACE ? "they had been somebody else's"
                                                        : "they had never been there",
                     scrim_neighbours_name(facts->neighbours));
}

static void write_group(sc_output *output, const char *many, const scrim_cost *cost)
{
    if (cost->epsilon[0] == '\0') {
        sc_output_format(output, "of %s: no guarantee", many);
        return;
    }
    sc_output_format(output, "of %s: ", many);
    sc_amount_write(output, "epsilon", cost->epsilon, cost->delta, true);
}

bool sc_plan_is_above_cap(const scrim_dataset *dataset, const scrim_plan_facts *facts)
{
    const bool is_above =
        (dataset->cap[0] != '\0' &&
         sc_number_view(facts->amount) > sc_number_view(dataset->cap)) ||
        (dataset->cap_delta[0] != '\0' &&
         sc_number_view(facts->amount_delta) > sc_number_view(dataset->cap_delta));
    return is_above && facts->repeats == 0;
}

/* The most that the owner lets one question cost. */
static void write_cap(const sc_plan_view *view)
{
    const scrim_dataset *dataset = &view->dataset;
    const scrim_plan_facts *facts = &view->facts;
    if (!sc_plan_is_above_cap(dataset, facts))
        return;
    sc_output_text(view->output, "cap         one query may cost at most ");
    sc_amount_write(view->output, facts->account_unit, dataset->cap, dataset->cap_delta,
                    false);
    sc_output_text(view->output, ": the query would be refused (status 3)\n");
}

static void write_left(sc_output *output, const scrim_plan_facts *facts)
{
    char left[SC_REMAINDER_BYTES];
    sc_output_text(output, "left        ");
    if (facts->repeats == 0 && facts->after[0] == '\0') {
        sc_remainder_lack(facts->account_unit, &facts->remainder, facts->amount,
                          facts->amount_delta, left);
        sc_output_format(output, "%s\n", left);
        return;
    }
    if (sc_remainder_format(facts->account_unit, &facts->remainder, left))
        sc_output_text(output, left);
    else
        sc_amount_write(output, facts->account_unit, facts->left, facts->left_delta,
                        false);
    if (facts->is_pending)
        sc_output_format(output,
                         "; release %" PRIu64 " was charged for this question and has no "
                         "answer yet: asking again is free\n",
                         facts->repeats);
    else if (facts->is_booked)
        sc_output_text(output, "; free for the budget: another analyst has the answer; "
                               "the cost is booked on your share\n");
    else if (facts->repeats > 0)
        sc_output_format(output, "; answered by release %" PRIu64 ": asking is free\n",
                         facts->repeats);
    else {
        sc_output_text(output, "; after it ");
        /* A delta that stays is not said again. */
        sc_amount_write(output, facts->account_unit, facts->after,
                        strcmp(facts->amount_delta, "0") == 0 ? "0" : facts->after_delta,
                        false);
        sc_output_text(output, "\n");
    }
}

/* Noise grows with the rows of a unit that are used, and with the share that finding them takes. */
static void write_auto_rows(sc_output *output, const scrim_plan_facts *facts,
                            double share)
{
    const double fewer = floor((double)facts->bounds_total * (1 - share));
    sc_output_format(output,
                     "how many rows of a %s are used; errors below are for the declared "
                     "bounds, %" PRIu64 " row%s in all; worth it if ",
                     facts->unit, facts->bounds_total,
                     facts->bounds_total == 1 ? "" : "s");
    if (fewer >= 1)
        sc_output_format(output, "%.0f row%s enough, or if ", fewer,
                         fewer > 1 ? "s or fewer are" : " is");
    sc_output_text(output, "more than declared are needed\n");
    if (facts->found_totals[0] != '\0')
        sc_output_format(output,
                         "%-12sa part of it finds the bound of a %s's total of %s\n", "",
                         facts->unit, facts->found_totals);
}

static void write_auto(sc_output *output, const scrim_plan_facts *facts)
{
    if (facts->bounds_share[0] == '\0')
        return;
    const double share = sc_number_view(facts->bounds_share);
    sc_output_format(output, "auto        %.4g %% of epsilon finds ", 100 * share);
    if (facts->bounds_total > 0)
        write_auto_rows(output, facts, share);
    else
        sc_output_format(output,
                         "the bound of a %s's total of %s; errors below are for the "
                         "declared bounds\n",
                         facts->unit, facts->found_totals);
    if (facts->unfound_total[0] != '\0') {
        char total[SC_TALK_WORD_BYTES], word[SC_TALK_WORD_BYTES];
        snprintf(total, sizeof total, "%.160s=auto", facts->unfound_total);
        sc_output_format(output,
                         "%-12s--max-total %s finds a bound of a %s's total too, with "
                         "which a sum mostly has much less noise\n",
                         "", sc_talk_word(total, word), facts->unit);
    }
}

static void write_groups(sc_output *output, const scrim_plan_facts *facts)
{
    const bool is_row = strcmp(facts->unit, "row") == 0;
    sc_output_text(output, is_row ? "groups      " : "households  ");
    write_group(output, is_row ? "2 rows" : "2", &facts->of_two);
    sc_output_text(output, "; ");
    write_group(output, "4", &facts->of_four);
    sc_output_text(output, "\n");
}

static void write_cost(const sc_plan_view *view)
{
    const scrim_plan_facts *facts = &view->facts;
    sc_output *output = view->output;
    char guess[SC_GUESS_BYTES];
    sc_output_text(output, "cost        ");
    if (view->is_verbose || strcmp(facts->account_unit, "rho") == 0)
        sc_cost_write(output, &facts->cost);
    else
        sc_cost_write_short(output, &facts->cost);
    if (!view->is_verbose) /* else the line of what it protects has it */
        sc_output_format(output, " (%s)", scrim_neighbours_name(facts->neighbours));
    if (facts->is_joint) {
        sc_output_text(output, "\ncharged     ");
        sc_amount_write(output, facts->account_unit, facts->amount, facts->amount_delta,
                        true);
        sc_output_text(output,
                       ": the joint cost of all parts, which are fixed in advance");
    }
    sc_output_text(output, "\n");
    write_auto(output, facts);
    write_left(output, facts);
    write_cap(view);
    sc_output_format(
        output,
        view->is_verbose ? "attacker    someone who knows everyone else and guesses "
                           "whether one %s is in the data %s of the time (chance: "
                           "50 %%)\n"
                         : "attacker    a guess about one %s %s (chance: 50 %%)\n",
        facts->unit_word, sc_guess_text(sc_number_view(facts->guess), guess));
    if (view->is_verbose)
        write_groups(output, facts);
    if (facts->quantum[0] != '\0')
        sc_output_format(output,
                         "time        answered at a multiple of %s s, so that the time "
                         "reveals nothing about the rows\n",
                         facts->quantum);
    sc_caution_query(output, &facts->cost);
    sc_caution_delta(output, &facts->cost, facts->expect);
}

void sc_plan_head_write(const sc_plan_view *view)
{
    const size_t begin = sc_fold_begin(view->output);
    if (view->is_verbose)
        write_protection(view);
    write_cost(view);
    sc_fold_end(view->output, begin, view->terminal->columns);
}
