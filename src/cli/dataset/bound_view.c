#include "cli/dataset/bound_view.h"

#include "cli/display/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARK "SENSITIVE"

static const sc_listing_column columns[] = {{.name = "mark"},
                                            {.name = "question"},
                                            {"groups", SC_KIND_NUMBER},
                                            {"rows", SC_KIND_NUMBER | SC_NULLABLE},
                                            {.name = "total"},
                                            {"kept", SC_KIND_DECIMAL},
                                            {"bias", SC_KIND_DECIMAL},
                                            {"noise", SC_KIND_DECIMAL | SC_NULLABLE},
                                            {"error", SC_KIND_DECIMAL | SC_NULLABLE},
                                            {.name = "best"}};
#define COLUMNS (sizeof columns / sizeof *columns)

/* A table has its mark above it, and one column for both kinds of bounds. */
static const sc_listing_column table_columns[] = {
    {.name = "question"},      {"groups", SC_KIND_NUMBER},
    {.name = "rows"},          {"kept", SC_KIND_NUMBER},
    {"bias", SC_KIND_NUMBER},  {"noise", SC_KIND_NUMBER},
    {"error", SC_KIND_NUMBER}, {.name = "best"}};
#define TABLE_COLUMNS (sizeof table_columns / sizeof *table_columns)

/* Six digits, or three in a table, and no exponent. */
static void put_number(char text[32], double value, bool is_known, bool is_short)
{
    text[0] = '\0';
    if (!is_known)
        return;
    snprintf(text, 32, is_short ? "%.3g" : "%.6g", value);
    if (strchr(text, 'e') != NULL && value >= 1)
        snprintf(text, 32, "%.0f", is_short ? strtod(text, NULL) : value);
}

typedef struct choice_cells {
    char question[SC_TALK_WORD_BYTES + 8], groups[24], rows[24], kept[32], bias[32],
        noise[32], error[32];
    char bound[SCRIM_TOTAL_BYTES + 8]; /* of rows, "5", or "total 500" */
    const char *best;
} choice_cells;

static void fill_cells(choice_cells *cells, const scrim_bound_choice *choice,
                       bool has_noise, bool is_short)
{
    char name[SC_TALK_WORD_BYTES];
    snprintf(cells->question, sizeof cells->question,
             choice->column[0] == '\0' ? "COUNT(*)" : "SUM(%s)",
             sc_talk_column(choice->column, name));
    snprintf(cells->groups, sizeof cells->groups, "%" PRIu64, choice->max_groups);
    cells->rows[0] = '\0';
    if (choice->max_rows > 0)
        snprintf(cells->rows, sizeof cells->rows, "%" PRIu64, choice->max_rows);
    snprintf(cells->bound, sizeof cells->bound, "%s%s",
             choice->max_rows > 0 ? "" : "total ",
             choice->max_rows > 0 ? cells->rows : choice->max_total);
    snprintf(cells->kept, sizeof cells->kept, "%.4f", choice->kept);
    put_number(cells->bias, choice->bias, true, is_short);
    put_number(cells->noise, choice->noise, has_noise, is_short);
    put_number(cells->error, choice->error, has_noise, is_short);
    cells->best = choice->is_best ? "best" : "";
}

static void add_choice(sc_listing *page, const scrim_bound_choice *choice, bool has_noise)
{
    choice_cells c;
    fill_cells(&c, choice, has_noise, page->format == SCRIM_FORMAT_TABLE);
    const char *const texts[COLUMNS] = {
        MARK,   c.question, c.groups, c.rows,  choice->max_total,
        c.kept, c.bias,     c.noise,  c.error, c.best};
    const char *const table[TABLE_COLUMNS] = {c.question, c.groups, c.bound, c.kept,
                                              c.bias,     c.noise,  c.error, c.best};
    sc_listing_add(page, page->format == SCRIM_FORMAT_TABLE
                             ? table + TABLE_COLUMNS - page->column_count
                             : texts);
}

