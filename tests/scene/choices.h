/* Measurements that choose, for tests: made from their line, their exact law on given inputs,
 * and draws held against it. */
#ifndef CHOICES_H
#define CHOICES_H

#include "check.h"
#include "model/measurement.h"
#include "sampling/bernoulli.h"
#include "vectors.h"

/* A measurement for data, or a model; NULL, with a failed check, when the line is refused. */
scrim_measurement *choices_new(const char *line);
scrim_measurement *choices_model(const char *line);
/* Checks that a line is refused with this status and a message that holds the text. */
void choices_refused(const char *line, scrim_status status, const char *text);
/* The same of each line "MECHANISM rest". */
typedef struct choices_refusal {
    const char *rest;
    scrim_status status;
    const char *text;
} choices_refusal;
void choices_refuse(const char *mechanism, const choices_refusal *list, size_t count);
/* A mechanism that needs an epsilon, a delta within (0, 1) and neighbours: lines that lack one. */
void choices_refuse_without(const char *mechanism);

/* The law on an input; the caller clears it. False, with a failed check, when it has no law. */
bool choices_law(const scrim_measurement *measurement, const int64_t *values,
                 size_t count, long bits, sc_outcomes *out);
/* The mass of one outcome. */
double choices_mass(const sc_outcomes *law, const int64_t *key);
/* Checks that the law adds up to 1, to `bits` bits. */
void choices_check_total(const sc_outcomes *law, long bits);

/* Draws that many times from a seeded tape and checks the frequencies against the law. */
void choices_fit(const char *line, const int64_t *values, size_t count, uint64_t draws);
/* Draws once, with an answer that does not change when drawing fails. */
scrim_status choices_draw(const scrim_measurement *measurement, sc_bits *bits,
                          const int64_t *values, size_t count, sc_int128 *answer,
                          size_t capacity);

/* Checks what all mechanisms that choose by score refuse; extra is what a line of this one needs
 * besides, or "". */
void choices_check_refusals(const char *name, const char *extra);
/* Checks that an answer is there only when no word was missing: draws from the first n words of
 * a tape for n = 0, 1, 2, .. */
void choices_check_entropy(const char *line, const int64_t *values, size_t count);
/* Checks the certificate against the law where one candidate, the last, is best and count - 1
 * are equal: radius + 1 below it they win with probability at most 1 - confidence, and, when the
 * bound is attained, radius below it with more. */
void choices_check_accuracy(const char *line, size_t count, const char *confidence,
                            bool is_attained);

/* Checks the probability that of two candidates, c and 0, the second is chosen. */
void choices_check_wrong(const char *line, int64_t c, const char *printed);

/* The two words from which sc_uniform_wide draws z below n. */
void choices_words(sc_uint128 z, sc_uint128 n, uint64_t words[2]);

/* Exponents [n, d] of a vector as whole scores and the rate that makes them so. rate is
 * initialised here. Returns how many; 0, with a failed check, when they do not fit. */
size_t choices_scores(const json_t *exponents, int64_t *scores, size_t capacity,
                      sc_ratio *rate);
/* The same as fractions, as given; fractions are initialised here. */
size_t choices_fractions(const json_t *exponents, sc_fraction *out, size_t capacity);

#endif
