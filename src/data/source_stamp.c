#include "data/source_stamp.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static scrim_status fail_file(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_INPUT,
                   "the source is no file with contents: a dataset is a regular file");
}

scrim_status sc_source_stamp_of(int descriptor, sc_source_stamp *out, scrim_error *error)
{
    struct stat file;
    if (fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode) || file.st_size < 0)
        return fail_file(error);
    *out = (sc_source_stamp){.bytes = (uint64_t)file.st_size,
                             .seconds = file.st_mtim.tv_sec,
                             .nanoseconds = (uint32_t)file.st_mtim.tv_nsec};
    return SCRIM_OK;
}

scrim_status sc_source_stamp_look(sc_text path, sc_source_stamp *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    char *name = sc_allocate(path.bytes + 1, 1);
    if (name == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a name");
    if (path.bytes > 0)
        memcpy(name, path.start, path.bytes);
    /* Not to wait for whoever writes a pipe. */
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    scrim_status status =
        file < 0 ? sc_fail(error, SCRIM_E_INPUT, "the source '%s' cannot be read: %s",
                           sc_text_quote(path, quote), strerror(errno))
                 : sc_source_stamp_of(file, out, error);
    if (file >= 0)
        close(file);
    sc_release(name);
    return status;
}

bool sc_source_stamp_equal(const sc_source_stamp *a, const sc_source_stamp *b)
{
    return a->bytes == b->bytes && a->seconds == b->seconds &&
           a->nanoseconds == b->nanoseconds;
}

void sc_source_stamp_format(const sc_source_stamp *stamp,
                            char text[SC_SOURCE_STAMP_BYTES])
{
    snprintf(text, SC_SOURCE_STAMP_BYTES, "bytes=%" PRIu64 ",modified=%" PRId64 ".%09u",
             stamp->bytes, stamp->seconds, stamp->nanoseconds);
}

static bool take_word(sc_text *rest, const char *word)
{
    const size_t bytes = strlen(word);
    if (rest->bytes < bytes || memcmp(rest->start, word, bytes) != 0)
        return false;
    *rest = (sc_text){rest->start + bytes, rest->bytes - bytes};
    return true;
}

bool sc_source_stamp_parse(sc_text text, sc_source_stamp *out)
{
    sc_source_stamp stamp;
    sc_text rest = text;
    uint64_t seconds = 0, nanoseconds = 0;
    char again[SC_SOURCE_STAMP_BYTES];
    if (!take_word(&rest, "bytes=") ||
        !sc_text_uint64(sc_text_take_digits(&rest), &stamp.bytes) ||
        !take_word(&rest, ",modified="))
        return false;
    const bool is_negative = sc_text_take(&rest, '-');
    if (!sc_text_uint64(sc_text_take_digits(&rest), &seconds) || seconds > INT64_MAX ||
        !sc_text_take(&rest, '.') ||
        !sc_text_uint64(sc_text_take_digits(&rest), &nanoseconds) ||
        nanoseconds > 999999999 || rest.bytes > 0)
        return false;
    stamp.seconds = is_negative ? -(int64_t)seconds : (int64_t)seconds;
    stamp.nanoseconds = (uint32_t)nanoseconds;
    sc_source_stamp_format(&stamp, again); /* zeros in front, a sign of 0 */
    if (!sc_text_is(text, again))
        return false;
    *out = stamp;
    return true;
}