static bool is_unread(const scrim_bound_choices *choices, const char *column)
{
    for (size_t i = 0; i < choices->unread_count; i++)
        if (strcmp(choices->unread[i], column) == 0)
            return true;
    return false;
}

/* A sum of nothing keeps everything, which would look perfect. */
static void say_unread(const scrim_bound_choices *choices, const char *advice)
{
    for (size_t i = 0; i < choices->unread_count; i++)
        sc_talk(MARK ": %s: no cell can be read; %s\n", choices->unread[i], advice);
}

/* Without this note, "100 % kept" would read as if no row were lost. */
static void say_ungrouped(const scrim_bound_choices *choices)
{
    const bool is_one = choices->ungrouped == 1;
    if (choices->ungrouped > 0)
        sc_talk(MARK ": %" PRIu64
                     " %s a key that is not on its list: %s in no group, and kept "
                     "does not count %s\n",
                choices->ungrouped, is_one ? "row has" : "rows have",
                is_one ? "it is" : "they are", is_one ? "it" : "them");
}

static scrim_status open_page(const sc_options *options, sc_listing **page,
                              scrim_error *error)
{
    const scrim_status status = sc_page_new(options, columns, COLUMNS, page, error);
    if (status == SCRIM_OK)
        (*page)->heading = MARK ": raw data, for the owner only";
    if (status == SCRIM_OK && (*page)->format == SCRIM_FORMAT_TABLE) {
        (*page)->columns = table_columns;
        (*page)->column_count = TABLE_COLUMNS;
    }
    return status;
}

/* The best choice of COUNT(*); NULL: no choice is marked as the best. */
static const scrim_bound_choice *best_count(const scrim_bound_choices *choices)
{
    for (size_t i = 0; i < choices->count; i++)
        if (choices->choices[i].is_best && choices->choices[i].column[0] == '\0')
            return &choices->choices[i];
    return NULL;
}

/* The error of a sum with the bounds that are best for COUNT(*). */
static double error_beside(const scrim_bound_choices *choices, const char *column,
                           const scrim_bound_choice *count)
{
    for (size_t i = 0; i < choices->count; i++) {
        const scrim_bound_choice *choice = &choices->choices[i];
        if (strcmp(choice->column, column) == 0 &&
            choice->max_groups == count->max_groups &&
            choice->max_rows == count->max_rows)
            return choice->error;
    }
    return 0;
}

/* Totals that are better for a sum with the groups that are best for COUNT(*). The table may mark
 * another total as the best, with other groups. */
static void say_total(const scrim_bound_choice *choice, const char *with,
                      const char *name)
{
    char total[SC_TALK_WORD_BYTES], word[SC_TALK_WORD_BYTES];
    snprintf(total, sizeof total, "%.160s=%.64s", choice->column, choice->max_total);
    sc_talk(MARK ": %sthe best total for %s is %s: 'scrim dataset set %s --max-total %s "
                 "--bounds-from check'\n",
            with, choice->column, choice->max_total, name, sc_talk_word(total, word));
}

static void say_totals(const scrim_bound_choices *choices,
                       const scrim_bound_choice *count, const char *name, bool has_groups)
{
    char with[64] = "";
    if (has_groups)
        snprintf(with, sizeof with, "with max-groups %" PRIu64 ", as for COUNT(*), ",
                 count->max_groups);
    for (size_t i = 0; i < choices->count; i++) {
        const scrim_bound_choice *choice = &choices->choices[i];
        if (choice->max_total[0] != '\0' && !choice->is_declared &&
            choice->max_groups == count->max_groups &&
            choice->error < error_beside(choices, choice->column, count))
            say_total(choice, with, name);
    }
}

/* A choice that keeps less is of little use. */
#define LEAST_KEPT 0.5

static void say_poor(const scrim_bound_choice *count)
{
    if (count != NULL && count->kept < LEAST_KEPT)
        sc_talk(MARK
                ": the best choice for COUNT(*) keeps only %.1f %% of the rows, so no "
                "choice is good. Ask by coarser groups, or with a larger epsilon.\n",
                100 * count->kept);
}

