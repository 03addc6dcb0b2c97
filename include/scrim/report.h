/* The label of a release: whom it protects and how well, how it was made, and what it does not
 * protect, as facts that a machine can check.
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
 * A fact is a key and a value, "protection.unit" and "person_id". Lists are numbered from 1,
 * "mechanism.2.line". Facts of one section are together. A label has one text, with one fact per
 * line:
 *
 *     scrim-label 5
 *     release.number 1
 *     ...
 *     hash 5994471a...
 *     signature 03ff42c1...
 *
 * hash is the SHA-256 of all bytes before its line. signature is the Ed25519 signature, by the
 * vault's key, of all bytes before its line. Vaults without a key, and earlier versions
 * ("scrim-label 1"), give labels without a signature. Before "scrim-label 3" the number of a
 * release was that of its charge among the entries. '%', and bytes that cannot be in a line, are
 * written as %XX.
 *
 * Every file that shows a label contains this text: as it is, as comments of YAML, as rows
 * "fact,value" of CSV, as the member "label" of a JSON object, or in HTML between
 * <pre id="scrim-label"> and </pre>.
 *
 * A file that shows what was released (a body, synthetic rows or their report, counts that add up) has a label of
 * its own: that of the release, with the facts file.kind, file.bytes and file.digest, the SHA-256 of all bytes of the
 * file but the label. So its signature covers every byte. A file of JSON has it as its last member "scrim-label";
 * other files have it beside them, in FILE.label. The label of a file is that of the ledger when it had the answer:
 * it is the same whenever the file is made.
 *
 * A label contains the digest of the answer, but never the answer or the name of the analyst. A page
 * may contain the answer as well, in HTML between <pre id="scrim-record"> and </pre>. How many people
 * were cut, and bounds that the answer found, are facts too; for an analyst with a share to whom the
 * answer was not shown they are left out, and the fact release.withheld says so.
 */
#ifndef SCRIM_REPORT_H
#define SCRIM_REPORT_H

#include "scrim/query.h"
#include "scrim/vault.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_label scrim_label;

/* The label of a release, from the vault and free of charge. SCRIM_E_PARAM: no charge
 * has that number. SCRIM_E_LEDGER: it has no answer, or one that this version cannot
 * read. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_new(scrim_vault *vault, uint64_t id,
                                                      scrim_label **out,
                                                      scrim_error *error);
/* The same as it was when the ledger had this many entries; 0: now. SCRIM_E_PARAM: it
 * has fewer entries, or the release had no answer then. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_new_at(scrim_vault *vault, uint64_t id,
                                                         uint64_t entries,
                                                         scrim_label **out,
                                                         scrim_error *error);
/* Makes the label of the same release and of as many entries again, from the vault;
 * the release number is read as the label's format defines it. SCRIM_E_CHECK: the
 * vault has no such release. SCRIM_E_POLICY: it was not signed, and says what follows
 * from an answer that was not shown to the caller. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_again(const scrim_label *label,
                                                        scrim_vault *vault,
                                                        scrim_label **out,
                                                        scrim_error *error);
/* Reads the label from text, YAML, CSV, JSON or HTML, with the record of a page that
 * has one. It does not check the rest of the file: compare that with what the label
 * gives. SCRIM_E_SYNTAX: no label, or more than one. SCRIM_E_CHECK: the hash, or the
 * record's digest, is wrong. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_find(const char *bytes, size_t count,
                                                       scrim_label **out,
                                                       scrim_error *error);
SCRIM_API void scrim_label_free(scrim_label *label); /* NULL is allowed */

/* All texts below live as long as the label. */
SCRIM_API const char *scrim_label_text(const scrim_label *label);
/* The answer, as lines for a page that shows it; NULL if it is longer than 1 MiB, for a label whose
 * file does not contain it, and for one that was made before the answer was booked on the share of the
 * caller (scrim_vault_view). */
SCRIM_API const char *scrim_label_record(const scrim_label *label);
/* 1 if it has a signature. The checks below say whether it is right. */
SCRIM_API int scrim_label_is_signed(const scrim_label *label);

typedef struct scrim_label_fact {
    const char *key;
    const char *value; /* any text; terminated */
} scrim_label_fact;
SCRIM_API size_t scrim_label_count(const scrim_label *label);
/* NULL past the last. */
SCRIM_API const scrim_label_fact *scrim_label_fact_at(const scrim_label *label,
                                                      size_t index);
/* NULL if there is no such fact. */
SCRIM_API const char *scrim_label_get(const scrim_label *label, const char *key);

