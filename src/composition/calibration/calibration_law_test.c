/* Noise that calibration finds for several releases, against their joint law: outcomes are added up, with
 * no accountant near. Of integer noise the loss of several releases depends on the sum of one integer
 * a release, whose law is a convolution. */
#include "balls.h"
#include "exact.h"
#include "scrim/calibration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Masses of the integers from -reach to reach. */
typedef struct sum_law {
    int64_t reach;
    sc_ball *mass;
} sum_law;

static size_t points_of(int64_t reach)
{
    return (size_t)(2 * reach + 1);
}

static sc_ball *mass_at(const sum_law *law, int64_t x)
{
    return &law->mass[x + law->reach];
}

static void law_init(sum_law *law, int64_t reach)
{
    law->reach = reach;
    law->mass = sc_balls_new(points_of(reach));
}

static void law_clear(sum_law *law)
{
    sc_balls_free(law->mass, points_of(law->reach));
}

/* One more release. */
static void law_add(sum_law *sum, const sum_law *one)
{
    sum_law next;
    sc_ball term;
    law_init(&next, sum->reach + one->reach);
    sc_ball_init(&term);
    for (int64_t a = -sum->reach; a <= sum->reach; a++)
        for (int64_t b = -one->reach; b <= one->reach; b++) {
            sc_ball_mul(&term, mass_at(sum, a), mass_at(one, b), EXACT_BITS);
            sc_ball_add(mass_at(&next, a + b), mass_at(&next, a + b), &term, EXACT_BITS);
        }
    sc_ball_clear(&term);
    law_clear(sum);
    *sum = next;
}

/* exp(-numerator / denominator), both rationals. */
static void decay(const sc_ratio *numerator, const sc_ratio *denominator, sc_ball *out)
{
    sc_ratio exponent;
    sc_ratio_init(&exponent);
    sc_ratio_div(&exponent, numerator, denominator);
    sc_ball_set_ratio(out, &exponent, EXACT_BITS);
    sc_ball_neg(out, out);
    sc_ball_exp(out, out, EXACT_BITS);
    sc_ratio_clear(&exponent);
}

static void set_weight(const sc_ratio *noise, bool is_square, int64_t x, sc_ball *out)
{
    sc_ratio size, spread, two;
    exact_ratio("2", &two);
    sc_ratio_init(&spread);
    sc_ratio_init(&size);
    sc_ratio_set_int64(&size, is_square ? x * x : llabs(x));
    sc_ratio_set(&spread, noise);
    if (is_square) {
        sc_ratio_mul(&spread, noise, noise);
        sc_ratio_mul(&spread, &spread, &two);
    }
    decay(&size, &spread, out);
    sc_ratio_clear(&size);
    sc_ratio_clear(&spread);
    sc_ratio_clear(&two);
}

/* Gaussian: the noise itself, cut where it is below 2^-200. Laplace: of noise x against a shift D
 * the loss is (|x - D| - |x|) / s = (D - 2k) / s with k = x brought between 0 and D, and D - 2k is
 * the integer. */
static void set_one(const sc_ratio *noise, bool is_square, int64_t shift, int64_t reach,
                    sum_law *out)
{
    sc_ball weight, total;
    law_init(out, is_square ? reach : shift);
    sc_ball_init(&weight);
    sc_ball_init(&total);
    for (int64_t x = -reach; x <= reach; x++) {
        int64_t k = x < 0 ? 0 : x > shift ? shift : x;
        sc_ball *mass = mass_at(out, is_square ? x : shift - 2 * k);
        set_weight(noise, is_square, x, &weight);
        sc_ball_add(mass, mass, &weight, EXACT_BITS);
        sc_ball_add(&total, &total, &weight, EXACT_BITS);
    }
    for (int64_t x = -out->reach; x <= out->reach; x++)
        sc_ball_div(mass_at(out, x), mass_at(out, x), &total, EXACT_BITS);
    sc_ball_clear(&total);
    sc_ball_clear(&weight);
}

