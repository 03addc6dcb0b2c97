#include "check.h"
#include "cli/terminal/terminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* There is no terminal here to look at; tests/cli/plot.sh has one. */
TEST(terminal_keeps_columns_within_reason)
{
    static const struct {
        const char *text;
        unsigned columns;
    } cases[] = {{"60", 60},
                 {"40", 40},
                 {"39", 40},
                 {"1", 40},
                 {"240", 240},
                 {"241", 240},
                 {"99999999999999999999", 240},
                 {"0", 80},
                 {"", 80},
                 {"wide", 80}};
    sc_terminal terminal;
    const int nowhere = open("/dev/null", O_WRONLY);
    REQUIRE(nowhere >= 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("COLUMNS", cases[i].text, 1);
        sc_terminal_look(nowhere, &terminal);
        CHECK_INT(terminal.columns, cases[i].columns);
        CHECK(!terminal.is_terminal && !terminal.colour);
    }
    unsetenv("COLUMNS");
    sc_terminal_look(nowhere, &terminal);
    CHECK_INT(terminal.columns, 80);
    close(nowhere);
}
