#include "local/collect/text_forecast.h"

#include "audit/bounds.h"

#include <math.h>
#include <string.h>

#define MORE 1.000001

double sc_text_report_truth(const scrim_local_config *config)
{
    const double a = config->a, b = config->b;
    return a / (a + (config->cells - 1.0) * b);
}

uint64_t sc_support_threshold(uint64_t n, double q, uint64_t candidates, double alpha)
{
    const double most = alpha / (double)candidates;
    uint64_t low = 0, high = n + 1; /* the answer is in (low, high], but for 0 */
    if (most >= 1)
        return 0;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (MORE * sc_binomial_at_least(middle, n, q) <= most)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* ---- the forecast ---- */

static size_t groups_of(const scrim_local_config *config)
{
    return config->prefixes == 0 ? 1 : config->prefixes;
}

static uint64_t candidates_of(const sc_text_search *search, size_t group)
{
    const uint8_t *prefix = search->config->prefix;
    if (search->config->prefixes == 0)
        return search->candidates > 0 ? search->candidates : 1;
    if (group == 0)
        return (uint64_t)1 << prefix[0];
    uint64_t before = search->keep;
    if (group == 1 && prefix[0] < 32 && before > (uint64_t)1 << prefix[0])
        before = (uint64_t)1 << prefix[0];
    return before << (prefix[group] - prefix[group - 1]);
}

/* The number of candidates without a holder that may stand before a text in that group, on average. */
static double passing(const sc_text_search *search, size_t group)
{
    return group + 1 == groups_of(search->config) ? search->alpha
                                                  : (double)search->keep / 2;
}

static void begin(const sc_text_search *search, sc_text_forecast *out)
{
    *out = (sc_text_forecast){.truth = sc_text_report_truth(search->config),
                              .other = 1 / (double)search->config->cells};
}

void sc_text_forecast_of(const sc_text_search *search, const uint64_t *sizes,
                         sc_text_forecast *out)
{
    begin(search, out);
    for (size_t g = 0; g < groups_of(search->config); g++) {
        sc_forecast_step *step = &out->steps[out->count++];
        step->times = step->weight[0] = 1;
        step->size[0] = sizes[g];
        step->least[0] = sc_support_threshold(
            sizes[g], out->other, candidates_of(search, g), passing(search, g));
    }
}

/* A binomial number by its mean and the mean -+ sqrt(3) deviations. */
static void spread(const sc_text_search *search, uint64_t users, size_t group,
                   sc_forecast_step *out)
{
    static const double weights[SC_FORECAST_POINTS] = {1.0 / 6, 2.0 / 3, 1.0 / 6};
    const double groups = (double)groups_of(search->config);
    const double mean = (double)users / groups;
    const double far = sqrt(3 * mean * (1 - 1 / groups));
    for (size_t i = 0; i < SC_FORECAST_POINTS; i++) {
        out->weight[i] = weights[i];
        out->size[i] = (uint64_t)fmax(0, round(mean + ((double)i - 1) * far));
        out->least[i] =
            sc_support_threshold(out->size[i], 1 / (double)search->config->cells,
                                 candidates_of(search, group), passing(search, group));
    }
}

void sc_text_forecast_plan(const sc_text_search *search, uint64_t users,
                           sc_text_forecast *out)
{
    const size_t groups = groups_of(search->config);
    uint64_t before = 0;
    begin(search, out);
    for (size_t g = 0; g < groups; g++) {
        const uint64_t candidates = candidates_of(search, g);
        if (g > 0 && g + 1 < groups && candidates == before) {
            out->steps[out->count - 1].times++;
            continue;
        }
        before = candidates;
        out->steps[out->count].times = 1;
        spread(search, users, g, &out->steps[out->count++]);
    }
}

double sc_text_forecast_chance(const sc_text_forecast *forecast, double share)
{
    const double support = share * forecast->truth + (1 - share) * forecast->other;
    double chance = 1;
    for (size_t g = 0; g < forecast->count; g++) {
        const sc_forecast_step *step = &forecast->steps[g];
        double passes = 0;
        for (size_t i = 0; i < SC_FORECAST_POINTS && step->weight[i] > 0; i++)
            if (step->least[i] <= step->size[i])
                passes += step->weight[i] *
                          sc_binomial_at_least(step->least[i], step->size[i], support);
        chance *= pow(passes, step->times);
    }
    return chance;
}

double sc_text_forecast_detectable(const sc_text_forecast *forecast, double chance)
{
    double low = 0, high = 1;
    if (sc_text_forecast_chance(forecast, 1) < chance)
        return 1;
    while (high - low > 1e-4 * high) {
        const double middle = low + (high - low) / 2;
        if (sc_text_forecast_chance(forecast, middle) < chance)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* ---- the steps ---- */

#define CHANCE 0.9
#define WORK 6e9   /* half a minute, at 2e8 a second */
#define SLACK 1.02 /* of the share, for less work */
#define STEP_LEAST 4
#define STEP_MOST 12
#define SORTING 100.0

/* Lengths from `first` to all bits in equal steps of at most `step`; false: too many groups. */
static bool set_steps(scrim_local_config *c, uint32_t first, uint32_t step)
{
    const uint32_t length = 8 * c->text, rest = length > first ? length - first : 0;
    const uint32_t later = (rest + step - 1) / step;
    memset(c->prefix, 0, sizeof c->prefix);
    c->prefixes = 0;
    if (later + 1 > SCRIM_LOCAL_PREFIXES)
        return false;
    c->prefix[c->prefixes++] = (uint8_t)(length - rest);
    for (uint32_t g = 1; g <= later; g++)
        c->prefix[c->prefixes++] = (uint8_t)(first + rest * g / later);
    return true;
}

/* Elementary operations of the search (local/texts/local_unknown.h): all texts of the first length by a transform;
 * later, for each report, lists of all ends and the prefixes that were kept. */
static double work_of(const scrim_local_config *c, uint64_t users, uint64_t keep)
{
    const double size = (double)users / c->prefixes, kept = (double)keep;
    double work = size * c->cells + exp2(c->prefix[0]) * (c->prefix[0] + SORTING);
    for (uint32_t g = 1; g < c->prefixes; g++) {
        const double ends = exp2(c->prefix[g] - c->prefix[g - 1]);
        work += size * (2 * ends + kept * c->prefix[g - 1] / 4 + kept * ends / c->cells) +
                kept * ends * SORTING;
    }
    return work;
}

typedef struct steps_choice {
    double share, work;
} steps_choice;

static steps_choice weigh(const scrim_local_config *c, uint64_t users, uint64_t keep,
                          double alpha)
{
    const sc_text_search search = {.config = c, .keep = keep, .alpha = alpha};
    sc_text_forecast forecast;
    sc_text_forecast_plan(&search, users, &forecast);
    return (steps_choice){sc_text_forecast_detectable(&forecast, CHANCE),
                          work_of(c, users, keep)};
}

static bool is_better(const steps_choice *x, const steps_choice *best)
{
    if (x->work > WORK || best->work > WORK)
        return x->work < best->work;
    return x->share * SLACK < best->share ||
           (x->share < best->share * SLACK && x->work < best->work);
}

void sc_text_steps_choose(scrim_local_config *config, uint64_t users, uint64_t keep,
                          double alpha)
{
    static const uint32_t firsts[] = {12, 16, 20};
    scrim_local_config tried = *config;
    steps_choice best = {1, HUGE_VAL};
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        for (uint32_t step = STEP_LEAST; step <= STEP_MOST; step++) {
            if (!set_steps(&tried, firsts[i], step))
                continue;
            const steps_choice x = weigh(&tried, users, keep, alpha);
            if (!is_better(&x, &best))
                continue;
            best = x;
            *config = tried;
        }
}
