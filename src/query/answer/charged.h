/* One release under one charge: the order of steps that every release of rows follows, whether it is a query, a feed, a
 * body, synthetic records or their comparison.
 *
 *     1  compare the dataset with the planned one; show the recorded answer if the ledger has it
 *     2  compute the total to charge, draw the key, open the source, take memory of a public size
 *     3  look for the most memory that it can use; with a quantum, touch it
 *     4  charge, durably; or join a charge without an answer and open the source again with its key
 *     5  read the rows; their bytes are compared with the digest of the version
 *     6  draw, and write the record
 *     7  wipe the rows; with a quantum, fetch pages and wait, each up to a public multiple
 *     8  enter the record, or close the version if its source has changed
 *     9  show the answer, from the record
 *
 * Each kind of release is a constant of functions for the steps in which it differs. A failure in steps 1 to 4 is a refusal
 * and costs nothing. After the charge nothing is refunded; every failure passes through steps 7 and 8.
 *
 * Claim  ask.charged    no answer exists whose charge is not in the ledger, and none is shown that
 *                       is not recorded there; when anything fails after the charge, it stays
 *                       (A41, A67)
 * Claim  ask.requests   what is left of a budget is a function of the questions that were asked, not of
 *                       a row (A47)
 * Claim  ask.once       the same question about the same version is charged once, whoever asks it, at
 *                       whatever moments, and whatever ends a process: it is answered from the
 *                       ledger, or the charge that has no answer is finished, free (A32, A84)
 * Claim  ask.other      of two who ask the same in other words at the same moment one is charged: the other finishes that
 *                       charge, by the words that were charged, and shows its answer in their own
 * Claim  ask.told       a failure after the charge says that the release is charged and has no answer,
 *                       and one after the answer that it is recorded (A86)
 * Claim  ask.memory     whether memory suffices is found out before the charge, from what is public; with
 *                       a quantum the most memory and the number of pages are public too (A73)
 * Claim  ask.quantum    where the owner has declared a quantum, neither an answer nor a failure
 *                       after the charge is seen, nor an answer recorded, but at one of its
 *                       multiples (A53)
 */
#ifndef SC_QUERY_CHARGED_H
#define SC_QUERY_CHARGED_H

#include "base/cancel.h"
#include "ledger/release.h"
#include "query/answer/quantum.h"
#include "query/rows/pass.h"
#include "vault/policy.h"

/* A record to be shown. */
typedef struct sc_recorded {
    scrim_vault *vault;
    uint64_t id, time;
    bool is_repeated; /* charged earlier, and not by this call */
    const char *text;
} sc_recorded;

typedef struct sc_charged sc_charged;

/* The most that reading and drawing can use, by what is public. */
typedef struct sc_charged_room {
    size_t bytes;
    unsigned threads; /* beside the calling one */
} sc_charged_room;

typedef struct sc_charged_kind {
    const char *words
        [2]; /* how the measurement of such a release begins; the second may be NULL */
    const char *planned;  /* to be planned again for another version: "the query" */
    const char *released; /* there may be no memory for it: "a body" */

    /* The failure for a release of another kind that is to be shown: SCRIM_E_PARAM. */
    scrim_status (*refuse)(uint64_t release, scrim_error *error);
    /* Once, if the ledger has no answer: refuses, or sets the allowance. NULL: nothing to do. */
    scrim_status (*prepare)(sc_charged *charged, scrim_error *error);
    /* Opens the source by the options, with bits for its hashes, and takes memory that *room does not count. Called again, after wipe_rows, when a charge is
     * joined. */
    scrim_status (*open_rows)(sc_charged *charged, const sc_pass_options *options,
                              sc_bits *bits, sc_charged_room *room, scrim_error *error);
    /* Takes memory that room counts: after the look at the room, which would count it twice. NULL: none. */
    scrim_status (*take_room)(sc_charged *charged, scrim_error *error);
    /* After the charge: all rows, once. NULL: the caller pushes them. */
    scrim_status (*read_rows)(sc_charged *charged, scrim_error *error);
    /* Draws within charged->passage and writes the record, freed by sc_free; NULL: out of memory. */
    scrim_status (*draw_record)(sc_charged *charged, char **record, scrim_error *error);
    /* Wipes and closes; also what was never opened, and twice. */
    void (*wipe_rows)(sc_charged *charged);
    /* The same is charged in other words as that release, which has no answer yet: makes question and bundle of the charge those of that
     * release, to finish it, or leaves them. NULL: words are all there is. */
    scrim_status (*take_other)(sc_charged *charged, uint64_t release, scrim_error *error);
    /* Makes the answer of a record, which may be one of another caller. SCRIM_E_CHECK: it cannot be read. */
    scrim_status (*show)(void *context, const sc_recorded *recorded, scrim_error *error);
} sc_charged_kind;

