#include "cli/dataset/dataset_told.h"

#include "cli/dataset/dataset_caution.h"
#include "cli/dataset/dataset_check.h"
#include "cli/dataset/dataset_share.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"
#include "cli/vault/budget_writer.h"
#include "cli/vault/vault_place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_quiet(const sc_options *options)
{
    return sc_options_has(options, SCRIM_OPTION_QUIET);
}

scrim_status sc_dataset_tell_version(scrim_vault *vault, const char *name,
                                     const sc_options *options, const char *what,
                                     scrim_error *error)
{
    scrim_dataset dataset;
    scrim_status status = sc_dataset_find(vault, name, &dataset, error);
    if (status == SCRIM_OK && !is_quiet(options))
        sc_talk("%s dataset %s (version %" PRIu64 "), budget \"%s\"\n", what,
                dataset.name, dataset.version, dataset.population);
    return status;
}

scrim_status sc_dataset_tell_added(scrim_vault *vault, const char *name,
                                   const sc_options *options,
                                   const sc_dataset_added *facts, scrim_error *error)
{
    scrim_dataset dataset;
    scrim_status status = sc_dataset_tell_version(vault, name, options, "added", error);
    if (status == SCRIM_OK && !is_quiet(options))
        status = sc_dataset_find(vault, name, &dataset, error);
    if (status == SCRIM_OK && !is_quiet(options))
        status =
            sc_dataset_caution_write(vault, &dataset, facts->has_typed_budget, error);
    if (status == SCRIM_OK && !is_quiet(options) && facts->lacks_columns)
        sc_talk("caution: no column is declared, so questions can only count; add "
                "one: 'scrim dataset set %s --column NAME=TYPE'\n",
                dataset.name);
    if (status == SCRIM_OK)
        sc_dataset_shares_note(options);
    if (status == SCRIM_OK && !is_quiet(options) && facts->has_source &&
        !sc_dataset_check_is_due(options))
        sc_talk("next: scrim dataset check %s\n", dataset.name);
    return status;
}

static void tell_share(void *context, const char *share)
{
    const scrim_dataset *dataset = context;
    sc_talk("share of %s: %s\n", dataset->population, share);
}

/* All of them where one was given. */
static scrim_status tell_shares(scrim_vault *vault, const char *name,
                                const sc_options *options, scrim_error *error)
{
    scrim_dataset dataset;
    if (is_quiet(options))
        return SCRIM_OK;
    scrim_status status = sc_dataset_find(vault, name, &dataset, error);
    if (status == SCRIM_OK && sc_options_has(options, SCRIM_OPTION_SHARE))
        status = sc_dataset_shares_tell(vault, dataset.population, tell_share, &dataset,
                                        error);
    if (status == SCRIM_OK && sc_options_has(options, SCRIM_OPTION_SHARE))
        status = sc_dataset_shares_caution_owner(vault, dataset.population, error);
    if (status == SCRIM_OK && (sc_options_has(options, SCRIM_OPTION_SHARE) ||
                               sc_options_has(options, SCRIM_OPTION_POLICY)))
        status = sc_dataset_caution_shares(vault, dataset.population, error);
    if (status == SCRIM_OK)
        sc_dataset_shares_note(options);
    return status;
}

/* The cap, where it was given: in the unit in which the population counts. */
static scrim_status tell_cap(scrim_vault *vault, const scrim_dataset *dataset,
                             const sc_options *options, scrim_error *error)
{
    scrim_budget budget;
    if (is_quiet(options) || !sc_options_has(options, SCRIM_OPTION_CAP))
        return SCRIM_OK;
    scrim_status status =
        sc_budget_find(vault, dataset->population, NULL, &budget, error);
    sc_output *output = malloc(sizeof *output);
    if (status == SCRIM_OK && output == NULL)
        status = sc_out_of_memory(error, "a line");
    if (status == SCRIM_OK) {
        sc_output_init(output, STDERR_FILENO);
        sc_caps_write(output, dataset, budget.unit);
        status = sc_output_finish(output, error);
    }
    free(output);
    return status;
}

scrim_status sc_dataset_tell_changed(scrim_vault *vault, const char *name,
                                     const sc_options *options, uint64_t before,
                                     scrim_error *error)
{
    scrim_dataset dataset;
    scrim_status status = sc_dataset_tell_version(vault, name, options, "changed", error);
    if (status == SCRIM_OK)
        status = sc_dataset_find(vault, name, &dataset, error);
    if (status == SCRIM_OK && !is_quiet(options) && dataset.version != before)
        status = sc_dataset_caution_answers(vault, name, before, error);
    if (status == SCRIM_OK)
        status = tell_cap(vault, &dataset, options, error);
    return status == SCRIM_OK ? tell_shares(vault, name, options, error) : status;
}
