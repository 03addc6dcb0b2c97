/* One line of a policy in an interview: tried before it is taken, asked for until it is right. */
#ifndef SC_CLI_WIZARD_LINE_H
#define SC_CLI_WIZARD_LINE_H

#include "cli/dataset/policy_draft.h"
#include "cli/terminal/interview.h"

/* Is a population of that name there already, with a budget, and under which neighbours? Not
 * there: SCRIM_NEIGHBOURS_UNSET. */
typedef scrim_status sc_population_finder(void *context, const char *name,
                                          scrim_neighbours *neighbours,
                                          scrim_error *error);

typedef struct sc_wizard {
    const char *name;
    sc_policy_draft *draft;
    char *header; /* names of the source's columns, one a line; NULL: not known */
    sc_population_finder *find;
    void *context;
    char answer[SC_ANSWER_BYTES];
} sc_wizard;

scrim_status sc_wizard_fail_memory(scrim_error *error);

/* Does the draft have a line of that key? */
bool sc_wizard_has(const sc_wizard *wizard, const char *key);

/* The draft with one line more, settled. It gets a unit and bounds if it has none, which every policy
 * needs and which are asked for later. */
SCRIM_MUST_USE scrim_status sc_wizard_draft_with(const sc_wizard *wizard, const char *key,
                                                 const char *value, sc_policy_draft *out,
                                                 scrim_error *error);

/* The same as text, checked. The caller frees it, also after a failure. */
SCRIM_MUST_USE scrim_status sc_wizard_try(const sc_wizard *wizard, const char *key,
                                          const char *value, char **text,
                                          scrim_error *error);

/* Takes the line, or says what is wrong with it. Only a lack of memory is a failure. */
SCRIM_MUST_USE scrim_status sc_wizard_offer(sc_wizard *wizard, const char *key,
                                            const char *value, bool *is_taken,
                                            scrim_error *error);

/* Asks until the prefix and the answer make a right value for the key. An empty answer leaves an
 * optional line out. */
SCRIM_MUST_USE scrim_status sc_wizard_ask(sc_wizard *wizard, const char *prompt,
                                          const char *key, const char *prefix,
                                          bool is_optional, scrim_error *error);

#endif