/* The command for the best choice of COUNT(*). Without --by there is one group, which says nothing about
 * max-groups. */
/* has_total: the policy has a total of rows, which would bind beside these. */
static void say_best(const scrim_bound_choices *choices, const char *name, const char *by,
                     bool has_total)
{
    const scrim_bound_choice *count = best_count(choices);
    char groups[48] = "";
    if (count == NULL)
        return;
    const bool is_total = has_total && by == NULL; /* in one group it is the same */
    if (by != NULL)
        snprintf(groups, sizeof groups, " --max-groups %" PRIu64, count->max_groups);
    sc_talk(MARK ": best for COUNT(*): 'scrim dataset set %s%s --max-%srows %" PRIu64
                 "%s --bounds-from check'\n",
            name, groups, is_total ? "total-" : "", count->max_rows,
            has_total && !is_total ? " --max-total-rows none" : "");
    if (count->max_groups > 1 && count->kept_without_groups < 1)
        sc_talk(MARK ": without GROUP BY --max-rows %" PRIu64
                     " keeps %.4g %% of these rows, since it is per group; add up the "
                     "groups instead\n",
                count->max_rows, 100 * count->kept_without_groups);
    say_totals(choices, count, name, by != NULL);
    say_poor(count);
    if (by == NULL)
        sc_talk("these bounds are best for questions without GROUP BY only; --by KEYS "
                "compares bounds for questions by keys\n");
    else
        sc_talk("these bounds are best for questions by %.200s only; --by KEYS compares "
                "bounds for questions by other keys\n",
                by);
}

/* Below a table. */
static void say_more(const char *name, const sc_options *options,
                     const scrim_bound_choices *choices, bool has_total)
{
    const char *by = options->value[SCRIM_OPTION_BY];
    if (sc_options_has(options, SCRIM_OPTION_EPSILON))
        say_best(choices, name, by, has_total);
    else
        sc_talk("--epsilon E adds the noise of one question and marks the best choice\n");
    sc_talk("other bounds that you choose by this table depend on the data too: set them "
            "with --bounds-from check\n");
    for (size_t i = 0; i < choices->nullable_count; i++)
        sc_talk("%s may be NULL, and NULL is a group of its own\n", choices->nullable[i]);
}

/* The short table: a part for each question, without choices that keep less than another one with a
 * smaller error. */

/* The price of a choice: its error or, without an epsilon, the rows that it allows. A bound of totals
 * cannot be compared with these. */
static double price_of(const scrim_bound_choice *choice, bool has_noise)
{
    if (has_noise)
        return choice->error;
    return choice->max_rows == 0 ? -1
                                 : (double)choice->max_groups * (double)choice->max_rows;
}

static bool is_outdone(const scrim_bound_choices *choices, size_t index, bool has_noise)
{
    const scrim_bound_choice *own = &choices->choices[index];
    const double price = price_of(own, has_noise);
    if (!has_noise && price >= 0 && own->kept < LEAST_KEPT)
        return true;
    for (size_t i = 0; i < choices->count && price >= 0; i++) {
        const scrim_bound_choice *other = &choices->choices[i];
        const double less = price_of(other, has_noise);
        if (strcmp(other->column, own->column) == 0 && less >= 0 &&
            other->kept >= own->kept && less <= price &&
            (other->kept > own->kept || less < price || i < index))
            return true;
    }
    return false;
}

/* For a sum few choices matter: the best one, the bounds that are best for COUNT(*), and a total with its
 * groups. */
static bool is_of_little_use(const scrim_bound_choices *choices,
                             const scrim_bound_choice *choice)
{
    const scrim_bound_choice *count = best_count(choices);
    if (choice->column[0] == '\0' || count == NULL || choice->is_best ||
        choice->is_declared)
        return false;
    return choice->max_groups != count->max_groups ||
           (choice->max_total[0] == '\0' && choice->max_rows != count->max_rows);
}

/* Columns that need this room: bias and noise, of which error is made, and error. */
#define PART_WIDE 60
#define PART_ERROR 48

