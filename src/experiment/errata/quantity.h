/* A number that is known exactly, or as a ball that holds it. */
#ifndef SC_EXPERIMENT_QUANTITY_H
#define SC_EXPERIMENT_QUANTITY_H

#include "base/number/ball.h"

/* Precision of every ball of this room. */
#define SC_QUANTITY_BITS 256L
/* Significant digits of a value that is shown, at most; as many as the vectors have. */
#define SC_QUANTITY_DIGITS 17
#define SC_QUANTITY_TEXT_BYTES 64

typedef struct sc_quantity {
    bool is_exact;
    sc_ratio exact; /* if is_exact */
    sc_ball ball;   /* otherwise */
} sc_quantity;

void sc_quantity_init(sc_quantity *out); /* 0, exactly */
void sc_quantity_clear(sc_quantity *x);
void sc_quantity_set(sc_quantity *out, const sc_quantity *x);
void sc_quantity_set_int64(sc_quantity *out, int64_t value);
void sc_quantity_set_ratio(sc_quantity *out, const sc_ratio *value);
void sc_quantity_set_ball(sc_quantity *out, const sc_ball *value);
/* As a ball, whichever it is. */
void sc_quantity_ball(const sc_quantity *x, sc_ball *out);
/* True with the value stored, if it is an exact integer that fits. */
bool sc_quantity_int64(const sc_quantity *x, int64_t *out);
/* Stores the sign of a - b and returns true, if that is certain. */
bool sc_quantity_compare(const sc_quantity *a, const sc_quantity *b, int *out);
/* A short exact text, or a decimal with as many digits as are certain, rounded to nearest. */
void sc_quantity_format(const sc_quantity *x, char text[SC_QUANTITY_TEXT_BYTES]);

#endif
