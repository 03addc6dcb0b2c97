/* `scrim local decode --joint`: a table of two variables of the same devices. */
#ifndef SC_CLI_JOINT_DECODE_H
#define SC_CLI_JOINT_DECODE_H

#include "cli/terminal/options.h"

/* Names of the values, or candidate texts, of both variables; counts are 0 where no file was named. */
typedef struct sc_joint_names {
    char *const *names[2];
    size_t counts[2];
} sc_joint_names;

/* --config and --joint name the configurations; the words behind the subcommand a file of reports of each, by
 * the same devices in the same order. */
SCRIM_MUST_USE scrim_status sc_joint_decode_show(const sc_joint_names *names,
                                                 const sc_options *options,
                                                 scrim_error *error);

#endif
