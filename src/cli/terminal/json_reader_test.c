#include "check.h"
#include "cli/terminal/json_reader.h"

#include <stdio.h>

TEST(json_reader_keeps_numbers_as_they_stand)
{
    char text[] = "{\"a b\" : [0.10,-3e5 , 1/3],\nc:7}\n";
    sc_json_reader reader;
    sc_json_reader_init(&reader, text);
    CHECK(sc_json_skip(&reader, '{') && !sc_json_skip(&reader, '['));
    CHECK_STR(sc_json_scalar(&reader), "a b");
    CHECK(sc_json_skip(&reader, ':') && sc_json_skip(&reader, '['));
    const char *first = sc_json_scalar(&reader);
    CHECK(sc_json_skip(&reader, ','));
    CHECK_STR(sc_json_scalar(&reader), "-3e5");
    CHECK(sc_json_skip(&reader, ','));
    CHECK_STR(sc_json_scalar(&reader), "1/3");
    CHECK_STR(first, "0.10");
    CHECK(sc_json_skip(&reader, ']') && sc_json_skip(&reader, ','));
    CHECK_STR(sc_json_scalar(&reader), "c");
    CHECK_INT(reader.line, 2);
    CHECK(sc_json_skip(&reader, ':') && !sc_json_is_end(&reader));
    CHECK_STR(sc_json_scalar(&reader), "7");
    CHECK(sc_json_skip(&reader, '}') && sc_json_is_end(&reader));
}

TEST(json_reader_takes_nothing_else)
{
    static const char *const list[] = {"[?]", "[\"a\\\"b\"]", "[\"open", "[", "[,"};
    for (size_t i = 0; i < COUNT(list); i++) {
        char text[16];
        sc_json_reader reader;
        snprintf(text, sizeof text, "%s", list[i]);
        sc_json_reader_init(&reader, text);
        CHECK(sc_json_skip(&reader, '['));
        CHECK(sc_json_scalar(&reader) == NULL);
    }
}
