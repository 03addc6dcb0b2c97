/* Interactive runs: queries are asked one by one, and each may depend on the answers so far.
 *
 *     scrim_run *run = NULL;
 *     scrim_run_answer answer = {.has_halted = 0};
 *     scrim_status status = scrim_run_open(ledger, measurement, &run, &error); // charged whole, here
 *     while (status == SCRIM_OK && !answer.has_halted)
 *         status = scrim_run_ask(run, next_count(), &answer, &error);
 *     scrim_run_close(run);
 *
 * A run holds a secret, the noise of its threshold, and answers only as long as it is kept. So
 * a handle cannot be copied or stored; a child process, which would be a copy, finds the secret
 * wiped and is refused; and a run that has halted answers nothing more.
 */
#ifndef SCRIM_RUN_H
#define SCRIM_RUN_H

#include "scrim/distribution.h"
#include "scrim/ledger.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Several threads may ask one handle; it answers them one after the other. Its ledger and its
 * measurement outlive it. */
typedef struct scrim_run scrim_run;

typedef struct scrim_run_answer {
    scrim_answer_kind kind; /* SCRIM_ANSWER_BELOW, _ABOVE or _ABOVE_VALUE */
    scrim_wide value; /* of _ABOVE_VALUE, in steps of the measurement's grid; else 0 */
    int has_halted;   /* 1: this was the last answer */
} scrim_run_answer;

/* Charges the whole cost of the measurement, and only then draws. SCRIM_E_PARAM when it is not
 * for data or not interactive (sparse vectors are), SCRIM_E_POLICY when its cost cannot be
 * counted in this ledger, when the ledger counts concentrated charges beside parts with a delta,
 * or when this system cannot wipe memory in a child process, SCRIM_E_BUDGET when the charge does
 * not fit, SCRIM_E_MEMORY: nothing was charged. SCRIM_E_ENTROPY: when it comes after the charge,
 * that stays. out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_run_open(scrim_ledger *ledger,
                                                     const scrim_measurement *measurement,
                                                     scrim_run **out, scrim_error *error);

/* Answers a query, an integer in steps of the measurement's grid; what lies outside its domain
 * is brought inside, and no value is an error. SCRIM_E_STATE when the run has halted, or in a
 * process that did not open it. The answer is in the ledger, durably, before it is shown. Where it
 * cannot be recorded (SCRIM_E_LEDGER, SCRIM_E_BUSY, or no memory for it) it is not shown, and the
 * run answers nothing more; SCRIM_E_ENTROPY, and SCRIM_E_MEMORY before the draw, leave the run as
 * it was. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_run_ask(scrim_run *run, int64_t query,
                                                    scrim_run_answer *out,
                                                    scrim_error *error);

/* 1 when it has given all its answers. */
SCRIM_API int scrim_run_has_halted(const scrim_run *run);
/* What it cost, and its entry in the ledger: of a vault's, the number of the release. */
SCRIM_API const scrim_cost *scrim_run_cost(const scrim_run *run);
SCRIM_API uint64_t scrim_run_entry(const scrim_run *run);

/* Wipes the secret and tells the ledger that this was all: "asked=12 above=3,11", with a value
 * as "11=-4", and " halted" behind it where the run has. The charge stays, whatever was asked.
 * NULL is allowed. */
SCRIM_API void scrim_run_close(scrim_run *run);

#ifdef __cplusplus
}
#endif

#endif
