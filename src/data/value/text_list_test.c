#include "check.h"
#include "data/value/text_list.h"

#include <string.h>

/* The texts with bars behind them; "!" where the list is none. */
static void show(const char *list, char *shown, size_t capacity)
{
    char room[100];
    sc_text rest = sc_text_of(list), item;
    sc_text_sink sink;
    sc_text_sink_init(&sink, shown, capacity);
    while (rest.bytes > 0) {
        if (!sc_text_list_take(&rest, room, &item)) {
            sc_text_put(&sink, sc_text_of("!"));
            return;
        }
        sc_text_put(&sink, item);
        sc_text_put(&sink, sc_text_of("|"));
    }
}

TEST(text_list_has_texts_between_commas)
{
    static const struct {
        const char *list, *shown;
    } rows[] = {
        {"", ""},
        {"a", "a|"},
        {"a,b", "a|b|"},
        {" a , b ", "a|b|"},
        {"a,,b", "a||b|"},
        {"a,", "!"},
        {"\"a,b\",c", "a,b|c|"},
        {"\"a \"\"b\"\"\"", "a \"b\"|"},
        {"\" \"", " |"},
        {"\"\",a", "|a|"},
        {"\"a", "!"},
        {"\"a\"b", "!"},
        {"\"a\",", "!"},
        {"a\"b,c", "a\"b|c|"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char shown[100];
        show(rows[i].list, shown, sizeof shown);
        CHECK_STR(shown, rows[i].shown);
    }
}
