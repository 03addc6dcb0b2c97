#include "row_oracle.h"

#include "check.h"
#include "data/value/calendar.h"

#include <stdio.h>
#include <stdlib.h>

/* Values. */

static void parse(sc_text text, sc_ratio *out)
{
    CHECK_STATUS(sc_ratio_parse(text, out, NULL), SCRIM_OK);
}

static void floor_of(sc_ratio *x)
{
    sc_integer floor;
    sc_integer_init(&floor);
    sc_ratio_floor(x, &floor);
    sc_ratio_set_integer(x, &floor);
    sc_integer_clear(&floor);
}

static int64_t integer_of(const sc_ratio *x)
{
    sc_integer integer;
    sc_int128 value = 0;
    sc_integer_init(&integer);
    sc_ratio_floor(x, &integer);
    (void)sc_integer_get_int128(&integer, &value);
    sc_integer_clear(&integer);
    return (int64_t)value;
}

/* Multiples of width: the one below x, or the nearest, half up. */
static void to_multiple(sc_ratio *x, const sc_ratio *width, bool rounds)
{
    sc_ratio half;
    sc_ratio_init(&half);
    parse(sc_text_of("1/2"), &half);
    sc_ratio_div(x, x, width);
    if (rounds)
        sc_ratio_add(x, x, &half);
    floor_of(x);
    sc_ratio_mul(x, x, width);
    sc_ratio_clear(&half);
}

static int compare(const row_value *a, const row_value *b)
{
    if (a->is_text || b->is_text) {
        /* text beside a date */
        int64_t day;
        sc_ratio other;
        if (a->is_text && b->is_text)
            return sc_text_equal(a->text, b->text) ? 0 : 1;
        if (!sc_calendar_parse(a->is_text ? a->text : b->text, &day))
            return 1;
        sc_ratio_init(&other);
        sc_ratio_set_int64(&other, day);
        const int order = a->is_text ? sc_ratio_compare(&other, &b->number)
                                     : sc_ratio_compare(&a->number, &other);
        sc_ratio_clear(&other);
        return order;
    }
    return sc_ratio_compare(&a->number, &b->number);
}

static void copy(row_value *to, const row_value *from)
{
    to->is_null = from->is_null;
    to->is_text = from->is_text;
    to->text = from->text;
    sc_ratio_set(&to->number, &from->number);
}

static void set(row_value *value, int64_t number)
{
    value->is_null = value->is_text = false;
    sc_ratio_set_int64(&value->number, number);
}

/* Calls. */

