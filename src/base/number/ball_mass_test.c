#define SC_WITH_ARB
#include "base/number/ball_mass.h"
#include "check.h"
#include "exact.h"

/* Up and down of third parts, of exact ones, of wide balls, and of what is below 0. */
TEST(ball_mass_rounds_to_its_side)
{
    CLAIM("ball-mass.rounding");
    static const struct {
        const char *value, *radius;
        long up, down; /* in units of 2^-10 */
    } cases[] = {{"1/3", "0", 342, 341},      {"1/2", "0", 512, 512},
                 {"1/2", "1/1024", 513, 511}, {"-1/3", "0", 0, 0},
                 {"0", "1/512", 2, 0},        {"1", "1/4096", 1025, 1023},
                 {"2^-20", "0", 1, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_ratio number;
        sc_ball ball, radius;
        fmpz_t mass;
        fmpz_init(mass);
        sc_ball_init(&ball);
        sc_ball_init(&radius);
        exact_ratio(cases[i].value, &number);
        sc_ball_set_ratio(&ball, &number, 128);
        sc_ratio_clear(&number);
        exact_ratio(cases[i].radius, &number);
        sc_ball_set_ratio(&radius, &number, 128);
        sc_ball_widen(&ball, &radius);
        /* A radius is rounded up by Arb, so that an end may lie a unit further out. */
        const long slack = sc_ratio_sign(&number) > 0 ? 1 : 0;
        CHECK(sc_mass_up(&ball, 10, mass) && fmpz_get_si(mass) >= cases[i].up &&
              fmpz_get_si(mass) <= cases[i].up + slack);
        CHECK(sc_mass_down(&ball, 10, mass) && fmpz_get_si(mass) <= cases[i].down &&
              fmpz_get_si(mass) >= cases[i].down - slack);
        sc_ratio_clear(&number);
        sc_ball_clear(&radius);
        sc_ball_clear(&ball);
        fmpz_clear(mass);
    }
}

TEST(ball_mass_refuses_what_is_no_mass)
{
    sc_ball ball;
    fmpz_t mass;
    fmpz_init(mass);
    sc_ball_init(&ball);
    sc_ball_set_infinite(&ball);
    CHECK(!sc_mass_up(&ball, 10, mass) && !sc_mass_down(&ball, 10, mass));
    CHECK(!sc_mass_is_sharp(&ball, 10));
    sc_ball_set_int64(&ball, 1);
    sc_ball_mul_power2(&ball, &ball, 70);
    CHECK(!sc_mass_up(&ball, 10, mass) && !sc_mass_down(&ball, 10, mass));
    CHECK(fmpz_is_zero(mass));
    sc_ball_clear(&ball);
    fmpz_clear(mass);
}

TEST(ball_mass_shifts_to_its_side)
{
    CLAIM("ball-mass.rounding");
    for (int n = 0; n < 64; n++) {
        fmpz_t up, down;
        fmpz_init_set_ui(up, (ulong)n);
        fmpz_init_set_ui(down, (ulong)n);
        sc_mass_shift_up(up, 3);
        sc_mass_shift_down(down, 3);
        CHECK_INT(fmpz_get_si(up), (n + 7) / 8);
        CHECK_INT(fmpz_get_si(down), n / 8);
        fmpz_clear(up);
        fmpz_clear(down);
    }
}

/* A ball and back, added, and its ends. */
TEST(ball_mass_is_exact_as_a_ball)
{
    sc_ball ball, third, part;
    fmpz_t mass;
    fmpz_init_set_ui(mass, 341);
    sc_ball_init(&ball);
    sc_ball_init(&third);
    sc_ball_init(&part);
    sc_mass_ball(mass, 10, &ball);
    CHECK(sc_ball_lower(&ball) == 341.0 / 1024 && sc_ball_upper(&ball) == 341.0 / 1024);
    sc_mass_add(&part, &ball, mass, 10, 64);
    CHECK(sc_ball_lower(&part) == 682.0 / 1024 && sc_ball_upper(&part) == 682.0 / 1024);
    sc_ball_set_int64(&third, 3);
    sc_ball_set_int64(&part, 1);
    sc_ball_div(&third, &part, &third, 40);
    CHECK(sc_mass_is_sharp(&third, 30) && !sc_mass_is_sharp(&third, 60));
    sc_mass_floor(&third, 64, &part);
    CHECK(sc_ball_is_accurate(&part, 1000) && sc_ball_is_less_equal(&part, &third));
    sc_mass_middle(&third, &part);
    CHECK(sc_ball_is_accurate(&part, 1000) && sc_ball_contains(&third, &part));
    sc_ball_clear(&part);
    sc_ball_clear(&third);
    sc_ball_clear(&ball);
    fmpz_clear(mass);
}
