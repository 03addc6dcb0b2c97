#include "composition/calibration/continuous_radius.h"
#include "exact.h"

typedef bool radius_of(const sc_ratio *beta, sc_ratio *out);

static void check_radius(radius_of *radius, const char *beta, const char *wanted)
{
    sc_ratio part, found, number, less, tolerance;
    exact_ratio(beta, &part);
    exact_ratio(wanted, &number); /* rounded down */
    exact_ratio("1e-13", &tolerance);
    sc_ratio_init(&found);
    sc_ratio_init(&less);
    CHECK(radius(&part, &found));
    sc_ratio_sub(&less, &found, &number);
    CHECK(sc_ratio_sign(&less) >= 0);
    sc_ratio_div(&less, &less, &number);
    CHECK(sc_ratio_compare(&less, &tolerance) < 0);
    sc_ratio_clear(&less);
    sc_ratio_clear(&found);
    sc_ratio_clear(&tolerance);
    sc_ratio_clear(&number);
    sc_ratio_clear(&part);
}

TEST(continuous_radius_is_the_quantile)
{
    CLAIM("continuous-radius.tail");
    check_radius(sc_continuous_laplace_radius, "0.05", "2.9957322735539909");
    check_radius(sc_continuous_laplace_radius, "1e-30", "69.077552789821370");
    check_radius(sc_continuous_gaussian_radius, "0.05", "1.9599639845400542");
    check_radius(sc_continuous_gaussian_radius, "0.5", "0.67448975019608174");
    check_radius(sc_continuous_gaussian_radius, "1e-20", "9.3360448492340600");
}