/* The answer, from the record of the label alone: as scrim_query_replay shows it or,
 * for a measurement (scrim_label_get(label, "release.kind")), its number, measurement,
 * answer and note for scrim_answer_parse; scrim_vault_release_clear frees it.
 * SCRIM_E_STATE: no record. SCRIM_E_PARAM: the other kind. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_result(const scrim_label *label,
                                                         scrim_result **out,
                                                         scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_release(const scrim_label *label,
                                                          scrim_vault_release *out,
                                                          scrim_error *error);

/* Recomputes the joint epsilon, delta and rho of all mechanisms, those of households
 * of 2 and 4 units, and the attacker's chance. SCRIM_E_CHECK, with a message, if the
 * label promises more than follows from them, or states a wrong number. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_check(const scrim_label *label,
                                                        scrim_error *error);
/* Compares the label with a ledger: makes it again as the ledger was then, and
 * compares every fact except the name of the program. Sentences are compared only if
 * the same version made the label; those of accuracy guarantees always. If the vault
 * had a key then, the signature must be right. SCRIM_E_CHECK if anything differs. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_check_ledger(const scrim_label *label,
                                                               scrim_vault *vault,
                                                               scrim_error *error);
/* Checks the signature with this key, as scrim_vault_key shows it. Get the key from
 * the owner: the key that the label names proves nothing. SCRIM_E_CHECK: not signed by
 * it. SCRIM_E_PARAM: not a key. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_check_key(const scrim_label *label,
                                                            const char *key,
                                                            scrim_error *error);
/* The bytes of a file, in pieces, for the label of the file. */
typedef struct scrim_file_digest scrim_file_digest;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_file_digest_new(scrim_file_digest **out,
                                                            scrim_error *error);
SCRIM_API void scrim_file_digest_free(scrim_file_digest *digest); /* NULL is allowed */
/* A failure is reported by the function that uses the digest; none is added after it. */
SCRIM_API void scrim_file_digest_add(scrim_file_digest *digest, const void *bytes,
                                     size_t count);
/* A fact for the label of the file, file.KEY: what it shows that the release does not have. KEY is a word, the value any
 * text without an end of a line; at most 4. Failures as above. */
SCRIM_API void scrim_file_digest_say(scrim_file_digest *digest, const char *key,
                                     const char *value);

/* The label of a file that shows a release: kind is a word such as "body", and the digest that of all bytes of the
 * file before the label. The library does not look at the bytes: whoever has the vault vouches for them. Also fails as
 * scrim_label_new. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_new_file(scrim_vault *vault,
                                                           uint64_t id, const char *kind,
                                                           scrim_file_digest *digest,
                                                           scrim_label **out,
                                                           scrim_error *error);
/* A time, and the entries that the ledger had when it was looked at. */
typedef struct scrim_label_period {
    uint64_t from, until; /* seconds since 1970; 0: open; until is the first after it */
    uint64_t entries;
} scrim_label_period;
/* The label of a file about all releases of a time, of kind "releases": it has no facts of one release, but for each
 * budget what was charged before the time, in it and up to its end ("budget.1.spent"), the number of releases, and the
 * head of the ledger. The same checks as of other labels apply: scrim_label_check_ledger makes it again from the
 * entries. A charge without a known time is in every time. SCRIM_E_PARAM: the ledger has fewer entries. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_label_new_period(scrim_vault *vault, const scrim_label_period *period,
                       scrim_file_digest *digest, scrim_label **out, scrim_error *error);
/* SCRIM_E_CHECK unless it is the label of a file with exactly these bytes. The other checks say who made the label. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_check_file(const scrim_label *label,
                                                             scrim_file_digest *digest,
                                                             scrim_error *error);
/* The end of a file of JSON: the member and the bracket behind it. Writes at most capacity bytes with the terminator, and
 * returns the length that it needs without it. */
SCRIM_API size_t scrim_label_end(const scrim_label *label, char *text, size_t capacity);
/* Finds that end, spelt as scrim_label_end spells it, and nothing behind it; the label is that of the first *shown
 * bytes, if scrim_label_check_file says so. SCRIM_E_SYNTAX: no label. SCRIM_E_CHECK: changed. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_find_end(const char *bytes,
                                                           size_t count, size_t *shown,
                                                           scrim_label **out,
                                                           scrim_error *error);

/* The label of a file of JSON that ends with one, or else the label beside it, a text; beside is
 * NULL without a label beside it. It is of exactly these bytes, and signed by the key that it
 * names: compare that key with the owner's. *out is NULL, with SCRIM_OK, if the file has no
 * label, or one without a signature. SCRIM_E_CHECK: the file or the label was changed. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_of_file(const char *bytes, size_t count,
                                                          const char *beside,
                                                          size_t beside_count,
                                                          scrim_label **out,
                                                          scrim_error *error);

/* Can the costs of two labels be compared? SCRIM_E_POLICY, with the reason, if their
 * units or neighbours differ. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_label_compare(const scrim_label *a,
                                                          const scrim_label *b,
                                                          scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
