/* Record and replay: every draw of the gate with what went into it.
 *
 * A run over a table D is recorded; a run over a neighbour D' is then answered with what was drawn
 * for D. All that can be seen of the two must be the same, and what went into each draw may differ
 * by no more than its measurement claims: a pair of runs shows a sensitivity that is too small, a
 * parameter that comes from data or a message that tells of a row, where statistics would need
 * millions.
 *
 *     sc_recorder_new(NULL, &first, &error);     // records
 *     sc_ledger_use_recorder(ledger, first);     // ... releases on D
 *     sc_recorder_new(first, &second, &error);   // replays
 *     sc_ledger_use_recorder(other, second);     // ... the same on D'
 *     sc_recorder_compare(first, second, &verdict);
 *
 * Values whose keys are given (discovered groups) are matched by key: one that is not there is 0,
 * and a group that only D' has is not kept.
 *
 * Recorded calls are answered, call by call and by key, and no bit is drawn; another call than the
 * recorded one is refused. Inputs that differ by more than was claimed are found: l1 and l2 norms,
 * units and groups of selections, rows of one unit, and how many draws of a part change.
 */
#ifndef RECORDER_H
#define RECORDER_H

#include "model/measurement.h"
#include "scrim/vault.h"

/* A draw that is to be made. */
typedef struct sc_recorder_site {
    const scrim_measurement *measurement;
    size_t part;     /* of a passage; SIZE_MAX: of none */
    uint64_t copies; /* how many draws of the part one unit can change */
    const sc_private_input *input;
} sc_recorder_site;

/* By what inputs of neighbours may differ. */
typedef enum sc_recorder_claim {
    SC_RECORDER_L1,      /* the sum of differences is at most the sensitivity */
    SC_RECORDER_L2,      /* its square, the sum of squares */
    SC_RECORDER_SQUARES, /* the sum of squares is at most the sensitivity */
    SC_RECORDER_EACH,    /* each by the sensitivity: scores, queries */
    SC_RECORDER_UNITS,   /* a bounded number of groups, each by one unit */
    SC_RECORDER_ROWS,    /* a bounded number of rows leave and as many enter */
    SC_RECORDER_ONE      /* one value, by anything: local reports */
} sc_recorder_claim;

/* A draw that was made. */
typedef struct sc_recorder_call {
    size_t part;
    uint64_t copies;
    char *line; /* mechanism and parameters */
    scrim_neighbours neighbours;
    sc_recorder_claim claim;
    sc_ratio sensitivity; /* in steps */
    uint64_t most;        /* rows, or groups, of one unit */
    sc_int128 *input;
    sc_text *keys; /* NULL: none were given */
    size_t count;
    sc_int128 *values; /* the output */
    sc_mark *marks;
    size_t answers;
    bool has_halted;
} sc_recorder_call;

typedef struct sc_recorder sc_recorder;

/* Records, or replays what of has recorded, which must live as long and stay as it is. */
SCRIM_MUST_USE scrim_status sc_recorder_new(const sc_recorder *of, sc_recorder **out,
                                            scrim_error *error);
void sc_recorder_free(sc_recorder *recorder); /* NULL is allowed */
/* Selections of keys keep the groups of `units` units or more, whatever was drawn: with 2, no group
 * is kept that a neighbour may lack, which is what delta is for. 0: as drawn. */
void sc_recorder_keep_from(sc_recorder *recorder, int64_t units);
/* Other answers than those that were drawn, each of which was possible: of the groups of that
 * many units some are not kept, noise without a bound is moved by up to a thousand steps now and
 * then, and most histograms show any part of their bars. Which and how far follows from salt; 0:
 * no more. */
void sc_recorder_disturb(sc_recorder *recorder, uint64_t salt);

/* Draws of this ledger, or of ledgers that this vault makes, are recorded or answered by the recorder
 * from now on; NULL: no more. It stays the caller's, and is freed after them. */
void sc_ledger_use_recorder(scrim_ledger *ledger, sc_recorder *recorder);
void sc_vault_use_recorder(scrim_vault *vault, sc_recorder *recorder);
/* Nobody uses it any more; sc_recorder_free says so. */
void sc_recorder_forget(const sc_recorder *recorder);

/* The place in a call of the value that stands at a place among these keys: of several values of
 * one key, that which comes as late among them. The call's count where no value belongs to it. */
size_t sc_recorder_place(const sc_recorder_call *call, const sc_text *keys, size_t place);

size_t sc_recorder_count(const sc_recorder *recorder);
const sc_recorder_call *sc_recorder_at(const sc_recorder *recorder, size_t index);

/* For recorder_seam.c. Before a draw: answers it when this is a replay. SCRIM_E_INTERNAL when the call is
 * not the recorded one. After it: keeps it. */
SCRIM_MUST_USE scrim_status sc_recorder_replay(sc_recorder *recorder,
                                               const sc_recorder_site *site, sc_draw *out,
                                               bool *is_answered, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_recorder_keep(sc_recorder *recorder,
                                             const sc_recorder_site *site, sc_draw *out,
                                             scrim_error *error);

/* The first difference that the comparison found. */
typedef struct sc_recorder_verdict {
    bool holds;
    size_t call;
    char text[320];
} sc_recorder_verdict;

/* Compares the draws of one release, or of several of one part each. */
void sc_recorder_compare(const sc_recorder *a, const sc_recorder *b,
                         sc_recorder_verdict *out);

#endif
