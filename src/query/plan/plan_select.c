#include "query/plan/plan_select.h"

#include "mechanism/threshold/kept_size.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/partition_selection.h"
#include "mechanism/threshold/stabilise.h"
#include "mechanism/threshold/threshold_gaussian.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "mechanism/threshold/threshold_truncated.h"

static const sc_mechanism *const ways[] = {&sc_partition_selection,
                                           &sc_threshold_truncated, &sc_threshold_laplace,
                                           &sc_threshold_gaussian};
/* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
enum { WAYS = sizeof ways / sizeof *ways };
/* The first of them shows no counts. */
#define SHOWING 1

bool sc_plan_select_asks(const sc_planned_statement *s)
{
    if (s->keys_kind != SC_PLAN_DISCOVERED || s->query->least.count > 0)
        return false;
    for (size_t i = 0; i < s->statistics.count; i++)
        if (sc_statistic_is_units(&s->statistics.list[i]))
            return true;
    return false;
}

bool sc_plan_select_shows(const sc_planned_statement *s)
{
    return sc_plan_select_asks(s) && !s->draws_units;
}

const sc_key_choice *sc_plan_select_chosen(const sc_key_choice *choices, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (choices[i].is_chosen)
            return &choices[i];
    return NULL;
}

static scrim_status make(const sc_mechanism *way, int64_t max_groups,
                         const sc_select_budget *budget, scrim_measurement **out,
                         scrim_error *error)
{
    SC_OWN(sc_ratio, groups);
    sc_ratio_set_int64(&groups, max_groups);
    const sc_argument list[] = {
        {.name = "epsilon", .values = budget->epsilon},
        {.name = "delta", .values = budget->delta},
        {.name = "max-groups", .values = &groups},
        {.name = "neighbours", .word = scrim_neighbours_name(budget->neighbours)}};
    return sc_measurement_of(way, list, sizeof list / sizeof *list, out, error);
}

static bool set_sizes(sc_key_choice *choice)
{
    SC_OWN(sc_ratio, p, twenty);
    sc_ratio_set_int64(&p, 10);
    sc_ratio_set_int64(&twenty, 20);
    sc_ratio_div(&p, &p, &twenty);
    bool is_known = sc_threshold_kept_size(choice->measurement, &p, &choice->half);
    sc_ratio_set_int64(&p, 19);
    sc_ratio_div(&p, &p, &twenty);
    is_known = is_known && sc_threshold_kept_size(choice->measurement, &p, &choice->most);
    return is_known;
}

/* By a threshold of n units, or by the delta where n is 0. */
static scrim_status make_least(const sc_planned_statement *s,
                               const sc_select_budget *budget, uint64_t n,
                               scrim_measurement **out, scrim_error *error)
{
    const int64_t groups = (int64_t)s->bounds.groups;
    SC_OWN(sc_ratio, sum, few, one, least);
    sc_ratio_set_int64(&sum, (budget->neighbours == SCRIM_REPLACE ? 2 : 1) * groups);
    sc_ratio_set_int64(&few, groups);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int64(&least, (int64_t)n);
    const sc_argument list[] = {
        {.name = "sensitivity", .values = &sum},
        {.name = "epsilon", .values = budget->epsilon},
        {.name = "delta", .values = n == 0 ? budget->delta : NULL},
        {.name = "threshold", .values = n == 0 ? NULL : &least},
        {.name = "max-groups", .values = &few},
        {.name = "largest", .values = &one},
        {.name = "neighbours", .word = scrim_neighbours_name(budget->neighbours)}};
    return sc_measurement_of(&sc_stabilise, list, sizeof list / sizeof *list, out, error);
}

/* The one way where HAVING says how many units a group has at least: its threshold, unless delta
 * needs a higher one. */
