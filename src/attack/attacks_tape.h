/* Attacks of test builds: see random/bits_tape.h. */
#ifndef SC_ATTACK_ATTACKS_TAPE_H
#define SC_ATTACK_ATTACKS_TAPE_H

#ifndef SCRIM_TESTING
#error "attacks_tape.h is for test builds"
#endif

#include "scrim/attack.h"

/* scrim_attack_run from a seed: NOT PRIVATE, and then nothing here is. */
SCRIM_MUST_USE scrim_status sc_attack_seeded(const char *name,
                                             const scrim_attack_options *options,
                                             uint64_t seed, scrim_attack **out,
                                             scrim_error *error);

#endif
