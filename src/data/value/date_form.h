/* How a date is written in the cells of a source, by what the owner declares:
 *
 *     DD.MM.YYYY   MM/DD/YYYY   D.M.YYYY   YYYYMMDD
 *
 * YYYY has four digits, MM and DD have two, M and D have one or two. Each of the three occurs once.
 * Points, slashes, hyphens and blanks between them stand for themselves. M and D are not in front
 * of another number, since nobody could tell where they end. A year of two digits has no form.
 *
 * Claim  date-form.total  a form reads a text exactly when the text is a date that exists, written so
 */
#ifndef SC_DATA_DATE_FORM_H
#define SC_DATA_DATE_FORM_H

#include "base/text.h"

#define SC_DATE_FORM_BYTES 16

typedef struct sc_date_form {
    char text[SC_DATE_FORM_BYTES];
    unsigned char bytes;
} sc_date_form;

/* False, with form untouched, for a text that is none. */
bool sc_date_form_parse(sc_text text, sc_date_form *form);
/* Takes a date off the front of text, as days from 1970-01-01; false when none is there. */
bool sc_date_form_take(const sc_date_form *form, sc_text *text, int64_t *day);
/* Writes a day so, M and D as short as they are, and a terminator: at most SC_DATE_FORM_TEXT bytes. */
#define SC_DATE_FORM_TEXT (2 * SC_DATE_FORM_BYTES + 1)
void sc_date_form_put(const sc_date_form *form, int64_t day, char *text);

#endif
