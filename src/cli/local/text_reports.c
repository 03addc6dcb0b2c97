#include "cli/local/text_reports.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/whole_file.h"

#include <stdlib.h>
#include <string.h>

#define FILE_BYTES ((size_t)1 << 28)
#define REPORTS_BYTES ((size_t)1 << 30) /* of all files together */
#define WORDS 2

/* Does another batch begin where a report does, as where two files were joined? */
static bool is_joined(const sc_whole_file *file, const uint8_t *header, size_t stride)
{
    for (size_t at = SCRIM_LOCAL_HEADER_BYTES;
         at + SCRIM_LOCAL_HEADER_BYTES <= file->count; at += stride)
        if (memcmp(file->bytes + at, header, SCRIM_LOCAL_HEADER_BYTES) == 0)
            return true;
    return false;
}

static scrim_status take_file(const char *path, const sc_whole_file *file,
                              const scrim_local_config *config, sc_text_reports *out,
                              scrim_error *error)
{
    const size_t bytes = scrim_local_report_bytes(config);
    uint8_t header[SCRIM_LOCAL_HEADER_BYTES];
    scrim_local_header(config, header);
    const bool is_batch = file->count >= sizeof header && file->bytes[3] == 1;
    header[3] = is_batch;
    const size_t before = is_batch ? sizeof header : 0;
    const size_t stride = is_batch ? bytes : bytes + sizeof header;
    if (is_batch && is_joined(file, header, stride))
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "'%.120s' has two batches; give the files one by one, "
                                 "not joined",
                                 path);
    if ((file->count - before) % stride != 0)
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "'%.120s': the file ends within a report", path);
    const size_t count = (file->count - before) / stride;
    if (out->count + count > REPORTS_BYTES / bytes)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "the files have more than %zu bytes of reports; decode "
                                 "fewer at a time",
                                 REPORTS_BYTES);
    uint8_t *grown = realloc(out->bytes, (out->count + count + 1) * bytes);
    if (grown == NULL)
        return sc_out_of_memory(error, "reports");
    out->bytes = grown;
    for (size_t i = 0; i < count + is_batch; i++) {
        const char *at = file->bytes + (is_batch ? 0 : i * stride);
        if (memcmp(at, header, sizeof header) != 0)
            return sc_complaint_fill(error, SCRIM_E_INPUT,
                                     "'%.120s': not reports of this configuration", path);
        if (i < count)
            memcpy(grown + out->count++ * bytes, file->bytes + sizeof header + i * stride,
                   bytes);
    }
    return SCRIM_OK;
}

scrim_status sc_text_reports_file(const char *path, const scrim_local_config *config,
                                  sc_text_reports *out, scrim_error *error)
{
    SC_OWNED(sc_whole_file_clear) sc_whole_file file = {.bytes = NULL};
    SC_TRY(sc_whole_file_read(path, FILE_BYTES, &file, error));
    return take_file(path, &file, config, out, error);
}

scrim_status sc_text_reports_read(const sc_options *options,
                                  const scrim_local_config *config, sc_text_reports *out,
                                  scrim_error *error)
{
    *out = (sc_text_reports){.bytes = NULL};
    if (options->word_count <= WORDS)
        return sc_refuse(error, "name the files of reports; - is standard input");
    for (size_t i = WORDS; i < options->word_count; i++)
        SC_TRY(sc_text_reports_file(options->words[i], config, out, error));
    return SCRIM_OK;
}

void sc_text_reports_clear(sc_text_reports *reports)
{
    free(reports->bytes);
}
