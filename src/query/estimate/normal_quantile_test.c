#include "check.h"
#include "query/estimate/normal_quantile.h"

#include <math.h>

/* Tables of the normal law have these. */
TEST(normal_quantile_is_that_of_the_tables)
{
    CHECK_NEAR(sc_normal_quantile(0.975), 1.959963985, 1e-9);
    CHECK_NEAR(sc_normal_quantile(0.995), 2.575829304, 1e-9);
    CHECK_NEAR(sc_normal_quantile(0.25), -0.6744897502, 1e-9);
    CHECK(fabs(sc_normal_quantile(0.5)) < 1e-9);
    CHECK(fabs(sc_normal_quantile(1e-9) + 5.997807015) < 1e-8);
}
