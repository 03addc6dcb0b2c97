/* A simulated data set with what every run on it needs to know. */
#ifndef SC_EXPERIMENT_HEIGHT_SCENE_H
#define SC_EXPERIMENT_HEIGHT_SCENE_H

#include "experiment/heights.h"

typedef struct sc_scene {
    const sc_height_statistic *f;
    const sc_heights *x;
    size_t value;       /* f(x) */
    size_t shown_count; /* bars that are not empty */
    size_t shown[SC_HEIGHTS_MAX];
    int64_t radius;                         /* value_stability.h */
    int64_t jump_costs[SC_HEIGHTS_MAX + 1]; /* likewise */
    int64_t allowance;                      /* flexible_error.h */
    uint32_t flexible_errors[SC_HEIGHTS_MAX + 1];
} sc_scene;

/* f and x stay the caller's, and as they are. */
void sc_scene_init(sc_scene *out, const sc_height_statistic *f, const sc_heights *x);
uint32_t sc_scene_raw_error(const sc_scene *scene, size_t answer);

#endif
