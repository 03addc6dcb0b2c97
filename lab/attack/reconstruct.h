/* Reconstruction of a block of seven people from a published table, and of secret bits from sums.
 *
 * A person of the block has an age from 0 to 125 and one of eight types: sex, race, married or single.
 * Nobody below 15 is married. A statistic is the number of people of some types with the sum of their
 * ages, and perhaps their median. Blocks are counted up to the order of the people.
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
#ifndef LAB_ATTACK_RECONSTRUCT_H
#define LAB_ATTACK_RECONSTRUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAB_BLOCK_PEOPLE 7
#define LAB_BLOCK_MOST 12 /* people of a table of one's own */
#define LAB_BLOCK_OLDEST 125
#define LAB_BLOCK_MARRIED_FROM 15
#define LAB_BLOCK_STATISTICS 8
#define LAB_BLOCK_STEPS 50000000 /* no search takes more: about five seconds */

/* A type is a sum of these. */
enum {
    LAB_BLOCK_MALE = 1,
    LAB_BLOCK_WHITE = 2,
    LAB_BLOCK_MARRIED = 4,
    LAB_BLOCK_TYPES = 8
};

typedef struct lab_block_person {
    int age;
    unsigned type;
} lab_block_person;

typedef struct lab_block_statistic {
    unsigned types; /* bit t: people of type t are counted */
    int count_low, count_high;
    int sum_low, sum_high;
    int doubled_median; /* -1: not published; else count_low is count_high */
} lab_block_statistic;

typedef struct lab_block_found {
    uint64_t count;
    bool is_complete;                       /* else the search stopped at its limit */
    lab_block_person first[LAB_BLOCK_MOST]; /* of the first block, if there is one */
} lab_block_found;

typedef struct lab_block_question {
    const lab_block_statistic *statistics;
    size_t count;   /* at most LAB_BLOCK_STATISTICS */
    int people;     /* at most LAB_BLOCK_MOST */
    int youngest;   /* of types with the bit LAB_BLOCK_MARRIED; others begin at 0 */
    unsigned types; /* people have the types below this one */
} lab_block_question;

/* Stops after limit blocks. */
void lab_block_find(const lab_block_question *question, uint64_t limit,
                    lab_block_found *out);
/* The same for seven people. At most LAB_BLOCK_STATISTICS statistics. */
void lab_block_search(const lab_block_statistic *statistics, size_t count, uint64_t limit,
                      lab_block_found *out);

/* The bits of the types that agree with type in the bits of mask. */
unsigned lab_block_types(unsigned mask, unsigned type);

/* Linear reconstruction: secret bits from the sums of half of them at a time.
 *
 * Query j asks for the sum of the bits of all people i whose j & i has an even number of ones. Each
 * person is in exactly half of the queries, so one person changes the sums by LAB_BIT_SUMS_QUERIES / 2
 * in the l1 norm. The signs are a Hadamard matrix H, whose inverse is its transpose: the estimate of
 * bit i is 2/m sum_j H_ij y_j, with an error of deviation 2 sigma / sqrt(m) for noise of deviation
 * sigma.
 *
 * Reference  Dinur, Nissim, "Revealing information while preserving privacy", 2003; Dwork, Yekhanin,
 *            "New efficient attacks on statistical disclosure control mechanisms", 2008
 */
#define LAB_BIT_SUMS_PEOPLE 1000
#define LAB_BIT_SUMS_QUERIES 1024

/* The exact sums. Person i has the place i + 1: place 0 would be in every query. */
void lab_bit_sums_ask(const unsigned char bits[LAB_BIT_SUMS_PEOPLE],
                      int64_t sums[LAB_BIT_SUMS_QUERIES]);
/* How many bits the rounded estimates from noisy sums get right. */
int lab_bit_sums_recovered(const int64_t sums[LAB_BIT_SUMS_QUERIES],
                           const unsigned char bits[LAB_BIT_SUMS_PEOPLE]);
/* The expected share of right bits for independent noise of this deviation; 1 if it is 0. */
double lab_bit_sums_expected(double deviation);

#endif
