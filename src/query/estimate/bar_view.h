/* The public facts of a histogram: where its buckets lie, and what a bar may lose. */
#ifndef SC_QUERY_BAR_VIEW_H
#define SC_QUERY_BAR_VIEW_H

#include "model/measurement.h"
#include "query/language/bar_grid.h"
#include "query/rows/statistic.h"
#include "sampling/law.h"

typedef struct sc_bar_view {
    sc_bar_grid grid;
    uint64_t most; /* elements that a bar may lose: q */
    bool
        is_people; /* each element is another person: of one there is one row in a group */
    bool is_grouped; /* there is one in each group */
} sc_bar_view;

/* Of the histogram that a statistic is, with buckets of that width, drawn by that measurement. False
 * when it is by another mechanism, or there are more buckets than are ever drawn. */
bool sc_bar_view_set(const sc_statistics *statistics, size_t statistic, int64_t width,
                     const scrim_measurement *measurement, uint64_t max_rows,
                     bool is_grouped, sc_bar_view *out);

sc_bar_grid sc_bar_view_grid(const sc_statistics *statistics, size_t statistic,
                             int64_t width);
/* How many elements are left out of a bar: the law of -Z. law is initialised here, and the caller
 * clears it. */
void sc_bar_view_law(const scrim_measurement *measurement, sc_law *law);

#endif
