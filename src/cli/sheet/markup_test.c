#include "check.h"
#include "cli/sheet/markup.h"

#include <string.h>

static const char *marked(const char *text, size_t most)
{
    static sc_output output;
    sc_output_init(&output, -1);
    if (most == 0)
        sc_markup_text(&output, text);
    else
        sc_markup_short(&output, text, most);
    output.bytes[output.used] = '\0';
    return output.bytes;
}

/* Nothing ends the text, an attribute or a line (A61). */
TEST(markup_spells_out_what_is_special)
{
    CHECK_STR(marked("", 0), "");
    CHECK_STR(marked("plain text, 1/2", 0), "plain text, 1/2");
    CHECK_STR(marked("<a href=\"x\" b='y'>&amp;</a>", 0),
              "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;");
    CHECK_STR(marked("gr\xc3\xbc\xc3\x9f", 0), "gr\xc3\xbc\xc3\x9f");
    CHECK_STR(marked("a\nb\x1b[31m", 0), "a?b?[31m");
    /* U+202E turns what follows around; 0xff is no UTF-8. */
    CHECK(strstr(marked("x\xe2\x80\xaey", 0), "\xe2\x80\xae") == NULL);
    CHECK_STR(marked("\xff", 0), "?");
}

TEST(markup_is_cut_at_characters)
{
    CHECK_STR(marked("abcdef", 6), "abcdef");
    CHECK_STR(marked("abcdef", 3), "abc\xe2\x80\xa6");
    CHECK_STR(marked("&&&&", 2), "&amp;&amp;\xe2\x80\xa6");
    CHECK_STR(marked("\xc3\xbc\xc3\xbc\xc3\xbc", 2), "\xc3\xbc\xc3\xbc\xe2\x80\xa6");
    CHECK_STR(marked("\xe6\x9d\xb1\xe4\xba\xac", 3), "\xe6\x9d\xb1\xe2\x80\xa6");
}

/* Longer than a piece, with characters across every boundary. */
TEST(markup_of_long_texts)
{
    char text[2000];
    for (size_t shift = 0; shift < 4; shift++) {
        size_t used = 0;
        for (; used < shift; used++)
            text[used] = 'x';
        for (; used + 4 < sizeof text; used += 4)
            memcpy(text + used, "\xf0\x9f\x8e\xad", 4);
        text[used] = '\0';
        CHECK_STR(marked(text, 0), text);
    }
}
