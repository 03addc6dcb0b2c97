#include "distance/flexible_evaluation.h"

#include "base/memory.h"

#include <stdlib.h>

void sc_evaluation_init(sc_evaluation *out)
{
    *out = (sc_evaluation){.beta = {.value = 0}};
    sc_ball_init(&out->mean);
}

void sc_evaluation_clear(sc_evaluation *evaluation)
{
    sc_ball_clear(&evaluation->mean);
}

/* An outcome by how far it is off. */
typedef struct miss {
    uint64_t err;
    size_t outcome;
} miss;

static int furthest_first(const void *a, const void *b)
{
    const uint64_t x = ((const miss *)a)->err, y = ((const miss *)b)->err;
    return (x < y) - (x > y);
}

static uint64_t apart(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static uint64_t nearest(const sc_masses *reachable, int64_t y)
{
    size_t low = 0, high = reachable->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (reachable->list[middle].place <= y)
            low = middle;
        else
            high = middle;
    }
    uint64_t best = apart(reachable->list[low].place, y);
    if (low + 1 < reachable->count && apart(reachable->list[low + 1].place, y) < best)
        best = apart(reachable->list[low + 1].place, y);
    return best;
}

/* Goes from the furthest outcome inwards: err is a bound as long as what lies further has not more
 * than gamma. is_certain: for all that the masses may be; else for some. */
static sc_span quantile(const sc_outcomes *law, const miss *misses, const sc_ball *gamma,
                        bool is_certain, long bits)
{
    sc_span found = {.value = 0};
    size_t i = 0;
    SC_OWN(sc_ball, beyond);
    if (is_certain)
        sc_ball_set(&beyond, &law->rest);
    const bool has_tail = is_certain && !sc_ball_is_less_equal(&beyond, gamma);
    while (!has_tail && i < law->count) {
        const uint64_t err = misses[i].err;
        found.value = err;
        for (; i < law->count && misses[i].err == err; i++)
            sc_ball_add(&beyond, &beyond, &law->mass[misses[i].outcome], bits);
        if (is_certain ? !sc_ball_is_less_equal(&beyond, gamma)
                       : sc_ball_is_less(gamma, &beyond))
            break;
        found.value = 0;
    }
    found.is_infinite = has_tail;
    return found;
}

static void set_mean(const sc_outcomes *law, const miss *misses, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, term, zero);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < law->count; i++) {
        sc_ball_set_int128(&term, misses[i].err);
        sc_ball_mul(&term, &term, &law->mass[misses[i].outcome], bits);
        sc_ball_add(out, out, &term, bits);
    }
    if (!sc_ball_is_less_equal(&law->rest, &zero))
        sc_ball_set_infinite(out);
}

scrim_status sc_evaluate(const sc_outcomes *law, const sc_masses *reachable,
                         const sc_ratio *gamma, long bits, sc_evaluation *out,
                         scrim_error *error)
{
    if (law->width != 1 || reachable->count == 0 || !reachable->is_sorted)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "input",
            "an evaluation takes outcomes of one number and the values that "
            "can be reached, at least one");
    if (sc_ratio_sign(gamma) < 0 || sc_ratio_compare_int64(gamma, 1) > 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "gamma",
                                 "give a number from 0 to 1");
    miss *misses = sc_allocate(law->count, sizeof *misses);
    if (misses == NULL)
        return sc_no_memory(error, "an evaluation");
    for (size_t i = 0; i < law->count; i++)
        misses[i] = (miss){.err = nearest(reachable, law->keys[i]), .outcome = i};
    qsort(misses, law->count, sizeof *misses, furthest_first);
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, level);
    sc_ball_set_ratio(&level, gamma, bits);
    out->beta = quantile(law, misses, &level, true, bits);
    out->beta_lower = quantile(law, misses, &level, false, bits);
    set_mean(law, misses, bits, &out->mean);
    sc_free(misses);
    return SCRIM_OK;
}
