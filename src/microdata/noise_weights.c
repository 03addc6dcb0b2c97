#include "microdata/noise_weights.h"

#include "base/memory.h"

#include <math.h>

/* Weights. */

/* The share of its own noise in e of a node, and that of the sum of its children. */
static double own_share(const sc_squares *s, size_t level)
{
    const double own = s->measured[level], below = s->below[level];
    if (level + 1 == s->levels || own <= 0)
        return 1;
    return isinf(own) ? 0 : below / (own + below);
}

/* The weight in e of a node of level from that a node of level to below it has. */
static double up_weight(const sc_squares *s, size_t from, size_t to)
{
    double weight = own_share(s, to);
    for (size_t i = from; i < to; i++)
        weight *= 1 - own_share(s, i);
    return weight;
}

/* From the node of level - 1 on the way to the one of level. */
static void step_down(const sc_squares *s, size_t level, sc_noise_table *out)
{
    double(*const table)[SC_TREE_LEVELS] = out->weight;
    const double below = s->below[level - 1];
    const double gain = below > 0 ? s->up[level] / below : 0;
    for (size_t i = 0; i < level; i++)
        for (size_t k = i; k < s->levels; k++)
            table[i][k] *= gain;
    for (size_t k = level; k < s->levels; k++) {
        const double up = up_weight(s, level, k);
        table[level][k] = table[level - 1][k] + (1 - gain) * up;
        table[level - 1][k] -= gain * up;
    }
}

static double children_of(const sc_squares *s, size_t level)
{
    return (double)(s->starts[level + 2] - s->starts[level + 1]) /
           (double)(s->starts[level + 1] - s->starts[level]);
}

double sc_noise_nodes(const sc_squares *s, size_t level, size_t i, size_t k)
{
    double count = 1;
    for (size_t at = i; at < k; at++)
        count *= children_of(s, at) - (at == i && i < level ? 1 : 0);
    return count;
}

void sc_noise_table_find(const sc_squares *s, size_t level, sc_noise_table *out)
{
    for (size_t k = 0; k < s->levels; k++)
        out->weight[0][k] = up_weight(s, 0, k);
    for (size_t at = 1; at <= level; at++)
        step_down(s, at, out);
}

size_t sc_noise_terms(const sc_squares *s, size_t level, sc_noise_term *terms)
{
    sc_noise_table table;
    size_t count = 0;
    sc_noise_table_find(s, level, &table);
    for (size_t i = 0; i <= level; i++)
        for (size_t k = i; k < s->levels; k++) {
            const double nodes = sc_noise_nodes(s, level, i, k);
            if (nodes > 0 && table.weight[i][k] != 0 && s->measured[k] > 0)
                terms[count++] = (sc_noise_term){table.weight[i][k], nodes, k};
        }
    return count;
}

/* Half widths. What is computed in doubles is widened by far more than they can be off. */

#define WIDENED (1 + 1e-9)

double sc_half_width_gaussian(double variance, double beta)
{
    return sqrt(2 * variance * log(2 / beta)) * WIDENED;
}

double sc_half_width_any(double variance, double beta)
{
    return sqrt(variance / beta) * WIDENED;
}

/* ln M(s) for the rate w: -expm1 keeps the digits of a small w. */
static double log_moment(double s, double rate)
{
    return 2 * log(-expm1(-rate)) - log(-expm1(s - rate)) - log(-expm1(-s - rate));
}

typedef struct tail {
    const sc_noise_term *terms;
    size_t count;
    const double *rates;
    double log_share; /* ln(2/beta) */
} tail;

static double width_at(const tail *t, double s)
{
    double sum = t->log_share;
    for (size_t i = 0; i < t->count; i++)
        sum += t->terms[i].count *
               log_moment(s * fabs(t->terms[i].weight), t->rates[t->terms[i].level]);
    return sum / s;
}

/* Slopes are below it; infinite where there is no noise. */
static double steepest(const tail *t)
{
    double high = HUGE_VAL;
    for (size_t i = 0; i < t->count; i++)
        high = fmin(high, t->rates[t->terms[i].level] / fabs(t->terms[i].weight));
    return high;
}

/* The width falls and then rises, and every slope gives one that holds: near the best it hardly changes. */
static double best_slope(const tail *t)
{
    double low = 0, high = steepest(t);
    for (int turn = 0; turn < 40; turn++) {
        const double third = (high - low) / 3;
        if (width_at(t, low + third) < width_at(t, high - third))
            high -= third;
        else
            low += third;
    }
    return (low + high) / 2;
}

