#include "check.h"
#include "cli/sheet/fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *folded(const char *text, size_t columns)
{
    sc_output *output = malloc(sizeof *output);
    sc_output_init(output, -1);
    sc_output_text(output, "before, which is as it is, however wide it may be\n");
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output, text);
    sc_fold_end(output, begin, columns);
    output->bytes[output->used] = '\0';
    char *shown = strdup(output->bytes + begin);
    free(output);
    return shown;
}

static void check_folded(const char *text, size_t columns, const char *want)
{
    char *shown = folded(text, columns);
    CHECK_STR(shown, want);
    free(shown);
}

TEST(fold_breaks_what_is_too_wide_below_its_words)
{
    check_folded("cost        epsilon 1\nleft        two words\n", 24,
                 "cost        epsilon 1\nleft        two words\n");
    check_folded("left        one two three four five\nnext        x\n", 24,
                 "left        one two\n            three four\n            five\n"
                 "next        x\n");
    /* as wide as there is room, and one more */
    check_folded("left        123456 890 2", 24, "left        123456 890 2");
    check_folded("left        123456 890 23", 24,
                 "left        123456 890\n            23");
    check_folded("left        123456 890 2 4", 24,
                 "left        123456 890 2\n            4");
    /* a word that is too wide by itself; characters, not bytes */
    check_folded("left        12345678901234 6\n", 24,
                 "left        12345678901234\n            6\n");
    check_folded("left        \xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc 890 2\n",
                 24,
                 "left        \xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc 890 2\n");
    check_folded("", 24, "");
}

/* A text that a buffer does not hold is written whole, as it is. */
TEST(fold_of_a_line)
{
    static sc_output output;
    static char text[3 * SC_OUTPUT_BYTES], got[4 * SC_OUTPUT_BYTES];
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = i % 10 == 9 ? ' ' : 'x';
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    sc_output_init(&output, fileno(file));
    sc_fold_line(&output, "asked", "one two three four", 24);
    sc_fold_line(&output, "asked", text, 24);
    CHECK_STATUS(sc_output_finish(&output, NULL), SCRIM_OK);
    rewind(file);
    const size_t bytes = fread(got, 1, sizeof got - 1, file);
    got[bytes] = '\0';
    static const char first[] =
        "asked       one two\n            three four\nasked       ";
    CHECK(strncmp(got, first, sizeof first - 1) == 0);
    CHECK_INT(bytes, sizeof first - 1 + strlen(text) + 1);
    CHECK(strncmp(got + sizeof first - 1, text, strlen(text)) == 0);
    fclose(file);
}
