#include "vault/same_question.h"

#include "base/memory.h"

#include <string.h>

static const char kind[] = "query ", word_start[] = " same=", between[] = " : ";

scrim_status sc_same_write(sc_text measured, char word[SC_SAME_BYTES], scrim_error *error)
{
    sc_digester *digester = NULL;
    sc_digest digest;
    char text[SC_DIGEST_TEXT_BYTES];
    sc_text_sink sink;
    word[0] = '\0';
    if (measured.bytes == 0)
        return SCRIM_OK;
    scrim_status status = sc_digester_new(&digester, error);
    if (status == SCRIM_OK)
        status = sc_digest_of(digester, measured, (sc_text){NULL, 0}, &digest, error);
    sc_digester_free(digester);
    if (status != SCRIM_OK)
        return status;
    sc_digest_format(&digest, text);
    sc_text_sink_init(&sink, word, SC_SAME_BYTES);
    sc_text_put(&sink, sc_text_of(word_start));
    sc_text_put(&sink, sc_text_of(text));
    return SCRIM_OK;
}

/* Options have no blank within them, so the first " : " ends them. */
sc_text sc_same_word(sc_text line)
{
    const size_t bytes = SC_SAME_BYTES - 1, first = sizeof kind - 1;
    const sc_text none = {NULL, 0};
    sc_digest digest;
    size_t end = first;
    if (line.bytes < first || memcmp(line.start, kind, first) != 0)
        return none;
    while (end + sizeof between - 1 <= line.bytes &&
           memcmp(line.start + end, between, sizeof between - 1) != 0)
        end++;
    if (end + sizeof between - 1 > line.bytes || end < bytes)
        return none;
    const sc_text word = {line.start + end - bytes, bytes};
    const size_t head = sizeof word_start - 1;
    return memcmp(word.start, word_start, head) == 0 &&
                   sc_digest_parse((sc_text){word.start + head, bytes - head}, &digest)
               ? word
               : none;
}

char *sc_same_without(sc_text line)
{
    const sc_text word = sc_same_word(line);
    char *text = sc_allocate(line.bytes + 1, 1);
    const size_t before =
        word.bytes == 0 ? line.bytes : (size_t)(word.start - line.start);
    if (text == NULL)
        return NULL;
    memcpy(text, line.start, before);
    memcpy(text + before, line.start + before + word.bytes,
           line.bytes - before - word.bytes);
    text[line.bytes - word.bytes] = '\0';
    return text;
}

bool sc_same_is(sc_text body, sc_text line)
{
    const sc_text own = sc_same_word(body), asked = sc_same_word(line);
    if (own.bytes > 0 || asked.bytes == 0)
        return own.bytes > 0 && asked.bytes > 0 ? sc_text_equal(own, asked)
                                                : sc_text_equal(body, line);
    const size_t before = (size_t)(asked.start - line.start);
    return body.bytes == line.bytes - asked.bytes &&
           memcmp(body.start, line.start, before) == 0 &&
           memcmp(body.start + before, asked.start + asked.bytes, body.bytes - before) ==
               0;
}
