/* scrim local decode --config FILE SUMS... */
#include "cli/local/covariance_listing.h"
#include "cli/local/decode_listing.h"
#include "cli/local/joint_decode.h"
#include "cli/local/local_commands.h"
#include "cli/local/local_files.h"
#include "cli/local/text_decode.h"
#include "cli/local/value_names.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "scrim_local.h"

#include <stdlib.h>
#include <string.h>

#define UPDATES_MAX 1000000
#define CONFIDENCE "0.95"

static scrim_status show(scrim_collection *collection, const sc_options *options,
                         sc_decode_view *view, const scrim_decode_options *asked,
                         scrim_error *error)
{
    SC_OWNED(scrim_estimates_free_at) scrim_estimates *estimates = NULL;
    SC_TRY(scrim_collection_decode(collection, asked, &estimates, error));
    scrim_collection_describe(collection, &view->facts);
    view->estimates = estimates;
    return sc_options_has(options, SCRIM_OPTION_COVARIANCE)
               ? sc_covariance_listing(view, options, error)
               : sc_decode_listing(view, options, error);
}

static scrim_status read_numbers(const sc_options *options, sc_decode_view *view,
                                 scrim_decode_options *asked, scrim_error *error)
{
    uint64_t top = 0, updates = 0;
    SC_TRY(sc_options_number(options, SCRIM_OPTION_TOP, UINT32_MAX, 0, &top, error));
    SC_TRY(sc_options_number(options, SCRIM_OPTION_UPDATES, UPDATES_MAX, 0, &updates,
                             error));
    if (((sc_options_has(options, SCRIM_OPTION_TOP) && top == 0) ||
         (sc_options_has(options, SCRIM_OPTION_UPDATES) && updates == 0)))
        return sc_refuse(error, "--top and --updates must be at least 1");
    view->top = (size_t)top;
    asked->updates = (unsigned)updates;
    return SCRIM_OK;
}

/* Is it a configuration of texts? Standard input is read once, for configurations of values. */
static scrim_status look_for_texts(const sc_options *options, bool *is_of_texts,
                                   scrim_local_config *config, scrim_error *error)
{
    SC_OWNED(sc_whole_file_clear) sc_whole_file file = {.bytes = NULL};
    const char *path = options->value[SCRIM_OPTION_CONFIG];
    *is_of_texts = false;
    if (path != NULL && strcmp(path, "-") == 0)
        return SCRIM_OK;
    SC_TRY(sc_local_config_file(options, &file, error));
    *is_of_texts = scrim_local_config_parse(file.bytes, config) == SCRIM_LOCAL_OK &&
                   sc_text_decode_is_for(config);
    return SCRIM_OK;
}

static scrim_status show_texts(const scrim_local_config *config,
                               const sc_decode_view *view, const sc_options *options,
                               scrim_error *error)
{
    char *end = NULL;
    if (sc_options_has(options, SCRIM_OPTION_COVARIANCE))
        return sc_refuse(error, "covariances are for protocols that count values");
    const double confidence = strtod(view->confidence, &end);
    if (*end != '\0' || !(confidence > 0.5 && confidence < 1))
        return sc_refuse(error, "--confidence must be above 0.5 and below 1");
    const sc_text_request request = {.names = view->names,
                                     .name_count = view->name_count,
                                     .top = view->top,
                                     .alpha = 1 - confidence,
                                     .is_rate = view->only_significant};
    return sc_text_decode_show(config, &request, options, error);
}

/* Counts and means, from sums or reports. */
static scrim_status show_estimates(const sc_options *options, sc_decode_view *view,
                                   scrim_decode_options *asked, scrim_error *error)
{
    SC_OWNED(scrim_collection_free_at) scrim_collection *collection = NULL;
    SC_TRY(sc_local_collect_files(options, &collection, error));
    return show(collection, options, view, asked, error);
}

static scrim_status show_counts(const sc_options *options, sc_decode_view *view,
                                scrim_decode_options *asked, scrim_error *error)
{
    scrim_local_config config;
    bool is_of_texts = false;
    SC_TRY(look_for_texts(options, &is_of_texts, &config, error));
    return is_of_texts ? show_texts(&config, view, options, error)
                       : show_estimates(options, view, asked, error);
}

static scrim_status show_joint(const sc_value_names *first, const sc_options *options,
                               scrim_error *error)
{
    SC_OWNED(sc_value_names_clear) sc_value_names second = {.names = NULL};
    SC_TRY(sc_value_names_read(options->value[SCRIM_OPTION_JOINT_NAMES], &second, error));
    const sc_joint_names names = {{first->names, second.names},
                                  {first->count, second.count}};
    return sc_joint_decode_show(&names, options, error);
}

