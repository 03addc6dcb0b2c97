#include "data/source/source_stamp.h"

#include "base/checked.h"
#include "base/descriptor.h"
#include "base/memory.h"
#include "base/text_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECOND_NS INT64_C(1000000000)

static scrim_status fail_file(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_INPUT, "the source is not a regular file");
}

static scrim_status stamp_of(const struct stat *file, sc_source_stamp *out,
                             scrim_error *error)
{
    if (!S_ISREG(file->st_mode) || file->st_size < 0)
        return fail_file(error);
    sc_source_stamp stamp = {.is_file = true,
                             .bytes = (uint64_t)file->st_size,
                             .device = (uint64_t)file->st_dev,
                             .inode = (uint64_t)file->st_ino,
                             .changed_seconds = (int64_t)file->st_ctim.tv_sec,
                             .changed_ns = (int64_t)file->st_ctim.tv_nsec};
    if (!sc_int64_mul(file->st_mtim.tv_sec, SECOND_NS, &stamp.modified_ns) ||
        !sc_int64_add(stamp.modified_ns, file->st_mtim.tv_nsec, &stamp.modified_ns))
        return sc_fail(
            error, SCRIM_E_INPUT,
            "the modification time of the source is not valid: touch the file");
    *out = stamp;
    return SCRIM_OK;
}

scrim_status sc_source_stamp_of(int descriptor, sc_source_stamp *out, scrim_error *error)
{
    struct stat file;
    return fstat(descriptor, &file) == 0 ? stamp_of(&file, out, error) : fail_file(error);
}

/* By name: to open the file and close it again would drop the locks of a host that has it open, as a
 * database of its own. */
scrim_status sc_source_stamp_look(sc_text path, sc_source_stamp *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    struct stat file;
    char *name = sc_text_copy(path);
    if (name == NULL)
        return sc_no_memory(error, "a name");
    const bool is_read =
        stat(name, &file) == 0 && faccessat(AT_FDCWD, name, R_OK, AT_EACCESS) == 0;
    const scrim_status status =
        is_read ? stamp_of(&file, out, error)
                : sc_fail(error, SCRIM_E_INPUT, "the source '%s' cannot be read: %s",
                          sc_text_quote(path, quote), sc_descriptor_why(errno, false));
    sc_free(name);
    return status;
}

scrim_status sc_source_fail_reading(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_INPUT,
                   "the source cannot be read; check the file and its rights");
}

scrim_status sc_source_fail_rewritten(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_CHANGED, "",
                       "the source was changed while it was read");
}

bool sc_source_stamp_equal(const sc_source_stamp *a, const sc_source_stamp *b)
{
    return a->is_file == b->is_file && a->bytes == b->bytes &&
           a->modified_ns == b->modified_ns;
}

#define SECOND_NS INT64_C(1000000000)

bool sc_source_stamp_of_mark(const scrim_file_mark *mark, sc_source_stamp *out)
{
    if (mark->changed_ns < 0)
        return false;
    *out = (sc_source_stamp){.is_file = true,
                             .bytes = mark->bytes,
                             .modified_ns = mark->modified_ns,
                             .device = mark->device,
                             .inode = mark->inode,
                             .changed_seconds = mark->changed_ns / SECOND_NS,
                             .changed_ns = mark->changed_ns % SECOND_NS};
    return true;
}

bool sc_source_stamp_same(const sc_source_stamp *a, const sc_source_stamp *b)
{
    return sc_source_stamp_equal(a, b) && a->device == b->device &&
           a->inode == b->inode && a->changed_seconds == b->changed_seconds &&
           a->changed_ns == b->changed_ns;
}

void sc_source_stamp_format(const sc_source_stamp *stamp,
                            char text[SC_SOURCE_STAMP_BYTES])
{
    const bool is_negative = stamp->modified_ns < 0;
    const uint64_t ns =
        is_negative ? 0 - (uint64_t)stamp->modified_ns : (uint64_t)stamp->modified_ns;
    snprintf(text, SC_SOURCE_STAMP_BYTES,
             "bytes=%" PRIu64 ",modified=%s%" PRIu64 ".%09" PRIu64, stamp->bytes,
             is_negative ? "-" : "", ns / (uint64_t)SECOND_NS, ns % (uint64_t)SECOND_NS);
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
    sc_source_stamp stamp = {.is_file = true};
    sc_text rest = text;
    uint64_t seconds = 0, nanoseconds = 0;
    char again[SC_SOURCE_STAMP_BYTES];
    if (!take_word(&rest, "bytes=") ||
        !sc_text_uint64(sc_text_take_digits(&rest), &stamp.bytes) ||
        !take_word(&rest, ",modified="))
        return false;
    const bool is_negative = sc_text_take(&rest, '-');
    if (!sc_text_uint64(sc_text_take_digits(&rest), &seconds) ||
        !sc_text_take(&rest, '.') ||
        !sc_text_uint64(sc_text_take_digits(&rest), &nanoseconds) || rest.bytes > 0 ||
        seconds > INT64_MAX / SECOND_NS || nanoseconds >= SECOND_NS)
        return false;
    const sc_int128 ns =
        (sc_int128)(seconds * (uint64_t)SECOND_NS) + (sc_int128)nanoseconds;
    if (!sc_int128_to_int64(is_negative ? -ns : ns, &stamp.modified_ns))
        return false;
    sc_source_stamp_format(&stamp, again); /* zeros in front, a sign of 0 */
    if (!sc_text_is(text, again))
        return false;
    *out = stamp;
    return true;
}
