/* Sources for tests: recorded, seeded, constant, short. Compiled with SCRIM_TESTING only;
 * the installed library and program lack them, and a test looks.
 *
 * All of them hand out one word at a time, so that what was taken can be counted to the
 * bit.
 */
#ifndef SC_RANDOM_BITS_TAPE_H
#define SC_RANDOM_BITS_TAPE_H

#ifndef SCRIM_TESTING
#error "bits_tape.h is for test builds"
#endif

#include "random/bits.h"

#include <stdbool.h>

typedef struct sc_tape sc_tape;

/* Plays these words and then fails with SCRIM_E_ENTROPY. The words are the caller's. */
SCRIM_MUST_USE scrim_status sc_tape_words(const uint64_t *words, size_t count,
                                          sc_tape **out, scrim_error *error);
/* Plays count bits, given as bytes used least significant bit first, then fails; a take
 * that needs more bits than are left fails although some are left. */
SCRIM_MUST_USE scrim_status sc_tape_bits(const unsigned char *bytes, size_t count,
                                         sc_tape **out, scrim_error *error);
/* The same word for ever. */
SCRIM_MUST_USE scrim_status sc_tape_constant(uint64_t word, sc_tape **out,
                                             scrim_error *error);
/* ChaCha20 (RFC 8439) with this key, a nonce of zeros and a block counter from 0. */
SCRIM_MUST_USE scrim_status sc_tape_chacha(const unsigned char key[32], sc_tape **out,
                                           scrim_error *error);
/* The tape of the reference transcripts: key bytes 00 to 1f. */
SCRIM_MUST_USE scrim_status sc_tape_reference(sc_tape **out, scrim_error *error);
/* ChaCha20 keyed by the number: for statistics with a fixed seed. */
SCRIM_MUST_USE scrim_status sc_tape_seeded(uint64_t seed, sc_tape **out,
                                           scrim_error *error);
/* Passes another source through and keeps the words, up to capacity of them, in words. */
SCRIM_MUST_USE scrim_status sc_tape_record(sc_bits *source, uint64_t *words,
                                           size_t capacity, sc_tape **out,
                                           scrim_error *error);
void sc_tape_free(sc_tape *tape);

sc_bits *sc_tape_bits_of(sc_tape *tape);
/* Bits handed out so far: whole words by sc_bits_word, single bits by sc_bits_take. */
uint64_t sc_tape_used(const sc_tape *tape);
/* Words handed out so far; of a recorded tape, how many of words are filled. */
uint64_t sc_tape_words_used(const sc_tape *tape);

/* Seeds the entropy of the whole process: from now on the system's source takes its keys from this seed
 * in place of the kernel, until sc_entropy_release. The order of requests decides who gets which key, so
 * runs repeat in one thread only. */
void sc_entropy_seed(uint64_t seed);
void sc_entropy_release(void);
/* Fills out from the seed; false where the tape has no seed. */
bool sc_entropy_fill(void *out, size_t bytes);

#endif
