#include "cli/release/all_releases.h"

#include "cli/answer/release_note.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/release/report_values.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DAY_SECONDS 86400
/* Where a population has no delta, the joint epsilon is stated at this one. */
#define USUAL_DELTA "1e-6"

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

/* "epsilon 0.9 of 3" or "epsilon 0.9, delta 1e-6 of 3 and 1e-5". */
static void spent_format(const sc_past_population *p, char *text, size_t bytes)
{
    char sum[SC_JOINT_BYTES], delta[SC_JOINT_BYTES];
    sc_sum_format(p->sum, sum);
    sc_sum_format(p->sum_delta, delta);
    if (p->sum_delta > 0)
        snprintf(text, bytes, "%s %s, delta %s", p->unit, sum, delta);
    else
        snprintf(text, bytes, "%s %s", p->unit, sum);
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
    snprintf(added->name, sizeof added->name, "%s", charge->population);
    snprintf(added->budget, sizeof added->budget, "%s", budget.total);
    snprintf(added->budget_delta, sizeof added->budget_delta, "%s", budget.total_delta);
    all->population_count++;
    return SCRIM_OK;
}

/* Releases of one version of a dataset protect the same unit, so the label of one of them is enough. */
static scrim_status find_protects(reading *r, sc_past_release *release)
{
    const sc_all_releases *all = r->all;
    for (size_t i = all->count; i > 0; i--) {
        const sc_past_release *before = &all->releases[i - 1];
        if (before->version == release->version && before->protects[0] != '\0' &&
            strcmp(before->dataset, release->dataset) == 0) {
            snprintf(release->protects, sizeof release->protects, "%s", before->protects);
            return SCRIM_OK;
        }
    }
    SC_OWNED(scrim_label_free_at) scrim_label *label = NULL;
    SC_TRY(scrim_label_new(r->vault, release->id, &label, r->error));
    snprintf(release->protects, sizeof release->protects, "%.200s (%.30s)",
             sc_report_get(label, "protection.unit"),
             sc_report_get(label, "protection.neighbours"));
    return SCRIM_OK;
}

static bool is_within(const sc_all_releases *all, uint64_t time)
{
    return time == 0 || (time >= all->from && (all->until == 0 || time < all->until));
}

static char *question_of(const char *measurement)
{
    const size_t bytes = scrim_charge_asked(measurement, NULL, 0) + 1;
    char *text = malloc(bytes);
    if (text != NULL)
        (void)scrim_charge_asked(measurement, text, bytes);
    return text;
}

static scrim_status add_release(void *context, const scrim_vault_release *charge)
{
    reading *r = context;
    sc_all_releases *all = r->all;
    if (!is_within(all, charge->time))
        return SCRIM_OK;
    sc_past_release *larger =
        grown(all->releases, all->count, &all->room, sizeof *larger);
    if (larger == NULL)
        return no_memory(r->error);
    all->releases = larger;
    sc_past_release added = {.id = charge->id,
                             .time = charge->time,
                             .version = charge->version,
                             .state = charge->state};
    snprintf(added.dataset, sizeof added.dataset, "%s", charge->dataset);
    snprintf(added.analyst, sizeof added.analyst, "%s", charge->analyst);
    snprintf(added.amount, sizeof added.amount, "%s", charge->amount);
    snprintf(added.delta, sizeof added.delta, "%s", charge->delta);
    SC_TRY(place_population(r, charge, &added.population));
    if (charge->state == SCRIM_ENTRY_RELEASED) {
        SC_TRY(find_protects(r, &added));
        all->last_answered = charge->id;
    }
    added.question = question_of(charge->measurement);
    if (added.question == NULL)
        return no_memory(r->error);
    sc_past_population *population = &all->populations[added.population];
    population->sum += sc_number_view(added.amount);
    population->sum_delta += sc_number_view(added.delta);
    population->charges++;
    added.total = population->sum;
    all->releases[all->count++] = added;
    return SCRIM_OK;
}

/* The joint cost of all of them. */

/* The costs of a population as parts of a composition: "epsilon=0.5; epsilon=0.1 delta=1e-9". NULL without memory, and
 * where the unit has no such part. */
static char *parts_of(const sc_all_releases *all, size_t population)
{
    const char *unit = all->populations[population].unit;
    size_t bytes = 1;
    if (strcmp(unit, "divergence") == 0)
        return NULL;
    for (size_t i = 0; i < all->count; i++)
        bytes += strlen(all->releases[i].amount) + strlen(all->releases[i].delta) + 32;
    char *text = malloc(bytes), *at = text;
    for (size_t i = 0; text != NULL && i < all->count; i++) {
        const sc_past_release *one = &all->releases[i];
        if (one->population != population || sc_number_view(one->amount) <= 0)
            continue;
        at += sprintf(at, "%s%s=%s", at == text ? "" : "; ", unit, one->amount);
        if (sc_number_view(one->delta) > 0 && strcmp(unit, "epsilon") == 0)
            at += sprintf(at, " delta=%s", one->delta);
    }
    if (text != NULL)
        *at = '\0';
    return text;
}