/* The columns of a part, of those in table_columns: the first is left out, and the mark stays. */
static size_t choose_columns(bool has_noise, size_t width, size_t chosen[TABLE_COLUMNS])
{
    size_t count = 0;
    for (size_t i = 1; i < TABLE_COLUMNS; i++) {
        const size_t room = i == 4 || i == 5 ? PART_WIDE : i == 6 ? PART_ERROR : 0;
        if (has_noise ? width >= room : i <= 4)
            chosen[count++] = i;
    }
    return count;
}

/* The choices of the question that begins there. */
static scrim_status write_part(const scrim_bound_choices *choices, size_t first,
                               bool has_noise, const sc_terminal *terminal,
                               sc_output *output, scrim_error *error)
{
    size_t chosen[TABLE_COLUMNS];
    sc_listing_column shown[TABLE_COLUMNS];
    choice_cells c;
    const size_t count = choose_columns(has_noise, terminal->columns, chosen);
    for (size_t i = 0; i < count; i++)
        shown[i] = table_columns[chosen[i]];
    fill_cells(&c, &choices->choices[first], has_noise, true);
    char question[sizeof c.question];
    memcpy(question, c.question, sizeof question);
    sc_listing page = {.columns = shown,
                       .column_count = count,
                       .output = output,
                       .format = SCRIM_FORMAT_TABLE,
                       .terminal = terminal,
                       .heading = question};
    for (size_t i = first; i < choices->count; i++) {
        const scrim_bound_choice *choice = &choices->choices[i];
        if (strcmp(choice->column, choices->choices[first].column) != 0 ||
            (choice->column[0] == '\0' || !has_noise ? is_outdone(choices, i, has_noise)
                                                     : is_of_little_use(choices, choice)))
            continue;
        fill_cells(&c, choice, has_noise, true);
        const char *const all[TABLE_COLUMNS] = {c.question, c.groups, c.bound, c.kept,
                                                c.bias,     c.noise,  c.error, c.best};
        const char *cells[TABLE_COLUMNS];
        for (size_t k = 0; k < count; k++)
            cells[k] = all[chosen[k]];
        sc_listing_add(&page, cells);
    }
    return sc_listing_close(&page, SCRIM_OK, error);
}

static bool is_first(const scrim_bound_choices *choices, size_t i)
{
    return i == 0 ||
           strcmp(choices->choices[i].column, choices->choices[i - 1].column) != 0;
}

/* The columns, and the choices that are missing. */
static void say_columns(bool has_noise, size_t width, const char *more)
{
    if (!has_noise)
        sc_talk("kept is the part of the rows or of the sum that is used, bias what is "
                "missing of a group. Choices that keep less than half, or no more than "
                "smaller bounds, are not shown%s.\n",
                more);
    else
        sc_talk("kept is the part of the rows or of the sum that is used, %s. "
                "Choices that keep less with a larger error are not shown, nor are most "
                "choices for sums%s.\n",
                width >= PART_WIDE
                    ? "bias what is missing of a group, noise its standard deviation, "
                      "error both together"
                : width >= PART_ERROR
                    ? "error what is missing of a group and the noise together"
                    : "best the choice with the smallest error",
                more);
}

static void say_legend(const scrim_bound_choices *choices, const char *by,
                       const char *epsilon)
{
    char best[2048] = "";
    for (size_t i = 0; i < choices->count; i++) {
        const scrim_bound_choice *choice = &choices->choices[i];
        choice_cells c;
        const size_t used = strlen(best);
        if (!choice->is_best || is_unread(choices, choice->column))
            continue;
        fill_cells(&c, choice, true, true);
        snprintf(best + used, sizeof best - used, "%s%s %s and %s", used == 0 ? "" : ", ",
                 c.question, c.groups, c.bound);
    }
    sc_talk(MARK ": best groups and rows at epsilon %.40s, %s%.200s: %s\n", epsilon,
            by == NULL ? "without groups" : "grouped by ", by == NULL ? "" : by, best);
}

