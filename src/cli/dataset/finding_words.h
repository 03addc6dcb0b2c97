/* A finding of 'scrim dataset check' as one sentence: how many cells or rows it is about, how questions treat them,
 * and the command that corrects it. Every sentence is about raw data and marked SENSITIVE; none shows a value. */
#ifndef SC_CLI_FINDING_WORDS_H
#define SC_CLI_FINDING_WORDS_H

#include "scrim.h"

#include <stdbool.h>

#define SC_SENSITIVE "SENSITIVE"

typedef struct sc_finding_scene {
    const scrim_inspection *inspection;
    const char *name;   /* of the dataset */
    const char *policy; /* its lines */
    bool
        is_table_shown; /* above: rows and treatment are in it, and only advice is told */
} sc_finding_scene;

/* "3 17 21": the first rows of a finding. */
#define SC_FINDING_ROWS_BYTES (24 * SCRIM_INSPECTED_ROWS)
void sc_finding_rows(const scrim_inspected *line, char text[SC_FINDING_ROWS_BYTES]);

/* Tells it on standard error. Without advice nothing is told of a finding that is in the table. */
void sc_finding_tell(const sc_finding_scene *scene, const scrim_inspected *line);

#endif
