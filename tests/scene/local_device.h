/* Devices of local privacy in tests: configurations from their text, and sources of known words. */
#ifndef LOCAL_DEVICE_H
#define LOCAL_DEVICE_H

#include "scrim_local.h"

/* The configuration "scrim-local/1 question=q protocol=" + words + newline; a failed check where it is
 * refused. */
scrim_local_config device_config(const char *words);

/* Words of configurations of every protocol that takes a value, and of those that take a text, in several
 * sizes; NULL behind the last. A new protocol joins these lists. */
extern const char *const device_of_values[], *const device_of_texts[];
/* No report of theirs has more bytes. */
#define DEVICE_REPORT_BYTES 1024

/* A source that hands out these words, and fails behind the last. */
typedef struct device_tape {
    const uint64_t *words;
    size_t count, taken;
} device_tape;
scrim_local_source device_tape_source(device_tape *tape);

/* A word of which a draw below n makes u. */
uint64_t device_word(uint64_t u, uint64_t n);

/* A source of pseudo-random words: fill of the context's seed. */
scrim_local_source device_seeded(uint64_t *seed);

/* The number of `bytes` bytes, little-endian. */
uint64_t device_number(const uint8_t *report, size_t bytes);

/* The report of x that is made of u, of a protocol with one draw below total. */
uint64_t device_report(const scrim_local_config *config, uint64_t x, uint64_t u,
                       uint64_t total);

/* Whether the largest ratio of two rows' counts of the same output is exactly a/b and each row's sum is
 * total: rows[x * outputs + y] is how many u lead from x to y. */
void device_check_law(const uint64_t *rows, size_t values, size_t outputs, uint64_t total,
                      uint64_t a, uint64_t b);

/* Whether P and Q are as the vector's row says for all pairs: supports[v * outputs + y] is 1 where the
 * output y supports v. */
void device_check_pure(const uint64_t *rows, const uint8_t *supports, size_t values,
                       size_t outputs, uint64_t total, const char *p, const char *q);

#endif
