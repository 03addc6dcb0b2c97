/* The gate: the one place of the library that calls a mechanism's draw.
 *
 * Claim  release.charged  no answer exists whose charge is not in the ledger; when anything
 *                         fails after the charge, it stays
 * Claim  release.quiet    no value of the input is an error, and none changes a message, the
 *                         number of values of an answer of fixed size or what is allocated
 *
 * Claim  release.once     a question that can be repeated is charged once: who asks it before it is
 *                         answered joins the charge and draws the same answer, who asks it later
 *                         is shown the recorded one (A84)
 * Claim  release.wiped    nothing of an input, and nothing of a key, stays in memory that the gate gives
 *                        back
 * Claim  release.told     what fails after the charge says that the release is charged and has no
 *                         answer (A86)
 *
 * In this order: what is public is checked; memory and a source of bits are had; the input is
 * brought into the domain; the charge is made and is durable, or found; the noise is drawn; the
 * answer is recorded, or found; and only then is it shown.
 */
#ifndef SC_LEDGER_RELEASE_H
#define SC_LEDGER_RELEASE_H

#include "base/status.h"
#include "ledger/allowance.h"
#include "ledger/bundle.h"
#include "ledger/ledger.h"

#include <stdbool.h>
#include <stdint.h>

/* Checks public facts: that the measurement is made for data, and for `count` values. */
SCRIM_MUST_USE scrim_status sc_release_check(const scrim_measurement *measurement,
                                             size_t count, scrim_error *error);
/* Checks the input likewise: how many values there are, and how they are given. */
SCRIM_MUST_USE scrim_status sc_release_check_input(const scrim_measurement *measurement,
                                                   const scrim_input *input,
                                                   scrim_error *error);
/* Brings an input that was checked into the domain: room for its count of values. */
void sc_release_bring(const scrim_measurement *measurement, const scrim_input *input,
                      int64_t *steps);
/* The bits of one release: the ledger's tape in a test, else a source of its own that
 * sc_release_bits_close closes. */
SCRIM_MUST_USE scrim_status sc_release_bits_open(const scrim_ledger *ledger,
                                                 sc_bits **out, scrim_error *error);
void sc_release_bits_close(const scrim_ledger *ledger, sc_bits *bits);
/* Likewise, of a stream that the key of the release determines. */
SCRIM_MUST_USE scrim_status sc_release_keyed_open(const scrim_ledger *ledger,
                                                  const sc_bits_key *key,
                                                  sc_bits_stream stream, sc_bits **out,
                                                  scrim_error *error);
void sc_release_keyed_close(const scrim_ledger *ledger, sc_bits *bits);

/* A release of several parts under one charge, as the query engine makes it: charged whole when it
 * is opened, drawn part by part, recorded once.
 *
 *     sc_passage_open(ledger, question, bundle, &key, is_once, &passage, &error);
 *     sc_passage_draw(passage, part, measurement, &input, &draw, &error);
 *     sc_passage_record(passage, text, &error);
 *     sc_passage_close(passage);
 */
typedef struct sc_passage sc_passage;

/* Takes bits and charges what the bundle costs; question is the line of the entry. The bundle is
 * fixed, and must live as long. The key of the release is from sc_bits_key_draw. With is_once the charge may be one
 * that was made earlier for the same question (sc_once): sc_passage_standing tells, and key is then
 * that of the charge, from which all else that is random in the release is to be taken too. */
SCRIM_MUST_USE scrim_status sc_passage_open(scrim_ledger *ledger, const char *question,
                                            const sc_bundle *bundle, sc_bits_key *key,
                                            bool is_once, sc_passage **out,
                                            scrim_error *error);
uint64_t sc_passage_entry(const sc_passage *passage);
/* SC_ONCE_ANSWERED also where somebody else has recorded before sc_passage_record: then the
 * recorded answer is the one to be shown, and nothing can be drawn any more. */
