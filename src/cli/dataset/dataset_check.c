#include "cli/dataset/dataset_check.h"

#include "cli/dataset/finding_words.h"
#include "cli/display/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/interview.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MARK SC_SENSITIVE
#define COLUMNS 7

/* More rows than are used agree with the declaration, which bounds them; "yes" would read as if nothing were
 * ignored. */
static const char *holds(const scrim_inspected *line, bool is_table)
{
    if (is_table && line->finding == SCRIM_FINDING_OVER && line->is_right)
        return "allowed";
    return line->is_right ? "yes" : "no";
}

static void add_line(sc_listing *page, const scrim_inspected *line)
{
    const bool is_table = page->format == SCRIM_FORMAT_TABLE,
               is_over = is_table && line->finding == SCRIM_FINDING_OVER;
    char count[24], rows[SC_FINDING_ROWS_BYTES];
    snprintf(count, sizeof count, "%" PRIu64, line->count);
    sc_finding_rows(line, rows);
    const char *const texts[COLUMNS] = {MARK,
                                        line->column,
                                        is_over ? "units over max-rows"
                                                : scrim_finding_name(line->finding),
                                        count,
                                        holds(line, is_table),
                                        is_over ? "rest ignored" : line->effect,
                                        rows};
    sc_listing_add(page, texts + COLUMNS - page->column_count);
}

static scrim_status write_lines(const scrim_inspection *inspection,
                                const sc_options *options, scrim_error *error)
{
    sc_listing_column columns[COLUMNS] = {
        {.name = "mark"},          {.name = "column"}, {.name = "finding"},
        {"count", SC_KIND_NUMBER}, {.name = "holds"},  {.name = "effect"},
        {.name = "first_rows"}};
    sc_listing *page = NULL;
    const scrim_status status = sc_page_new(options, columns, COLUMNS, &page, error);
    if (status != SCRIM_OK)
        return status;
    if (page->format == SCRIM_FORMAT_TABLE) {
        columns[4].name = "as declared";
        columns[6].name = inspection->counts_lines ? "lines" : "rows";
        page->columns++; /* its mark stands above it */
        page->column_count--;
    }
    page->heading = MARK ": raw data, for the owner only";
    for (size_t i = 0; i < inspection->count; i++)
        add_line(page, &inspection->lines[i]);
    return sc_page_end(page, SCRIM_OK, error);
}

/* The remedies for what the table shows. */
static void write_advice(const sc_finding_scene *scene)
{
    for (size_t i = 0; i < scene->inspection->count; i++)
        sc_finding_tell(scene, &scene->inspection->lines[i]);
}

static size_t count_wrong(const scrim_inspection *inspection)
{
    size_t wrong = 0;
    for (size_t i = 0; i < inspection->count; i++)
        wrong += !inspection->lines[i].is_right;
    return wrong;
}

static void tell_right(const scrim_inspection *inspection, const char *name)
{
    sc_talk(MARK ": %s, version %" PRIu64 ", is as declared\n", name,
            inspection->version);
}

static scrim_status judge(const scrim_inspection *inspection, const char *name,
                          bool is_quiet, scrim_error *error)
{
    const size_t wrong = count_wrong(inspection);
    if (wrong > 0)
        return sc_complaint_fill(
            error, SCRIM_E_CHECK,
            MARK
            ": %zu finding%s of %s, version %" PRIu64
            ", %s not as declared; fix the file and run 'scrim dataset update %s', or "
            "change the policy with 'scrim dataset set %s ...'",
            wrong, wrong == 1 ? "" : "s", name, inspection->version,
            wrong == 1 ? "is" : "are", name, name);
    if (!is_quiet)
        tell_right(inspection, name);
    return SCRIM_OK;
}

static scrim_status inspect(scrim_vault *vault, const char *name, bool is_quiet,
                            scrim_inspection *out, scrim_error *error)
{
    sc_progress progress;
    sc_progress_start(&progress, 0, "bytes", !is_quiet);
    const scrim_status status = scrim_vault_inspect(
        vault, name,
        SCRIM_OPTIONS(scrim_inspect_options, .progress = sc_progress_told,
                      .context = &progress),
        out, error);
    sc_progress_end(&progress);
    return status;
}

