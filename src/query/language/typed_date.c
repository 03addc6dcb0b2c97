/* Functions of dates and timestamps: their parts, and the begin of what they are in. */
#include "query/language/date_parts.h"
#include "query/language/lex.h"
#include "query/language/typed.h"
#include "query/language/typing.h"

/* What a day is in that its part counts from 1: the year of a month, the month of a day; a week is in
 * the year of its Thursday. */
static int64_t whole_of(sc_date_part part, int64_t day)
{
    switch (part) {
    case SC_PART_WEEKDAY:
        return sc_date_part_of(SC_PART_FIRST_OF_WEEK, day);
    case SC_PART_DAY:
        return sc_date_part_of(SC_PART_FIRST_OF_MONTH, day);
    case SC_PART_WEEK:
        return sc_date_parts_of(day - sc_day_of_week(day) + 3).year;
    case SC_PART_NONE:
    case SC_PART_YEAR:
    case SC_PART_QUARTER:
    case SC_PART_MONTH:
    case SC_PART_FIRST_OF_YEAR:
    case SC_PART_FIRST_OF_QUARTER:
    case SC_PART_FIRST_OF_MONTH:
    case SC_PART_FIRST_OF_WEEK:
        break;
    }
    return sc_date_parts_of(day).year;
}

/* The part may be any of its range, unless all days are of one whole. */
static sc_extent part_extent(sc_date_part part, const sc_extent *days)
{
    static const int64_t most[] = {[SC_PART_QUARTER] = 4,
                                   [SC_PART_MONTH] = 12,
                                   [SC_PART_WEEK] = 53,
                                   [SC_PART_WEEKDAY] = 7,
                                   [SC_PART_DAY] = 31};
    const bool rises = part == SC_PART_YEAR || sc_date_part_is_first(part) ||
                       whole_of(part, days->low) == whole_of(part, days->high);
    return rises ? (sc_extent){sc_date_part_of(part, days->low),
                               sc_date_part_of(part, days->high),
                               {1, 1}}
                 : (sc_extent){1, most[part], {1, 1}};
}

/* A date as a number of days. */
static scrim_status in_days(sc_typing *typing, const sc_node *node, const sc_typed *date,
                            const sc_typed **out)
{
    sc_typed days = {.operation = SC_OP_SCALE,
                     .type = SC_TYPE_DATE,
                     .times = date->extent.step.numerator};
    *out = date;
    if (days.times == 1)
        return SCRIM_OK;
    return sc_extent_scale(&date->extent, days.times, (sc_value_step){1, 1}, &days.extent)
               ? sc_typing_operation(typing, days, date, NULL, out)
               : sc_typing_beyond(typing, node->span);
}

/* A timestamp as a number of seconds. */
static scrim_status in_seconds(sc_typing *typing, const sc_node *node,
                               const sc_typed *time, const sc_typed **out)
{
    sc_typed seconds = {.operation = SC_OP_SCALE,
                        .type = SC_TYPE_TIMESTAMP,
                        .times = time->extent.step.numerator};
    *out = time;
    if (seconds.times == 1)
        return SCRIM_OK;
    return sc_extent_scale(&time->extent, seconds.times, (sc_value_step){1, 1},
                           &seconds.extent)
               ? sc_typing_operation(typing, seconds, time, NULL, out)
               : sc_typing_beyond(typing, node->span);
}

/* The least and the largest local time: offsets change in between. */
static void local_ends(const sc_zone *zone, const sc_extent *seconds, int64_t *low,
                       int64_t *high)
{
    *low = sc_zone_local(zone, seconds->low);
    *high = sc_zone_local(zone, seconds->high);
    for (size_t i = 1; i < zone->count; i++) {
        const int64_t before = zone->from[i] - 1 + zone->offsets[i - 1];
        if (zone->from[i] <= seconds->low || zone->from[i] > seconds->high)
            continue;
        *low = zone->starts[i] < *low ? zone->starts[i] : *low;
        *high = before > *high ? before : *high;
    }
}

/* The day that it is in the zone: a date. */
static scrim_status local_day(sc_typing *typing, const sc_node *node,
                              const sc_typed *time, const sc_typed **out)
{
    sc_typed day = {.operation = SC_OP_LOCAL_DAY, .type = SC_TYPE_DATE};
    int64_t low, high;
    const scrim_status status = in_seconds(typing, node, time, &time);
    if (status != SCRIM_OK)
        return status;
    local_ends(typing->schema->zone, &time->extent, &low, &high);
    day.extent = (sc_extent){sc_floor_divide(low, SC_DAY_SECONDS),
                             sc_floor_divide(high, SC_DAY_SECONDS),
                             {1, 1}};
    return sc_typing_operation(typing, day, time, NULL, out);
}

/* NULL alone is a timestamp that is missing. */
static scrim_status type_time(sc_typing *typing, const sc_node *node, const char *purpose,
                              const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    if (status != SCRIM_OK || sc_typed_is_null(*out))
        return status;
    if ((*out)->type != SC_TYPE_TIMESTAMP)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s needs a timestamp, and this is %s", purpose,
                         sc_type_text((*out)->type));
    return in_seconds(typing, node, *out, out);
}

