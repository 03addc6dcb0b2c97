/* All attacks, by name, from any source of bits. */
#ifndef SC_ATTACK_ATTACKS_H
#define SC_ATTACK_ATTACKS_H

#include "attack/attack_scene.h"

/* As scrim_attack_run. */
SCRIM_MUST_USE scrim_status sc_attack_run(const char *name,
                                          const scrim_attack_options *options,
                                          const sc_attack_noise *noise,
                                          scrim_attack **out, scrim_error *error);

#endif
