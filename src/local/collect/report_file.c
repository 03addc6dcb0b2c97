#include "local/collect/report_file.h"

#include "base/memory.h"
#include "local/collect/sums_text.h"

#include <string.h>

#define BATCH_PLACE 3 /* of the byte that says which form it is */

void sc_report_file_init(sc_report_file *file, sc_sums *sums)
{
    *file = (sc_report_file){.sums = sums};
}

void sc_report_file_clear(sc_report_file *file)
{
    sc_free(file->held);
    sc_report_file_init(file, file->sums);
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

/* By its first 16 bytes. */
static scrim_status find_form(sc_report_file *file, scrim_error *error)
{
    uint8_t header[SCRIM_LOCAL_HEADER_BYTES];
    scrim_local_header(&file->sums->config, header);
    if (memcmp(file->held, SC_SUMS_TEXT_HEAD, sizeof header) == 0) {
        file->form = SC_FILE_SUMS;
    } else if (memcmp(file->held, header, sizeof header) == 0) {
        file->form = SC_FILE_MESSAGES;
    } else {
        header[BATCH_PLACE] = 1;
        if (memcmp(file->held, header, sizeof header) != 0)
            return refuse_header(file, 0, file->held, error);
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

/* A batch within a batch, as where two files were joined: what follows is read askew. It begins where a report does;
 * one that lies across two pieces is not seen. */
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

/* So many whole messages, or reports of a batch. */
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
    return file->form == SC_FILE_SUMS ? hold(file, bytes, count, error)
                                      : read_units(file, bytes, count, error);
}

scrim_status sc_report_file_end(sc_report_file *file, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (file->form == SC_FILE_SUMS)
        status = sc_sums_read(
            file->sums, (sc_text){(const char *)file->held, file->held_count}, error);
    else if (file->held_count > 0)
        status = sc_fail(error, SCRIM_E_INPUT, "it ends within a report, after byte %llu",
                         (unsigned long long)file->place);
    sc_report_file_clear(file);
    return status;
}
