/* The releases of a time as a table, CSV and JSON. */
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/release/all_releases.h"
#include "cli/release/report_values.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *state_name(scrim_entry_state state)
{
    return state == SCRIM_ENTRY_RELEASED  ? "released"
           : state == SCRIM_ENTRY_PENDING ? "pending"
                                          : "charged";
}

static scrim_status add_row(sc_listing *listing, const sc_all_releases *all,
                            const sc_past_release *one)
{
    SC_FREED char *seen = sc_shown_text(&all->shown, one->id);
    if (seen == NULL)
        return SCRIM_E_MEMORY;
    char id[24], version[24], time[SC_TIME_BYTES], total[SC_JOINT_BYTES];
    char amount[SC_AMOUNT_BYTES];
    const sc_past_population *population = &all->populations[one->population];
    snprintf(id, sizeof id, "%" PRIu64, one->id);
    snprintf(version, sizeof version, "%" PRIu64, one->version);
    sc_time_format(
        listing->format == SCRIM_FORMAT_TABLE ? sc_past_moment(one) : one->time, time);
    sc_sum_format(one->total, total);
    sc_amount_format(population->unit, one->amount, one->delta, true, amount);
    if (listing->format != SCRIM_FORMAT_TABLE) {
        sc_listing_add(listing,
                       (const char *[]){id, time, one->analyst, population->name,
                                        one->dataset, version, one->question,
                                        population->unit, one->amount, one->delta, total,
                                        state_name(one->state), one->protects, seen});
        return SCRIM_OK;
    }
    if (time[0] != '\0')
        *strchr(time, 'T') = '\0';
    const size_t bytes = strlen(one->question) + 64;
    SC_FREED char *question = malloc(bytes);
    if (question == NULL)
        return SCRIM_E_MEMORY;
    snprintf(question, bytes, "%s%s%s", one->question,
             one->state != SCRIM_ENTRY_RELEASED ? " (no answer)" : "",
             one->is_typed ? " (numbers typed in)" : "");
    sc_listing_add(listing,
                   (const char *[]){id, time, one->analyst, question, amount, total});
    return SCRIM_OK;
}

/* Whom the releases of a population protect, each unit once. */
static void write_protected(sc_output *output, const sc_all_releases *all, size_t of,
                            unsigned columns)
{
    for (size_t i = 0; i < all->count; i++) {
        const sc_past_release *one = &all->releases[i];
        bool is_first = one->population == of && one->protects[0] != '\0';
        for (size_t j = 0; is_first && j < i; j++)
            is_first = all->releases[j].population != of ||
                       strcmp(all->releases[j].protects, one->protects) != 0;
        if (is_first)
            sc_fold_line(output, "protected", one->protects, columns);
    }
}

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* The sums before the time, in it, and up to its end. */
static void write_spent(sc_output *output, const sc_all_releases *all,
                        const sc_past_population *p, unsigned columns)
{
    char text[SC_REPORT_LINE_BYTES], sum[SC_JOINT_BYTES * 3], left[SC_JOINT_BYTES * 3];
    const bool has_before = p->before.charges > 0;
    if (has_before) {
        sc_past_sum_format(p, &p->before, sum);
        snprintf(text, sizeof text,
                 "%.120s by %" PRIu64 " charge%s to %.100s before this time", sum,
                 p->before.charges, plural(p->before.charges), p->name);
        sc_fold_line(output, "before", text, columns);
    }
    if (p->within.charges > 0) {
        sc_past_sum_format(p, &p->within, sum);
        snprintf(text, sizeof text,
                 "%.120s by %" PRIu64 " charge%s to %.100s%s, as a sum", sum,
                 p->within.charges, plural(p->within.charges), p->name,
                 has_before ? " in this time" : "");
        sc_fold_line(output, has_before ? "then" : "together", text, columns);
    }
    sc_past_sum_format(p, &p->end, sum);
    sc_past_left_format(p, left);
    if (p->by_all[0] != '\0')
        snprintf(text, sizeof text, "%.120s by this analyst; %.60s of %.60s by all", sum,
                 p->by_all, p->budget);
    else
        snprintf(text, sizeof text, "%.120s of %.60s%s %s%.120s", sum, p->budget,
                 p->is_share ? ", the share of this analyst," : "",
                 all->until == 0 ? "so far" : "up to the end of this time", left);
    sc_fold_line(output, "spent", text, columns);
}

