#include "query/language/question.h"

const char *sc_aggregate_name(const sc_query_aggregate *a)
{
    switch (a->kind) {
    case SC_AGGREGATE_COUNT:
        return "COUNT";
    case SC_AGGREGATE_COUNT_UNITS:
        return "COUNT DISTINCT";
    case SC_AGGREGATE_SUM:
        return "SUM";
    case SC_AGGREGATE_AVG:
        return "AVG";
    case SC_AGGREGATE_VAR:
        return "VAR";
    case SC_AGGREGATE_VAR_POP:
        return "VAR_POP";
    case SC_AGGREGATE_STDDEV:
        return "STDDEV";
    case SC_AGGREGATE_STDDEV_POP:
        return "STDDEV_POP";
    case SC_AGGREGATE_MIN:
        return "MIN";
    case SC_AGGREGATE_MAX:
        return "MAX";
    case SC_AGGREGATE_RANGE:
        return "RANGE";
    case SC_AGGREGATE_MODE:
        return "MODE";
    case SC_AGGREGATE_MAX_K:
        return "MAX_K";
    case SC_AGGREGATE_SUPPORT:
        return "SUPPORT";
    case SC_AGGREGATE_HISTOGRAM:
        return "HISTOGRAM";
    case SC_AGGREGATE_QUANTILE:
        break;
    }
    return a->p.numerator == 1 && a->p.denominator == 2 ? "MEDIAN" : "QUANTILE";
}
