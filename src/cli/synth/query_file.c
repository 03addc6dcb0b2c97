#include "cli/synth/query_file.h"

#include "cli/terminal/complaint.h"

#include <stdlib.h>
#include <string.h>

/* The line that begins here, ended in place; what follows it, or NULL behind the last one. */
static char *end_line(char *line)
{
    char *end = strchr(line, '\n');
    char *last = end == NULL ? line + strlen(line) : end;
    if (last > line && last[-1] == '\r')
        last[-1] = '\0';
    *last = '\0';
    return end == NULL ? NULL : end + 1;
}

scrim_status sc_query_file_read(const char *path, sc_query_file *out, scrim_error *error)
{
    size_t most = 1;
    *out = (sc_query_file){.count = 0};
    SC_TRY(sc_whole_file_read(path, SC_QUERY_FILE_BYTES, &out->file, error));
    for (size_t i = 0; i < out->file.count; i++)
        most += out->file.bytes[i] == '\n';
    out->lines = calloc(most, sizeof *out->lines);
    if (out->lines == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    for (char *line = out->file.bytes; line != NULL && out->count < most;) {
        char *next = end_line(line);
        out->lines[out->count++] = line;
        line = next;
    }
    return SCRIM_OK;
}

void sc_query_file_clear(sc_query_file *file)
{
    free(file->lines);
    sc_whole_file_clear(&file->file);
    *file = (sc_query_file){.count = 0};
}
