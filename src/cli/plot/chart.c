#include "cli/plot/chart.h"

#include "cli/sheet/date_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double place_of(const sc_chart_axis *axis, double value)
{
    return axis->is_log ? log10(value) : value;
}

void sc_chart_axis_init(sc_chart_axis *axis, const char *name, bool is_log)
{
    *axis = (sc_chart_axis){
        .name = name, .is_log = is_log, .low = HUGE_VAL, .high = -HUGE_VAL};
}

void sc_chart_axis_widen(sc_chart_axis *axis, double value)
{
    if (!isfinite(value) || (axis->is_log && !(value > 0)))
        return;
    axis->low = fmin(axis->low, place_of(axis, value));
    axis->high = fmax(axis->high, place_of(axis, value));
}

double sc_chart_part(const sc_chart_axis *axis, double value)
{
    return (place_of(axis, value) - axis->low) / (axis->high - axis->low);
}

bool sc_chart_is_zero(const sc_chart_axis *axis, double value)
{
    return axis->zero_gap > 0 && (!(value > 0) || sc_chart_part(axis, value) < 0);
}

/* "5000", "0.2", "1e6": short, and without the sign and the zeros that C puts into an exponent. */
static void format_place(double value, char text[SC_CHART_LABEL_BYTES])
{
    snprintf(text, SC_CHART_LABEL_BYTES, "%g", value);
    char *exponent = strchr(text, 'e');
    if (exponent != NULL)
        snprintf(exponent, SC_CHART_LABEL_BYTES - (size_t)(exponent - text), "e%d",
                 (int)strtol(exponent + 1, NULL, 10));
}

void sc_chart_axis_add(sc_chart_axis *axis, double at, const char *words)
{
    const double slack = 1e-9 * (axis->high - axis->low);
    if (axis->label_count == SC_CHART_LABELS || at < axis->low - slack ||
        at > axis->high + slack)
        return;
    char *text = axis->labels[axis->label_count].text;
    axis->labels[axis->label_count++].at = at;
    if (words != NULL)
        snprintf(text, SC_CHART_LABEL_BYTES, "%s", words);
    else if (axis->is_date)
        sc_date_view_format(at, text);
    else if (!axis->is_log)
        format_place(at, text);
    else if (at == 0)
        snprintf(text, SC_CHART_LABEL_BYTES, "1");
    else
        snprintf(text, SC_CHART_LABEL_BYTES, "1e%.0f", at);
}

void sc_chart_axis_label(sc_chart_axis *axis, double start, double step)
{
    const double slack = 1e-9 * (axis->high - axis->low);
    for (int i = 0;; i++) {
        const double at = start + i * step;
        if (step > 0 ? at > axis->high + slack : at < axis->low - slack)
            return;
        sc_chart_axis_add(axis, fabs(at) < fabs(step) / 2 ? 0 : at, NULL);
    }
}

/* Labels of more decades than this would touch each other. */
#define DECADES 10

void sc_chart_axis_label_log(sc_chart_axis *axis)
{
    static const double factors[] = {1, 2, 5};
    const double decades = axis->high - axis->low;
    const size_t used = decades > 3 ? 1 : 3;
    const int each = 1 + (int)(decades / DECADES);
    const int first = (int)floor(axis->low / each) * each;
    for (int power = first; power <= (int)ceil(axis->high); power += each)
        for (size_t i = 0; i < used; i++) {
            char text[SC_CHART_LABEL_BYTES];
            const double value = factors[i] * pow(10, power);
            format_place(value, text);
            sc_chart_axis_add(axis, log10(value), text);
        }
}
