#include "local/collect/collection.h"

#include "base/digest.h"
#include "base/memory.h"
#include "base/number/ball_double.h"
#include "local/collect/report_sums.h"
#include "mechanism/local/protocol.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINE_BYTES 96

static void format_hash(const sc_sums *sums, char text[SC_DIGEST_TEXT_BYTES])
{
    sc_digest digest;
    _Static_assert(sizeof digest.bytes == SCRIM_LOCAL_HASH_BYTES, "both are SHA-256");
    memcpy(digest.bytes, sums->config.hash, sizeof digest.bytes);
    sc_digest_format(&digest, text);
}

bool sc_sums_write(sc_sums *sums, sc_sums_writer *writer, void *context)
{
    char line[4 * LINE_BYTES], hash[SC_DIGEST_TEXT_BYTES];
    const uint64_t *counts = sc_sums_counts(sums);
    format_hash(sums, hash);
    int bytes = snprintf(line, sizeof line,
                         SC_SUMS_TEXT_HEAD "config %s\nreports %llu\ndropped %llu\n"
                                           "flagged %llu\ncells %zu\n",
                         hash, (unsigned long long)sums->reports,
                         (unsigned long long)sums->dropped,
                         (unsigned long long)sums->flagged, sums->cells);
    bool is_written = writer(context, line, (size_t)bytes);
    for (size_t i = 0; is_written && i < sums->cells; i++) {
        if (counts[i] == 0)
            continue;
        bytes =
            snprintf(line, sizeof line, "%zu %llu\n", i, (unsigned long long)counts[i]);
        is_written = writer(context, line, (size_t)bytes);
    }
    return is_written && writer(context, "end\n", 4);
}

typedef struct reading {
    sc_text rest;
    size_t line; /* the number of the line that was read last */
} reading;

static bool next_line(reading *r, sc_text *line)
{
    r->line++;
    return sc_text_split(r->rest, '\n', line, &r->rest);
}

/* Decimal without leading zeros. */
static bool number_of(sc_text text, uint64_t *out)
{
    return text.bytes > 0 && (text.bytes == 1 || text.start[0] != '0') &&
           sc_text_uint64(text, out);
}

/* "NAME NUMBER". */
static bool read_named(reading *r, const char *name, uint64_t *out)
{
    sc_text line, word, rest;
    return next_line(r, &line) && sc_text_split(line, ' ', &word, &rest) &&
           sc_text_is(word, name) && number_of(rest, out);
}

static scrim_status wrong_line(const reading *r, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_INPUT,
                   "line %zu is not as sums have it; collect the reports again", r->line);
}

static scrim_status read_head(reading *r, sc_sums *into, scrim_error *error)
{
    char hash[SC_DIGEST_TEXT_BYTES];
    sc_text line, word, rest;
    uint64_t cells = 0;
    format_hash(into, hash);
    if (!next_line(r, &line) || !sc_text_is(line, "scrim-local-sums/1"))
        return wrong_line(r, error);
    if (!next_line(r, &line) || !sc_text_split(line, ' ', &word, &rest) ||
        !sc_text_is(word, "config") || rest.bytes != SC_DIGEST_TEXT_BYTES - 1)
        return wrong_line(r, error);
    if (!sc_text_is(rest, hash))
        return sc_fail(error, SCRIM_E_INPUT, "these sums are of another configuration");
    if (!read_named(r, "reports", &into->reports) ||
        !read_named(r, "dropped", &into->dropped) ||
        !read_named(r, "flagged", &into->flagged) || !read_named(r, "cells", &cells) ||
        into->flagged > into->reports || cells != into->cells)
        return wrong_line(r, error);
    return SCRIM_OK;
}

static scrim_status read_cells(reading *r, sc_sums *into, scrim_error *error)
{
    sc_text line, before, after;
    uint64_t least = 0, place = 0, count = 0;
    for (;;) {
        if (!next_line(r, &line))
            return wrong_line(r, error);
        if (sc_text_is(line, "end") && r->rest.bytes == 0)
            return SCRIM_OK;
        if (!sc_text_split(line, ' ', &before, &after) || !number_of(before, &place) ||
            !number_of(after, &count) || place < least || place >= into->cells ||
            count == 0)
            return wrong_line(r, error);
        into->counts[place] = count;
        least = place + 1;
    }
}

