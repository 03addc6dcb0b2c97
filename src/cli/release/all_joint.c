/* The joint cost of all charges of a population by the best accountant, and how
 * often a guess is right. */
#include "cli/answer/release_note.h"
#include "cli/display/number_view.h"
#include "cli/release/all_releases.h"
#include "cli/terminal/owner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a population has no delta, the joint epsilon is stated at this one. */
#define USUAL_DELTA "1e-6"

/* Did the analyst ask for it, or see it up to the end? */
static bool has_seen(const sc_all_releases *all, const sc_past_release *release,
                     const char *analyst)
{
    return strcmp(release->analyst, analyst) == 0 ||
           sc_shown_find(&all->shown, release->id, analyst) != NULL;
}

/* Charges of a population whose joint cost is asked for. */
typedef struct chosen {
    const sc_all_releases *all;
    size_t population;
    const char *analyst; /* NULL: all */
} chosen;

static bool takes(const chosen *c, const sc_past_release *one)
{
    return one->population == c->population &&
           (sc_number_view(one->price) > 0 || sc_number_view(one->price_delta) > 0) &&
           (c->analyst == NULL || has_seen(c->all, one, c->analyst));
}

/* The cost of one release, or of all windows of a series: each row is in one window. */
typedef struct cost_part {
    const sc_past_release *first;
    const char *amount, *delta;
} cost_part;

typedef struct cost_parts {
    cost_part *list;
    size_t count;
    sc_past_sum sum;
    size_t bytes; /* of their texts */
} cost_parts;

/* The part that the window belongs to; NULL: a new one. */
static cost_part *find_part(const cost_parts *parts, const sc_past_release *one)
{
    for (size_t i = 0; one->series != 0 && i < parts->count; i++) {
        const sc_past_release *first = parts->list[i].first;
        if (first->series == one->series && first->version == one->version)
            return &parts->list[i];
    }
    return NULL;
}

static void take_larger(const char **text, const char *other)
{
    if (sc_number_view(other) > sc_number_view(*text))
        *text = other;
}

/* False without memory. list is freed by free. */
static bool find_parts(const chosen *c, cost_parts *out)
{
    const sc_all_releases *all = c->all;
    *out = (cost_parts){.list = malloc((all->count + 1) * sizeof *out->list)};
    for (size_t i = 0; out->list != NULL && i < all->count; i++) {
        const sc_past_release *one = &all->releases[i];
        if (!takes(c, one))
            continue;
        cost_part *found = find_part(out, one);
        if (found == NULL) {
            out->list[out->count++] = (cost_part){one, one->price, one->price_delta};
            continue;
        }
        take_larger(&found->amount, one->price);
        take_larger(&found->delta, one->price_delta);
    }
    for (size_t i = 0; i < out->count; i++) {
        out->sum.amount += sc_number_view(out->list[i].amount);
        out->sum.delta += sc_number_view(out->list[i].delta);
        out->bytes += strlen(out->list[i].amount) + strlen(out->list[i].delta) + 48;
    }
    return out->list != NULL;
}

/* As parts of a composition: "epsilon=0.5; epsilon=0.1 delta=1e-9", and of a rho beside a delta
 * "rho=0.1; epsilon=0 delta=1e-9". NULL without memory, and where the unit has no such part. */
static char *text_of(const cost_parts *parts, const char *unit)
{
    const bool is_epsilon = strcmp(unit, "epsilon") == 0;
    if (strcmp(unit, "divergence") == 0)
        return NULL;
    char *text = malloc(parts->bytes + 1), *at = text;
    for (size_t i = 0; text != NULL && i < parts->count; i++) {
        const cost_part *part = &parts->list[i];
        const bool has_delta = sc_number_view(part->delta) > 0;
        at += sprintf(at, "%s%s=%s", at == text ? "" : "; ", unit, part->amount);
        if (has_delta)
            at += sprintf(at, is_epsilon ? " delta=%s" : "; epsilon=0 delta=%s",
                          part->delta);
    }
    if (text != NULL)
        *at = '\0';
    return text;
}

/* The smallest proven bound of an accountant that allows questions to depend on earlier answers. */
static void take_best(const scrim_bounds *bounds, const char *unit,
                      const sc_past_sum *sum, sc_past_bound *out)
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
    /* Leave it out if the sum is as small: the sum needs no further delta. */
    if (strcmp(unit, "epsilon") == 0 && !(least < 0.999 * sum->amount))
        out->joint[0] = '\0';
}

/* Delta at epsilon 0, which bounds a guess, by every accountant that allows questions to depend on earlier answers. */
static double find_distance(const scrim_composition *composition)
{
    static const char *const names[] = {"basic", "concentrated"};
    double least = 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        scrim_bounds bounds;
        if (scrim_composition_delta(
                composition, "0",
                SCRIM_OPTIONS(scrim_composition_options, .accountant = names[i]), &bounds,
                NULL) != SCRIM_OK)
            continue;
        if (bounds.best.has_upper)
            least = fmin(least, bounds.best.upper_view);
        scrim_bounds_clear(&bounds);
    }
    return least;
}

