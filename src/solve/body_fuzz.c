/* Whatever text is read as a body is within its limits, and is written as a text that gives the same body; what is not
 * read leaves nothing behind. */
#include "base/memory.h"
#include "corpus.h"
#include "solve/body.h"

#include <string.h>

static char *format(const sc_body *body, size_t *length)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    sc_body_write(body, &sink);
    *length = sink.length;
    char *text = sc_allocate(sink.length + 1, 1);
    if (CHECK(text != NULL)) {
        sc_text_sink_init(&sink, text, *length + 1);
        sc_body_write(body, &sink);
    }
    return text;
}

FUZZ(body)
{
    sc_body *body = NULL, *again = NULL;
    size_t length = 0, length_again = 0;
    if (sc_body_read((sc_text){(const char *)bytes, count}, &body, NULL) != SCRIM_OK) {
        CHECK(body == NULL);
        return;
    }
    CHECK_STATUS(sc_body_check(body, NULL), SCRIM_OK);
    char *text = format(body, &length);
    if (CHECK_STATUS(sc_body_read((sc_text){text, length}, &again, NULL), SCRIM_OK)) {
        char *same = format(again, &length_again);
        CHECK(length == length_again && memcmp(text, same, length) == 0);
        sc_free(same);
    }
    sc_free(text);
    sc_body_free(body);
    sc_body_free(again);
}
