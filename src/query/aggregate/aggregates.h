/* All aggregates of the query language. A new one is a file with its constant and a line here; everything
 * else finds it by sc_aggregate_at. Only tests name one of them outside of this room.
 */
#ifndef SC_QUERY_AGGREGATES_H
#define SC_QUERY_AGGREGATES_H

#include "query/language/aggregate.h"

#define SC_AGGREGATES(X)                                                                 \
    X(count)                                                                             \
    X(count_units)                                                                       \
    X(count_values)                                                                      \
    X(sum)                                                                               \
    X(avg)                                                                               \
    X(var)                                                                               \
    X(var_pop)                                                                           \
    X(stddev)                                                                            \
    X(stddev_pop)                                                                        \
    X(median)                                                                            \
    X(quantile)                                                                          \
    X(min)                                                                               \
    X(max)                                                                               \
    X(range)                                                                             \
    X(max_k)                                                                             \
    X(mode)                                                                              \
    X(support)                                                                           \
    X(histogram)

#define SC_DECLARE_AGGREGATE(name) extern const sc_aggregate sc_aggregate_##name;
SC_AGGREGATES(SC_DECLARE_AGGREGATE)

#endif
