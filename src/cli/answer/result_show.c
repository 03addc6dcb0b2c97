#include "cli/answer/result_show.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/plan_view.h"
#include "cli/answer/release_note.h"
#include "cli/answer/result_plot.h"
#include "cli/answer/result_writer.h"
#include "cli/answer/sheet_note.h"
#include "cli/display/notes.h"
#include "cli/display/signed_file.h"
#include "cli/terminal/complaint.h"
#include "cli/vault/budget_writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Has somebody asked again? A replay is what was shown the first time. */
static bool is_repeated(const sc_answer_style *style, const scrim_result_facts *facts)
{
    return facts->is_repeated && !style->is_replay;
}

/* Has an interval of the column an end that is missing? */
static bool has_open_end(const scrim_result *result, size_t statement, size_t column)
{
    for (size_t row = 0; row < scrim_result_rows(result, statement); row++) {
        const scrim_result_cell *cell =
            scrim_result_cell_at(result, statement, row, column);
        if (cell->low != NULL && (cell->low[0] == '\0' || cell->high[0] == '\0'))
            return true;
    }
    return false;
}

/* Notes of columns, each once; that of a missing limit where there is one. */
static void write_notes(sc_output *talk, const scrim_result *result)
{
    scrim_result_facts facts;
    const char *said[8];
    size_t said_count = 0;
    scrim_result_describe(result, &facts);
    for (size_t s = 0; s < facts.statements; s++)
        for (size_t i = 0; i < scrim_result_columns(result, s); i++) {
            const char *note = scrim_result_column_at(result, s, i)->note;
            size_t at = 0;
            if (note != NULL && strstr(note, "has no limit") != NULL &&
                !has_open_end(result, s, i))
                continue;
            while (at < said_count && strcmp(said[at], note == NULL ? "" : note) != 0)
                at++;
            if (note == NULL || note[0] == '\0' || at < said_count || said_count == 8)
                continue;
            said[said_count++] = note;
            sc_output_format(talk, "            %s\n", note);
        }
}

static bool has_certain(const scrim_result *result)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    for (size_t s = 0; s < facts.statements; s++)
        for (size_t i = 0; i < scrim_result_columns(result, s); i++)
            if (scrim_result_column_at(result, s, i)->certificate != NULL &&
                scrim_result_column_at(result, s, i)->is_certain)
                return true;
    return false;
}

static bool has_interval(const scrim_result *result)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    for (size_t s = 0; s < facts.statements; s++)
        for (size_t i = 0; i < scrim_result_columns(result, s); i++)
            if (sc_result_has_interval(scrim_result_column_at(result, s, i)))
                return true;
    return false;
}

static const char *short_of(const scrim_result *result, size_t statement, size_t column)
{
    const char *words = scrim_result_column_at(result, statement, column)->in_short;
    return words == NULL ? "" : words;
}

/* Is it said of a column before this one of the statement? */
static bool is_said_before(const scrim_result *result, size_t statement, size_t column)
{
    const char *words = short_of(result, statement, column);
    for (size_t i = 0; i < column; i++)
        if (strcmp(short_of(result, statement, i), words) == 0)
            return true;
    return false;
}

/* The guarantees of values that were read from a histogram, in short; labels have the whole certificates. */
static void write_short(sc_output *talk, const scrim_result *result)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    for (size_t s = 0; s < facts.statements; s++)
        for (size_t i = 0; i < scrim_result_columns(result, s); i++) {
            const char *words = short_of(result, s, i);
            if (words[0] == '\0' || is_said_before(result, s, i))
                continue;
            sc_output_text(talk, "about       ");
            for (size_t k = i; k < scrim_result_columns(result, s); k++)
                if (strcmp(short_of(result, s, k), words) == 0)
                    sc_output_format(talk, "%s%s", k == i ? "" : ", ",
                                     scrim_result_column_at(result, s, k)->name);
            sc_output_format(talk, ": %s\n", words);
        }
}

/* The groups, and why an answer is empty, unless that was said before it was charged; a plan
 * that was followed there is no error to be had. */
static void write_plan_cautions(sc_output *talk, const sc_answer_style *style,
                                const scrim_result *result,
                                const scrim_result_facts *facts)
{
    scrim_status status = SCRIM_OK;
    for (size_t s = 0; style->plan != NULL && s < facts->statements; s++) {
        sc_plan_needed_write(talk, style->plan, facts->unit_words, s);
        if (status == SCRIM_OK && is_repeated(style, facts))
            status = sc_plan_cautions_write(talk, style->plan, result, s, NULL);
    }
}

