#include "data/value/cell_form.h"

#include "data/value/text_list.h"

#include <string.h>

void sc_cell_form_init(sc_cell_form *form)
{
    *form = (sc_cell_form){.decimal = '.'};
}

scrim_status sc_cell_form_set_decimal(sc_cell_form *form, sc_text value,
                                      scrim_error *error)
{
    if (!sc_text_is(value, ".") && !sc_text_is(value, ","))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "decimal",
                           "the decimal mark must be . or ,");
    form->decimal = value.start[0];
    return SCRIM_OK;
}

scrim_status sc_cell_form_set_date(sc_cell_form *form, sc_text value, scrim_error *error)
{
    if (sc_date_form_parse(value, &form->date))
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "date-format",
                       "a date format needs YYYY, MM or M, and DD or D, with . / - or "
                       "blanks between them, such as DD.MM.YYYY");
}

static scrim_status add_null(sc_cell_form *form, sc_text text, sc_arena *arena,
                             scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (text.bytes == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "null",
                           "an empty cell is always missing; leave the empty text out");
    if (sc_cell_form_has_null(form, text))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "null",
                           "the text '%s' is given twice", sc_text_quote(text, quote));
    if (form->null_count == SC_CELL_FORM_NULLS)
        return sc_fail(error, SCRIM_E_LIMIT, "at most %d texts stand for missing values",
                       SC_CELL_FORM_NULLS);
    const char *copy = sc_arena_copy(arena, text.start, text.bytes);
    if (copy == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    form->nulls[form->null_count++] = (sc_text){copy, text.bytes};
    form->null_lengths |= (uint64_t)1 << (text.bytes < 63 ? text.bytes : 63);
    return SCRIM_OK;
}

scrim_status sc_cell_form_set_nulls(sc_cell_form *form, sc_text list, sc_arena *arena,
                                    scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    char *room = sc_allocate(list.bytes + 1, 1);
    form->nulls = sc_arena_allocate(arena, SC_CELL_FORM_NULLS, sizeof *form->nulls);
    if (room == NULL || form->nulls == NULL)
        status = sc_fail(error, SCRIM_E_MEMORY, "no memory");
    else if (list.bytes == 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "null",
                             "write a list of texts as TEXT,TEXT,...");
    while (status == SCRIM_OK && list.bytes > 0) {
        sc_text item;
        status = sc_text_list_take(&list, room, &item)
                     ? add_null(form, item, arena, error)
                     : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "null",
                                   "write texts as TEXT,TEXT,...; put a text that "
                                   "contains a comma in double quotes");
    }
    sc_free(room);
    return status;
}

bool sc_cell_form_point(const sc_cell_form *form, sc_text *text, char *room)
{
    if (form->decimal == '.' || text->bytes == 0)
        return true;
    if (memchr(text->start, '.', text->bytes) != NULL)
        return false;
    if (memchr(text->start, form->decimal, text->bytes) == NULL)
        return true;
    memcpy(room, text->start, text->bytes);
    for (size_t i = 0; i < text->bytes; i++)
        if (room[i] == form->decimal)
            room[i] = '.';
    text->start = room;
    return true;
}

bool sc_cell_form_has_null(const sc_cell_form *form, sc_text text)
{
    for (size_t i = 0; i < form->null_count; i++)
        if (sc_text_equal(form->nulls[i], text))
            return true;
    return false;
}
