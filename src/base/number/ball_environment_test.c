/* Attack A11: the host process has changed the rounding mode, flushes small numbers to
 * zero, shortened the x87 or chosen a locale with a decimal comma. Nothing here may
 * notice. */
#include "balls.h"
#include "base/number/ball.h"
#include "base/number/parameters.h"
#include "check.h"

#include <fenv.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

/* The computation. */

static void put_ends(sc_text_sink *sink, const sc_ball *x)
{
    const double ends[2] = {sc_ball_lower(x), sc_ball_upper(x)};
    uint64_t bits[2];
    char text[120], middle[60];
    memcpy(bits, ends, sizeof bits);
    sc_ball_format(x, 40, middle, sizeof middle);
    snprintf(text, sizeof text, "%016llx %016llx %s\n", (unsigned long long)bits[0],
             (unsigned long long)bits[1], middle);
    sc_text_put(sink, sc_text_of(text));
}

static void put_balls(sc_text_sink *sink, const char *argument)
{
    static void (*const functions[])(sc_ball *, const sc_ball *, long) = {
        sc_ball_exp,  sc_ball_expm1, sc_ball_log,  sc_ball_log1p,
        sc_ball_sqrt, sc_ball_sinh,  sc_ball_erfc,
    };
    sc_ball x, y;
    sc_integer floor;
    sc_ball_init(&x);
    sc_ball_init(&y);
    sc_integer_init(&floor);
    if (!ball_set_text(&x, argument, 80))
        sc_text_put(sink, sc_text_of("not read\n"));
    put_ends(sink, &x);
    for (size_t i = 0; i < COUNT(functions); i++) {
        functions[i](&y, &x, 80);
        put_ends(sink, &y);
        sc_ball_power(&y, &y, 37, 80);
        put_ends(sink, &y);
        sc_text_put(sink,
                    sc_text_of(sc_ball_floor(&y, &floor) ? "certain\n" : "uncertain\n"));
    }
    sc_ball_set_pi(&y, 80);
    ball_gamma_upper(&y, &y, &x, 80);
    put_ends(sink, &y);
    sc_ball_bernoulli(&y, 50, 80);
    put_ends(sink, &y);
    sc_integer_clear(&floor);
    sc_ball_clear(&y);
    sc_ball_clear(&x);
}

static void put_ratios(sc_text_sink *sink)
{
    static const char *const texts[] = {"0.1",      "1/3",    "1e-9",       "2^-40",
                                        "-12.75e3", "2^-15",  "0.00000001", "2^400",
                                        "0,5",      "1.000,5"};
    sc_ratio x;
    sc_ratio_init(&x);
    for (size_t i = 0; i < COUNT(texts); i++) {
        char text[SC_RATIO_TEXT_BYTES];
        scrim_error error = {.message = "fine"};
        const scrim_status status = sc_ratio_parse(sc_text_of(texts[i]), &x, &error);
        sc_ratio_format(&x, text, sizeof text);
        sc_text_put(sink, sc_text_of(status == SCRIM_OK ? text : error.message));
        sc_text_put(sink, sc_text_of("\n"));
    }
    sc_ratio_clear(&x);
}

static void put_parameters(sc_text_sink *sink)
{
    static const sc_parameter_rule list[] = {{.name = "scale",
                                              .above = "0.5",
                                              .limit_high = "2.5",
                                              .domain = "from 0.5 to 2.5"}};
    static const char *const lines[] = {"scale=0.75", "scale=0,75", "scale=0.5",
                                        "scale=2.51"};
    sc_parameters parameters;
    sc_parameters_init(&parameters, list, COUNT(list));
    for (size_t i = 0; i < COUNT(lines); i++) {
        char text[100];
        scrim_error error = {.message = "fine"};
        const scrim_status status =
            sc_parameters_parse(&parameters, sc_text_of(lines[i]), &error);
        sc_parameters_format(&parameters, "line", text, sizeof text);
        sc_text_put(sink, sc_text_of(status == SCRIM_OK ? text : error.message));
        sc_text_put(sink, sc_text_of("\n"));
    }
    sc_parameters_clear(&parameters);
}

/* All that base computes, as text. */
static size_t transcript(char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_ball_scope scope;
    sc_text_sink_init(&sink, text, capacity);
    put_ratios(&sink);
    put_parameters(&sink);
    sc_ball_enter(&scope);
    put_balls(&sink, "0.7");
    put_balls(&sink, "13.25");
    put_balls(&sink, "1e-30");
    put_balls(&sink, "1e-310"); /* subnormal as a double */
    sc_ball_leave(&scope);
    return sink.length;
}

/* The hostile host. */

/* The control words of the floating-point units. */
typedef struct controls {
    uint64_t main; /* MXCSR or FPCR */
    uint64_t x87;
    int rounding;
} controls;

static controls read_controls(void)
{
    controls now = {.rounding = fegetround()};
#if defined(__SSE__)
    unsigned short word = 0;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    now.main = _mm_getcsr();
    now.x87 = word;
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(now.main));
#endif
    return now;
}

static void flush_to_zero(void)
{
#if defined(__SSE__)
    _mm_setcsr(_mm_getcsr() | 0x8040); /* FTZ and DAZ */
#elif defined(__aarch64__)
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("msr fpcr, %0" : : "r"(control | UINT64_C(1) << 24));
#endif
}