scrim_status sc_sums_read(sc_sums *sums, sc_text text, scrim_error *error)
{
    reading r = {.rest = text};
    /* Counters alone: nothing is added to them report by report. */
    sc_sums read = {.config = sums->config, .layout = sums->layout, .cells = sums->cells};
    read.counts = sc_allocate(read.cells, sizeof *read.counts);
    if (read.counts == NULL)
        return sc_no_memory(error, "sums");
    scrim_status status = read_head(&r, &read, error);
    if (status == SCRIM_OK)
        status = read_cells(&r, &read, error);
    if (status == SCRIM_OK && !read.layout->is_possible(&read))
        status = sc_fail(error, SCRIM_E_INPUT,
                         "the counters do not fit the number of reports; collect the "
                         "reports again");
    if (status == SCRIM_OK)
        status = sc_sums_merge(sums, &read, error);
    sc_free(read.counts);
    return status;
}

#define BATCH_PLACE 3 /* of the byte that says which form it is */

void sc_report_file_init(sc_report_file *file, sc_sums *sums)
{
    *file = (sc_report_file){.sums = sums};
}

void sc_report_file_clear(sc_report_file *file)
{
    const bool skips = file->skips;
    const uint64_t skipped = file->skipped;
    sc_free(file->held);
    *file = (sc_report_file){.sums = file->sums, .skips = skips, .skipped = skipped};
}

static scrim_status hold(sc_report_file *file, const uint8_t *bytes, size_t count,
                         scrim_error *error)
{
    if (file->held_count + count > file->held_room) {
        const size_t room = 2 * (file->held_count + count) + 64;
        uint8_t *larger = sc_allocate_raw(room);
        if (larger == NULL)
            return sc_no_memory(error, "a file");
        if (file->held_count > 0)
            memcpy(larger, file->held, file->held_count);
        sc_free(file->held);
        file->held = larger;
        file->held_room = room;
    }
    memcpy(file->held + file->held_count, bytes, count);
    file->held_count += count;
    return SCRIM_OK;
}

static scrim_status refuse_header(const sc_report_file *file, uint64_t place,
                                  const uint8_t *header, scrim_error *error)
{
    if (memcmp(header, "SL\1", 3) == 0)
        return sc_fail(error, SCRIM_E_INPUT,
                       "the report at byte %llu is of another configuration",
                       (unsigned long long)(file->place + place));
    return sc_fail(error, SCRIM_E_INPUT,
                   "there is no report at byte %llu; a file has messages, one batch, or "
                   "sums",
                   (unsigned long long)(file->place + place));
}

/* Adds the messages of a whole file, and counts what stands between them and behind the last. */
static scrim_status sift(sc_report_file *file, scrim_error *error)
{
    const size_t unit = SCRIM_LOCAL_HEADER_BYTES + file->sums->report_bytes;
    const uint8_t *at = file->held, *end = at + file->held_count;
    uint8_t header[SCRIM_LOCAL_HEADER_BYTES];
    scrim_local_header(&file->sums->config, header);
    while (at < end) {
        const uint8_t *next = memmem(at, (size_t)(end - at), header, sizeof header);
        if (next == NULL || (size_t)(end - next) < unit) {
            file->skipped++;
            return SCRIM_OK;
        }
        file->skipped += next > at;
        const scrim_status status =
            sc_sums_add(file->sums, next + sizeof header, 1, unit,
                        (size_t)(end - next) - sizeof header, error);
        if (status != SCRIM_OK)
            return status;
        at = next + unit;
    }
    return SCRIM_OK;
}

/* A batch of another configuration is no file of messages. */
static bool is_batch(const uint8_t *header)
{
    return memcmp(header, "SL\1", 3) == 0 && header[BATCH_PLACE] == 1;
}

/* Tells the form of a file of reports by its first 16 bytes. */
static scrim_status find_form(sc_report_file *file, scrim_error *error)
{
    uint8_t header[SCRIM_LOCAL_HEADER_BYTES];
    scrim_local_header(&file->sums->config, header);
    if (memcmp(file->held, SC_SUMS_TEXT_HEAD, sizeof header) == 0) {
        file->form = SC_FILE_SUMS;
    } else if (memcmp(file->held, header, sizeof header) == 0) {
        file->form = file->skips ? SC_FILE_SIFTED : SC_FILE_MESSAGES;
    } else {
        header[BATCH_PLACE] = 1;
        if (memcmp(file->held, header, sizeof header) != 0) {
            if (!file->skips || is_batch(file->held))
                return refuse_header(file, 0, file->held, error);
            file->form = SC_FILE_SIFTED;
            return SCRIM_OK;
        }
        file->form = SC_FILE_BATCH;
        file->held_count = 0;
        file->place = sizeof header;
    }
    return SCRIM_OK;
}

