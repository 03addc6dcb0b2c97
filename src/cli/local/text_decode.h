/* `scrim local decode` of protocols of texts: rappor with a Bloom filter, text-hashing, prefix. */
#ifndef SC_CLI_TEXT_DECODE_H
#define SC_CLI_TEXT_DECODE_H

#include "cli/terminal/options.h"
#include "scrim_local.h"

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

#endif
