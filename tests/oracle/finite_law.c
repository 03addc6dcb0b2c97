#include "finite_law.h"

#include "exact.h"

#include <string.h>

void finite_law(sc_outcomes *out, const char *const *masses, size_t count)
{
    sc_ratio value;
    sc_ball mass;
    sc_ball_init(&mass);
    sc_outcomes_init(out, 1);
    for (size_t i = 0; i < count; i++) {
        const int64_t key = (int64_t)i;
        if (masses[i] == NULL)
            continue;
        exact_ratio(masses[i], &value);
        sc_ball_set_ratio(&mass, &value, EXACT_BITS);
        CHECK_STATUS(sc_outcomes_add(out, &key, &mass, NULL), SCRIM_OK);
        sc_ratio_clear(&value);
    }
    finite_law_sort(out);
    sc_ball_clear(&mass);
}

void finite_law_weights(sc_outcomes *out, const int64_t *weights, size_t count,
                        int64_t total)
{
    sc_ball mass, sum;
    sc_ball_init(&mass);
    sc_ball_init(&sum);
    sc_ball_set_int64(&sum, total);
    sc_outcomes_init(out, 1);
    for (size_t i = 0; i < count; i++) {
        const int64_t key = (int64_t)i;
        if (weights[i] < 0)
            continue;
        sc_ball_set_int64(&mass, weights[i]);
        sc_ball_div(&mass, &mass, &sum, EXACT_BITS);
        CHECK_STATUS(sc_outcomes_add(out, &key, &mass, NULL), SCRIM_OK);
    }
    finite_law_sort(out);
    sc_ball_clear(&sum);
    sc_ball_clear(&mass);
}

void finite_law_hide(sc_outcomes *law, size_t index)
{
    sc_ball_add(&law->rest, &law->rest, &law->mass[index], EXACT_BITS);
    sc_ball_clear(&law->mass[index]);
    law->count--;
    memmove(&law->mass[index], &law->mass[index + 1],
            (law->count - index) * sizeof *law->mass);
    memmove(law->keys + index * law->width, law->keys + (index + 1) * law->width,
            (law->count - index) * law->width * sizeof *law->keys);
}

void finite_law_sort(sc_outcomes *law)
{
    CHECK_STATUS(sc_outcomes_sort(law, EXACT_BITS, NULL), SCRIM_OK);
}
