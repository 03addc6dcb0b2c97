#include "cli/display/number_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double sc_number_view(const char *text)
{
    char *end;
    double above = strtod(text, &end);
    return *end == '/' ? above / strtod(end + 1, NULL) : above;
}

/* "2.5e-08" is written 2.5e-8. */
static void strip_exponent(char *text)
{
    char *digits = strpbrk(text, "e");
    if (digits == NULL)
        return;
    digits += strspn(digits, "e+-");
    const size_t zeros = strspn(digits, "0");
    memmove(digits, digits + zeros, strlen(digits + zeros) + 1);
}

static void format_bound(double value, bool upper, int digits, char text[SC_BOUND_BYTES])
{
    double shown = value, slack = fabs(value) * SC_BOUND_SLACK;
    for (int tries = 0; tries < 64; tries++) {
        snprintf(text, SC_BOUND_BYTES, "%.*g", digits, shown);
        strip_exponent(text);
        double back = strtod(text, NULL);
        if (!isfinite(value) || (upper ? back >= value - slack : back <= value + slack))
            return;
        /* Printed on the wrong side: half a digit further from the truth. */
        shown += (upper ? 1 : -1) * fabs(value) * 1e-6;
    }
}

void sc_bound_format(double value, bool upper, char text[SC_BOUND_BYTES])
{
    format_bound(value, upper, 5, text);
}

/* Longer numbers are rounded for people. */
#define DIGITS_SHOWN 12
/* Zeros in front of the digits that count and are still read at a glance: 0.000015 is 1.5e-5. */
#define ZEROS_SHOWN 4
/* Digits of a fraction, as many as a cost has elsewhere. */
#define DIGITS_OF_FRACTION 6
/* More than a double and SC_BOUND_SLACK together lose. */
#define MARGIN 1e-11

/* "0.000000000001" as "1e-12", digit by digit, where nothing is lost. False for any other text, and
 * when the digits are too many. */
static bool format_small(const char *text, char shown[SC_BOUND_BYTES])
{
    if (strncmp(text, "0.", 2) != 0)
        return false;
    const size_t zeros = strspn(text + 2, "0");
    const char *digits = text + 2 + zeros;
    const size_t count = strspn(digits, "0123456789");
    if (zeros < ZEROS_SHOWN || count == 0 || count > DIGITS_SHOWN - 5 ||
        digits[count] != '\0')
        return false;
    snprintf(shown, SC_BOUND_BYTES, "%c%s%se-%zu", digits[0], count > 1 ? "." : "",
             digits + 1, zeros + 1);
    return true;
}

/* A fraction is a decimal for people: 1/4 is 0.25, and 1/7 is 0.142858 as an upper bound. */
static void format_fraction(const char *text, bool upper, char shown[SC_BOUND_BYTES])
{
    const double value = sc_number_view(text);
    snprintf(shown, SC_BOUND_BYTES, "%.*g", DIGITS_OF_FRACTION, value);
    if (strtod(shown, NULL) == value)
        strip_exponent(shown);
    else
        format_bound(value * (1 + (upper ? MARGIN : -MARGIN)), upper, DIGITS_OF_FRACTION,
                     shown);
}

static void format_number(const char *text, bool upper, char shown[SC_BOUND_BYTES])
{
    const double margin = upper ? MARGIN : -MARGIN;
    if (format_small(text, shown))
        return;
    if (strchr(text, '/') != NULL)
        format_fraction(text, upper, shown);
    else if (strlen(text) <= DIGITS_SHOWN)
        snprintf(shown, SC_BOUND_BYTES, "%s", text);
    else
        sc_bound_format(sc_number_view(text) * (1 + margin), upper, shown);
}

void sc_number_format_lower(const char *text, char shown[SC_BOUND_BYTES])
{
    format_number(text, false, shown);
}

void sc_number_format_upper(const char *text, char shown[SC_BOUND_BYTES])
{
    format_number(text, true, shown);
}

void sc_delta_shorten(char *options)
{
    static const char key[] = "delta=";
    char shown[SC_BOUND_BYTES], *delta = strstr(options, key);
    if (delta == NULL)
        return;
    delta += sizeof key - 1;
    if (format_small(delta, shown)) /* never longer */
        memcpy(delta, shown, strlen(shown) + 1);
}

