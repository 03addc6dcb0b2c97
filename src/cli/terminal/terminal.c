#include "cli/terminal/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static unsigned look_for_columns(int descriptor)
{
    const char *text = getenv("COLUMNS");
    unsigned long columns = text == NULL ? 0 : strtoul(text, NULL, 10);
    struct winsize size;
    if (columns == 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    if (columns == 0)
        columns = 80;
    return columns < 40 ? 40 : columns > 240 ? 240 : (unsigned)columns;
}

bool sc_terminal_moves(void)
{
    const char *term = getenv("TERM");
    return term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
}

void sc_terminal_look(int descriptor, sc_terminal *out)
{
    /* Only the encoding: numbers are written the same way in every locale. */
    setlocale(LC_CTYPE, "");
    const char *term = getenv("TERM"), *no_colour = getenv("NO_COLOR");
    bool dumb = term != NULL && strcmp(term, "dumb") == 0;
    out->rows_most = 0;
    out->pages = false;
    out->is_terminal = isatty(descriptor) == 1;
    out->utf8 = !dumb && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    out->colour =
        out->is_terminal && !dumb && (no_colour == NULL || no_colour[0] == '\0');
    out->columns = look_for_columns(descriptor);
}
