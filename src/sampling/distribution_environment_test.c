/* Draws, laws and texts are the same bytes whatever the host program made of the
 * floating-point environment and of the locale (THREATS A11). */
#include "check.h"
#include "exact.h"
#include "locales.h"
#include "random/bits_tape.h"
#include "sampling/distribution.h"
#include "secret.h"

#include <fenv.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Everything that a distribution says, as bytes. */

typedef struct record {
    unsigned char bytes[1 << 20];
    size_t length;
} record;

static void put(record *to, const void *bytes, size_t count)
{
    if (!CHECK(count <= sizeof to->bytes - to->length))
        return;
    memcpy(to->bytes + to->length, bytes, count);
    to->length += count;
}

static const char *const lines[] = {
    "uniform n=1000003",
    "bernoulli p=0.3",
    "bernoulli-exp x=7/3",
    "geometric scale=1/3",
    "discrete-laplace scale=2.5",
    "discrete-laplace scale=1e6",
    "discrete-laplace scale=2^60",
    "discrete-gaussian variance=0.111",
    "discrete-gaussian variance=100",
    "discrete-gaussian variance=1e12",
    "discrete-gaussian variance=2^100",
    "truncated-laplace scale=10 bound=30",
    "clamped-laplace scale=1.5 bound=30",
    "shifted-laplace epsilon=0.1 q=51",
};
enum { LINES = sizeof lines / sizeof *lines };

static void put_draws(record *to, const scrim_distribution *d)
{
    enum { COUNT = 200 };
    sc_int128 values[COUNT];
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(5, &tape, NULL));
    REQUIRE_OK(sc_distribution_fill_wide(d, sc_tape_bits_of(tape), COUNT, values, NULL));
    put(to, values, sizeof values);
    REQUIRE_OK(
        sc_distribution_reference(d, sc_tape_bits_of(tape), COUNT / 4, values, NULL));
    put(to, values, sizeof values / 4);
    sc_tape_free(tape);
}

static void put_law(record *to, const scrim_distribution *d)
{
    static const int64_t points[] = {-40, -3, 0, 1, 2, 17, 1000};
    static const char *const ps[] = {"0.001", "1/3", "0.5", "0.975"};
    scrim_moments moments;
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const scrim_wide low = {(uint64_t)points[i], points[i] < 0 ? -1 : 0},
                         high = {(uint64_t)points[i] + 5, points[i] + 5 < 0 ? -1 : 0};
        double bounds[4];
        REQUIRE_OK(
            scrim_distribution_probability(d, low, low, &bounds[0], &bounds[1], NULL));
        REQUIRE_OK(
            scrim_distribution_probability(d, low, high, &bounds[2], &bounds[3], NULL));
        put(to, bounds, sizeof bounds);
    }
    for (size_t i = 0; i < sizeof ps / sizeof *ps; i++) {
        scrim_wide quantile;
        REQUIRE_OK(scrim_distribution_quantile(d, ps[i], &quantile, NULL));
        put(to, &quantile.low, sizeof quantile.low);
        put(to, &quantile.high, sizeof quantile.high);
    }
    REQUIRE_OK(scrim_distribution_moments(d, &moments, NULL));
    put(to, &moments, sizeof moments);
}

/* Texts, messages, draws, laws, of handles made here and now. */
static void put_everything(record *to)
{
    to->length = 0;
    for (size_t i = 0; i < LINES; i++) {
        scrim_distribution *d = NULL;
        REQUIRE_OK(scrim_distribution_parse(lines[i], &d, NULL));
        put(to, scrim_distribution_text(d), strlen(scrim_distribution_text(d)) + 1);
        put_draws(to, d);
        put_law(to, d);
        scrim_distribution_free(d);
    }
    scrim_distribution *d = NULL;
    scrim_error error = {.status = SCRIM_OK};
    CHECK_STATUS(scrim_distribution_parse("discrete-laplace scale=1,5", &d, &error),
                 SCRIM_E_PARAM);
    put(to, error.message, strlen(error.message) + 1);
}

