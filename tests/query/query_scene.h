/* A vault in a folder of its own with one dataset, "people", whose table is a CSV file beside it;
 * and questions to it from end to end. */
#ifndef QUERY_SCENE_H
#define QUERY_SCENE_H

#include "scrim.h"
#include "vault/scene.h"

#include <stdbool.h>

typedef struct query_scene {
    scene base;
    char table[96];
    scrim_vault *vault;
    scrim_error error; /* of the last question */
} query_scene;

/* The columns of the tables below: unit person; age int[0,120], sex text with the keys Female and
 * Male, city text, income decimal[0,1000]. */
extern const char query_scene_columns[];

/* A vault with a dataset of these policy lines, budget included, and a table of these bytes; false
 * when the test cannot go on. */
bool query_scene_begin(query_scene *s, const char *policy, const char *bytes);
/* The same for a table that is there already. */
bool query_scene_begin_with(query_scene *s, const char *policy, const char *path);
void query_scene_end(query_scene *s);
/* Writes the table anew; the dataset is not told. */
bool query_scene_write(const query_scene *s, const char *bytes);

/* Plans and asks; *out is NULL on failure. */
scrim_status query_scene_ask(query_scene *s, const char *query,
                             const scrim_query_options *options, scrim_result **out);
/* The same for several statements. */
scrim_status query_scene_ask_all(query_scene *s, const char *const *queries, size_t count,
                                 const scrim_query_options *options, scrim_result **out);

/* The rest of the budget: "epsilon delta charges". */
const char *query_scene_left(const query_scene *s, char text[3 * SCRIM_NUMBER_BYTES]);
/* All that a result shows: of every statement a line of names, kinds and notes, and one a row. With
 * is_shape, without the digits of values. */
const char *query_scene_show(const scrim_result *result, bool is_shape, char *text,
                             size_t capacity);
/* The same for rows of "value,value;" alone. */
const char *query_scene_values(const scrim_result *result, size_t statement, char *text,
                               size_t capacity);
/* A question of one statement has these values. */
void query_scene_check_values(query_scene *s, const char *query,
                              const scrim_query_options *options, const char *want);

#endif
