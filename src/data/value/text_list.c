#include "data/value/text_list.h"

bool sc_text_list_take(sc_text *list, char *room, sc_text *item)
{
    *item = (sc_text){room, 0};
    if (!sc_text_take(list, '"')) {
        sc_text before = *list, after = {NULL, 0};
        const bool is_last = !sc_text_split(*list, ',', &before, &after);
        *list = after;
        *item = sc_text_trim(before);
        return is_last || after.bytes > 0;
    }
    while (!sc_text_take(list, '"') || (list->bytes > 0 && list->start[0] == '"')) {
        if (list->bytes == 0)
            return false;
        room[item->bytes++] = list->start[0];
        *list = (sc_text){list->start + 1, list->bytes - 1};
    }
    *list = sc_text_trim(*list);
    return list->bytes == 0 || (sc_text_take(list, ',') && list->bytes > 0);
}
