#include "data/source/source_content.h"

#include "base/checked.h"
#include "base/descriptor.h"
#include "base/mac.h"
#include "base/memory.h"
#include "base/text_copy.h"
#include "data/value/value.h"

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
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_UNSUPPORTED, "source",
                       "the source is not a regular file");
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
                : sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_MISSING, "source",
                              "the source '%s' cannot be read: %s",
                              sc_text_quote_path(path, quote),
                              sc_descriptor_why(errno, false));
    sc_free(name);
    return status;
}

scrim_status sc_source_fail_reading(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_MISSING, "source",
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

#define WORD_BYTES sizeof(uint64_t)

struct sc_content_hasher {
    sc_mac *mac;
    unsigned char mac_key[SC_MAC_KEY_BYTES];
    sc_hash_key sum_keys[2]; /* of the two words of a sum */
};

struct sc_content_block {
    const sc_content_hasher *hasher;
    sc_mac_state *state;
    uint64_t bytes;
};

struct sc_content_file {
    sc_content_hasher *hasher;
    sc_content_block *block;
    unsigned char *memory;
    const sc_content_watch *watch;
};

void sc_content_watch_tell(const sc_content_watch *watch, uint64_t done, uint64_t total)
{
    if (watch != NULL && watch->progress != NULL)
        watch->progress(watch->context, done, total);
}

static void put_word(unsigned char *out, uint64_t word)
{
    for (size_t i = 0; i < WORD_BYTES; i++)
        out[i] = (unsigned char)(word >> (8 * i));
}

/* The digest has keys of its own, so that no key serves two purposes: word n is the hash of "content" and n under one
 * half of the source's key. */
static uint64_t derive(const sc_source_key *key, size_t n)
{
    unsigned char message[] = "content.";
    message[sizeof message - 2] = (unsigned char)n;
    return sc_hash(&key->halves[n % 2], message, sizeof message - 1);
}

scrim_status sc_content_hasher_new(const sc_source_key *key, sc_content_hasher **out,
                                   scrim_error *error)
{
    sc_content_hasher *new = sc_allocate(1, sizeof *new);
    if (new == NULL)
        return sc_no_memory(error, "a digest");
    const scrim_status status = sc_mac_open(&new->mac, error);
    if (status != SCRIM_OK) {
        sc_free(new);
        return status;
    }
    for (size_t n = 0; n < SC_MAC_KEY_BYTES / WORD_BYTES; n++)
        put_word(new->mac_key + n *WORD_BYTES, derive(key, n));
    new->sum_keys[0] = (sc_hash_key){derive(key, 4), derive(key, 5)};
    new->sum_keys[1] = (sc_hash_key){derive(key, 6), derive(key, 7)};
    *out = new;
    return SCRIM_OK;
}

void sc_content_hasher_free(sc_content_hasher *hasher)
{
    if (hasher == NULL)
        return;
    sc_mac_close(hasher->mac);
    sc_free_wiped(hasher, sizeof *hasher);
}

scrim_status sc_content_block_new(const sc_content_hasher *hasher, sc_content_block **out,
                                  scrim_error *error)
{
    sc_content_block *new = sc_allocate(1, sizeof *new);
    if (new == NULL)
        return sc_no_memory(error, "a digest");
    new->hasher = hasher;
    const scrim_status status = sc_mac_state_new(hasher->mac, &new->state, error);
    if (status == SCRIM_OK)
        *out = new;
    else
        sc_free(new);
    return status;
}

void sc_content_block_free(sc_content_block *block)
{
    if (block == NULL)
        return;
    sc_mac_state_free(block->state);
    sc_free(block);
}

static scrim_status check(bool is_done, scrim_error *error)
{
    return is_done ? SCRIM_OK
                   : sc_fail(error, SCRIM_E_INTERNAL,
                             "libcrypto could not compute a digest of the source");
}

scrim_status sc_content_block_begin(sc_content_block *block, scrim_error *error)
{
    block->bytes = 0;
    return check(sc_mac_begin(block->state, block->hasher->mac_key), error);
}

scrim_status sc_content_block_add(sc_content_block *block, const void *bytes,
                                  size_t count, scrim_error *error)
{
    block->bytes += count;
    return check(sc_mac_add(block->state, bytes, count), error);
}

scrim_status sc_content_block_end(sc_content_block *block, uint64_t number,
                                  sc_source_content *sum, scrim_error *error)
{
    unsigned char message[2 * WORD_BYTES + SC_MAC_TAG_BYTES];
    put_word(message, number);
    put_word(message + WORD_BYTES, block->bytes);
    const scrim_status status =
        check(sc_mac_end(block->state, message + 2 * WORD_BYTES), error);
    for (size_t i = 0; status == SCRIM_OK && i < 2; i++)
        sum->words[i] += sc_hash(&block->hasher->sum_keys[i], message, sizeof message);
    sc_wipe(message, sizeof message);
    return status;
}

scrim_status sc_content_file_new(const sc_source_key *key, sc_content_file **out,
                                 scrim_error *error)
{
    sc_content_file *new = sc_allocate(1, sizeof *new);
    if (new == NULL)
        return sc_no_memory(error, "a digest");
    scrim_status status = sc_content_hasher_new(key, &new->hasher, error);
    if (status == SCRIM_OK)
        status = sc_content_block_new(new->hasher, &new->block, error);
    if (status == SCRIM_OK) {
        new->memory = sc_allocate(SC_CONTENT_BLOCK_BYTES, 1);
        if (new->memory == NULL)
            status = sc_no_memory(error, "a digest");
    }
    if (status == SCRIM_OK)
        *out = new;
    else
        sc_content_file_free(new);
    return status;
}

void sc_content_file_free(sc_content_file *file)
{
    if (file == NULL)
        return;
    sc_content_block_free(file->block);
    sc_content_hasher_free(file->hasher);
    sc_free_wiped(file->memory, SC_CONTENT_BLOCK_BYTES);
    sc_free(file);
}

void sc_content_file_watch(sc_content_file *file, const sc_content_watch *watch)
{
    file->watch = watch;
}

scrim_status sc_content_file_read(sc_content_file *file, uint64_t bytes,
                                  sc_content_read *read, void *context,
                                  sc_source_content *out, scrim_error *error)
{
    sc_source_content sum = {{0, 0}};
    scrim_status status = SCRIM_OK;
    for (uint64_t number = 0, at = 0; status == SCRIM_OK && at < bytes; number++) {
        const size_t count = bytes - at < SC_CONTENT_BLOCK_BYTES ? (size_t)(bytes - at)
                                                                 : SC_CONTENT_BLOCK_BYTES;
        status = read(context, at, file->memory, count, error);
        if (status == SCRIM_OK)
            status = sc_content_block_begin(file->block, error);
        if (status == SCRIM_OK)
            status = sc_content_block_add(file->block, file->memory, count, error);
        if (status == SCRIM_OK)
            status = sc_content_block_end(file->block, number, &sum, error);
        at += count;
        sc_content_watch_tell(file->watch, at, bytes);
    }
    if (status == SCRIM_OK)
        *out = sum;
    return status;
}

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

/* A zip archive begins with its first file: 30 bytes, the name, and what is in it. Office files begin with a list of
 * contents, OpenDocument files with a file that is not packed and says what they are. */
static sc_text zip_name(sc_text first)
{
    const size_t at = 30;
    if (first.bytes < at)
        return (sc_text){NULL, 0};
    const size_t bytes = (unsigned char)first.start[26] +
                         256 * (size_t)(unsigned char)first.start[27],
                 there = first.bytes - at;
    return (sc_text){first.start + at, bytes < there ? bytes : there};
}

static bool is_workbook(sc_text first)
{
    static const char spreadsheet[] = "application/vnd.oasis.opendocument.spreadsheet";
    const sc_text name = zip_name(first);
    return begins(name, "[Content_Types].xml", 19) || begins(name, "_rels/", 6) ||
           begins(name, "xl/", 3) ||
           (begins(name, "mimetype", 8) &&
            memmem(first.start, first.bytes, spreadsheet, strlen(spreadsheet)) != NULL);
}

static scrim_status fail_kind(const char *what, const char *parameter, scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_INPUT, SCRIM_REASON_CONFLICT, parameter,
                       "the source is %s, not a CSV file", what);
}

