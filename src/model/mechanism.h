/* A mechanism is one constant descriptor: its parameters, its check, its cost, its certificate,
 * its draw and its exact law. `scrim list`, `scrim run`, `scrim audit`, the manual and the
 * tests over the whole catalogue come from it.
 *
 * draw and ask make releases, and have one caller each: the gate in src/ledger
 * (tools/check_gate looks).
 */
#ifndef SC_MODEL_MECHANISM_H
#define SC_MODEL_MECHANISM_H

#include "base/number/parameters.h"
#include "model/certificate.h"
#include "model/cost.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "random/bits.h"
#include "sampling/law.h"
#include "scrim/measurement.h"

/* An input that has been brought into the domain: integers in steps of its grid. */
typedef struct sc_private_input {
    const int64_t *values;
    size_t count;
    /* Instead of values, for mechanisms that take_wide: exact sums, below 2^126 in size. NULL:
     * values are given. */
    const sc_int128 *wide;
    /* The key of each value, where the data decide which values exist: nothing that
     * draws reads it; the recorder of test builds compares by it. NULL: the place says it. */
    const sc_text *keys;
    /* For groups: their keys are public, so that counts with noise are shown whatever they are (noisy_threshold.h,
     * which alone reads it). NULL: none is. */
    const bool *is_public;
    /* Told by mechanisms that draw for seconds how far they are, in steps whose number is public. NULL:
     * nobody listens. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} sc_private_input;

#define SC_INPUT_WIDE_BITS 126

/* The kinds of values that an answer has. */
typedef enum sc_mark {
    SC_MARK_VALUE,       /* a number in steps of the domain's grid */
    SC_MARK_INDEX,       /* the place of a candidate, from 0 on */
    SC_MARK_BELOW,       /* sparse vector: the query was below; the value is 0 */
    SC_MARK_ABOVE,       /* above; the value is 1 */
    SC_MARK_ABOVE_VALUE, /* above; the value is the query's, with noise of its own */
    SC_MARK_NONE /* the mechanism says nothing here; the value is 0 and no number */
} sc_mark;

/* Room for an answer, in memory of the caller. A mechanism writes at most capacity. */
typedef struct sc_draw {
    sc_int128 *values;
    sc_mark *marks;
    size_t capacity;
    size_t count;
    bool has_halted; /* a sparse vector run that has given all its answers */
} sc_draw;

/* One answer of an interactive run. value counts for SC_MARK_ABOVE_VALUE alone. */
typedef struct sc_run_piece {
    sc_mark mark; /* SC_MARK_BELOW, _ABOVE or _ABOVE_VALUE */
    sc_int128 value;
    bool has_halted; /* it was the last */
} sc_run_piece;

/* Two neighbouring inputs, for the audit. */
#define SC_PAIR_VALUES 64
typedef struct sc_pair {
    int64_t x[SC_PAIR_VALUES], y[SC_PAIR_VALUES];
    size_t x_count, y_count;
} sc_pair;

/* By how much the numbers of neighbours may differ before they are rounded, in the unit of the
 * input: what was declared, for the audit's pairs off the grid. */
typedef enum sc_change_kind {
    SC_CHANGE_EACH,   /* each value by at most amount */
    SC_CHANGE_SUM,    /* all values together by at most amount, in the l1 norm */
    SC_CHANGE_LENGTH, /* likewise in the l2 norm */
    SC_CHANGE_FEW     /* at most few values, each by at most amount */
} sc_change_kind;

typedef struct sc_change {
    sc_change_kind kind;
    sc_ratio amount;
    uint64_t few;     /* how many values at most; 0: any number */
    int64_t most;     /* by how much any one of them at most; 0: by the amount */
    bool is_monotone; /* all in one direction */
} sc_change;

/* The radius of each value of an answer, where values differ in accuracy: that of a certificate is of the
 * worst one. It outlives the measurement; what was found is kept, so one thread asks at a time. */
typedef struct sc_radii sc_radii;
struct sc_radii {
    void (*free)(sc_radii *radii);
    scrim_status (*at)(sc_radii *radii, const sc_ratio *beta, size_t index, sc_ratio *out,
                       scrim_error *error);
};

typedef struct sc_mechanism sc_mechanism;
struct sc_mechanism {
    scrim_mechanism_entry entry;
    const sc_parameter_rule *parameters;
    size_t parameter_count;
    size_t
        audit_count; /* this many at the end are for models only: candidates, queries */
    bool clamps_itself; /* draw brings values into the domain: a pass over rows less */
    bool input_is_rows; /* how many values there are is private, under add-remove */
    bool takes_wide;    /* draw takes sums of more than 64 bits */
    /* Where another mechanism may use the keys that this one keeps ("NAME ... then NAME ..."): the
     * descriptor of both together, NULL where that one cannot. NULL: nothing may follow. */
    const sc_mechanism *(*followed)(const scrim_measurement *then);
    const char *link; /* the word between both; NULL: "then" */
    bool wraps; /* draw works on the answer of the other one, which is in its sc_draw */
    bool
        answers_numbers; /* a list of numbers that is as long whatever the data are; some of them may
                           * not be shown */
    bool
        law_is_folded; /* the keys of the law are not the values of the answer: other numbers, or
                           * those beyond an end brought into it */
    const char *
        answer_parameter; /* the values of an answer belong to the items of this list, one
                                   * to one; NULL: to none */

    /* Looks at the parameters together, builds what draw needs into state, sets the domain
     * (which begins as all integers). discard frees the state, also after a failed check. */
    scrim_status (*check)(scrim_measurement *measurement, scrim_error *error);
    void (*discard)(scrim_measurement *measurement);
    /* Sets everything but neighbours. */
    scrim_status (*cost)(const scrim_measurement *measurement, sc_exact_cost *out,
                         scrim_error *error);
    scrim_status (*certify)(const scrim_measurement *measurement, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error);
    /* The radii of its values, freed by their free. NULL: all have that of the certificate. */
    scrim_status (*radii)(const scrim_measurement *measurement, sc_radii **out,
                          scrim_error *error);
    /* Where the mechanism chooses which groups are released: is the group of such a value of an answer
     * among them? NULL: every value is released. */
    bool (*is_kept)(const scrim_measurement *measurement, sc_mark mark, sc_int128 value);
    /* How many values an answer may have, by the number of values of the input. */
    size_t (*answer_count)(const scrim_measurement *measurement, size_t count);
    scrim_status (*draw)(const scrim_measurement *measurement, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error);
    /* Where each person answers alone: the unbiased estimate of the frequency of a value that
     * count of all >= 1 answers have; it may lie outside of [0, 1]. NULL elsewhere. */
    void (*frequency)(const scrim_measurement *measurement, uint64_t count, uint64_t all,
                      sc_ratio *out);
    /* Where an answer is a histogram: draw gives two values a bar, its place (SC_MARK_INDEX) and its
     * count above 0 (SC_MARK_VALUE), places in order; bar_label names what is at a place, as snprintf
     * does, and returns 0 where there is no such place; bar_name says what such a name is. NULL
     * elsewhere. */
    const char *bar_name;
    size_t (*bar_label)(const scrim_measurement *measurement, uint64_t place, char *text,
                        size_t capacity);
    /* Where a text or a real of the input has a place of the mechanism's own in place of one on the grid:
     * that of the value at an index of the input, NULL for what is no number. NULL: the grid's. */
    int64_t (*place)(const scrim_measurement *measurement, size_t index,
                     const sc_ratio *value);
    /* How many values a row has; NULL: one. */
    size_t (*row_width)(const scrim_measurement *measurement);
    /* Where noise of its own is added to each value: its law, in steps. NULL elsewhere. */
    const sc_law *(*noise)(const scrim_measurement *measurement);
    /* The exact law of draw on an input, each mass to about bits of precision; keys of width
     * integers. SCRIM_E_LIMIT when there are too many outcomes. NULL where there is no finite
     * way. */
    size_t (*width)(const scrim_measurement *measurement, size_t count);
    scrim_status (*law)(const scrim_measurement *measurement,
                        const sc_private_input *input, long bits, sc_outcomes *out,
                        scrim_error *error);
    /* An outcome of that law in words; NULL: its integers are its words. */
    void (*outcome)(const scrim_measurement *measurement, const int64_t *key,
                    sc_text_sink *sink);
    /* The declared family of neighbours that the audit searches: how many pairs, and each. */
    size_t (*pair_count)(const scrim_measurement *measurement);
    void (*pair)(const scrim_measurement *measurement, size_t index, sc_pair *out);
    /* The declared distance of neighbouring numbers; out->amount is initialised, all else is 0. NULL where
     * values are whole by definition, or are rows or categories, of which one may be any other. */
    void (*change)(const scrim_measurement *measurement, sc_change *out);

    /* Interactive mechanisms only: a run is opened once, asked query by query and closed. run
     * is memory of run_bytes that a child process finds wiped. The value of SC_MARK_BELOW is shown only
     * with pose.
     *
     * hold and pose, both or neither: the run keeps the data, and queries are public. hold takes an input in
     * its domain, right after open. pose reads a query, and sets the number that ask is given;
     * SCRIM_E_PARAM, and the run is unchanged, if the text is not one. Such a measurement lists no
     * queries of its own: answer_count is 0, and no release is made of it in one piece. */
    size_t run_bytes;
    scrim_status (*open)(const scrim_measurement *measurement, sc_bits *bits, void *run,
                         scrim_error *error);
    void (*hold)(const scrim_measurement *measurement, const sc_private_input *input,
                 void *run);
    scrim_status (*pose)(const scrim_measurement *measurement, sc_text text, void *run,
                         int64_t *query, scrim_error *error);
    scrim_status (*ask)(const scrim_measurement *measurement, sc_bits *bits, void *run,
                        int64_t query, sc_run_piece *out, scrim_error *error);
};

/* The list of a descriptor whose file has it as parameters. */
#define SC_MECHANISM_PARAMETERS                                                          \
    .parameters = parameters, .parameter_count = sizeof parameters / sizeof *parameters

#endif