void sc_bound_format_exact(double value, char text[SC_BOUND_BYTES])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, SC_BOUND_BYTES, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

const char *sc_amount_format(const char *unit, const char *amount, const char *delta,
                             bool upper, char text[SC_AMOUNT_BYTES])
{
    void (*const format)(const char *, char *) =
        upper ? sc_number_format_upper : sc_number_format_lower;
    char shown[SC_BOUND_BYTES];
    int used = 0;
    text[0] = '\0';
    if (amount[0] != '\0') {
        format(amount, shown);
        used = snprintf(text, SC_AMOUNT_BYTES, "%.60s %s", unit, shown);
    }
    if (delta[0] != '\0' && strcmp(delta, "0") != 0) {
        format(delta, shown);
        snprintf(text + used, SC_AMOUNT_BYTES - (size_t)used, "%sdelta %s",
                 used > 0 ? ", " : "", shown);
    }
    return text;
}

/* The bytes of a fraction at the beginning of a text; 0 if it begins with no fraction. */
static size_t fraction_bytes(const char *text)
{
    static const char digits[] = "0123456789";
    const size_t above = strspn(text, digits);
    const size_t below = text[above] == '/' ? strspn(text + above + 1, digits) : 0;
    return above > 0 && below > 0 ? above + 1 + below : 0;
}

void sc_line_format(const char *line, char *shown, size_t bytes)
{
    char before = '\0';
    size_t used = 0;
    while (*line != '\0' && used + SC_BOUND_BYTES < bytes) {
        const bool is_start = before == '=' || before == ',';
        const size_t fraction = is_start ? fraction_bytes(line) : 0;
        before = *line;
        if (fraction > 0)
            format_fraction(line, true, shown + used);
        else
            snprintf(shown + used, SC_BOUND_BYTES, "%c", *line);
        used += strlen(shown + used);
        line += fraction > 0 ? fraction : 1;
    }
    shown[used] = '\0';
}

void sc_percent_format(double share, char text[SC_BOUND_BYTES])
{
    const bool is_whole = share >= 1 - SC_BOUND_SLACK;
    if (!is_whole && share >= 0.9995)
        snprintf(text, SC_BOUND_BYTES, "> 99.9 %%");
    else
        snprintf(text, SC_BOUND_BYTES, share < 10 || share > 1e4 ? "%.3g %%" : "%.0f %%",
                 100 * share);
}

/* Years begin in March, so that a leap day is the last of one: days from March of the year 0 to
 * 1970-01-01. */
#define DAYS_TO_1970 719468.0

static double days_before(double year)
{
    return 365 * year + floor(year / 4) - floor(year / 100) + floor(year / 400);
}

/* The seconds behind a date, less the offset: "2020-02-29 12:00:00+01:00". */
static double time_view(const char *text)
{
    int hour = 0, minute = 0, second = 0, ahead = 0, more = 0;
    char sign = '+';
    const char *time = strchr(text, ' ');
    if (time == NULL || sscanf(time, " %d:%d:%d%c%d:%d", &hour, &minute, &second, &sign,
                               &ahead, &more) != 6)
        return 0;
    return hour * 3600.0 + minute * 60 + second -
           (sign == '-' ? -1 : 1) * (ahead * 3600.0 + more * 60);
}

double sc_date_view(const char *text)
{
    int year = 0, month = 0, day = 0;
    if (sscanf(text, "%d-%d-%d", &year, &month, &day) != 3)
        return 0;
    const int shifted = (month + 9) % 12, of_year = (153 * shifted + 2) / 5 + day - 1;
    return days_before(month <= 2 ? year - 1 : year) + of_year - DAYS_TO_1970 +
           time_view(text) / 86400;
}

void sc_date_view_format(double day, char text[SC_DATE_VIEW_BYTES])
{
    const double shifted = round(day) + DAYS_TO_1970;
    double year = floor(shifted / 365.2425);
    while (days_before(year + 1) <= shifted)
        year++;
    while (days_before(year) > shifted)
        year--;
    const int left = (int)(shifted - days_before(year));
    const int month = (5 * left + 2) / 153; /* from March */
    snprintf(text, SC_DATE_VIEW_BYTES, "%04d-%02d-%02d",
             (int)year + (month >= 10 ? 1 : 0), month >= 10 ? month - 9 : month + 3,
             left - (153 * month + 2) / 5 + 1);
}
