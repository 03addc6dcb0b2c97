#include "solids.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>

static uint64_t word(uint64_t *state)
{
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

double solids_uniform(uint64_t *state)
{
    return ldexp((double)(word(state) >> 11) + 0.5, -53);
}

double solids_normal(uint64_t *state)
{
    const double radius = sqrt(-2 * log(solids_uniform(state)));
    return radius * cos(2 * acos(-1) * solids_uniform(state));
}

void solids_random(size_t d, size_t rows, uint64_t seed, sc_half_spaces *out)
{
    double *a = calloc(rows * d, sizeof *a), *b = calloc(rows, sizeof *b);
    uint64_t state = seed * 1000003 + d;
    if (a == NULL || b == NULL)
        abort();
    for (size_t i = 0; i < rows; i++) {
        double *row = a + i * d;
        if (i < 2 * d) {
            row[i / 2] = i % 2 == 0 ? 1 : -1;
        } else {
            for (size_t j = 0; j < d; j++)
                row[j] = solids_normal(&state);
            const double length = sc_norm(row, d);
            for (size_t j = 0; j < d; j++)
                row[j] /= length;
        }
        b[i] = 0.5 + solids_uniform(&state);
    }
    *out = (sc_half_spaces){d, rows, a, b};
}

void solids_clear(sc_half_spaces *spaces)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): made here, and const for readers */
    free((void *)(uintptr_t)spaces->a);
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): made here, and const for readers */
    free((void *)(uintptr_t)spaces->b);
}

size_t solids_numbers(const json_t *list, double *out, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *value = json_array_get(list, i);
        if (json_is_array(value))
            count += solids_numbers(value, out + count, most - count);
        else if (CHECK(count < most))
            out[count++] = json_number_value(value);
    }
    return count;
}
