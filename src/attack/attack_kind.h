/* An attack: its name, and what it does. A new one is a constant of this kind and a line of the list in
 * attacks.c. */
#ifndef SC_ATTACK_KIND_H
#define SC_ATTACK_KIND_H

#include "attack/attack_scene.h"

typedef struct sc_attack_kind {
    scrim_attack_kind shown;
    scrim_status (*run)(const sc_attack_scene *scene, scrim_error *error);
} sc_attack_kind;

extern const sc_attack_kind sc_attack_reconstruct, sc_attack_difference,
    sc_attack_average, sc_attack_float, sc_attack_membership, sc_attack_audit,
    sc_attack_link, sc_attack_k_anonymity;

#endif
