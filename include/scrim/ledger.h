/* The ledger and the gate: nothing is released that was not charged first.
 *
 *     scrim_ledger *ledger = NULL;
 *     scrim_answer *answer = NULL;
 *     int64_t people = 1234;
 *     scrim_input input = {.integers = &people, .count = 1};
 *     if (scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options, .neighbours = SCRIM_ADD_REMOVE,
 *                                        .epsilon = "1"),
 *                          &ledger, &error) != SCRIM_OK ||
 *         scrim_release(ledger, count, &input, &answer, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *     else
 *         puts(scrim_answer_text(answer, 0));
 *     scrim_answer_free(answer);
 *     scrim_ledger_free(ledger);
 *
 * A function that sees data takes a ledger; a function that sees answers does not. Several
 * threads may use one ledger; each answer belongs to one. A ledger in memory belongs to the process
 * that made it: in a child made by fork or clone, where a copy would spend the budget again, every
 * function of it but scrim_ledger_free is refused (SCRIM_E_STATE), and scrim_ledger_count is 0.
 * Measurements and answers do not change, and a child may use them.
 */
#ifndef SCRIM_LEDGER_H
#define SCRIM_LEDGER_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_ledger scrim_ledger;

/* A budget in memory. It counts epsilon and delta, or, when rho is given in place of epsilon,
 * rho and delta; sums of exact rationals, which bound adaptively chosen releases. Where rho is
 * counted, what is concentrated costs its rho and no delta, and what has only (epsilon, delta)
 * costs epsilon^2/2 and delta. */
typedef struct scrim_ledger_options {
    size_t size;                 /* set by SCRIM_OPTIONS */
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* this or rho, exact text */
    const char *rho;
    const char *delta; /* NULL: 0 */
} scrim_ledger_options;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_ledger_new(
    const scrim_ledger_options *options, scrim_ledger **out, scrim_error *error);
/* NULL is allowed. Answers outlive their ledger. */
SCRIM_API void scrim_ledger_free(scrim_ledger *ledger);

/* What has been charged, and what is left of the budget: exact where the text holds it, else
 * rounded up and down. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_ledger_spent(scrim_ledger *ledger,
                                                         scrim_cost *out,
                                                         scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_ledger_left(scrim_ledger *ledger,
                                                        scrim_cost *out,
                                                        scrim_error *error);

typedef enum scrim_entry_state {
    SCRIM_ENTRY_CHARGED = 1,  /* nothing was shown: a draw failed, or a run was asked
                               * nothing yet */
    SCRIM_ENTRY_RELEASED = 2, /* the answer is on record; of an open run, those so far */
    SCRIM_ENTRY_PENDING = 3   /* nothing was shown yet: whoever asks the same question
                               * again gets the answer, at no further charge */
} scrim_entry_state;

/* One line of the ledger. The texts live as long as the ledger. */
typedef struct scrim_entry {
    uint64_t id; /* from 1 on */
    scrim_entry_state state;
    scrim_cost cost;         /* as it was charged, in the ledger's relation */
    const char *measurement; /* its line */
    /* Its values, separated by spaces; "" until released: 3, -0.5; #2 for a place, and of a
     * histogram #2 5 for a bar; below, above, above=7 and at last halted. Of a run, as
     * scrim_run_close has it, the answers so far. */
    const char *answer;
} scrim_entry;

/* The number of entries, 0 in a child process; each by index. SCRIM_E_PARAM past the last. */
SCRIM_API size_t scrim_ledger_count(scrim_ledger *ledger);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_ledger_entry(scrim_ledger *ledger,
                                                         size_t index, scrim_entry *out,
                                                         scrim_error *error);

/* Private values: exactly one of the three arrays, count long. Integers are in steps of the
 * measurement's grid; reals and texts are in its unit, clamped and rounded half up to the
 * grid, and what is no number becomes 0, or the end of the range that is nearest to 0. Where the
 * guarantee rests on the sum of the changes of all values, rounding could add a step to each: then
 * several texts, and reals, are taken with a grid whose noise has room for that (grid and size), or
 * where they are declared whole (whole=yes, and what is not is missing). That is decided by the
 * measurement, the array and the count, and never by a value. */
typedef struct scrim_input {
    const int64_t *integers;
    const double *reals;
    const char *const *texts;
    size_t count;
} scrim_input;

typedef struct scrim_answer scrim_answer;

