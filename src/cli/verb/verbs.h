/* The verbs, one file each. A verb that is added adds its line to the table in
 * verbs.c. */
#ifndef SC_CLI_VERBS_H
#define SC_CLI_VERBS_H

#include "cli/terminal/command.h"
#include "cli/terminal/output.h"
#include "scrim.h"

typedef struct sc_verb {
    const char *name;
    const char *synopsis; /* what follows the name */
    const char *summary;  /* one line */
    const char *usage;    /* the rest of the help */
    const char *more;     /* below it, or NULL: a literal has at most 4,095 characters */
    /* Its subcommands; NULL: it has no subcommands. kind, options and run are those of the form without a
     * subcommand; run is NULL if there is no such form. */
    sc_command_at *command;
    sc_command_kind kind;
    sc_option_set options; /* beyond those of the kind */
    /* Called before options are checked: may refuse one with better advice. NULL: none. */
    scrim_status (*advise)(const sc_options *options, scrim_error *error);
    /* words[0] is the verb itself. Writes to standard output; main reports a failure. */
    scrim_status (*run)(const sc_options *options, scrim_error *error);
} sc_verb;

/* A part of the map that `scrim help` shows. */
#define SC_HEADING_VERBS 12
typedef struct sc_verb_heading {
    const char *name, *summary;
    const char *example;                    /* a command that works as it stands */
    const sc_verb *verbs[SC_HEADING_VERBS]; /* ended by NULL */
} sc_verb_heading;

/* NULL past the last. */
const sc_verb_heading *sc_verb_heading_at(size_t index);
/* In the order of the help; NULL past the last. */
const sc_verb *sc_verb_at(size_t index);
/* NULL when no verb has that name. */
const sc_verb *sc_verb_find(const char *name);
/* The name of the verb that may have been meant; NULL: none is near. */
const char *sc_verb_nearest(const char *name);
/* SCRIM_E_PARAM with a message that names the verb that may have been meant. */
scrim_status sc_verb_unknown(const char *name, scrim_error *error);

/* Checks the options, and runs the verb or the subcommand that words[1] names. With --help it shows the help of
 * either; an unknown subcommand then has that of the verb. */
SCRIM_MUST_USE scrim_status sc_verb_perform(const sc_verb *verb,
                                            const sc_options *options,
                                            scrim_error *error);

/* The whole command line: takes the arguments apart, finds the verb, runs it and reports what failed. Returns the exit
 * status. */
int sc_verb_main(int argc, char **argv);

extern const sc_verb sc_verb_init, sc_verb_dataset, sc_verb_explain, sc_verb_query,
    sc_verb_shell, sc_verb_suggest, sc_verb_synth, sc_verb_body, sc_verb_run,
    sc_verb_replay, sc_verb_report, sc_verb_budget, sc_verb_ledger, sc_verb_series,
    sc_verb_audit, sc_verb_compose, sc_verb_calibrate, sc_verb_distance, sc_verb_local,
    sc_verb_microdata, sc_verb_sample, sc_verb_experiment, sc_verb_attack, sc_verb_list,
    sc_verb_errata, sc_verb_demo, sc_verb_help;

/* cmd_query.c. For a process that asks one question, whose cost a person has agreed to. */
void sc_verb_query_agree(void);

/* `scrim --help`, `scrim VERB [SUBCOMMAND] --help`; NULL is the overview. A subcommand without help of its own
 * has that of the verb. */
SCRIM_MUST_USE scrim_status sc_help_show(const sc_verb *verb, const char *subcommand,
                                         scrim_error *error);

/* help_page.c. The page of a mechanism or a distribution, by its name or one that papers use, with mechanism- or distribution-
 * before it for one of them alone; false, with nothing written: neither has that name. */
bool sc_help_page_write(sc_output *output, unsigned columns, const char *name);
/* A word of the field that is no mechanism, "zcdp": the verb that is about it, and a sentence. NULL: unknown. */
const char *sc_help_idea_verb(const char *name, const char **sentence);

#endif
