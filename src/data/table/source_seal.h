/* What a policy keeps of the contents of a source file: a keyed digest of the file's size and the
 * time of its last change. Whoever has the key can tell whether a file is still the one that was
 * declared. Nobody else learns anything of size or time, neither from one seal nor from many: the
 * salt makes seals of equal files different.
 *
 *     salt=8d6f0b1c2a3e4f50617283940a1b2c3d,digest=0f1e2d3c4b5a69788796a5b4c3d2e1f0
 *
 * Without a key a digest would not do: sizes and times are few enough to be tried one by one.
 * Earlier versions kept the stamp itself (source_stamp.h), which is read for ever.
 *
 * Claim  source_seal.fits    a seal fits the stamp that it was made of, and another, or under
 *                            another key, with probability 2^-128
 * Claim  source_seal.secret  a seal is a salt, which is random, and a pseudo-random function of
 *                            salt and stamp under a secret key
 */
#ifndef SC_DATA_SOURCE_SEAL_H
#define SC_DATA_SOURCE_SEAL_H

#include "base/hash.h"
#include "data/source/source_stamp.h"

typedef struct sc_source_key {
    sc_hash_key halves[2]; /* of 32 random bytes: each gives half of a digest */
} sc_source_key;

typedef struct sc_source_seal {
    bool is_plain;         /* of an earlier version: the stamp itself */
    sc_source_stamp stamp; /* of a plain one */
    uint64_t salt[2], digest[2];
} sc_source_seal;

/* Of the stamp of a file; salt is random and not used before. */
void sc_source_seal_make(const sc_source_key *key, const uint64_t salt[2],
                         const sc_source_stamp *stamp, sc_source_seal *out);
/* The key is not looked at where the seal is plain. */
bool sc_source_seal_fits(const sc_source_seal *seal, const sc_source_key *key,
                         const sc_source_stamp *stamp);

#define SC_SOURCE_SEAL_BYTES 96
void sc_source_seal_format(const sc_source_seal *seal, char text[SC_SOURCE_SEAL_BYTES]);
/* False for what format does not write. */
bool sc_source_seal_parse(sc_text text, sc_source_seal *out);

#endif
