/* The theta-sensitivity of a randomised query as a function of theta: a step function, all of it.
 *
 * For one pair of laws on the line it is the lossy infinity-Wasserstein distance at theta: the least b
 * such that all but a mass of theta can be matched over distances of at most b. It falls as theta
 * grows. At a distance b above 0 the next theta at which it is smaller is 1 less the mass that can be
 * matched over distances below b, so that the steps are walked one by one, from theta 0 until the
 * distance is 0. Of several pairs it is the largest.
 *
 * Reference  spec/papers-additions.md 5.3; spec/flexible-accuracy.md 3.2, 12.3
 */
#include "base/memory.h"
#include "distance/places.h"
#include "distance/wasserstein_line.h"

#include <string.h>

typedef struct step {
    sc_ratio theta, distance;
    size_t pair;
} step;

typedef struct step_list {
    step *list; /* theta grows, distance falls */
    size_t count, capacity;
} step_list;

/* The most steps; more are SCRIM_E_LIMIT. */
#define STEPS_MAX 65536

static void list_init(step_list *out)
{
    *out = (step_list){.list = NULL};
}

static void list_clear(step_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        sc_ratio_clear(&steps->list[i].theta);
        sc_ratio_clear(&steps->list[i].distance);
    }
    sc_free(steps->list);
    list_init(steps);
}

static scrim_status grow(step_list *steps, scrim_error *error)
{
    const size_t room = steps->capacity == 0 ? 16 : 2 * steps->capacity;
    if (steps->count < steps->capacity)
        return SCRIM_OK;
    if (room > STEPS_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the sensitivity has more than %d steps; give fewer places",
                       STEPS_MAX);
    step *list = sc_allocate(room, sizeof *list);
    if (list == NULL)
        return sc_no_memory(error, "a sensitivity");
    if (steps->count > 0)
        memcpy(list, steps->list, steps->count * sizeof *list);
    sc_free(steps->list);
    steps->list = list;
    steps->capacity = room;
    return SCRIM_OK;
}

static scrim_status add(step_list *steps, const sc_ratio *theta, const sc_ratio *distance,
                        size_t pair, scrim_error *error)
{
    const scrim_status status = grow(steps, error);
    if (status != SCRIM_OK)
        return status;
    step *new = &steps->list[steps->count++];
    sc_ratio_init(&new->theta);
    sc_ratio_init(&new->distance);
    sc_ratio_set(&new->theta, theta);
    sc_ratio_set(&new->distance, distance);
    new->pair = pair;
    return SCRIM_OK;
}

/* 1 - matched / total. */
static void set_lost(const sc_transport *t, sc_uint128 matched, sc_ratio *out)
{
    SC_OWN(sc_ratio, total);
    sc_ratio_set_int128(&total, (sc_int128)t->total);
    sc_ratio_set_int128(out, (sc_int128)(t->total - matched));
    sc_ratio_div(out, out, &total);
}

static scrim_status walk(step_list *steps, const sc_places *places, size_t pair,
                         scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, theta, length);
    for (uint64_t distance = 1; status == SCRIM_OK && distance > 0;) {
        sc_transport t;
        status = sc_transport_init_laws(&t, &places->a, &places->b, &theta, error);
        if (status != SCRIM_OK)
            return status;
        distance = sc_line_radius(&t);
        sc_ratio_set_int128(&length, (sc_int128)distance);
        sc_ratio_mul(&length, &length, &places->step);
        status = add(steps, &theta, &length, pair, error);
        if (distance > 0)
            set_lost(&t, sc_line_matched(&t, (int64_t)distance - 1), &theta);
        sc_transport_clear(&t);
    }
    return status;
}

/* Does y have the larger distance, or the same and the pair of the step before it? */
static bool is_second(const step *x, const step *y, const step_list *before)
{
    const int order = sc_ratio_compare(&y->distance, &x->distance);
    return order > 0 || (order == 0 && before->count > 0 &&
                         before->list[before->count - 1].pair == y->pair);
}

/* The larger of two step functions, each of which begins at 0: at every theta at which one of them
 * steps, the larger of what both have there. Where only the pair is another, that is a step too. */
static scrim_status merge(const step_list *a, const step_list *b, step_list *out,
                          scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 1, j = 1; status == SCRIM_OK;) {
        const step *x = &a->list[i - 1], *y = &b->list[j - 1];
        const step *most = is_second(x, y, out) ? y : x;
        const step *last = out->count == 0 ? NULL : &out->list[out->count - 1];
        const sc_ratio *theta =
            sc_ratio_compare(&y->theta, &x->theta) > 0 ? &y->theta : &x->theta;
        if (last == NULL || last->pair != most->pair ||
            sc_ratio_compare(&last->distance, &most->distance) != 0)
            status = add(out, theta, &most->distance, most->pair, error);
        if (i == a->count && j == b->count)
            break;
        const int order = i == a->count ? 1
                          : j == b->count
                              ? -1
                              : sc_ratio_compare(&a->list[i].theta, &b->list[j].theta);
        i += order <= 0;
        j += order >= 0;
    }
    return status;
}

