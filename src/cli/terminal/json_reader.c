#include "cli/terminal/json_reader.h"

#include <string.h>

void sc_json_reader_init(sc_json_reader *reader, char *text)
{
    *reader = (sc_json_reader){.start = text, .at = text, .line = 1};
}

static void skip_spaces(sc_json_reader *reader)
{
    const size_t length = strspn(reader->at, " \t\r\n");
    for (size_t i = 0; i < length; i++)
        reader->line += reader->at[i] == '\n';
    reader->at += length;
}

bool sc_json_skip(sc_json_reader *reader, char what)
{
    skip_spaces(reader);
    if (*reader->at != what)
        return false;
    reader->at++;
    return true;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* A string ends where its quote was. What has no quotes moves one to the left, over the character
 * before it, so that there is room to end it. */
const char *sc_json_scalar(sc_json_reader *reader)
{
    skip_spaces(reader);
    char *text = reader->at;
    if (*text == '"') {
        const size_t length = strcspn(++text, "\"\\\n");
        if (text[length] != '"')
            return NULL;
        text[length] = '\0';
        reader->at = text + length + 1;
        return text;
    }
    const size_t length = strspn(text, LETTERS "_+-./0123456789");
    if (length == 0 || text == reader->start)
        return NULL;
    memmove(text - 1, text, length);
    text[length - 1] = '\0';
    reader->at = text + length;
    return text - 1;
}

bool sc_json_is_end(sc_json_reader *reader)
{
    skip_spaces(reader);
    return *reader->at == '\0';
}