/* The loss of a sum: (count D^2 - 2 D x) / (2 sigma^2), or x / s. */
static void set_loss(const sc_ratio *noise, bool is_square, int64_t shift, int64_t count,
                     int64_t x, sc_ball *out)
{
    sc_ratio loss, spread, two;
    exact_ratio("2", &two);
    sc_ratio_init(&loss);
    sc_ratio_init(&spread);
    sc_ratio_set_int64(&loss, is_square ? count * shift * shift - 2 * shift * x : x);
    sc_ratio_div(&loss, &loss, noise);
    if (is_square) {
        sc_ratio_div(&loss, &loss, noise);
        sc_ratio_div(&loss, &loss, &two);
    }
    sc_ball_set_ratio(out, &loss, EXACT_BITS);
    sc_ratio_clear(&spread);
    sc_ratio_clear(&loss);
    sc_ratio_clear(&two);
}

/* sum of P max(0, 1 - exp(epsilon - loss)) */
static void joint_delta(const char *noise_text, bool is_square, int64_t shift,
                        int64_t count, int64_t reach, const char *epsilon_text,
                        sc_ball *out)
{
    sum_law one, sum;
    sc_ratio noise;
    sc_ball epsilon, term;
    exact_ratio(noise_text, &noise);
    sc_ball_init(&epsilon);
    sc_ball_init(&term);
    CHECK(ball_set_text(&epsilon, epsilon_text, EXACT_BITS));
    set_one(&noise, is_square, shift, reach, &one);
    law_init(&sum, 0);
    sc_ball_set_int64(mass_at(&sum, 0), 1);
    for (int64_t i = 0; i < count; i++)
        law_add(&sum, &one);
    sc_ball_set_int64(out, 0);
    for (int64_t x = -sum.reach; x <= sum.reach; x++) {
        set_loss(&noise, is_square, shift, count, x, &term);
        sc_ball_sub(&term, &epsilon, &term, EXACT_BITS);
        sc_ball_expm1(&term, &term, EXACT_BITS);
        sc_ball_neg(&term, &term);
        if (!sc_ball_is_positive(&term))
            continue;
        sc_ball_mul(&term, &term, mass_at(&sum, x), EXACT_BITS);
        sc_ball_add(out, out, &term, EXACT_BITS);
    }
    law_clear(&sum);
    law_clear(&one);
    sc_ball_clear(&term);
    sc_ball_clear(&epsilon);
    sc_ratio_clear(&noise);
}

/* delta over the wanted one. */
static double part_of_target(const scrim_calibration *found, const char *value,
                             int64_t shift, int64_t reach, const char *epsilon,
                             const char *target)
{
    sc_ball delta, wanted;
    sc_ball_init(&delta);
    sc_ball_init(&wanted);
    joint_delta(value, strcmp(found->parameter, "sigma") == 0, shift,
                (int64_t)found->count, reach, epsilon, &delta);
    CHECK(ball_set_text(&wanted, target, EXACT_BITS));
    sc_ball_div(&delta, &delta, &wanted, EXACT_BITS);
    double result = sc_ball_upper(&delta);
    sc_ball_clear(&wanted);
    sc_ball_clear(&delta);
    return result;
}

SLOW_TEST(calibration_of_several_holds_against_their_law)
{
    CLAIM("calibration.within");
    CLAIM("calibration.nearest");
    CLAIM("calibration.cost");
    static const struct {
        const char *name, *epsilon, *delta;
        int64_t shift, count, reach;
        double near; /* how much of the delta is used at least by the next candidate */
    } list[] = {
        {"laplace", "2", "1e-6", 1, 12, 1500, 0.999},
        {"laplace", "1", "1e-3", 1, 20, 2500, 0.999},
        {"laplace", "3", "1e-5", 3, 6, 1500, 0.999},
        {"gaussian", "6", "1e-6", 1, 3, 60, 0.999},
        {"gaussian", "4", "1e-4", 2, 2, 80, 0.999},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_calibration found;
        char line[64];
        snprintf(line, sizeof line, "%s sensitivity=%d", list[i].name,
                 (int)list[i].shift);
        REQUIRE_OK(scrim_calibrate(
            line,
            SCRIM_OPTIONS(scrim_calibrate_options, .epsilon = list[i].epsilon,
                          .delta = list[i].delta, .count = (uint64_t)list[i].count),
            &found, NULL));
        double own = part_of_target(&found, found.value, list[i].shift, list[i].reach,
                                    list[i].epsilon, list[i].delta);
        double next = part_of_target(&found, found.next, list[i].shift, list[i].reach,
                                     list[i].epsilon, list[i].delta);
        CHECK(own <= 1);
        CHECK(next > list[i].near);
        CHECK(next > own);
    }
}
