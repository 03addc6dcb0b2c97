/* How wide text is on a terminal: characters, where printf counts bytes of UTF-8. */
#ifndef SC_CLI_TEXT_WIDTH_H
#define SC_CLI_TEXT_WIDTH_H

#include <stdbool.h>
#include <stddef.h>

/* Does a byte go on with the character before it? */
bool sc_is_continuation(char byte);
size_t sc_bytes_width(const char *text, size_t bytes);
size_t sc_text_width(const char *text);
/* Makes a width as large as the text's, if it is less. */
void sc_width_widen(size_t *width, const char *text);

#endif
