/* Interactive runs: queries are asked one by one, and each may depend on the answers so far.
 *
 *     scrim_run *run = NULL;
 *     scrim_run_answer answer = {.has_halted = 0};
 *     scrim_status status = scrim_run_open(ledger, measurement, &run, &error); // charged whole, here
 *     while (status == SCRIM_OK && !answer.has_halted)
 *         status = scrim_run_ask(run, next_count(), &answer, &error);
 *     scrim_run_close(run);
 *
 * A run keeps a secret in memory, the noise of its threshold. So a handle cannot be copied or
 * stored. In a child process, which would be a copy, the secret is wiped and every call fails. A run
 * that has halted answers nothing more.
 */
#ifndef SCRIM_RUN_H
#define SCRIM_RUN_H

#include "scrim/distribution.h"
#include "scrim/ledger.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Several threads may use one handle; it answers them one after the other. The ledger
 * and the measurement must outlive it. */
typedef struct scrim_run scrim_run;

typedef struct scrim_run_answer {
    scrim_answer_kind kind; /* SCRIM_ANSWER_BELOW, _ABOVE or _ABOVE_VALUE */
    scrim_wide
        value;      /* for _ABOVE_VALUE, in steps of the measurement's grid; else 0. With
                       * scrim_run_open_on also for _BELOW: the answer of the model */
    int has_halted; /* 1: this was the last answer */
} scrim_run_answer;

/* Charges the whole cost of the measurement, and then draws. SCRIM_E_PARAM: not for
 * data, or not interactive (sparse vector mechanisms and guess-and-check are;
 * scrim_run_open_on opens online-weights). SCRIM_E_POLICY: the ledger
 * cannot count its cost, the ledger counts rho beside parts with a delta, or this
 * system cannot wipe memory in a child process. SCRIM_E_BUDGET: the charge does not
 * fit. SCRIM_E_MEMORY. In these cases nothing was charged. SCRIM_E_ENTROPY: if it
 * happens after the charge, the charge stays. out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_run_open(scrim_ledger *ledger,
                                                     const scrim_measurement *measurement,
                                                     scrim_run **out, scrim_error *error);

/* The same for a mechanism that keeps the data and answers public queries about them: online-weights
 * without coefficients and workload. input has the counts of its bins, as for scrim_release. It halts with the
 * last update. Queries are asked as texts. Above: it was measured. Below: the model answers. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_run_open_on(scrim_ledger *ledger, const scrim_measurement *measurement,
                  const scrim_input *input, scrim_run **out, scrim_error *error);

/* Answers a query: an integer in steps of the measurement's grid. A value outside its
 * domain is clamped; no value is an error. The answer is in the ledger before it is
 * shown. SCRIM_E_STATE: the run has halted, or another process opened it.
 * SCRIM_E_LEDGER, SCRIM_E_BUSY, or SCRIM_E_MEMORY while recording: the answer is not
 * shown, and the run answers nothing more. SCRIM_E_ENTROPY, and SCRIM_E_MEMORY before
 * the draw, leave the run unchanged. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_run_ask(scrim_run *run, int64_t query,
                                                    scrim_run_answer *out,
                                                    scrim_error *error);

/* The same with the query as text, in the unit of the input, which is read as scrim_release
 * reads texts: a text that is no number counts as 0, or as the end of the domain nearest
 * to 0. With scrim_run_open_on it is public, "1,0,0.5", a coefficient from 0 to 1 for each bin; SCRIM_E_PARAM, and
 * the run is unchanged, if it is not that. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_run_ask_text(scrim_run *run,
                                                         const char *query,
                                                         scrim_run_answer *out,
                                                         scrim_error *error);
/* The value of an answer in the unit of the input, as exact text; "" for an answer without one. */
SCRIM_API void scrim_run_value(const scrim_run *run, const scrim_run_answer *answer,
                               char text[SCRIM_ANSWER_BYTES]);

/* 1 if it has given all its answers. */
SCRIM_API int scrim_run_has_halted(const scrim_run *run);
/* The cost as it was charged, for the ledger's neighbours, and the number of the entry in the
 * ledger; for a vault, the release number. */
SCRIM_API const scrim_cost *scrim_run_cost(const scrim_run *run);
SCRIM_API uint64_t scrim_run_entry(const scrim_run *run);

/* Wipes the secret and records the end of the run: "asked=12 above=3,11", with a value
 * as "11=-4", and " halted" behind it if the run has halted. The charge stays,
 * whatever was asked. NULL is allowed. */
SCRIM_API void scrim_run_close(scrim_run *run);

#ifdef __cplusplus
}
#endif

#endif
