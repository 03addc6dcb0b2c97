#include "data/source/csv_pieces.h"

#include "base/descriptor.h"
#include "base/memory.h"
#include "base/text_copy.h"
#include "data/source/csv_index.h"
#include "data/source/packed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read beyond a piece at first: most of its last records end there. */
#define AHEAD 4096
/* Bytes before a piece that show whether a record ends there. */
#define BEHIND 2

struct sc_csv_pieces {
    int descriptor;
    sc_record_end end;
    size_t piece_bytes, record_bytes;
    sc_source_stamp stamp;
    sc_packed_file *packed; /* of a packed file, which is read as a stream; else NULL */
    sc_csv_piece head; /* the first record, and of a stream what was read behind it */
    uint64_t first;    /* of a file: where the second record begins */
    atomic_uint_least64_t next; /* of a file: the number of the next piece */
    sc_content_hasher *hasher;  /* of a file; NULL: no digest is made */
    pthread_mutex_t lock;       /* guards what follows */
    sc_source_content content;  /* of a file, the others of a stream */
    size_t left_at, left;       /* what is read and not handed out, in head */
    uint64_t sequence, told;    /* told: bytes of a packed file that pieces have named */
    bool is_ended;
};

/* Memory. */

void sc_csv_piece_init(sc_csv_piece *piece)
{
    *piece = (sc_csv_piece){0};
}

void sc_csv_piece_clear(sc_csv_piece *piece)
{
    /* Bytes that were never used hold nothing of the source; do not touch them. */
    sc_free_wiped(piece->memory, piece->most);
    sc_content_block_free(piece->block);
    sc_csv_piece_init(piece);
}