/* An analyst's subtotal: "epsilon 0.75 by 2 answers, 1 of them shown; alone, a guess is right at most 67.9 % of the time". */
static void write_analyst(sc_output *output, const sc_past_population *p,
                          const sc_past_analyst *one, unsigned columns)
{
    char text[SC_REPORT_LINE_BYTES], sum[SC_JOINT_BYTES * 3], shown[64] = "";
    sc_past_sum_format(p, &one->all, sum);
    if (one->shown.charges > 0)
        snprintf(shown, sizeof shown, ", %" PRIu64 " of them charged to others",
                 one->shown.charges);
    snprintf(text, sizeof text,
             "%.64s has answers at %.150s by %" PRIu64 " charge%s%s%s%s%s", one->name,
             sum, one->all.charges, plural(one->all.charges), shown,
             one->bound.guess[0] == '\0' ? "" : "; with these alone a guess ",
             one->bound.guess, one->bound.guess[0] == '\0' ? "" : " of the time");
    sc_fold_line(output, "analyst", text, columns);
}

/* The ledger knows who asked, and of analysts with a share who read an answer again. */
static void write_seen(sc_output *output, const sc_all_releases *all, size_t population,
                       unsigned columns)
{
    const sc_past_population *p = &all->populations[population];
    for (size_t i = 0; i < all->count; i++) {
        const sc_past_release *one = &all->releases[i];
        SC_FREED char *seen = sc_shown_text(&all->shown, one->id);
        char text[SC_REPORT_LINE_BYTES];
        if (one->population != population || one->is_before || seen == NULL ||
            seen[0] == '\0')
            continue;
        snprintf(text, sizeof text, "release %" PRIu64 " to %.900s", one->id, seen);
        sc_fold_line(output, "also shown", text, columns);
    }
    for (size_t i = 0; i < all->analyst_count; i++)
        if (all->analysts[i].population == population &&
            (p->analysts > 1 || all->analyst != NULL))
            write_analyst(output, p, &all->analysts[i], columns);
    sc_fold_line(output, "reading",
                 p->has_shares
                     ? "an answer that is read again is recorded for analysts with a "
                       "share of the budget, and for nobody else"
                     : "not recorded: no analyst has a share of the budget, so the "
                       "ledger says who asked, and not who read an answer again",
                 columns);
}

static void write_together(sc_output *output, const sc_all_releases *all, size_t i,
                           unsigned columns)
{
    char text[SC_REPORT_LINE_BYTES], guessed[SC_GUESSED_BYTES];
    const sc_past_population *p = &all->populations[i];
    write_spent(output, all, p, columns);
    write_protected(output, all, i, columns);
    if (p->bound.joint[0] != '\0') {
        snprintf(text, sizeof text, "epsilon %s at delta %s, by the accountant %s",
                 p->bound.joint, p->bound.joint_delta, p->bound.accountant);
        sc_fold_line(output, "jointly", text, columns);
    } else if (sc_past_sum_is_best(p)) {
        sc_fold_line(output, "jointly", "no smaller total than the sum can be proven",
                     columns);
    }
    sc_past_guessed_format(all, i, guessed);
    write_seen(output, all, i, columns);
    if (p->bound.guess[0] != '\0') {
        snprintf(text, sizeof text,
                 "someone who sees all these answers%s, knows everyone else and "
                 "guesses %s %s of the time (chance: 50 %%)",
                 p->before.charges > 0 ? " and those before" : "", guessed,
                 p->bound.guess);
        sc_fold_line(output, "meaning", text, columns);
    }
}

