/* What a release cost a vault, and what is left there: in words for people and in JSON. */
#ifndef SC_CLI_CHARGE_NOTE_H
#define SC_CLI_CHARGE_NOTE_H

#include "cli/output.h"

/* {"unit": "epsilon", "amount": "0.1", "delta": "0"} */
void sc_charged_json_write(sc_output *output, const scrim_vault_release *release);

/* The lines below an answer. left, what the analyst may still spend, may be NULL. */
void sc_charge_note_write(sc_output *output, const scrim_vault_release *release,
                          const scrim_budget *left);

#endif