/* The short view: a part for the rows and one for each column, below a line that marks them as raw data. */
static scrim_status write_short(const scrim_bound_choices *choices, bool has_noise,
                                int descriptor, sc_terminal *terminal, sc_output *output,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    sc_terminal_look(descriptor, terminal);
    sc_output_init_screen(output, descriptor, SCRIM_FORMAT_TABLE);
    sc_output_text(output, MARK ": raw data, for the owner only\n");
    for (size_t i = 0; i < choices->count && status == SCRIM_OK; i++)
        if (is_first(choices, i) && !is_unread(choices, choices->choices[i].column))
            status = write_part(choices, i, has_noise, terminal, output, error);
    return status == SCRIM_OK ? sc_output_finish(output, error) : status;
}

/* Typical questions, each with its best total and with the one for all of them. */

static const sc_listing_column typical_columns[] = {{.name = "mark"},
                                                    {.name = "question"},
                                                    {"groups", SC_KIND_NUMBER},
                                                    {"best_total_rows", SC_KIND_NUMBER},
                                                    {"best_error", SC_KIND_DECIMAL},
                                                    {"max_total_rows", SC_KIND_NUMBER},
                                                    {"kept", SC_KIND_DECIMAL},
                                                    {"noise", SC_KIND_DECIMAL},
                                                    {"error", SC_KIND_DECIMAL}};
#define TYPICAL_COLUMNS (sizeof typical_columns / sizeof *typical_columns)

static const sc_listing_column typical_table_columns[] = {
    {.name = "question"},           {"groups", SC_KIND_NUMBER},
    {"best total", SC_KIND_NUMBER}, {"its error", SC_KIND_NUMBER},
    {"kept", SC_KIND_NUMBER},       {"noise", SC_KIND_NUMBER},
    {"error", SC_KIND_NUMBER}};
#define TYPICAL_TABLE_COLUMNS                                                            \
    (sizeof typical_table_columns / sizeof *typical_table_columns)

static void put_share(char text[32], double share, bool is_table)
{
    if (is_table)
        snprintf(text, 32, share >= 0.0995 && share < 0.9 ? "%.0f %%" : "%.1f %%",
                 100 * share);
    else
        snprintf(text, 32, "%.6f", share);
}

static void add_typical(sc_listing *page, const scrim_typical_question *question,
                        uint64_t total)
{
    const bool is_table = page->format == SCRIM_FORMAT_TABLE;
    char groups[24], best[24], all[24], best_error[32], kept[32], noise[32], error[32];
    snprintf(groups, sizeof groups, "%" PRIu64, question->groups);
    snprintf(best, sizeof best, "%" PRIu64, question->best_total);
    snprintf(all, sizeof all, "%" PRIu64, total);
    put_share(best_error, question->best_error, is_table);
    put_share(kept, question->kept, is_table);
    put_share(noise, question->noise, is_table);
    put_share(error, question->error, is_table);
    const char *const cells[TYPICAL_COLUMNS] = {
        MARK, question->text, groups, best, best_error, all, kept, noise, error};
    const char *const table[TYPICAL_TABLE_COLUMNS] = {
        question->text, groups, best, best_error, kept, noise, error};
    sc_listing_add(page, is_table ? table : cells);
}

static void use_typical_columns(sc_listing *page)
{
    const bool is_table = page->format == SCRIM_FORMAT_TABLE;
    page->heading = MARK ": raw data, for the owner only";
    page->columns = is_table ? typical_table_columns : typical_columns;
    page->column_count = is_table ? TYPICAL_TABLE_COLUMNS : TYPICAL_COLUMNS;
}

static scrim_status write_typical(const scrim_bound_choices *choices,
                                  const sc_options *options, scrim_error *error)
{
    sc_listing *page = NULL;
    const scrim_status status =
        sc_page_new(options, typical_columns, TYPICAL_COLUMNS, &page, error);
    if (status == SCRIM_OK)
        use_typical_columns(page);
    for (size_t i = 0; status == SCRIM_OK && i < choices->typical_count; i++)
        add_typical(page, &choices->typical[i], choices->proposed_total);
    return sc_page_end(page, status, error);
}

