#include "cli/account/noise.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/word_line.h"

#include <stdlib.h>
#include <string.h>

#ifdef SCRIM_TESTING
#include "random/bits_tape.h"
#include "sampling/distribution_tape.h"

static scrim_status use_seed(sc_noise *noise, const sc_options *options,
                             scrim_error *error)
{
    SC_TRY(sc_options_tape(options, &noise->tape, error));
    sc_distribution_use_bits(noise->distribution, sc_tape_bits_of(noise->tape));
    return SCRIM_OK;
}
#endif

scrim_status sc_noise_open(char *const *words, size_t word_count,
                           const sc_options *options, sc_noise *out, scrim_error *error)
{
    (void)options; /* the installed program draws from the operating system, whatever is
                      said */
    memset(out, 0, sizeof *out);
    char *line = sc_word_line(words, word_count);
    if (line == NULL)
        return sc_out_of_memory(error, "the arguments");
    scrim_status status = scrim_distribution_parse(line, &out->distribution, error);
#ifdef SCRIM_TESTING
    if (status == SCRIM_OK)
        status = use_seed(out, options, error);
#endif
    if (status != SCRIM_OK)
        sc_noise_close(out);
    free(line);
    return status;
}

void sc_noise_close(sc_noise *noise)
{
    scrim_distribution_free(noise->distribution);
    noise->distribution = NULL;
#ifdef SCRIM_TESTING
    sc_tape_free(noise->tape);
    noise->tape = NULL;
#endif
}
