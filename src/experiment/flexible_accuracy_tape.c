#include "experiment/flexible_accuracy_tape.h"

#include "experiment/flexible_accuracy.h"
#include "random/bits_tape.h"

static scrim_status open_seeded(const void *context, uint64_t stream, void **handle,
                                scrim_error *error)
{
    const uint64_t *seed = context;
    sc_tape *tape = NULL;
    /* Far apart, so that small seeds share no stream. */
    scrim_status status =
        sc_tape_seeded(*seed + stream * UINT64_C(0x9e3779b97f4a7c15), &tape, error);
    *handle = tape;
    return status;
}

static sc_bits *bits_of_tape(void *handle)
{
    return sc_tape_bits_of(handle);
}

static void close_tape(void *handle)
{
    sc_tape_free(handle);
}

scrim_status sc_flexible_accuracy_seeded(const scrim_experiment_options *options,
                                         uint64_t seed, scrim_experiment **out,
                                         scrim_error *error)
{
    const sc_bit_streams seeded = {open_seeded, bits_of_tape, close_tape, &seed};
    return sc_flexible_accuracy_run(options, &seeded, out, error);
}
