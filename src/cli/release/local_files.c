#include "cli/release/local_files.h"

#include "cli/release/subcommands.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/output.h"
#include "cli/terminal/talk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void sc_local_caution_dropped(const scrim_collection_facts *facts)
{
    const double all = (double)facts->reports + (double)facts->dropped;
    if ((double)facts->dropped > 0.05 * all)
        sc_talk("caution: %.3g %% of the reports were dropped, since no device can have "
                "sent them; they may be of another configuration\n",
                100 * (double)facts->dropped / all);
}

/* The reports of a file that is named twice count twice. */
static void caution_twice(const sc_options *options)
{
    for (size_t i = WORDS; i < options->word_count; i++)
        for (size_t j = i + 1; j < options->word_count; j++)
            if (strcmp(options->words[i], options->words[j]) == 0)
                sc_talk("caution: '%.120s' is named twice; its reports count twice\n",
                        options->words[i]);
}

scrim_status sc_local_collect_files(const sc_options *options, scrim_collection **out,
                                    scrim_error *error)
{
    sc_whole_file config = {.bytes = NULL};
    scrim_collection *collection = NULL;
    if (options->word_count <= WORDS)
        return sc_refuse(error, "name the files of reports or sums; - is standard input");
    scrim_status status = sc_local_config_file(options, &config, error);
    if (!sc_options_has(options, SCRIM_OPTION_QUIET))
        caution_twice(options);
    if (status == SCRIM_OK)
        status = scrim_collection_new(config.bytes, &collection, error);
    if (status == SCRIM_OK && sc_options_has(options, SCRIM_OPTION_SKIP_BAD))
        scrim_collection_skip_bad(collection);
    for (size_t i = WORDS; status == SCRIM_OK && i < options->word_count; i++)
        status = read_file(options->words[i], collection, error);
    sc_whole_file_clear(&config);
    if (status == SCRIM_OK)
        *out = collection;
    else
        scrim_collection_free(collection);
    return status;
}

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

/* scrim local collect --config FILE REPORTS... */
static int put(void *context, const char *text, size_t bytes)
{
    sc_output *output = context;
    sc_output_bytes(output, text, bytes);
    return output->error == 0;
}

static scrim_status write_sums(scrim_collection *collection, scrim_error *error)
{
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "sums");
    sc_output_init(output, STDOUT_FILENO);
    scrim_status status = scrim_collection_write(collection, put, output, error);
    if (status == SCRIM_OK || output->error != 0)
        status = sc_output_finish(output, error);
    free(output);
    return status;
}

static scrim_status run_collect(const sc_options *options, scrim_error *error)
{
    scrim_collection *collection = NULL;
    scrim_collection_facts facts;
    scrim_status status = sc_local_collect_files(options, &collection, error);
    if (status != SCRIM_OK)
        return status;
    status = write_sums(collection, error);
    scrim_collection_describe(collection, &facts);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_talk("%llu reports; %llu dropped, %llu flagged\n",
                (unsigned long long)facts.reports, (unsigned long long)facts.dropped,
                (unsigned long long)facts.flagged);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_local_caution_dropped(&facts);
    if (status == SCRIM_OK && facts.skipped > 0 &&
        !sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_talk("skipped %llu times: bytes that are no message of this configuration\n",
                (unsigned long long)facts.skipped);
    scrim_collection_free(collection);
    return status;
}

static const char usage[] =
    "Adds up files of reports, of sums, or of both; - is standard input. Sums of\n"
    "parts add up to the sums of the whole. Reports that no device can have sent are\n"
    "dropped. Shapes that honest devices hardly ever send are flagged.\n"
    "\n"
    "  --config FILE      the configuration of the devices\n"
    "  --skip-bad         go on behind bytes of a file of messages that are none of\n"
    "                     this configuration, and say how often\n"
    "  --quiet            no summary on standard error\n"
    "\n"
    "example: scrim local collect --config emoji.config *.reports > monday.sums\n";

const sc_command sc_local_collect = {
    .name = "collect",
    .synopsis = "--config FILE REPORTS... > SUMS",
    .summary = "add up reports",
    .usage = usage,
    .kind = SC_COMMAND_ACT,
    .options = SC_OPTION_SET(SCRIM_OPTION_CONFIG, SCRIM_OPTION_SKIP_BAD),
    .run = run_collect,
};
