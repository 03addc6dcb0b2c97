/* Asking: scrim_query_run and scrim_query_replay.
 *
 * Claim  ask.charged    no answer exists whose charge is not in the ledger, and none is shown that
 *                       is not recorded there; when anything fails after the charge, it stays
 *                       (A41, A67)
 * Claim  ask.requests   what is left of a budget is a function of the questions that were asked, not of
 *                       a row (A47)
 * Claim  ask.once       the same question about the same version is charged once, whoever asks it, at
 *                       whatever moments, and whatever ends a process: it is answered from the
 *                       ledger, or the charge that has no answer is finished, free (A32, A84)
 * Claim  ask.told       a failure after the charge says that the release is charged and has no answer,
 *                       and one after the answer that it is recorded (A86)
 * Claim  ask.quiet      of two sources of one schema nothing differs in what is seen but the
 *                       numbers, and the keys that were kept (A54, A55, A60)
 * Claim  ask.memory     whether memory suffices is found out before the charge, from what is public; with
 *                       a quantum the most memory and the number of pages are public too (A73)
 * Claim  ask.locale     the locale of the program changes nothing of what is read, written or shown (A100)
 * Claim  ask.quantum    where the owner has declared a quantum, neither an answer nor a failure
 *                       after the charge is seen, nor an answer recorded, but at one of its
 *                       multiples (A53)
 */
#ifndef SC_QUERY_ASK_H
#define SC_QUERY_ASK_H

#include "query/answer/asking.h"
#include "scrim/query.h"

/* Is the measurement of a charge a question of this engine? */
bool sc_ask_is_question(sc_text measurement);
/* The record as it was written, of a release that has an answer: a vault hands out its first line
 * apart from the others. Freed by sc_free; NULL without memory. */
char *sc_ask_record(const scrim_vault_release *release);
/* For whoever shows a release again: refuses one that is of another kind. */
typedef scrim_status sc_ask_kind_check(const scrim_vault_release *release,
                                       scrim_error *error);
/* The record of a release, as sc_ask_record, and its time. As scrim_vault_replay, the check, and
 * scrim_vault_release_check. */
SCRIM_MUST_USE scrim_status sc_ask_recorded(scrim_vault *vault, uint64_t id,
                                            sc_ask_kind_check *check, char **record,
                                            uint64_t *time, scrim_error *error);
/* sc_asking_end, and then the answer is shown. */
SCRIM_MUST_USE scrim_status sc_ask_end(sc_asking *asking, scrim_status rows,
                                       scrim_result **out, scrim_error *error);

#endif
