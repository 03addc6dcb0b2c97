#include "data/source/csv_quotes.h"

#include "base/memory.h"
#include "data/source/csv_index.h"

void sc_csv_quotes_clear(sc_csv_quotes *room)
{
    /* What was never used is still zero, and is not touched. */
    sc_free_wiped(room->bytes, room->used > room->most ? room->used : room->most);
    *room = (sc_csv_quotes){.bytes = NULL};
}

scrim_status sc_csv_quotes_reserve(sc_csv_quotes *room, size_t piece_bytes,
                                   scrim_error *error)
{
    const size_t want = 2 * piece_bytes + SC_CSV_PADDING;
    room->most = room->used > room->most ? room->used : room->most;
    room->used = 0;
    if (want <= room->capacity)
        return SCRIM_OK;
    sc_csv_quotes_clear(room);
    room->bytes = sc_allocate(want, 1);
    if (room->bytes == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    room->capacity = want;
    return SCRIM_OK;
}

sc_text sc_csv_quotes_take(sc_csv_quotes *room, sc_text field)
{
    char *to = room->bytes + room->used;
    size_t length = 0;
    for (size_t i = 0; i < field.bytes; i++) {
        to[length++] = field.start[i];
        i += field.start[i] == '"';
    }
    room->used += length;
    return (sc_text){to, length};
}
