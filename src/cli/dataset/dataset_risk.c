#include "cli/dataset/dataset_check.h"
#include "cli/display/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <stdio.h>

#define MARK "SENSITIVE"

static const sc_listing_column columns[] = {{.name = "mark"},
                                            {"columns", SC_KIND_NUMBER},
                                            {"unique", SC_KIND_NUMBER},
                                            {"percent", SC_KIND_NUMBER},
                                            {"k", SC_KIND_NUMBER},
                                            {"classes", SC_KIND_NUMBER},
                                            {"l", SC_KIND_NUMBER | SC_NULLABLE},
                                            {"t", SC_KIND_NUMBER | SC_NULLABLE},
                                            {"certain", SC_KIND_NUMBER | SC_NULLABLE},
                                            {.name = "set"}};
#define COLUMNS (sizeof columns / sizeof *columns)

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

static void put_set(sc_listing *page, const scrim_risk *risk, const scrim_risk_set *set)
{
    const bool has_values = risk->has_sensitive != 0;
    if (page->column_count == COLUMNS)
        sc_listing_put(page, MARK);
    sc_listing_put(page, "%zu", set->column_count);
    sc_listing_put(page, "%" PRIu64, set->unique);
    sc_listing_put(page, "%.2f", percent(set->unique, risk->people));
    sc_listing_put(page, "%" PRIu64, set->k);
    sc_listing_put(page, "%" PRIu64, set->classes);
    sc_listing_put(page, has_values ? "%" PRIu64 : NULL, set->l);
    sc_listing_put(page, has_values ? "%.4f" : NULL, set->t);
    sc_listing_put(page, has_values ? "%" PRIu64 : NULL, set->certain);
    sc_listing_put(page, "%s", set->columns);
}

static scrim_status write_sets(const scrim_risk *risk, const sc_options *options,
                               scrim_error *error)
{
    sc_listing *page = NULL;
    const scrim_status status = sc_page_new(options, columns, COLUMNS, &page, error);
    if (status != SCRIM_OK)
        return status;
    if (page->format == SCRIM_FORMAT_TABLE) {
        page->columns++; /* its mark stands above it */
        page->column_count--;
    }
    page->heading = MARK ": raw data, for the owner only";
    for (size_t i = 0; i < risk->count; i++)
        put_set(page, risk, &risk->sets[i]);
    return sc_page_end(page, SCRIM_OK, error);
}

static void tell_risk(const scrim_risk *risk, const char *name)
{
    const scrim_risk_set *all = &risk->sets[risk->count - 1];
    sc_talk(MARK ": %" PRIu64 " of %" PRIu64
                 " people of %s are unique by %zu column%s; whoever knows these values "
                 "finds their rows in a copy of the file\n",
            all->unique, risk->people, name, all->column_count,
            all->column_count == 1 ? "" : "s");
}

scrim_status sc_dataset_risk(scrim_vault *vault, const char *name,
                             const sc_options *options, scrim_error *error)
{
    const bool is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    scrim_risk risk;
    sc_format format;
    sc_progress progress;
    /* An invalid format is refused before the source is read. */
    scrim_status status = sc_options_format(options, SCRIM_FORMAT_CSV, &format, error);
    if (status != SCRIM_OK)
        return status;
    sc_progress_start(&progress, 0, "bytes", !is_quiet);
    status = scrim_vault_risk(
        vault, name,
        SCRIM_OPTIONS(scrim_risk_options, .progress = sc_progress_told,
                      .context = &progress,
                      .columns = options->value[SCRIM_OPTION_COLUMNS],
                      .sensitive = options->value[SCRIM_OPTION_SENSITIVE]),
        &risk, error);
    sc_progress_end(&progress);
    if (status != SCRIM_OK)
        return status;
    status = write_sets(&risk, options, error);
    if (status == SCRIM_OK && !is_quiet)
        tell_risk(&risk, name);
    scrim_risk_clear(&risk);
    return status;
}