/* The gate. Charges the measurement's cost, draws, records and only then shows.
 * SCRIM_E_PARAM when the input has another number of values than the measurement was
 * made for, or the measurement was made without what a release needs (for several texts and
 * for reals, a grid, or whole=yes); SCRIM_E_POLICY when its neighbours do not fit the ledger's or its cost cannot
 * be counted there; SCRIM_E_STATE in a process that did not make the ledger;
 * SCRIM_E_BUDGET when the charge does not fit: then nothing was charged. When drawing fails (SCRIM_E_ENTROPY, SCRIM_E_MEMORY) the charge stays. out
 * is untouched on failure. No value of the input is ever an error. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_release(scrim_ledger *ledger,
                                                    const scrim_measurement *measurement,
                                                    const scrim_input *input,
                                                    scrim_answer **out,
                                                    scrim_error *error);

/* What one value of an answer is. */
typedef enum scrim_answer_kind {
    SCRIM_ANSWER_VALUE = 1, /* a number, in the unit of the input */
    SCRIM_ANSWER_INDEX = 2, /* the place of a candidate, from 0 on */
    SCRIM_ANSWER_BELOW = 3, /* a query of a sparse vector run */
    SCRIM_ANSWER_ABOVE = 4,
    SCRIM_ANSWER_ABOVE_VALUE = 5, /* above, and the number has noise of its own */
    SCRIM_ANSWER_NONE =
        6 /* nothing is said, as by a range mechanism without a range: the text is
                           * empty, there is no integer, and the double is not a number */
} scrim_answer_kind;

SCRIM_API size_t scrim_answer_count(const scrim_answer *answer);
/* All but the last take an index below the count. */
SCRIM_API scrim_answer_kind scrim_answer_kind_at(const scrim_answer *answer,
                                                 size_t index);
/* Exact decimal text, or a fraction where there is none; lives as long as the answer. */
SCRIM_API const char *scrim_answer_text(const scrim_answer *answer, size_t index);
/* What the values belong to, where that is several things: the name of the parameter ("p") and,
 * of a value, its item on that list ("0.25"), exact. NULL elsewhere; both live as long as the
 * answer. */
SCRIM_API const char *scrim_answer_label_name(const scrim_answer *answer);
SCRIM_API const char *scrim_answer_label(const scrim_answer *answer, size_t index);
/* Of a histogram: the place of the bar whose count stands at the index, as scrim/histogram.h counts
 * them, and 1; of anything else 0. The label says what is there ("centre"). */
SCRIM_API int scrim_answer_place(const scrim_answer *answer, size_t index, uint64_t *out);
/* 1, with the integer stored, when it is one that fits; else 0. */
SCRIM_API int scrim_answer_integer(const scrim_answer *answer, size_t index,
                                   int64_t *out);
/* The nearest double: a view for plots. */
SCRIM_API double scrim_answer_double(const scrim_answer *answer, size_t index);
/* The interval that a certificate of the same measurement gives a value: value - radius and
 * value + radius (of queries, the value_radius), as exact text in arrays that both hold
 * SCRIM_ANSWER_BYTES. SCRIM_E_PARAM when the certificate has no radius for a value, or what
 * stands at the index is no number; then the arrays are untouched. */
#define SCRIM_ANSWER_BYTES 1024
SCRIM_API SCRIM_MUST_USE scrim_status scrim_answer_interval(
    const scrim_answer *answer, size_t index, const scrim_certificate *certificate,
    char *low, char *high, scrim_error *error);
/* What share of the people has a value, as estimated from the answers of all of them. Texts to six
 * decimal places: the unbiased estimate, which may lie outside of [0, 1], rounded to the nearest;
 * and where the share is by the certificate, rounded outwards and within [0, 1]. */
typedef struct scrim_frequency {
    char estimate[SCRIM_NUMBER_BYTES];
    char low[SCRIM_NUMBER_BYTES], high[SCRIM_NUMBER_BYTES];
} scrim_frequency;
/* value < scrim_measurement_values, of the measurement that was released, with a certificate of
 * it for as many values as the answer has. SCRIM_E_PARAM when it is not, when the certificate is
 * of another form, or when there is no answer. A pass over the answers, and free of charge. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_answer_frequency(
    const scrim_answer *answer, const scrim_measurement *measurement, uint64_t value,
    const scrim_certificate *certificate, scrim_frequency *out, scrim_error *error);
/* 1 when a sparse vector run has given all the answers it may. */
SCRIM_API int scrim_answer_has_halted(const scrim_answer *answer);
/* An answer again, from what a ledger has recorded for this measurement: free of charge, and it
 * draws nothing. SCRIM_E_SYNTAX when this is no such record, SCRIM_E_LIMIT for a run of more than
 * 2^24 queries. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_answer_parse(const scrim_measurement *measurement, const char *recorded,
                   uint64_t entry, scrim_answer **out, scrim_error *error);
/* What it cost, and its entry in the ledger: of a vault's, the number of the release. */
SCRIM_API const scrim_cost *scrim_answer_cost(const scrim_answer *answer);
SCRIM_API uint64_t scrim_answer_entry(const scrim_answer *answer);
SCRIM_API void scrim_answer_free(scrim_answer *answer); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