static record expected, got;

static void check_here(const char *where)
{
    put_everything(&got);
    if (!CHECK_INT(got.length, expected.length) ||
        !CHECK(memcmp(got.bytes, expected.bytes, got.length) == 0))
        CHECK_FAIL("other bytes under %s", where);
}

/* The floating-point environment. */

/* Results that are too small, and operands that are, become 0. */
static bool flush_to_zero(bool results, bool operands)
{
#if defined(__x86_64__)
    unsigned control = _mm_getcsr() & ~0x8040u;
    _mm_setcsr(control | (results ? 0x8000u : 0) | (operands ? 0x0040u : 0));
    return true;
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    control &= ~((uint64_t)1 << 24);
    control |= (uint64_t)(results || operands) << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
    return true;
#else
    return !results && !operands;
#endif
}

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

SLOW_TEST(distributions_do_not_see_the_rounding_mode)
{
    put_everything(&expected);
    CHECK(expected.length > 10000);
    for (size_t i = 0; i < 4; i++)
        for (unsigned flush = 0; flush < 4; flush++) {
            char where[64];
            fenv_t saved;
            CHECK_INT(fegetenv(&saved), 0);
            CHECK_INT(fesetround(modes[i]), 0);
            const bool can_flush = flush_to_zero(flush & 1, flush >> 1);
            if (can_flush)
                put_everything(&got);
            /* The environment is as it was set: the library gives it back. */
            const int mode = fegetround();
            CHECK_INT(fesetenv(&saved), 0);
            CHECK_INT(mode, modes[i]);
            snprintf(where, sizeof where, "rounding mode %zu, flushing %u", i, flush);
            if (can_flush && (!CHECK_INT(got.length, expected.length) ||
                              !CHECK(memcmp(got.bytes, expected.bytes, got.length) == 0)))
                CHECK_FAIL("other bytes under %s", where);
        }
}

/* The environment above is one in which plain doubles do give other bytes. */
TEST(rounding_mode_and_flushing_take_effect)
{
    if (secret_is_under_valgrind())
        SKIP("valgrind has one way of rounding");
    volatile double third = 3, tiny = 0x1p-1022, half = 0.5;
    fenv_t saved;
    CHECK_INT(fegetenv(&saved), 0);
    CHECK_INT(fesetround(FE_UPWARD), 0);
    volatile double up = 1 / third;
    CHECK_INT(fesetround(FE_DOWNWARD), 0);
    volatile double down = 1 / third;
    const bool can_flush = flush_to_zero(true, true);
    volatile double product = tiny * half;
    CHECK_INT(fesetenv(&saved), 0);
    CHECK(up > down);
    CHECK(!can_flush || product == 0);
    CHECK(tiny * half > 0);
}

/* The locale. */

SLOW_TEST(distributions_do_not_see_the_locale)
{
    static const struct {
        const char *source, *name;
    } list[] = {{NULL, "C"},
                {NULL, "POSIX"},
                {NULL, "C.UTF-8"},
                {"tr_TR", "tr_TR.UTF-8"}}; /* a comma in numbers, an i of its own */
    char folder[] = "/tmp/scrim-locales-XXXXXX", command[64];
    unsigned known = 0;
    put_everything(&expected);
    REQUIRE(mkdtemp(folder) != NULL);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (list[i].source == NULL ? setlocale(LC_ALL, list[i].name) != NULL
                                   : locale_enter(folder, list[i].source, list[i].name)) {
            known++;
            if (list[i].source != NULL)
                CHECK_STR(localeconv()->decimal_point, ",");
            check_here(list[i].name);
        }
        setlocale(LC_ALL, "C");
        unsetenv("LOCPATH");
    }
    CHECK(known >= 2);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK_INT(system(command), 0); // NOLINT(cert-env33-c): a constant command
}