static void say_typical(uint64_t total)
{
    sc_talk(
        "best total has the smallest error for that question alone. Kept, noise and "
        "error are with max-total-rows %" PRIu64
        ", for a group of mean size: noise is the standard deviation, error the noise "
        "and the rows that are left out together.\n",
        total);
}

/* The largest error, in parts of the question's smallest one; above all of a number both count as that. */
static double worst_regret(const scrim_bound_choices *choices)
{
    double worst = 1;
    for (size_t i = 0; i < choices->typical_count; i++) {
        const scrim_typical_question *own = &choices->typical[i];
        worst = fmax(worst, fmin(own->error, 1) / fmin(own->best_error, 1));
    }
    return worst;
}

static void say_proposal(const scrim_bound_choices *choices, const char *name)
{
    const double worst = worst_regret(choices);
    sc_talk(MARK ": best total for these questions: 'scrim dataset set %s --max-groups "
                 "none --max-rows none --max-total-rows %" PRIu64
                 " --bounds-from check'\n",
            name, choices->proposed_total);
    if (worst > 1)
        sc_talk(MARK ": each question has at most %.1f times the error that it would "
                     "have with the total that is best for it alone; errors above 100 %% "
                     "count as 100 %%\n",
                ceil(10 * worst) / 10);
    sc_talk("--by KEYS compares groups and rows for questions by these keys; --verbose "
            "shows what every bound keeps\n");
}

/* All choices, in the format that was asked for. */
static scrim_status write_all(const scrim_bound_choices *choices,
                              const sc_options *options, scrim_error *error)
{
    sc_listing *page = NULL;
    const scrim_status status = open_page(options, &page, error);
    for (size_t i = 0; status == SCRIM_OK && i < choices->count; i++)
        add_choice(page, &choices->choices[i],
                   sc_options_has(options, SCRIM_OPTION_EPSILON));
    return sc_page_end(page, status, error);
}

static scrim_status read_choices(scrim_vault *vault, const char *name,
                                 const sc_options *options, scrim_bound_choices *out,
                                 scrim_error *error)
{
    sc_progress progress;
    sc_progress_start(&progress, 0, "bytes",
                      !sc_options_has(options, SCRIM_OPTION_QUIET));
    const scrim_status status = scrim_vault_bound_choices(
        vault, name,
        SCRIM_OPTIONS(scrim_bound_options, .progress = sc_progress_told,
                      .context = &progress, .by = options->value[SCRIM_OPTION_BY],
                      .epsilon = options->value[SCRIM_OPTION_EPSILON]),
        out, error);
    sc_progress_end(&progress);
    return status;
}

static scrim_status show_choices(const char *name, const sc_options *options,
                                 sc_format format, const scrim_bound_choices *choices,
                                 bool has_total, sc_output *output, scrim_error *error)
{
    const bool is_quiet = sc_options_has(options, SCRIM_OPTION_QUIET),
               has_noise = sc_options_has(options, SCRIM_OPTION_EPSILON),
               is_table = format == SCRIM_FORMAT_TABLE,
               is_short = is_table && !sc_options_has(options, SCRIM_OPTION_VERBOSE);
    sc_terminal terminal = {.columns = PART_WIDE};
    const bool is_typical =
        choices->typical_count > 0 && !sc_options_has(options, SCRIM_OPTION_VERBOSE);
    const scrim_status status =
        is_typical ? write_typical(choices, options, error)
        : is_short
            ? write_short(choices, has_noise, STDOUT_FILENO, &terminal, output, error)
            : write_all(choices, options, error);
    if (status != SCRIM_OK || is_quiet)
        return status;
    say_ungrouped(choices);
    say_unread(choices, "check its type, --decimal and --date-format");
    if (is_table && is_typical) {
        say_typical(choices->proposed_total);
        say_proposal(choices, name);
        sc_talk("bounds that you choose by this table depend on the data: set them with "
                "--bounds-from check\n");
        return SCRIM_OK;
    }
    if (is_short)
        say_columns(has_noise, terminal.columns, "; --verbose shows all");
    if (is_table)
        say_more(name, options, choices, has_total);
    return SCRIM_OK;
}