static size_t unit_of(const sc_report_file *file)
{
    return file->sums->report_bytes +
           (file->form == SC_FILE_MESSAGES ? SCRIM_LOCAL_HEADER_BYTES : 0);
}

/* Refuses a header where a report should begin: somebody joined two files, and the reports after it would be misread.
 * One that lies across two pieces is not noticed. */
static scrim_status refuse_joined(const sc_report_file *file, const uint8_t *bytes,
                                  size_t count, scrim_error *error)
{
    const size_t unit = file->sums->report_bytes;
    const uint8_t *at = bytes, *end = bytes + count * unit;
    uint8_t header[SCRIM_LOCAL_HEADER_BYTES];
    scrim_local_header(&file->sums->config, header);
    header[BATCH_PLACE] = 1;
    while ((at = memmem(at, (size_t)(end - at), header, sizeof header)) != NULL) {
        if ((size_t)(at - bytes) % unit == 0)
            return sc_fail(error, SCRIM_E_INPUT,
                           "another batch begins at byte %llu; give the files one by "
                           "one, not joined",
                           (unsigned long long)(file->place + (size_t)(at - bytes)));
        at++;
    }
    return SCRIM_OK;
}

/* Adds `count` whole messages, or reports of a batch. */
static scrim_status add_units(sc_report_file *file, const uint8_t *bytes, size_t count,
                              size_t readable, scrim_error *error)
{
    const size_t unit = unit_of(file), header_bytes = unit - file->sums->report_bytes;
    uint8_t header[SCRIM_LOCAL_HEADER_BYTES];
    scrim_local_header(&file->sums->config, header);
    for (size_t i = 0; header_bytes > 0 && i < count; i++)
        if (memcmp(bytes + i * unit, header, sizeof header) != 0)
            return refuse_header(file, i * unit, bytes + i * unit, error);
    if (file->form == SC_FILE_BATCH) {
        const scrim_status status = refuse_joined(file, bytes, count, error);
        if (status != SCRIM_OK)
            return status;
    }
    file->place += count * unit;
    return sc_sums_add(file->sums, bytes + header_bytes, count, unit,
                       readable - header_bytes, error);
}

/* Completes what is held, if the bytes suffice. */
static scrim_status complete(sc_report_file *file, size_t whole, const uint8_t **bytes,
                             size_t *count, scrim_error *error)
{
    const size_t missing = whole - file->held_count;
    const size_t taken = missing < *count ? missing : *count;
    const scrim_status status = hold(file, *bytes, taken, error);
    *bytes += taken;
    *count -= taken;
    return status;
}

static scrim_status read_units(sc_report_file *file, const uint8_t *bytes, size_t count,
                               scrim_error *error)
{
    const size_t unit = unit_of(file);
    scrim_status status = SCRIM_OK;
    if (file->held_count > 0) {
        status = complete(file, unit, &bytes, &count, error);
        if (status != SCRIM_OK || file->held_count < unit)
            return status;
        file->held_count = 0;
        status = add_units(file, file->held, 1, unit, error);
    }
    const size_t whole = count / unit;
    if (status == SCRIM_OK && whole > 0)
        status = add_units(file, bytes, whole, count, error);
    if (status == SCRIM_OK && count > whole * unit)
        status = hold(file, bytes + whole * unit, count - whole * unit, error);
    return status;
}

scrim_status sc_report_file_read(sc_report_file *file, const uint8_t *bytes, size_t count,
                                 scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (file->form == SC_FILE_BEGIN) {
        status = complete(file, SCRIM_LOCAL_HEADER_BYTES, &bytes, &count, error);
        if (status != SCRIM_OK || file->held_count < SCRIM_LOCAL_HEADER_BYTES)
            return status;
        status = find_form(file, error);
    }
    if (status != SCRIM_OK || count == 0)
        return status;
    return file->form == SC_FILE_SUMS || file->form == SC_FILE_SIFTED
               ? hold(file, bytes, count, error)
               : read_units(file, bytes, count, error);
}

