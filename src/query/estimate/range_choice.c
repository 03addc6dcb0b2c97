#include "query/estimate/range_choice.h"

#include "mechanism/noise/truncated.h"
#include "mechanism/threshold/hard_range.h"
#include "query/estimate/noise_sum.h"
#include "query/estimate/shown.h"

#include <stdio.h>

#define BITS 128
#define PLACES 200

static const sc_mechanism *const ways[] = {&sc_truncated_laplace, &sc_hard_range};
/* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
enum { WAYS = sizeof ways / sizeof *ways };

static scrim_status make(const sc_mechanism *way, const sc_ratio *sensitivity,
                         const sc_ratio *epsilon, const sc_ratio *delta,
                         scrim_neighbours neighbours, scrim_measurement **out,
                         scrim_error *error)
{
    const sc_argument list[] = {
        {.name = "sensitivity", .values = sensitivity},
        {.name = "epsilon", .values = epsilon},
        {.name = "delta", .values = delta},
        {.name = "neighbours", .word = scrim_neighbours_name(neighbours)}};
    return sc_measurement_of(way, list, sizeof list / sizeof *list, out, error);
}

bool sc_range_bound(const scrim_measurement *m, sc_int128 *out)
{
    if (m->mechanism == &sc_hard_range)
        *out = (sc_int128)sc_hard_range_width(m);
    else if (m->mechanism == &sc_truncated_laplace)
        *out = sc_noise_law(m)->bound;
    else
        return false;
    return true;
}

bool sc_range_may_be_none(const scrim_measurement *m)
{
    return m->mechanism == &sc_hard_range;
}

/* The probability of no range, rounded up. */
static bool none_upper(const scrim_measurement *m, sc_ratio *out)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, none);
    sc_hard_range_none(m, 1, BITS, &none);
    return sc_ball_round_up(&none, PLACES, out);
}

/* Is there a range with probability at least 19/20? */
static bool is_there(const scrim_measurement *m)
{
    sc_ratio none, twenty;
    if (!sc_range_may_be_none(m))
        return true;
    sc_ratio_init(&none);
    sc_ratio_init(&twenty);
    sc_ratio_set_int64(&twenty, 20);
    bool is_rare = none_upper(m, &none);
    sc_ratio_mul(&none, &none, &twenty);
    is_rare = is_rare && sc_ratio_compare_int64(&none, 1) <= 0;
    sc_ratio_clear(&twenty);
    sc_ratio_clear(&none);
    return is_rare;
}

scrim_status sc_range_choose(const sc_ratio *sensitivity, const sc_ratio *epsilon,
                             const sc_ratio *delta, scrim_neighbours neighbours,
                             scrim_measurement **out, scrim_error *error)
{
    scrim_measurement *best = NULL;
    sc_int128 narrowest = 0, bound;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < WAYS; i++) {
        scrim_measurement *made = NULL;
        status = make(ways[i], sensitivity, epsilon, delta, neighbours, &made, error);
        if (status == SCRIM_E_LIMIT)
            continue; /* perhaps the other one can */
        if (status != SCRIM_OK || !sc_range_bound(made, &bound)) {
            scrim_measurement_free(best);
            return status;
        }
        const bool is_better = best == NULL || (bound < narrowest && is_there(made));
        scrim_measurement_free(is_better ? best : made);
        best = is_better ? made : best;
        narrowest = is_better ? bound : narrowest;
    }
    if (best == NULL)
        return status;
    *out = best;
    return SCRIM_OK;
}

/* Words. */

static bool other_bound(const scrim_measurement *m, const sc_mechanism *way,
                        sc_int128 *out)
{
    scrim_measurement *made = NULL;
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    const bool is_known =
        delta != NULL &&
        make(way, sc_measurement_get(m, "sensitivity"), sc_measurement_get(m, "epsilon"),
             delta, m->cost.neighbours, &made, NULL) == SCRIM_OK &&
        sc_range_bound(made, out);
    scrim_measurement_free(made);
    return is_known;
}

void sc_range_put(const scrim_measurement *m, char out[SC_RANGE_TEXT_BYTES])
{
    const sc_mechanism *way = m->mechanism == &sc_hard_range ? ways[0] : ways[1];
    char own[SC_INT128_BYTES], others[SC_INT128_BYTES], digits[SC_SHOWN_THREE_BYTES];
    char none[80] = "";
    sc_int128 bound, other;
    sc_ratio often;
    out[0] = '\0';
    if (!sc_range_bound(m, &bound))
        return;
    sc_int128_format(bound, own);
    sc_ratio_init(&often);
    if (sc_range_may_be_none(m) && none_upper(m, &often)) {
        sc_shown_three(&often, digits);
        snprintf(none, sizeof none, ", or no range with probability %.30s", digits);
    }
    sc_ratio_clear(&often);
    const int used =
        snprintf(out, SC_RANGE_TEXT_BYTES, "within %s steps always%s", own, none);
    if (other_bound(m, way, &other)) {
        sc_int128_format(other, others);
        snprintf(out + used, SC_RANGE_TEXT_BYTES - (size_t)used, "; %s by %s", others,
                 way->entry.name);
    }
}
