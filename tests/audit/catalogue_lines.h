/* Parameters for every mechanism of the catalogue: lines that the audit goes through.
 *
 * A family is a mechanism and some axes; each axis is a list of texts, and a line takes one of
 * each. A mechanism that is added to the catalogue adds a family here; until it does, the
 * audit of the catalogue fails. */
#ifndef CATALOGUE_LINES_H
#define CATALOGUE_LINES_H

#include <stddef.h>

#define LINE_AXES 5
#define LINE_BYTES 256

typedef struct line_family {
    const char *name;
    const char *const *axes[LINE_AXES]; /* texts, then NULL; NULL if not used */
} line_family;

extern const line_family line_families[];
extern const size_t line_family_count;

/* The number of lines of a family, and one of them: "NAME text text ...". */
size_t line_count(const line_family *family);
void line_at(const line_family *family, size_t index, char out[LINE_BYTES]);

#endif