scrim_status sc_report_file_end(sc_report_file *file, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (file->form == SC_FILE_SUMS)
        status = sc_sums_read(
            file->sums, (sc_text){(const char *)file->held, file->held_count}, error);
    else if (file->form == SC_FILE_SIFTED || (file->form == SC_FILE_BEGIN && file->skips))
        status = sift(file, error);
    else if (file->held_count > 0)
        status = sc_fail(error, SCRIM_E_INPUT, "it ends within a report, after byte %llu",
                         (unsigned long long)file->place);
    sc_report_file_clear(file);
    return status;
}

scrim_status scrim_collection_new(const char *config, scrim_collection **out,
                                  scrim_error *error)
{
    SC_REQUIRE(error, "config out", config, out);
    scrim_collection *collection = sc_allocate(1, sizeof *collection);
    if (collection == NULL)
        return sc_no_memory(error, "sums");
    const scrim_status status = sc_sums_init(&collection->sums, config, error);
    if (status != SCRIM_OK) {
        sc_free(collection);
        return status;
    }
    sc_report_file_init(&collection->file, &collection->sums);
    *out = collection;
    return SCRIM_OK;
}

void scrim_collection_skip_bad(scrim_collection *collection)
{
    collection->file.skips = true;
}

void scrim_collection_free(scrim_collection *collection)
{
    if (collection == NULL)
        return;
    sc_report_file_clear(&collection->file);
    sc_sums_clear(&collection->sums);
    sc_free(collection);
}

scrim_status scrim_collection_read(scrim_collection *collection, const void *bytes,
                                   size_t count, scrim_error *error)
{
    SC_REQUIRE(error, "collection", collection);
    return sc_report_file_read(&collection->file, bytes, count, error);
}

scrim_status scrim_collection_add_message(scrim_collection *collection,
                                          const void *message, size_t bytes,
                                          scrim_error *error)
{
    SC_REQUIRE(error, "collection", collection);
    sc_sums *sums = &collection->sums;
    uint8_t header[SCRIM_LOCAL_HEADER_BYTES];
    if (collection->file.form != SC_FILE_BEGIN || collection->file.held_count > 0)
        return sc_fail(error, SCRIM_E_STATE,
                       "a file is being read; end it before a message is added");
    if (bytes != sizeof header + sums->report_bytes)
        return sc_fail(error, SCRIM_E_INPUT,
                       "a message of this configuration has %zu bytes, this one %zu",
                       sizeof header + sums->report_bytes, bytes);
    scrim_local_header(&sums->config, header);
    if (memcmp(message, header, sizeof header) != 0)
        return sc_fail(error, SCRIM_E_INPUT,
                       memcmp(message, header, 3) == 0
                           ? "the message is of another configuration"
                           : "it is not a message of a device");
    return sc_sums_add(sums, (const uint8_t *)message + sizeof header, 1,
                       sums->report_bytes, sums->report_bytes, error);
}

scrim_status scrim_collection_end_file(scrim_collection *collection, scrim_error *error)
{
    SC_REQUIRE(error, "collection", collection);
    return sc_report_file_end(&collection->file, error);
}

typedef struct passing {
    scrim_collection_writer *writer;
    void *context;
} passing;

static bool pass(void *context, const char *text, size_t bytes)
{
    const passing *to = context;
    return to->writer(to->context, text, bytes) != 0;
}

scrim_status scrim_collection_write(scrim_collection *collection,
                                    scrim_collection_writer *writer, void *context,
                                    scrim_error *error)
{
    SC_REQUIRE(error, "collection", collection);
    passing to = {writer, context};
    return sc_sums_write(&collection->sums, pass, &to)
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_INPUT, "the writing of sums was ended");
}

static double near(const sc_ratio *x)
{
    return sc_ratio_sign(x) == 0 ? 0 : sc_ball_near(x);
}

void scrim_collection_describe(const scrim_collection *collection,
                               scrim_collection_facts *out)
{
    const sc_sums *sums = &collection->sums;
    const uint64_t loss = scrim_local_loss(&sums->config);
    *out = (scrim_collection_facts){
        .question = sums->config.question,
        .protocol = scrim_local_protocol_name(sums->config.protocol),
        .values = sums->config.values,
        .reports = sums->reports,
        .dropped = sums->dropped,
        .flagged = sums->flagged,
        .skipped = collection->file.skipped,
        .epsilon = loss == UINT64_MAX ? (double)INFINITY : (double)loss * 0x1p-32};
    SC_OWN(sc_protocol_facts, facts);
    if (!sc_protocol_find(&sums->config, &facts))
        return;
    out->raise = near(&facts.raise);
    out->drop = near(&facts.drop);
    out->targets = facts.targets;
}
