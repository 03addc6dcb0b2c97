#include "item_draws.h"

#include "choices.h"
#include "random/bits_tape.h"

#include <math.h>
#include <stdlib.h>

/* The place of an answer in a law, whose answers are in order; count: in none. */
static size_t place_of(const sc_outcomes *law, const int64_t *key)
{
    size_t from = 0, to = law->count;
    while (from < to) {
        const size_t at = from + (to - from) / 2;
        const int order =
            sc_outcomes_compare(law->keys + at * law->width, key, law->width);
        if (order == 0)
            return at;
        *(order < 0 ? &from : &to) = order < 0 ? at + 1 : at;
    }
    return law->count;
}

#define KEY 16

/* How often each outcome of the law was drawn; what is no outcome is missed. */
static unsigned tally(const scrim_measurement *m, const sc_private_input *input,
                      const sc_outcomes *law, unsigned draws, unsigned *seen)
{
    sc_tape *tape = NULL;
    sc_int128 *values =
        calloc(m->mechanism->answer_count(m, input->count), sizeof *values);
    sc_mark *marks = calloc(m->mechanism->answer_count(m, input->count), sizeof *marks);
    unsigned missed = 0;
    if (!CHECK_STATUS(sc_tape_seeded(check_seed(), &tape, NULL), SCRIM_OK) ||
        values == NULL || marks == NULL)
        draws = 0;
    for (unsigned i = 0; i < draws; i++) {
        sc_draw out = {.values = values,
                       .marks = marks,
                       .capacity = m->mechanism->answer_count(m, input->count)};
        int64_t key[KEY];
        CHECK_STATUS(m->mechanism->draw(m, sc_tape_bits_of(tape), input, &out, NULL),
                     SCRIM_OK);
        for (size_t j = 0; j < law->width; j++)
            key[j] = j < out.count ? (int64_t)values[j] : -1;
        const size_t place = place_of(law, key);
        if (place < law->count)
            seen[place]++;
        else
            missed++;
    }
    free(values);
    free(marks);
    sc_tape_free(tape);
    return missed;
}

void item_draws_fit(const char *line, const int64_t *rows, size_t count, unsigned draws)
{
    scrim_measurement *m = choices_new(line);
    sc_outcomes law;
    if (m == NULL)
        return;
    const sc_private_input input = {.values = rows, .count = count};
    if (choices_law(m, rows, count, 128, &law)) {
        CHECK_STATUS(sc_outcomes_sort(&law, 128, NULL), SCRIM_OK);
        unsigned *seen = calloc(law.count, sizeof *seen);
        choices_check_total(&law, 50);
        CHECK(law.width <= KEY);
        CHECK(tally(m, &input, &law, draws, seen) <= 2); /* the rest of the law */
        for (size_t j = 0; j < law.count; j++) {
            const double p = sc_ball_upper(&law.mass[j]);
            CHECK(fabs((double)seen[j] / draws - p) <= 6 * sqrt(p / draws) + 2.0 / draws);
        }
        free(seen);
        sc_outcomes_clear(&law);
    }
    scrim_measurement_free(m);
}
