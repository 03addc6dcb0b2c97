#include "noise_list.h"

#include "exact.h"
#include "goodness.h"
#include "noise_checks.h"
#include "random/bits_tape.h"

#define FAR 20000

static bool begin(noise_list *list, const char *line)
{
    *list = (noise_list){.measurement = noise_modelled(line)};
    if (!CHECK(list->measurement != NULL))
        return false;
    const sc_law *law = sc_noise_law(list->measurement);
    if (!CHECK(law != NULL))
        return false;
    sc_noise_init(&list->noise, law);
    return true;
}

bool noise_list_init(noise_list *list, const char *line)
{
    sc_int128 radius = 0;
    sc_ratio beta;
    sc_ball mass;
    if (!begin(list, line))
        return false;
    const sc_law *law = sc_noise_law(list->measurement);
    exact_ratio("1e-10", &beta);
    const bool is_short =
        CHECK_STATUS(sc_law_radius(law, &beta, &radius, NULL), SCRIM_OK) &&
        CHECK(radius < FAR);
    sc_ratio_clear(&beta);
    list->reach = (int64_t)radius;
    list->masses = is_short ? calloc(2 * (size_t)radius + 1, sizeof *list->masses) : NULL;
    if (!CHECK(list->masses != NULL))
        return false;
    sc_ball_init(&mass);
    for (int64_t z = 0; z <= list->reach; z++) {
        sc_law_pmf(law, z, 64, &mass);
        list->masses[list->reach + z] = list->masses[list->reach - z] =
            goodness_middle(&mass);
    }
    sc_ball_clear(&mass);
    return true;
}

bool noise_list_draw(noise_list *list, const char *line, size_t count, uint64_t seed)
{
    sc_tape *tape = NULL;
    if (!begin(list, line))
        return false;
    int64_t *zeros = calloc(count, sizeof *zeros);
    sc_int128 *values = calloc(count, sizeof *values);
    sc_mark *marks = calloc(count, sizeof *marks);
    sc_draw room = {.values = values, .marks = marks, .capacity = count};
    const sc_private_input input = {.values = zeros, .count = count};
    list->draws = calloc(count, sizeof *list->draws);
    list->draw_count = count;
    const bool drawn =
        CHECK(zeros != NULL && values != NULL && marks != NULL && list->draws != NULL) &&
        CHECK_STATUS(sc_tape_seeded(check_seed() + seed, &tape, NULL), SCRIM_OK) &&
        CHECK_STATUS(list->measurement->mechanism->draw(
                         list->measurement, sc_tape_bits_of(tape), &input, &room, NULL),
                     SCRIM_OK);
    for (size_t i = 0; drawn && i < count; i++)
        list->draws[i] = (int64_t)values[i];
    sc_tape_free(tape);
    free(marks);
    free(values);
    free(zeros);
    return drawn;
}

void noise_list_clear(noise_list *list)
{
    free(list->draws);
    free(list->masses);
    scrim_measurement_free(list->measurement);
}