static void shorten_x87(void)
{
#if defined(__SSE__)
    unsigned short word = 0;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    word = (unsigned short)(word & ~0x300); /* 24 bits */
    __asm__ volatile("fldcw %0" : : "m"(word));
#endif
}

/* A bare machine has no locale with a comma, so one is made: the C library's own file for
 * C.UTF-8 with the points in it replaced. False where that is not possible. */
static bool make_comma_locale(char folder[], char path[], size_t capacity)
{
    unsigned char data[1024];
    uint32_t first;
    if (mkdtemp(folder) == NULL)
        return false;
    FILE *in = fopen("/usr/lib/locale/C.utf8/LC_NUMERIC", "rb");
    if (in == NULL)
        return false;
    const size_t bytes = fread(data, 1, sizeof data, in);
    fclose(in);
    if (bytes < 12)
        return false;
    memcpy(&first, data + 8,
           sizeof first); /* magic, number of strings, where they start */
    for (size_t i = first; i < bytes; i++)
        if (data[i] == '.')
            data[i] = ',';
    snprintf(path, capacity, "%s/comma", folder);
    if (mkdir(path, 0700) != 0)
        return false;
    snprintf(path, capacity, "%s/comma/LC_NUMERIC", folder);
    FILE *out = fopen(path, "wb");
    if (out == NULL)
        return false;
    const bool written = fwrite(data, 1, bytes, out) == bytes;
    return fclose(out) == 0 && written;
}

static bool choose_locale(const char *name)
{
    return name == NULL || setlocale(LC_ALL, name) != NULL ||
           setlocale(LC_NUMERIC, name) != NULL;
}

typedef struct host {
    const char *locale; /* NULL: as it is */
    int rounding;
    bool flush, shorten;
} host;

static char expected[65536], got[65536];

/* One run under a hostile host. Checks are made when the environment is sane again. */
static void run_under(const host *h, size_t expected_length)
{
    fenv_t sane;
    fegetenv(&sane);
    fesetround(h->rounding);
    if (h->flush)
        flush_to_zero();
    if (h->shorten)
        shorten_x87();
    const controls before = read_controls();
    const size_t length = transcript(got, sizeof got);
    const controls after = read_controls();
    fesetenv(&sane);
    CHECK_INT(length, expected_length);
    if (strcmp(got, expected) != 0)
        CHECK_FAIL("another result: locale %s, rounding %d, flush %d, short %d",
                   h->locale == NULL ? "-" : h->locale, h->rounding, h->flush,
                   h->shorten);
    CHECK(before.main == after.main);
    CHECK(before.x87 == after.x87);
    CHECK_INT(before.rounding, after.rounding);
}

static void run_matrix(const char *locale, size_t expected_length)
{
    static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    for (size_t r = 0; r < COUNT(roundings); r++)
        for (int bits = 0; bits < 4; bits++) {
            const host h = {locale, roundings[r], (bits & 1) != 0, (bits & 2) != 0};
            run_under(&h, expected_length);
        }
}

TEST(a11_nothing_depends_on_rounding_flushing_or_locale)
{
    static const char *const names[] = {"C",          "C.UTF-8",     "de_DE.UTF-8",
                                        "de_DE",      "fr_FR.UTF-8", "ar_EG.UTF-8",
                                        "hi_IN.UTF-8"};
    const size_t length = transcript(expected, sizeof expected);
    REQUIRE(length > 1000 && length < sizeof expected);
    for (size_t i = 0; i < COUNT(names); i++)
        if (choose_locale(names[i]))
            run_matrix(names[i], length);
    char folder[] = "/tmp/scrim-locale-XXXXXX", path[200] = "";
    bool comma = false;
    if (make_comma_locale(folder, path, sizeof path)) {
        setenv("LOCPATH", folder, 1);
        comma = choose_locale("comma") && strcmp(localeconv()->decimal_point, ",") == 0;
        if (comma)
            run_matrix("comma", length);
    }
    remove(path);
    snprintf(path, sizeof path, "%s/comma", folder);
    remove(path);
    remove(folder);
    setlocale(LC_ALL, "C");
    if (!comma)
        SKIP("no locale with a decimal comma could be made; the others held");
}

TEST(a11_the_scope_computes_in_the_default_environment)
{
    sc_ball_scope scope;
    fesetenv(FE_DFL_ENV); /* what ran before may have left flags */
    const controls sane = read_controls();
    fesetround(FE_UPWARD);
    flush_to_zero();
    shorten_x87();
    feraiseexcept(FE_OVERFLOW);
    const int flags = fetestexcept(FE_ALL_EXCEPT); /* none where they are not emulated */
    sc_ball_enter(&scope);
    const controls inside = read_controls();
    const int raised = fetestexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_DIVBYZERO);
    sc_ball_leave(&scope);
    const int kept = fetestexcept(FE_ALL_EXCEPT);
    fesetenv(FE_DFL_ENV);
    CHECK(inside.main == sane.main && inside.x87 == sane.x87);
    CHECK_INT(inside.rounding, FE_TONEAREST);
    CHECK_INT(raised, 0);
    CHECK_INT(kept, flags);
}
