/* Reconstruction of a block of seven people from a published table: every block that the table allows.
 *
 * A person has an age from 0 to 125 and one of eight types: sex, race, married or single. Nobody below
 * 15 is married. A statistic is the number of people of some types with the sum of their ages, and
 * perhaps their median. Blocks are counted up to the order of the people.
 *
 * The search goes depth first through people sorted by age and type. Each statistic bounds the next
 * age: by its sum, since nobody who follows is younger, and by its median, since the places of the
 * middle are known.
 *
 * Claim  block-table.complete  every block that the statistics allow is counted once
 *
 * Reference  Garfinkel, Abowd, Martindale, "Understanding database reconstruction attacks on public
 *            data", 2018; spec/mechanisms.md 11.1
 */
#ifndef SC_ATTACK_BLOCK_TABLE_H
#define SC_ATTACK_BLOCK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SC_BLOCK_PEOPLE 7
#define SC_BLOCK_OLDEST 125
#define SC_BLOCK_MARRIED_FROM 15
#define SC_BLOCK_STATISTICS 8
#define SC_BLOCK_STEPS 50000000 /* no search takes more: about five seconds */

/* A type is a sum of these. */
enum { SC_BLOCK_MALE = 1, SC_BLOCK_WHITE = 2, SC_BLOCK_MARRIED = 4, SC_BLOCK_TYPES = 8 };

typedef struct sc_block_person {
    int age;
    unsigned type;
} sc_block_person;

typedef struct sc_block_statistic {
    unsigned types; /* bit t: people of type t are counted */
    int count_low, count_high;
    int sum_low, sum_high;
    int doubled_median; /* -1: not published; else count_low is count_high */
} sc_block_statistic;

typedef struct sc_block_found {
    uint64_t count;
    bool is_complete;                       /* else the search stopped at its limit */
    sc_block_person first[SC_BLOCK_PEOPLE]; /* of the first block, if there is one */
} sc_block_found;

/* At most SC_BLOCK_STATISTICS statistics. Stops after limit blocks. */
void sc_block_search(const sc_block_statistic *statistics, size_t count, uint64_t limit,
                     sc_block_found *out);

/* The bits of the types that agree with type in the bits of mask. */
unsigned sc_block_types(unsigned mask, unsigned type);

#endif