/* The smallest proven bound of an accountant that allows questions to depend on earlier answers. */
static void take_best(const scrim_bounds *bounds, sc_past_population *out)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < bounds->count; i++) {
        const scrim_bound_row *row = &bounds->rows[i];
        if (!row->accountant.is_adaptive || !row->bounds.has_upper ||
            row->bounds.upper_view >= least)
            continue;
        least = row->bounds.upper_view;
        snprintf(out->joint, sizeof out->joint, "%s", row->bounds.upper_short);
        snprintf(out->accountant, sizeof out->accountant, "%s", row->accountant.name);
    }
    /* It says nothing new where the sum is as small, which needs no further delta. */
    if (strcmp(out->unit, "epsilon") == 0 && !(least < 0.999 * out->sum))
        out->joint[0] = '\0';
}

static void find_joint(const sc_all_releases *all, size_t index)
{
    sc_past_population *p = &all->populations[index];
    SC_FREED char *parts = parts_of(all, index);
    scrim_composition *composition = NULL;
    scrim_bounds bounds;
    const bool has_delta = sc_number_view(p->budget_delta) > 0;
    sc_sum_format(sc_number_view(has_delta ? p->budget_delta : USUAL_DELTA),
                  p->joint_delta);
    char at[SCRIM_NUMBER_BYTES];
    snprintf(at, sizeof at, "%s", has_delta ? p->budget_delta : USUAL_DELTA);
    if (parts == NULL || parts[0] == '\0' ||
        scrim_composition_parse(parts, &composition, NULL) != SCRIM_OK)
        return;
    if (scrim_composition_epsilon(composition, at, NULL, &bounds, NULL) == SCRIM_OK) {
        take_best(&bounds, p);
        scrim_bounds_clear(&bounds);
    }
    scrim_composition_free(composition);
}

/* How often a guess is right, by the smaller of both guarantees. */
static void find_guess(sc_past_population *p)
{
    scrim_cost cost = {.neighbours = SCRIM_ADD_REMOVE};
    char guess[SC_GUESS_BYTES];
    if (p->joint[0] != '\0') {
        snprintf(cost.epsilon, sizeof cost.epsilon, "%s", p->joint);
        snprintf(cost.delta, sizeof cost.delta, "%s", p->joint_delta);
    } else if (strcmp(p->unit, "epsilon") == 0) {
        char sum[SC_JOINT_BYTES];
        sc_sum_format(p->sum, sum);
        snprintf(cost.epsilon, sizeof cost.epsilon, "%s", sum);
        sc_sum_format(p->sum_delta, sum);
        snprintf(cost.delta, sizeof cost.delta, "%s", sum);
    } else {
        return;
    }
    snprintf(p->guess, sizeof p->guess, "%s", sc_cost_guess_text(&cost, guess));
}

