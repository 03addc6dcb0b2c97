/* `scrim local decode` of reports that cannot be added up: of texts (rappor with a Bloom filter, text-hashing,
 * prefix), and of two variables of the same devices (--joint). */
#ifndef SC_CLI_TEXT_DECODE_H
#define SC_CLI_TEXT_DECODE_H

#include "cli/terminal/options.h"
#include "scrim_local.h"

/* `scrim local decode` of protocols of texts: rappor with a Bloom filter, text-hashing, prefix. */

typedef struct sc_text_request {
    char *const *names; /* candidates */
    size_t name_count;
    size_t top;   /* number of rows; 0: all */
    double alpha; /* 1 - confidence */
    bool is_rate;
} sc_text_request;

bool sc_text_decode_is_for(const scrim_local_config *config);
SCRIM_MUST_USE scrim_status sc_text_decode_show(const scrim_local_config *config,
                                                const sc_text_request *request,
                                                const sc_options *options,
                                                scrim_error *error);

/* `scrim local decode --joint`: a table of two variables of the same devices. */

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
