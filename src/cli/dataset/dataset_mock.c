#include "cli/dataset/dataset_mock.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/talk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#define ROWS_MOST 1000000000

static scrim_status write_line(void *context, const char *bytes, size_t count,
                               scrim_error *error)
{
    (void)error; /* the output keeps its own until it is finished */
    sc_output_bytes(context, bytes, count);
    return SCRIM_OK;
}

static scrim_status write_rows(scrim_vault *vault, const char *name, uint64_t rows,
                               const char *path, sc_output *output, scrim_error *error)
{
    sc_file_writer file;
    scrim_status status = SCRIM_OK;
    if (path == NULL) {
        sc_output_init(output, STDOUT_FILENO);
        status = scrim_vault_mock(vault, name, rows, write_line, output, error);
        return status == SCRIM_OK ? sc_output_finish(output, error) : status;
    }
    status = sc_file_writer_open(&file, "--out", path, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init(output, file.descriptor);
    status = scrim_vault_mock(vault, name, rows, write_line, output, error);
    if (status != SCRIM_OK)
        output->error = ECANCELED; /* so that the file does not take its place */
    const scrim_status closed =
        sc_file_writer_close(&file, output, status == SCRIM_OK ? error : NULL);
    return status == SCRIM_OK ? closed : status;
}

scrim_status sc_dataset_mock(scrim_vault *vault, const char *name,
                             const sc_options *options, scrim_error *error)
{
    const char *path = options->value[SCRIM_OPTION_OUT];
    uint64_t rows = 0;
    if (!sc_options_has(options, SCRIM_OPTION_ROWS))
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "missing --rows, as in 'scrim dataset mock %.64s --rows 1000'", name);
    scrim_status status =
        sc_options_number(options, SCRIM_OPTION_ROWS, ROWS_MOST, 0, &rows, error);
    if (status == SCRIM_OK && path != NULL)
        status = sc_file_writer_check("--out", path, error);
    if (status != SCRIM_OK)
        return status;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "rows");
    status = write_rows(vault, name, rows, path, output, error);
    free(output);
    if (status == SCRIM_OK && path != NULL &&
        !sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_talk("made up %" PRIu64
                " rows from the policy of %s; none comes from the data\n",
                rows, name);
    return status;
}
