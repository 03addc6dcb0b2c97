/* Whatever bytes parse as a number must print, and the print must parse to the same
 * number. */
#include "base/number/ratio.h"
#include "corpus.h"

#include <string.h>

FUZZ(ratio)
{
    char text[SC_RATIO_TEXT_BYTES], again[SC_RATIO_TEXT_BYTES];
    scrim_error error = {.status = SCRIM_OK};
    sc_ratio x, y;
    sc_ratio_init(&x);
    sc_ratio_init(&y);
    const sc_text given = {(const char *)bytes, count};
    const scrim_status status = sc_ratio_parse(given, &x, &error);
    if (status != SCRIM_OK) {
        CHECK_STATUS(error.status, status);
        CHECK(error.message[0] != '\0');
        CHECK(sc_ratio_sign(&x) == 0);
    } else {
        const size_t length = sc_ratio_format(&x, text, sizeof text);
        CHECK(length < sizeof text && length == strlen(text));
        CHECK_STATUS(sc_ratio_parse(sc_text_of(text), &y, NULL), SCRIM_OK);
        CHECK(sc_ratio_compare(&x, &y) == 0);
        /* Printed text is canonical: it prints as itself. */
        CHECK_INT(sc_ratio_format(&y, again, sizeof again), length);
        CHECK_STR(again, text);
    }
    sc_ratio_clear(&y);
    sc_ratio_clear(&x);
}
