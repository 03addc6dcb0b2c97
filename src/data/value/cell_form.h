/* How the cells of a source are written, where the owner declares that it is not the plain way:
 *
 *     decimal=,               the mark in front of decimals; '.' if left out
 *     date-format=DD.MM.YYYY  date_form.h; YYYY-MM-DD if left out
 *     null=NA,NULL,-          texts that stand for a missing value; "a,b" is one with a comma in it
 *
 * Marks of thousands are not read: under decimal=, a cell with a point in it is no number, and so is
 * one with a comma under decimal=. (the plain way). The texts are compared byte by byte, with all of
 * a cell that is not quoted, before its type is looked at; they hold for ids as well.
 *
 * Ranges, defaults, keys and questions are written the plain way whatever is declared here.
 */
#ifndef SC_DATA_CELL_FORM_H
#define SC_DATA_CELL_FORM_H

#include "base/memory.h"
#include "base/status.h"
#include "data/value/date_form.h"

#define SC_CELL_FORM_NULLS 64

typedef struct sc_cell_form {
    char decimal;      /* '.' or ',' */
    sc_date_form date; /* empty: YYYY-MM-DD */
    sc_text *nulls;    /* distinct, none of them empty */
    size_t null_count;
    uint64_t null_lengths; /* bit n: one of them has n bytes; bit 63: or more */
} sc_cell_form;

/* The plain way. */
void sc_cell_form_init(sc_cell_form *form);

/* The value of each line. They live in arena. SCRIM_E_PARAM says what is legal; SCRIM_E_LIMIT for
 * more than SC_CELL_FORM_NULLS texts; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_cell_form_set_decimal(sc_cell_form *form, sc_text value,
                                                     scrim_error *error);
SCRIM_MUST_USE scrim_status sc_cell_form_set_date(sc_cell_form *form, sc_text value,
                                                  scrim_error *error);
SCRIM_MUST_USE scrim_status sc_cell_form_set_nulls(sc_cell_form *form, sc_text list,
                                                   sc_arena *arena, scrim_error *error);

/* The text of a number with a point in front of its decimals, written to room if it has to be, which
 * has as many bytes. False when it has a point already and should not. */
bool sc_cell_form_point(const sc_cell_form *form, sc_text *text, char *room);

bool sc_cell_form_has_null(const sc_cell_form *form, sc_text text);
/* Does the text of a cell that is not quoted stand for a missing value? */
static inline bool sc_cell_form_is_null(const sc_cell_form *form, sc_text text)
{
    const size_t length = text.bytes < 63 ? text.bytes : 63;
    return __builtin_expect((form->null_lengths >> length & 1) != 0, 0) &&
           sc_cell_form_has_null(form, text);
}

#endif
