#define SC_WITH_ARB
#include "base/reserve.h"
#include "check.h"
#include "composition/loss/loss.h"
#include "losses.h"
#include "refusing.h"

#include <flint/flint.h>
#include <flint/fmpz.h>

/* Masses of `points` points, all with the bits of a mass, which is the most that FLINT multiplies. */
static void fill(sc_loss *out, size_t points, long bits, uint64_t seed)
{
    SC_OWN(sc_ratio, step);
    sc_ratio_set_quotient(&step, 1, 100);
    REQUIRE_OK(sc_loss_reset(out, SC_LOSS_UPPER, &step, bits, -(int64_t)points / 2,
                             points, NULL));
    for (size_t i = 0; i < points; i++) {
        fmpz_one(&out->mass[i]);
        for (long have = 1; have < bits; have += 32) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            fmpz_mul_2exp(&out->mass[i], &out->mass[i], 32);
            fmpz_add_ui(&out->mass[i], &out->mass[i], seed >> 32);
        }
    }
}

/* The product of two, with and without an allocator. */
static void check_product(size_t points, size_t others, long bits, bool is_square)
{
    SC_OWN(sc_loss, a, b, out);
    scrim_error error;
    fill(&a, points, bits, 1);
    fill(&b, others, bits, 2);
    const sc_loss *second = is_square ? &a : &b;
    flint_cleanup();
    refusing_begin();
    const scrim_status status = sc_loss_compose(&a, second, 100, &out, &error);
    refusing_end();
    const bool is_held = status == SCRIM_E_MEMORY;
    CHECK(status == SCRIM_OK || is_held);
    CHECK(!sc_reserve_is_low());
    if (is_held)
        CHECK_STR(error.message, "out of memory for a privacy loss");
    if (points * (size_t)bits > 2000000)
        CHECK(is_held);
    flint_cleanup();
    REQUIRE_OK(sc_loss_compose(&a, second, 100, &out, &error));
    CHECK(out.count > 1);
}

SLOW_TEST(A103_a_product_needs_no_more_than_it_sets_aside)
{
    CLAIM("reserve.memory");
    static const struct {
        long bits;
        size_t points, most;
    } sizes[] = {{64, 4000, SC_LOSS_PRODUCT / 2},
                 {192, 12000, SC_LOSS_PRODUCT / 2},
                 {768, 3000, SC_LOSS_PRODUCT / 8}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const long bits = sizes[i].bits;
        for (size_t points = check_is_long() ? sizes[i].most : sizes[i].points;
             points > 8; points /= 6) {
            check_product(points, points, bits, false);
            check_product(points, points, bits, true);
            check_product(points, points / 50 + 10, bits, false);
        }
    }
    CHECK(!sc_reserve_is_used());
}
