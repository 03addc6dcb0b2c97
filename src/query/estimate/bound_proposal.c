#include "query/estimate/bound_proposal.h"

#include "base/number/ball_double.h"

#include <math.h>

const sc_proposal_points sc_proposal_ones = {{1, 1, 1, 1}, SC_PROPOSAL_POINTS};
static const double shares[SC_PROPOSAL_POINTS] = {0.5, 0.1, 0.05, 0.01};
/* Powers of the tail that are accepted. */
#define SLOWEST 1.5
#define FASTEST 20
#define ALONE 2
/* People in a group of private keys: as many as explain expects. */
#define GROUP_PEOPLE 1000

typedef struct tail {
    double values[SC_PROPOSAL_POINTS];
    size_t count;
    double power;
    bool has_more;
} tail;

static tail tail_of(const sc_proposal_points *points, bool is_row)
{
    tail t = {.count = 0, .power = ALONE, .has_more = true};
    for (; t.count < points->count; t.count++) {
        const double shown = points->values[t.count],
                     value = is_row ? fmax(shown, 0) : fabs(shown),
                     before = t.count == 0 ? 0 : t.values[t.count - 1];
        /* Each quantile is noisy by itself: make them increase. */
        t.values[t.count] = fmax(value, before);
    }
    /* All quantiles are equal: assume that no person has more. */
    t.has_more = t.count < 2 || t.values[t.count - 1] > t.values[0];
    /* Use the last smaller one: on a ladder some quantiles are equal. */
    const size_t last = t.count == 0 ? 0 : t.count - 1;
    size_t before = last;
    while (before > 0 && t.values[before] >= t.values[last])
        before--;
    if (before < last && t.values[before] > 0)
        t.power =
            log(shares[before] / shares[last]) / log(t.values[last] / t.values[before]);
    t.power = fmin(fmax(t.power, SLOWEST), FASTEST);
    return t;
}

/* The mean amount of a person beyond a bound. */
static double excess(const tail *t, double bound)
{
    double sum = 0, from = 0, share = 1;
    for (size_t i = 0; i < t->count; i++) {
        const double to = t->values[i], begin = fmax(from, bound);
        if (to > begin) {
            const double slope = (shares[i] - share) / (to - from),
                         at = share + slope * (begin - from);
            sum += (at + shares[i]) / 2 * (to - begin);
        }
        from = to;
        share = shares[i];
    }
    const double begin = fmax(from, bound);
    if (from > 0 && t->has_more)
        sum += share * pow(from / begin, t->power) * begin / (t->power - 1);
    return sum;
}

static double smaller(const tail *t, double bound)
{
    return excess(t, 0) - excess(t, bound);
}

/* 1, 2, 3, 5, 10, 20, ...: quantiles are too rough for more. */
static int64_t candidate(size_t i)
{
    static const int64_t digits[] = {1, 2, 3, 5};
    int64_t value = digits[i % 4];
    for (size_t k = 0; k < i / 4; k++)
        value *= 10;
    return value;
}
#define CANDIDATES 72
#define ROW_CANDIDATES 24

/* No bound is far beyond the last known quantile, where the tail is a guess. */
static double farthest(const tail *t)
{
    return t->values[t->count - 1] * (t->count == SC_PROPOSAL_POINTS ? 2 : 5);
}

static double noise(const sc_proposal *p, double most)
{
    return sqrt(2) * (p->is_doubled ? 2 : 1) * most / sc_ball_near(p->epsilon);
}

static double people_of(const sc_proposal *p, double groups)
{
    const double people = p->people < 1 ? 1 : (double)p->people;
    if (p->keys == 0)
        return fmin(people, GROUP_PEOPLE);
    return people * fmin(groups / (double)p->keys, 1);
}

void sc_proposal_rows(sc_proposal *p, const sc_proposal_points *groups,
                      const sc_proposal_points *rows)
{
    const tail g = tail_of(groups == NULL ? &sc_proposal_ones : groups, false),
               r = tail_of(rows, false);
    const double all_groups = groups == NULL ? 1 : excess(&g, 0),
                 all_rows = excess(&r, 0);
    double best = HUGE_VAL;
    p->group_people = people_of(p, all_groups);
    p->max_groups = p->max_rows = 1;
    for (size_t i = 0; i < (groups == NULL ? 1 : ROW_CANDIDATES); i++)
        for (size_t k = 0; k < ROW_CANDIDATES; k++) {
            const double max_groups = (double)candidate(i),
                         max_rows = (double)candidate(k),
                         kept = groups == NULL ? 1 : smaller(&g, max_groups) / all_groups,
                         bias =
                             p->group_people * (all_rows - kept * smaller(&r, max_rows)),
                         error = hypot(bias, noise(p, max_groups * max_rows));
            if (error < best && max_groups <= farthest(&g) && max_rows <= farthest(&r)) {
                best = error;
                p->max_groups = (uint64_t)candidate(i);
                p->max_rows = (uint64_t)candidate(k);
            }
        }
    if (p->keys > 0 && p->max_groups > p->keys)
        p->max_groups = p->keys;
    p->person_rows = smaller(&r, (double)p->max_rows);
}

int64_t sc_proposal_end(const sc_proposal *p, const sc_proposal_points *points,
                        bool is_row, sc_value_step step, int64_t most)
{
    const tail t = tail_of(points, is_row);
    const double unit = (double)step.numerator / (double)step.denominator,
                 times = is_row ? p->person_rows : 1,
                 reach = (double)p->max_groups * (is_row ? (double)p->max_rows : 1);
    double best = HUGE_VAL;
    int64_t found = t.count < SC_PROPOSAL_POINTS ? SC_PROPOSAL_NONE : 0;
    for (size_t i = 0; i < CANDIDATES && candidate(i) <= most; i++) {
        const double end = unit * (double)candidate(i),
                     error = hypot(p->group_people * times * excess(&t, end),
                                   noise(p, reach * end));
        if (error < best && end <= farthest(&t)) {
            best = error;
            found = candidate(i);
        }
    }
    return found;
}

uint64_t sc_proposal_people(const sc_ratio *epsilon, uint64_t choices, const sc_ratio *p)
{
    const double share = sc_ball_near(p), beyond = fmin(share, 1 - share),
                 people =
                     4 * log(20 * (double)choices) / (sc_ball_near(epsilon) * beyond);
    return people < 1e15 ? (uint64_t)ceil(people) : (uint64_t)1000000000000000;
}
