/* The source of a pass: opened, sized and compared with its version before the charge, and compared again when all rows are read.
 *
 * A version has a seal: size and modification time, which are compared first, and a digest of all bytes, which is known only after they
 * were read. Any difference is reported by the same message, whatever has shown it.
 */
#ifndef SC_QUERY_PASS_SOURCE_H
#define SC_QUERY_PASS_SOURCE_H

#include "data/table/source_seal.h"
#include "data/table/table.h"
#include "query/rows/pass_size.h"

/* All of it public, and borrowed as long as the pass. */
typedef struct sc_pass_options {
    unsigned workers;                /* 0: one a processor */
    bool is_pushed;                  /* rows come by sc_pass_take, */
    uint64_t rows_upper;             /* and are not more than these, if that is known */
    const struct scrim_frame *frame; /* rows that are there; NULL: those of the source */
    size_t memory_bytes;             /* of the rows of units; 0: as group.h says */
    const sc_source_seal *contents;  /* what the source must be; NULL: anything */
    const sc_source_key *contents_key;
    /* Set to true if the source is not that of contents, or was changed while it was read: the caller then closes
     * the version (vault/vault_key.h). NULL if contents is NULL. */
    bool *is_changed;
    void (*progress)(void *context, uint64_t done,
                     uint64_t total); /* in bytes; or NULL */
    /* by the caller's own thread, before each of its batches; or NULL */
    int (*is_cancelled)(void *context);
    void *context;
} sc_pass_options;

typedef struct sc_pass_source {
    sc_batch_request request; /* of the table, for as long as it is open */
    const sc_pass_options *options;
    sc_table *table;        /* NULL: rows are pushed */
    sc_pass_size size;      /* of the table that is open */
    sc_pass_size keys_size; /* the same for keys, which all who finish a release share */
    sc_source_stamp origin; /* of the file that pushed rows are from, */
    sc_content_file *origin_file; /* and the memory to read it in; NULL: no such file */
} sc_pass_source;

/* request has the schema, the columns and the key of hashes; they and the options are borrowed. SCRIM_E_INPUT, SCRIM_E_LIMIT,
 * SCRIM_E_MEMORY. sc_pass_source_close also after a failure. */
SCRIM_MUST_USE scrim_status sc_pass_source_open(sc_pass_source *source,
                                                const sc_batch_request *request,
                                                const sc_pass_options *options,
                                                scrim_error *error);
/* After the last row. status and *found are those of reading. A changed source sets options->is_changed. */
SCRIM_MUST_USE scrim_status sc_pass_source_end(const sc_pass_source *source,
                                               scrim_status status, scrim_error *found,
                                               scrim_error *error);
/* A zeroed source is allowed. */
void sc_pass_source_close(sc_pass_source *source);

#endif