double sc_half_width_laplace(const sc_noise_term *terms, size_t count,
                             const double *rates, double beta)
{
    const tail t = {terms, count, rates, log(2 / beta)};
    return isinf(steepest(&t)) ? 0 : width_at(&t, best_slope(&t)) * WIDENED;
}

/* One step up or down while it is better. */
static double descend(const tail *t, double factor, double most, double *s)
{
    double best = width_at(t, *s);
    for (int side = 0; side < 2; side++)
        for (int turn = 0; turn < 40; turn++) {
            const double next = fmin(side == 0 ? *s * factor : *s / factor, most);
            const double width = width_at(t, next);
            if (!(width < best))
                break;
            best = width;
            *s = next;
        }
    return best;
}

double sc_half_width_laplace_near(const sc_noise_term *terms, size_t count,
                                  const double *rates, double beta, double *s)
{
    const tail t = {terms, count, rates, log(2 / beta)};
    const double most = steepest(&t) * (1 - 1e-6);
    if (isinf(most))
        return 0;
    *s = *s > 0 ? fmin(*s, most) : best_slope(&t);
    (void)descend(&t, 1.1, most, s);
    return descend(&t, 1.02, most, s) * WIDENED;
}

/* Bins. */

#define BINS_OF_OCTAVE 8

size_t sc_noise_collect(const double *weights, const size_t *starts, size_t levels,
                        sc_noise_term *terms)
{
    size_t count = 0;
    for (size_t l = 0; l < levels; l++) {
        double most = 0, squares[SC_NOISE_BINS] = {0}, largest[SC_NOISE_BINS] = {0};
        for (size_t v = starts[l]; v < starts[l + 1]; v++)
            most = fmax(most, fabs(weights[v]));
        for (size_t v = starts[l]; v < starts[l + 1]; v++) {
            const double weight = fabs(weights[v]);
            if (weight <= 0)
                continue;
            const double place = floor(log2(most / weight) * BINS_OF_OCTAVE);
            const size_t bin =
                place < SC_NOISE_BINS - 1 ? (size_t)place : SC_NOISE_BINS - 1;
            squares[bin] += weight * weight;
            largest[bin] = fmax(largest[bin], weight);
        }
        for (size_t i = 0; i < SC_NOISE_BINS; i++)
            if (largest[i] > 0)
                terms[count++] = (sc_noise_term){
                    largest[i], squares[i] / (largest[i] * largest[i]), l};
    }
    return count;
}

/* Convolution. */

#define TAIL_LOG 48.0 /* beyond it lies less than e^-48 of a noise */
#define MOST_CELLS ((size_t)1 << 24)

/* out[i] = P(sum = i - half) after one more noise of the weight; both have cells numbers. */
static void add_noise(const double *from, double *out, size_t cells, size_t step,
                      double rate, size_t reach)
{
    const double x = exp(-rate), first = -expm1(-rate) / (1 + x);
    for (size_t i = 0; i < cells; i++)
        out[i] = 0;
    for (size_t i = 0; i < cells; i++) {
        double mass = from[i] * first;
        if (mass <= 0)
            continue;
        out[i] += mass;
        for (size_t k = 1; k <= reach; k++) {
            const size_t shift = k * step;
            mass *= x;
            if (i + shift < cells)
                out[i + shift] += mass;
            if (i >= shift)
                out[i - shift] += mass;
        }
    }
}

static int64_t tail_at(const double *law, size_t half, double beta)
{
    double outside = 0;
    size_t t = half;
    while (t > 0 && outside + law[half - t] + law[half + t] <= beta * (1 - 1e-9)) {
        outside += law[half - t] + law[half + t];
        t--;
    }
    return (int64_t)t;
}

int64_t sc_laplace_quantile(const int64_t *weights, size_t count, double rate,
                            double beta)
{
    const double width = ceil(TAIL_LOG / rate);
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += (double)(weights[i] < 0 ? -weights[i] : weights[i]);
    if (!(total * width < (double)MOST_CELLS / 4))
        return -1;
    const size_t reach = (size_t)width, half = (size_t)total * reach;
    double *law = sc_allocate(2 * half + 1, sizeof *law);
    double *next = sc_allocate(2 * half + 1, sizeof *next);
    int64_t quantile = -1;
    if (law != NULL && next != NULL) {
        law[half] = 1;
        for (size_t i = 0; i < count; i++) {
            const int64_t step = weights[i] < 0 ? -weights[i] : weights[i];
            double *const swap = law;
            if (step == 0)
                continue;
            add_noise(law, next, 2 * half + 1, (size_t)step, rate, reach);
            law = next;
            next = swap;
        }
        quantile = tail_at(law, half, beta);
    }
    sc_free(law);
    sc_free(next);
    return quantile;
}