static scrim_status take_standing(void *context, const scrim_budget_view *view)
{
    const reading *r = context;
    for (size_t i = 0; view->analyst == NULL && i < r->all->population_count; i++) {
        sc_past_population *p = &r->all->populations[i];
        if (strcmp(p->name, view->budget->population) == 0 &&
            view->standing->epsilon[0] != '\0' &&
            sc_number_view(view->standing->epsilon) <
                0.999 * (p->joint[0] != '\0' ? sc_number_view(p->joint) : p->sum)) {
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
        bool is_first = true;
        for (size_t j = 0; is_first && j < i; j++)
            is_first = all->releases[j].population != all->releases[i].population ||
                       strcmp(all->releases[j].analyst, all->releases[i].analyst) != 0;
        all->populations[all->releases[i].population].analysts += is_first;
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
        find_joint(out, i);
    if (out->from == 0 && out->until == 0)
        SC_TRY(scrim_vault_budgets(vault, NULL, 1, take_standing, &r, error));
    for (size_t i = 0; i < out->population_count; i++)
        find_guess(&out->populations[i]);
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

/* Writing. */

static const char *state_name(scrim_entry_state state)
{
    return state == SCRIM_ENTRY_RELEASED  ? "released"
           : state == SCRIM_ENTRY_PENDING ? "pending"
                                          : "charged";
}

static void add_row(sc_listing *listing, const sc_all_releases *all,
                    const sc_past_release *one)
{
    char id[24], version[24], time[SC_TIME_BYTES], total[SC_JOINT_BYTES];
    char amount[SC_AMOUNT_BYTES];
    const sc_past_population *population = &all->populations[one->population];
    snprintf(id, sizeof id, "%" PRIu64, one->id);
    snprintf(version, sizeof version, "%" PRIu64, one->version);
    sc_time_format(one->time, time);
    sc_sum_format(one->total, total);
    sc_amount_format(population->unit, one->amount, one->delta, true, amount);
    if (listing->format != SCRIM_FORMAT_TABLE) {
        sc_listing_add(listing,
                       (const char *[]){id, time, one->analyst, population->name,
                                        one->dataset, version, one->question,
                                        population->unit, one->amount, one->delta, total,
                                        state_name(one->state), one->protects});
        return;
    }
    if (time[0] != '\0')
        *strchr(time, 'T') = '\0';
    sc_listing_add(
        listing, (const char *[]){id, time, one->analyst, one->question, amount, total});
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

static void write_together(sc_output *output, const sc_all_releases *all,
                           unsigned columns)
{
    char text[SC_REPORT_LINE_BYTES], spent[SC_JOINT_BYTES * 3];
    for (size_t i = 0; i < all->population_count; i++) {
        const sc_past_population *p = &all->populations[i];
        spent_format(p, spent, sizeof spent);
        snprintf(text, sizeof text, "%.120s by %" PRIu64 " charge%s to %.100s, as a sum",
                 spent, p->charges, p->charges == 1 ? "" : "s", p->name);
        sc_fold_line(output, "together", text, columns);
        write_protected(output, all, i, columns);
        if (p->joint[0] != '\0') {
            snprintf(text, sizeof text, "epsilon %s at delta %s, by the accountant %s",
                     p->joint, p->joint_delta, p->accountant);
            sc_fold_line(output, "jointly", text, columns);
        }
        if (p->guess[0] != '\0') {
            snprintf(text, sizeof text,
                     "someone who sees all these answers, knows everyone else and "
                     "guesses whether one person is in the data %s of the time (chance: "
                     "50 %%)",
                     p->guess);
            sc_fold_line(output, "meaning", text, columns);
        }
    }
}

static void write_json(sc_json *json, const sc_all_releases *all)
{
    char number[SC_JOINT_BYTES];
    sc_json_array(json, "populations");
    for (size_t i = 0; i < all->population_count; i++) {
        const sc_past_population *p = &all->populations[i];
        sc_json_object(json, NULL);
        sc_json_text(json, "population", p->name);
        sc_json_count(json, "charges", p->charges);
        sc_json_text(json, "unit", p->unit);
        sc_sum_format(p->sum, number);
        sc_json_text(json, "sum", number);
        sc_sum_format(p->sum_delta, number);
        sc_json_text(json, "sum_delta", number);
        sc_json_text_if_any(json, "joint_epsilon", p->joint);
        sc_json_text_if_any(json, "joint_delta",
                            p->joint[0] == '\0' ? "" : p->joint_delta);
        sc_json_text_if_any(json, "accountant", p->joint[0] == '\0' ? "" : p->accountant);
        sc_json_end(json);
    }
    sc_json_end(json);
}

scrim_status sc_all_releases_write(sc_output *output, const sc_all_releases *all,
                                   sc_format format, const sc_terminal *terminal,
                                   scrim_error *error)
{
    static const sc_listing_column exact[] = {
        {"release", SC_KIND_NUMBER}, {"time", SC_NULLABLE}, {.name = "analyst"},
        {.name = "population"},      {.name = "dataset"},   {"version", SC_KIND_NUMBER},
        {.name = "question"},        {.name = "unit"},      {.name = "amount"},
        {.name = "delta"},           {.name = "total"},     {.name = "state"},
        {.name = "protects"}};
    static const sc_listing_column brief[] = {{.name = "release"}, {.name = "date"},
                                              {.name = "analyst"}, {.name = "question"},
                                              {.name = "cost"},    {.name = "total"}};
    if (format == SCRIM_FORMAT_TABLE && all->count == 0) {
        sc_output_text(output, "nothing was charged in this time\n");
        return SCRIM_OK;
    }
    const sc_listing listing = SC_LISTING(exact, output, format, terminal);
    const sc_listing table = SC_LISTING(brief, output, format, terminal);
    sc_listing page = format == SCRIM_FORMAT_TABLE ? table : listing;
    if (format != SCRIM_FORMAT_TABLE)
        (void)sc_listing_open(&page);
    for (size_t i = 0; i < all->count; i++)
        add_row(&page, all, &all->releases[i]);
    sc_listing_end_rows(&page);
    if (format == SCRIM_FORMAT_JSON)
        write_json(page.json, all);
    SC_TRY(sc_listing_close(&page, SCRIM_OK, error));
    if (format == SCRIM_FORMAT_TABLE)
        write_together(output, all, terminal->columns);
    return SCRIM_OK;
}
