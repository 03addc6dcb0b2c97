#include "cli/release/all_releases.h"

#include "cli/display/number_view.h"
#include "cli/release/report_values.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAY_SECONDS 86400

/* Numbers and days for people. */

/* "1e-06" as "1e-6". */
static void shorten_exponent(char *text)
{
    char *mark = strpbrk(text, "e");
    if (mark != NULL && mark[1] == '-' && mark[2] == '0')
        memmove(mark + 2, mark + 3, strlen(mark + 3) + 1);
}

void sc_sum_format(double sum, char text[SC_JOINT_BYTES])
{
    double step = 1e-6;
    snprintf(text, SC_JOINT_BYTES, "%.6g", sum);
    /* The sixth digit is raised where rounding has made the number smaller by more than the sum's own error. */
    for (double shown = sum; strtod(text, NULL) < sum * (1 - 1e-12); step *= 2) {
        shown = sum * (1 + step);
        snprintf(text, SC_JOINT_BYTES, "%.6g", shown);
    }
    shorten_exponent(text);
}

void sc_past_sum_format(const sc_past_population *population, const sc_past_sum *sum,
                        char text[SC_JOINT_BYTES * 3])
{
    char amount[SC_JOINT_BYTES], delta[SC_JOINT_BYTES];
    sc_sum_format(sum->amount, amount);
    sc_sum_format(sum->delta, delta);
    snprintf(text, SC_JOINT_BYTES * 3, "%s %s%s%s", population->unit, amount,
             sum->delta > 0 ? ", delta " : "", sum->delta > 0 ? delta : "");
}

/* 6 digits, never above the number. */
static void rest_format(double rest, double whole, char text[SC_JOINT_BYTES])
{
    /* Less than the error of both sums is nothing. */
    const double number = rest <= 1e-12 * whole ? 0 : rest;
    snprintf(text, SC_JOINT_BYTES, "%.6g", number);
    for (double step = 1e-6; strtod(text, NULL) > number * (1 + 1e-12); step *= 2)
        snprintf(text, SC_JOINT_BYTES, "%.6g", number * (1 - step));
    shorten_exponent(text);
}

void sc_past_left_format(const sc_past_population *population,
                         char text[SC_JOINT_BYTES * 3])
{
    char amount[SC_JOINT_BYTES], delta[SC_JOINT_BYTES];
    const double whole = sc_number_view(population->budget);
    const double whole_delta = sc_number_view(population->budget_delta);
    rest_format(whole - population->end.amount, whole, amount);
    rest_format(whole_delta - population->end.delta, whole_delta, delta);
    snprintf(text, SC_JOINT_BYTES * 3, "%s%s%s", amount,
             whole_delta > 0 ? ", delta " : "", whole_delta > 0 ? delta : "");
}

void sc_day_format(uint64_t seconds, char text[SC_TIME_BYTES])
{
    const time_t time = (time_t)seconds;
    struct tm parts;
    text[0] = '\0';
    if (seconds != 0 && gmtime_r(&time, &parts) != NULL) {
        char month[SC_TIME_BYTES];
        (void)strftime(month, sizeof month, "%B %Y", &parts);
        snprintf(text, SC_TIME_BYTES, "%d %.20s", parts.tm_mday, month);
    }
}

void sc_period_format(const sc_all_releases *all, char *text, size_t bytes)
{
    char from[SC_TIME_BYTES], to[SC_TIME_BYTES];
    sc_day_format(all->from, from);
    sc_day_format(all->until == 0 ? 0 : all->until - 1, to);
    if (from[0] == '\0' && to[0] == '\0')
        snprintf(text, bytes, "all releases of the vault");
    else
        snprintf(text, bytes, "releases%s%s%s%s", from[0] == '\0' ? "" : " from ", from,
                 to[0] == '\0' ? "" : " to ", to);
}

/* Reading. */

typedef struct reading {
    scrim_vault *vault;
    sc_all_releases *all;
    scrim_error *error;
} reading;

static scrim_status no_memory(scrim_error *error)
{
    return sc_out_of_memory(error, "the releases");
}