/* The largest distance at each theta stays. */
static scrim_status take_pair(step_list *steps, const sc_places *places, size_t pair,
                              scrim_error *error)
{
    step_list own, both;
    list_init(&own);
    list_init(&both);
    scrim_status status = walk(&own, places, pair, error);
    if (status == SCRIM_OK)
        status = merge(steps->count == 0 ? &own : steps, &own, &both, error);
    if (status == SCRIM_OK) {
        list_clear(steps);
        *steps = both;
    } else {
        list_clear(&both);
    }
    list_clear(&own);
    return status;
}

/* The step that holds at a theta >= 0; NULL where no step does. */
static const step *step_at(const step_list *steps, const sc_ratio *theta)
{
    const step *found = NULL;
    for (size_t i = 0;
         i < steps->count && sc_ratio_compare(&steps->list[i].theta, theta) <= 0; i++)
        found = &steps->list[i];
    return found;
}

/* The public face. */

static scrim_status read_theta(const char *text, sc_ratio *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_text given = sc_text_of(text);
    if (sc_ratio_parse(given, out, NULL) == SCRIM_OK && sc_ratio_sign(out) >= 0 &&
        sc_ratio_compare_int64(out, 1) <= 0)
        return SCRIM_OK;
    return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "theta",
                             "'%s' is not a number from 0 to 1",
                             sc_text_quote(given, quote));
}

static scrim_status add_pair(const scrim_law_list *laws, size_t law_count,
                             const scrim_law_pair *of, size_t pair, step_list *out,
                             scrim_error *error)
{
    sc_places places;
    const scrim_distance_options options = {.size = sizeof options};
    if (of->first >= law_count || of->second >= law_count)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "pairs",
                           "pair %zu: there are %zu laws", pair + 1, law_count);
    const scrim_law_list *a = &laws[of->first], *b = &laws[of->second];
    scrim_status status = sc_places_read(&places, a->places, a->count, b->places,
                                         b->count, &options, error);
    if (status == SCRIM_OK && places.is_fraction && places.a.total != places.b.total)
        status = sc_fail(error, SCRIM_E_INPUT,
                         "masses that are not whole are probabilities, and both sides "
                         "must add up to the same");
    if (status == SCRIM_OK)
        status = take_pair(out, &places, pair, error);
    sc_places_clear(&places);
    return status;
}

static bool is_short(const sc_ratio *x)
{
    return sc_ratio_format(x, NULL, 0) < SCRIM_NUMBER_BYTES;
}

static scrim_status show(const step *from, scrim_theta_step *out, scrim_error *error)
{
    if (!is_short(&from->theta) || !is_short(&from->distance))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the distance has more than %d characters; use fewer digits",
                       SCRIM_NUMBER_BYTES - 1);
    sc_ratio_format(&from->theta, out->theta, SCRIM_NUMBER_BYTES);
    sc_ratio_format(&from->distance, out->sensitivity, SCRIM_NUMBER_BYTES);
    out->pair = from->pair;
    return SCRIM_OK;
}

/* Is the step at a place shown: with a theta, the one that holds there; else where the distance, and
 * not only the pair, is another one? */
static bool is_shown(const step_list *steps, size_t place, const sc_ratio *theta)
{
    const step *here = &steps->list[place];
    if (theta != NULL)
        return here == step_at(steps, theta);
    return place == 0 || sc_ratio_compare(&here[-1].distance, &here->distance) != 0;
}

scrim_status scrim_theta_steps(const scrim_law_list *laws, size_t law_count,
                               const scrim_law_pair *pairs, size_t pair_count,
                               const char *theta, scrim_theta_step *steps,
                               size_t capacity, size_t *count, scrim_error *error)
{
    step_list found;
    size_t shown = 0;
    list_init(&found);
    SC_OWN(sc_ratio, at);
    scrim_status status = theta == NULL ? SCRIM_OK : read_theta(theta, &at, error);
    for (size_t i = 0; status == SCRIM_OK && i < pair_count; i++)
        status = add_pair(laws, law_count, &pairs[i], i, &found, error);
    for (size_t i = 0; status == SCRIM_OK && i < found.count; i++) {
        if (!is_shown(&found, i, theta == NULL ? NULL : &at))
            continue;
        status =
            shown == capacity
                ? sc_fail(error, SCRIM_E_LIMIT,
                          "there are more than %zu steps; give fewer places", capacity)
                : show(&found.list[i], &steps[shown++], error);
    }
    if (status == SCRIM_OK)
        *count = shown;
    list_clear(&found);
    return status;
}
