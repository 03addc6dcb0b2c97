#include "query/estimate/rank_interval.h"

#include "query/estimate/normal_quantile.h"

#include <math.h>

/* How much rounding may be off, of a row for each row. */
#define ROUNDING 0x1p-50

/* The rows below an end, drawn: so much above p of all, or below it. Never more than it is. */
static double away_from_p(double p, sc_int128 left, sc_int128 all, bool is_below)
{
    const double lower = (double)left, upper = (double)(all - left);
    const double above = (1 - p) * lower - p * upper;
    return (is_below ? -above : above) - ROUNDING * (fabs(lower) + fabs(upper));
}

/* Is it too far above 0 for noise alone? */
static bool is_contradicted(const sc_rank_setting *s, size_t left, size_t right,
                            double above)
{
    return above > 0 &&
           sc_rank_noise_tail_upper(s->noise, s->p, left, right, above) <= s->beta / 2;
}

/* From the outside inwards, as far as all is contradicted. */

static size_t last_ring(const sc_rank_setting *s, const sc_int128 *counts, size_t rings,
                        sc_int128 all)
{
    sc_int128 left = all;
    size_t ring = rings - 1;
    for (; ring > 0; ring--) {
        left -= counts[ring];
        if (!is_contradicted(s, ring, rings - ring, away_from_p(s->p, left, all, false)))
            break;
    }
    return ring;
}

static size_t first_ring(const sc_rank_setting *s, const sc_int128 *counts, size_t rings,
                         sc_int128 all)
{
    sc_int128 left = 0;
    size_t ring = 0;
    for (; ring + 1 < rings; ring++) {
        left += counts[ring];
        if (!is_contradicted(s, ring + 1, rings - ring - 1,
                             away_from_p(s->p, left, all, true)))
            break;
    }
    return ring;
}

void sc_rank_interval(const sc_rank_setting *s, const int64_t *ends,
                      const sc_int128 *counts, size_t rings, sc_int128 quantile,
                      int64_t *low, int64_t *high)
{
    sc_int128 all = 0;
    for (size_t i = 0; i < rings; i++)
        all += counts[i];
    *low = ends[first_ring(s, counts, rings, all)];
    *high = ends[last_ring(s, counts, rings, all) + 1] - 1;
    const int64_t most = ends[rings] - 1;
    const int64_t value = quantile < ends[0] ? ends[0]
                          : quantile > most  ? most
                                             : (int64_t)quantile;
    *low = value < *low ? value : *low;
    *high = value > *high ? value : *high;
}

/* Each ring that the interval may reach to, times how likely it is to: that the end before it is not
 * contradicted. */
double sc_rank_predict(const sc_noise *noise, double p, double beta, const int64_t *ends,
                       const double *rows, size_t rings)
{
    const double radius = sc_normal_quantile(1 - beta / 2);
    double all = 0, left = 0, width = 0;
    for (size_t i = 0; i < rings; i++)
        all += rows[i];
    for (size_t i = 1; i < rings; i++) {
        left += rows[i - 1];
        const double deviation = sc_rank_noise_deviation(noise, p, i, rings - i);
        const double away = (left - p * all) / deviation;
        const double up = erfc((away - radius) / sqrt(2)) / 2,
                     down = erfc((-away - radius) / sqrt(2)) / 2;
        width += ((double)ends[i + 1] - (double)ends[i]) * up +
                 ((double)ends[i] - (double)ends[i - 1]) * down;
    }
    /* From the first step of the last ring down to the last one of the first, where nothing is
     * contradicted; a ring of one step has no width. */
    const double most = (double)ends[1] - 1 - (double)ends[rings - 1];
    return fmax(0, (most + width) / 2);
}