/* Does the plan's own caution say that totals may be far too low? */
static bool is_said_by_plan(const sc_answer_style *style, size_t statement)
{
    scrim_plan_statement facts;
    return style->plan != NULL &&
           scrim_plan_statement_at(style->plan, statement, &facts, NULL) == SCRIM_OK &&
           facts.missing[0] != '\0';
}

/* Rows that bounds may have left out: by people who were counted, of whom the note on bounds has the share, or else by the
 * policy and the query. With a plan the latter was said before the answer, or is by write_plan_cautions. */
static const char *missing_of(const sc_answer_style *style, const scrim_result *result,
                              size_t statement, bool is_counted)
{
    const scrim_result_cut *cut = scrim_result_cut_at(result, statement);
    if ((cut != NULL) != is_counted || (cut == NULL && style->plan != NULL))
        return "";
    if (cut == NULL)
        return scrim_result_missing(result, statement);
    return is_said_by_plan(style, statement) ? "" : cut->advice;
}

static size_t asked_of(const scrim_result *result)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    return facts.asked;
}

/* Counts of people that found the bounds, if a screen leaves them out. */
static void write_ladders(sc_output *talk, const sc_answer_style *style,
                          const scrim_result *result)
{
    scrim_result_facts facts;
    size_t counts = 0;
    scrim_result_describe(result, &facts);
    if (sc_result_shows_ladders(style->format, &style->terminal))
        return;
    for (size_t i = facts.asked; i < facts.statements; i++)
        counts += scrim_result_rows(result, i);
    if (counts > 0)
        sc_output_format(talk,
                         "ladder      %zu released counts of %s found the bounds; --all "
                         "shows them\n",
                         counts, facts.unit_words);
}

/* The advice behind the last "; " of a caution; the end of a caution without it. */
static const char *advice_of(const char *words)
{
    const char *at = words + strlen(words);
    while (at > words && strncmp(at, "; ", 2) != 0)
        at--;
    return at > words ? at : words + strlen(words);
}

/* Queries of a batch with the same words as the first of them. */
typedef struct alike {
    size_t statements, first;
    bool is_counted;
} alike;

/* "query 2: ", "queries 1, 3: ". */
static void write_queries(sc_output *talk, const sc_answer_style *style,
                          const scrim_result *result, const alike *a)
{
    const char *words = missing_of(style, result, a->first, a->is_counted);
    size_t count = 0;
    for (size_t i = a->first; i < a->statements; i++)
        count += strcmp(missing_of(style, result, i, a->is_counted), words) == 0;
    sc_output_text(talk, count == 1 ? "query" : "queries");
    for (size_t i = a->first; i < a->statements; i++)
        if (strcmp(missing_of(style, result, i, a->is_counted), words) == 0)
            sc_output_format(talk, "%s %zu", i == a->first ? "" : ",", i + 1);
    sc_output_text(talk, ": ");
}

/* The queries where there are several, and what to do once. */
static void write_missing(sc_output *talk, const sc_answer_style *style,
                          const scrim_result *result, size_t statements, bool is_counted)
{
    const char *advice = "";
    for (size_t i = 0; i < statements; i++) {
        const char *words = missing_of(style, result, i, is_counted), *end;
        bool is_said = words[0] == '\0';
        for (size_t k = 0; k < i; k++)
            is_said =
                is_said || strcmp(missing_of(style, result, k, is_counted), words) == 0;
        if (is_said)
            continue;
        end = advice_of(words);
        sc_output_text(talk, "caution     ");
        if (asked_of(result) > 1)
            write_queries(talk, style, result, &(alike){statements, i, is_counted});
        sc_output_format(talk, "%.*s%s\n", (int)(end - words), words,
                         strcmp(end, advice) == 0 ? "" : end);
        advice = end;
    }
}

/* Is a statement sorted? */
static bool has_order(const scrim_result *result)
{
    bool has = false;
    for (size_t i = 0; i < asked_of(result); i++)
        has |= strstr(scrim_result_text(result, i), " ORDER BY ") != NULL;
    return has;
}

