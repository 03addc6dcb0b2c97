/* Sources of rows: their descriptors, and raw records for the owner's check. sources.c lists all
 * sources: another format adds its descriptor and a line there. */
#ifndef SC_DATA_SOURCE_H
#define SC_DATA_SOURCE_H

#include "base/workers.h"
#include "data/source/batch.h"
#include "data/source/source_content.h"
#include "data/value/schema.h"
#include "data/value/source_kind.h"

/* A record of a source as it stands, before any rule, and who looks at it. raw_records.h reads them. */

typedef enum sc_raw_kind {
    SC_RAW_TEXT = 0, /* perhaps empty, of any length */
    SC_RAW_NULL,     /* nothing, also between two separators */
    SC_RAW_DOUBLE,   /* of a database, where the column is not declared as text */
    SC_RAW_BLOB,     /* where none is legal; or a value that no text says */
    SC_RAW_TYPED     /* the text of a typed value, written the plain way (column.h) */
} sc_raw_kind;

typedef struct sc_raw_value {
    sc_raw_kind kind;
    sc_text text; /* a view, good while the record is looked at */
    double number;
} sc_raw_value;

typedef enum sc_raw_fault {
    SC_RAW_WHOLE = 0,
    SC_RAW_FIELDS, /* not as many as the header has */
    SC_RAW_BROKEN  /* a quote out of place, or too long for a record */
} sc_raw_fault;

typedef struct sc_raw_record {
    sc_raw_fault fault;
    uint64_t piece, index;      /* which record of which piece; blank lines are counted */
    sc_raw_value unit;          /* where units are a column */
    const sc_raw_value *values; /* by column of the schema; of whole records only */
} sc_raw_record;

/* The reader of records: take is called for every record, and ended behind the last record of a
 * piece, with the number of its records and bytes. Pieces are numbered upwards, with gaps; each belongs
 * to one worker, whose context it is: contexts[0] to contexts[workers - 1]. */
typedef struct sc_raw_reader {
    scrim_status (*take)(void *context, const sc_raw_record *record, scrim_error *error);
    scrim_status (*ended)(void *context, uint64_t piece, uint64_t records, uint64_t bytes,
                          scrim_error *error);
    void *const *contexts;
    unsigned workers;
    /* The digest of a file whose bytes were read, under a key; key NULL: none is made. */
    const sc_source_key *content_key;
    sc_source_content *content;
} sc_raw_reader;

/* The descriptor of a source of rows: a constant of functions. csv.c and sqlite_source.c have one
 * each; sources.c lists them. */

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
    /* The names of the tables that can be declared, likewise; NULL for a source without tables. */
    scrim_status (*tables_read)(const sc_schema *schema, char **out, scrim_error *error);
    uint64_t header_records; /* records in front of the first row */
    size_t
        piece_bytes; /* what a worker takes at once; 0 where rows are read one by one */
} sc_source;

/* The source that a schema names. SCRIM_E_PARAM where it names none, SCRIM_E_INPUT where its rows are
 * pushed. */
SCRIM_MUST_USE scrim_status sc_source_of(const sc_schema *schema, const sc_source **out,
                                         scrim_error *error);
/* Are rows of the schema pushed? SCRIM_E_POLICY where they are not. */
SCRIM_MUST_USE scrim_status sc_source_want_pushed(const sc_schema *schema,
                                                  scrim_error *error);

#endif