static scrim_status find_total(scrim_vault *vault, const char *name, bool *has_total,
                               scrim_error *error)
{
    char *policy = NULL;
    const scrim_status status = scrim_vault_policy(vault, name, &policy, error);
    *has_total = status == SCRIM_OK && strstr(policy, "\nmax-total-rows=") != NULL;
    scrim_vault_text_free(policy);
    return status;
}

scrim_status sc_bound_view_check(scrim_vault *vault, const char *name,
                                 const sc_options *options, scrim_error *error)
{
    scrim_bound_choices choices = {.choices = NULL};
    sc_terminal terminal;
    bool has_total = false;
    sc_format format;
    /* An invalid format is refused before the source is read. */
    scrim_status status = sc_options_screen(options, &terminal, &format, error);
    sc_output *output = malloc(sizeof *output);
    if (status == SCRIM_OK && output == NULL)
        status = sc_out_of_memory(error, "the table");
    if (status == SCRIM_OK)
        status = read_choices(vault, name, options, &choices, error);
    if (status == SCRIM_OK)
        status = find_total(vault, name, &has_total, error);
    if (status == SCRIM_OK)
        status = show_choices(name, options, format, &choices, has_total, output, error);
    scrim_bound_choices_clear(&choices);
    free(output);
    return status;
}

#define UNREAD_ADVICE                                                                    \
    "change its type, the decimal mark or the date format, with < or on the last page"

/* The totals for typical questions, for somebody who is being asked for one. */
static scrim_status say_totals_asked(const scrim_bound_choices *choices,
                                     const char *epsilon, const sc_terminal *terminal,
                                     sc_output *output, scrim_error *error)
{
    sc_listing page = {
        .output = output, .format = SCRIM_FORMAT_TABLE, .terminal = terminal};
    use_typical_columns(&page);
    for (size_t i = 0; i < choices->typical_count; i++)
        add_typical(&page, &choices->typical[i], choices->proposed_total);
    SC_TRY(sc_listing_close(&page, SCRIM_OK, error));
    SC_TRY(sc_output_finish(output, error));
    say_typical(choices->proposed_total);
    sc_talk(MARK ": best total for these questions at epsilon %.40s: %" PRIu64 "\n",
            epsilon, choices->proposed_total);
    return SCRIM_OK;
}

scrim_status sc_bound_view_say(const char *policy, const char *by, const char *epsilon,
                               scrim_error *error)
{
    scrim_bound_choices choices = {.choices = NULL};
    sc_output *output = malloc(sizeof *output);
    sc_progress progress;
    sc_terminal terminal;
    if (output == NULL)
        return sc_out_of_memory(error, "the table");
    sc_progress_start(&progress, 0, "bytes", true);
    scrim_status status = scrim_policy_bound_choices(
        policy,
        SCRIM_OPTIONS(scrim_bound_options, .progress = sc_progress_told,
                      .context = &progress, .by = by, .epsilon = epsilon),
        &choices, error);
    sc_progress_end(&progress);
    const bool is_typical = status == SCRIM_OK && choices.typical_count > 0;
    if (is_typical) {
        sc_terminal_look(STDERR_FILENO, &terminal);
        sc_output_init_screen(output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
        say_unread(&choices, UNREAD_ADVICE);
        status = say_totals_asked(&choices, epsilon, &terminal, output, error);
    } else if (status == SCRIM_OK) {
        status = write_short(&choices, true, STDERR_FILENO, &terminal, output, error);
    }
    if (status == SCRIM_OK && !is_typical) {
        say_ungrouped(&choices);
        say_unread(&choices, UNREAD_ADVICE);
        say_columns(true, terminal.columns, "");
        say_legend(&choices, by, epsilon);
        say_poor(best_count(&choices));
    }
    scrim_bound_choices_clear(&choices);
    free(output);
    return status;
}