/* From 1, a Monday; by the months' own offsets. */
static int weekday_of(int year, int month, int day)
{
    static const int offsets[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
    const int y = year - (month < 3) + 400;
    return (y + y / 4 - y / 100 + y / 400 + offsets[month - 1] + day + 6) % 7 + 1;
}

static int64_t day_number(int year, int month, int day)
{
    int64_t number = 0;
    CHECK(sc_calendar_day(year, month, day, &number));
    return number;
}

/* The weeks that a year has begun by the day; none or too many are the other year's. */
static int week_of(int year, int month, int day)
{
    const int of_year = (int)(day_number(year, month, day) - day_number(year, 1, 1)) + 1;
    const int week = (of_year - weekday_of(year, month, day) + 10) / 7;
    if (week == 0)
        return week_of(year - 1, 12, 31);
    return week == 53 && weekday_of(year, 12, 31) < 4 ? 1 : week;
}

static int64_t truncated(sc_text unit, int year, int month, int day)
{
    if (sc_text_is(unit, "year"))
        return day_number(year, 1, 1);
    if (sc_text_is(unit, "quarter"))
        return day_number(year, (month - 1) / 3 * 3 + 1, 1);
    if (sc_text_is(unit, "month"))
        return day_number(year, month, 1);
    return day_number(year, month, day) -
           (sc_text_is(unit, "week") ? weekday_of(year, month, day) - 1 : 0);
}

/* The zone of the queries' columns (queries.h), by its two changes in 2020. */
static int64_t local_of(int64_t instant)
{
    return instant + (instant >= 1585443600 && instant < 1603587600 ? 7200 : 3600);
}

/* Is it a timestamp? Years of days are below, and seconds above. */
static bool is_timestamp(const row_value *value)
{
    return integer_of(&value->number) > 1000000000;
}

static int64_t seconds_of_day(int64_t local)
{
    return local % 86400; /* from 1970 on */
}

/* unit: of DATE_TRUNC. */
static void date_part(row_value *value, sc_text name, sc_text unit)
{
    char text[SC_CALENDAR_TEXT_BYTES + 1];
    int year, month, day;
    const int64_t instant = integer_of(&value->number), local = local_of(instant);
    if (is_timestamp(value) && sc_text_is(name, "HOUR")) {
        set(value, seconds_of_day(local) / 3600);
        return;
    }
    if (is_timestamp(value) && sc_text_is(unit, "hour")) {
        set(value, instant - local % 3600);
        return;
    }
    if (is_timestamp(value))
        set(value, (local - seconds_of_day(local)) / 86400);
    sc_calendar_format(integer_of(&value->number), text);
    (void)sscanf(text, "%4d-%2d-%2d", &year, &month, &day);
    set(value, sc_text_is(name, "YEAR")      ? year
               : sc_text_is(name, "QUARTER") ? (month + 2) / 3
               : sc_text_is(name, "MONTH")   ? month
               : sc_text_is(name, "WEEK")    ? week_of(year, month, day)
               : sc_text_is(name, "WEEKDAY") ? weekday_of(year, month, day)
               : sc_text_is(name, "DAY")     ? day
                                             : truncated(unit, year, month, day));
}

static bool has_null(const row_value *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (parts[i].is_null)
            return true;
    return false;
}

static bool is_extreme(const sc_node *node)
{
    return sc_text_is(node->text, "LEAST") || sc_text_is(node->text, "GREATEST");
}

static void call(const sc_node *node, const row_value *arguments, row_value *value)
{
    sc_ratio width, zero;
    sc_ratio_init(&width);
    sc_ratio_init(&zero);
    copy(value, &arguments[sc_text_is(node->text, "DATE_TRUNC")]);
    if (!is_extreme(node) && has_null(arguments, node->count)) {
        value->is_null = true;
    } else if (sc_text_is(node->text, "ABS")) {
        if (sc_ratio_sign(&value->number) < 0)
            sc_ratio_sub(&value->number, &zero, &value->number);
    } else if (sc_text_is(node->text, "FLOOR")) {
        floor_of(&value->number);
    } else if (sc_text_is(node->text, "BUCKET")) {
        to_multiple(&value->number, &arguments[1].number, false);
    } else if (sc_text_is(node->text, "ROUND")) {
        char text[16];
        snprintf(text, sizeof text, "1e%d",
                 node->count > 1 ? -(int)integer_of(&arguments[1].number) : 0);
        parse(sc_text_of(text), &width);
        to_multiple(&value->number, &width, true);
    } else if (sc_text_is(node->text, "CLAMP")) {
        if (compare(value, &arguments[1]) < 0)
            copy(value, &arguments[1]);
        if (compare(value, &arguments[2]) > 0)
            copy(value, &arguments[2]);
    } else if (is_extreme(node)) {
        const int sign = sc_text_is(node->text, "LEAST") ? 1 : -1;
        for (size_t i = 1; i < node->count; i++)
            if (!arguments[i].is_null &&
                (value->is_null || compare(&arguments[i], value) * sign < 0))
                copy(value, &arguments[i]);
    } else {
        date_part(value, node->text, arguments[0].text);
    }
    sc_ratio_clear(&zero);
    sc_ratio_clear(&width);
}

/* Nodes. */

static void arithmetic(sc_node_kind kind, const row_value *parts, row_value *value)
{
    const size_t count = kind == SC_NODE_NEGATE ? 1 : 2;
    set(value, 0);
    value->is_null = has_null(parts, count);
    if (value->is_null)
        return;
    if (kind == SC_NODE_NEGATE)
        sc_ratio_sub(&value->number, &value->number, &parts[0].number);
    else if (kind == SC_NODE_ADD)
        sc_ratio_add(&value->number, &parts[0].number, &parts[1].number);
    else if (kind == SC_NODE_SUBTRACT)
        sc_ratio_sub(&value->number, &parts[0].number, &parts[1].number);
    else if (kind == SC_NODE_MULTIPLY)
        sc_ratio_mul(&value->number, &parts[0].number, &parts[1].number);
    else
        sc_ratio_div(&value->number, &parts[0].number, &parts[1].number);
}

/* Three truth values. */
typedef enum truth { NO, MAYBE, YES } truth;

static truth truth_of(const row_value *value)
{
    return value->is_null ? MAYBE : sc_ratio_sign(&value->number) != 0 ? YES : NO;
}

static truth least(truth a, truth b)
{
    return a < b ? a : b;
}

static truth compared(sc_node_kind kind, const row_value *a, const row_value *b)
{
    if (a->is_null || b->is_null)
        return MAYBE;
    const int order = compare(a, b);
    const bool holds = kind == SC_NODE_EQUAL        ? order == 0
                       : kind == SC_NODE_NOT_EQUAL  ? order != 0
                       : kind == SC_NODE_LESS       ? order < 0
                       : kind == SC_NODE_LESS_EQUAL ? order <= 0
                       : kind == SC_NODE_GREATER    ? order > 0
                                                    : order >= 0;
    return holds ? YES : NO;
}

static truth condition(const sc_node *node, const row_value *parts)
{
    truth all = YES, any = NO, found = NO;
    for (size_t i = 0; i < node->count; i++) {
        const truth own = truth_of(&parts[i]),
                    same = i == 0 ? NO : compared(SC_NODE_EQUAL, &parts[0], &parts[i]);
        all = least(all, own);
        any = own > any ? own : any;
        found = same > found ? same : found;
    }
    switch ((int)node->kind) {
    case SC_NODE_AND:
        return all;
    case SC_NODE_OR:
        return any;
    case SC_NODE_NOT:
        return YES - any;
    case SC_NODE_IN:
        return found;
    case SC_NODE_BETWEEN:
        return least(compared(SC_NODE_GREATER_EQUAL, &parts[0], &parts[1]),
                     compared(SC_NODE_LESS_EQUAL, &parts[0], &parts[2]));
    case SC_NODE_IS_NULL:
        return parts[0].is_null ? YES : NO;
    default:
        return compared(node->kind, &parts[0], &parts[1]);
    }
}

static void set_truth(row_value *value, truth is_true)
{
    set(value, is_true == YES);
    value->is_null = is_true == MAYBE;
}

static void choose(const sc_node *node, const row_value *parts, row_value *value)
{
    for (size_t i = node->has_subject; i + 1 < node->count; i += 2)
        if ((node->has_subject ? compared(SC_NODE_EQUAL, &parts[0], &parts[i])
                               : truth_of(&parts[i])) == YES) {
            copy(value, &parts[i + 1]);
            return;
        }
    copy(value, &parts[node->count - 1]);
}

static void leaf(const sc_schema *schema, const sc_node *node, const row_value *row,
                 row_value *value)
{
    int64_t day;
    set(value, node->kind == SC_NODE_TRUE);
    if (node->kind == SC_NODE_NUMBER) {
        parse(node->text, &value->number);
    } else if (node->kind == SC_NODE_TEXT) {
        value->is_text = true;
        value->text = node->text;
    } else if (node->kind == SC_NODE_DATE && sc_calendar_parse(node->text, &day)) {
        set(value, day);
    } else if (node->kind == SC_NODE_NAME) {
        const sc_column *column = sc_schema_column(schema, node->text);
        copy(value, &row[column - schema->columns]);
    }
}

void row_evaluate(const sc_schema *schema, const sc_node *node, const row_value *row,
                  row_value *value)
{
    if (node->count == 0) {
        leaf(schema, node, row, value);
        return;
    }
    row_value *parts = calloc(node->count, sizeof *parts);
    if (parts == NULL)
        abort();
    for (size_t i = 0; i < node->count; i++) {
        sc_ratio_init(&parts[i].number);
        row_evaluate(schema, node->list[i], row, &parts[i]);
    }
    if (node->kind == SC_NODE_CALL)
        call(node, parts, value);
    else if (node->kind == SC_NODE_CASE)
        choose(node, parts, value);
    else if (node->kind >= SC_NODE_NEGATE && node->kind <= SC_NODE_DIVIDE)
        arithmetic(node->kind, parts, value);
    else
        set_truth(value, condition(node, parts));
    for (size_t i = 0; i < node->count; i++)
        sc_ratio_clear(&parts[i].number);
    free(parts);
}

/* Random expressions: templates in which n, b, d and t stand for expressions of that kind, c for
 * a constant other than 0, w for one above 0, i for a small whole number, p for the dates, s for a
 * text; | ends the template. */

uint64_t row_random(uint64_t *seed, uint64_t below)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (x ^ (x >> 31)) % below;
}