sc_once_standing sc_passage_standing(const sc_passage *passage);
/* Draws a part by the measurement that was charged for it; SCRIM_E_INTERNAL for any other, and once
 * it is recorded. The input is in steps of the domain, clamped to it here; sums may be wide. It may
 * have fewer values than the measurement was made for: the answers of the others are then not asked
 * for. out has memory of the caller, for what answer_count of the mechanism says; on failure its
 * values are wiped. */
SCRIM_MUST_USE scrim_status sc_passage_draw(sc_passage *passage, size_t part,
                                            const scrim_measurement *measurement,
                                            const sc_private_input *input, sc_draw *out,
                                            scrim_error *error);
/* The same where each draw depends on the answers before it: the total of the allowance is charged
 * when it is opened (allowance.h), and every draw takes its cost out of it first; SCRIM_E_INTERNAL,
 * without a bit, when that does not fit. The allowance is the caller's, lives as long, and is used
 * here alone. */
SCRIM_MUST_USE scrim_status sc_passage_open_within(scrim_ledger *ledger,
                                                   const char *question,
                                                   sc_allowance *allowance,
                                                   sc_bits_key *key, bool is_once,
                                                   sc_passage **out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_passage_draw_within(sc_passage *passage,
                                                   const scrim_measurement *measurement,
                                                   const sc_private_input *input,
                                                   sc_draw *out, scrim_error *error);
/* Takes the whole cost of a bundle out of the allowance: from then on its parts, and only they, are drawn by
 * sc_passage_draw. The bundle may follow from earlier answers; it is fixed, and lives until the next one is taken or the
 * passage is closed. SCRIM_E_INTERNAL, without a bit, when it does not fit. */
SCRIM_MUST_USE scrim_status sc_passage_take_parts(sc_passage *passage,
                                                  const sc_bundle *bundle,
                                                  scrim_error *error);
/* Keeps the answer, unless somebody who has joined was first. */
SCRIM_MUST_USE scrim_status sc_passage_record(sc_passage *passage, const char *text,
                                              scrim_error *error);
void sc_passage_close(sc_passage *passage); /* NULL is allowed */

/* Messages about a release that failed after its charge, in one place and in one form:
 *
 *     release 8 is charged and has no answer: REASON; ask the same question again: it is finished
 *     at no further charge
 *
 * Everything that can fail once a charge is made passes its status and its error through
 * sc_unanswered_fail, on the way out and once: the gate (release.c, run.c) and the query engine
 * (query/answer/charged.c) do. The status stays what it was, and so does the exit status of the command line.
 *
 * The reason is the message of what failed, but for memory, of which nothing more is said: which of
 * many allocations had none may depend on rows.
 *
 * Claim  unanswered.told    the message names the release, says that it is charged and has no
 *                           answer and what can be done, however long the reason is (A86)
 * Claim  unanswered.memory  without memory after the charge the message is one for all places
 *                           (A73, A86)
 */

/* Rewords an error, where there is one, and returns its status; SCRIM_OK is left alone. can_finish:
 * whoever asks the same question again gets the answer without another charge (sc_once). */
scrim_status sc_unanswered_fail(scrim_error *error, scrim_status status, uint64_t release,
                                bool can_finish);

/* SCRIM_E_LEDGER about a release of the past: its charge, in a unit, has no answer to show. */
SCRIM_MUST_USE scrim_status sc_unrecorded_fail(scrim_error *error, uint64_t release,
                                               bool can_finish, const char *unit,
                                               const char *amount);
/* sc_unanswered_fail where the charge was under way, and may or may not be on the disk. */
scrim_status sc_uncertain_fail(scrim_error *error, scrim_status status, uint64_t release,
                               bool can_finish);
/* The same for one query of a run, whose earlier answers are recorded. */
scrim_status sc_unanswered_query_fail(scrim_error *error, scrim_status status,
                                      uint64_t release, uint64_t query);
/* The same once the answer is recorded: only showing it has failed. */
scrim_status sc_answered_fail(scrim_error *error, scrim_status status, uint64_t release);

#endif
