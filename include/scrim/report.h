/* The label of a release: whom it protects and how well, how that was done, and what it leaves
 * out, as facts that a machine can check.
 *
 *     scrim_label *label = NULL;
 *     if (scrim_label_new(vault, 8, &label, &error) != SCRIM_OK ||
 *         scrim_label_check(label, &error) != SCRIM_OK ||               // does the claim follow from the parts?
 *         scrim_label_check_ledger(label, vault, &error) != SCRIM_OK || // and is this what was released?
 *         scrim_label_check_key(label, key, &error) != SCRIM_OK)        // or, without the vault: by the owner's key
 *         fputs(error.message, stderr);
 *     else
 *         printf("%s\n%s", scrim_label_get(label, "cost.epsilon"), scrim_label_text(label));
 *     scrim_label_free(label);
 *
 * A fact is a key and a value, "protection.unit" and "person_id"; lists count from 1 on,
 * "mechanism.2.line". Facts of one section stand together. A label has one text:
 *
 *     scrim-label 4
 *     release.number 1
 *     ...
 *     hash 5994471a...
 *     signature 03ff42c1...
 *
 * a fact a line, then the SHA-256 of all bytes before that line, and at last the Ed25519 signature,
 * by the vault's key, of all bytes before its own line. Vaults that have no key yet give labels
 * without a signature, and so did earlier versions, in "scrim-label 1". Before "scrim-label 3" the
 * number of a release was that of its charge among the entries. A byte that has no place in
 * a line that somebody reads is %XX in it, and so is '%'. Whoever shows a label shows this text with
 * it: as it is, as comments of YAML, as rows "fact,value" of CSV, as the member "label" of an object
 * in JSON, or in HTML between <pre id="scrim-label"> and </pre>.
 *
 * A label never holds an answer, but for its digest, nor the name of whoever asked. What was released
 * may stand beside it, in HTML between <pre id="scrim-record"> and </pre>.
 */
#ifndef SCRIM_REPORT_H
#define SCRIM_REPORT_H

#include "scrim/query.h"
#include "scrim/vault.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_label scrim_label;

/* The label of a release, from the vault alone: free of charge. SCRIM_E_PARAM when no charge has
 * that number, SCRIM_E_LEDGER when it has no answer, or one that this version cannot read. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_new(scrim_vault *vault, uint64_t id,
                                                      scrim_label **out,
                                                      scrim_error *error);
/* The same as it was when the ledger had so many entries; 0: as it is. SCRIM_E_PARAM when it has
 * fewer, or the release had no answer then. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_new_at(scrim_vault *vault, uint64_t id,
                                                         uint64_t entries,
                                                         scrim_label **out,
                                                         scrim_error *error);
/* The label of the same release and of as many entries, from the vault; the number of a release is
 * read as the label's format has it. SCRIM_E_CHECK when the vault has no such release. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_again(const scrim_label *label,
                                                        scrim_vault *vault,
                                                        scrim_label **out,
                                                        scrim_error *error);
/* The label that a file holds as text, YAML, CSV, JSON or HTML, with the record of a page that has
 * one. What else the file shows is not looked at: compare it with what the label gives. SCRIM_E_SYNTAX
 * when there is none, or more than one; SCRIM_E_CHECK when its hash, or the record's digest, is not
 * that of what it says. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_find(const char *bytes, size_t count,
                                                       scrim_label **out,
                                                       scrim_error *error);
SCRIM_API void scrim_label_free(scrim_label *label); /* NULL is allowed */

/* What follows lives as long as the label. */
SCRIM_API const char *scrim_label_text(const scrim_label *label);
/* What was released, as lines for a page that shows it; NULL where it is too long for one (1 MiB),
 * and of a label whose file does not hold it. */
SCRIM_API const char *scrim_label_record(const scrim_label *label);
/* Has it a signature? Whether that is right is what the checks below tell. */
SCRIM_API int scrim_label_is_signed(const scrim_label *label);

typedef struct scrim_label_fact {
    const char *key;
    const char *value; /* any text; terminated */
} scrim_label_fact;
SCRIM_API size_t scrim_label_count(const scrim_label *label);
/* NULL past the last. */
SCRIM_API const scrim_label_fact *scrim_label_fact_at(const scrim_label *label,
                                                      size_t index);
/* NULL when there is no such fact. */
SCRIM_API const char *scrim_label_get(const scrim_label *label, const char *key);

/* What was released, from the record of the label alone: as scrim_query_replay shows it, or, of a
 * measurement (scrim_label_get(label, "release.kind")), its number, measurement, answer and note for
 * scrim_answer_parse; freed by scrim_vault_release_clear. SCRIM_E_STATE without a record,
 * SCRIM_E_PARAM for the other kind. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_result(const scrim_label *label,
                                                         scrim_result **out,
                                                         scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_release(const scrim_label *label,
                                                          scrim_vault_release *out,
                                                          scrim_error *error);

/* Recomputes epsilon, delta and rho of all mechanisms together, those of groups of 2 and 4 units,
 * and the guess. SCRIM_E_CHECK, and a message that says what does not hold, when the label
 * promises more than follows from them, or another number where there is one right number. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_check(const scrim_label *label,
                                                        scrim_error *error);
/* Holds the label against a ledger: makes it again as the ledger was then, and compares every fact
 * but the program's name for itself; sentences, but for those of certificates, where the label was
 * made by the same version, since another one may word them otherwise. Where the vault had a key then,
 * the signature must be right, which proves those facts, too. SCRIM_E_CHECK when anything differs. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_check_ledger(const scrim_label *label,
                                                               scrim_vault *vault,
                                                               scrim_error *error);
/* Is the label signed by this key, as scrim_vault_key shows it? Whoever asks has it from its owner:
 * the one that the label names proves nothing. SCRIM_E_CHECK when it is not; SCRIM_E_PARAM for a text
 * that is no key. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_check_key(const scrim_label *label,
                                                            const char *key,
                                                            scrim_error *error);
/* Can the costs of two labels be held against each other? SCRIM_E_POLICY, with the reason, when
 * their units or their neighbours are not alike. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_compare(const scrim_label *a,
                                                          const scrim_label *b,
                                                          scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