bool sc_dataset_check_is_due(const sc_options *options)
{
    return !sc_options_has(options, SCRIM_OPTION_QUIET) &&
           !sc_options_has(options, SCRIM_OPTION_NO_CHECK) && sc_interview_is_possible();
}

/* A file that is not the declared one comes first, then what is about most cells. */
static uint64_t weight_of(const scrim_inspected *line)
{
    return line->finding == SCRIM_FINDING_CHANGED ? UINT64_MAX : line->count;
}

/* The heaviest line that is lighter than the last one, or as heavy and behind it; NULL: no line is left. */
static const scrim_inspected *next_wrong(const scrim_inspection *inspection,
                                         const scrim_inspected *last)
{
    const scrim_inspected *next = NULL;
    for (size_t i = 0; i < inspection->count; i++) {
        const scrim_inspected *line = &inspection->lines[i];
        const bool is_behind = last == NULL || weight_of(line) < weight_of(last) ||
                               (weight_of(line) == weight_of(last) && line > last);
        if (!line->is_right && is_behind &&
            (next == NULL || weight_of(line) > weight_of(next)))
            next = line;
    }
    return next;
}

/* Findings that are told after a declaration; 'dataset check' shows all. */
#define TOLD 5

static void tell_wrong(const sc_finding_scene *scene, size_t wrong)
{
    const scrim_inspection *inspection = scene->inspection;
    const scrim_inspected *line = NULL;
    for (size_t i = 0; i < TOLD; i++)
        if ((line = next_wrong(inspection, line)) != NULL)
            sc_finding_tell(scene, line);
        else
            break;
    sc_talk(MARK ": %zu finding%s of %s, version %" PRIu64
                 ", %s not as declared; correct the policy or the file before anybody "
                 "pays for an answer; 'scrim dataset check %s' shows all\n",
            wrong, wrong == 1 ? "" : "s", scene->name, inspection->version,
            wrong == 1 ? "is" : "are", scene->name);
}

void sc_dataset_check_declared(scrim_vault *vault, const char *name)
{
    scrim_inspection inspection = {.lines = NULL};
    char *policy = NULL;
    scrim_error error;
    scrim_status status = inspect(vault, name, false, &inspection, &error);
    if (status == SCRIM_OK)
        status = scrim_vault_policy(vault, name, &policy, &error);
    if (status == SCRIM_OK) {
        const sc_finding_scene scene = {&inspection, name, policy, false};
        const size_t wrong = count_wrong(&inspection);
        for (size_t i = 0; i < inspection.count; i++)
            if (inspection.lines[i].is_right)
                sc_finding_tell(&scene, &inspection.lines[i]);
        if (wrong > 0)
            tell_wrong(&scene, wrong);
        else
            tell_right(&inspection, name);
    } else {
        sc_talk("caution: the data were not checked: %s\n", error.message);
    }
    scrim_vault_text_free(policy);
    scrim_inspection_clear(&inspection);
}

scrim_status sc_dataset_check(scrim_vault *vault, const char *name,
                              const sc_options *options, scrim_error *error)
{
    const bool is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    scrim_inspection inspection = {.lines = NULL};
    char *policy = NULL;
    sc_format format;
    /* An invalid format is refused before the source is read. */
    scrim_status status = sc_options_format(options, SCRIM_FORMAT_CSV, &format, error);
    if (status != SCRIM_OK)
        return status;
    status = inspect(vault, name, is_quiet, &inspection, error);
    if (status == SCRIM_OK)
        status = write_lines(&inspection, options, error);
    if (status == SCRIM_OK && !is_quiet)
        status = scrim_vault_policy(vault, name, &policy, error);
    if (status == SCRIM_OK && !is_quiet)
        write_advice(&(sc_finding_scene){&inspection, name, policy, true});
    if (status == SCRIM_OK)
        status = judge(&inspection, name, is_quiet, error);
    scrim_vault_text_free(policy);
    scrim_inspection_clear(&inspection);
    return status;
}
