/* The descriptor of a source of rows: a constant of functions. csv.c and sqlite_source.c have one
 * each; sources.h lists them. */
#ifndef SC_DATA_SOURCE_H
#define SC_DATA_SOURCE_H

#include "data/source/batch.h"
#include "data/source/raw_record.h"
#include "data/value/source_kind.h"

struct sc_csv_header;

typedef struct sc_source {
    const sc_source_kind *kind;
    /* state is the source's own; SCRIM_E_INPUT when it cannot be used. */
    scrim_status (*state_new)(const sc_batch_request *request, void **state,
                              scrim_error *error);
    void (*state_free)(void *state);
    sc_source_stamp (*stamp)(const void *state);
    /* The digest of all bytes, once all rows are read; NULL where the source is no file. */
    sc_source_content (*content)(const void *state);
    /* The digest and the stamp of a file, without its rows. */
    scrim_status (*content_read)(const sc_schema *schema, const sc_source_key *key,
                                 const sc_content_watch *watch, sc_source_stamp *stamp,
                                 sc_source_content *content, scrim_error *error);
    /* How many bytes were handed out so far; NULL where they are not counted. Any thread may call it. */
    uint64_t (*read_bytes)(const void *state);
    /* A worker belongs to one thread at a time, and several go at once. */
    scrim_status (*worker_new)(void *state, void **worker, scrim_error *error);
    void (*worker_free)(void *worker);
    /* The next batch, which stays until the next call, or NULL at the end. */
    scrim_status (*next)(void *worker, const sc_batch **batch, scrim_error *error);
    /* Hands all records, as they stand, to a reader: for the owner's check. */
    scrim_status (*raw_read)(const sc_schema *schema, const sc_raw_reader *reader,
                             sc_source_stamp *stamp, scrim_error *error);
    /* The names of the columns, of a file; NULL where opening it holds them against the schema's. */
    scrim_status (*header_read)(const sc_schema *schema, struct sc_csv_header *header,
                                scrim_error *error);
    /* The names of the columns that can be declared, one a line, freed by sc_free; NULL where
     * header_read has them. */
    scrim_status (*names_read)(const sc_schema *schema, char **out, scrim_error *error);
    /* The names of the tables that can be declared, likewise; NULL where there are none. */
    scrim_status (*tables_read)(const sc_schema *schema, char **out, scrim_error *error);
    uint64_t header_records; /* records in front of the first row */
    size_t
        piece_bytes; /* what a worker takes at once; 0 where rows are read one by one */
} sc_source;

#endif
