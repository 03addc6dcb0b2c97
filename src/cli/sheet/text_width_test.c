#include "check.h"
#include "cli/sheet/text_width.h"

TEST(text_width_counts_characters)
{
    static const struct {
        const char *text;
        size_t width;
    } cases[] = {{"", 0},
                 {"abc", 3},
                 {"gr\xc3\xbcn", 4},
                 {"\xe2\x94\x9c\xe2\x97\x8f", 2},
                 {"\xf0\x9f\x99\x82", 1}};
    for (size_t i = 0; i < COUNT(cases); i++)
        CHECK_INT(sc_text_width(cases[i].text), cases[i].width);
    CHECK_INT(sc_bytes_width("gr\xc3\xbcn", 4), 3);
    CHECK(!sc_is_continuation('a') && !sc_is_continuation('\xc3'));
    CHECK(sc_is_continuation('\xbc'));
    size_t width = 2;
    sc_width_widen(&width, "\xc3\xbc");
    CHECK_INT(width, 2);
    sc_width_widen(&width, "gr\xc3\xbcn");
    CHECK_INT(width, 4);
}
