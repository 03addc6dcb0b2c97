/* The table of distances of condensed-exponential. */
#ifndef SL_METRIC_H
#define SL_METRIC_H

#include "local/device/kind.h"

#define SL_METRIC_VALUES 256

/* The distance of two values by the table; both are public. */
uint32_t sl_metric_distance(const scrim_local_config *config, uint32_t x, uint32_t y);
/* The largest. */
uint32_t sl_metric_diameter(const scrim_local_config *config);
/* Distances from a secret value to all, by looking at the whole table. */
void sl_metric_row(const scrim_local_config *config, uint64_t x,
                   uint8_t row[SL_METRIC_VALUES]);

#endif
