#include "coverage_bar.h"

#include "audit/bounds.h"

#define CONFIDENCE 0.95
#define BAR 0.94
#define FALSE_ALARM 1e-9

bool covers_enough(uint64_t covered, uint64_t trials)
{
    const double bar = BAR * (double)trials;
    const bool is_many =
        sc_binomial_at_most((uint64_t)bar, trials, CONFIDENCE) < FALSE_ALARM;
    return covered <= trials &&
           sc_binomial_at_most(covered, trials, CONFIDENCE) >= FALSE_ALARM &&
           (!is_many || (double)covered >= bar);
}
