/* The noise of a measurement, listed with its probabilities or drawn many times: for the coverage
 * of intervals, computed exactly where the noise is short and counted where it is not.
 *
 *     noise_list rows;
 *     if (noise_list_init(&rows, "laplace epsilon=1"))
 *         for (int64_t z = -rows.reach; z <= rows.reach; z++)
 *             covered += noise_list_mass(&rows, z) * is_inside(n + z);
 *     noise_list_clear(&rows);
 */
#ifndef NOISE_LIST_H
#define NOISE_LIST_H

#include "check.h"
#include "query/estimate/noise_sum.h"

typedef struct noise_list {
    scrim_measurement *measurement;
    sc_noise noise;
    int64_t reach; /* beyond it there are fewer than 1e-10 */
    double *masses;
    int64_t *draws;
    size_t draw_count;
} noise_list;

/* By the line of a model. False, with a failed check, when it is refused, adds no noise, or its
 * noise is too long to list. noise_list_clear frees what was left, also then. */
bool noise_list_init(noise_list *list, const char *line);
/* The same with `count` draws instead of probabilities, seeded by the run and the number. */
bool noise_list_draw(noise_list *list, const char *line, size_t count, uint64_t seed);
void noise_list_clear(noise_list *list);

static inline double noise_list_mass(const noise_list *list, int64_t z)
{
    return list->masses[z + list->reach];
}

#endif
