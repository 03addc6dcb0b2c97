/* Plans as tests make them: a vault in memory with the dataset adult. */
#ifndef PLANS_H
#define PLANS_H

#include "query/plan/plan.h"

typedef struct plan_scene {
    scrim_vault *vault;
    scrim_plan *plan; /* the last that was asked for; NULL when status is not SCRIM_OK */
    scrim_status status;
    scrim_error error;
    scrim_caret caret;
} plan_scene;

/* A vault with adult: QUERY_COLUMNS (queries.h), and lines, such as
 * "neighbours=replace\nmax-groups=3\n". False when it failed. */
bool plan_begin(plan_scene *scene, const char *lines);
void plan_end(plan_scene *scene);

/* Asks for a plan of one query, and frees the last one; false when it is refused. */
bool plan_ask(plan_scene *scene, const char *query, const scrim_query_options *options);
/* The same, which must be refused with this status and message. */
void plan_refused(plan_scene *scene, const char *query,
                  const scrim_query_options *options, scrim_status status,
                  const char *message);

#endif
