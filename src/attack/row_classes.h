/* Classes of rows that agree in some columns. */
#ifndef SC_ATTACK_ROW_CLASSES_H
#define SC_ATTACK_ROW_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sc_row_classes {
    size_t rows, count;
    uint32_t *of;    /* the class of each row, counted from 0 */
    uint32_t *sizes; /* of each class */
    /* Its own. */
    uint64_t *keys; /* of slots: class and code, and one more */
    uint32_t *ids;
    size_t mask;
} sc_row_classes;

/* All rows are of one class. False without memory; cleared in any case. */
bool sc_row_classes_init(sc_row_classes *classes, size_t rows);
void sc_row_classes_clear(sc_row_classes *classes);
/* All of one class again. */
void sc_row_classes_join(sc_row_classes *classes);
/* Splits the classes by the codes of one more column. */
void sc_row_classes_split(sc_row_classes *classes, const uint32_t *codes);
/* Rows that no other agrees with; 0 if there are no rows. */
size_t sc_row_classes_alone(const sc_row_classes *classes);
/* The size of the smallest class. */
size_t sc_row_classes_smallest(const sc_row_classes *classes);

#endif
