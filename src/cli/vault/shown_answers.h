/* The analysts to whom an answer was shown besides the one who was charged for it, as far as the ledger records it. */
#ifndef SC_CLI_SHOWN_ANSWERS_H
#define SC_CLI_SHOWN_ANSWERS_H

#include "scrim.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sc_shown_answers {
    scrim_vault_shown *items; /* in the order of the ledger */
    size_t count, room;
} sc_shown_answers;

/* SCRIM_E_MEMORY, and errors of the vault. */
SCRIM_MUST_USE scrim_status sc_shown_answers_read(scrim_vault *vault,
                                                  sc_shown_answers *out,
                                                  scrim_error *error);
void sc_shown_answers_clear(sc_shown_answers *shown); /* also of zeros */

/* NULL if it was not shown to that analyst. */
const scrim_vault_shown *sc_shown_find(const sc_shown_answers *shown, uint64_t release,
                                       const char *analyst);

#endif
