/* scrim local collect --config FILE REPORTS... */
#include "cli/local/local_commands.h"
#include "cli/local/local_files.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/output.h"
#include "cli/terminal/talk.h"

#include <stdlib.h>
#include <unistd.h>

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
    scrim_collection_free(collection);
    return status;
}

static const char usage[] =
    "Adds up files of reports, of sums, or of both; - is standard input. Sums of\n"
    "parts add up to the sums of the whole. Reports that no device can have sent are\n"
    "dropped. Shapes that honest devices hardly ever send are flagged.\n"
    "\n"
    "  --config FILE      the configuration of the devices\n"
    "  --quiet            no summary on standard error\n"
    "\n"
    "example: scrim local collect --config emoji.config *.reports > monday.sums\n";

const sc_command sc_local_collect = {
    .name = "collect",
    .synopsis = "--config FILE REPORTS... > SUMS",
    .summary = "add up reports",
    .usage = usage,
    .kind = SC_COMMAND_ACT,
    .options = SC_OPTION_SET(SCRIM_OPTION_CONFIG),
    .run = run_collect,
};
