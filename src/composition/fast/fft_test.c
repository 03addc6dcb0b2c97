#define SC_WITH_ARB
#include "base/number/ball_double.h"
#include "check.h"
#include "composition/fast/fft.h"

#include <acb.h>
#include <math.h>

/* Rectangles around complex numbers grow by a root of two a turn: half a bit a coefficient. */
#define BITS 400

/* Numbers that repeat: the sizes of what is transformed stray over many orders. */
static double some_double(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const double unit = (double)(*state >> 11) * 0x1p-53;
    return (unit - 0.5) * ldexp(1, -(int)(*state >> 58));
}

static size_t reversed(size_t value, unsigned bits)
{
    size_t out = 0;
    for (unsigned i = 0; i < bits; i++)
        out |= (value >> i & 1) << (bits - 1 - i);
    return out;
}

/* exp(2 pi i at / of). */
static void set_root(uint64_t at, uint64_t of, sc_ball *cosine, sc_ball *sine)
{
    sc_ball angle;
    sc_ball_init(&angle);
    arb_set_ui(angle.x, 2 * at);
    arb_div_ui(angle.x, angle.x, of, BITS);
    sc_ball_sin_cos_pi(sine, cosine, &angle, BITS);
    sc_ball_clear(&angle);
}

/* The distance of the double pair from the balls. */
static double distance(double re, double im, const sc_ball *wanted_re,
                       const sc_ball *wanted_im)
{
    sc_ball a, b;
    sc_ball_init(&a);
    sc_ball_init(&b);
    sc_ball_set_double(&a, re);
    sc_ball_set_double(&b, im);
    sc_ball_sub(&a, &a, wanted_re, BITS);
    sc_ball_sub(&b, &b, wanted_im, BITS);
    arb_hypot(a.x, a.x, b.x, BITS);
    const double out = sc_ball_upper(&a);
    sc_ball_clear(&b);
    sc_ball_clear(&a);
    return out;
}

static double forward_bound(const sc_fft *fft)
{
    sc_ball error;
    sc_ball_init(&error);
    sc_fft_error(fft, &error);
    const double out = sc_ball_upper(&error);
    sc_ball_clear(&error);
    return out;
}

TEST(fft_roots_are_accurate)
{
    CLAIM("fft.roots");
    sc_ball cosine, sine;
    sc_ball_init(&cosine);
    sc_ball_init(&sine);
    for (unsigned log = SC_FFT_LOG_MIN; log <= 20; log += 6) {
        sc_fft fft;
        scrim_error error;
        double worst = 0;
        sc_fft_init(&fft);
        REQUIRE_OK(sc_fft_prepare(&fft, log, &error));
        const size_t stride = 1 + fft.half / check_count(2000, UINT64_C(1) << 40);
        for (size_t j = 0; j < fft.kept && j < (fft.half + 1) / 2; j += stride) {
            const unsigned d = j == 0 ? 0 : sc_bit_length64(j) - 1;
            const size_t c = j == 0 ? 0 : j - ((size_t)1 << d);
            set_root(j == 0 ? 2 : 4 * reversed(c, d) + 1, UINT64_C(16) << d, &cosine,
                     &sine);
            worst = fmax(worst, distance(fft.cosine[j], fft.sine[j], &cosine, &sine));
        }
        CHECK(worst > 0 && worst <= 0.75 * 0x1p-53);
        sc_fft_clear(&fft);
    }
    sc_ball_clear(&sine);
    sc_ball_clear(&cosine);
}

/* Value number at of x by Horner's rule in balls. */
static void value_of(const double *x, size_t half, unsigned levels, size_t at,
                     sc_ball *re, sc_ball *im)
{
    sc_ball c, s;
    sc_ball *part[] = {&c, &s};
    acb_t t, sum, coefficient;
    acb_init(t);
    acb_init(sum);
    acb_init(coefficient);
    for (size_t i = 0; i < 2; i++)
        sc_ball_init(part[i]);
    set_root(4 * reversed(at, levels) + 1, 4 * half, &c, &s);
    acb_set_arb_arb(t, c.x, s.x);
    for (size_t j = 2 * half; j-- > 0;) {
        arb_t exact;
        arb_init(exact);
        arb_set_d(exact, x[j]);
        acb_mul(sum, sum, t, BITS);
        acb_add_arb(sum, sum, exact, BITS);
        arb_clear(exact);
    }
    acb_get_real(re->x, sum);
    acb_get_imag(im->x, sum);
    for (size_t i = 0; i < 2; i++)
        sc_ball_clear(part[i]);
    acb_clear(coefficient);
    acb_clear(sum);
    acb_clear(t);
}

/* Every value against balls, and what the inverse makes of the values. The bound is not wasteful
 * either: errors come to a hundredth of it. */
