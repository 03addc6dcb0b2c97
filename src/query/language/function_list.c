#include "query/language/function_list.h"

static const sc_function functions[] = {
    {"ABS", SC_FUNCTION_ABS, 1, 1, "ABS(x)"},
    {"AVG", SC_FUNCTION_AVG, 1, 1, "AVG(x)"},
    {"BUCKET", SC_FUNCTION_BUCKET, 2, 2, "BUCKET(x, width)"},
    {"CLAMP", SC_FUNCTION_CLAMP, 3, 3, "CLAMP(x, low, high)"},
    {"COUNT", SC_FUNCTION_COUNT, 1, 1, "COUNT(*) or COUNT(DISTINCT unit)"},
    {"DAY", SC_FUNCTION_DAY, 1, 1, "DAY(d)"},
    {"FLOOR", SC_FUNCTION_FLOOR, 1, 1, "FLOOR(x)"},
    {"GREATEST", SC_FUNCTION_GREATEST, 2, 16, "GREATEST(x, y)"},
    {"HISTOGRAM", SC_FUNCTION_HISTOGRAM, 1, 2, "HISTOGRAM(x, width) or HISTOGRAM(x)"},
    {"LEAST", SC_FUNCTION_LEAST, 2, 16, "LEAST(x, y)"},
    {"MAX", SC_FUNCTION_MAX, 1, 2, "MAX(x) or MAX(x, width)"},
    {"MAX_K", SC_FUNCTION_MAX_K, 2, 3, "MAX_K(x, k) or MAX_K(x, k, width)"},
    {"MEDIAN", SC_FUNCTION_MEDIAN, 1, 1, "MEDIAN(x)"},
    {"MIN", SC_FUNCTION_MIN, 1, 2, "MIN(x) or MIN(x, width)"},
    {"MODE", SC_FUNCTION_MODE, 1, 2, "MODE(x) or MODE(x, width)"},
    {"MONTH", SC_FUNCTION_MONTH, 1, 1, "MONTH(d)"},
    {"QUANTILE", SC_FUNCTION_QUANTILE, 2, 65, "QUANTILE(x, p)"},
    {"RANGE", SC_FUNCTION_RANGE, 1, 2, "RANGE(x) or RANGE(x, width)"},
    {"ROUND", SC_FUNCTION_ROUND, 1, 2, "ROUND(x) or ROUND(x, digits)"},
    {"STDDEV", SC_FUNCTION_STDDEV, 1, 1, "STDDEV(x)"},
    {"STDDEV_POP", SC_FUNCTION_STDDEV_POP, 1, 1, "STDDEV_POP(x)"},
    {"STDDEV_SAMP", SC_FUNCTION_STDDEV, 1, 1, "STDDEV_SAMP(x)"},
    {"SUM", SC_FUNCTION_SUM, 1, 1, "SUM(x)"},
    {"SUPPORT", SC_FUNCTION_SUPPORT, 1, 2, "SUPPORT(x) or SUPPORT(x, width)"},
    {"VAR", SC_FUNCTION_VAR, 1, 1, "VAR(x)"},
    {"VAR_POP", SC_FUNCTION_VAR_POP, 1, 1, "VAR_POP(x)"},
    {"VAR_SAMP", SC_FUNCTION_VAR, 1, 1, "VAR_SAMP(x)"},
    {"YEAR", SC_FUNCTION_YEAR, 1, 1, "YEAR(d)"},
};
#define COUNT (sizeof functions / sizeof *functions)

const sc_function *sc_function_find(sc_text name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (sc_text_is(name, functions[i].name))
            return &functions[i];
    return NULL;
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

const char *sc_function_nearest(sc_text name)
{
    const char *names[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        names[i] = functions[i].name;
        if (is_joined(name, names[i]))
            return names[i];
    }
    return sc_text_nearest(name, names, COUNT);
}

bool sc_function_is_aggregate(const sc_function *function)
{
    return function->kind >= SC_FUNCTION_AVG;
}

const sc_function *sc_function_at(size_t index)
{
    return index < COUNT ? &functions[index] : NULL;
}
