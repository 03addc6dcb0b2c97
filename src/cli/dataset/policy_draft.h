/* A policy on its way into the vault: lines "key=value", put together from a file, from options and
 * from answers, in that order. What is said later replaces what was said earlier about the same
 * thing; said twice in one breath it is a mistake.
 *
 * Whether the lines mean anything is for the library to say; here they are kept apart, so that no
 * value can become a line of its own.
 */
#ifndef SC_CLI_POLICY_DRAFT_H
#define SC_CLI_POLICY_DRAFT_H

#include "cli/terminal/options.h"

typedef struct sc_draft_line {
    char *key, *value;
    unsigned breath;
} sc_draft_line;

typedef struct sc_policy_draft { /* begins as zeros */
    sc_draft_line *lines;
    size_t count, room;
    unsigned breath;
} sc_policy_draft;

void sc_policy_draft_clear(sc_policy_draft *draft);

/* From here on a line replaces one about the same thing: the same key and, for columns, keys,
 * missing values and shares, the same name behind it. */
void sc_policy_draft_breathe(sc_policy_draft *draft);
/* One line. rows-per-unit replaces earlier bounds of rows, and is replaced by them. SCRIM_E_PARAM when it was said in this
 * breath already, or when value cannot stand on a line; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_policy_draft_put(sc_policy_draft *draft, const char *key,
                                                const char *value, scrim_error *error);
/* The lines of a policy's text: comments are passed over, and so is what the vault writes itself.
 * SCRIM_E_SYNTAX for an invalid line. */
SCRIM_MUST_USE scrim_status sc_policy_draft_read(sc_policy_draft *draft, const char *text,
                                                 size_t bytes, scrim_error *error);
/* Does it say all bounds that its unit needs? */
bool sc_policy_draft_is_bounded(const sc_policy_draft *draft);
/* Puts in those that are missing, as 1. */
SCRIM_MUST_USE scrim_status sc_policy_draft_bound(sc_policy_draft *draft,
                                                  scrim_error *error);
/* The policy that a dataset has. Bounds that an earlier version left out are put in as the 1 that
 * they mean. */
SCRIM_MUST_USE scrim_status sc_policy_draft_load(sc_policy_draft *draft,
                                                 scrim_vault *vault, const char *name,
                                                 scrim_error *error);
/* The options of `scrim dataset add`. --cap none, --quantum none and --null '' take it away. */
SCRIM_MUST_USE scrim_status sc_policy_draft_take(sc_policy_draft *draft,
                                                 const sc_options *options,
                                                 scrim_error *error);
/* Makes it good everywhere: the path of a source becomes absolute, keys=NAME=@FILE the keys that
 * stand in the file, one a line, join=NAME=COLUMN=@FILE the public table in it. SCRIM_E_INPUT when that cannot be read. */
SCRIM_MUST_USE scrim_status sc_policy_draft_settle(sc_policy_draft *draft,
                                                   scrim_error *error);

/* The value of the first line with that key; NULL when no line has it. */
const char *sc_policy_draft_get(const sc_policy_draft *draft, const char *key);
void sc_policy_draft_remove(sc_policy_draft *draft, const char *key);

/* Takes away the lines of a public table that is joined; false: no such table is joined. */
bool sc_policy_draft_unjoin(sc_policy_draft *draft, const char *table);

/* Does a line of that key say the source of the rows, by the name of a file? */
bool sc_policy_draft_is_file(const char *key);
/* Has it a source that scrim reads by itself? Others are pushed. */
bool sc_policy_draft_is_read(const sc_policy_draft *draft);
/* The key of that line; NULL when no line says it. */
const char *sc_policy_draft_source(const sc_policy_draft *draft);
/* Takes away what goes with another source than the one that the options name. */
void sc_policy_draft_forget(sc_policy_draft *draft, const sc_options *options);
/* Lines about the columns that the options leave out ("--column NAME=none") are removed. SCRIM_E_PARAM where the
 * draft has no such column. */
SCRIM_MUST_USE scrim_status sc_policy_draft_leave_out(sc_policy_draft *draft,
                                                      const sc_options *options,
                                                      scrim_error *error);

/* The text, in the order of the options; the caller frees it. NULL without memory. Lines
 * that say none are left out: column=NAME=none, keys=NAME= and null=. */
char *sc_policy_draft_text(const sc_policy_draft *draft);
/* The same with comments for people. */
void sc_policy_draft_write(const sc_policy_draft *draft, sc_output *output);

#endif