/* "2026-11-19 claims: max-groups: 2 to 3" */
static void write_changes(sc_output *output, const sc_all_releases *all, unsigned columns)
{
    for (size_t i = 0; i < all->change_count; i++) {
        const sc_past_change *one = &all->changes[i];
        char text[SC_REPORT_LINE_BYTES], time[SC_TIME_BYTES];
        sc_time_format(one->time, time);
        if (time[0] != '\0')
            *strchr(time, 'T') = '\0';
        snprintf(text, sizeof text, "%s%s%.64s%s%.80s%s%.160s%s%.160s", time,
                 time[0] == '\0' ? "" : " ",
                 one->dataset[0] != '\0'      ? one->dataset
                 : one->population[0] != '\0' ? one->population
                                              : "vault",
                 ": ", one->what, one->before[0] == '\0' ? "" : ": ", one->before,
                 one->after[0] == '\0'    ? one->before[0] == '\0' ? "" : ", removed"
                 : one->before[0] == '\0' ? ": "
                                          : " to ",
                 one->after);
        sc_fold_line(output, "changed", text, columns);
    }
}

/* Lines about all budgets. */
static void write_ends(sc_output *output, const sc_all_releases *all, unsigned columns)
{
    char text[SC_IN_ALL_BYTES];
    if (sc_past_in_all_format(all, text))
        sc_fold_line(output, "in all", text, columns);
    sc_set_back_format(all, text);
    if (text[0] != '\0')
        sc_fold_line(output, "caution", text, columns);
    write_changes(output, all, columns);
}

static void write_sum(sc_json *json, const char *amount, const char *delta,
                      const sc_past_sum *sum)
{
    char number[SC_JOINT_BYTES];
    sc_sum_format(sum->amount, number);
    sc_json_text(json, amount, number);
    sc_sum_format(sum->delta, number);
    sc_json_text(json, delta, number);
}

/* "88.1": percent of the time that a guess is right at most. */
static void write_guess(sc_json *json, const sc_past_bound *p)
{
    const char *number = strpbrk(p->guess, "0123456789");
    char percent[SC_JOINT_BYTES];
    if (number == NULL)
        return;
    snprintf(percent, sizeof percent, "%.*s", (int)strspn(number, "0123456789."), number);
    sc_json_text(json, "guess_percent",
                 strstr(p->guess, "more than") == NULL ? percent : "100");
}

static void write_analysts(sc_json *json, const sc_all_releases *all, size_t population)
{
    sc_json_array(json, "analysts");
    for (size_t i = 0; i < all->analyst_count; i++) {
        const sc_past_analyst *one = &all->analysts[i];
        if (one->population != population)
            continue;
        sc_json_object(json, NULL);
        sc_json_text(json, "analyst", one->name);
        sc_json_count(json, "asked", one->asked.charges);
        sc_json_count(json, "shown", one->shown.charges);
        write_sum(json, "sum", "sum_delta", &one->all);
        sc_json_text_if_any(json, "joint_epsilon", one->bound.joint);
        write_guess(json, &one->bound);
        sc_json_end(json);
    }
    sc_json_end(json);
}

/* The time, the head and the changes. */
static void write_json_about(sc_json *json, const sc_all_releases *all)
{
    char time[SC_TIME_BYTES];
    sc_time_format(all->from, time);
    sc_json_text_if_any(json, "from", time);
    sc_time_format(all->until, time);
    sc_json_text_if_any(json, "until", time);
    sc_time_format(all->written, time);
    sc_json_text_if_any(json, "written", time);
    sc_json_count(json, "entries", all->head.entries);
    sc_json_text(json, "head", all->head.hash);
    sc_json_array(json, "changes");
    for (size_t i = 0; i < all->change_count; i++) {
        const sc_past_change *one = &all->changes[i];
        sc_time_format(one->time, time);
        sc_json_object(json, NULL);
        sc_json_text_if_any(json, "time", time);
        sc_json_text_if_any(json, "dataset", one->dataset);
        sc_json_text_if_any(json, "population", one->population);
        sc_json_text(json, "what", one->what);
        sc_json_text_if_any(json, "before", one->before);
        sc_json_text_if_any(json, "after", one->after);
        sc_json_end(json);
    }
    sc_json_end(json);
}

