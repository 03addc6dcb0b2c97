#include "base/arena_text.h"
#include "check.h"

#include <string.h>

static void put_times(sc_text_sink *sink, const void *of)
{
    const size_t *times = of;
    for (size_t i = 0; i < *times; i++)
        sc_text_put(sink, sc_text_of("ab"));
}

TEST(arena_text_is_whole_at_any_length)
{
    static const size_t lengths[] = {0, 1, 7, 5000};
    sc_arena arena;
    sc_arena_init(&arena);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        const char *text = sc_arena_write(&arena, put_times, &lengths[i]);
        if (!CHECK(text != NULL))
            continue;
        CHECK_INT((long)strlen(text), (long)(2 * lengths[i]));
        CHECK(lengths[i] == 0 || strcmp(text + strlen(text) - 4, "abab") == 0 ||
              lengths[i] == 1);
    }
    sc_arena_clear(&arena);
}
