#include "check.h"
#include "queries.h"

#include <string.h>

TEST(question_names_its_aggregates)
{
    static const char *const names[] = {[SC_AGGREGATE_COUNT] = "COUNT",
                                        [SC_AGGREGATE_COUNT_UNITS] = "COUNT DISTINCT",
                                        [SC_AGGREGATE_SUM] = "SUM",
                                        [SC_AGGREGATE_AVG] = "AVG",
                                        [SC_AGGREGATE_VAR] = "VAR",
                                        [SC_AGGREGATE_VAR_POP] = "VAR_POP",
                                        [SC_AGGREGATE_STDDEV] = "STDDEV",
                                        [SC_AGGREGATE_STDDEV_POP] = "STDDEV_POP",
                                        [SC_AGGREGATE_QUANTILE] = "QUANTILE",
                                        [SC_AGGREGATE_MIN] = "MIN",
                                        [SC_AGGREGATE_MAX] = "MAX",
                                        [SC_AGGREGATE_RANGE] = "RANGE",
                                        [SC_AGGREGATE_MODE] = "MODE",
                                        [SC_AGGREGATE_MAX_K] = "MAX_K",
                                        [SC_AGGREGATE_SUPPORT] = "SUPPORT",
                                        [SC_AGGREGATE_HISTOGRAM] = "HISTOGRAM"};
    for (size_t kind = SC_AGGREGATE_COUNT; kind < COUNT(names); kind++) {
        const sc_query_aggregate a = {.kind = (sc_aggregate_kind)kind, .p = {9, 10}};
        CHECK_STR(sc_aggregate_name(&a), names[kind]);
        CHECK(sc_aggregate_is_list(a.kind) == (strcmp(names[kind], "SUPPORT") == 0 ||
                                               strcmp(names[kind], "HISTOGRAM") == 0));
        CHECK(!sc_aggregate_is_list(a.kind) || sc_aggregate_is_bars(a.kind));
    }
    const sc_query_aggregate median = {.kind = SC_AGGREGATE_QUANTILE, .p = {1, 2}};
    CHECK_STR(sc_aggregate_name(&median), "MEDIAN");
}
