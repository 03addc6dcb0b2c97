#include "query/estimate/bound_proposal.h"

#include "base/number/ball_double.h"

#include <math.h>

/* People in a group of private keys: as many as explain expects. */
#define GROUP_PEOPLE 1000

/* People by rung, as predictions take them, and the mean of each rung. */
typedef struct crowd {
    double people[SC_LADDER_MOST], means[SC_LADDER_MOST], all;
    size_t count;
} crowd;

static crowd crowd_of(const sc_ladder_reading *r)
{
    crowd c = {.count = r->count};
    sc_reading_clean(r, c.people);
    for (size_t i = 0; i < r->count; i++) {
        const double from = i == 0 ? r->first : r->ends[i - 1] + r->unit, to = r->ends[i];
        c.all += c.people[i];
        c.means[i] =
            from > 0 && to > from ? (to - from) / log(to / from) : (from + to) / 2;
    }
    return c;
}

/* The mean of what a person has beyond a bound; below it where is_below. */
static double beyond(const crowd *c, double bound, bool is_below)
{
    double sum = 0;
    for (size_t i = 0; i < c->count; i++)
        sum +=
            c->people[i] * fmax(is_below ? bound - c->means[i] : c->means[i] - bound, 0);
    return c->all > 0 ? sum / c->all : 0;
}

static double mean(const crowd *c)
{
    return beyond(c, 0, false);
}

/* The mean of the smaller of both. */
static double within(const crowd *c, double bound)
{
    return mean(c) - beyond(c, bound, false);
}

static double noise(const sc_proposal *p, double most)
{
    return sqrt(2) * (p->is_doubled ? 2 : 1) * most / sc_ball_near(p->epsilon);
}

static double people_of(const sc_proposal *p)
{
    return p->people < 1 ? 1 : (double)p->people;
}

/* One group has its part of the rows that are dropped. */
static double part_of_group(const sc_proposal *p)
{
    return p->keys > 0 ? 1 / (double)p->keys : fmin(GROUP_PEOPLE / people_of(p), 1);
}

size_t sc_proposal_total_rows(sc_proposal *p, const sc_ladder_reading *rows)
{
    crowd c = crowd_of(rows);
    double best = HUGE_VAL;
    size_t found = 0;
    for (size_t i = 0; p->are_totals && i < c.count; i++)
        c.means[i] /= 2;
    for (size_t i = 0; i < rows->count; i++) {
        const double dropped = people_of(p) * beyond(&c, rows->ends[i], false) *
                               part_of_group(p),
                     error = hypot(dropped, noise(p, rows->ends[i]));
        if (error < best) {
            best = error;
            found = i;
        }
    }
    p->max_total_rows = rows->ends[found];
    return found;
}

sc_proposal_pair sc_proposal_rows(sc_proposal *p, const sc_ladder_reading *groups,
                                  const sc_ladder_reading *rows)
{
    const crowd r = crowd_of(rows), g = groups == NULL ? r : crowd_of(groups);
    const double all_groups = groups == NULL ? 1 : fmax(mean(&g), 1), all_rows = mean(&r);
    sc_proposal_pair found = {0, 0};
    double best = HUGE_VAL;
    p->group_people = p->keys == 0 ? fmin(people_of(p), GROUP_PEOPLE)
                                   : people_of(p) * fmin(all_groups / (double)p->keys, 1);
    for (size_t i = 0; i < (groups == NULL ? 1 : groups->count); i++)
        for (size_t k = 0; k < rows->count; k++) {
            const double max_groups = groups == NULL ? 1 : groups->ends[i],
                         kept = groups == NULL || mean(&g) <= 0
                                    ? 1
                                    : within(&g, max_groups) / mean(&g),
                         bias = p->group_people *
                                (all_rows - kept * within(&r, rows->ends[k])),
                         error = hypot(bias, noise(p, max_groups * rows->ends[k]));
            if (error < best) {
                best = error;
                found = (sc_proposal_pair){i, k};
            }
        }
    p->max_groups = groups == NULL ? 1 : groups->ends[found.groups];
    p->max_rows = rows->ends[found.rows];
    p->person_rows = fmax(within(&r, p->max_rows), 1);
    return found;
}

void sc_proposal_reach(sc_proposal *p, const sc_ladder_reading *rows, uint64_t max_groups)
{
    const crowd c = crowd_of(rows);
    p->max_groups = (double)max_groups;
    p->group_people = p->keys == 0
                          ? fmin(people_of(p), GROUP_PEOPLE)
                          : people_of(p) * fmin(fmax(mean(&c), 1) / (double)p->keys, 1);
}

void sc_proposal_of_rows(sc_proposal *p)
{
    p->max_groups = p->max_rows = p->max_total_rows = p->person_rows = 1;
    p->group_people = people_of(p);
}

/* Rungs whose ends are compared, from first to last: upper ends, or lower ones. */
typedef struct candidates {
    const double *ends;
    size_t first, last;
    bool is_below;
} candidates;

/* The end with the smallest error: each of `people` loses what lies beyond the end, and the
 * noise is proportional to `reach` times the end. */
static size_t best_end(const sc_proposal *p, const crowd *c, const candidates *among,
                       double people, double reach)
{
    double best = HUGE_VAL;
    size_t found = among->first;
    for (size_t i = among->first; i <= among->last; i++) {
        const double error = hypot(people * beyond(c, among->ends[i], among->is_below),
                                   noise(p, reach * fabs(among->ends[i])));
        if (error < best) {
            best = error;
            found = i;
        }
    }
    return found;
}

size_t sc_proposal_total(const sc_proposal *p, const sc_ladder_reading *totals,
                         int64_t farthest)
{
    const crowd c = crowd_of(totals);
    const double least = (double)farthest * totals->unit;
    size_t rung = 1;
    if (c.all > 0)
        return best_end(p, &c, &(candidates){totals->ends, 1, totals->count - 1, false},
                        p->group_people, p->max_groups);
    while (rung + 1 < totals->count && totals->ends[rung] < least)
        rung++;
    return rung;
}

size_t sc_proposal_high(const sc_proposal *p, const sc_ladder_reading *values)
{
    const crowd c = crowd_of(values);
    size_t first = 0;
    while (first + 1 < values->count && values->ends[first] <= 0)
        first++;
    return best_end(p, &c, &(candidates){values->ends, first, values->count - 1, false},
                    p->group_people * p->person_rows, p->max_groups * p->max_rows);
}

size_t sc_proposal_low(const sc_proposal *p, const sc_ladder_reading *values)
{
    const crowd c = crowd_of(values);
    double starts[SC_LADDER_MOST];
    size_t last = 0;
    starts[0] = values->first;
    for (size_t i = 1; i < values->count; i++)
        starts[i] = values->ends[i - 1];
    while (last + 1 < values->count && starts[last + 1] < 0)
        last++;
    return best_end(p, &c, &(candidates){starts, 0, last, true},
                    p->group_people * p->person_rows, p->max_groups * p->max_rows);
}
