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
    text[0] = '\0';
    if (population->is_of_others)
        return;
    const double whole = sc_number_view(population->budget);
    const double whole_delta = sc_number_view(population->budget_delta);
    rest_format(whole - population->end.amount, whole, amount);
    rest_format(whole_delta - population->end.delta, whole_delta, delta);
    snprintf(text, SC_JOINT_BYTES * 3, "; left: %s%s%s", amount,
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

/* "2026" of all days of a year; else "". */
static void year_format(uint64_t from, uint64_t until, char text[SC_TIME_BYTES])
{
    const time_t first = (time_t)from;
    struct tm parts;
    text[0] = '\0';
    if (until == 0 || gmtime_r(&first, &parts) == NULL)
        return;
    const int year = parts.tm_year;
    parts = (struct tm){.tm_year = year, .tm_mday = 1};
    const bool is_begun = timegm(&parts) == first;
    parts = (struct tm){.tm_year = year + 1, .tm_mday = 1};
    if (is_begun && timegm(&parts) == (time_t)until)
        snprintf(text, SC_TIME_BYTES, "%d", year + 1900);
}

void sc_period_format(const sc_all_releases *all, char *text, size_t bytes)
{
    char from[SC_TIME_BYTES], to[SC_TIME_BYTES], year[SC_TIME_BYTES];
    sc_day_format(all->from, from);
    sc_day_format(all->until == 0 ? 0 : all->until - 1, to);
    year_format(all->from, all->until, year);
    if (from[0] == '\0' && to[0] == '\0')
        snprintf(text, bytes, "all releases of the vault");
    else if (year[0] != '\0' || strcmp(from, to) == 0)
        snprintf(text, bytes, "releases of %s", year[0] != '\0' ? year : from);
    else
        snprintf(text, bytes, "releases%s%s%s%s", from[0] == '\0' ? "" : " from ", from,
                 to[0] == '\0' ? "" : " to ", to);
}

void sc_written_format(const sc_all_releases *all, char text[SC_WRITTEN_BYTES])
{
    char day[SC_TIME_BYTES], hour[SC_TIME_BYTES];
    text[0] = '\0';
    if (all->until != 0 && all->until <= all->written)
        return;
    sc_day_format(all->written, day);
    sc_time_format(all->written, hour);
    snprintf(text, SC_WRITTEN_BYTES, ", up to %s, %.5s UTC", day,
             strchr(hour, 'T') == NULL ? "" : strchr(hour, 'T') + 1);
}

void sc_set_back_format(const sc_all_releases *all, char text[SC_JOINT_BYTES * 3])
{
    text[0] = '\0';
    if (all->set_back != 0)
        snprintf(text, SC_JOINT_BYTES * 3,
                 "the clock went back at release %" PRIu64
                 ": days from there on, or before it, may be wrong",
                 all->set_back);
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

/* The share of the analyst whose page it is, in place of the whole budget. */
static scrim_status take_share(reading *r, sc_past_population *p)
{
    scrim_budget own;
    SC_TRY(scrim_vault_budget_of(r->vault, p->name, r->all->analyst, &own, r->error));
    p->is_of_others = own.share[0] == '\0';
    if (p->is_of_others && (r->all->until == 0 || r->all->until > r->all->written)) {
        SC_TRY(scrim_vault_budget_of(r->vault, p->name, NULL, &own, r->error));
        snprintf(p->by_all, sizeof p->by_all, "%s", own.spent);
    }
    if (p->is_of_others)
        return SCRIM_OK;
    p->is_share = true;
    snprintf(p->budget, sizeof p->budget, "%s", own.share);
    snprintf(p->budget_delta, sizeof p->budget_delta, "%s",
             own.share_delta[0] == '\0' ? own.total_delta : own.share_delta);
    return SCRIM_OK;
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
    added->has_shares = budget.shares[0] != '\0' || budget.shares_delta[0] != '\0';
    snprintf(added->budget, sizeof added->budget, "%s", budget.total);
    snprintf(added->budget_delta, sizeof added->budget_delta, "%s", budget.total_delta);
    snprintf(added->declared_delta, sizeof added->declared_delta, "%s", budget.delta);
    all->population_count++;
    return all->analyst == NULL ? SCRIM_OK : take_share(r, added);
}

/* Releases of one version of a dataset protect the same unit, so the label of one of them is enough. A run that was never
 * closed has answers and no label. */
static scrim_status find_protects(reading *r, sc_past_release *release)
{
    const sc_all_releases *all = r->all;
    for (size_t i = all->count; i > 0; i--) {
        const sc_past_release *earlier = &all->releases[i - 1];
        if (earlier->version == release->version &&
            earlier->is_typed == release->is_typed && earlier->protects[0] != '\0' &&
            strcmp(earlier->dataset, release->dataset) == 0) {
            memcpy(release->unit, earlier->unit, sizeof release->unit);
            memcpy(release->protects, earlier->protects, sizeof release->protects);
            release->is_looked = earlier->is_looked;
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
    release->is_looked =
        strcmp(sc_report_get(label, "protection.bounds-from"), "check") == 0;
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

/* "query series=NAME release=2 ...": the question of a release of a series. */
static void name_series(const char *measurement, sc_past_release *release)
{
    char name[SCRIM_NAME_BYTES];
    uint64_t number = 0;
    _Static_assert(SCRIM_NAME_BYTES > 64, "room for a name");
    if (sscanf(measurement, "query series=%64s release=%" SCNu64, name, &number) == 2)
        snprintf(release->series_text, sizeof release->series_text,
                 "release %" PRIu64 " of the series %.64s", number, name);
}

static void add_to_sum(sc_past_sum *sum, const char *amount, const char *delta)
{
    sum->amount += sc_number_view(amount);
    sum->delta += sc_number_view(delta);
    sum->charges++;
}

/* Is it on the page? Of one analyst there are those that they asked or were shown; *time is then when. */
static bool is_chosen(const sc_all_releases *all, const scrim_vault_release *charge,
                      uint64_t *time, uint64_t *seen)
{
    *time = charge->time;
    *seen = 0;
    if (all->only[0] != '\0' && strcmp(charge->population, all->only) != 0)
        return false;
    if (all->analyst != NULL && strcmp(charge->analyst, all->analyst) != 0) {
        const scrim_vault_shown *shown =
            sc_shown_find(&all->shown, charge->id, all->analyst);
        if (shown == NULL)
            return false;
        *time = *seen = shown->time;
    }
    return !is_after(all, *time);
}

/* An answer that another analyst had paid for costs this one the amount that was booked on the share. */
static void take_booked(sc_past_release *release, const scrim_vault_shown *shown)
{
    snprintf(release->amount, sizeof release->amount, "%s", shown->amount);
    snprintf(release->delta, sizeof release->delta, "%s", shown->delta);
}

static scrim_status add_release(void *context, const scrim_vault_release *charge)
{
    reading *r = context;
    sc_all_releases *all = r->all;
    uint64_t time, seen;
    if (charge->time < all->last_time && all->set_back == 0)
        all->set_back = charge->id;
    all->last_time = charge->time;
    if (!is_chosen(all, charge, &time, &seen))
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
                             .seen = seen,
                             .is_before = is_before(all, time)};
    snprintf(added.dataset, sizeof added.dataset, "%s", charge->dataset);
    snprintf(added.analyst, sizeof added.analyst, "%s", charge->analyst);
    snprintf(added.amount, sizeof added.amount, "%s", charge->amount);
    snprintf(added.delta, sizeof added.delta, "%s", charge->delta);
    added.series = charge->series;
    snprintf(added.price, sizeof added.price, "%s", charge->price);
    snprintf(added.price_delta, sizeof added.price_delta, "%s", charge->price_delta);
    if (seen != 0)
        take_booked(&added, sc_shown_find(&all->shown, charge->id, all->analyst));
    added.is_typed = strncmp(charge->measurement, "query ", 6) != 0 &&
                     !scrim_synth_is_measurement(charge->measurement) &&
                     !scrim_body_is_measurement(charge->measurement);
    SC_TRY(place_population(r, charge, &added.population));
    if (charge->state == SCRIM_ENTRY_RELEASED)
        SC_TRY(find_protects(r, &added));
    name_series(charge->measurement, &added);
    added.question = question_of(charge->measurement);
    if (added.question == NULL)
        return no_memory(r->error);
    all->listed += !added.is_before;
    all->releases[all->count++] = added;
    return SCRIM_OK;
}

uint64_t sc_past_moment(const sc_past_release *one)
{
    return one->seen != 0 ? one->seen : one->time;
}

/* An analyst saw them in another order than they were charged in. */
static int by_moment(const void *left, const void *right)
{
    const sc_past_release *a = left, *b = right;
    const uint64_t x = sc_past_moment(a), y = sc_past_moment(b);
    return x != y ? (x > y) - (x < y) : (a->id > b->id) - (a->id < b->id);
}

bool sc_past_is_listed(const sc_all_releases *all, size_t release, size_t population)
{
    return all->releases[release].population == population &&
           !all->releases[release].is_before;
}

static void add_up(sc_all_releases *all)
{
    if (all->analyst != NULL && all->count > 0)
        qsort(all->releases, all->count, sizeof *all->releases, by_moment);
    for (size_t i = 0; i < all->count; i++) {
        sc_past_release *one = &all->releases[i];
        sc_past_population *population = &all->populations[one->population];
        add_to_sum(one->is_before ? &population->before : &population->within,
                   one->amount, one->delta);
        add_to_sum(&population->end, one->amount, one->delta);
        one->total = population->end.amount;
    }
}

/* The analysts of each population. */

static scrim_status place_analyst(reading *r, size_t population, const char *name,
                                  sc_past_analyst **out)
{
    sc_all_releases *all = r->all;
    for (size_t i = 0; i < all->analyst_count; i++) {
        *out = &all->analysts[i];
        if ((*out)->population == population && strcmp((*out)->name, name) == 0)
            return SCRIM_OK;
    }
    sc_past_analyst *larger =
        grown(all->analysts, all->analyst_count, &all->analyst_room, sizeof *larger);
    if (larger == NULL)
        return no_memory(r->error);
    all->analysts = larger;
    *out = &larger[all->analyst_count++];
    memset(*out, 0, sizeof **out);
    (*out)->population = population;
    snprintf((*out)->name, sizeof(*out)->name, "%s", name);
    all->populations[population].analysts++;
    return SCRIM_OK;
}

/* shown is NULL for the analyst who asked. */
static scrim_status add_analyst(reading *r, const sc_past_release *one, const char *name,
                                const scrim_vault_shown *shown)
{
    const char *amount = shown == NULL ? one->amount : shown->amount,
               *delta = shown == NULL ? one->delta : shown->delta;
    sc_past_analyst *analyst = NULL;
    if (r->all->analyst != NULL && strcmp(r->all->analyst, name) != 0)
        return SCRIM_OK;
    SC_TRY(place_analyst(r, one->population, name, &analyst));
    add_to_sum(shown == NULL ? &analyst->asked : &analyst->shown, amount, delta);
    add_to_sum(&analyst->all, amount, delta);
    return SCRIM_OK;
}

static scrim_status add_analysts(reading *r)
{
    const sc_all_releases *all = r->all;
    for (size_t i = 0; i < all->count; i++) {
        const sc_past_release *one = &all->releases[i];
        SC_TRY(add_analyst(r, one, one->analyst, NULL));
        for (size_t k = 0; k < all->shown.count; k++)
            if (all->shown.items[k].release == one->id)
                SC_TRY(add_analyst(r, one, all->shown.items[k].analyst,
                                   &all->shown.items[k]));
    }
    for (size_t i = 0; i < all->analyst_count; i++) {
        sc_past_analyst *analyst = &r->all->analysts[i];
        sc_past_bound_find(all, analyst->population, analyst->name, &analyst->bound);
    }
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
                0.999 * (p->bound.joint[0] != '\0' ? sc_number_view(p->bound.joint)
                                                   : p->end.amount)) {
            char epsilon[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
            sc_report_number(view->standing->epsilon, epsilon);
            sc_report_number(view->standing->delta, delta);
            snprintf(p->fixed, sizeof p->fixed, "epsilon %.24s at delta %.20s", epsilon,
                     delta);
        }
    }
    return SCRIM_OK;
}

/* "2026", "2026-Q1" or "2026-03": its first second, or the first one after it. */
static bool read_year(const char *text, bool is_end, uint64_t *out)
{
    const size_t bytes = strlen(text);
    int first = 0, months = 12;
    if (bytes == 7 && text[4] == '-' && text[5] == 'Q' && text[6] >= '1' &&
        text[6] <= '4') {
        first = 3 * (text[6] - '1');
        months = 3;
    } else if (bytes == 7 && text[4] == '-' && strspn(text + 5, "0123456789") == 2) {
        first = atoi(text + 5) - 1;
        months = 1;
    } else if (bytes != 4) {
        return false;
    }
    if (strspn(text, "0123456789") != 4 || first < 0 || first > 11)
        return false;
    struct tm parts = {.tm_year = atoi(text) - 1900,
                       .tm_mon = first + (is_end ? months : 0),
                       .tm_mday = 1};
    const time_t start = timegm(&parts);
    *out = (uint64_t)start;
    return start > 0;
}

/* A day, a month, a quarter or a year; the end of a time is the first second after it. */
static scrim_status read_day(const sc_options *options, sc_option option, bool is_end,
                             uint64_t *out, scrim_error *error)
{
    const char *text = options->value[option];
    if (text == NULL)
        return SCRIM_OK;
    if (read_year(text, is_end, out))
        return SCRIM_OK;
    if (!sc_history_date(text, out))
        return sc_refuse(
            error,
            "%s '%s' is not a day; write it as 2026-12-31, or 2026-12, 2026-Q4, 2026",
            sc_option_name(option), text);
    if (is_end)
        *out += strchr(text, 'T') == NULL ? DAY_SECONDS : 1;
    return SCRIM_OK;
}

static scrim_status read_period(const sc_options *options, sc_all_releases *out,
                                scrim_error *error)
{
    SC_TRY(read_day(options, SCRIM_OPTION_FROM, false, &out->from, error));
    SC_TRY(read_day(options, SCRIM_OPTION_TO, true, &out->until, error));
    return out->until != 0 && out->until <= out->from
               ? sc_refuse(error, "--to '%s' is before --from '%s'",
                           options->value[SCRIM_OPTION_TO],
                           options->value[SCRIM_OPTION_FROM])
               : SCRIM_OK;
}

/* A budget has the name of its first dataset, or one of its own. */
static scrim_status find_population(reading *r, const char *name)
{
    scrim_budget budget;
    scrim_dataset dataset;
    char *out = r->all->only;
    scrim_status status = scrim_vault_budget_of(r->vault, name, NULL, &budget, r->error);
    if (status == SCRIM_OK)
        snprintf(out, SCRIM_NAME_BYTES, "%s", budget.population);
    for (size_t i = 0; status == SCRIM_E_PARAM && out[0] == '\0'; i++) {
        status = scrim_vault_dataset(r->vault, i, &dataset, r->error);
        if (status == SCRIM_E_PARAM)
            return sc_refuse(r->error,
                             "unknown budget '%s'; 'scrim budget' lists budgets", name);
        if (status == SCRIM_OK && strcmp(dataset.name, name) == 0)
            snprintf(out, SCRIM_NAME_BYTES, "%s", dataset.population);
        else if (status == SCRIM_OK)
            status = SCRIM_E_PARAM;
    }
    return status;
}

/* Answers that were shown after the time are not of it. */
static scrim_status read_shown(reading *r)
{
    sc_shown_answers *shown = &r->all->shown;
    size_t kept = 0;
    SC_TRY(sc_shown_answers_read(r->vault, shown, r->error));
    for (size_t i = 0; i < shown->count; i++)
        if (!is_after(r->all, shown->items[i].time))
            shown->items[kept++] = shown->items[i];
    shown->count = kept;
    return SCRIM_OK;
}

static scrim_status read_once(scrim_vault *vault, const sc_options *options,
                              const char *name, sc_all_releases *out, scrim_error *error)
{
    reading r = {vault, out, error};
    SC_TRY(scrim_vault_head(vault, 0, &out->head, error));
    out->entries = out->head.entries;
    out->written = (uint64_t)time(NULL);
    SC_TRY(read_period(options, out, error));
    out->analyst = options->value[SCRIM_OPTION_ANALYST];
    if (out->analyst != NULL)
        SC_TRY(sc_analyst_check(vault, out->analyst, error));
    if (name != NULL)
        SC_TRY(find_population(&r, name));
    SC_TRY(read_shown(&r));
    SC_TRY(scrim_vault_history(vault, NULL, 1, add_release, &r, error));
    add_up(out);
    for (size_t i = 0; i < out->population_count; i++)
        sc_past_bound_find(out, i, NULL, &out->populations[i].bound);
    SC_TRY(add_analysts(&r));
    SC_TRY(sc_all_changes_read(vault, out, error));
    return out->from == 0 && out->until == 0 && out->analyst == NULL
               ? scrim_vault_budgets(vault, NULL, 1, take_standing, &r, error)
               : SCRIM_OK;
}

/* Others may charge meanwhile: then it is read again, so that all numbers are those of one state of the ledger. */
#define ATTEMPTS 8

scrim_status sc_all_releases_read(scrim_vault *vault, const sc_options *options,
                                  const char *name, sc_all_releases *out,
                                  scrim_error *error)
{
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        uint64_t entries = 0;
        scrim_status status = read_once(vault, options, name, out, error);
        if (status == SCRIM_OK)
            status = scrim_vault_count(vault, &entries, error);
        if (status != SCRIM_OK || entries == out->entries)
            return status;
        sc_all_releases_clear(out);
    }
    return sc_complaint_fill(error, SCRIM_E_BUSY,
                             "others charge the vault all the time; try again later");
}

void sc_all_releases_clear(sc_all_releases *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->releases[i].question);
    for (size_t i = 0; i < all->change_count; i++)
        sc_past_change_clear(&all->changes[i]);
    free(all->changes);
    free(all->releases);
    free(all->populations);
    free(all->analysts);
    sc_shown_answers_clear(&all->shown);
    memset(all, 0, sizeof *all);
}
