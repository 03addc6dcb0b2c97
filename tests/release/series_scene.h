/* A vault with one dataset, "people", whose rows have a day from 1 to 30 and a city, and with one
 * series of it, "daily". */
#ifndef SERIES_SCENE_H
#define SERIES_SCENE_H

#include "query/query_scene.h"

/* So much that there is no noise to speak of, and a selection keeps the groups of two units and
 * more. */
#define SERIES_LARGE_BUDGET "budget=epsilon=100000,delta=0.5\n"

/* The lines of a policy for the columns day and city. */
extern const char series_scene_columns[];
/* a is in all windows of ten days, the others in one or two. */
extern const char series_scene_table[];
/* Rows by city. */
extern const char series_scene_by_city[];

/* A dataset of these columns, these further lines and this table; false when the test cannot go
 * on. */
bool series_scene_begin(query_scene *s, const char *lines, const char *table);
/* Plans and enters the series. */
scrim_status series_scene_create(query_scene *s, const char *query,
                                 const scrim_series_options *options, int beyond_budget);

/* Checks the values of a release (0: the next one), and whether it is one that was there. */
void series_scene_check_release(query_scene *s, uint64_t number, const char *want,
                                bool is_repeated);
void series_scene_check_refused(query_scene *s, uint64_t number, scrim_status want);
void series_scene_check_spent(query_scene *s, const char *amount, uint64_t charges);
/* Checks that the vault's chain and totals hold. */
void series_scene_check_verifies(query_scene *s);

#endif
