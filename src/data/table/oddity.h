/* What is odd about one value of a source: why it is not, or not quite, what the engine counts. The
 * reading itself is field.h's; here the reason is told, for the owner's own check.
 *
 * Claim  oddity.total  a value is read exactly when field.h reads it, and with the same place;
 *                      for every value that is not read, and every one that is moved, there is
 *                      one reason
 */
#ifndef SC_DATA_ODDITY_H
#define SC_DATA_ODDITY_H

#include "data/source/raw_record.h"
#include "data/value/column.h"
#include "scrim/inspection.h"

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

/* The finding, of MISSING to ROUNDED, or that of a value in another form; READABLE when there is none. place is that of a value that is
 * read, where the column has a grid. */
scrim_finding sc_oddity_of(const sc_oddity_eye *eye, const sc_raw_value *value,
                           int64_t *place);
/* Is what counts, the value or its column's default, none of the public keys? is_read and place as
 * sc_oddity_of has found them. */
bool sc_oddity_is_other_key(const sc_oddity_eye *eye, const sc_raw_value *value,
                            bool is_read, int64_t place);
/* Of a text that is none of the public keys: is LOWER(TRIM(text)) that of one of them? */
bool sc_oddity_is_key_folded(const sc_oddity_eye *eye, const sc_raw_value *value);
/* Of a date: the forms, by their place in sc_oddity_date_form, that read it, one bit each. */
unsigned sc_oddity_date_forms(const sc_oddity_eye *eye, sc_text text);
/* A form by its place; NULL past the last. */
const char *sc_oddity_date_form(size_t place);
/* Has a number that is read the declared decimal mark? With the other one it would not be read. */
bool sc_oddity_has_mark(const sc_oddity_eye *eye, const sc_raw_value *value);
/* Is it read, whatever else is odd about it? */
bool sc_oddity_is_read(scrim_finding finding);

#endif
