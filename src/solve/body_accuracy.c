#include "solve/body_accuracy.h"

#include <math.h>

double sc_body_rank_error(double epsilon_each, double cells, size_t directions,
                          double beta)
{
    return 2 / epsilon_each * log((cells + 1) * (double)directions / beta);
}

scrim_status sc_admissible_find(double q, sc_admissible *out, scrim_error *error)
{
    if (!(q > 0.5 && q < 1))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "q",
                           "q must be above 0.5 and below 1");
    const double l = -log(2 * (1 - q)), middle = 1 / (2 * sqrt(3));
    *out = (sc_admissible){sqrt(2) * (q - 0.5), fmin(1 + l, sqrt(3) * l), (1 - q) / 2,
                           middle * (2 - middle) * (1 - q)};
    return SCRIM_OK;
}

/* Shares by which quantiles may be off: noise, and the sample (Dvoretzky, Kiefer, Wolfowitz). */
static double share(const sc_admissible_plan *plan, double n)
{
    const double directions = (double)plan->directions;
    const double ranks =
        2 / plan->epsilon_each * log(2 * (plan->cells + 1) * directions / plan->beta);
    return ranks / n + sqrt(log(4 * directions / plan->beta) / (2 * n));
}

double sc_admissible_units(const sc_admissible *law, const sc_admissible_plan *plan,
                           double error)
{
    double reach = law->reach;
    if (error > 0)
        reach = fmin(reach, fmin(error * law->inner / (4 * (law->outer + law->reach)),
                                 law->inner / 2));
    reach -= plan->cell;
    if (!(reach > 0))
        return (double)INFINITY;
    const double most = law->density * reach;
    double low = 0, high = 1;
    while (share(plan, high) > most && high < 1e300)
        high *= 2;
    while (high - low > 1) { /* share falls with n */
        const double middle = floor(low + (high - low) / 2);
        if (!(middle > low && middle < high))
            break;
        if (share(plan, middle) > most)
            low = middle;
        else
            high = middle;
    }
    return high;
}
