/* A small random world for record and replay: a policy, a question, a table and a neighbour of it.
 *
 * All of it comes from a seed. A slant says what a test wants more of: hostile cells, people in
 * many groups, one relation, some aggregates.
 */
#ifndef REPLAY_WORLD_H
#define REPLAY_WORLD_H

#include "scrim.h"

#include <stdbool.h>

enum {
    REPLAY_ROWS = 220,
    REPLAY_LINE = 200,
    REPLAY_POLICY = 3000,
    REPLAY_QUERY = 1500,
    REPLAY_STATEMENTS = 2,
    REPLAY_ANSWERS = 3 * REPLAY_STATEMENTS /* with the ladders of bounds that are found */
};

/* One record: bytes without its end, and whose it is. 1 stands for a byte of zero. */
typedef struct replay_row {
    unsigned owner;
    char line[REPLAY_LINE];
} replay_row;

typedef struct replay_table {
    replay_row rows[REPLAY_ROWS];
    size_t count;
} replay_table;

typedef enum replay_keys {
    REPLAY_ANY_KEYS,
    REPLAY_NO_KEYS,
    REPLAY_PUBLIC_KEYS,
    REPLAY_DISCOVERED
} replay_keys;

/* How the neighbour differs. */
typedef enum replay_change {
    REPLAY_ANY_CHANGE, /* by all rows of one unit */
    REPLAY_NO_CHANGE,  /* in the order of its rows alone */
    REPLAY_EMPTIED     /* the one unit there is has gone */
} replay_change;

typedef struct replay_slant {
    unsigned hostile;       /* cells in a hundred that are not what was declared */
    unsigned victim;        /* the most rows of the unit that changes; 0: 8 */
    unsigned reach;         /* max-groups and max-rows are at most this; 0: 4 */
    const char *cell;       /* each number of the unit that changes; NULL: any */
    const char *value;      /* what is summed; NULL: any */
    const char *aggregates; /* letters of the list in replay_world.c; NULL: all */
    size_t padding;         /* as in a world */
    const char *line;       /* a record of the unit that changes; NULL: any */
    replay_keys keys;
    replay_change change;
    scrim_neighbours neighbours; /* UNSET: either */
    bool with_units;             /* a column, not each row by itself */
    bool without_delta;
    bool with_joins;    /* public tables, in policy and question */
    bool with_sets;     /* one question with several sets of public keys */
    bool with_totals;   /* of all columns of numbers, else of some */
    const char *noise;  /* "laplace" or "gaussian"; NULL: any */
    const char *bounds; /* "auto"; NULL: those of the policy */
    const char *ranges; /* "age=auto", of one query; NULL: no total is found */
} replay_slant;

typedef struct replay_world {
    char path[64]; /* of the source; the caller's */
    char policy[REPLAY_POLICY];
    char queries[REPLAY_STATEMENTS][REPLAY_QUERY];
    size_t query_count;
    scrim_query_options options;
    bool has_units;
    scrim_neighbours neighbours;
    size_t padding; /* rows of other people that stand before those of both tables */
    replay_table here, there;
} replay_world;

/* Policy and question; path stays. Then the tables, as often as one likes: all of them are the same
 * contents to a policy. */
void replay_world_ask(replay_world *world, const replay_slant *slant, uint64_t seed);
void replay_world_fill(replay_world *world, const replay_slant *slant, uint64_t seed);
/* Writes a table to the path; false when that fails. */
bool replay_world_write(const replay_world *world, const replay_table *table);

#endif
