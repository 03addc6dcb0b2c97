#include "query/language/key_text.h"

#include "data/value/calendar.h"
#include "data/value/moment.h"
#include "query/language/rung.h"

static size_t put(sc_text text, char *out, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, out, capacity);
    sc_text_put(&sink, text);
    return sink.length;
}

size_t sc_key_text(const sc_typed *typed, int64_t value, char *text, size_t capacity)
{
    const sc_extent *extent = &typed->extent;
    if (value < extent->low)
        value = extent->low;
    if (value > extent->high)
        value = extent->high;
    if (typed->type == SC_TYPE_TEXT)
        return put(typed->texts[value], text, capacity);
    if (typed->type == SC_TYPE_BOOL)
        return put(sc_text_of(value != 0 ? "true" : "false"), text, capacity);
    if (typed->type == SC_TYPE_DATE) {
        char day[SC_CALENDAR_TEXT_BYTES + 1];
        /* Dates are whole numbers of days within the calendar: sc_typing_check_dates. */
        sc_calendar_format(value * extent->step.numerator, day);
        return put(sc_text_of(day), text, capacity);
    }
    if (typed->type == SC_TYPE_TIMESTAMP) {
        char moment[SC_MOMENT_TEXT_BYTES];
        sc_moment_format(typed->zone, value * extent->step.numerator, moment);
        return put(sc_text_of(moment), text, capacity);
    }
    SC_OWN(sc_ratio, number);
    if (typed->type == SC_TYPE_RUNG)
        sc_extent_value(typed->rung, sc_rung_value(value), &number);
    else
        sc_extent_value(extent->step, value, &number);
    return sc_ratio_format(&number, text, capacity);
}
