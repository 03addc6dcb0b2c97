#include "experiment/error_tally.h"

#include <math.h>

void sc_error_tally_add(sc_error_tally *tally, uint32_t error)
{
    tally->counts[error]++;
    tally->set_sum += error;
}

void sc_error_tally_end_set(sc_error_tally *tally)
{
    tally->set_squares += (sc_uint128)tally->set_sum * tally->set_sum;
    tally->set_sum = 0;
}

void sc_error_tally_merge(sc_error_tally *tally, const sc_error_tally *other)
{
    for (size_t e = 0; e <= SC_HEIGHTS_MAX; e++)
        tally->counts[e] += other->counts[e];
    tally->set_squares += other->set_squares;
}

/* Of the mean of so many independent numbers: their sum, and that of their squares. */
static double standard_error(double count, double sum, double squares)
{
    const double mean = sum / count;
    return count < 2 ? 0 : sqrt(fmax(squares / count - mean * mean, 0) / (count - 1));
}

/* The least b with P(error > b) <= 1/20. */
static size_t quantile(const sc_error_tally *tally, uint64_t runs)
{
    uint64_t beyond = runs;
    size_t b = 0;
    for (; b < SC_HEIGHTS_MAX; b++) {
        beyond -= tally->counts[b];
        if (beyond <= runs / 20)
            break;
    }
    return b;
}

void sc_error_tally_tell(const sc_error_tally *tally, size_t bars, uint64_t sets,
                         bool by_set, scrim_experiment_error *out)
{
    const double percent = 100 / (double)bars;
    uint64_t runs = 0, sum = 0;
    double squares = 0;
    for (size_t e = 0; e <= SC_HEIGHTS_MAX; e++) {
        runs += tally->counts[e];
        sum += e * tally->counts[e];
        squares += (double)e * (double)e * (double)tally->counts[e];
    }
    const double of_runs = standard_error((double)runs, (double)sum, squares);
    const double each = (double)runs / (double)sets; /* runs on a data set */
    const double of_sets =
        standard_error((double)sets, (double)sum, (double)tally->set_squares) / each;
    out->mean = percent * (double)sum / (double)runs;
    out->standard_error = percent * (by_set && sets > 1 ? of_sets : of_runs);
    out->quantile = percent * (double)quantile(tally, runs);
}
