/* The reference transcripts (v:sampler_transcripts of tests/vectors/mechanisms.json):
 * what a reference sampler draws from the tape of spec/mechanisms.md 1.1, and how many
 * bits it takes for it. */
#ifndef TRANSCRIPT_H
#define TRANSCRIPT_H

#include "check.h"
#include "random/bits_tape.h"

/* One draw of a sampler. */
typedef scrim_status transcript_draw(const void *sampler, sc_bits *bits, sc_int128 *out,
                                     scrim_error *error);

/* Checks every value and the number of bits. */
void transcript_check(const char *name, transcript_draw *draw, const void *sampler);

/* Checks that two samplers draw the same, count times, from the same seeded tape, and
 * take the same bits for each draw. */
void transcript_check_twins(uint64_t seed, size_t count, transcript_draw *draw_a,
                            const void *a, transcript_draw *draw_b, const void *b);

#endif