static void write_json(sc_json *json, const sc_all_releases *all)
{
    write_json_about(json, all);
    sc_json_array(json, "populations");
    for (size_t i = 0; i < all->population_count; i++) {
        const sc_past_population *p = &all->populations[i];
        sc_json_object(json, NULL);
        sc_json_text(json, "population", p->name);
        sc_json_count(json, "charges", p->within.charges);
        sc_json_text(json, "unit", p->unit);
        write_sum(json, "sum", "sum_delta", &p->within);
        sc_json_count(json, "charges_before", p->before.charges);
        write_sum(json, "before", "before_delta", &p->before);
        write_sum(json, "end", "end_delta", &p->end);
        sc_json_text(json, "budget", p->budget);
        sc_json_text(json, "budget_delta", p->budget_delta);
        sc_json_text_if_any(json, "joint_epsilon", p->bound.joint);
        sc_json_text_if_any(json, "joint_delta",
                            p->bound.joint[0] == '\0' ? "" : p->bound.joint_delta);
        sc_json_text_if_any(json, "accountant",
                            p->bound.joint[0] == '\0' ? "" : p->bound.accountant);
        write_guess(json, &p->bound);
        sc_json_truth(json, "reading_recorded", p->has_shares);
        write_analysts(json, all, i);
        sc_json_end(json);
    }
    sc_json_end(json);
}

/* For people: the time, and a table a budget with its sums. */
static scrim_status write_pages(sc_output *output, const sc_all_releases *all,
                                const sc_terminal *terminal, scrim_error *error)
{
    static const sc_listing_column brief[] = {{.name = "release"}, {.name = "date"},
                                              {.name = "analyst"}, {.name = "question"},
                                              {.name = "cost"},    {.name = "total"}};
    char period[SC_REPORT_LINE_BYTES], written[SC_WRITTEN_BYTES];
    sc_period_format(all, period, sizeof period);
    sc_written_format(all, written);
    sc_output_format(output, "%s%s%.64s%s%s\n", period,
                     all->analyst == NULL ? "" : " that ",
                     all->analyst == NULL ? "" : all->analyst,
                     all->analyst == NULL ? "" : " asked for or was shown", written);
    if (all->listed == 0)
        sc_output_text(output, "nothing was charged in this time\n");
    for (size_t k = 0; k < all->population_count; k++) {
        sc_listing table = SC_LISTING(brief, output, SCRIM_FORMAT_TABLE, terminal);
        scrim_status status = SCRIM_OK;
        if (all->population_count > 1)
            sc_output_format(output, "\nbudget %.64s\n", all->populations[k].name);
        for (size_t i = 0; status == SCRIM_OK && i < all->count; i++)
            if (sc_past_is_listed(all, i, k))
                status = add_row(&table, all, &all->releases[i]);
        sc_listing_end_rows(&table);
        if (status != SCRIM_OK)
            status = sc_out_of_memory(error, "the releases");
        if (all->populations[k].within.charges > 0 || status != SCRIM_OK)
            SC_TRY(sc_listing_close(&table, status, error));
        write_together(output, all, k, terminal->columns);
    }
    write_ends(output, all, terminal->columns);
    return SCRIM_OK;
}

scrim_status sc_all_releases_write(sc_output *output, const sc_all_releases *all,
                                   sc_format format, const sc_terminal *terminal,
                                   scrim_error *error)
{
    static const sc_listing_column exact[] = {
        {"release", SC_KIND_NUMBER}, {"time", SC_NULLABLE},
        {.name = "analyst"},         {.name = "population"},
        {.name = "dataset"},         {"version", SC_KIND_NUMBER},
        {.name = "question"},        {.name = "unit"},
        {.name = "amount"},          {.name = "delta"},
        {.name = "total"},           {.name = "state"},
        {.name = "protects"},        {"shown_to", SC_NULLABLE}};
    if (format == SCRIM_FORMAT_TABLE)
        return write_pages(output, all, terminal, error);
    sc_listing page = SC_LISTING(exact, output, format, terminal);
    (void)sc_listing_open(&page);
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < all->count; i++)
        if (!all->releases[i].is_before)
            status = add_row(&page, all, &all->releases[i]);
    sc_listing_end_rows(&page);
    if (format == SCRIM_FORMAT_JSON && status == SCRIM_OK)
        write_json(page.json, all);
    if (status != SCRIM_OK)
        status = sc_out_of_memory(error, "the releases");
    return sc_listing_close(&page, status, error);
}
