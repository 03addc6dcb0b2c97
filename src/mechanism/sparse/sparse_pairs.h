/* The neighbours that the audit of a sparse vector run looks at.
 *
 * Every query may move by up to D between neighbours, and in one direction only when the queries
 * are monotone. The family has
 *
 *   a box       all vectors of so many queries at T - D, T and T + D (fewer places, or equal
 *               queries only, where those would be too many), each moved by all combinations
 *               of -D and D, or of 0 and D
 *   long runs   1, 2, 4 .. queries that move up and are to be below, then as many as there are
 *               answers that move down (monotone: stay) and are to be above; at several heights.
 *               These are the worst that are known (spec/mechanisms.md 9.1, 9.2)
 *
 * Where answers have values and are so many that these are too many outcomes, it has instead
 *
 *   full runs   as many queries at T as there are answers, or one more in front of them that moves up:
 *               all move down (monotone: stay), or all move up. All queries lie within D of T, so that a
 *               value needs to be told apart from T - D to T + D only
 */
#ifndef SC_MECHANISM_SPARSE_PAIRS_H
#define SC_MECHANISM_SPARSE_PAIRS_H

#include "model/mechanism.h"

typedef struct sc_sparse_family {
    const sc_domain *domain; /* into which all queries are brought */
    int64_t level;
    int64_t shift;   /* D */
    int64_t height;  /* long runs are also asked this far from the level; 0: not */
    size_t queries;  /* of the box, not of long runs: 1 to SC_SPARSE_PAIR_QUERIES */
    uint64_t count;  /* answers above that a run gives */
    uint64_t length; /* queries that a run answers; 0: any number */
    uint64_t values; /* that an answer above may have; 1 where none is shown */
    bool is_monotone;
    bool is_full; /* full runs alone; values are 2 D + 1 then */
} sc_sparse_family;

#define SC_SPARSE_PAIR_QUERIES 10

/* 0 where runs that halt, which are the worst, have more outcomes than can be listed: an audit of
 * the rest would say little. */
size_t sc_sparse_pair_count(const sc_sparse_family *family);
void sc_sparse_pair(const sc_sparse_family *family, size_t index, sc_pair *out);
/* Are there too many outcomes for a box and long runs, and not for full ones with 2 D + 1 values? */
bool sc_sparse_needs_full(const sc_sparse_family *family);

#endif
