/* Rounding of several values that nobody is charged for: what laplace did with decimals without a
 * grid. Two values of which each moves by a half are 0.499 and 0.999, and 0 and 1 once rounded; the
 * sum of the changes is declared to be 1 and is 2. */
#include "audit/broken.h"
#include "mechanism/noise/laplace.h"

static sc_mechanism careless;

static scrim_status careless_check(scrim_measurement *m, scrim_error *error)
{
    scrim_status status = sc_laplace.check(m, error);
    m->domain.rounding = SC_ROUNDING_COUNTED; /* which it is not */
    return status;
}

__attribute__((constructor)) static void make_careless(void)
{
    careless = sc_laplace;
    careless.entry.name = "laplace-rounded-for-nothing";
    careless.check = careless_check;
}

BROKEN(rounded_for_nothing,
       .wrong = "decimals are rounded to integers, value by value, for nothing",
       .mechanism = &careless, .line = "sensitivity=1 epsilon=1 size=2",
       .kind = BROKEN_LOSS, .at = "1", .size = "2", .claimed = "1",
       .source = "docs/PROTECTION.md A75")

/* A sensitivity below a step that is rounded down. */
static sc_mechanism coarse;

static void coarse_change(const scrim_measurement *m, sc_change *out)
{
    (void)m;
    out->kind = SC_CHANGE_SUM;
    sc_ratio_set_int64(&out->amount, 3);
    sc_ratio two;
    sc_ratio_init(&two);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&out->amount, &out->amount, &two);
    sc_ratio_clear(&two);
}

__attribute__((constructor)) static void make_coarse(void)
{
    coarse = sc_laplace;
    coarse.entry.name = "laplace-of-a-floor";
    coarse.change = coarse_change;
}

BROKEN(floor_of_a_sensitivity,
       .wrong = "a sensitivity of 3/2 is charged as 1, and rounding makes it 2",
       .mechanism = &coarse, .line = "sensitivity=1 epsilon=1", .kind = BROKEN_LOSS,
       .at = "1", .size = "2", .claimed = "1", .source = "spec/mechanisms.md 3.1")
