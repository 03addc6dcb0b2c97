/* Any bytes are the record of a query's answer, which is written again as these bytes, or none. */
#include "corpus.h"
#include "query/answer/record.h"

#include <string.h>

FUZZ(record)
{
    scrim_error error = {.status = SCRIM_OK};
    sc_record record;
    sc_arena arena;
    sc_arena_init(&arena);
    const scrim_status status =
        sc_record_read((sc_text){(const char *)bytes, count}, &arena, &record, &error);
    if (status == SCRIM_OK) {
        char *again = sc_record_write(&record);
        if (CHECK(again != NULL) && CHECK_INT(strlen(again), count))
            CHECK_BYTES(again, bytes, count);
        sc_free(again);
    } else {
        CHECK_STATUS(status, SCRIM_E_SYNTAX);
        CHECK(error.message[0] != '\0');
    }
    sc_arena_clear(&arena);
}
