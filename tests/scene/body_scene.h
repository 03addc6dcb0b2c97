/* Bodies for tests: exact ones, made by hand. */
#ifndef BODY_SCENE_H
#define BODY_SCENE_H

#include "solve/body.h"

/* Columns x from 0 to 10 and y from -5 to 5, both of scale 10; directions +x, -x, +y, -y; u from 0.25 to 0.75 in each. NULL,
 * with a failed check, without memory. */
sc_body *scene_square(void);
/* The body { u : <a_i, u> <= b_i } in `dimension` columns of bounds -limit to limit and of scale
 * 1, with u = x + limit undone: the half-spaces are those of x. Offsets are rounded to 2^-36 of
 * the limit. */
sc_body *scene_body(size_t dimension, size_t row_count, const double *a, const double *b,
                    double limit);

#endif
