#include "attack/row_classes.h"

#include "base/memory.h"

#include <string.h>

bool sc_row_classes_init(sc_row_classes *classes, size_t rows)
{
    size_t mask = 1;
    while (mask < 2 * rows)
        mask = 2 * mask + 1;
    *classes = (sc_row_classes){.rows = rows,
                                .of = sc_allocate(rows, sizeof *classes->of),
                                .sizes = sc_allocate(rows + 1, sizeof *classes->sizes),
                                .keys = sc_allocate(mask + 1, sizeof *classes->keys),
                                .ids = sc_allocate(mask + 1, sizeof *classes->ids),
                                .mask = mask};
    if (classes->of == NULL || classes->sizes == NULL || classes->keys == NULL ||
        classes->ids == NULL) {
        sc_row_classes_clear(classes);
        return false;
    }
    sc_row_classes_join(classes);
    return true;
}

void sc_row_classes_clear(sc_row_classes *classes)
{
    sc_free(classes->of);
    sc_free(classes->sizes);
    sc_free(classes->keys);
    sc_free(classes->ids);
    memset(classes, 0, sizeof *classes);
}

void sc_row_classes_join(sc_row_classes *classes)
{
    memset(classes->of, 0, classes->rows * sizeof *classes->of);
    classes->count = classes->rows > 0;
    classes->sizes[0] = (uint32_t)classes->rows;
}

void sc_row_classes_split(sc_row_classes *classes, const uint32_t *codes)
{
    memset(classes->keys, 0, (classes->mask + 1) * sizeof *classes->keys);
    classes->count = 0;
    for (size_t row = 0; row < classes->rows; row++) {
        const uint64_t key = ((uint64_t)classes->of[row] << 32 | codes[row]) + 1;
        size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & classes->mask;
        while (classes->keys[place] != 0 && classes->keys[place] != key)
            place = (place + 1) & classes->mask;
        if (classes->keys[place] == 0) {
            classes->keys[place] = key;
            classes->ids[place] = (uint32_t)classes->count;
            classes->sizes[classes->count++] = 0;
        }
        classes->of[row] = classes->ids[place];
        classes->sizes[classes->of[row]]++;
    }
}

size_t sc_row_classes_alone(const sc_row_classes *classes)
{
    size_t alone = 0;
    for (size_t i = 0; i < classes->count; i++)
        alone += classes->sizes[i] == 1;
    return alone;
}

size_t sc_row_classes_smallest(const sc_row_classes *classes)
{
    size_t smallest = classes->rows;
    for (size_t i = 0; i < classes->count; i++)
        smallest = classes->sizes[i] < smallest ? classes->sizes[i] : smallest;
    return smallest;
}
