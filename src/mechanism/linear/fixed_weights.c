#include "mechanism/linear/fixed_weights.h"

#define LOG_BITS 32
#define WEIGHT_BITS 40
#define WORK_BITS 60 /* of a number from 0 to 1 while its power is computed */
#define HALVINGS 7   /* the exponent is below 2^6 and becomes at most 1/2 */
#define TERMS 16

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)(((sc_int128)a * b) >> WORK_BITS);
}

/* exp(-x), x >= 0 in 2^-32, as a weight: the series at x/2^7, squared 7 times. */
static int64_t decay(int64_t x)
{
    const int64_t one = (int64_t)1 << WORK_BITS;
    if (x >= (int64_t)64 << LOG_BITS)
        return 0;
    const int64_t small = x << (WORK_BITS - LOG_BITS - HALVINGS);
    int64_t sum = one, term = one;
    for (int k = 1; k <= TERMS; k++) {
        term = times(term, small) / k;
        sum += k % 2 == 1 ? -term : term;
    }
    for (int i = 0; i < HALVINGS; i++)
        sum = times(sum, sum);
    return sum >> (WORK_BITS - WEIGHT_BITS);
}

static void weigh(sc_fixed_weights *w)
{
    int64_t best = w->logs[0];
    for (size_t i = 1; i < w->bins; i++)
        best = w->logs[i] > best ? w->logs[i] : best;
    w->sum = 0;
    for (size_t i = 0; i < w->bins; i++) {
        w->logs[i] -= best;
        w->weights[i] = decay(-w->logs[i]);
        w->sum += w->weights[i];
    }
}

void sc_fixed_weights_start(sc_fixed_weights *out, size_t bins, int64_t total,
                            int64_t steps)
{
    *out = (sc_fixed_weights){.bins = bins, .total = total, .steps = steps};
    weigh(out);
}

/* q(A) times the sum of weights: 2^31 of 2^10 times 2^48. */
static sc_int128 scaled_answer(const sc_fixed_weights *w, const sc_linear_matrix *matrix,
                               size_t query)
{
    sc_int128 sum = 0;
    for (size_t i = 0; i < w->bins; i++)
        sum += (sc_int128)sc_linear_matrix_at(matrix, query, i) * w->weights[i];
    return sum * w->total;
}

static int64_t rounded(const sc_fixed_weights *w, sc_int128 scaled)
{
    return (int64_t)((2 * scaled + w->sum) / (2 * (sc_int128)w->sum));
}

int64_t sc_fixed_weights_answer(const sc_fixed_weights *w, const sc_linear_matrix *matrix,
                                size_t query)
{
    return rounded(w, scaled_answer(w, matrix, query));
}

int64_t sc_fixed_weights_count(const sc_fixed_weights *w, size_t bin)
{
    return rounded(w, (sc_int128)w->weights[bin] * w->total);
}

void sc_fixed_weights_step(sc_fixed_weights *w, const sc_linear_matrix *matrix,
                           size_t query, int64_t by)
{
    for (size_t i = 0; i < w->bins; i++)
        w->logs[i] +=
            (int64_t)((sc_int128)sc_linear_matrix_at(matrix, query, i) * by / w->steps);
    weigh(w);
}

void sc_fixed_weights_learn(sc_fixed_weights *w, const sc_linear_matrix *matrix,
                            size_t query, int64_t y)
{
    const sc_int128 apart = (sc_int128)y * w->sum - scaled_answer(w, matrix, query);
    const sc_int128 whole = (sc_int128)w->total * w->steps * w->sum;
    sc_fixed_weights_step(w, matrix, query,
                          (int64_t)(apart * ((int64_t)1 << (LOG_BITS - 1)) / whole));
}
