/* Any bytes are an entry with exactly that spelling, or none. */
#include "corpus.h"
#include "vault/state/event.h"

#include <stdlib.h>
#include <string.h>

FUZZ(event)
{
    sc_event event;
    scrim_error error = {.status = SCRIM_OK};
    size_t length = 0;
    sc_event_init(&event);
    const sc_text text = {(const char *)bytes, count};
    const scrim_status status = sc_event_parse(text, &event, &error);
    if (status == SCRIM_OK) {
        char *again = malloc(sc_event_capacity(&event));
        if (CHECK(again != NULL)) {
            CHECK_STATUS(sc_event_format(&event, again, &length, &error), SCRIM_OK);
            CHECK(sc_text_equal((sc_text){again, length}, text));
        }
        free(again);
    } else {
        CHECK_STATUS(status, SCRIM_E_LEDGER);
        CHECK(error.message[0] != '\0');
    }
    sc_event_clear(&event);
}