#define PICK(list) (list)[row_random(seed, sizeof(list) / sizeof *(list))]

static const char *const number_leaves[] = {"age", "income", "weight", "%c", "0", "age"};
static const char *const numbers[] = {
    "(%n + %n)",
    "(%n - %n)",
    "%n * %c",
    "-(%n)",
    "(%n) / %c",
    "(%n * %n)",
    "ABS(%n)",
    "FLOOR(%n)",
    "ROUND(%n)",
    "ROUND(%n, %i)",
    "BUCKET(%n, %w)",
    "LEAST(%n, %n, %n)",
    "GREATEST(%n, %n)",
    "CLAMP(%n, -%w, %w)",
    "YEAR(%d)",
    "MONTH(%d)",
    "QUARTER(%d)",
    "WEEK(%d)",
    "WEEKDAY(%d)",
    "HOUR(seen)",
    "WEEKDAY(seen)",
    "YEAR(seen)",
    "(seen - DATE_TRUNC('hour', seen))",
    "DAY(%d)",
    "(%d - %d)",
    "CASE WHEN %b THEN %n ELSE %n END",
    "CASE WHEN %b THEN %n WHEN %b THEN %n ELSE %c END",
    "CASE FLOOR(%n) WHEN 1 THEN %n WHEN 2 THEN %n ELSE %n END"};
