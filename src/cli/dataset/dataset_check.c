#include "cli/dataset/dataset_check.h"

#include "cli/display/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/interview.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MARK "SENSITIVE"
#define COLUMNS 7

/* "3 17 21": numbers of rows. */
static void write_rows(const scrim_inspected *line, char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < line->row_count && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%" PRIu64,
                                 i == 0 ? "" : " ", line->rows[i]);
}

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
    char count[24], rows[24 * SCRIM_INSPECTED_ROWS];
    snprintf(count, sizeof count, "%" PRIu64, line->count);
    write_rows(line, rows, sizeof rows);
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

/* Another form that may have been meant, for values that are read in it. A form that reads fewer cells
 * than the declared one is no advice. */
static void hint(const scrim_inspected *line, const char *name)
{
    const bool is_one = line->count == 1;
    const char *cells = is_one ? "cell" : "cells", *have = is_one ? "has" : "have",
               *them = is_one ? "it" : "them", *formats = line->date_formats;
    const bool is_comma = line->finding == SCRIM_FINDING_DECIMAL_COMMA,
               is_date = line->finding == SCRIM_FINDING_OTHER_DATE;
    const size_t first = strcspn(formats, " ");
    if (!is_comma && !is_date && line->finding != SCRIM_FINDING_DECIMAL_POINT)
        return;
    if (is_date && !line->reads_more)
        sc_talk(MARK ": %" PRIu64 " %s of %s %s a date %s%s; correct %s in the file\n",
                line->count, cells, line->column, have,
                first == 0 ? "in another format" : "as ", formats, them);
    else if (is_date)
        sc_talk(MARK ": %" PRIu64 " %s of %s %s a date in another format: 'scrim dataset "
                     "set %s --date-format %.*s'%s%s\n",
                line->count, cells, line->column, have, name, first == 0 ? 1 : (int)first,
                first == 0 ? "F" : formats, first == 0 ? ", but no format reads all" : "",
                formats + first);
    else if (!line->reads_more)
        sc_talk(MARK ": %" PRIu64 " %s of %s %s a decimal %s; correct %s in the file\n",
                line->count, cells, line->column, have, is_comma ? "comma" : "point",
                them);
    else
        sc_talk(MARK ": %" PRIu64 " %s of %s %s a decimal %s: 'scrim dataset set %s "
                     "--decimal %s\n",
                line->count, cells, line->column, have, is_comma ? "comma" : "point",
                name, is_comma ? ",'" : ".', unless it separates thousands");
}

/* A word in at most a twentieth of the cells is taken for a misspelling of another. */
#define SLIPS_IN 20

static bool are_slips(const scrim_inspection *inspection, const scrim_inspected *line)
{
    for (size_t i = 0; i < inspection->count; i++)
        if (inspection->lines[i].finding == SCRIM_FINDING_READABLE &&
            strcmp(inspection->lines[i].column, line->column) == 0)
            return line->count <= inspection->lines[i].count / SLIPS_IN;
    return false;
}

static void hint_bool(const scrim_inspection *inspection, const scrim_inspected *line,
                      const char *name)
{
    const bool is_one = line->count == 1;
    char words[SCRIM_COLUMN_BYTES + 200], type[SC_TALK_WORD_BYTES],
        keys[SC_TALK_WORD_BYTES], typed[SC_TALK_WORD_BYTES], listed[SC_TALK_WORD_BYTES];
    snprintf(type, sizeof type, "%.160s=text", line->column);
    snprintf(keys, sizeof keys, "%.160s=ja,nein", line->column);
    snprintf(
        words, sizeof words,
        "%s of %s %s not bool, which reads true, t, yes, y, 1, false, f, no, n and 0",
        is_one ? "cell" : "cells", line->column, is_one ? "is" : "are");
    if (are_slips(inspection, line))
        sc_talk(MARK ": %" PRIu64
                     " %s; correct %s in the file, then 'scrim dataset update %s'\n",
                line->count, words, is_one ? "it" : "them", name);
    else
        sc_talk(MARK ": %" PRIu64 " %s; for other words declare text: 'scrim dataset "
                     "set %s --column %s --keys %s'\n",
                line->count, words, name, sc_talk_word(type, typed),
                sc_talk_word(keys, listed));
}

/* Rows that no grouped answer has, which an analyst cannot see. */
static void hint_keys(const scrim_inspected *line, const char *name)
{
    const bool is_one = line->count == 1;
    char more[SC_TALK_WORD_BYTES + 200], keys[SC_TALK_WORD_BYTES],
        word[SC_TALK_WORD_BYTES];
    snprintf(keys, sizeof keys, "%.160s=KEY,KEY", line->column);
    (void)sc_talk_column(line->column, word);
    if (line->folded > 0 && is_one)
        snprintf(more, sizeof more, "GROUP BY LOWER(TRIM(%s)) counts it", word);
    else if (line->folded > 0)
        snprintf(more, sizeof more, "GROUP BY LOWER(TRIM(%s)) counts %" PRIu64 " of them",
                 word, line->folded);
    else
        snprintf(more, sizeof more,
                 "correct %s in the file, or list all keys anew: 'scrim dataset set "
                 "%.64s --keys %s'",
                 is_one ? "it" : "them", name, sc_talk_word(keys, word));
    sc_talk(MARK ": %" PRIu64 " %s of %s %s not on its list of keys, so %s in no group; "
                 "%s\n",
            line->count, is_one ? "cell" : "cells", line->column, is_one ? "is" : "are",
            is_one ? "its row is" : "their rows are", more);
}

