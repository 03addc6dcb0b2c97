#include "check.h"
#include "cli/plot/axis_step.h"

#include <math.h>

TEST(axis_step_gives_few_round_labels)
{
    static const struct {
        double extent, step;
    } list[] = {{1, 0.2},  {7, 1},        {7.1, 2},    {14.5, 5},
                {100, 20}, {1e-9, 2e-10}, {70000, 1e4}};
    for (size_t i = 0; i < COUNT(list); i++)
        CHECK_NEAR(sc_axis_step(list[i].extent, SC_AXIS_LABELS), list[i].step, 1e-12);
    for (int i = -1000; i <= 1000; i++) {
        const double extent = ldexp(1.3, i), step = sc_axis_step(extent, SC_AXIS_LABELS);
        CHECK(extent / step <= SC_AXIS_LABELS * (1 + 1e-9));
        CHECK(extent / step > 2);
    }
}
