/* A subcommand, and the kinds of commands.
 *
 * All commands of a kind take the options of that kind, which are in one table (command.c). A command lists only the
 * options that it has beyond those.
 */
#ifndef SC_CLI_COMMAND_H
#define SC_CLI_COMMAND_H

#include "cli/terminal/options.h"

#include <stddef.h>

/* The words of a command line as the one line of text that names a distribution or a
 * mechanism, "NAME key=value ...". */

/* The words with a space between them; NULL without memory. The caller frees it. */
char *sc_word_line(char *const *words, size_t count);

/* Words "key=value" by their keys. */
typedef struct sc_keyed {
    const char *key;   /* NULL ends a list */
    const char *value; /* NULL: not given */
} sc_keyed;

/* Reads words from first on until one that is not key=value, which next then is. SCRIM_E_PARAM for a key that is not
 * on the list, or is there twice. */
SCRIM_MUST_USE scrim_status sc_keyed_read(const sc_options *options, size_t first,
                                          sc_keyed *list, size_t *next,
                                          scrim_error *error);

typedef enum sc_command_kind {
    SC_COMMAND_TEXT,   /* writes text for people: help, demo; no options */
    SC_COMMAND_ACT,    /* neither opens a vault nor writes a listing */
    SC_COMMAND_LIST,   /* writes a listing */
    SC_COMMAND_PLAN,   /* lists costs or errors before a release, and draws their curve */
    SC_COMMAND_MANAGE, /* opens a vault and writes no listing */
    SC_COMMAND_LOOK,   /* lists what a vault holds; charges nothing */
    SC_COMMAND_RELEASE, /* charges a vault, and lists the answer */
    SC_COMMAND_READ, /* lists what follows from the file of a release, signature checked */
    SC_COMMAND_CHECK, /* reads such files and writes no listing */
    SC_COMMAND_KINDS
} sc_command_kind;

/* The options that every command of a kind takes. */
sc_option_set sc_command_kind_options(sc_command_kind kind);

typedef struct sc_command {
    const char *name;
    const char *synopsis; /* what follows the name */
    const char *summary;  /* one line, for the list of subcommands */
    const char *usage;    /* its help; NULL: the verb's help describes it */
    sc_command_kind kind;
    sc_option_set options; /* beyond those of the kind */
    /* words[1] is the subcommand itself. */
    scrim_status (*run)(const sc_options *options, scrim_error *error);
} sc_command;

/* The subcommands of a verb, by index; NULL past the last. */
typedef const sc_command *sc_command_at(size_t index);

/* NULL: no command has that name, or name is NULL. */
const sc_command *sc_command_find(sc_command_at *at, const char *name);
/* The subcommand that words[1] names. SCRIM_E_PARAM: it is missing or unknown. */
SCRIM_MUST_USE scrim_status sc_command_choose(sc_command_at *at,
                                              const sc_options *options,
                                              const sc_command **out, scrim_error *error);

#endif
