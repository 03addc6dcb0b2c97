/* The cost of a release to a vault, and the rest there: in words for people and in JSON. */
#ifndef SC_CLI_CHARGE_NOTE_H
#define SC_CLI_CHARGE_NOTE_H

#include "cli/display/json_writer.h"

/* {"unit": "epsilon", "amount": "0.1", "delta": "0"} */
void sc_charged_json(sc_json *json, const char *name, const scrim_vault_release *release);

/* The lines below an answer. remark goes on behind the charge, or is ""; left, what the analyst may
 * still spend, may be NULL; where is what a command says of its vault, as sc_vault_words has it. */
void sc_charge_note_write(sc_output *output, const scrim_vault_release *release,
                          const char *remark, const scrim_budget *left,
                          const char *where);

/* The same in two lines, of an answer whose cost is what was charged: the charge with the relation of neighbours and what is
 * left, and the number of the release with the commands about it. is_repeated: nothing was charged now. Lines are folded at
 * columns. */
typedef struct sc_charge_brief {
    const scrim_vault_release *release;
    const scrim_budget *left;
    const char *where; /* as above */
    scrim_neighbours neighbours;
    bool is_repeated;
    unsigned columns;
    const char *again; /* the command that shows it again: "replay" */
} sc_charge_brief;
void sc_charge_brief_write(sc_output *output, const sc_charge_brief *brief);
/* From now on this process names the commands of the shell, '\release 3' and '\label 3'. */
void sc_charge_speak_shell(void);

#define SC_VAULT_WORDS_BYTES 160

/* " --vault FILE" for a command that is proposed, quoted for a shell where it must be; "" for
 * NULL, where no vault was named. One that is too long to be said is " --vault FILE" indeed. */
void sc_vault_words(const char *vault, char words[SC_VAULT_WORDS_BYTES]);

/* The words about a release that is charged when the command cannot show it: added to the
 * message of an error; or kept for a signal that ends the verb. vault is NULL where none was
 * named. */
/* The words for a signal while a query of a dataset runs, until its release is known. */
void sc_charge_first_words(const char *verb, const char *dataset, const char *vault);
void sc_charge_advise(scrim_error *error, uint64_t release, const char *vault);
void sc_charge_advise_result(scrim_error *error, const scrim_result *result,
                             const char *vault);
void sc_charge_last_words(const char *verb, uint64_t release, const char *vault);

#endif
