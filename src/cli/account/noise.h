/* A distribution opened for drawing by a verb. In the test build, and only there, its
 * bits come from a chosen seed. */
#ifndef SC_CLI_NOISE_H
#define SC_CLI_NOISE_H

#include "cli/terminal/options.h"
#include "scrim.h"

typedef struct sc_noise {
    scrim_distribution *distribution;
#ifdef SCRIM_TESTING
    struct sc_tape *tape;
#endif
} sc_noise;

/* Opens the distribution that these words name together, "NAME" "key=value" and so on. */
SCRIM_MUST_USE scrim_status sc_noise_open(char *const *words, size_t word_count,
                                          const sc_options *options, sc_noise *out,
                                          scrim_error *error);
void sc_noise_close(sc_noise *noise);

#endif
