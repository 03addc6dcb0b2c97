/* A source read record by record, as it stands and before any rule: for the owner's own check and
 * for nothing else. The engine reads batches (table.h) of the values that count; this is slower, and
 * sees the rest too.
 *
 * Claim  raw_record.same  the records that are whole, and the bytes of their values, are those that
 *                         batches are made of; for any number of workers
 */
#ifndef SC_DATA_RAW_RECORDS_H
#define SC_DATA_RAW_RECORDS_H

#include "data/source/source.h"
#include "data/value/column.h"
#include "random/private_pages.h"
#include "scrim/feed.h"
#include "scrim/inspection.h"

#include <stdatomic.h>

/* Reads all of the source that the schema names, or of the frame, unless that is NULL. stamp is what it was when it was opened, and
 * before the number of the header: records are numbered from there on. SCRIM_E_INPUT,
 * SCRIM_E_MEMORY, SCRIM_E_PARAM when no source is named, or what the reader answers. */
SCRIM_MUST_USE scrim_status sc_raw_records_read(const sc_schema *schema,
                                                const scrim_frame *frame,
                                                const sc_raw_reader *reader,
                                                sc_source_stamp *stamp, uint64_t *before,
                                                scrim_error *error);

/* How far the reading is, and where: what all that read records this way tell and refuse alike. */
typedef struct sc_raw_watch {
    void (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: none */
    int (*is_cancelled)(void *context); /* by the caller's thread; or NULL */
    void *context;
    sc_source_stamp stamp; /* for sc_raw_records_read to fill in */
    atomic_uint_fast64_t bytes;
    sc_process_mark here;
} sc_raw_watch;

/* SCRIM_E_MEMORY; cleared in any case. */
SCRIM_MUST_USE scrim_status sc_raw_watch_init(sc_raw_watch *watch, scrim_error *error);
void sc_raw_watch_clear(sc_raw_watch *watch);
/* Behind each piece; the caller's own thread tells progress. SCRIM_E_STATE in a process that has
 * forked from the one that reads, and where it is cancelled. */
SCRIM_MUST_USE scrim_status sc_raw_watch_ended(sc_raw_watch *watch, bool is_own_thread,
                                               uint64_t bytes, scrim_error *error);

/* Findings about one value of a source: why it is not, or not quite, what the engine counts. The
 * reading itself is field.h's; here the reason is told, for the owner's own check.
 *
 * Claim  oddity.total  a value is read exactly when field.h reads it, and with the same place;
 *                      for every value that is not read, and every one that is moved, there is
 *                      one reason
 */

#define SC_ODDITY_DATE_FORMS 7

/* A column with what looking at it needs; init copies the column, whose keys it borrows. */
typedef struct sc_oddity_eye {
    const sc_column *column;
    sc_column wide;                           /* of dates: the whole calendar */
    sc_column plain, plain_wide;              /* the same for values in no form */
    int64_t *keys;                            /* of another type than text: in order */
    sc_column_key *folded;                    /* of texts: LOWER(TRIM(key)), in order */
    char *room;                               /* what these are views of */
    sc_cell_form forms[SC_ODDITY_DATE_FORMS]; /* of dates */
} sc_oddity_eye;

SCRIM_MUST_USE scrim_status sc_oddity_eye_init(sc_oddity_eye *eye,
                                               const sc_column *column,
                                               scrim_error *error);
void sc_oddity_eye_clear(sc_oddity_eye *eye);

/* The finding, of MISSING to ROUNDED, or that of a value in another form; READABLE when nothing
 * is odd. place is that of a value that is read, where the column has a grid. */
scrim_finding sc_oddity_of(const sc_oddity_eye *eye, const sc_raw_value *value,
                           int64_t *place);
/* Is the value, or its column's default where it is missing, not a public key? is_read and place as
 * sc_oddity_of has found them. */
bool sc_oddity_is_other_key(const sc_oddity_eye *eye, const sc_raw_value *value,
                            bool is_read, int64_t place);
/* For a text that is not a public key: is LOWER(TRIM(text)) that of one of them? */
bool sc_oddity_is_key_folded(const sc_oddity_eye *eye, const sc_raw_value *value);
/* For a date: the forms, by their place in sc_oddity_date_form, that read it, one bit each. */
unsigned sc_oddity_date_forms(const sc_oddity_eye *eye, sc_text text);
/* A form by its place; NULL past the last. */
const char *sc_oddity_date_form(size_t place);
/* Has a number that is read the declared decimal mark? With the other one it would not be read. */
bool sc_oddity_has_mark(const sc_oddity_eye *eye, const sc_raw_value *value);
/* Is it read, whatever else is odd about it? */
bool sc_oddity_is_read(scrim_finding finding);

#endif
