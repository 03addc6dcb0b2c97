/* The ledger and the gate: nothing is released before it is charged.
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
 * Functions that see data take a ledger; functions that see answers do not. Several threads may use
 * one ledger; each answer belongs to one thread. An in-memory ledger belongs to the process that
 * made it. In a child made by fork or clone, where a copy would spend the budget again, all its
 * functions but scrim_ledger_free fail (SCRIM_E_STATE), and scrim_ledger_count is 0. Measurements
 * and answers do not change, and a child may use them.
 */
#ifndef SCRIM_LEDGER_H
#define SCRIM_LEDGER_H

#include "scrim/measurement.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_ledger scrim_ledger;

/* An in-memory budget. It counts epsilon and delta or, if rho is given instead of
 * epsilon, rho and delta. Totals are sums of exact rationals, which hold for
 * adaptively chosen releases. If rho is counted, a concentrated mechanism costs its
 * rho and no delta; a mechanism with only (epsilon, delta) costs epsilon^2/2 and
 * delta. */
typedef struct scrim_ledger_options {
    size_t size;                 /* set by SCRIM_OPTIONS */
    scrim_neighbours neighbours; /* required */
    const char *epsilon;         /* exact text; this or rho */
    const char *rho;
    const char *delta; /* NULL: 0 */
} scrim_ledger_options;

SCRIM_API SCRIM_MUST_USE scrim_status scrim_ledger_new(
    const scrim_ledger_options *options, scrim_ledger **out, scrim_error *error);
/* NULL is allowed. Answers outlive their ledger. */
SCRIM_API void scrim_ledger_free(scrim_ledger *ledger);

/* The amount charged, and the amount left: exact if the text has room, else rounded up
 * and down. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_ledger_spent(scrim_ledger *ledger,
                                                         scrim_cost *out,
                                                         scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_ledger_left(scrim_ledger *ledger,
                                                        scrim_cost *out,
                                                        scrim_error *error);

typedef enum scrim_entry_state {
    SCRIM_ENTRY_CHARGED = 1, /* no answer: a draw failed, or a run was not asked yet */
    /* the answer is recorded; for an open run, the answers so far */
    SCRIM_ENTRY_RELEASED = 2,
    /* no answer yet: asking the same query again finishes it, at no further charge */
    SCRIM_ENTRY_PENDING = 3
} scrim_entry_state;

/* One line of the ledger. The texts live as long as the ledger. */
typedef struct scrim_entry {
    uint64_t id; /* counted from 1 */
    scrim_entry_state state;
    scrim_cost cost;         /* as charged, for the ledger's neighbours */
    const char *measurement; /* its line */
    /* Its values, separated by spaces; "" until released: 3, -0.5; #2 for a position,
     * and for a histogram #2 5 for a bar; below, above, above=7 and at last halted.
     * For a run, the answers so far, as scrim_run_close writes them. */
    const char *answer;
} scrim_entry;

/* The number of entries (0 in a child process), and each by index. SCRIM_E_PARAM past
 * the last. */
SCRIM_API size_t scrim_ledger_count(scrim_ledger *ledger);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_ledger_entry(scrim_ledger *ledger,
                                                         size_t index, scrim_entry *out,
                                                         scrim_error *error);

/* Private values: exactly one of the three arrays, with count values. Integers are in
 * steps of the measurement's grid. Reals and texts are in its unit; they are clamped,
 * and rounded half up to the grid. A value that is not a number becomes 0, or the end
 * of the range that is nearest to 0. Rounding could add a step to each of several
 * values. If the guarantee depends on the sum of their changes, several texts, and
 * reals, need a grid whose noise covers that (grid and size), or must be declared
 * whole (whole=yes; others count as missing). This depends on the measurement, the
 * array and the count, never on a value. */
typedef struct scrim_input {
    const int64_t *integers;
    const double *reals;
    const char *const *texts;
    size_t count;
} scrim_input;

typedef struct scrim_answer scrim_answer;

/* The gate. Charges the measurement's cost, draws, records, and then shows the answer. A
 * measurement for add-remove is charged in a ledger for replace as a group of two: twice its
 * epsilon, four times its rho, and delta (1 + e^epsilon). One for local is charged there as it is.
 * SCRIM_E_PARAM: wrong number of values, or the measurement lacks what a release needs
 * (for several texts and for reals a grid, or whole=yes). SCRIM_E_POLICY: its claim does not hold
 * for the ledger's neighbours (replace or local in a ledger for add-remove), or its cost cannot be counted there.
 * SCRIM_E_STATE: another process made the ledger. SCRIM_E_BUDGET: the charge does not
 * fit. In these cases nothing was charged. If drawing fails (SCRIM_E_ENTROPY,
 * SCRIM_E_MEMORY), the charge stays. out is untouched on failure. No value of the
 * input is an error. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_release(scrim_ledger *ledger,
                                                    const scrim_measurement *measurement,
                                                    const scrim_input *input,
                                                    scrim_answer **out,
                                                    scrim_error *error);

/* The kind of one value of an answer. */
typedef enum scrim_answer_kind {
    SCRIM_ANSWER_VALUE = 1, /* a number, in the unit of the input */
    SCRIM_ANSWER_INDEX = 2, /* the position of a candidate, counted from 0 */
    SCRIM_ANSWER_BELOW = 3, /* a query of a sparse vector run */
    SCRIM_ANSWER_ABOVE = 4,
    SCRIM_ANSWER_ABOVE_VALUE = 5, /* above, with a number that has its own noise */
    /* no value, such as a range mechanism without a range: the text is empty, there is
     * no integer, and the double is NaN */
    SCRIM_ANSWER_NONE = 6
} scrim_answer_kind;

