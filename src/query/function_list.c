#include "query/function_list.h"

#define MANY 1000

static const sc_function functions[] = {
    {"ABS", SC_FUNCTION_ABS, 1, 1, "ABS(x)", NULL},
    {"AVG", SC_FUNCTION_AVG, 1, 1, "AVG(x)", NULL},
    {"BUCKET", SC_FUNCTION_BUCKET, 2, 2, "BUCKET(x, width)", NULL},
    {"CLAMP", SC_FUNCTION_CLAMP, 3, 3, "CLAMP(x, low, high)", NULL},
    {"COUNT", SC_FUNCTION_COUNT, 1, 1, "COUNT(*) or COUNT(DISTINCT unit)", NULL},
    {"DAY", SC_FUNCTION_DAY, 1, 1, "DAY(d)", NULL},
    {"FLOOR", SC_FUNCTION_FLOOR, 1, 1, "FLOOR(x)", NULL},
    {"GREATEST", SC_FUNCTION_GREATEST, 2, 16, "GREATEST(x, y)", NULL},
    {"HISTOGRAM", SC_FUNCTION_LATER, 0, MANY, "HISTOGRAM(x)",
     "SELECT BUCKET(x, width), COUNT(*) GROUP BY BUCKET(x, width)"},
    {"LEAST", SC_FUNCTION_LEAST, 2, 16, "LEAST(x, y)", NULL},
    {"MAX", SC_FUNCTION_LATER, 0, MANY, "MAX(x)", "QUANTILE(x, 0.99)"},
    {"MAX_K", SC_FUNCTION_LATER, 0, MANY, "MAX_K(x, k)",
     "SELECT x, COUNT(*) AS n GROUP BY x ORDER BY n DESC LIMIT k"},
    {"MEDIAN", SC_FUNCTION_MEDIAN, 1, 1, "MEDIAN(x)", NULL},
    {"MIN", SC_FUNCTION_LATER, 0, MANY, "MIN(x)", "QUANTILE(x, 0.01)"},
    {"MODE", SC_FUNCTION_LATER, 0, MANY, "MODE(x)",
     "SELECT x, COUNT(*) AS n GROUP BY x ORDER BY n DESC LIMIT 1"},
    {"MONTH", SC_FUNCTION_MONTH, 1, 1, "MONTH(d)", NULL},
    {"QUANTILE", SC_FUNCTION_QUANTILE, 2, 65, "QUANTILE(x, p)", NULL},
    {"RANGE", SC_FUNCTION_LATER, 0, MANY, "RANGE(x)", "QUANTILE(x, 0.01, 0.99)"},
    {"ROUND", SC_FUNCTION_ROUND, 1, 2, "ROUND(x) or ROUND(x, digits)", NULL},
    {"STDDEV", SC_FUNCTION_STDDEV, 1, 1, "STDDEV(x)", NULL},
    {"STDDEV_POP", SC_FUNCTION_STDDEV_POP, 1, 1, "STDDEV_POP(x)", NULL},
    {"STDDEV_SAMP", SC_FUNCTION_STDDEV, 1, 1, "STDDEV_SAMP(x)", NULL},
    {"SUM", SC_FUNCTION_SUM, 1, 1, "SUM(x)", NULL},
    {"SUPPORT", SC_FUNCTION_LATER, 0, MANY, "SUPPORT(x)",
     "SELECT x, COUNT(*) GROUP BY x"},
    {"VAR", SC_FUNCTION_VAR, 1, 1, "VAR(x)", NULL},
    {"VAR_POP", SC_FUNCTION_VAR_POP, 1, 1, "VAR_POP(x)", NULL},
    {"VAR_SAMP", SC_FUNCTION_VAR, 1, 1, "VAR_SAMP(x)", NULL},
    {"YEAR", SC_FUNCTION_YEAR, 1, 1, "YEAR(d)", NULL},
};
#define COUNT (sizeof functions / sizeof *functions)

const sc_function *sc_function_find(sc_text name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (sc_text_is(name, functions[i].name))
            return &functions[i];
    return NULL;
}

const char *sc_function_nearest(sc_text name)
{
    const char *names[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        names[i] = functions[i].name;
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