/* The meaning of the words in place of a number, where a table has them. */
static void write_oddities(sc_output *talk, const sc_answer_style *style,
                           const scrim_result *result)
{
    if (style->format != SCRIM_FORMAT_TABLE)
        return;
    const sc_result_oddities odd = sc_result_oddities_of(
        result, sc_result_shows_ladders(style->format, &style->terminal));
    const char *last = has_order(result) ? "; such rows come last" : "";
    if (odd.has_beyond)
        sc_output_text(talk, "            about 0: noise took the number beyond 0; CSV "
                             "and JSON have it as it was drawn\n");
    if (odd.has_open)
        sc_output_format(talk,
                         "            no usable value: the noise leaves everything "
                         "possible; a larger epsilon or fewer groups help%s\n",
                         last);
    else if (odd.has_outside)
        sc_output_format(talk,
                         "            no usable value: the noise is larger than its "
                         "interval; a larger epsilon or fewer groups help%s\n",
                         last);
}

/* Why the charge is not what was charged now, or not what the answer costs; "": it is. */
static const char *remark_of(const sc_answer_style *style,
                             const scrim_result_facts *facts,
                             const scrim_vault_release *charge)
{
    if (is_repeated(style, facts))
        return ", earlier; nothing now";
    if (strcmp(charge->amount, "0") == 0 && strcmp(facts->cost.epsilon, "0") != 0)
        return ": already covered by an earlier window of this version";
    return "";
}

/* Is the cost of an answer what was charged, so that saying one says both? */
static bool is_charged(const scrim_result_facts *facts, const scrim_vault_release *charge)
{
    return strcmp(charge->unit, "epsilon") == 0 &&
           strcmp(charge->amount, facts->cost.epsilon) == 0 &&
           strcmp(charge->delta, facts->cost.delta) == 0;
}

static void write_talk(sc_output *talk, const sc_answer_style *style,
                       const scrim_result *result, const scrim_vault_release *charge,
                       const scrim_budget *left, unsigned columns)
{
    char where[SC_VAULT_WORDS_BYTES];
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    sc_vault_words(style->vault, where);
    const size_t begin = sc_fold_begin(talk);
    if (is_repeated(style, &facts) && facts.is_view)
        sc_output_format(talk,
                         "view        another view of release %" PRIu64
                         "; nothing was charged now\n",
                         facts.release);
    else if (is_repeated(style, &facts))
        sc_output_format(talk,
                         "repeated    release %" PRIu64
                         " was charged earlier; nothing was charged now\n",
                         facts.release);
    if (style->place != NULL)
        sc_series_place_talk(talk, style->place);
    const bool is_brief = (style->place == NULL && is_repeated(style, &facts)) ||
                          (!is_repeated(style, &facts) && is_charged(&facts, charge));
    if (!is_brief || (is_repeated(style, &facts) && !is_charged(&facts, charge))) {
        sc_output_text(talk, "cost        ");
        sc_cost_write_short(talk, &facts.cost);
        sc_output_format(talk, " (%s)\n", scrim_neighbours_name(facts.cost.neighbours));
    }
    sc_kept_note_write(talk, result, style->is_tree);
    write_ladders(talk, style, result);
    if (sc_result_has_chance(result))
        sc_output_format(
            talk,
            "interval    confidence %s; covers the noise only, not ignored rows or "
            "clamping%s\n",
            facts.confidence,
            has_certain(result)
                ? "; intervals of columns with an accuracy guarantee always hold"
                : "");
    else if (has_interval(result))
        sc_output_text(
            talk,
            "interval    always holds for the rows that were used, after clamping\n");
    write_oddities(talk, style, result);
    write_notes(talk, result);
    write_short(talk, result);
    sc_rank_note_write(talk, result);
    write_missing(talk, style, result, facts.statements, true);
    sc_caution_query(talk, &facts.cost);
    write_plan_cautions(talk, style, result, &facts);
    write_missing(talk, style, result, facts.statements, false);
    sc_fold_end(talk, begin, columns);
    if (is_brief) {
        sc_charge_brief_write(
            talk, &(sc_charge_brief){charge, left, where, facts.cost.neighbours,
                                     is_repeated(style, &facts), columns,
                                     style->is_tree ? "microdata show" : "replay"});
    } else {
        sc_charge_note_write(talk, charge, remark_of(style, &facts, charge), left, where);
        sc_output_format(talk, "label       'scrim report %" PRIu64 "%s'\n",
                         facts.release, where);
    }
    if (style->place == NULL)
        return;
    const size_t next = sc_fold_begin(talk);
    sc_series_next_talk(talk, &style->place->facts, style->place->step.version, where);
    sc_fold_end(talk, next, columns);
}

