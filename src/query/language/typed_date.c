/* Functions of dates: their parts, and the first day of what they are in. */
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

/* NULL alone is a date that is missing. */
static scrim_status type_date(sc_typing *typing, const sc_node *node, const char *purpose,
                              const sc_typed **out)
{
    const scrim_status status = sc_typed_row(typing, node, out);
    if (status != SCRIM_OK || sc_typed_is_null(*out))
        return status;
    if ((*out)->type != SC_TYPE_DATE)
        return sc_refuse(typing->refusal, node->span, SCRIM_E_PARAM,
                         "%s asks for a date, and this is %s", purpose,
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
                              sc_date_part *out)
{
    static const struct {
        const char *word;
        sc_date_part part;
    } units[] = {{"YEAR", SC_PART_FIRST_OF_YEAR},
                 {"QUARTER", SC_PART_FIRST_OF_QUARTER},
                 {"MONTH", SC_PART_FIRST_OF_MONTH},
                 {"WEEK", SC_PART_FIRST_OF_WEEK},
                 {"DAY", SC_PART_NONE}};
    if (node->kind == SC_NODE_TEXT)
        for (size_t i = 0; i < sizeof units / sizeof *units; i++)
            if (sc_word_is(node->text, units[i].word)) {
                *out = units[i].part;
                return SCRIM_OK;
            }
    return sc_refuse(
        typing->refusal, node->span, SCRIM_E_PARAM,
        "DATE_TRUNC knows 'year', 'quarter', 'month', 'week' and 'day', as in "
        "DATE_TRUNC('month', d)");
}

scrim_status sc_typing_date_trunc(sc_typing *typing, const sc_node *node,
                                  const sc_typed **out)
{
    const sc_typed *date;
    sc_date_part part = SC_PART_NONE;
    scrim_status status = read_unit(typing, node->list[0], &part);
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