/* Options that say what is shown exclude each other. */
static scrim_status check_together(const sc_options *options, scrim_error *error)
{
    static const sc_option ways[] = {SCRIM_OPTION_POST, SCRIM_OPTION_SIGNIFICANT,
                                     SCRIM_OPTION_TOP, SCRIM_OPTION_CONFIDENCE};
    const bool is_joint = sc_options_has(options, SCRIM_OPTION_JOINT),
               is_covariance = sc_options_has(options, SCRIM_OPTION_COVARIANCE);
    if (is_joint && is_covariance)
        return sc_refuse(error, "give --joint or --covariance, not both");
    if (!is_joint && sc_options_has(options, SCRIM_OPTION_JOINT_NAMES))
        return sc_refuse(error, "--joint-names needs --joint FILE");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if ((is_joint || (is_covariance && i < 2)) && sc_options_has(options, ways[i]))
            return sc_refuse(error, "%s has no use for %s",
                             is_joint ? "--joint" : "--covariance",
                             sc_option_name(ways[i]));
    return SCRIM_OK;
}

static scrim_status run_decode(const sc_options *options, scrim_error *error)
{
    sc_value_names names = {.names = NULL};
    const char *confidence = options->value[SCRIM_OPTION_CONFIDENCE];
    sc_decode_view view = {.confidence = confidence == NULL ? CONFIDENCE : confidence,
                           .post = options->value[SCRIM_OPTION_POST],
                           .only_significant =
                               sc_options_has(options, SCRIM_OPTION_SIGNIFICANT)};
    scrim_decode_options asked = {.size = sizeof asked,
                                  .confidence = view.confidence,
                                  .is_significant = view.only_significant,
                                  .post = view.post};
    scrim_status status = check_together(options, error);
    if (status == SCRIM_OK)
        status = read_numbers(options, &view, &asked, error);
    if (status == SCRIM_OK)
        status = sc_value_names_read(options->value[SCRIM_OPTION_NAMES], &names, error);
    view.names = names.names;
    view.name_count = names.count;
    if (status != SCRIM_OK)
        ;
    else if (sc_options_has(options, SCRIM_OPTION_JOINT))
        status = show_joint(&names, options, error);
    else
        status = show_counts(options, &view, &asked, error);
    sc_value_names_clear(&names);
    return status;
}

static const char usage[] =
    "Estimates counts, or the mean of numbers: unbiased, with standard errors,\n"
    "intervals for each value and for all values together, and how far fake reports\n"
    "can move them. Texts: rappor with a Bloom filter takes sums and candidates\n"
    "(--names); text-hashing takes reports and candidates; prefix takes reports alone\n"
    "and finds texts that nobody has listed.\n"
    "\n"
    "  --config FILE      the configuration of the devices\n"
    "  --names FILE       names of the values 0, 1, ..., one a line; of texts, the\n"
    "                     candidates\n"
    "  --confidence C     of intervals, above 0.5 and below 1 (default 0.95)\n"
    "  --top N            the N largest estimates only\n"
    "  --significant      only values that somebody holds; of those, at most 1 - C\n"
    "                     are expected to be false\n"
    "  --post METHOD      also counts that are at least 0 and add up, by simplex,\n"
    "                     norm-sub (the same), em or em-smooth. They are biased;\n"
    "                     scrim measures and prints the bias\n"
    "  --updates N        updates of em (default 200)\n"
    "  --covariance       covariances of the estimates instead, for errors of sums\n"
    "                     and differences of counts\n"
    "  --joint FILE       the configuration of a second variable; two files of\n"
    "                     reports of the same devices, in the same order, become a\n"
    "                     table of both\n"
    "  --joint-names FILE  names of the values of the second variable\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json             short for --format json\n"
    "  --quiet            no notes on standard error\n"
    "\n"
    "example: scrim local decode --config emoji.config monday.sums --top 10\n";

const sc_command sc_local_decode = {
    .name = "decode",
    .synopsis = "--config FILE [OPTION...] SUMS...",
    .summary = "estimate counts, a mean, or texts nobody has listed",
    .usage = usage,
    .kind = SC_COMMAND_LIST,
    .options =
        SC_OPTION_SET(SCRIM_OPTION_CONFIG, SCRIM_OPTION_NAMES, SCRIM_OPTION_TOP,
                      SCRIM_OPTION_CONFIDENCE, SCRIM_OPTION_SIGNIFICANT,
                      SCRIM_OPTION_POST, SCRIM_OPTION_UPDATES, SCRIM_OPTION_COVARIANCE,
                      SCRIM_OPTION_JOINT, SCRIM_OPTION_JOINT_NAMES),
    .run = run_decode,
};