static void hint_policy(const scrim_inspection *inspection, const scrim_inspected *line,
                        const char *name)
{
    const bool is_one = line->count == 1;
    if (line->finding == SCRIM_FINDING_OVER && !line->is_right)
        sc_talk(MARK ": %" PRIu64
                     " %s more than one row, though rows-per-unit 1 is declared; queries "
                     "ignore further rows; declare a bound: 'scrim dataset set %s "
                     "--max-total-rows N'\n",
                line->count, is_one ? "unit has" : "units have", name);
    else if (line->finding == SCRIM_FINDING_OVER)
        sc_talk(
            MARK
            ": %" PRIu64
            " %s more rows than the contribution bounds allow; queries work and ignore "
            "further rows; 'scrim dataset check %s --bounds' compares bounds\n",
            line->count, is_one ? "unit has" : "units have", name);
    if (line->finding == SCRIM_FINDING_OTHER_KEY)
        hint_keys(line, name);
    if (line->finding == SCRIM_FINDING_NOT_UTF8)
        sc_talk(MARK
                ": %" PRIu64
                " %s of %s %s not UTF-8, perhaps WINDOWS-1252: convert the file with "
                "iconv -f WINDOWS-1252 -t UTF-8, then 'scrim dataset update %s'\n",
                line->count, is_one ? "cell" : "cells", line->column,
                is_one ? "is" : "are", name);
    if (line->finding == SCRIM_FINDING_UNREADABLE && line->is_bool)
        hint_bool(inspection, line, name);
    else if (line->finding == SCRIM_FINDING_UNREADABLE && inspection->counts_lines)
        sc_talk(MARK ": %" PRIu64
                     " %s of %s cannot be read; if a word such as NA means missing, "
                     "declare it: 'scrim dataset set %s --null NA'\n",
                line->count, is_one ? "cell" : "cells", line->column, name);
}

static void write_hints(const scrim_inspection *inspection, const char *name)
{
    for (size_t i = 0; i < inspection->count; i++) {
        hint(&inspection->lines[i], name);
        hint_policy(inspection, &inspection->lines[i], name);
    }
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

static void tell_finding(const scrim_inspection *inspection, const scrim_inspected *line)
{
    char rows[24 * SCRIM_INSPECTED_ROWS];
    const bool is_cell = line->column[0] != '\0', has_rows = line->row_count > 0;
    write_rows(line, rows, sizeof rows);
    sc_talk(MARK ": %s%s%s: %" PRIu64 "%s%s%s%s\n", is_cell ? line->column : "",
            is_cell ? ", " : "", scrim_finding_name(line->finding), line->count,
            has_rows ? " (" : "",
            !has_rows                  ? ""
            : inspection->counts_lines ? "lines "
                                       : "rows ",
            rows, has_rows ? ")" : "");
}

void sc_dataset_check_declared(scrim_vault *vault, const char *name)
{
    scrim_inspection inspection = {.lines = NULL};
    scrim_error error;
    if (inspect(vault, name, false, &inspection, &error) != SCRIM_OK) {
        sc_talk("caution: the data were not checked: %s\n", error.message);
        return;
    }
    const size_t wrong = count_wrong(&inspection);
    for (size_t i = 0; i < inspection.count; i++)
        if (!inspection.lines[i].is_right)
            tell_finding(&inspection, &inspection.lines[i]);
    write_hints(&inspection, name);
    if (wrong > 0)
        sc_talk(MARK ": %zu finding%s of %s, version %" PRIu64 ", %s not as declared; "
                     "correct the policy or the file before anybody pays for an answer; "
                     "'scrim dataset check %s' shows all\n",
                wrong, wrong == 1 ? "" : "s", name, inspection.version,
                wrong == 1 ? "is" : "are", name);
    else
        tell_right(&inspection, name);
    scrim_inspection_clear(&inspection);
}

scrim_status sc_dataset_check(scrim_vault *vault, const char *name,
                              const sc_options *options, scrim_error *error)
{
    const bool is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    scrim_inspection inspection = {.lines = NULL};
    sc_format format;
    /* An invalid format is refused before the source is read. */
    scrim_status status = sc_options_format(options, SCRIM_FORMAT_CSV, &format, error);
    if (status != SCRIM_OK)
        return status;
    status = inspect(vault, name, is_quiet, &inspection, error);
    if (status == SCRIM_OK)
        status = write_lines(&inspection, options, error);
    if (status == SCRIM_OK && !is_quiet)
        write_hints(&inspection, name);
    if (status == SCRIM_OK)
        status = judge(&inspection, name, is_quiet, error);
    scrim_inspection_clear(&inspection);
    return status;
}
