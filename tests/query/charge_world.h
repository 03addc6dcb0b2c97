/* Small random worlds for what is charged: a policy, questions with their options, and pairs of tables in which one person
 * is added, removed or replaced, with as many rows as the bounds leave, at the ends of their ranges, in one group or in several. */
#ifndef CHARGE_WORLD_H
#define CHARGE_WORLD_H

#include "replay_world.h"

typedef struct charge_world {
    replay_world base;
    uint64_t groups, rows, total; /* the bounds of a person, as far as rows can tell */
    char epsilon[24], delta[24], total_text[24], lines[200];
} charge_world;

/* A policy whose population counts by one of several rules; its path is the caller's. */
void charge_world_policy(charge_world *world, uint64_t *seed);
/* Options, and one or two statements. With is_fixed the bounds stay those of the policy. */
void charge_world_ask(charge_world *world, bool is_fixed, uint64_t *seed);
/* Both tables: the first pairs are the farthest, the others are any. */
void charge_world_fill(charge_world *world, uint64_t pair, uint64_t *seed);

/* The lines of the columns of a policy, and the account of a number. */
extern const char charge_world_columns[];
const char *charge_world_account(uint64_t number);

/* Says a question, its policy and the rows that differ, in a failed check. */
void charge_world_describe(const charge_world *world, const char *what, double truth,
                           double charge);

#endif
