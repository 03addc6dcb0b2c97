#include "local/texts/signal_counts.h"

sc_signal_chances sc_signal_chances_of(double f, double p, double q)
{
    const double both = f * (p + q) / 2;
    return (sc_signal_chances){both + (1 - f) * p, both + (1 - f) * q};
}

double sc_signal_estimate(const sc_signal_chances *chances, double count, double reports)
{
    return (count - chances->zero * reports) / (chances->one - chances->zero);
}

double sc_signal_variance(const sc_signal_chances *chances, double estimate,
                          double reports)
{
    const double gap = chances->one - chances->zero;
    const double floored = estimate < 0 ? 0 : estimate;
    const double ones = floored > reports ? reports : floored;
    return (ones * chances->one * (1 - chances->one) +
            (reports - ones) * chances->zero * (1 - chances->zero)) /
           (gap * gap);
}
