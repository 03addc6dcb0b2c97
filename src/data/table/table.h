/* The seam between sources and the engine: a table hands out batches of rows to workers.
 *
 *     sc_table_open(&request, &table, &error);
 *     sc_table_scan(table, 0, take, contexts, &error);      // take(contexts[w], batch, &error)
 *     sc_table_close(table);
 *
 * Which rows are in which batch depends on the source,
 * never on the number of workers; in which order batches come, and to whom, is not defined. So
 * results must depend on neither.
 *
 * Once a table is open nothing fails because of a row. SCRIM_E_INPUT tells of the source as a
 * whole: it cannot be read, lacks a column, was changed meanwhile.
 *
 * Claim  table.fork  in a child made by fork or clone a table is not read: SCRIM_E_STATE (A78)
 */
#ifndef SC_DATA_TABLE_H
#define SC_DATA_TABLE_H

#include "base/workers.h"
#include "data/source/batch.h"
#include "data/source/source_content.h"
#include "data/value/schema.h"

typedef struct sc_table sc_table;

/* Opens the source that the request's schema names, or its frame, and holds its columns against the schema: all
 * that are declared must be there, once. request is copied, with the list of its columns.
 * SCRIM_E_PARAM when the schema names no source, SCRIM_E_INPUT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_table_open(const sc_batch_request *request,
                                          sc_table **table, scrim_error *error);
void sc_table_close(sc_table *table);
sc_source_stamp sc_table_stamp(const sc_table *table);
/* The digest of all bytes that rows were made of, after a scan with the content_key of the request. */
sc_source_content sc_table_content(const sc_table *table);
/* The bytes of the source that are read or being read, for progress; 0 where they are not counted. */
uint64_t sc_table_read_bytes(const sc_table *table);

/* Bytes that a worker takes of the source at once; 0 where the source does not count bytes. */
size_t sc_table_piece_bytes(const sc_table *table);

/* How many workers there are when none are asked for: one a processor. */
unsigned sc_table_workers(void);

/* Takes the memory that `workers` workers need to read, before sc_table_scan. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_table_prepare(sc_table *table, unsigned workers,
                                             scrim_error *error);

typedef scrim_status sc_table_take(void *context, const sc_batch *batch,
                                   scrim_error *error);
/* Hands every batch to take, once, with the context of the worker that has it: one of
 * contexts[0] to contexts[workers - 1]. Each worker is a thread but for the first, which is the
 * caller's; fewer go when threads are not to be had. The first failure ends all. A table is
 * scanned once. */
SCRIM_MUST_USE scrim_status sc_table_scan(sc_table *table, unsigned workers,
                                          sc_table_take *take, void *const *contexts,
                                          scrim_error *error);

/* The columns that a source says it has, held against those that are declared. Of the source the
 * header is read, which is public, and no row.
 *
 * Claim  source_header.declared  a source that lacks the unit or a declared column is refused when
 *                                it is declared, not when it is asked
 * Claim  source_header.hint      what the header looks like is told in a message, and decides nothing
 */

/* SCRIM_E_INPUT when the header of a file, or the table of a database, cannot be read or lacks a
 * column. Where it lacks one, and is a single column with another separator in it, the reason is
 * SCRIM_REASON_MISSING and the parameter the line of the policy that may be meant: "separator=;".
 * A stream is not looked at. */
SCRIM_MUST_USE scrim_status sc_source_header_check(const sc_schema *schema,
                                                   scrim_error *error);
/* The names in the header of a CSV file, or of the columns of a database's table, that can be
 * declared, one a line; freed by sc_free. SCRIM_E_PARAM for another source. */
SCRIM_MUST_USE scrim_status sc_source_header_names(const sc_schema *schema, char **out,
                                                   scrim_error *error);
/* The names of the tables of a database, one a line; freed by sc_free. The schema's own table need not be
 * among them. SCRIM_E_PARAM for another source. */
SCRIM_MUST_USE scrim_status sc_source_header_tables(const sc_schema *schema, char **out,
                                                    scrim_error *error);

#endif