/* Room for bytes, an end of a record and the padding; what is there stays. */
static scrim_status reserve(sc_csv_piece *piece, size_t used, size_t bytes,
                            scrim_error *error)
{
    const size_t need = bytes + 2 + SC_CSV_PADDING;
    if (need <= piece->capacity) {
        piece->most = need > piece->most ? need : piece->most;
        return SCRIM_OK;
    }
    const size_t capacity = need + need / 4;
    char *memory = sc_allocate_raw(capacity);
    if (memory == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    if (used > 0)
        memcpy(memory, piece->memory, used);
    sc_free_wiped(piece->memory, piece->most);
    piece->memory = memory;
    piece->capacity = capacity;
    piece->most = need;
    return SCRIM_OK;
}

static scrim_status want_block(sc_csv_piece *piece, const sc_csv_pieces *pieces,
                               scrim_error *error)
{
    return pieces->hasher == NULL || piece->block != NULL
               ? SCRIM_OK
               : sc_content_block_new(pieces->hasher, &piece->block, error);
}

scrim_status sc_csv_piece_reserve(sc_csv_piece *piece, const sc_csv_pieces *pieces,
                                  size_t *most_bytes, scrim_error *error)
{
    *most_bytes = BEHIND + pieces->piece_bytes + AHEAD + pieces->record_bytes + 2;
    const scrim_status status = reserve(piece, 0, *most_bytes, error);
    piece->most = 0;
    return status == SCRIM_OK ? want_block(piece, pieces, error) : status;
}

/* Ends of records. */

/* The place behind the first end of a record whose line feed is at from or later; 0: none. */
static size_t find_end(const char *bytes, size_t from, size_t count, sc_record_end end)
{
    while (from < count) {
        const char *found = memchr(bytes + from, '\n', count - from);
        if (found == NULL)
            return 0;
        const size_t at = (size_t)(found - bytes);
        if (end == SC_RECORD_LF || (at > 0 && bytes[at - 1] == '\r'))
            return at + 1;
        from = at + 1;
    }
    return 0;
}

/* The place behind the last end of a record in from .. count-1; from when no record ends there. */
static size_t find_last_end(const char *bytes, size_t from, size_t count,
                            sc_record_end end)
{
    while (count > from) {
        const char *found = memrchr(bytes + from, '\n', count - from);
        if (found == NULL)
            return from;
        const size_t at = (size_t)(found - bytes);
        if (end == SC_RECORD_LF || (at > 0 && bytes[at - 1] == '\r'))
            return at + 1;
        count = at;
    }
    return from;
}

/* Writes an end at this place of a memory that has room for it; returns the place behind it. */
static size_t put_end(char *memory, size_t at, sc_record_end end)
{
    if (end == SC_RECORD_CRLF)
        memory[at++] = '\r';
    memory[at++] = '\n';
    return at;
}

/* The stand-in for a record that is too long. */
static size_t put_too_long(char *memory, size_t at, sc_record_end end)
{
    memory[at++] = '"';
    return put_end(memory, at, end);
}

/* Reading. */

/* Reads up to bytes, fewer only at the end of the source. offset is -1 for a stream. */
static scrim_status read_all(const sc_csv_pieces *pieces, char *to, size_t bytes,
                             int64_t offset, size_t *got, scrim_error *error)
{
    size_t done = 0;
    if (pieces->packed != NULL)
        return sc_packed_file_read(pieces->packed, to, bytes, got, error);
    while (done < bytes) {
        const ssize_t count = offset < 0
                                  ? read(pieces->descriptor, to + done, bytes - done)
                                  : pread(pieces->descriptor, to + done, bytes - done,
                                          (off_t)(offset + (int64_t)done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return sc_source_fail_reading(error);
        if (count == 0)
            break;
        done += (size_t)count;
    }
    *got = done;
    return SCRIM_OK;
}

/* Pieces of a file. Piece k has the records that begin in the k-th stretch of piece_bytes after the header. */

/* Loads count bytes of the file from offset on; the first `used` of them are in memory already. */
static scrim_status load(const sc_csv_pieces *pieces, sc_csv_piece *piece,
                         uint64_t offset, size_t used, size_t count, scrim_error *error)
{
    size_t got = 0;
    scrim_status status = reserve(piece, used, count, error);
    if (status == SCRIM_OK)
        status = read_all(pieces, piece->memory + used, count - used,
                          (int64_t)(offset + used), &got, error);
    if (status == SCRIM_OK && used + got < count)
        status = sc_source_fail_rewritten(error);
    /* At once: a record that is too long, or lacks its end, is given another one in this memory. */
    if (status == SCRIM_OK && piece->block != NULL)
        status =
            sc_content_block_add(piece->block, piece->memory + used, count - used, error);
    return status;
}

static scrim_status begin_block(const sc_csv_pieces *pieces, sc_csv_piece *piece,
                                scrim_error *error)
{
    const scrim_status status = want_block(piece, pieces, error);
    return status == SCRIM_OK && piece->block != NULL
               ? sc_content_block_begin(piece->block, error)
               : status;
}

static scrim_status end_block(sc_csv_pieces *pieces, const sc_csv_piece *piece,
                              uint64_t number, scrim_error *error)
{
    if (piece->block == NULL)
        return SCRIM_OK;
    if (pthread_mutex_lock(&pieces->lock) != 0)
        return sc_fail(error, SCRIM_E_INTERNAL, "a lock failed");
    const scrim_status status =
        sc_content_block_end(piece->block, number, &pieces->content, error);
    pthread_mutex_unlock(&pieces->lock);
    return status;
}

/* Ends the piece with the last record that begins before the place `within`, and reads that record to its end. */
static scrim_status close_piece(const sc_csv_pieces *pieces, sc_csv_piece *piece,
                                uint64_t offset, size_t start, size_t within,
                                size_t loaded, scrim_error *error)
{
    const uint64_t rest = pieces->stamp.bytes - offset;
    const size_t last = find_last_end(piece->memory, start, within - 1, pieces->end);
    const size_t most = last + pieces->record_bytes + 2;
    size_t searched = within - 1, behind = 0;
    for (;;) {
        const size_t upto = loaded < most ? loaded : most;
        behind = find_end(piece->memory, searched, upto, pieces->end);
        searched = upto;
        if (behind != 0 || upto == most || loaded == rest)
            break;
        size_t more = 2 * loaded;
        more = more > most ? most : more;
        if (more > rest)
            more = (size_t)rest;
        const scrim_status status = load(pieces, piece, offset, loaded, more, error);
        if (status != SCRIM_OK)
            return status;
        loaded = more;
    }
    if (behind == 0 && searched == most)
        behind = put_too_long(piece->memory, last, pieces->end);
    else if (behind == 0) /* the file ends without the end of a record */
        behind = put_end(piece->memory, loaded, pieces->end);
    piece->start = piece->memory + start;
    piece->bytes = behind - start;
    piece->file_bytes = piece->bytes;
    return SCRIM_OK;
}

static scrim_status check_unchanged(const sc_csv_pieces *pieces, scrim_error *error)
{
    sc_source_stamp now;
    const scrim_status status = sc_source_stamp_of(pieces->descriptor, &now, error);
    if (status == SCRIM_OK && !sc_source_stamp_same(&now, &pieces->stamp))
        return sc_source_fail_rewritten(error);
    return status;
}

static scrim_status next_of_file(sc_csv_pieces *pieces, sc_csv_piece *piece,
                                 scrim_error *error)
{
    piece->bytes = 0;
    while (piece->bytes == 0) {
        const uint64_t number = atomic_fetch_add(&pieces->next, 1);
        const uint64_t size = pieces->stamp.bytes - pieces->first;
        if (number > size / pieces->piece_bytes || number * pieces->piece_bytes >= size)
            return check_unchanged(pieces, error);
        const uint64_t from = pieces->first + number * pieces->piece_bytes;
        const uint64_t offset = from - (number > 0 ? BEHIND : 0);
        const size_t before = (size_t)(from - offset);
        const uint64_t rest = pieces->stamp.bytes - offset;
        size_t within = before + pieces->piece_bytes, count = within + AHEAD;
        within = within > rest ? (size_t)rest : within;
        count = count > rest ? (size_t)rest : count;
        scrim_status status = begin_block(pieces, piece, error);
        if (status == SCRIM_OK)
            status = load(pieces, piece, offset, 0, count, error);
        if (status != SCRIM_OK)
            return status;
        const size_t start =
            number == 0 ? 0
                        : find_end(piece->memory, before - 1, within - 1, pieces->end);
        piece->sequence = number;
        if (number == 0 || start != 0) /* else it is the middle of a long record */
            status = close_piece(pieces, piece, offset, start, within, count, error);
        if (status == SCRIM_OK)
            status = end_block(pieces, piece, number, error);
        if (status != SCRIM_OK)
            return status;
    }
    return SCRIM_OK;
}

/* Pieces of a stream. The head holds what is read and not handed out. */

/* Reads on until `bytes` bytes are there, or the stream ends. */
static scrim_status fill(sc_csv_pieces *pieces, size_t bytes, scrim_error *error)
{
    sc_csv_piece *head = &pieces->head;
    size_t got = 0;
    const size_t used = pieces->left_at + pieces->left;
    if (pieces->is_ended || pieces->left >= bytes)
        return SCRIM_OK;
    SC_TRY(reserve(head, used, pieces->left_at + bytes, error));
    SC_TRY(read_all(pieces, head->memory + used, bytes - pieces->left, -1, &got, error));
    pieces->is_ended = got < bytes - pieces->left;
    pieces->left += got;
    return SCRIM_OK;
}

/* Passes over the rest of a record that is too long. */
static scrim_status pass_over(sc_csv_pieces *pieces, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    size_t behind = 0;
    while (status == SCRIM_OK && behind == 0) {
        char *left = pieces->head.memory + pieces->left_at;
        behind = find_end(left, 0, pieces->left, pieces->end);
        /* The last byte may be the first of an end. */
        const size_t over = behind > 0         ? behind
                            : pieces->is_ended ? pieces->left
                            : pieces->left > 1 ? pieces->left - 1
                                               : 0;
        memmove(left, left + over, pieces->left - over);
        pieces->left -= over;
        if (behind == 0 && pieces->is_ended)
            break;
        if (behind == 0)
            status = fill(pieces, pieces->left + pieces->piece_bytes, error);
    }
    return status;
}

/* Reads on until the left-over bytes hold a whole record, and counts the bytes of all that they hold. 0: the first
 * record is too long. */
static scrim_status whole_records(sc_csv_pieces *pieces, size_t *whole,
                                  scrim_error *error)
{
    scrim_status status = fill(pieces, pieces->piece_bytes, error);
    *whole = 0;
    while (status == SCRIM_OK) {
        const char *left = pieces->head.memory + pieces->left_at;
        *whole = find_last_end(left, 0, pieces->left, pieces->end);
        if (*whole > 0 || pieces->is_ended || pieces->left >= pieces->record_bytes + 2)
            break;
        const size_t most = pieces->record_bytes + 2;
        status = fill(pieces, 2 * pieces->left < most ? 2 * pieces->left : most, error);
    }
    return status;
}

/* Moves records from the head to the memory of a worker. */
static scrim_status hand_out(sc_csv_pieces *pieces, sc_csv_piece *piece, size_t bytes,
                             scrim_error *error)
{
    const scrim_status status = reserve(piece, 0, bytes, error);
    if (status != SCRIM_OK)
        return status;
    char *left = pieces->head.memory + pieces->left_at;
    memcpy(piece->memory, left, bytes);
    memmove(left, left + bytes, pieces->left - bytes);
    pieces->left -= bytes;
    piece->bytes = bytes;
    return SCRIM_OK;
}

static scrim_status next_of_stream(sc_csv_pieces *pieces, sc_csv_piece *piece,
                                   scrim_error *error)
{
    size_t whole = 0;
    piece->bytes = 0;
    scrim_status status = whole_records(pieces, &whole, error);
    if (status == SCRIM_OK && whole > 0) {
        status = hand_out(pieces, piece, whole, error);
    } else if (status == SCRIM_OK && pieces->left >= pieces->record_bytes + 2) {
        status = reserve(piece, 0, 1, error);
        if (status == SCRIM_OK)
            status = pass_over(pieces, error);
        if (status == SCRIM_OK)
            piece->bytes = put_too_long(piece->memory, 0, pieces->end);
    } else if (status == SCRIM_OK && pieces->left > 0) {
        /* The stream ends without the end of a record. */
        status = hand_out(pieces, piece, pieces->left, error);
        if (status == SCRIM_OK)
            piece->bytes = put_end(piece->memory, piece->bytes, pieces->end);
    }
    if (status == SCRIM_OK && piece->bytes == 0 && pieces->packed != NULL)
        status = check_unchanged(pieces, error);
    const uint64_t done = pieces->packed == NULL ? pieces->told + piece->bytes
                                                 : sc_packed_file_done(pieces->packed);
    piece->file_bytes = done - pieces->told;
    pieces->told = done;
    piece->start = piece->memory;
    piece->sequence = pieces->sequence++;
    return status;
}

scrim_status sc_csv_pieces_next(sc_csv_pieces *pieces, sc_csv_piece *piece,
                                scrim_error *error)
{
    if (pieces->stamp.is_file && pieces->packed == NULL)
        return next_of_file(pieces, piece, error);
    if (pthread_mutex_lock(&pieces->lock) != 0)
        return sc_fail(error, SCRIM_E_INTERNAL, "a lock failed");
    const scrim_status status = next_of_stream(pieces, piece, error);
    pthread_mutex_unlock(&pieces->lock);
    return status;
}

/* Opening. */

static scrim_status set_stamp(sc_csv_pieces *pieces, scrim_error *error)
{
    struct stat now;
    if (fstat(pieces->descriptor, &now) != 0 || S_ISDIR(now.st_mode))
        return sc_source_fail_reading(error);
    /* A file that somebody has begun to read is a stream of the rest. */
    if (S_ISREG(now.st_mode) && lseek(pieces->descriptor, 0, SEEK_CUR) == 0)
        return sc_source_stamp_of(pieces->descriptor, &pieces->stamp, error);
    return SCRIM_OK;
}

/* The first record lies at the front of head; what is behind it is left over. */
static scrim_status read_header(sc_csv_pieces *pieces, sc_text *header,
                                scrim_error *error)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t behind = 0, used = pieces->piece_bytes;
    scrim_status status = SCRIM_OK;
    for (;; used *= 2) {
        status = fill(pieces, used, error);
        if (status != SCRIM_OK)
            return status;
        behind = find_end(pieces->head.memory, 0, pieces->left, pieces->end);
        if (behind != 0 || pieces->is_ended || pieces->left > pieces->record_bytes + 2)
            break;
    }
    SC_TRY(sc_source_check_kind((sc_text){pieces->head.memory, pieces->left}, error));
    if (pieces->left == 0)
        return sc_fail(
            error, SCRIM_E_INPUT,
            "the source is empty; a CSV file must begin with a line of column names");
    size_t bytes = behind == 0 ? pieces->left : behind - 1;
    if (bytes > 0 && pieces->head.memory[bytes - 1] == '\r' &&
        (behind != 0 || pieces->end == SC_RECORD_LF))
        bytes--;
    if (bytes > pieces->record_bytes)
        return sc_fail(error, SCRIM_E_INPUT,
                       "the first line of the source is too long to be a header");
    *header = (sc_text){pieces->head.memory, bytes};
    if (bytes >= 3 && memcmp(header->start, mark, 3) == 0)
        *header = (sc_text){header->start + 3, bytes - 3};
    pieces->left_at = behind == 0 ? pieces->left : behind;
    pieces->left = behind == 0 ? 0 : pieces->left - behind;
    pieces->first = pieces->left_at;
    return SCRIM_OK;
}

static scrim_status open_packed(sc_csv_pieces *pieces, const sc_source_key *key,
                                scrim_error *error)
{
    char first[2];
    size_t got = 0;
    if (!pieces->stamp.is_file)
        return SCRIM_OK;
    SC_TRY(read_all(pieces, first, sizeof first, 0, &got, error));
    return sc_packed_file_begins(first, got)
               ? sc_packed_file_new(pieces->descriptor, pieces->stamp.bytes, key,
                                    &pieces->packed, error)
               : SCRIM_OK;
}

/* The header, which decides what fields are, is a block of its own. */
static scrim_status hash_header(sc_csv_pieces *pieces, const sc_source_key *key,
                                scrim_error *error)
{
    sc_content_block *block = NULL;
    if (key == NULL || !pieces->stamp.is_file || pieces->packed != NULL)
        return SCRIM_OK;
    scrim_status status = sc_content_hasher_new(key, &pieces->hasher, error);
    if (status == SCRIM_OK)
        status = sc_content_block_new(pieces->hasher, &block, error);
    if (status == SCRIM_OK)
        status = sc_content_block_begin(block, error);
    if (status == SCRIM_OK)
        status = sc_content_block_add(block, pieces->head.memory, (size_t)pieces->first,
                                      error);
    if (status == SCRIM_OK)
        status = sc_content_block_end(block, UINT64_MAX, &pieces->content, error);
    sc_content_block_free(block);
    return status;
}

scrim_status sc_csv_pieces_of(int descriptor, sc_csv_cut cut, const sc_source_key *key,
                              sc_csv_pieces **pieces, sc_text *header, scrim_error *error)
{
    sc_csv_pieces *new = sc_allocate(1, sizeof *new);
    if (new == NULL || pthread_mutex_init(&new->lock, NULL) != 0) {
        sc_free(new);
        close(descriptor);
        return sc_fail(error, SCRIM_E_MEMORY, "no memory");
    }
    new->descriptor = descriptor;
    new->end = cut.end;
    new->piece_bytes = cut.piece_bytes;
    new->record_bytes = cut.record_bytes;
    atomic_init(&new->next, 0);
    scrim_status status = set_stamp(new, error);
    if (status == SCRIM_OK)
        status = open_packed(new, key, error);
    if (status == SCRIM_OK)
        status = read_header(new, header, error);
    if (status == SCRIM_OK &&
        new->stamp.is_file &&new->packed == NULL &&new->first > new->stamp.bytes)
        status =
            sc_source_fail_rewritten(error); /* it has grown since it was looked at */
    if (status == SCRIM_OK)
        status = hash_header(new, key, error);
    if (status == SCRIM_OK)
        *pieces = new;
    else
        sc_csv_pieces_close(new);
    return status;
}

/* Open non-blocking: if a pipe replaced the file, do not wait for its writer. Fails with errno 0 if it
 * is not a regular file. */
static int open_file(const char *name)
{
    struct stat now;
    const int descriptor = sc_descriptor_open(name, O_RDONLY | O_NONBLOCK);
    if (descriptor < 0 || (fstat(descriptor, &now) == 0 && S_ISREG(now.st_mode)))
        return descriptor;
    close(descriptor);
    errno = 0;
    return -1;
}

/* From the header alone, which is public. */
static size_t record_bytes_for(size_t header_bytes)
{
    const size_t wanted = 4 * header_bytes;
    return wanted < SC_CSV_RECORD_BYTES        ? SC_CSV_RECORD_BYTES
           : wanted > SC_CSV_RECORD_MOST_BYTES ? SC_CSV_RECORD_MOST_BYTES
                                               : wanted;
}

size_t sc_csv_pieces_record_bytes(const sc_csv_pieces *pieces)
{
    return pieces->record_bytes;
}

/* Takes the memory that any record of a packed file needs, before it is charged; the header moves with it. */
static scrim_status reserve_head(sc_csv_pieces *pieces, sc_text *header,
                                 scrim_error *error)
{
    sc_csv_piece *head = &pieces->head;
    if (pieces->packed == NULL)
        return SCRIM_OK;
    const size_t used = pieces->left_at + pieces->left,
                 from = (size_t)(header->start - head->memory);
    SC_TRY(reserve(head, used,
                   pieces->left_at + pieces->record_bytes + 2 + pieces->piece_bytes,
                   error));
    head->most = used;
    header->start = head->memory + from;
    return SCRIM_OK;
}

scrim_status sc_csv_pieces_open(sc_text path, sc_record_end end, const sc_source_key *key,
                                sc_csv_pieces **pieces, sc_text *header,
                                scrim_error *error)
{
    int descriptor = -1, failure = EBADF;
    char quote[SC_TEXT_QUOTE_BYTES];
    if (sc_text_is(path, "-")) {
        descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        failure = errno;
    } else {
        char *name = sc_text_copy(path);
        if (name == NULL)
            return sc_fail(error, SCRIM_E_MEMORY, "no memory");
        descriptor = open_file(name);
        failure = errno;
        sc_free(name);
    }
    if (descriptor < 0 && failure == 0)
        return sc_fail(error, SCRIM_E_INPUT, "the source '%s' is not a regular file",
                       sc_text_quote_path(path, quote));
    if (descriptor < 0)
        return sc_fail(error, SCRIM_E_INPUT, "the source '%s' cannot be read: %s",
                       sc_text_quote_path(path, quote),
                       sc_descriptor_why(failure, false));
    const scrim_status status =
        sc_csv_pieces_of(descriptor,
                         (sc_csv_cut){.end = end,
                                      .piece_bytes = SC_CSV_PIECE_BYTES,
                                      .record_bytes = SC_CSV_RECORD_MOST_BYTES},
                         key, pieces, header, error);
    if (status != SCRIM_OK)
        return status;
    (*pieces)->record_bytes = record_bytes_for(header->bytes);
    const scrim_status kept = reserve_head(*pieces, header, error);
    if (kept != SCRIM_OK) {
        sc_csv_pieces_close(*pieces);
        *pieces = NULL;
    }
    return kept;
}

void sc_csv_pieces_expect(sc_csv_pieces *pieces, const sc_schema *schema, bool is_version)
{
    if (pieces->packed != NULL)
        sc_packed_file_expect(pieces->packed, schema, is_version);
}

void sc_csv_pieces_close(sc_csv_pieces *pieces)
{
    if (pieces == NULL)
        return;
    sc_packed_file_free(pieces->packed);
    close(pieces->descriptor);
    pthread_mutex_destroy(&pieces->lock);
    sc_csv_piece_clear(&pieces->head);
    sc_content_hasher_free(pieces->hasher);
    sc_free(pieces);
}

sc_source_stamp sc_csv_pieces_stamp(const sc_csv_pieces *pieces)
{
    return pieces->stamp;
}

sc_source_content sc_csv_pieces_content(const sc_csv_pieces *pieces)
{
    return pieces->packed != NULL ? sc_packed_file_content(pieces->packed)
                                  : pieces->content;
}

uint64_t sc_csv_pieces_read_bytes(const sc_csv_pieces *pieces)
{
    const uint64_t handed = atomic_load(&pieces->next);
    const uint64_t all = pieces->stamp.bytes;
    if (!pieces->stamp.is_file)
        return 0;
    if (pieces->packed != NULL)
        return sc_packed_file_done(pieces->packed);
    return handed > all / pieces->piece_bytes || handed * pieces->piece_bytes > all
               ? all
               : handed * pieces->piece_bytes;
}
