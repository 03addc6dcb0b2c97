#include "transcript.h"

#include "vectors.h"

#include <inttypes.h>

static bool next(transcript_draw *draw, const void *sampler, sc_tape *tape,
                 sc_int128 *value)
{
    scrim_error error = {.status = SCRIM_OK};
    if (draw(sampler, sc_tape_bits_of(tape), value, &error) == SCRIM_OK)
        return true;
    return CHECK_FAIL("a draw fails: %s", error.message);
}

void transcript_check(const char *name, transcript_draw *draw, const void *sampler)
{
    json_t *all = vectors_load("mechanisms", "sampler_transcripts"), *value;
    json_t *one = json_object_get(all, name);
    sc_tape *tape = NULL;
    size_t i;
    if (!CHECK(one != NULL) || !CHECK_STATUS(sc_tape_reference(&tape, NULL), SCRIM_OK))
        return;
    CHECK_INT(json_array_size(json_object_get(one, "values")), 40);
    json_array_foreach(json_object_get(one, "values"), i, value)
    {
        sc_int128 got = 0;
        if (!next(draw, sampler, tape, &got) ||
            !CHECK_INT(got, json_integer_value(value))) {
            CHECK_FAIL("%s, value %zu", name, i);
            break;
        }
    }
    if (!CHECK_INT(sc_tape_used(tape),
                   json_integer_value(json_object_get(one, "bits_used"))))
        CHECK_FAIL("%s, bits used", name);
    sc_tape_free(tape);
}

void transcript_check_twins(uint64_t seed, size_t count, transcript_draw *draw_a,
                            const void *a, transcript_draw *draw_b, const void *b)
{
    sc_tape *left = NULL, *right = NULL;
    if (!CHECK_STATUS(sc_tape_seeded(seed, &left, NULL), SCRIM_OK) ||
        !CHECK_STATUS(sc_tape_seeded(seed, &right, NULL), SCRIM_OK)) {
        sc_tape_free(left);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        sc_int128 x = 0, y = 0;
        if (!next(draw_a, a, left, &x) || !next(draw_b, b, right, &y) ||
            !CHECK_INT(x, y) || !CHECK_INT(sc_tape_used(left), sc_tape_used(right))) {
            CHECK_FAIL("twins part at draw %zu, seed %" PRIu64, i, seed);
            break;
        }
    }
    sc_tape_free(left);
    sc_tape_free(right);
}
