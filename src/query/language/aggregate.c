#include "query/language/aggregate.h"

#include <string.h>

static const struct {
    sc_call_form form;
    sc_function_kind kind;
    sc_date_part part;
} functions[] = {
    {{"ABS", 1, 1, "ABS(x)", NULL}, SC_FUNCTION_ABS, SC_PART_NONE},
    {{"BUCKET", 2, 2, "BUCKET(x, width)", NULL}, SC_FUNCTION_BUCKET, SC_PART_NONE},
    {{"CLAMP", 3, 3, "CLAMP(x, low, high)", NULL}, SC_FUNCTION_CLAMP, SC_PART_NONE},
    {{"COALESCE", 1, 16, "COALESCE(x, y)", NULL}, SC_FUNCTION_COALESCE, SC_PART_NONE},
    {{"DATE_TRUNC", 2, 2, "DATE_TRUNC('month', d)", NULL},
     SC_FUNCTION_DATE_TRUNC,
     SC_PART_NONE},
    {{"DAY", 1, 1, "DAY(d)", NULL}, SC_FUNCTION_DATE_PART, SC_PART_DAY},
    {{"FLOOR", 1, 1, "FLOOR(x)", NULL}, SC_FUNCTION_FLOOR, SC_PART_NONE},
    {{"GREATEST", 2, 16, "GREATEST(x, y)", NULL}, SC_FUNCTION_GREATEST, SC_PART_NONE},
    {{"HOUR", 1, 1, "HOUR(t)", NULL}, SC_FUNCTION_HOUR, SC_PART_NONE},
    {{"LADDER", 1, 1 + SC_LADDER_RUNGS, "LADDER(x) or LADDER(x, first, second, ...)",
      NULL},
     SC_FUNCTION_LADDER,
     SC_PART_NONE},
    {{"LEAST", 2, 16, "LEAST(x, y)", NULL}, SC_FUNCTION_LEAST, SC_PART_NONE},
    {{"LENGTH", 1, 1, "LENGTH(x)", NULL}, SC_FUNCTION_LENGTH, SC_PART_NONE},
    {{"LOWER", 1, 1, "LOWER(x)", NULL}, SC_FUNCTION_LOWER, SC_PART_NONE},
    {{"LTRIM", 1, 1, "LTRIM(x)", NULL}, SC_FUNCTION_LTRIM, SC_PART_NONE},
    {{"MONTH", 1, 1, "MONTH(d)", NULL}, SC_FUNCTION_DATE_PART, SC_PART_MONTH},
    {{"NULLIF", 2, 2, "NULLIF(x, y)", NULL}, SC_FUNCTION_NULLIF, SC_PART_NONE},
    {{"QUARTER", 1, 1, "QUARTER(d)", NULL}, SC_FUNCTION_DATE_PART, SC_PART_QUARTER},
    {{"ROUND", 1, 2, "ROUND(x) or ROUND(x, digits)", NULL},
     SC_FUNCTION_ROUND,
     SC_PART_NONE},
    {{"RTRIM", 1, 1, "RTRIM(x)", NULL}, SC_FUNCTION_RTRIM, SC_PART_NONE},
    {{"SUBSTR", 2, 3, "SUBSTR(x, from) or SUBSTR(x, from, count)", NULL},
     SC_FUNCTION_SUBSTR,
     SC_PART_NONE},
    {{"TRIM", 1, 1, "TRIM(x)", NULL}, SC_FUNCTION_TRIM, SC_PART_NONE},
    {{"UPPER", 1, 1, "UPPER(x)", NULL}, SC_FUNCTION_UPPER, SC_PART_NONE},
    {{"WEEK", 1, 1, "WEEK(d)", NULL}, SC_FUNCTION_DATE_PART, SC_PART_WEEK},
    {{"WEEKDAY", 1, 1, "WEEKDAY(d)", NULL}, SC_FUNCTION_DATE_PART, SC_PART_WEEKDAY},
    {{"YEAR", 1, 1, "YEAR(d)", NULL}, SC_FUNCTION_DATE_PART, SC_PART_YEAR},
};
#define COUNT (sizeof functions / sizeof *functions)
/* Names of all functions that did-you-mean compares. */
#define NAMES 64

static bool aggregate_at(size_t index, sc_function *out)
{
    const sc_aggregate *a;
    for (size_t i = 0; (a = sc_aggregate_at(i)) != NULL; i++)
        for (size_t j = 0; j < SC_CALL_FORMS && a->forms[j].name != NULL; j++)
            if (index-- == 0) {
                *out = (sc_function){.form = &a->forms[j], .aggregate = a};
                return true;
            }
    return false;
}

bool sc_function_at(size_t index, sc_function *out)
{
    if (index >= COUNT)
        return aggregate_at(index - COUNT, out);
    *out = (sc_function){.form = &functions[index].form,
                         .kind = functions[index].kind,
                         .part = functions[index].part};
    return true;
}

static bool is_called(const sc_call_form *form, sc_text name)
{
    return name.bytes > 0 && form->name[0] == name.start[0] &&
           sc_text_is(name, form->name);
}

static bool aggregate_find(sc_text name, sc_function *out)
{
    const sc_aggregate *a;
    for (size_t i = 0; (a = sc_aggregate_at(i)) != NULL; i++)
        for (size_t j = 0; j < SC_CALL_FORMS && a->forms[j].name != NULL; j++)
            if (is_called(&a->forms[j], name)) {
                *out = (sc_function){.form = &a->forms[j], .aggregate = a};
                return true;
            }
    return false;
}

bool sc_function_find(sc_text name, sc_function *out)
{
    for (size_t i = 0; i < COUNT; i++)
        if (is_called(&functions[i].form, name))
            return sc_function_at(i, out);
    return aggregate_find(name, out);
}

/* Are they the same but for underscores? */
static bool is_joined(sc_text name, const char *full)
{
    size_t i = 0;
    for (; *full != '\0'; full++) {
        if (i < name.bytes && name.start[i] == *full)
            i++;
        else if (*full != '_')
            return false;
    }
    return i == name.bytes;
}

/* The alphabetically first of equally near names. */
const char *sc_function_nearest(sc_text name)
{
    const char *names[NAMES];
    sc_function function;
    size_t count = 0;
    for (; count < NAMES && sc_function_at(count, &function); count++) {
        size_t at = count;
        for (; at > 0 && strcmp(function.form->name, names[at - 1]) < 0; at--)
            names[at] = names[at - 1];
        names[at] = function.form->name;
    }
    for (size_t i = 0; i < count; i++)
        if (is_joined(name, names[i]))
            return names[i];
    return sc_text_nearest(name, names, count);
}
