#include "distance/place_number.h"

#include <stdio.h>

const char *sc_place_name(const sc_place_where *at, char text[SC_PLACES_WHERE_BYTES])
{
    if (at->from->name == NULL)
        snprintf(text, SC_PLACES_WHERE_BYTES, "%s %zu", at->what, at->index + 1);
    else
        snprintf(text, SC_PLACES_WHERE_BYTES, "'%.120s', line %zu", at->from->name,
                 at->from->lines == NULL ? at->index + 1 : at->from->lines[at->index]);
    return text;
}

scrim_status sc_place_number(const sc_place_where *at, sc_text text, sc_ratio *out,
                             scrim_error *error)
{
    scrim_error inner;
    char quote[SC_TEXT_QUOTE_BYTES], place[SC_PLACES_WHERE_BYTES];
    const scrim_status status = sc_ratio_parse(sc_text_trim(text), out, &inner);
    if (status == SCRIM_OK)
        return SCRIM_OK;
    sc_place_name(at, place);
    if (status == SCRIM_E_LIMIT)
        return sc_fail_again(error, status, &inner, "%s: %s", place, inner.message);
    return sc_fail(error, SCRIM_E_INPUT, "%s: '%s' is not a number; write 1, 0.1 or 1/3",
                   place, sc_text_quote(text, quote));
}