scrim_status sc_typing_hour(sc_typing *typing, const sc_node *node, const sc_typed **out)
{
    const sc_typed *time;
    int64_t low, high;
    const scrim_status status = type_time(typing, node->list[0], "HOUR", &time);
    if (status != SCRIM_OK)
        return status;
    if (sc_typed_is_null(time))
        return sc_typing_null(typing, SC_TYPE_NUMBER, out);
    local_ends(typing->schema->zone, &time->extent, &low, &high);
    const int64_t day = sc_floor_divide(low, SC_DAY_SECONDS) * SC_DAY_SECONDS;
    const bool is_one_day = high < day + SC_DAY_SECONDS;
    return sc_typing_operation(
        typing,
        (sc_typed){.operation = SC_OP_LOCAL_HOUR,
                   .type = SC_TYPE_NUMBER,
                   .extent = {is_one_day ? (low - day) / 3600 : 0,
                              is_one_day ? (high - day) / 3600 : 23,
                              {1, 1}}},
        time, NULL, out);
}

/* DATE_TRUNC of less than a day is an instant, since a local hour may come twice. */
static scrim_status local_start(sc_typing *typing, const sc_node *node, int64_t seconds,
                                const sc_typed **out)
{
    const sc_typed *time;
    const scrim_status status = type_time(typing, node->list[1], "DATE_TRUNC", &time);
    if (status != SCRIM_OK)
        return status;
    if (sc_typed_is_null(time))
        return sc_typing_null(typing, SC_TYPE_TIMESTAMP, out);
    const sc_zone *zone = typing->schema->zone;
    sc_extent extent = {sc_local_start(zone, time->extent.low, seconds),
                        sc_local_start(zone, time->extent.high, seconds),
                        {1, 1}};
    for (size_t i = 1; i < zone->count; i++)
        if (zone->from[i] > time->extent.low && zone->from[i] <= time->extent.high) {
            const int64_t before = sc_local_start(zone, zone->from[i] - 1, seconds),
                          start = sc_local_start(zone, zone->from[i], seconds);
            extent.low = start < extent.low ? start : extent.low;
            extent.high = before > extent.high ? before : extent.high;
        }
    return sc_typing_operation(typing,
                               (sc_typed){.operation = SC_OP_LOCAL_START,
                                          .type = SC_TYPE_TIMESTAMP,
                                          .times = seconds,
                                          .extent = extent},
                               time, NULL, out);
}

/* NULL alone is a date that is missing. */
static scrim_status type_date(sc_typing *typing, const sc_node *node, const char *purpose,
                              const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    if (status != SCRIM_OK || sc_typed_is_null(*out))
        return status;
    if ((*out)->type == SC_TYPE_TIMESTAMP)
        return local_day(typing, node, *out, out);
    if ((*out)->type != SC_TYPE_DATE)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s needs a date, and this is %s", purpose,
                         sc_type_text((*out)->type));
    return in_days(typing, node, *out, out);
}

scrim_status sc_typing_date_part(sc_typing *typing, const sc_node *node,
                                 sc_date_part part, const sc_typed **out)
{
    const sc_typed *date;
    char name[SC_TEXT_QUOTE_BYTES];
    const scrim_status status =
        type_date(typing, node->list[0], sc_text_quote(node->text, name), &date);
    if (status != SCRIM_OK)
        return status;
    if (sc_typed_is_null(date))
        return sc_typing_null(typing, SC_TYPE_NUMBER, out);
    return sc_typing_operation(typing,
                               (sc_typed){.operation = SC_OP_DATE_PART,
                                          .type = SC_TYPE_NUMBER,
                                          .part = part,
                                          .extent = part_extent(part, &date->extent)},
                               date, NULL, out);
}

/* The part that the first argument of DATE_TRUNC names. */
static scrim_status read_unit(const sc_typing *typing, const sc_node *node,
                              sc_date_part *out, int64_t *seconds)
{
    static const struct {
        const char *word;
        sc_date_part part;
        int64_t seconds;
    } units[] = {{"YEAR", SC_PART_FIRST_OF_YEAR, 0},
                 {"QUARTER", SC_PART_FIRST_OF_QUARTER, 0},
                 {"MONTH", SC_PART_FIRST_OF_MONTH, 0},
                 {"WEEK", SC_PART_FIRST_OF_WEEK, 0},
                 {"DAY", SC_PART_NONE, 0},
                 {"HOUR", SC_PART_NONE, 3600},
                 {"MINUTE", SC_PART_NONE, 60}};
    if (node->kind == SC_NODE_TEXT)
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (sc_word_is(node->text, units[i].word)) {
                *out = units[i].part;
                *seconds = units[i].seconds;
                return SCRIM_OK;
            }
    return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                     "DATE_TRUNC accepts 'year', 'quarter', 'month', 'week', 'day', "
                     "'hour' and 'minute', as in DATE_TRUNC('month', d)");
}

scrim_status sc_typing_date_trunc(sc_typing *typing, const sc_node *node,
                                  const sc_typed **out)
{
    const sc_typed *date;
    sc_date_part part = SC_PART_NONE;
    int64_t seconds = 0;
    scrim_status status = read_unit(typing, node->list[0], &part, &seconds);
    if (status == SCRIM_OK && seconds > 0)
        return local_start(typing, node, seconds, out);
    if (status == SCRIM_OK)
        status = type_date(typing, node->list[1], "DATE_TRUNC", &date);
    if (status != SCRIM_OK)
        return status;
    if (sc_typed_is_null(date))
        return sc_typing_null(typing, SC_TYPE_DATE, out);
    *out = date;
    if (part == SC_PART_NONE)
        return SCRIM_OK;
    status = sc_typing_operation(typing,
                                 (sc_typed){.operation = SC_OP_DATE_PART,
                                            .type = SC_TYPE_DATE,
                                            .part = part,
                                            .extent = part_extent(part, &date->extent)},
                                 date, NULL, out);
    return status == SCRIM_OK ? sc_typing_check_dates(typing, node->span, *out) : status;
}
