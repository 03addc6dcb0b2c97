/* Arithmetic on aggregates as tests read it: a question, its statistics and an estimator of its first
 * output, all numbers of which are drawn by one line.
 *
 *     formula_scene scene;
 *     if (formula_open(&scene, "SELECT SUM(age) / COUNT(*)", "laplace epsilon=1", "0.95"))
 *         formula_shown(&scene, numbers, text);
 *     formula_close(&scene);
 */
#ifndef FORMULAS_H
#define FORMULAS_H

#include "queries.h"
#include "query/estimate/formula_estimate.h"

typedef struct formula_scene {
    query_asked asked;
    sc_statistics statistics;
    scrim_measurement *measurement;
    const scrim_measurement **measurements;
    sc_formula_estimator *estimator;
} formula_scene;

/* Over columns without NULL. False, with a failed check, for an invalid query; it must be closed
 * anyway. */
bool formula_open(formula_scene *scene, const char *query, const char *line,
                  const char *confidence);
/* Over columns with NULL. */
bool formula_open_nullable(formula_scene *scene, const char *query, const char *line,
                           const char *confidence);
void formula_close(formula_scene *scene);

/* "value low high", rounded to the digits that are shown; "NULL" and "-" for what is not there, with
 * "open" behind it. */
#define FORMULA_SHOWN_BYTES 400
void formula_shown(const formula_scene *scene, const sc_int128 *numbers,
                   char text[FORMULA_SHOWN_BYTES]);

/* A random expression over COUNT(*), COUNT(DISTINCT person_id), SUM and AVG of columns, with
 * `depth` levels of operations. */
#define FORMULA_TEXT_BYTES 4000
void formula_random(char text[FORMULA_TEXT_BYTES], unsigned depth, uint64_t *seed);

#endif