/* An array with room for one item more; NULL without memory. */
static void *grown(void *items, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return items;
    const size_t wanted = *room == 0 ? 16 : *room * 2;
    void *larger = realloc(items, wanted * bytes);
    if (larger != NULL)
        *room = wanted;
    return larger;
}

/* The place of a population among those of the time; it is added if it is new. */
static scrim_status place_population(reading *r, const scrim_vault_release *charge,
                                     size_t *place)
{
    sc_all_releases *all = r->all;
    for (*place = 0; *place < all->population_count; ++*place)
        if (strcmp(all->populations[*place].name, charge->population) == 0)
            return SCRIM_OK;
    sc_past_population *larger = grown(all->populations, all->population_count,
                                       &all->population_room, sizeof *larger);
    if (larger == NULL)
        return no_memory(r->error);
    all->populations = larger;
    sc_past_population *added = &larger[all->population_count];
    scrim_budget budget;
    memset(added, 0, sizeof *added);
    SC_TRY(scrim_vault_budget_of(r->vault, charge->population, NULL, &budget, r->error));
    added->unit = charge->unit;
    added->neighbours = budget.neighbours;
    snprintf(added->name, sizeof added->name, "%s", charge->population);
    snprintf(added->budget, sizeof added->budget, "%s", budget.total);
    snprintf(added->budget_delta, sizeof added->budget_delta, "%s", budget.total_delta);
    all->population_count++;
    return SCRIM_OK;
}

/* Releases of one version of a dataset protect the same unit, so the label of one of them is enough. A run that was never
 * closed has answers and no label. */
static scrim_status find_protects(reading *r, sc_past_release *release)
{
    const sc_all_releases *all = r->all;
    for (size_t i = all->count; i > 0; i--) {
        const sc_past_release *earlier = &all->releases[i - 1];
        if (earlier->version == release->version && earlier->protects[0] != '\0' &&
            strcmp(earlier->dataset, release->dataset) == 0) {
            memcpy(release->unit, earlier->unit, sizeof release->unit);
            memcpy(release->protects, earlier->protects, sizeof release->protects);
            return SCRIM_OK;
        }
    }
    SC_OWNED(scrim_label_free_at) scrim_label *label = NULL;
    const scrim_status status = scrim_label_new(r->vault, release->id, &label, r->error);
    if (status != SCRIM_OK)
        return r->error->reason == SCRIM_REASON_OPEN ? SCRIM_OK : status;
    snprintf(release->unit, sizeof release->unit, "%.150s",
             sc_report_get(label, "protection.unit"));
    snprintf(release->protects, sizeof release->protects, "%s (%.30s)", release->unit,
             sc_report_get(label, "protection.neighbours"));
    return SCRIM_OK;
}

/* A time of 0 is not known: such a charge is listed in every time. */
static bool is_after(const sc_all_releases *all, uint64_t time)
{
    return all->until != 0 && time >= all->until;
}

static bool is_before(const sc_all_releases *all, uint64_t time)
{
    return time != 0 && time < all->from;
}

static char *question_of(const char *measurement)
{
    const size_t bytes = scrim_charge_asked(measurement, NULL, 0) + 1;
    char *text = malloc(bytes);
    if (text != NULL)
        (void)scrim_charge_asked(measurement, text, bytes);
    return text;
}

static void add_to_sum(sc_past_sum *sum, const sc_past_release *one)
{
    sum->amount += sc_number_view(one->amount);
    sum->delta += sc_number_view(one->delta);
    sum->charges++;
}