static void check_against_balls(unsigned log, uint64_t seed)
{
    double x[256], y[256], largest = 0, sum = 0, error_sum = 0, worst = 0, norm = 0;
    sc_fft fft;
    scrim_error error;
    sc_ball re, im;
    sc_ball_init(&re);
    sc_ball_init(&im);
    sc_fft_init(&fft);
    REQUIRE_OK(sc_fft_prepare(&fft, log, &error));
    const size_t n = 2 * fft.half;
    for (size_t j = 0; j < n; j++) {
        y[j] = x[j] = some_double(&seed);
        sum += fabs(x[j]);
        norm += x[j] * x[j];
    }
    sc_fft_forward(&fft, y);
    for (size_t j = 0; j < fft.half; j++) {
        value_of(x, fft.half, fft.levels, j, &re, &im);
        worst = fmax(worst, distance(y[j], y[fft.half + j], &re, &im));
        largest = fmax(largest, hypot(y[j], y[fft.half + j]));
    }
    CHECK(worst <= forward_bound(&fft) * sum);
    CHECK(log < 5 || worst >= forward_bound(&fft) * sum / 200);
    sc_fft_inverse(&fft, y);
    for (size_t j = 0; j < n; j++)
        error_sum += (y[j] - x[j]) * (y[j] - x[j]);
    /* The error of the transform comes back with a 2-norm of at most worst. */
    CHECK(sqrt(error_sum) <= worst + forward_bound(&fft) * 1.001 * sqrt(norm));
    CHECK(sqrt(norm) <= largest * 1.001);
    sc_fft_clear(&fft);
    sc_ball_clear(&im);
    sc_ball_clear(&re);
}

TEST(fft_is_within_its_bounds)
{
    CLAIM("fft.forward");
    CLAIM("fft.inverse");
    const uint64_t rounds = check_count_whole(2, 100);
    for (unsigned log = SC_FFT_LOG_MIN; log <= (check_is_long() ? 8 : 7); log++)
        for (uint64_t i = 0; i < rounds; i++)
            check_against_balls(log, check_seed() + 64 * i + log);
}

/* Small integers multiply without error; what runs over the end returns with the other sign. */
static void check_products(unsigned log)
{
    sc_fft fft;
    scrim_error error;
    uint64_t seed = check_seed() + log;
    sc_fft_init(&fft);
    REQUIRE_OK(sc_fft_prepare(&fft, log, &error));
    const size_t n = 2 * fft.half, few = n < 24 ? n : 24;
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y),
           *z = calloc(n, sizeof *z);
    size_t at[24];
    for (size_t i = 0; i < few; i++) {
        at[i] = (size_t)(fabs(some_double(&seed)) * 1e18) % n;
        x[at[i]] = (double)(i % 7) - 3;
        y[n - 1 - at[i]] = (double)(i % 5) - 1;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; x[i] != 0 && j < n; j++)
            z[(i + j) % n] += i + j < n ? x[i] * y[j] : -x[i] * y[j];
    sc_fft_forward(&fft, x);
    sc_fft_forward(&fft, y);
    sc_fft_multiply(&fft, x, y);
    sc_fft_inverse(&fft, x);
    size_t wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += !(fabs(x[i] - z[i]) < 1e-9);
    CHECK_INT(wrong, 0);
    free(x);
    free(y);
    free(z);
    sc_fft_clear(&fft);
}

TEST(fft_multiplies_polynomials)
{
    CLAIM("fft.forward");
    for (unsigned log = SC_FFT_LOG_MIN; log <= 15; log++)
        check_products(log);
}

/* (1 + 3u)^count - 1 */
static void power_error(uint64_t count, sc_ball *out)
{
    sc_ball_set_int64(out, 3);
    sc_ball_mul_power2(out, out, -53);
    sc_ball_add_int64(out, out, 1, BITS);
    sc_ball_power(out, out, count, BITS);
    sc_ball_add_int64(out, out, -1, BITS);
}

TEST(fft_power_is_within_its_bound)
{
    CLAIM("fft.power");
    static const uint64_t counts[] = {1, 2, 3, 7, 100, 1023, 100000, 1000000, 1u << 30};
    sc_fft fft;
    scrim_error error;
    sc_ball bound;
    acb_t z;
    uint64_t seed = check_seed();
    size_t cut = 0;
    acb_init(z);
    sc_ball_init(&bound);
    sc_fft_init(&fft);
    REQUIRE_OK(sc_fft_prepare(&fft, 7, &error));
    for (size_t i = 0; i < COUNT(counts); i++) {
        double x[128], y[128];
        for (size_t j = 0; j < 64; j++) {
            /* The power has a modulus of 1 down to 2^-100. */
            const double modulus = exp2(-(double)j * 1.6 / (double)counts[i]);
            const double angle = 6 * some_double(&seed);
            y[j] = x[j] = modulus * cos(angle);
            y[64 + j] = x[64 + j] = modulus * sin(angle);
        }
        sc_fft_power(&fft, y, counts[i]);
        power_error(counts[i], &bound);
        for (size_t j = 0; j < 64; j++) {
            sc_ball re, im;
            sc_ball_init(&re);
            sc_ball_init(&im);
            acb_set_d_d(z, x[j], x[64 + j]);
            acb_pow_ui(z, z, counts[i], BITS);
            acb_get_real(re.x, z);
            acb_get_imag(im.x, z);
            const double size = distance(0, 0, &re, &im);
            const double off = distance(y[j], y[64 + j], &re, &im);
            const bool is_cut = y[j] == 0 && y[64 + j] == 0;
            cut += is_cut;
            CHECK(off <= (is_cut ? ldexp(1, -SC_FFT_CUT)
                                 : sc_ball_upper(&bound) * size * (1 + 1e-9)));
            sc_ball_clear(&im);
            sc_ball_clear(&re);
        }
    }
    CHECK_INT(cut, (sc_int128)13 * (COUNT(counts) - 1));
    sc_fft_clear(&fft);
    sc_ball_clear(&bound);
    acb_clear(z);
}

TEST(fft_refuses_other_sizes)
{
    sc_fft fft;
    scrim_error error;
    sc_fft_init(&fft);
    CHECK_STATUS(sc_fft_prepare(&fft, 1, &error), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_fft_prepare(&fft, 25, &error), SCRIM_E_LIMIT);
    sc_fft_clear(&fft);
}
