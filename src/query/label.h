/* Labels (scrim/report.h) from inside: facts are put one after the other, and sealed into a
 * text.
 *
 * Claim  label.whole   what is read from a text, from JSON or from HTML is the label that was
 *                      written there, fact by fact; a change of any byte of it is noticed
 * Claim  label.vault   a label is a function of the vault and the program: the same state gives
 *                      the same label, and time changes what was spent and the head alone
 * Claim  label.public  no label holds a released value, or the name of an analyst
 */
#ifndef SC_QUERY_LABEL_H
#define SC_QUERY_LABEL_H

#include "base/memory.h"
#include "base/text.h"
#include "scrim/report.h"

#include <stdbool.h>

struct scrim_label {
    sc_arena arena;
    scrim_label_fact *facts;
    size_t count, capacity;
    bool lacks_memory;
    char *text; /* NULL until it is sealed */
};

/* An empty one; NULL without memory. */
scrim_label *sc_label_new(void);

#define SC_LABEL_KEY_BYTES 64
/* The key of a member of a list: "mechanism.2.line", or without a member "limitations.2". */
const char *sc_label_key(char key[SC_LABEL_KEY_BYTES], const char *list, size_t number,
                         const char *member);

/* What cannot be put for want of memory is remembered, and found out when it is sealed. */
void sc_label_put(scrim_label *label, const char *key, sc_text value);
void sc_label_put_number(scrim_label *label, const char *key, uint64_t value);
__attribute__((format(printf, 3, 4))) void
sc_label_print(scrim_label *label, const char *key, const char *format, ...);

/* Makes the text. */
SCRIM_MUST_USE scrim_status sc_label_seal(scrim_label *label, scrim_error *error);
/* The label whose text this is, all of it; SCRIM_E_CHECK when it is none. */
SCRIM_MUST_USE scrim_status sc_label_read(sc_text text, scrim_label **out,
                                          scrim_error *error);

#define SC_LABEL_FIRST "scrim-label 1\n"

#endif