static void write_plots(sc_output *output, const scrim_result *result,
                        const sc_terminal *terminal)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    for (size_t i = 0; i < facts.statements; i++) {
        sc_result_heading_write(output, result, i);
        sc_result_plot_write(output, result, i, terminal);
    }
}

/* A file for readers has no end that a screen would cut off. */
static scrim_status write_file(sc_output *output, const sc_answer_style *style,
                               sc_shown_result *shown, scrim_vault *vault,
                               scrim_error *error)
{
    static const sc_terminal no_terminal = {.is_terminal = false};
    scrim_result_facts facts;
    scrim_result_describe(shown->result, &facts);
    sc_signed_file file = {
        .signing = {.vault = vault, .release = facts.release, .kind = "answer"},
        .option = "--out",
        .path = style->out,
        .format = style->format};
    scrim_status status = sc_signed_file_open(&file, output, error);
    if (status != SCRIM_OK)
        return status;
    shown->signing = &file.signing;
    status = sc_result_write(output, shown, style->format, &no_terminal, error);
    shown->signing = NULL;
    status = sc_signed_file_close(&file, status, error);
    if (status == SCRIM_OK && !style->quiet)
        sc_signed_file_say(style->out, style->format);
    return status;
}

static scrim_status show(sc_output *output, const sc_answer_style *style,
                         const scrim_result *result, const scrim_vault_release *charge,
                         const scrim_budget *left, scrim_vault *vault, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    sc_shown_result shown = {.result = result,
                             .charge = charge,
                             .is_repeated = is_repeated(style, &facts),
                             .place = style->place};
    const bool in_place =
        style->plot && style->terminal.is_terminal && style->out == NULL;
    sc_output_init_screen(output, STDOUT_FILENO, style->format);
    if (style->out != NULL)
        status = write_file(output, style, &shown, vault, error);
    else if (in_place)
        write_plots(output, result, &style->terminal);
    else
        status = sc_result_write(output, &shown, style->format, &style->terminal, error);
    if (status == SCRIM_OK && style->out == NULL)
        status = sc_output_finish(output, error);
    if (status != SCRIM_OK)
        return status;
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    if (style->plot && !in_place)
        write_plots(output, result, &beside);
    if (!style->quiet)
        write_talk(output, style, result, charge, left, beside.columns);
    return sc_output_finish(output, error);
}

/* The charge, and the rest. The charge is cleared by the caller. */
static scrim_status find_charge(scrim_vault *vault, const scrim_result *result,
                                scrim_vault_release *charge, scrim_budget *left,
                                scrim_error *error)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    const scrim_status status = scrim_vault_replay(vault, facts.release, charge, error);
    return status == SCRIM_OK ? sc_budget_find(vault, charge->population,
                                               scrim_vault_analyst(vault), left, error)
                              : status;
}

scrim_status sc_result_show(const sc_answer_style *style, scrim_vault *vault,
                            const scrim_result *result, scrim_error *error)
{
    scrim_vault_release charge = {0};
    scrim_budget left;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory to show the answer");
    scrim_status status = find_charge(vault, result, &charge, &left, error);
    if (status == SCRIM_OK)
        status = show(output, style, result, &charge, &left, vault, error);
    scrim_vault_release_clear(&charge);
    free(output);
    return status;
}

scrim_status sc_result_talk(const sc_answer_style *style, scrim_vault *vault,
                            const scrim_result *result, scrim_error *error)
{
    scrim_vault_release charge = {0};
    scrim_budget left;
    sc_terminal beside;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory to show the answer");
    scrim_status status = find_charge(vault, result, &charge, &left, error);
    if (status == SCRIM_OK) {
        sc_terminal_look(STDERR_FILENO, &beside);
        sc_output_init_screen(output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
        write_talk(output, style, result, &charge, &left, beside.columns);
        status = sc_output_finish(output, error);
    }
    scrim_vault_release_clear(&charge);
    free(output);
    return status;
}