/* The first members are set by the caller, the others are zeros. It may not move. */
struct sc_charged {
    const sc_charged_kind *kind;
    void *context; /* of the kind's functions */
    scrim_vault *vault;
    const sc_planned_dataset *dataset;
    const char *question;
    const sc_bundle *bundle;         /* NULL: prepare sets the allowance */
    bool is_once;                    /* the same question is charged once */
    uint64_t series, series_release; /* 0: the release is of no series */
    sc_pass_options rows; /* workers, memory_bytes, frame, is_pushed and rows_upper */
    /* Called with the work done of SC_CHARGED_WORK; never with a quantum, as progress would tell the time. NULL: nobody
     * asks. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
    uint64_t read_work; /* the part of SC_CHARGED_WORK that is reading */
    sc_cancel cancel;

    sc_allowance *allowance; /* of prepare; freed by sc_charged_clear */
    sc_policy policy;
    sc_source_key contents_key;
    scrim_ledger *ledger;
    sc_bits_key key; /* of all randomness of the release */
    sc_passage *passage;
    sc_quantum quantum;
    sc_charged_room room;
    uint64_t known;  /* the release that has answered it before; 0: none */
    bool has_other;  /* take_other was called */
    bool is_charged; /* now, and not earlier */
    bool is_changed; /* the source is not that of its version */
    char *record;
};

#define SC_CHARGED_WORK 1000

/* All steps. The caller sees an answer of kind->show, or a failure. */
SCRIM_MUST_USE scrim_status sc_charged_run(sc_charged *charged, scrim_error *error);

/* The same by steps, for rows that are pushed; sc_charged_clear comes last, also after a failure. */

/* Steps 1 to 4. */
SCRIM_MUST_USE scrim_status sc_charged_begin(sc_charged *charged, scrim_error *error);
/* False if the ledger has the answer. */
bool sc_charged_needs_rows(const sc_charged *charged);
uint64_t sc_charged_release(const sc_charged *charged);
/* Steps 6 to 8. rows is the status of reading, and error says why it failed. Does nothing if no rows are needed. */
SCRIM_MUST_USE scrim_status sc_charged_end(sc_charged *charged, scrim_status rows,
                                           scrim_error *error);
/* Step 9. */
SCRIM_MUST_USE scrim_status sc_charged_show(const sc_charged *charged,
                                            scrim_error *error);
void sc_charged_clear(sc_charged *charged);

/* For draw_record: wipes the rows and opens the source again with the key of the release, for a second pass whose bounds
 * follow from a first draw. kind->open_rows is called once more. */
SCRIM_MUST_USE scrim_status sc_charged_reopen(sc_charged *charged, scrim_error *error);

/* Progress of drawing; charged is an sc_charged. */
void sc_charged_tell(void *charged, uint64_t done, uint64_t total);

/* Is the release with this measurement of the kind? */
bool sc_charged_is(const sc_charged_kind *kind, sc_text measurement);
/* Shows a recorded release again. As scrim_vault_replay; SCRIM_E_PARAM if it is of another kind, SCRIM_E_LEDGER if it has
 * no answer or cannot be read. Who has a share and was not charged for it has its cost booked there first, as if they had
 * asked the question (vault/booked_view.h). */
SCRIM_MUST_USE scrim_status sc_charged_replay(const sc_charged_kind *kind, void *context,
                                              scrim_vault *vault, uint64_t id,
                                              scrim_error *error);
/* The same for a plan, which shows nothing and books nothing. */
SCRIM_MUST_USE scrim_status sc_charged_read(const sc_charged_kind *kind, void *context,
                                            scrim_vault *vault, uint64_t id,
                                            scrim_error *error);
/* The record of a release that has an answer, as it was written: the vault keeps its first line apart from the others. Freed
 * by sc_free; NULL without memory. */
char *sc_charged_record_text(const scrim_vault_release *release);

#endif