SCRIM_API size_t scrim_answer_count(const scrim_answer *answer);
/* Past the last there is no value: no text, no label, and SCRIM_ANSWER_NONE. */
SCRIM_API scrim_answer_kind scrim_answer_kind_at(const scrim_answer *answer,
                                                 size_t index);
/* 0 if the mechanism chooses which groups are released, and left this one out (0 or
 * "below"): do not show the name of such a group. Else 1. */
SCRIM_API int scrim_answer_is_kept(const scrim_answer *answer, size_t index);
/* Exact decimal text, or a fraction; lives as long as the answer. */
SCRIM_API const char *scrim_answer_text(const scrim_answer *answer, size_t index);
/* If the values belong to a list: the name of the parameter ("p"), and the item of a
 * value ("0.25"), exact. Else NULL; both live as long as the answer. */
SCRIM_API const char *scrim_answer_label_name(const scrim_answer *answer);
SCRIM_API const char *scrim_answer_label(const scrim_answer *answer, size_t index);
/* For a histogram: stores the place of the bar at the index, as in scrim/histogram.h,
 * and returns 1; else returns 0. The label says what is there ("centre"). */
SCRIM_API int scrim_answer_place(const scrim_answer *answer, size_t index, uint64_t *out);
/* Stores the integer and returns 1 if the value is an integer that fits; else returns
 * 0. */
SCRIM_API int scrim_answer_integer(const scrim_answer *answer, size_t index,
                                   int64_t *out);
/* The nearest double, for plots. */
SCRIM_API double scrim_answer_double(const scrim_answer *answer, size_t index);
/* The confidence interval of a value by a certificate of the same measurement: value -
 * radius and value + radius (value_radius, where there is one), as exact text. Both arrays
 * have SCRIM_ANSWER_BYTES. SCRIM_E_PARAM: the certificate has no radius for a value,
 * or the value is not a number; the arrays are then untouched. */
#define SCRIM_ANSWER_BYTES 1024
SCRIM_API SCRIM_MUST_USE scrim_status scrim_answer_interval(
    const scrim_answer *answer, size_t index, const scrim_certificate *certificate,
    char *low, char *high, scrim_error *error);
/* The fraction of the people with a value, estimated from all answers. Texts have six
 * decimal places: the unbiased estimate, which may be outside [0, 1], rounded to the
 * nearest; and its confidence interval, rounded outwards and within [0, 1]. */
typedef struct scrim_frequency {
    char estimate[SCRIM_NUMBER_BYTES];
    char low[SCRIM_NUMBER_BYTES], high[SCRIM_NUMBER_BYTES];
} scrim_frequency;
/* value < scrim_measurement_values of the released measurement, with a certificate for
 * as many values as the answer has. SCRIM_E_PARAM otherwise, if the certificate has
 * another form, or if there is no answer. It reads all answers and is free of charge. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_answer_frequency(
    const scrim_answer *answer, const scrim_measurement *measurement, uint64_t value,
    const scrim_certificate *certificate, scrim_frequency *out, scrim_error *error);
/* 1 if a sparse vector run has given all its answers. */
SCRIM_API int scrim_answer_has_halted(const scrim_answer *answer);
/* Makes an answer from the record of a ledger for this measurement: free of charge,
 * and nothing is drawn. SCRIM_E_SYNTAX: not such a record. SCRIM_E_LIMIT: a run of
 * more than 2^24 queries. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_answer_parse(const scrim_measurement *measurement, const char *recorded,
                   uint64_t entry, scrim_answer **out, scrim_error *error);
/* The cost as it was charged, for the ledger's neighbours; of an answer of scrim_answer_parse, the
 * measurement's own. The ledger counts its epsilon and delta, or its rho. And the number of the
 * entry in the ledger; for a vault, the release number. */
SCRIM_API const scrim_cost *scrim_answer_cost(const scrim_answer *answer);
SCRIM_API uint64_t scrim_answer_entry(const scrim_answer *answer);
SCRIM_API void scrim_answer_free(scrim_answer *answer); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
