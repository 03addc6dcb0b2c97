/* A record of a source as it stands, before any rule, and who looks at it. raw_records.h reads them. */
#ifndef SC_DATA_RAW_RECORD_H
#define SC_DATA_RAW_RECORD_H

#include "base/workers.h"
#include "data/source/source_content.h"
#include "data/source/source_stamp.h"
#include "data/value/schema.h"

typedef enum sc_raw_kind {
    SC_RAW_TEXT = 0, /* perhaps empty, of any length */
    SC_RAW_NULL,     /* nothing, also between two separators */
    SC_RAW_DOUBLE,   /* of a database, where the column is not declared as text */
    SC_RAW_BLOB,     /* where none is legal; or a value that no text says */
    SC_RAW_TYPED     /* the text of a typed value, written the plain way (cell_form.h) */
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

#endif
