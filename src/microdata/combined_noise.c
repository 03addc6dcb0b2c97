#include "microdata/combined_noise.h"

#include <math.h>

/* Doubles are off by far less than these. */
#define WIDENED (1 + 1e-9)
#define ROUNDED 1e-10 /* of a probability */

static double variance_of(const sc_combined_noise *sum)
{
    double variance = 0;
    for (size_t i = 0; i < sum->count; i++) {
        const sc_noise_term *t = &sum->terms[i];
        variance +=
            t->count * t->weight * t->weight * sc_level_variance(&sum->noises[t->level]);
    }
    return variance;
}

/* Chernoff's bound. */

/* ln E exp(s z): -expm1 keeps the digits of a small rate. */
static double log_moment(const sc_level_noise *noise, double s)
{
    const double rate = noise->amount;
    if (noise->kind == SC_TREE_GAUSSIAN)
        return s * s * noise->amount / 2;
    return 2 * log(-expm1(-rate)) - log(-expm1(s - rate)) - log(-expm1(-s - rate));
}

static double width_at(const sc_combined_noise *sum, double beta, double s)
{
    double all = log(2 / beta);
    for (size_t i = 0; i < sum->count; i++) {
        const sc_noise_term *t = &sum->terms[i];
        all += t->count * log_moment(&sum->noises[t->level], s * fabs(t->weight));
    }
    return all / s;
}

/* Slopes are below it: the best one of Gaussian noise of this variance, twice, or where a moment ends. */
static double steepest(const sc_combined_noise *sum, double beta, double variance)
{
    double high = 2 * sqrt(2 * log(2 / beta) / variance);
    for (size_t i = 0; i < sum->count; i++) {
        const sc_noise_term *t = &sum->terms[i];
        if (sum->noises[t->level].kind == SC_TREE_LAPLACE)
            high = fmin(high, sum->noises[t->level].amount / fabs(t->weight));
    }
    return high;
}

/* The width falls and then rises, and every slope gives one that holds: near the best it hardly changes. */
static double best_slope(const sc_combined_noise *sum, double beta, double most)
{
    double low = 0, high = most;
    for (int turn = 0; turn < 40; turn++) {
        const double third = (high - low) / 3;
        if (width_at(sum, beta, low + third) < width_at(sum, beta, high - third))
            high -= third;
        else
            low += third;
    }
    return (low + high) / 2;
}

double sc_combined_noise_chernoff(const sc_combined_noise *sum, double beta)
{
    const double variance = variance_of(sum);
    if (!(variance > 0))
        return 0;
    const double most = steepest(sum, beta, variance);
    return width_at(sum, beta, best_slope(sum, beta, most)) * WIDENED;
}

/* One step up or down while it is better. */
static double descend(const sc_combined_noise *sum, double beta, double factor,
                      double most, double *s)
{
    double best = width_at(sum, beta, *s);
    for (int side = 0; side < 2; side++)
        for (int turn = 0; turn < 40; turn++) {
            const double next = fmin(side == 0 ? *s * factor : *s / factor, most);
            const double width = width_at(sum, beta, next);
            if (!(width < best))
                break;
            best = width;
            *s = next;
        }
    return best;
}

double sc_combined_noise_chernoff_near(const sc_combined_noise *sum, double beta,
                                       double *slope)
{
    const double variance = variance_of(sum);
    if (!(variance > 0))
        return 0;
    const double most = steepest(sum, beta, variance) * (1 - 1e-6);
    *slope = *slope > 0 ? fmin(*slope, most) : best_slope(sum, beta, most);
    (void)descend(sum, beta, 1.1, most, slope);
    return descend(sum, beta, 1.02, most, slope) * WIDENED;
}

/* The bound by the characteristic function. */

