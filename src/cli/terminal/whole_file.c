#include "cli/terminal/whole_file.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES 4096
#define PIECE_BYTES ((size_t)1 << 18)

static scrim_status fail_read(const char *path, int number, scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_INPUT, "'%.120s' cannot be read: %s%s", path,
                             strerror(number), sc_complaint_remedy(number, false));
}

/* Tries to read one byte more than allowed: only a file that is too long has it. */
static scrim_status read_all(int descriptor, const char *path, size_t most,
                             sc_whole_file *out, scrim_error *error)
{
    size_t room = FIRST_BYTES;
    for (;;) {
        char *bytes = realloc(out->bytes, room + 1);
        if (bytes == NULL)
            return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for '%.120s'",
                                     path);
        out->bytes = bytes;
        ssize_t got = 1;
        while (out->count < room && got != 0) {
            got = read(descriptor, bytes + out->count, room - out->count);
            if (got < 0 && errno != EINTR)
                return fail_read(path, errno, error);
            out->count += got > 0 ? (size_t)got : 0;
        }
        if (out->count > most)
            return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                     "'%.120s' is longer than %zu bytes", path, most);
        bytes[out->count] = '\0';
        if (got == 0)
            return SCRIM_OK;
        room = room > most / 2 ? most + 1 : 2 * room;
    }
}

/* The same message whether the file exists or not: the caller must not learn that from us. */
static scrim_status fail_not_own(scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_POLICY,
                             "this program was started by another user and reads by name "
                             "only that user's files; use standard input");
}

/* Under sudo and the like: opens only a regular file that the caller owns. Non-blocking, so that a pipe cannot stop us. */
static scrim_status open_own(const char *path, uid_t caller, int *out, scrim_error *error)
{
    struct stat about;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file >= 0 && fstat(file, &about) == 0 && about.st_uid == caller &&
        S_ISREG(about.st_mode)) {
        *out = file;
        return SCRIM_OK;
    }
    if (file >= 0)
        close(file);
    return fail_not_own(error);
}

static scrim_status open_named(const char *path, int *out, scrim_error *error)
{
    uid_t caller;
    if (sc_rights_are_borrowed())
        return sc_complaint_fill(error, SCRIM_E_POLICY,
                                 "this program runs with the rights of another user and "
                                 "reads no file by name; use standard input");
    if (sc_rights_are_lent(&caller))
        return open_own(path, caller, out, error);
    *out = open(path, O_RDONLY | O_CLOEXEC);
    return *out < 0 ? fail_read(path, errno, error) : SCRIM_OK;
}

static scrim_status open_path(const char *path, int *out, scrim_error *error)
{
    *out = STDIN_FILENO;
    return strcmp(path, "-") == 0 ? SCRIM_OK : open_named(path, out, error);
}

static void close_path(int file)
{
    if (file != STDIN_FILENO)
        close(file);
}

scrim_status sc_whole_file_read(const char *path, size_t most, sc_whole_file *out,
                                scrim_error *error)
{
    int file;
    const scrim_status opened = open_path(path, &file, error);
    if (opened != SCRIM_OK)
        return opened;
    *out = (sc_whole_file){.bytes = NULL};
    scrim_status status = read_all(file, path, most, out, error);
    close_path(file);
    if (status != SCRIM_OK)
        sc_whole_file_clear(out);
    return status;
}

void sc_whole_file_clear(sc_whole_file *file)
{
    free(file->bytes);
    *file = (sc_whole_file){.bytes = NULL};
}

static scrim_status take_pieces(int file, const char *path, char *piece,
                                sc_file_taker *take, void *context, scrim_error *error)
{
    for (;;) {
        const ssize_t got = read(file, piece, PIECE_BYTES);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_read(path, errno, error);
        if (got == 0)
            return SCRIM_OK;
        const scrim_status status = take(context, piece, (size_t)got, error);
        if (status != SCRIM_OK)
            return status;
    }
}

scrim_status sc_file_pieces(const char *path, sc_file_taker *take, void *context,
                            scrim_error *error)
{
    int file;
    scrim_status status = open_path(path, &file, error);
    if (status != SCRIM_OK)
        return status;
    char *piece = malloc(PIECE_BYTES);
    status = piece == NULL ? sc_complaint_fill(error, SCRIM_E_MEMORY,
                                               "out of memory for '%.120s'", path)
                           : take_pieces(file, path, piece, take, context, error);
    free(piece);
    close_path(file);
    return status;
}

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

/* Terminates the text within the buffer. A quoted string ends in place of its closing quote. Text without quotes is moved one byte to
 * the left, over the character before it, to make room for the terminator. */
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