/* distance: an upper bound of delta at epsilon 0. */
static void find_joint(const sc_past_population *p, const cost_parts *costs,
                       sc_past_bound *out, double *distance)
{
    SC_FREED char *parts = text_of(costs, p->unit);
    scrim_composition *composition = NULL;
    scrim_bounds bounds;
    const char *declared =
                   strcmp(p->unit, "rho") == 0 ? p->declared_delta : p->budget_delta,
               *delta = sc_number_view(declared) > 0 ? declared : USUAL_DELTA;
    sc_sum_format(sc_number_view(delta), out->joint_delta);
    if (parts == NULL || parts[0] == '\0' ||
        scrim_composition_parse(parts, &composition, NULL) != SCRIM_OK)
        return;
    *distance = find_distance(composition);
    if (scrim_composition_epsilon(composition, delta, NULL, &bounds, NULL) == SCRIM_OK) {
        take_best(&bounds, p->unit, &costs->sum, out);
        out->is_compared = true;
        scrim_bounds_clear(&bounds);
    }
    scrim_composition_free(composition);
}

/* The sum, the joint cost and the distance hold, so the smallest guess does. */
static void find_guess(const sc_past_population *p, const sc_past_sum *total,
                       double distance, sc_past_bound *out)
{
    scrim_cost sum = {.neighbours = p->neighbours}, joint = sum;
    double guess = sc_distance_guess_upper(distance);
    char text[SC_GUESS_BYTES];
    if (strcmp(p->unit, "epsilon") == 0) {
        char number[SC_JOINT_BYTES];
        sc_sum_format(total->amount, number);
        snprintf(sum.epsilon, sizeof sum.epsilon, "%s", number);
        sc_sum_format(total->delta, number);
        snprintf(sum.delta, sizeof sum.delta, "%s", number);
        guess = fmin(guess, sc_cost_guess_upper(&sum));
    }
    if (out->joint[0] != '\0') {
        snprintf(joint.epsilon, sizeof joint.epsilon, "%s", out->joint);
        snprintf(joint.delta, sizeof joint.delta, "%s", out->joint_delta);
        guess = fmin(guess, sc_cost_guess_upper(&joint));
    }
    if (strcmp(p->unit, "divergence") != 0)
        snprintf(out->guess, sizeof out->guess, "%s", sc_guess_text(guess, text));
}

void sc_past_bound_find(const sc_all_releases *all, size_t population,
                        const char *analyst, sc_past_bound *out)
{
    const chosen c = {all, population, analyst};
    const sc_past_population *p = &all->populations[population];
    cost_parts costs;
    if (!find_parts(&c, &costs))
        return;
    double distance = costs.count == 0 ? 0 : 1;
    find_joint(p, &costs, out, &distance);
    find_guess(p, &costs.sum, distance, out);
    free(costs.list);
}

/* Words. */

bool sc_past_sum_is_best(const sc_past_population *population)
{
    return population->end.charges > 1 && population->bound.is_compared &&
           population->bound.joint[0] == '\0';
}

const char *sc_past_unit(const sc_all_releases *all, size_t population)
{
    const char *common = "";
    for (size_t i = 0; i < all->count; i++) {
        const sc_past_release *one = &all->releases[i];
        if (one->population != population || one->unit[0] == '\0')
            continue;
        if (common[0] != '\0' && strcmp(common, one->unit) != 0)
            return "";
        common = one->unit;
    }
    return common;
}

void sc_past_guessed_format(const sc_all_releases *all, size_t population,
                            char text[SC_GUESSED_BYTES])
{
    const char *unit = sc_past_unit(all, population);
    const bool is_replace = all->populations[population].neighbours == SCRIM_REPLACE;
    snprintf(text, SC_GUESSED_BYTES, "%s one %s %s",
             is_replace ? "which of two possible sets of data" : "whether",
             unit[0] == '\0' ? "unit" : unit, is_replace ? "has" : "is in the data");
}

bool sc_past_in_all_format(const sc_all_releases *all, char text[SC_IN_ALL_BYTES])
{
    scrim_cost cost = {.neighbours = SCRIM_ADD_REMOVE};
    sc_past_sum sum = {.charges = 0};
    char number[SC_JOINT_BYTES], guess[SC_GUESS_BYTES];
    if (all->population_count < 2)
        return false;
    for (size_t i = 0; i < all->population_count; i++) {
        const sc_past_population *p = &all->populations[i];
        if (strcmp(p->unit, "epsilon") != 0 ||
            p->neighbours != all->populations[0].neighbours)
            return false;
        sum.amount += p->end.amount;
        sum.delta += p->end.delta;
    }
    cost.neighbours = all->populations[0].neighbours;
    sc_sum_format(sum.amount, number);
    snprintf(cost.epsilon, sizeof cost.epsilon, "%s", number);
    snprintf(text, SC_IN_ALL_BYTES, "somebody whose data are in %s bears epsilon %s",
             all->population_count == 2 ? "both budgets" : "all these budgets", number);
    sc_sum_format(sum.delta, number);
    snprintf(cost.delta, sizeof cost.delta, "%s", number);
    if (sum.delta > 0)
        snprintf(text + strlen(text), SC_IN_ALL_BYTES - strlen(text), ", delta %s",
                 number);
    snprintf(text + strlen(text), SC_IN_ALL_BYTES - strlen(text),
             " as a sum; a guess about them %s of the time",
             sc_cost_guess_text(&cost, guess));
    return true;
}
