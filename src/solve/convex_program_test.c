#include "check.h"
#include "faults.h"
#include "solids.h"
#include "solve/convex_program.h"
#include "solve/nearest_point.h"

#include <math.h>
#include <string.h>

/* x >= 0, y >= 0, x + y <= 2. */
static const double triangle_a[] = {-1, 0, 0, -1, M_SQRT1_2, M_SQRT1_2};
static const double triangle_b[] = {0, 0, 2 * M_SQRT1_2};
static const sc_half_spaces triangle = {2, 3, triangle_a, triangle_b};
static const double inside[2] = {0.4, 0.3};

static double square(const void *context, const double *x, double *gradient)
{
    (void)context;
    gradient[0] = 2 * (x[0] - 3);
    gradient[1] = 2 * (x[1] - 1);
    return (x[0] - 3) * (x[0] - 3) + (x[1] - 1) * (x[1] - 1);
}

static double bend(const void *context, const double *x, double *gradient)
{
    (void)context;
    gradient[0] = x[0] >= x[1] ? 0 : -1;
    gradient[1] = x[0] >= x[1] ? 0 : 1;
    return fmax(x[0], x[1]) - x[0];
}

static double flat(const void *context, const double *x, double *gradient)
{
    (void)context;
    gradient[0] = gradient[1] = 2 * (x[0] + x[1] - 1);
    return (x[0] + x[1] - 1) * (x[0] + x[1] - 1);
}

static double slope(const void *context, const double *x, double *gradient)
{
    (void)context;
    gradient[0] = 1;
    gradient[1] = -2;
    return x[0] - 2 * x[1];
}

static double hill(const void *context, const double *x, double *gradient)
{
    (void)context;
    gradient[0] = -2 * x[0];
    gradient[1] = 2 * x[1];
    return x[1] * x[1] - x[0] * x[0];
}

static double wall(const void *context, const double *x, double *gradient)
{
    (void)context;
    gradient[0] = 1 / (1 - x[0]);
    gradient[1] = 0;
    return x[0] < 1 ? -log(1 - x[0]) : (double)INFINITY;
}

static void check_minimum(const sc_convex_function *f, double value, const double *at)
{
    double x[2];
    sc_convex_minimum minimum = {0};
    REQUIRE_OK(sc_convex_minimise(&triangle, inside, f, 1e-6, x, &minimum, NULL));
    CHECK(fabs(minimum.value - value) <= 1e-5);
    CHECK(minimum.gap >= 0 && minimum.gap <= 1e-5);
    CHECK(minimum.value - minimum.gap <= value + 1e-9);
    for (size_t j = 0; at != NULL && j < 2; j++)
        CHECK(fabs(x[j] - at[j]) <= 1e-2);
}

TEST(convex_program_finds_known_minima)
{
    CLAIM("convex-program.gap");
    static const double corner[2] = {2, 0}, top[2] = {0, 2};
    check_minimum(&(sc_convex_function){square, NULL, 2}, 2, corner);
    check_minimum(&(sc_convex_function){square, NULL, 0}, 2, corner);
    check_minimum(&(sc_convex_function){bend, NULL, 0}, 0, NULL);
    check_minimum(&(sc_convex_function){flat, NULL, 2}, 0, NULL);
    check_minimum(&(sc_convex_function){slope, NULL, 1}, -4, top);
    check_minimum(&(sc_convex_function){slope, NULL, 0}, -4, top);
}

TEST(convex_program_refuses_functions_that_are_not_convex)
{
    double x[2];
    sc_convex_minimum minimum = {0};
    for (int degree = 0; degree <= 2; degree += 2)
        CHECK_STATUS(sc_convex_minimise(&triangle, inside,
                                        &(sc_convex_function){hill, NULL, degree}, 1e-6,
                                        x, &minimum, NULL),
                     SCRIM_E_PARAM);
    CHECK_STATUS(sc_convex_minimise(&triangle, inside,
                                    &(sc_convex_function){wall, NULL, 0}, 1e-6, x,
                                    &minimum, NULL),
                 SCRIM_OK);
    static const double far[2] = {1.5, 0.1};
    CHECK_STATUS(sc_convex_minimise(&triangle, far, &(sc_convex_function){wall, NULL, 0},
                                    1e-6, x, &minimum, NULL),
                 SCRIM_E_PARAM);
}

/* (x + y)^2 - fall (x - y)^2. */
typedef struct saddle {
    double fall;
} saddle;

