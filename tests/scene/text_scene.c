#include "text_scene.h"

#include "local_device.h"

#include <math.h>
#include <string.h>

static uint64_t next_word(uint64_t *seed)
{
    uint64_t word = 0;
    const scrim_local_source source = device_seeded(seed);
    source.fill(source.context, &word, sizeof word);
    return word;
}

double scene_uniform(uint64_t *seed)
{
    return ldexp((double)(next_word(seed) >> 11), -53);
}

static double log_factorial(double n)
{
    int sign = 0;
    return lgamma_r(n + 1, &sign);
}

/* From the most likely number outwards, on both sides in turn. */
uint64_t scene_binomial(uint64_t n, double p, uint64_t *seed)
{
    const double all = (double)n, odds = p / (1 - p);
    if (n == 0 || p <= 0 || p >= 1)
        return p >= 1 ? n : 0;
    double low = fmin(all, floor((all + 1) * p)), high = low;
    double at_low =
        exp(log_factorial(all) - log_factorial(low) - log_factorial(all - low) +
            low * log(p) + (all - low) * log1p(-p));
    double at_high = at_low, left = scene_uniform(seed) - at_low;
    while (left >= 0 && (at_low > 0 || at_high > 0)) {
        at_high *= high < all ? (all - high) / (high + 1) * odds : 0;
        high++;
        left -= at_high;
        if (left < 0)
            return (uint64_t)high;
        at_low *= low > 0 ? low / (all - low + 1) / odds : 0;
        low--;
        left -= at_low;
    }
    return (uint64_t)fmax(0, low);
}

void scene_divide(uint64_t n, const double *weights, size_t count, uint64_t *out,
                  uint64_t *seed)
{
    double rest = 0;
    for (size_t i = 0; i < count; i++)
        rest += weights[i];
    for (size_t i = 0; i < count; i++) {
        out[i] = i + 1 == count ? n : scene_binomial(n, fmin(1, weights[i] / rest), seed);
        n -= out[i];
        rest -= weights[i];
    }
}

void scene_weights(scene_law law, size_t count, double *out)
{
    const double n = (double)count;
    for (size_t i = 0; i < count; i++) {
        const double x = (double)i + 1;
        const double z = (x - n / 2) / (n / 6);
        const double weights[] = {1, exp(-5 * x / n), exp(-z * z / 2), 1 / x,
                                  pow(x, -1.5)};
        out[i] = weights[law];
    }
}

void scene_design(sc_text_design *design, uint64_t *seed)
{
    uint32_t places[16];
    for (size_t c = 0; c < design->cohorts; c++)
        for (size_t s = 0; s < design->columns; s++) {
            for (size_t i = 0; i < design->hashes; i++)
                places[i] = (uint32_t)(next_word(seed) % design->bits);
            sc_text_design_set(design, c, s, places);
        }
}

/* How many devices of each cohort hold each text, and which bits those set. */
static void add_text(const sc_text_design *design, size_t column, uint64_t held,
                     uint64_t *reports, uint64_t *ones, uint64_t *seed)
{
    const uint16_t *places = design->places + column * design->hashes;
    for (size_t c = 0; c < design->cohorts; c++) {
        const size_t left = design->cohorts - c;
        const uint64_t some = scene_binomial(held, 1 / (double)left, seed);
        held -= some;
        reports[c] += some;
        for (size_t i = 0; i < design->hashes; i++)
            if (places[i] < design->bits)
                ones[c * design->bits + places[i]] += some;
        places += design->columns * design->hashes;
    }
}

void scene_counts(const sc_text_design *design, const uint64_t *held,
                  const sc_signal_chances *chances, uint64_t *reports, uint64_t *ones,
                  uint64_t *seed)
{
    memset(reports, 0, design->cohorts * sizeof *reports);
    memset(ones, 0, design->cohorts * design->bits * sizeof *ones);
    for (size_t s = 0; s < design->columns; s++)
        add_text(design, s, held[s], reports, ones, seed);
    for (size_t at = 0; at < design->cohorts * design->bits; at++)
        ones[at] =
            scene_binomial(ones[at], chances->one, seed) +
            scene_binomial(reports[at / design->bits] - ones[at], chances->zero, seed);
}
