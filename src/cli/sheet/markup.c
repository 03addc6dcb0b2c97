#include "cli/sheet/markup.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/text_width.h"

#include <stdint.h>
#include <string.h>

#define PIECE_BYTES 256

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

/* As much of the text as fits, at a whole character, cleaned; returns its bytes. */
static size_t take_piece(const char *text, char piece[PIECE_BYTES])
{
    size_t bytes = strnlen(text, PIECE_BYTES);
    if (bytes == PIECE_BYTES) {
        size_t back = 1;
        while (back < 4 && sc_is_continuation(text[bytes - back]))
            back++;
        bytes -= back;
    }
    memcpy(piece, text, bytes);
    piece[bytes] = '\0';
    sc_complaint_clean(piece);
    return bytes;
}

static void write_bytes(sc_output *output, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const char *entity = entity_of(text[i]);
        if (entity != NULL)
            sc_output_text(output, entity);
        else
            sc_output_bytes(output, text + i, 1);
    }
}

void sc_markup_short(sc_output *output, const char *text, size_t most)
{
    char piece[PIECE_BYTES];
    while (*text != '\0') {
        text += take_piece(text, piece);
        const size_t bytes = strlen(piece), fits = sc_fitting_bytes(piece, bytes, most);
        write_bytes(output, piece, fits);
        if (fits < bytes) {
            sc_output_text(output, "\xe2\x80\xa6");
            return;
        }
        most -= sc_bytes_width(piece, fits);
    }
}

void sc_markup_text(sc_output *output, const char *text)
{
    sc_markup_short(output, text, SIZE_MAX);
}
