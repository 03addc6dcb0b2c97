#include "check.h"
#include "cli/display/notes.h"
#include "lab/papers/papers.h"

#include <stdlib.h>
#include <string.h>

/* As a shell joins lines: a backslash and the end of a line are nothing; the indent behind them is for the eye. */
static char *join(const char *folded)
{
    char *joined = calloc(strlen(folded) + 1, 1);
    size_t used = 0;
    for (; joined != NULL && *folded != '\0'; folded++) {
        if (folded[0] == '\\' && folded[1] == '\n')
            folded += 1 + strspn(folded + 2, " ");
        else
            joined[used++] = *folded;
    }
    return joined;
}

/* Every command is the same when it has been copied from a screen, however wide that is. */
TEST(folded_commands_are_joined_by_a_shell)
{
    static const size_t widths[] = {40, 80, 132};
    static sc_output output;
    const lab_statement *row;
    size_t folded = 0;
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++)
        for (size_t j = 0; row->command != NULL && j < COUNT(widths); j++) {
            sc_output_init(&output, -1);
            sc_fold_command(&output, row->command, widths[j], 0);
            output.bytes[output.used] = '\0';
            char *joined = join(output.bytes);
            REQUIRE(joined != NULL);
            CHECK(strncmp(joined, "$ ", 2) == 0);
            joined[strlen(joined) - 1] = '\0'; /* the end of the line */
            CHECK_STR(joined + 2, row->command);
            folded += strchr(output.bytes, '\n') + 1 != output.bytes + output.used;
            free(joined);
        }
    CHECK(folded > 200);
}

/* Texts in quotes are never broken, and nothing else is too wide. */
TEST(folded_commands_keep_quotes_whole)
{
    static const char wanted[] = "$ echo \\\n"
                                 "    'one two three four five' \\\n"
                                 "    \"six seven \\\" eight\" \\\n"
                                 "    nine \\' ten eleven\n";
    static sc_output output;
    sc_output_init(&output, -1);
    sc_fold_command(
        &output,
        "echo 'one two three four five' \"six seven \\\" eight\" nine \\' ten eleven", 26,
        0);
    output.bytes[output.used] = '\0';
    CHECK_STR(output.bytes, wanted);
}
