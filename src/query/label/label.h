/* Labels (scrim/report.h) from inside: facts are put one after the other, sealed into a text, and
 * signed.
 *
 * Claim  label.whole   what is read from a text, from JSON or from HTML is the label that was
 *                      written there, fact by fact; a change of any byte of it is noticed
 * Claim  label.vault   a label is a function of the vault, the program and the form below: the same state gives
 *                      the same label, and a later state gives the label of an earlier one again
 * Claim  label.public  no label holds a value of the table that was released, or the name of an analyst; the record
 *                      beside it, which a page with the values carries, is not a part of it
 * Claim  label.booked  a label for an analyst with a share to whom the answer was not shown is a function of what was
 *                      charged: it says neither how many people were cut nor bounds that were found, and no check of
 *                      a label tells them
 * Claim  label.record  what a page shows of a release is a function of the record and of the label,
 *                      and the label has the record's digest
 * Claim  label.file    the label of a file has the digest of all bytes of the file but its own, so its
 *                      signature covers every byte that the file shows (A105)
 * Claim  label.signed  a label of a vault with a key has one signature, of all bytes before its line
 *                      under that key; what a label says of itself proves nothing
 */
#ifndef SC_QUERY_LABEL_H
#define SC_QUERY_LABEL_H

#include "base/memory.h"
#include "base/signature.h"
#include "base/text.h"
#include "scrim/report.h"

#include <stdbool.h>

/* Format 1 has no signature, format 2 other release numbers, formats 3 and 4 other
 * sentences, and none before 6 the radius of all values at once. Before 7 a question that found its bounds had the cost of its
 * parts. Labels are made in the last one. */
#define SC_LABEL_FORMAT 7

struct scrim_label {
    sc_arena arena;
    unsigned format;
    scrim_label_fact *facts;
    size_t count, capacity;
    bool lacks_memory;
    char *text; /* NULL until it is sealed */
    bool has_signature;
    sc_signature signature;
    char *record;   /* what was released; NULL: not at hand */
    char *recorded; /* the same with its salt, whose digest the label has */
    char *escaped;  /* the same in lines of a page; NULL where it is too long for one */
};

/* A file that shows a release: the bytes that are not the label itself. */
typedef struct sc_label_file {
    const char *kind;
    uint64_t bytes;
    sc_digest digest;
    const scrim_label_fact *said; /* more facts, with keys behind SC_LABEL_FILE_FACTS */
    size_t said_count;
} sc_label_file;

/* The facts of a file have this beginning. */
#define SC_LABEL_FILE_FACTS "file."
#define SC_LABEL_FILE_DIGEST SC_LABEL_FILE_FACTS "digest"

/* Some facts follow from the answer: how many people were cut, and bounds that the question found. They are left out for
 * an analyst with a share to whom the answer was not shown; then the label has SC_LABEL_WITHHELD, which says so. */
typedef enum sc_label_form {
    SC_LABEL_FOR_CALLER,
    SC_LABEL_WHOLE,
    SC_LABEL_PARTIAL
} sc_label_form;

#define SC_LABEL_WITHHELD "release.withheld"

/* The label of a release and, unless it is NULL, of a file that shows it; entries as in label_source.h. */
SCRIM_MUST_USE scrim_status sc_label_make(scrim_vault *vault, uint64_t id,
                                          uint64_t entries, sc_label_form form,
                                          const sc_label_file *file, scrim_label **out,
                                          scrim_error *error);

/* An empty one; NULL without memory. */
scrim_label *sc_label_new(void);

#define SC_LABEL_KEY_BYTES 64
/* The key of a member of a list: "mechanism.2.line", or without a member "limitations.2". */
const char *sc_label_key(char key[SC_LABEL_KEY_BYTES], const char *list, size_t number,
                         const char *member);

/* A fact that cannot be put for want of memory is remembered, and found out when it is sealed. */
void sc_label_put(scrim_label *label, const char *key, sc_text value);
void sc_label_put_number(scrim_label *label, const char *key, uint64_t value);
__attribute__((format(printf, 3, 4))) void
sc_label_print(scrim_label *label, const char *key, const char *format, ...);

/* Makes the text; with has_signature the signature is its last line. May be called again. */
SCRIM_MUST_USE scrim_status sc_label_seal(scrim_label *label, scrim_error *error);
/* The bytes that are signed: the text without the line of the signature. */
sc_text sc_label_content(const scrim_label *label);
/* Keeps a copy of a record. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_label_keep_record(scrim_label *label, sc_text record,
                                                 scrim_error *error);
/* SCRIM_E_CHECK unless the record is the one whose digest the label has. */
SCRIM_MUST_USE scrim_status sc_label_check_record(const scrim_label *label,
                                                  scrim_error *error);
/* Any text, as it stands in a line of a label. */
void sc_label_escape(sc_text_sink *sink, sc_text value);
/* The contrary, into memory of as many bytes; false for what is not spelt so. */
bool sc_label_unescape(sc_text value, char *out, size_t *length);
/* Reads a label; the text holds nothing else. SCRIM_E_CHECK when it is not a label. */
SCRIM_MUST_USE scrim_status sc_label_read(sc_text text, scrim_label **out,
                                          scrim_error *error);

/* The fact "keys.N.kind" of private keys, and what it was before format 4. */
#define SC_LABEL_PRIVATE_KEYS "private"
#define SC_LABEL_PRIVATE_KEYS_BEFORE "discovered"

/* How near to the truth all values of a run are at once; from format 6 on. */
#define SC_LABEL_RADIUS_ALL "accuracy.radius-all"
/* The cost is a total that was charged before the parts were known. */
#define SC_LABEL_TOTAL "cost.total"

/* The public key that a label is signed by. */
#define SC_LABEL_KEY_FACT "ledger.key"

/* Longer records are left to `scrim replay`: a page of the first rows is no archive. */
#define SC_LABEL_RECORD_BYTES ((size_t)1 << 20)

#endif
