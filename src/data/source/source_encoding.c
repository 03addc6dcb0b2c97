#include "data/source/source_encoding.h"

#include "data/value/utf8.h"

static bool begins(sc_text line, const char *bytes, size_t count)
{
    return line.bytes >= count && memcmp(line.start, bytes, count) == 0;
}

/* Letters of a header are ASCII for the most part: the zeros beside the first one tell the order. */
static const char *wide_encoding(sc_text line)
{
    const size_t zero =
        (size_t)((const char *)memchr(line.start, '\0', line.bytes) - line.start);
    const bool is_first = zero == 0;
    const bool is_long = zero + 1 < line.bytes && line.start[zero + 1] == '\0';
    return is_long ? (is_first ? "UTF-32BE" : "UTF-32LE")
                   : (is_first ? "UTF-16BE" : "UTF-16LE");
}

const char *sc_source_encoding(sc_text line)
{
    if (begins(line, "\xff\xfe\0\0", 4) || begins(line, "\0\0\xfe\xff", 4))
        return "UTF-32";
    if (begins(line, "\xff\xfe", 2) || begins(line, "\xfe\xff", 2))
        return "UTF-16";
    if (line.bytes > 0 && memchr(line.start, '\0', line.bytes) != NULL)
        return wide_encoding(line);
    return sc_utf8_is_valid(line) ? NULL : "WINDOWS-1252";
}
