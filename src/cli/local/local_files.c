#include "cli/local/local_files.h"

#include "cli/terminal/complaint.h"
#include "scrim_local.h"

/* Words before those that name files: the verb and the subcommand. */
#define WORDS 2

scrim_status sc_local_config_file(const sc_options *options, sc_whole_file *out,
                                  scrim_error *error)
{
    const char *path = options->value[SCRIM_OPTION_CONFIG];
    if (path == NULL)
        return sc_refuse(error, "name the configuration of the devices: --config FILE");
    return sc_whole_file_read(path, SCRIM_LOCAL_CONFIG_BYTES, out, error);
}

typedef struct report_file {
    const char *path;
    scrim_collection *collection;
} report_file;

static scrim_status say_where(const report_file *file, scrim_status status,
                              const scrim_error *cause, scrim_error *error)
{
    return sc_complaint_fill(error, status, "'%.120s': %.300s", file->path,
                             cause->message);
}

static scrim_status take(void *context, const char *bytes, size_t count,
                         scrim_error *error)
{
    const report_file *file = context;
    scrim_error cause = {.status = SCRIM_OK};
    const scrim_status status =
        scrim_collection_read(file->collection, bytes, count, &cause);
    return status == SCRIM_OK ? status : say_where(file, status, &cause, error);
}

static scrim_status read_file(const char *path, scrim_collection *collection,
                              scrim_error *error)
{
    report_file file = {path, collection};
    scrim_error cause = {.status = SCRIM_OK};
    scrim_status status = sc_file_pieces(path, take, &file, error);
    if (status != SCRIM_OK)
        return status;
    status = scrim_collection_end_file(collection, &cause);
    return status == SCRIM_OK ? status : say_where(&file, status, &cause, error);
}

scrim_status sc_local_collect_files(const sc_options *options, scrim_collection **out,
                                    scrim_error *error)
{
    sc_whole_file config = {.bytes = NULL};
    scrim_collection *collection = NULL;
    if (options->word_count <= WORDS)
        return sc_refuse(error, "name the files of reports or sums; - is standard input");
    scrim_status status = sc_local_config_file(options, &config, error);
    if (status == SCRIM_OK)
        status = scrim_collection_new(config.bytes, &collection, error);
    for (size_t i = WORDS; status == SCRIM_OK && i < options->word_count; i++)
        status = read_file(options->words[i], collection, error);
    sc_whole_file_clear(&config);
    if (status == SCRIM_OK)
        *out = collection;
    else
        scrim_collection_free(collection);
    return status;
}
