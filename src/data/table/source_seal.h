/* A seal identifies the contents of a source file in a policy: a keyed digest of the file's size and the time of its last
 * change, and one of its content, all its bytes (source_content.h). scrim compares the first before anything is charged,
 * the second when all bytes are read. Only with the key can one tell whether a file is still the one that was
 * declared. Seals reveal nothing without it, neither one nor many: the salt makes seals of equal files different.
 *
 *     salt=8d6f0b1c2a3e4f50617283940a1b2c3d,digest=0f1e2d3c4b5a69788796a5b4c3d2e1f0,content=9c4b...
 *
 * Without a key a digest would not do: sizes and times are few enough to be tried one by one.
 * Earlier versions kept no digest of the bytes, and before that the stamp itself (source_content.h). Both are
 * read for ever, and fit no content.
 *
 * Claim  source_seal.fits    a seal fits the stamp that it was made of, and another, or under
 *                            another key, with probability 2^-128
 * Claim  source_seal.holds   a seal holds the content that it was made of and no other, with probability
 *                            2^-128; one without a content holds none (A107)
 * Claim  source_seal.secret  a seal is a salt, which is random, and pseudo-random functions of
 *                            salt and stamp, and of salt and content, under a secret key
 */
#ifndef SC_DATA_SOURCE_SEAL_H
#define SC_DATA_SOURCE_SEAL_H

#include "data/source/source_content.h"
#include "data/value/schema.h"

typedef struct sc_source_seal {
    bool is_plain;         /* of an earlier version: the stamp itself */
    sc_source_stamp stamp; /* of a plain one */
    uint64_t salt[2], digest[2];
    bool has_content; /* false in seals of earlier versions */
    uint64_t content[2];
} sc_source_seal;

/* Seals the stamp of a file and its content, which may be NULL. salt is random and was not used before. */
void sc_source_seal_make(const sc_source_key *key, const uint64_t salt[2],
                         const sc_source_stamp *stamp, const sc_source_content *content,
                         sc_source_seal *out);
/* The key is not looked at where the seal is plain. */
bool sc_source_seal_fits(const sc_source_seal *seal, const sc_source_key *key,
                         const sc_source_stamp *stamp);
/* Are these the bytes that the seal was made for? */
bool sc_source_seal_holds(const sc_source_seal *seal, const sc_source_key *key,
                          const sc_source_content *content);

/* SCRIM_E_INPUT, SCRIM_REASON_CHANGED: the source is not that of its version. One message, however that was found. */
scrim_status sc_source_fail_changed(scrim_error *error);

#define SC_SOURCE_SEAL_BYTES 160
void sc_source_seal_format(const sc_source_seal *seal, char text[SC_SOURCE_SEAL_BYTES]);
/* False for what format does not write. */
bool sc_source_seal_parse(sc_text text, sc_source_seal *out);

/* The content of a source file (source_content.h), for its owner who declares it, and of a file whose rows a program
 * has read and pushed. */

/* Reads all bytes of the file that the schema names, as a scan of its rows does. stamp is the file's, before and
 * after. SCRIM_E_INPUT where it cannot be read or is changed meanwhile, SCRIM_E_MEMORY, SCRIM_E_INTERNAL. */
SCRIM_MUST_USE scrim_status sc_declared_content_read(
    const sc_schema *schema, const sc_source_key *key, const sc_content_watch *watch,
    sc_source_stamp *stamp, sc_source_content *content, scrim_error *error);
/* The same for a file whose rows a program has read; the caller has taken the memory for it before. */
SCRIM_MUST_USE scrim_status sc_origin_content_read(sc_content_file *file, sc_text path,
                                                   sc_source_stamp *stamp,
                                                   sc_source_content *content,
                                                   scrim_error *error);

#endif
