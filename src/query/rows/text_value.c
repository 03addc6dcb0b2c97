#include "query/rows/text_value.h"

#include "data/value/value.h"
#include "query/language/lookup.h"

bool sc_text_value_is_written(const sc_typed *typed)
{
    return typed->operation == SC_OP_LOWER || typed->operation == SC_OP_UPPER ||
           typed->operation == SC_OP_JOINED;
}

static int64_t number_at(const sc_text_rows *rows, sc_value_place place, size_t row)
{
    return place.is_column ? rows->columns[place.index].values[row]
                           : rows->scratch[place.index * SC_EXPRESSION_ROWS + row];
}

/* The text of a place on the list of a constant or of CASE. */
static sc_text listed_at(const sc_text_value *value, const sc_text_rows *rows, size_t row)
{
    const sc_typed *list = value->typed->parts[0];
    const int64_t place = number_at(rows, value->places[0], row);
    return place < 0 || place >= (int64_t)list->text_count ? sc_null_text()
                                                           : list->texts[place];
}

/* All branches are computed, and the first whose condition holds is taken. */
static sc_text chosen_at(const sc_text_value *value, const sc_text_rows *rows, size_t row)
{
    const size_t last = value->typed->count - 1;
    sc_text chosen = sc_text_value_at(value->parts[last], rows, row);
    for (size_t i = last; i > 0; i -= 2) {
        const sc_text text = sc_text_value_at(value->parts[i - 1], rows, row);
        if (number_at(rows, value->places[i - 2], row) == 1)
            chosen = text;
    }
    return chosen;
}

static sc_text first_at(const sc_text_value *value, const sc_text_rows *rows, size_t row)
{
    sc_text first = sc_null_text();
    for (size_t i = value->typed->count; i-- > 0;) {
        const sc_text text = sc_text_value_at(value->parts[i], rows, row);
        if (!sc_text_is_null(text))
            first = text;
    }
    return first;
}

sc_text sc_text_value_at(const sc_text_value *value, const sc_text_rows *rows, size_t row)
{
    const sc_typed *typed = value->typed;
    if (typed->operation == SC_OP_COLUMN)
        return rows->columns[value->column].texts[row];
    if (typed->operation == SC_OP_NULL)
        return sc_null_text();
    if (typed->operation == SC_OP_TEXT_OF)
        return listed_at(value, rows, row);
    if (typed->operation == SC_OP_CASE)
        return chosen_at(value, rows, row);
    if (typed->operation == SC_OP_COALESCE)
        return first_at(value, rows, row);
    if (typed->operation == SC_OP_LOOKUP)
        return value->parts[0] == NULL
                   ? sc_lookup_text(typed->lookup, number_at(rows, value->places[0], row))
                   : sc_lookup_text_by_text(typed->lookup,
                                            sc_text_value_at(value->parts[0], rows, row));
    const sc_text a = sc_text_value_at(value->parts[0], rows, row),
                  b = typed->count > 1 ? sc_text_value_at(value->parts[1], rows, row) : a;
    return sc_text_is_null(a) || sc_text_is_null(b)
               ? sc_null_text()
               : sc_typed_text(typed, a, b,
                               rows->rooms + value->room * SC_TEXT_RESULT_BYTES);
}