scrim_status sc_source_check_kind(sc_text first, scrim_error *error)
{
    static const struct {
        const char *beginning;
        size_t bytes;
        const char *name, *parameter;
    } others[] = {
        {"SQLite format 3", 16, "a SQLite database", "kind=sqlite"},
        {"ARROW1\0", 8, "an Arrow file", "kind=arrow"},
        {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, "an Excel workbook", "kind=workbook"},
        {"\x1f\x8b", 2, "packed by gzip", "kind=archive"},
        {"\x28\xb5\x2f\xfd", 4, "packed by zstd", "kind=archive"},
        {"\xfd"
         "7zXZ",
         6, "packed by xz", "kind=archive"},
        {"BZh", 3, "packed by bzip2", "kind=archive"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(first, others[i].beginning, others[i].bytes) &&
            (others[i].bytes != 3 ||
             (first.bytes >= 10 && memcmp(first.start + 4, "1AY&SY", 6) == 0)))
            return fail_kind(others[i].name, others[i].parameter, error);
    /* A column may be called PAR1, but no byte that a header has follows in a Parquet file. */
    if (begins(first, "PAR1", 4) && first.bytes > 4 &&
        (unsigned char)first.start[4] < ' ' && strchr("\t\r\n", first.start[4]) == NULL)
        return fail_kind("a Parquet file", "kind=parquet", error);
    if (begins(first, "PK\003\004", 4) || begins(first, "PK\005\006", 4))
        return is_workbook(first) ? fail_kind("a workbook of a spreadsheet program",
                                              "kind=workbook", error)
                                  : fail_kind("a zip archive", "kind=archive", error);
    return SCRIM_OK;
}
