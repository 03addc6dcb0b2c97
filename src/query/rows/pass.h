/* The pass of statements over the table they ask about: rows are read, conditions, keys and values
 * are computed a block of rows at a time, and all of it is brought together by unit and group.
 *
 *     sc_pass_open(schema, statements, count, &options, bits, &pass, &error);
 *     // here it is charged: the source is open, the memory is had, no row was looked at
 *     sc_pass_run(pass, &error);
 *     groups = sc_pass_groups(pass, 0);
 *     sc_pass_close(pass);
 *
 * Where rows are pushed there is no source to read, and in place of the run each worker hands over its
 * batches, in any order:
 *
 *     sc_pass_take(pass, worker, batch, &error);
 *     sc_pass_finish(pass, &error);
 *
 * All statements share one scan; each of them gives what it would give alone. No row is left out for
 * what it lacks (batch.h). A row in which a column with public keys holds something else belongs to no
 * group, also where other keys of the statement are discovered; NULL is a key like another.
 *
 * The results are exact and not private: only what a mechanism makes of them may be shown. Once
 * rows are read only memory can fail, or the source as a whole.
 *
 * Claim  pass.exact      groups, counts and sums are what evaluating the query row by row in
 *                        rational arithmetic gives, bounded by unit
 * Claim  pass.any-order  they are the same for any order of rows and any number of workers (A16,
 *                        A17)
 * Claim  pass.version    no groups come of bytes that are not those of contents, whatever was done to the file
 *                        and when; the words are the same (A107)
 * Claim  pass.whole      a statement without keys has one group, and one with public keys has all
 *                        of them, whatever rows there are (A55)
 */
#ifndef SC_QUERY_PASS_H
#define SC_QUERY_PASS_H

#include "query/rows/pass_source.h"
#include "random/bits.h"

/* All of it public, and borrowed as long as the pass. */
typedef struct sc_pass_statement {
    const sc_query *query;
    const sc_statistics *statistics; /* their values are summed and listed */
    sc_bounds bounds;                /* whole */
    sc_cut_plan cut; /* units that are counted by the rows that bounds leave out */
    bool has_keys;   /* public ones; of a query without GROUP BY, whatever stands here */
    const sc_text *keys; /* tuples (key_tuple.h), distinct */
    size_t key_count;
    /* By value: the width of buckets whose rows are counted in place of a list; 0: none. NULL: of
     * none. */
    const int64_t *bar_widths;
    /* Gets each row that stays, in place of lists (group_plan.h); NULL: lists. A query without GROUP BY. */
    scrim_status (*keep)(void *keeper, unsigned worker, const struct sc_cell_plan *plan,
                         const struct sc_unit_row *row, scrim_error *error);
    void *keeper;
} sc_pass_statement;

typedef struct sc_pass sc_pass;

/* Draws the keys of hashes and of bounding from bits, opens the source, compiles. SCRIM_E_INPUT
 * when the source cannot be used or, by size and time, is not that of contents; SCRIM_E_LIMIT, SCRIM_E_ENTROPY,
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_pass_open(const sc_schema *schema,
                                         const sc_pass_statement *statements,
                                         size_t count, const sc_pass_options *options,
                                         sc_bits *bits, sc_pass **out,
                                         scrim_error *error);
/* The most memory that the pass takes from when it was opened, by what is public: its statements,
 * the memory that was asked for, and the size that is declared of the source (pass_size.h). Only
 * one unit with very many rows, or lists of more than SC_GROUP_MEMORY_BYTES where rows have fewer than
 * 8 bytes in the source, may take more. */
size_t sc_pass_room_bytes(const sc_pass *pass);
/* How many rows the source can have, by its declared size; how many that differ from each other; and how many in which each
 * column that is read has a value. */
size_t sc_pass_most_rows(const sc_pass *pass);
size_t sc_pass_most_different_rows(const sc_pass *pass);
size_t sc_pass_most_full_rows(const sc_pass *pass);
/* Reads all rows, once. SCRIM_E_MEMORY, SCRIM_E_INPUT; where its bytes are not those of contents there are no
 * groups. */
SCRIM_MUST_USE scrim_status sc_pass_run(sc_pass *pass, scrim_error *error);
/* For rows that are pushed: what a batch must have, as long as the pass; how many workers there are; a
 * batch of one of them, several of whom go at once; and the end. SCRIM_E_MEMORY; SCRIM_E_INPUT where
 * the file that the rows are said to be from was changed meanwhile. */
const sc_batch_request *sc_pass_request(const sc_pass *pass);
unsigned sc_pass_workers(const sc_pass *pass);
SCRIM_MUST_USE scrim_status sc_pass_take(sc_pass *pass, unsigned worker,
                                         const sc_batch *batch, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_pass_finish(sc_pass *pass, scrim_error *error);
/* After the run, and as long as the pass: the groups of a statement. Public keys in the order in
 * which they were given, one empty key without GROUP BY, discovered ones in bytewise order. */
const sc_groups *sc_pass_groups(const sc_pass *pass, size_t statement);
/* After the run, and as long as the pass: how many units are in each cell of a statement's cut. */
void sc_pass_cut(const sc_pass *pass, size_t statement, uint64_t out[SC_CUT_CELLS]);
/* The number of parts that discovered keys are split into if memory does not hold all of them: then
 * sc_pass_groups gives no group. 0 if they are not split (group.h). */
size_t sc_pass_parts(const sc_pass *pass, size_t statement);
/* In which part the group of a key is. */
size_t sc_pass_part_of(const sc_pass *pass, size_t statement, sc_text key);
/* The groups of a part, in bytewise order, until the next call. SCRIM_E_MEMORY, SCRIM_E_ENTROPY. */
SCRIM_MUST_USE scrim_status sc_pass_part(sc_pass *pass, size_t statement, size_t part,
                                         sc_groups *groups, scrim_error *error);
/* Wipes what was read. NULL is allowed. */
void sc_pass_close(sc_pass *pass);

#endif
