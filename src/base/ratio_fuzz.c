/* Whatever bytes parse as a number must print, and the print must parse to the same
 * number. */
#include "base/ratio.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char text[SC_RATIO_TEXT_BYTES], again[SC_RATIO_TEXT_BYTES];
    scrim_error error = {.status = SCRIM_OK};
    sc_ratio x, y;
    sc_ratio_init(&x);
    sc_ratio_init(&y);
    const sc_text given = {(const char *)data, bytes};
    const scrim_status status = sc_ratio_parse(given, &x, &error);
    if (status != SCRIM_OK) {
        if (error.status != status || error.message[0] == '\0' || sc_ratio_sign(&x) != 0)
            abort();
    } else {
        const size_t length = sc_ratio_format(&x, text, sizeof text);
        if (length >= sizeof text || length != strlen(text))
            abort();
        if (sc_ratio_parse(sc_text_of(text), &y, NULL) != SCRIM_OK)
            abort();
        if (sc_ratio_compare(&x, &y) != 0)
            abort();
        /* What is printed is canonical: it prints as itself. */
        if (sc_ratio_format(&y, again, sizeof again) != length ||
            strcmp(text, again) != 0)
            abort();
    }
    sc_ratio_clear(&y);
    sc_ratio_clear(&x);
    return 0;
}
