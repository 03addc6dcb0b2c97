/* A file that a report wrote, checked: its label is proved, written again in the form that the file
 * has, and compared with the file byte by byte. A file of a release (a body, rows, counts) is checked
 * by the digest of its bytes in its label.
 *
 * Claim  verify.shown      a file holds only if every byte of it follows from a label that the
 *                          ledger has or the key has signed: nothing that it shows can be changed
 *                          (A89)
 * Claim  verify.unchecked  what was not checked is told, and then nothing holds
 */
#ifndef SC_CLI_REPORT_VERIFY_H
#define SC_CLI_REPORT_VERIFY_H

#include "cli/display/listing.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

/* Two labels side by side: whom they protect, and what they cost. */

SCRIM_MUST_USE scrim_status sc_report_compare_write(
    sc_output *output, const scrim_label *a, const scrim_label *b, sc_format format,
    const sc_terminal *terminal, scrim_error *error);

/* The proof of a label: by a vault, by a key, by both or by neither. */
typedef struct sc_report_proof {
    scrim_vault *vault; /* NULL: none */
    const char *key;    /* NULL: none */
} sc_report_proof;

#define SC_REPORT_UNCHECKED 4
#define SC_REPORT_UNCHECKED_BYTES 160

typedef struct sc_report_verdict {
    scrim_label *label;
    bool has_ledger; /* it is in the ledger */
    bool
        has_signature; /* which a key has been held against: the one given, or the vault's */
    uint64_t
        later; /* charges of the time of a page that were made after it, by its vault */
    char unchecked[SC_REPORT_UNCHECKED][SC_REPORT_UNCHECKED_BYTES];
    size_t unchecked_count;
} sc_report_verdict;

/* SCRIM_E_CHECK, with the reason, when anything does not hold; SCRIM_E_SYNTAX when there is no label
 * in the file, SCRIM_E_PARAM for a key that cannot be read. SCRIM_OK with something unchecked is no
 * verdict in favour of the file: so it is with a label that was made for another file. */
SCRIM_MUST_USE scrim_status sc_report_verify(const char *bytes, size_t count,
                                             const sc_report_proof *proof,
                                             sc_report_verdict *out, scrim_error *error);
/* A file that has no label in it, with the label that is beside it. */
SCRIM_MUST_USE scrim_status sc_report_verify_beside(const char *bytes, size_t count,
                                                    const char *label, size_t label_bytes,
                                                    const sc_report_proof *proof,
                                                    sc_report_verdict *out,
                                                    scrim_error *error);
void sc_report_verdict_clear(sc_report_verdict *verdict); /* also of zeros */

/* The verdict of `scrim report verify`. Facts that were not checked come first, in every format. */

/* 64 hexadecimal digits. */
bool sc_report_is_key(const char *text);

void sc_report_verdict_write(sc_output *output, sc_format format,
                             const sc_terminal *terminal,
                             const sc_report_verdict *verdict);
/* The verdict on a file that does not hold; people get the message on standard error instead of a table. */
void sc_report_verdict_refuse(sc_output *output, sc_format format, const char *reason);
/* The verdicts on several files, one after the other, with the name of each. */
#define SC_REPORT_LIST_COLUMNS 24
typedef struct sc_report_list {
    sc_output *output;
    sc_format format;
    const sc_terminal *terminal;
    /* The list's own. */
    sc_listing listing;
    sc_listing_column columns[SC_REPORT_LIST_COLUMNS];
    sc_json json;
} sc_report_list;
void sc_report_list_open(sc_report_list *list);
/* verdict is NULL for a file that is refused; reason says why. */
void sc_report_list_add(sc_report_list *list, const char *path,
                        const sc_report_verdict *verdict, const char *reason);
/* Writes what was held, and frees; as sc_listing_close. */
SCRIM_MUST_USE scrim_status sc_report_list_close(sc_report_list *list,
                                                 scrim_status status, scrim_error *error);

/* SCRIM_E_CHECK, and what it is, when anything was not checked. */
SCRIM_MUST_USE scrim_status sc_report_verdict_status(const sc_report_verdict *verdict,
                                                     scrim_error *error);

#endif
