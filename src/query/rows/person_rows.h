/* One row a person (query/language/person.h): the rows of the table are gathered by unit, all rows of a
 * unit become one, and these rows are what the statement is asked of.
 *
 * Rows are gathered as any grouping gathers them (group.h), in one group and unbounded; the groups of a
 * unit are told apart by keyed hashes of 62 bits of their keys. Keys that have the same hash are one
 * group of that unit: this depends on the unit's own rows, and happens once in 10^18 pairs.
 *
 * Claim  person-rows.exact      a unit's row is what its rows give in SQL, clamped, for any order of rows
 *                               and any number of workers
 * Claim  person-rows.own-rows   it depends on that unit's rows and the keys of hashing alone, and a unit
 *                               has one row, or none where no row of it counts
 */
#ifndef SC_QUERY_PERSON_ROWS_H
#define SC_QUERY_PERSON_ROWS_H

#include "data/source/batch.h"
#include "query/language/person.h"
#include "query/rows/group_plan.h"
#include "random/bits.h"

typedef struct sc_person_rows sc_person_rows;

typedef struct sc_person_setting {
    const sc_person *person;
    const size_t *columns; /* places in the table's schema of those that batches bring */
    size_t column_count;
    sc_group_plan plan; /* of workers, memory and hashes; the rest is set here */
    /* Takes rows that were made, of columns in the order of the person's schema; called by any worker
     * with its own number. */
    scrim_status (*give)(void *context, unsigned worker, const sc_batch *batch,
                         scrim_error *error);
    void *context;
} sc_person_setting;

/* Takes all memory that does not depend on rows. As sc_grouping_new. */
SCRIM_MUST_USE scrim_status sc_person_rows_open(const sc_person_setting *setting,
                                                sc_bits *bits, sc_person_rows **out,
                                                scrim_error *error);
/* At most SC_EXPRESSION_ROWS rows of a batch. As sc_grouping_take. */
SCRIM_MUST_USE scrim_status sc_person_rows_take(sc_person_rows *rows, unsigned worker,
                                                const sc_batch *batch, size_t from,
                                                size_t count, scrim_error *error);
/* After the last row, once: gives all rows that are made. */
SCRIM_MUST_USE scrim_status sc_person_rows_finish(sc_person_rows *rows,
                                                  scrim_error *error);
/* Wipes. NULL is allowed. */
void sc_person_rows_close(sc_person_rows *rows);

#endif