static scrim_status add_release(void *context, const scrim_vault_release *charge)
{
    reading *r = context;
    sc_all_releases *all = r->all;
    if (is_after(all, charge->time))
        return SCRIM_OK;
    sc_past_release *larger =
        grown(all->releases, all->count, &all->room, sizeof *larger);
    if (larger == NULL)
        return no_memory(r->error);
    all->releases = larger;
    sc_past_release added = {.id = charge->id,
                             .time = charge->time,
                             .version = charge->version,
                             .state = charge->state,
                             .is_before = is_before(all, charge->time)};
    snprintf(added.dataset, sizeof added.dataset, "%s", charge->dataset);
    snprintf(added.analyst, sizeof added.analyst, "%s", charge->analyst);
    snprintf(added.amount, sizeof added.amount, "%s", charge->amount);
    snprintf(added.delta, sizeof added.delta, "%s", charge->delta);
    SC_TRY(place_population(r, charge, &added.population));
    if (charge->state == SCRIM_ENTRY_RELEASED) {
        SC_TRY(find_protects(r, &added));
        if (added.protects[0] != '\0')
            all->last_answered = charge->id;
    }
    added.question = question_of(charge->measurement);
    if (added.question == NULL)
        return no_memory(r->error);
    sc_past_population *population = &all->populations[added.population];
    add_to_sum(added.is_before ? &population->before : &population->within, &added);
    add_to_sum(&population->end, &added);
    added.total = population->end.amount;
    all->listed += !added.is_before;
    all->releases[all->count++] = added;
    return SCRIM_OK;
}

static scrim_status take_standing(void *context, const scrim_budget_view *view)
{
    const reading *r = context;
    for (size_t i = 0; view->analyst == NULL && i < r->all->population_count; i++) {
        sc_past_population *p = &r->all->populations[i];
        if (strcmp(p->name, view->budget->population) == 0 &&
            view->standing->epsilon[0] != '\0' &&
            sc_number_view(view->standing->epsilon) <
                0.999 *
                    (p->joint[0] != '\0' ? sc_number_view(p->joint) : p->end.amount)) {
            char epsilon[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
            sc_report_number(view->standing->epsilon, epsilon);
            sc_report_number(view->standing->delta, delta);
            snprintf(p->fixed, sizeof p->fixed, "epsilon %.24s at delta %.20s", epsilon,
                     delta);
        }
    }
    return SCRIM_OK;
}

static void count_analysts(sc_all_releases *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const sc_past_release *one = &all->releases[i];
        bool is_first = !one->is_before;
        for (size_t j = 0; is_first && j < i; j++)
            is_first = all->releases[j].is_before ||
                       all->releases[j].population != one->population ||
                       strcmp(all->releases[j].analyst, one->analyst) != 0;
        all->populations[one->population].analysts += is_first;
    }
}

/* A day; the end of a time is the first second after it. */
static scrim_status read_day(const sc_options *options, sc_option option, bool is_end,
                             uint64_t *out, scrim_error *error)
{
    const char *text = options->value[option];
    if (text == NULL)
        return SCRIM_OK;
    if (!sc_history_date(text, out))
        return sc_refuse(error, "%s '%s' is not a day; write it as 2026-12-31",
                         sc_option_name(option), text);
    if (is_end)
        *out += strchr(text, 'T') == NULL ? DAY_SECONDS : 1;
    return SCRIM_OK;
}

scrim_status sc_all_releases_read(scrim_vault *vault, const sc_options *options,
                                  sc_all_releases *out, scrim_error *error)
{
    reading r = {vault, out, error};
    SC_TRY(read_day(options, SCRIM_OPTION_FROM, false, &out->from, error));
    SC_TRY(read_day(options, SCRIM_OPTION_TO, true, &out->until, error));
    if (out->until != 0 && out->until <= out->from)
        return sc_refuse(error, "--to '%s' is before --from '%s'",
                         options->value[SCRIM_OPTION_TO],
                         options->value[SCRIM_OPTION_FROM]);
    SC_TRY(scrim_vault_history(vault, NULL, 1, add_release, &r, error));
    for (size_t i = 0; i < out->population_count; i++)
        sc_past_joint_find(out, i);
    if (out->from == 0 && out->until == 0)
        SC_TRY(scrim_vault_budgets(vault, NULL, 1, take_standing, &r, error));
    count_analysts(out);
    return SCRIM_OK;
}

void sc_all_releases_clear(sc_all_releases *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->releases[i].question);
    free(all->releases);
    free(all->populations);
    memset(all, 0, sizeof *all);
}