static double saddle_value(const void *context, const double *x, double *gradient)
{
    const double fall = ((const saddle *)context)->fall, sum = x[0] + x[1],
                 difference = x[0] - x[1];
    gradient[0] = 2 * sum - 2 * fall * difference;
    gradient[1] = 2 * sum + 2 * fall * difference;
    return sum * sum - fall * difference * difference;
}

/* A random positive Hessian of rank r about a point. */
typedef struct bowl {
    size_t d, rank;
    double roots[8 * 8], middle[8];
} bowl;

static double bowl_value(const void *context, const double *x, double *gradient)
{
    const bowl *b = context;
    double sum = 0;
    memset(gradient, 0, b->d * sizeof *gradient);
    for (size_t k = 0; k < b->rank; k++) {
        const double *root = b->roots + k * b->d;
        const double part = sc_dot(root, x, b->d) - sc_dot(root, b->middle, b->d);
        sum += part * part;
        sc_add_times(gradient, 2 * part, root, b->d);
    }
    return sum;
}

/* Three dimensions and two roots that differ by little: the second pivot is small, and the third is 0 but for what the second
 * has blurred. */
TEST(convex_program_takes_functions_with_a_flat_direction)
{
    CLAIM("convex-program.gap");
    for (unsigned i = 1; i <= 40; i++) {
        const double zero[3] = {0};
        double x[3];
        sc_half_spaces spaces;
        sc_convex_minimum minimum = {0};
        const bowl b = {.d = 3,
                        .rank = 2,
                        .roots = {1, 1, 0.3, 1, 1 + 2e-6 * i, -0.7},
                        .middle = {0.1, -0.2, 0.1}};
        solids_random(3, 24, i, &spaces);
        if (CHECK_STATUS(sc_convex_minimise(&spaces, zero,
                                            &(sc_convex_function){bowl_value, &b, 2},
                                            1e-6, x, &minimum, NULL),
                         SCRIM_OK))
            CHECK(minimum.value <= 1e-9 && minimum.gap <= 1e-7);
        solids_clear(&spaces);
    }
}

/* A function is refused for a slope that falls by a millionth of the largest. */
TEST(convex_program_refuses_functions_that_fall_a_little)
{
    for (unsigned i = 1; i <= 40; i++) {
        const saddle s = {2e-6 * i};
        double x[2];
        sc_convex_minimum minimum = {0};
        CHECK_STATUS(sc_convex_minimise(&triangle, inside,
                                        &(sc_convex_function){saddle_value, &s, 2}, 1e-6,
                                        x, &minimum, NULL),
                     SCRIM_E_PARAM);
    }
}

/* The quadratic programme and cutting planes agree, and each value is above the other's bound. */
TEST(convex_program_agrees_with_cutting_planes)
{
    CLAIM("convex-program.gap");
    for (uint64_t seed = 1; seed <= check_count(20, 400); seed++) {
        bowl b = {.d = 2 + seed % 3};
        uint64_t state = seed;
        double zero[8] = {0}, x[8], y[8];
        sc_half_spaces spaces;
        sc_convex_minimum fast = {0}, slow = {0};
        b.rank = 1 + seed % b.d;
        for (size_t i = 0; i < b.rank * b.d; i++)
            b.roots[i] = solids_normal(&state);
        for (size_t j = 0; j < b.d; j++)
            b.middle[j] = 3 * solids_normal(&state);
        solids_random(b.d, 8 * b.d, seed, &spaces);
        REQUIRE_OK(sc_convex_minimise(&spaces, zero,
                                      &(sc_convex_function){bowl_value, &b, 2}, 1e-6, x,
                                      &fast, NULL));
        REQUIRE_OK(sc_convex_minimise(&spaces, zero,
                                      &(sc_convex_function){bowl_value, &b, 0}, 1e-6, y,
                                      &slow, NULL));
        CHECK(fast.gap <= 1e-7 * (1 + fast.value));
        CHECK(slow.gap <= 1e-4 * (1 + slow.value));
        CHECK(fast.value >= slow.value - slow.gap - 1e-9);
        CHECK(slow.value >= fast.value - fast.gap - 1e-9);
        solids_clear(&spaces);
    }
}

TEST(convex_program_survives_without_memory)
{
    for (int degree = 0; degree <= 2; degree++)
        FAULT_LOOP(fault)
        {
            double x[2];
            sc_convex_minimum minimum = {0};
            const scrim_status status = sc_convex_minimise(
                &triangle, inside,
                &(sc_convex_function){degree == 1 ? slope : square, NULL, degree}, 1e-6,
                x, &minimum, NULL);
            CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        }
}
