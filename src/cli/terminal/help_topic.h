/* The help of one subcommand of a verb, which `scrim help VERB SUBCOMMAND` shows. */
#ifndef SC_CLI_HELP_TOPIC_H
#define SC_CLI_HELP_TOPIC_H

typedef struct sc_help_topic {
    const char *name;
    const char *synopsis; /* what follows the name */
    const char *summary;  /* one line, for the list of subcommands */
    const char *usage;    /* the rest */
} sc_help_topic;

#endif