#define PI 3.14159265358979323846
#define BAND 32 /* deviations; more for a beta below 0.01 */
#define BETA_OF_BAND 0.01
#define PLACES 2048     /* of the grid: what they do not reach narrows the band */
#define WRAP_SHARE 1e-4 /* of beta, for what lies a period away */
#define SEARCH_TURNS 12 /* to a thousandth of the deviation */
#define COUNT_OFF 1e-11 /* by the sums it is made from */

#define NARROW 0.5 /* a variance */

/* ln of the characteristic function of discrete Gaussian noise, a quotient of theta functions: of a narrow one by the sum over whole numbers, else by the sum over turns. */
static double log_gaussian(double variance, double turn)
{
    double above = 0, below = 0;
    if (variance < NARROW) {
        for (int n = -8; n <= 8; n++) {
            const double share = exp(-n * n / (2 * variance));
            above += share * cos(n * turn);
            below += share;
        }
        return log(above / below);
    }
    turn = remainder(turn, 2 * PI);
    for (int k = -2; k <= 2; k++) {
        const double away = turn - 2 * PI * k;
        above += exp(-variance * (away * away - turn * turn) / 2);
        below += exp(-variance * 4 * PI * PI * k * k / 2);
    }
    return -variance * turn * turn / 2 + log(above / below);
}

static double log_characteristic(const sc_level_noise *noise, double variance,
                                 double turn)
{
    const double half = sin(turn / 2);
    return noise->kind == SC_TREE_GAUSSIAN ? log_gaussian(variance, turn)
                                           : -log1p(2 * variance * half * half);
}

/* The characteristic function between two bounds, at the places j/period of the band. */
typedef struct law {
    double period, band;
    double wrap; /* what lies a period away */
    size_t places;
    double low[PLACES], high[PLACES];
} law;

static bool is_known(const sc_noise_term *t)
{
    return t->noises <= t->count * (1 + COUNT_OFF);
}

/* Adds the logarithms of a term. Where weights are not known, noises of one weight are the least. */
static void add_term(const sc_combined_noise *sum, const sc_noise_term *t, law *l)
{
    const sc_level_noise *noise = &sum->noises[t->level];
    const double variance = sc_level_variance(noise),
                 step = 2 * PI * fabs(t->weight) / l->period;
    const bool is_gaussian = noise->kind == SC_TREE_GAUSSIAN || isinf(t->noises),
               is_exact = is_known(t);
    const double evened = is_exact || is_gaussian ? 1 : sqrt(t->count / t->noises);
    for (size_t i = 1; i <= l->places; i++) {
        const double turn = step * (double)i,
                     high = t->count * log_characteristic(noise, variance, turn);
        l->high[i] += high;
        l->low[i] += is_exact ? high
                     : is_gaussian
                         ? -t->count * variance * turn * turn / 2
                         : t->noises * log_characteristic(noise, variance, evened * turn);
    }
}

/* Bounds of weights say something up to half a turn. */
static double widest_band(const sc_combined_noise *sum)
{
    double band = HUGE_VAL;
    for (size_t i = 0; i < sum->count; i++)
        if (!is_known(&sum->terms[i]))
            band = fmin(band, 1 / (2 * fabs(sum->terms[i].weight)));
    return band;
}

static void set_law(const sc_combined_noise *sum, double deviation, double most,
                    double beta, law *l)
{
    const double wanted = BAND * fmax(1, sqrt(BETA_OF_BAND / beta)) / deviation;
    l->wrap = beta * WRAP_SHARE;
    l->period = most + sc_combined_noise_chernoff(sum, l->wrap);
    l->band = fmin(wanted, widest_band(sum));
    l->band = fmin(l->band, (PLACES - 1) / l->period);
    l->places = (size_t)fmin(l->band * l->period, PLACES - 1);
    for (size_t i = 1; i <= l->places; i++)
        l->low[i] = l->high[i] = 0;
    for (size_t i = 0; i < sum->count; i++)
        add_term(sum, &sum->terms[i], l);
    for (size_t i = 1; i <= l->places; i++) {
        l->low[i] = exp(l->low[i]);
        l->high[i] = exp(l->high[i]);
    }
}

