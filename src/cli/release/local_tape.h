/* In the test build, --seed: devices take their random bits from a tape. */
#ifndef SC_CLI_LOCAL_TAPE_H
#define SC_CLI_LOCAL_TAPE_H

#ifdef SCRIM_TESTING
#include "random/bits_tape.h"
#endif
#include "scrim_local.h"

#include <string.h>

#ifdef SCRIM_TESTING

static inline int sc_local_tape_fill(void *context, void *out, size_t bytes)
{
    uint8_t *at = out;
    while (bytes > 0) {
        uint64_t word = 0;
        const size_t some = bytes < sizeof word ? bytes : sizeof word;
        if (sc_bits_word(sc_tape_bits_of(context), &word, NULL) != SCRIM_OK)
            return 1;
        memcpy(at, &word, some);
        at += some;
        bytes -= some;
    }
    return 0;
}

static inline scrim_local_source sc_local_tape_source(sc_tape *tape)
{
    return (scrim_local_source){sc_local_tape_fill, tape};
}

#endif

#endif
