#include "check.h"
#include "cli/terminal/line_fold.h"
#include "cli/terminal/output.h"
#include "cli/terminal/palette.h"
#include "cli/terminal/text_width.h"

#include <stdio.h>
#include <string.h>

static char made[4096];

static void append(void *context, const char *bytes, size_t count)
{
    (void)context;
    strncat(made, bytes, count);
}

static const char *folded(const char *text, sc_line_fold fold)
{
    made[0] = '\0';
    sc_lines_fold(&fold, text, strlen(text), append, NULL);
    return made;
}

/* As a screen of so many columns has it. */
static const char *shown(const char *text, size_t columns)
{
    return folded(text, (sc_line_fold){.columns = columns, .breaks_words = true});
}

TEST(lines_are_folded_below_their_words)
{
    CHECK_STR(shown("one two three\n", 8), "one two\nthree\n");
    CHECK_STR(shown("  one two three", 9), "  one two\n  three");
    CHECK_STR(shown("a  one two three four", 11), "a  one two\n   three\n   four");
    CHECK_STR(shown("a  one two\n\nb  x\n", 10), "a  one two\n\nb  x\n");
    /* the indent is too much for the screen */
    CHECK_STR(shown("a name  one two three", 10), "a name\none two\nthree");
    CHECK_STR(shown("a  one    two three", 10), "a  one\n   two\n   three");
    CHECK_STR(shown("", 10), "");
    CHECK_STR(shown("          \n", 4), "\n");
}

TEST(words_wider_than_a_line_are_broken_on_a_screen)
{
    CHECK_STR(shown("a  0123456789 b", 8), "a  01234\n   56789\n   b");
    CHECK_STR(shown("0123456789", 8), "01234567\n89");
    CHECK_STR(shown("東京都東京都", 5), "東京\n都東\n京都");
    CHECK_STR(folded("a  0123456789 b", (sc_line_fold){.columns = 8, .indent = 3}),
              "a  0123456789\n   b");
    CHECK_STR(shown("\x1b[1mone\x1b[0m two", 7), "\x1b[1mone\x1b[0m two");
}

/* Where a line begins with the word, and nowhere else; it takes no column. */
TEST(cautions_are_coloured)
{
    const sc_line_fold fold = {.columns = 16, .breaks_words = true, .has_colour = true};
    CHECK_STR(folded("caution  one two\nwarning: x\n", fold), SC_CAUTION
              "caution" SC_PLAIN "  one two\n" SC_CAUTION "warning" SC_PLAIN ": x\n");
    CHECK_STR(folded("a\ncaution  one two three\n", fold),
              "a\n" SC_CAUTION "caution" SC_PLAIN "  one two\nthree\n");
    CHECK_STR(folded("cautions\ncaution\n caution x\n| caution |\n", fold),
              "cautions\ncaution\n caution x\n| caution |\n");
    CHECK_STR(shown("caution  one two\n", 16), "caution  one two\n");
}

/* Whatever the text: no line is wider than the screen, no word is lost, and words of others that fit
 * stay whole. */
TEST(lines_are_folded_whatever_they_are)
{
    static const char *const parts[] = {" ",  "  ",        "x",  "word",
                                        "東", "u\xcc\x88", "\n", "0123456789abcdef"};
    uint64_t state = 7;
    for (size_t round = 0; round < 2000; round++) {
        char text[512] = "", words[2][512] = {"", ""};
        const size_t columns = 6 + round % 20;
        for (size_t i = 0; i < 24; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407U;
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s",
                     parts[(state >> 40) % COUNT(parts)]);
        }
        const char *got = shown(text, columns);
        for (size_t side = 0; side < 2; side++)
            for (const char *at = side == 0 ? text : got; *at != '\0'; at++)
                if (*at != ' ' && *at != '\n')
                    strncat(words[side], at, 1);
        CHECK_STR(words[1], words[0]);
        for (const char *line = got; *line != '\0';) {
            const size_t bytes = strcspn(line, "\n");
            if (strspn(line, " ") < bytes && sc_bytes_width(line, bytes) > columns)
                CHECK_FAIL("%zu columns: '%.*s' of '%s'", columns, (int)bytes, line,
                           text);
            line += bytes + (line[bytes] != '\0');
        }
    }
}

/* A line is folded as one, also where its beginning was at the end of the buffer. */
TEST(output_is_folded_across_its_buffer)
{
    static sc_output output;
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    sc_output_init(&output, fileno(file));
    output.columns = 40;
    for (size_t i = 0; i < 20000; i++)
        sc_output_text(&output, i % 30 == 29 ? "words\n" : "words ");
    CHECK_STATUS(sc_output_finish(&output, NULL), SCRIM_OK);
    char line[80];
    size_t words = 0, short_lines = 0;
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const size_t width = strcspn(line, "\n");
        CHECK(width <= 40);
        words += (width + 1) / 6;
        short_lines += width < 35;
    }
    CHECK_INT(words, 20000);
    CHECK(short_lines < 4 + 20000 / 30); /* the ends of lines, and no others */
    fclose(file);
}
