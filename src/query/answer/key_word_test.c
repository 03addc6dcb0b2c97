#include "check.h"
#include "query/answer/key_word.h"

#include <string.h>

static void check_word(const char *bytes, size_t count, const char *word)
{
    char text[64] = "";
    sc_text_sink sink;
    sc_arena arena;
    sc_text back;
    sc_arena_init(&arena);
    sc_text_sink_init(&sink, text, sizeof text);
    sc_key_word_put((sc_text){bytes, count}, &sink);
    CHECK_STR(text, word);
    if (CHECK_STATUS(sc_key_word_read(sc_text_of(text), &arena, &back), SCRIM_OK))
        CHECK(back.bytes == count && memcmp(back.start, bytes, count) == 0);
    sc_arena_clear(&arena);
}

TEST(key_word_holds_any_bytes)
{
    CLAIM("key-word.back");
    check_word("", 0, "-");
    check_word("-", 1, "%2D");
    check_word("a b", 3, "a%20b");
    check_word("100%\n\0\xFF,\"", 9, "100%25%0A%00%FF,\"");
}

TEST(key_word_refuses_half_an_escape)
{
    CLAIM("key-word.back");
    static const char *const words[] = {"%", "a%2", "%G0", "%2d"};
    sc_arena arena;
    sc_text back;
    sc_arena_init(&arena);
    for (size_t i = 0; i < COUNT(words); i++)
        CHECK_STATUS(sc_key_word_read(sc_text_of(words[i]), &arena, &back),
                     SCRIM_E_SYNTAX);
    sc_arena_clear(&arena);
}
