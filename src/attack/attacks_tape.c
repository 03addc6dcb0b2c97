#include "attack/attacks_tape.h"

#include "attack/attacks.h"
#include "ledger/ledger_tape.h"
#include "random/bits_tape.h"

scrim_status sc_attack_seeded(const char *name, const scrim_attack_options *options,
                              uint64_t seed, scrim_attack **out, scrim_error *error)
{
    sc_tape *tape = NULL;
    scrim_status status = sc_tape_seeded(seed, &tape, error);
    if (status != SCRIM_OK)
        return status;
    const sc_attack_noise noise = {sc_tape_bits_of(tape), sc_ledger_use_bits};
    status = sc_attack_run(name, options, &noise, out, error);
    sc_tape_free(tape);
    return status;
}