static scrim_status select_least(const sc_planned_statement *s,
                                 const sc_select_budget *budget, sc_key_choice *choice,
                                 scrim_measurement **made, scrim_error *error)
{
    const uint64_t least = s->query->least.count;
    scrim_measurement *by_delta = NULL;
    const scrim_status status = make_least(s, budget, 0, &by_delta, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_enough = sc_threshold_of(by_delta) >= (int64_t)least;
    *made = by_delta;
    if (!is_enough) {
        scrim_measurement_free(by_delta);
        *made = NULL;
        SC_TRY(make_least(s, budget, least, made, error));
    }
    *choice = (sc_key_choice){
        .measurement = *made,
        .is_chosen = true,
        .reason = is_enough ? "the threshold of HAVING, raised to what delta needs"
                            : "its threshold is that of HAVING"};
    return set_sizes(choice)
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_LIMIT,
                         "no group is large enough to be kept at this epsilon and "
                         "delta; choose larger ones");
}

scrim_status sc_plan_select_ways(uint64_t max_groups, bool shows,
                                 const sc_select_budget *budget, sc_key_choice *choices,
                                 size_t *count, scrim_measurement **made,
                                 scrim_error *error)
{
    sc_key_choice *best = NULL;
    scrim_status status = SCRIM_OK;
    *count = 0;
    for (size_t i = shows ? SHOWING : 0; i < WAYS; i++) {
        sc_key_choice *choice = &choices[*count];
        status = make(ways[i], (int64_t)max_groups, budget, &made[*count], error);
        if (status == SCRIM_E_LIMIT)
            continue; /* perhaps another one can */
        if (status != SCRIM_OK)
            return status;
        *choice = (sc_key_choice){
            .measurement = made[(*count)++], .shows = shows, .reason = ""};
        if (!set_sizes(choice))
            return sc_fail(error, SCRIM_E_LIMIT,
                           "no group is large enough to be kept at this epsilon and "
                           "delta; choose larger ones");
        if (best == NULL || choice->half < best->half)
            best = choice;
    }
    if (best == NULL)
        return status == SCRIM_OK
                   ? sc_fail(error, SCRIM_E_INTERNAL, "no mechanism can choose the keys")
                   : status;
    best->is_chosen = true;
    best->reason = *count == 1 ? "the only one that fits this epsilon and delta"
                               : "it shows the smallest groups";
    return SCRIM_OK;
}

scrim_status sc_plan_select(const sc_planned_statement *s, const sc_select_budget *budget,
                            sc_key_choice *choices, size_t *count,
                            scrim_measurement **made, scrim_error *error)
{
    *count = s->query->least.count > 0;
    return *count > 0 ? select_least(s, budget, choices, made, error)
                      : sc_plan_select_ways(s->bounds.groups, sc_plan_select_shows(s),
                                            budget, choices, count, made, error);
}

void sc_plan_select_put_others(const scrim_measurement *taken, sc_text_sink *out)
{
    bool is_one = false, is_first = true;
    for (size_t i = 0; i < WAYS; i++)
        is_one |= taken->mechanism == ways[i];
    for (size_t i = 0; is_one && i < WAYS; i++) {
        sc_key_choice other = {.reason = ""};
        scrim_measurement *made = NULL;
        char size[SC_INT128_BYTES];
        const sc_select_budget budget = {taken->cost.neighbours,
                                         sc_measurement_get(taken, "epsilon"),
                                         sc_measurement_get(taken, "delta")};
        if (taken->mechanism == ways[i] ||
            make(ways[i], sc_measurement_integer(taken, "max-groups", 1), &budget, &made,
                 NULL) != SCRIM_OK)
            continue;
        other.measurement = made;
        if (set_sizes(&other)) {
            sc_int128_format((sc_int128)other.half, size);
            sc_text_put(out, sc_text_of(is_first ? "" : ", "));
            sc_text_put(out, sc_text_of(ways[i]->entry.name));
            sc_text_put(out, sc_text_of(" "));
            sc_text_put(out, sc_text_of(size));
            is_first = false;
        }
        scrim_measurement_free(made);
    }
}
