#include "query/estimate/ladder_reading.h"

#include "base/number/ball_double.h"

#include <math.h>

void sc_reading_init(sc_ladder_reading *r, const int64_t *rungs, size_t count,
                     int64_t first, sc_value_step step, const scrim_measurement *noise,
                     const sc_ratio *confidence)
{
    const double unit = (double)step.numerator / (double)step.denominator;
    *r = (sc_ladder_reading){.count = count,
                             .noise = noise,
                             .beta = 1 - sc_ball_near(confidence),
                             .first = (double)first * unit,
                             .unit = unit};
    for (size_t i = 0; i < count; i++)
        r->ends[i] = (double)rungs[i] * unit;
}

int64_t sc_reading_above(const sc_ladder_reading *r, size_t rung)
{
    int64_t sum = 0;
    for (size_t i = rung + 1; i < r->count; i++)
        sum += r->counts[i];
    return sum;
}

int64_t sc_reading_people(const sc_ladder_reading *r)
{
    return r->count == 0 ? 0 : r->counts[0] + sc_reading_above(r, 0);
}

/* Each noise is at most its own radius at a part of beta: nearer than the bound of noise_sum where noise is
 * hardly a step wide. */
static double apart(const sc_noise_sum *sum, double beta)
{
    const sc_noise_sum alone = {.terms = {sum->terms[0]}, .weights = {1}, .count = 1};
    double weights = 0;
    for (size_t i = 0; i < sum->count; i++)
        weights += sum->weights[i];
    const double each =
        ceil(sc_noise_sum_radius_upper(&alone, beta / (double)sum->count)) - 1;
    return weights * fmax(each, 0) * (1 + 1e-12) + 1e-9;
}

/* The noise of `many` counts with one weight and `others` with another reaches it with a probability of at most
 * beta. */
static double radius(const sc_ladder_reading *r, size_t many, double weight,
                     size_t others, double other, double beta)
{
    sc_noise noise;
    sc_noise_sum sum = {.count = 0};
    sc_noise_init(&noise, sc_noise_law(r->noise));
    for (size_t i = 0; i < many + others; i++) {
        const double own = i < many ? weight : other;
        if (own <= 0)
            continue;
        sum.terms[sum.count] = &noise;
        sum.weights[sum.count++] = own;
    }
    return sum.count == 0
               ? 0
               : fmin(sc_noise_sum_radius_upper(&sum, beta), apart(&sum, beta));
}

uint64_t sc_reading_error(const sc_ladder_reading *r, size_t count)
{
    /* The sum is an integer, and the radius is reached with the probability beta. */
    return (uint64_t)fmin(fmax(ceil(radius(r, count, 1, 0, 0, r->beta)) - 1, 0), 1e18);
}

/* D_j of the proof. */
static double difference(const sc_ladder_reading *r, size_t rung, double p)
{
    const double above = (double)sc_reading_above(r, rung);
    return p * above - (1 - p) * ((double)sc_reading_people(r) - above);
}

/* Roundings of p must not move a rung: 5 % of 10,000 people are 500. */
static bool is_there(const sc_ladder_reading *r, size_t rung, double p, double more)
{
    const double margin = 1e-9 * fmax(fabs((double)sc_reading_people(r)), 1);
    return rung + 1 >= r->count || difference(r, rung, p) + more <= margin;
}

sc_ladder_quantile sc_reading_find(const sc_ladder_reading *r, unsigned hundredths)
{
    const double p = hundredths / 100.0;
    sc_ladder_quantile q = {0, 0, 0};
    while (!is_there(r, q.rung, p, 0))
        q.rung++;
    bool is_low = false;
    for (;; q.high++) {
        const double error =
            radius(r, r->count - 1 - q.high, p, q.high + 1, 1 - p, r->beta);
        if (!is_low && is_there(r, q.high, p, -error)) {
            is_low = true;
            q.low = q.high;
        }
        if (is_there(r, q.high, p, error))
            return q;
    }
}

typedef struct part {
    const sc_ladder_reading *r;
    double people, others;
    size_t rungs;
} part;

static bool is_possible(const part *p, double share)
{
    return fabs((1 - share) * p->people - share * p->others) <=
           radius(p->r, p->rungs, 1 - share, p->r->count - p->rungs, share, p->r->beta);
}

/* Between a share that is possible and an end that is not; the end itself where it is. */
static double limit_of(const part *p, double share, double end)
{
    if (is_possible(p, end))
        return end;
    for (int i = 0; i < 15; i++) {
        const double middle = (share + end) / 2;
        if (is_possible(p, middle))
            share = middle;
        else
            end = middle;
    }
    return end;
}

sc_ladder_part sc_reading_share(const sc_ladder_reading *r, int64_t people, size_t rungs)
{
    const double others = (double)(sc_reading_people(r) - people);
    const part p = {r, fmax((double)people, 0), fmax(others, 0), rungs};
    const double all = p.people + p.others, share = all > 0 ? p.people / all : 0;
    const double whole = SC_LADDER_WHOLE, low = all > 0 ? limit_of(&p, share, 0) : 0,
                 high = all > 0 ? limit_of(&p, share, 1) : 1;
    return (sc_ladder_part){(int)round(share * whole), (int)floor(low * whole),
                            (int)ceil(high * whole)};
}

/* Noise is taken for people with these chances: in the rungs that follow those with people, and anywhere above. A rung far
 * above the others would make a bound many times too large. */
#define NEAR 0.01
#define FAR 1e-4
/* The number of neighbouring rungs that are added up. A few people on each rung may be seen in their sum alone. */
#define WINDOW 3

typedef struct sight {
    const sc_ladder_reading *r;
    double near[WINDOW],
        far[WINDOW]; /* a sum of 1, 2, ... counts that noise reaches with that chance */
} sight;

static bool has_people(const sight *s, const double *least, size_t from, size_t rungs)
{
    const int64_t *counts = s->r->counts + from;
    double sum = 0;
    if (from + rungs > s->r->count)
        return false;
    for (size_t i = 0; i < rungs; i++)
        sum += (double)counts[i];
    return counts[rungs - 1] > 0 && sum >= least[rungs - 1];
}

/* Returns the number of rungs up to the next one that shows people; `seen` if no further rung does. */
static size_t see_further(const sight *s, size_t seen)
{
    for (size_t k = 1; k <= WINDOW; k++)
        if (has_people(s, s->near, seen, k))
            return seen + k;
    for (size_t end = seen + 1; end <= s->r->count; end++)
        for (size_t k = 1; k <= WINDOW && k <= end - seen; k++)
            if (has_people(s, s->far, end - k, k))
                return end;
    return seen;
}

void sc_reading_clean(const sc_ladder_reading *r, double out[SC_LADDER_MOST])
{
    sight s = {.r = r};
    size_t seen = 0, before;
    for (size_t k = 1; k <= WINDOW; k++) {
        s.near[k - 1] = radius(r, k, 1, 0, 0, 2 * NEAR);
        s.far[k - 1] = radius(r, k, 1, 0, 0, 2 * FAR / (double)(r->count + 1));
    }
    do {
        before = seen;
        seen = see_further(&s, seen);
    } while (seen > before);
    for (size_t i = 0; i < r->count; i++)
        out[i] = i < seen && r->counts[i] > 0 ? (double)r->counts[i] : 0;
}
