#include "cli/local/value_names.h"

#include "cli/terminal/complaint.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_BYTES ((size_t)1 << 28)
#define NAMES_MAX ((size_t)1 << 24)

scrim_status sc_value_names_read(const char *path, sc_value_names *out,
                                 scrim_error *error)
{
    if (path == NULL)
        return SCRIM_OK;
    SC_TRY(sc_whole_file_read(path, NAMES_BYTES, &out->file, error));
    size_t lines = 1;
    for (const char *at = out->file.bytes; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    if (lines - 1 > NAMES_MAX)
        return sc_complaint_fill(error, SCRIM_E_LIMIT, "'%.120s' has more than %zu lines",
                                 path, NAMES_MAX);
    out->names = calloc(lines, sizeof *out->names);
    if (out->names == NULL)
        return sc_out_of_memory(error, "names");
    for (char *line = out->file.bytes; *line != '\0';) {
        char *end = line + strcspn(line, "\n"), *next = end + (*end == '\n');
        *end = '\0';
        end[-(end > line && end[-1] == '\r')] = '\0';
        out->names[out->count++] = line;
        line = next;
    }
    return SCRIM_OK;
}

void sc_value_names_clear(sc_value_names *names)
{
    free(names->names);
    sc_whole_file_clear(&names->file);
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const sc_named_value *)a)->name, ((const sc_named_value *)b)->name);
}

scrim_status sc_value_names_sort(const sc_value_names *names, sc_named_value **out,
                                 scrim_error *error)
{
    sc_named_value *sorted = calloc(names->count + 1, sizeof *sorted);
    *out = sorted;
    if (sorted == NULL)
        return sc_out_of_memory(error, "names");
    for (size_t i = 0; i < names->count; i++)
        sorted[i] = (sc_named_value){names->names[i], i};
    qsort(sorted, names->count, sizeof *sorted, compare);
    for (size_t i = 1; i < names->count; i++)
        if (compare(&sorted[i - 1], &sorted[i]) == 0)
            return sc_complaint_fill(error, SCRIM_E_INPUT,
                                     "--names has '%.60s' twice; each value needs a name "
                                     "of its own",
                                     sorted[i].name);
    return SCRIM_OK;
}

const sc_named_value *sc_value_names_find(const sc_named_value *sorted, size_t count,
                                          const char *name)
{
    const sc_named_value wanted = {.name = name};
    return bsearch(&wanted, sorted, count, sizeof *sorted, compare);
}
