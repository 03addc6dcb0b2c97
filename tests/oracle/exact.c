#include "exact.h"

#include "balls.h"

#include <stdio.h>
#include <string.h>

void exact_ratio(const char *text, sc_ratio *out)
{
    sc_ratio_init(out);
    sc_ratio_set_int64(out, 1);
    if (sc_ratio_parse(sc_text_of(text), out, NULL) != SCRIM_OK)
        CHECK_FAIL("'%s' is not a number", text);
}

void exact_fraction(const char *text, sc_fraction *out)
{
    sc_ratio value;
    exact_ratio(text, &value);
    sc_fraction_init(out, &value);
    sc_ratio_clear(&value);
}

void exact_law(const sc_law_functions *functions, const char *shape, sc_int128 bound,
               sc_law *out)
{
    sc_ratio value;
    exact_ratio(shape == NULL ? "1" : shape, &value);
    sc_law_init(out, functions, shape == NULL ? NULL : &value, bound);
    sc_ratio_clear(&value);
}

/* Half a unit of the last digit of a decimal such as "0.4621" or "2.09e-5". */
static void half_unit(const char *printed, sc_ratio *out)
{
    const char *point = strchr(printed, '.'), *power = strchr(printed, 'e');
    const char *end = power == NULL ? printed + strlen(printed) : power;
    char unit[64];
    snprintf(unit, sizeof unit, "5e%ld",
             (power == NULL ? 0 : strtol(power + 1, NULL, 10)) - 1 -
                 (point == NULL ? 0 : (long)(end - point) - 1));
    exact_ratio(unit, out);
}

/* Half a unit of the last digit or 1e-12 of the value, whichever is less. */
static void allowance(const char *printed, const sc_ratio *value, sc_ratio *out)
{
    sc_ratio relative;
    half_unit(printed, out);
    exact_ratio("1e-12", &relative);
    sc_ratio_mul(&relative, &relative, value);
    if (sc_ratio_sign(&relative) > 0 && sc_ratio_compare(&relative, out) < 0)
        sc_ratio_set(out, &relative);
    sc_ratio_clear(&relative);
}

bool exact_check_printed(const sc_ball *ball, const char *printed, const char *text,
                         const char *file, int line)
{
    sc_ratio value, slack;
    sc_ball want, radius;
    char got[64];
    exact_ratio(printed, &value);
    allowance(printed, &value, &slack);
    sc_ball_init(&want);
    sc_ball_init(&radius);
    sc_ball_set_ratio(&want, &value, EXACT_BITS);
    sc_ball_set_ratio(&radius, &slack, EXACT_BITS);
    sc_ball_widen(&want, &radius);
    bool held = sc_ball_is_accurate(ball, 200) && ball_overlaps(ball, &want);
    check_saw(true, text, file, line);
    if (!held) {
        sc_ball_format(ball, 30, got, sizeof got);
        check_fail(file, line, "%s is %s%s, not %s", text, got,
                   sc_ball_is_accurate(ball, 200) ? "" : " (inaccurate)", printed);
    }
    sc_ratio_clear(&value);
    sc_ratio_clear(&slack);
    sc_ball_clear(&want);
    sc_ball_clear(&radius);
    return held;
}

bool exact_check_same(const sc_ball *a, const sc_ball *b, long bits, const char *text,
                      const char *file, int line)
{
    char left[64], right[64];
    bool held = sc_ball_is_accurate(a, bits) && sc_ball_is_accurate(b, bits) &&
                ball_overlaps(a, b);
    check_saw(true, text, file, line);
    if (!held) {
        sc_ball_format(a, 40, left, sizeof left);
        sc_ball_format(b, 40, right, sizeof right);
        check_fail(file, line, "%s is %s%s; the other road gives %s%s", text, left,
                   sc_ball_is_accurate(a, bits) ? "" : " (inaccurate)", right,
                   sc_ball_is_accurate(b, bits) ? "" : " (inaccurate)");
    }
    return held;
}
