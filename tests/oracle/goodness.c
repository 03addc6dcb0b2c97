#include "goodness.h"

#include "laws.h"

enum { BITS = 192, TAILS = 4 };

double goodness_middle(const sc_ball *x)
{
    return sc_ball_lower(x) / 2 + sc_ball_upper(x) / 2;
}

static bool reserve(goodness *fit, size_t bins)
{
    fit->bins = 0;
    fit->low = calloc(bins, sizeof *fit->low);
    fit->probability = calloc(bins, sizeof *fit->probability);
    fit->observed = calloc(bins, sizeof *fit->observed);
    return CHECK(fit->low != NULL && fit->probability != NULL && fit->observed != NULL);
}

void goodness_clear(goodness *fit)
{
    free(fit->low);
    free(fit->probability);
    free(fit->observed);
}

/* Begins a bin; a number that begins one already, or is outside the support, does not. */
static void begin(goodness *fit, const sc_law *law, sc_int128 low)
{
    sc_int128 least, most;
    law->functions->support(law, &least, &most);
    if (low <= most && (fit->bins == 0 || low > fit->low[fit->bins - 1]))
        fit->low[fit->bins++] = low;
}

/* P(X >= low[i]) - P(X >= low[i+1]), or the same from the other side, whichever is free
 * of cancellation. */
static void set_probabilities(goodness *fit, const sc_law *law, sc_int128 last)
{
    sc_ball_scope scope;
    sc_ball value;
    sc_ball_enter(&scope);
    sc_ball_init(&value);
    for (size_t i = 0; i < fit->bins; i++) {
        sc_int128 high = i + 1 < fit->bins ? fit->low[i + 1] - 1 : last;
        sc_law_between(law, fit->low[i], high, BITS, &value);
        fit->probability[i] = goodness_middle(&value);
    }
    sc_ball_clear(&value);
    sc_ball_leave(&scope);
}

static bool quantile(const sc_law *law, const char *p, sc_int128 *out)
{
    sc_ratio exact;
    sc_ratio_init(&exact);
    bool ok = CHECK_STATUS(sc_ratio_parse(sc_text_of(p), &exact, NULL), SCRIM_OK) &&
              CHECK_STATUS(sc_law_quantile(law, &exact, out, NULL), SCRIM_OK);
    sc_ratio_clear(&exact);
    return ok;
}

bool goodness_init(goodness *fit, const sc_law *law, size_t bins)
{
    const sc_int128 far = (sc_int128)1 << 120;
    sc_int128 left, first, last, right;
    if (!reserve(fit, bins + TAILS + 1) || !quantile(law, "1e-5", &left) ||
        !quantile(law, "0.001", &first) || !quantile(law, "0.999", &last) ||
        !quantile(law, "0.99999", &right))
        return false;
    sc_int128 step = (last - first) / (sc_int128)bins + 1;
    begin(fit, law, -far);
    begin(fit, law, left);
    for (sc_int128 low = first; low <= last; low += step)
        begin(fit, law, low);
    begin(fit, law, last + 1);
    begin(fit, law, right + 1);
    set_probabilities(fit, law, far);
    return true;
}

bool goodness_init_part(goodness *fit, const sc_law *law, const sc_int128 *low,
                        size_t bins, sc_int128 last)
{
    double whole = 0;
    if (!reserve(fit, bins))
        return false;
    for (size_t i = 0; i < bins; i++)
        begin(fit, law, low[i]);
    set_probabilities(fit, law, last);
    for (size_t i = 0; i < fit->bins; i++)
        whole += fit->probability[i];
    for (size_t i = 0; i < fit->bins; i++)
        fit->probability[i] /= whole;
    return true;
}

void goodness_count(goodness *fit, const sc_int128 *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t bin = 0, left = fit->bins;
        while (left > 1) {
            size_t half = left / 2;
            bin += values[i] >= fit->low[bin + half] ? half : 0;
            left -= half;
        }
        fit->observed[bin]++;
    }
}

double goodness_p(const goodness *fit)
{
    return laws_chi_square(fit->observed, fit->probability, fit->bins);
}

bool goodness_holds(const goodness *fit)
{
    return goodness_p(fit) > LAWS_FALSE_ALARM;
}
