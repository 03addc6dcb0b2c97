#include "synth/release/variation_bounds.h"

#include <math.h>

/* Room for the rounding of the sums, outwards. */
#define OUTWARDS 1e-12

static double cut(double variation)
{
    return variation < 0 ? 0 : variation > 1 ? 1 : variation;
}

/* exp(-t^2/(2 variance)) and exp(-t/scale), twice each. */
double sc_variation_slack_upper(const sc_cell_noise *noise, double beta)
{
    const double units = log(2 / beta);
    if (!(noise->parameter > 0))
        return 0;
    return 1 + (noise->is_laplace ? noise->parameter * units
                                  : sqrt(2 * noise->parameter * units));
}

double sc_variation_distance(const int64_t *noisy, const int64_t *synthetic, size_t cells,
                             double total, uint64_t rows)
{
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += fabs((double)noisy[i] - (double)synthetic[i] * total / (double)rows);
    return sum;
}

sc_variation sc_variation_interval(double distance, double noise_l1,
                                   const sc_variation_total *total)
{
    const double around = noise_l1 + total->slack;
    return (sc_variation){
        .lower = cut((distance - around) / (2 * total->total) - OUTWARDS),
        .upper = cut((distance + around) / (2 * total->total) + OUTWARDS),
    };
}

double sc_selection_upper(const sc_selection_round *round, double weight, double penalty,
                          double beta)
{
    const double chosen =
        round->chosen_weight * (round->chosen_upper - round->chosen_penalty);
    const double behind = (log((double)round->candidates) - log(beta)) / round->h;
    return (chosen + behind) / weight + penalty;
}

double sc_variation_upper(double from_model, double model_distance,
                          const sc_variation_total *total)
{
    return sc_variation_interval(from_model + model_distance, 0, total).upper;
}