static const char *const conditions[] = {"%n < %n",
                                         "%n <= %n",
                                         "%n > %n",
                                         "%n >= %n",
                                         "%n = %n",
                                         "%n <> %n",
                                         "FLOOR(%n) = %i",
                                         "(%b AND %b AND %b)",
                                         "(%b OR %b)",
                                         "NOT %b",
                                         "%n BETWEEN %n AND %n",
                                         "%n NOT BETWEEN %c AND %w",
                                         "ROUND(%n) IN (%i, %i, %i, %c)",
                                         "%n IN (%n, %i)",
                                         "age IN (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 3)",
                                         "%d < %d",
                                         "%d = %d",
                                         "day >= '2020-06-01'",
                                         "DATE_TRUNC('hour', seen) = seen",
                                         "HOUR(seen) IN (2, 3)",
                                         "%d IN (%p, %p, %p)",
                                         "sex = 'Male'",
                                         "sex <> 'Female'",
                                         "city IN ('a', 'b', 'c')",
                                         "sex = city",
                                         "age IS NULL",
                                         "%n IS NOT NULL",
                                         "married = (%b)",
                                         "TRUE",
                                         "married",
                                         "CASE WHEN %b THEN %b ELSE %b END"};
static const char *const dates[] = {"day",
                                    "born",
                                    "%p",
                                    "(%d + FLOOR(CLAMP(%n, -99, 99)))",
                                    "(day - %i)",
                                    "BUCKET(%d, 7)",
                                    "DATE_TRUNC('week', %d)",
                                    "DATE_TRUNC('month', %d)",
                                    "DATE_TRUNC('quarter', day)",
                                    "DATE_TRUNC('year', %d)",
                                    "DATE_TRUNC('day', %d)",
                                    "DATE_TRUNC('day', seen)",
                                    "DATE_TRUNC('week', seen)",
                                    "CASE WHEN %b THEN %d ELSE %d END"};
static const char *const texts[] = {"CASE WHEN %b THEN 'x' WHEN %b THEN 'y' ELSE 'x' END",
                                    "CASE WHEN %b THEN 'b' WHEN %b THEN 'a' ELSE '' END"};
static const char *const constants[] = {"3",    "-2", "0.5", "7.25",
                                        "-1/3", "10", "1e2", "(1/7)"};
static const char *const widths[] = {"5", "0.3", "7", "(1/3)", "2.5", "1000"};
static const char *const wholes[] = {"0", "1", "2", "-1", "3"};
static const char *const days[] = {"DATE '2000-02-29'", "DATE '2020-01-01'",
                                   "DATE '1999-12-31'", "DATE '2020-12-31'"};

static const char *template_of(uint64_t *seed, char kind, int depth)
{
    switch (kind) {
    case 'n':
        return depth <= 0 ? PICK(number_leaves) : PICK(numbers);
    case 'b':
        return depth <= 0 ? "married" : PICK(conditions);
    case 'd':
        return depth <= 0 ? "day" : PICK(dates);
    case 't':
        return PICK(texts);
    case 'c':
        return PICK(constants);
    case 'w':
        return PICK(widths);
    case 'i':
        return PICK(wholes);
    default:
        return PICK(days);
    }
}

size_t row_expression(uint64_t *seed, char kind, int depth, char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    for (const char *c = template_of(seed, kind, depth); *c != '\0'; c++) {
        if (*c != '%') {
            sc_text_put_times(&sink, *c, 1);
        } else {
            c++;
            const size_t used = sink.length < capacity ? sink.length : capacity;
            sink.length +=
                row_expression(seed, *c, depth - 1, text + used, capacity - used);
        }
    }
    return sink.length;
}