/* The least that Pr[|S| <= t] can be: Selberg's function has the transform
 * J(u) sin(2 pi t x)/(pi x) - (1 - u)/d cos(2 pi t x) at x = u d, with J(u) = pi u (1 - u) cot(pi u) + u. */
static double least_inside(const law *l, double t)
{
    double sum = 2 * t - 1 / l->band;
    for (size_t i = 1; i <= l->places; i++) {
        const double x = (double)i / l->period, u = x / l->band, turn = 2 * PI * t * x;
        if (u >= 1)
            break;
        const double j = PI * u * (1 - u) / tan(PI * u) + u;
        const double m = j * sin(turn) / (PI * x) - (1 - u) / l->band * cos(turn);
        sum += 2 * m * (m > 0 ? l->low[i] : l->high[i]);
    }
    return sum / l->period - l->wrap - ROUNDED;
}

/* Bounds of weights need Gaussian noise that is not too narrow (combined_noise.md). */
static bool is_told_by_law(const sc_combined_noise *sum)
{
    for (size_t i = 0; i < sum->count; i++) {
        const sc_level_noise *noise = &sum->noises[sum->terms[i].level];
        if (!is_known(&sum->terms[i]) && noise->kind == SC_TREE_GAUSSIAN &&
            noise->amount < NARROW)
            return false;
    }
    return true;
}

double sc_combined_noise_at_most(const sc_combined_noise *sum, double most, double beta)
{
    law l;
    const double deviation = sqrt(variance_of(sum));
    if (!(deviation > 0) || !(most > deviation / 2) || !is_told_by_law(sum))
        return most;
    set_law(sum, deviation, most, beta, &l);
    double low = deviation / 2, high = most;
    for (int turn = 0; turn < SEARCH_TURNS; turn++) {
        const double middle = (low + high) / 2;
        if (least_inside(&l, middle) >= 1 - beta)
            high = middle;
        else
            low = middle;
    }
    return fmin(high * WIDENED, most);
}

double sc_combined_noise_half_width(const sc_combined_noise *sum, double beta)
{
    return sc_combined_noise_at_most(sum, sc_combined_noise_chernoff(sum, beta), beta);
}

double sc_noise_half_width(const sc_level_noise *noise, double beta)
{
    const sc_noise_term one = {1, 1, 0, 0};
    const sc_combined_noise sum = {&one, 1, noise};
    const double x = exp(-noise->amount);
    /* Pr[|z| > t] = 2 x^(t + 1)/(1 + x). */
    if (noise->kind == SC_TREE_LAPLACE)
        return fmax(0, ceil(log(beta * (1 + x) / 2) / -noise->amount - 1 + ROUNDED));
    return floor(sc_combined_noise_half_width(&sum, beta));
}

/* No noise can vary more than the sum, so that the worst is one of the least variance that does. */
double sc_combined_noise_factor(const sc_level_noise *noises, size_t count, double beta)
{
    const sc_noise_term one = {1, 1, 0, HUGE_VAL};
    const sc_level_noise *least = NULL;
    bool is_mixed = false;
    for (size_t i = 0; i < count; i++) {
        if (noises[i].amount <= 0)
            continue;
        is_mixed = is_mixed || (least != NULL && least->kind != noises[i].kind);
        if (least == NULL || sc_level_variance(&noises[i]) < sc_level_variance(least))
            least = &noises[i];
    }
    const double chebyshev = sqrt(1 / beta) * WIDENED;
    if (least == NULL || is_mixed)
        return chebyshev;
    const sc_combined_noise sum = {&one, 1, least};
    const double width = sc_combined_noise_half_width(&sum, beta);
    return fmin(chebyshev, width / sqrt(sc_level_variance(least)) * WIDENED);
}
