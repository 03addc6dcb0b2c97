#include "cli/answer/query_request.h"

#include "cli/dataset/public_file.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_BYTES ((size_t)1 << 20)

/* The end of what begins at text with a quote, which is doubled inside; or of the text. */
static const char *skip_quoted(const char *text)
{
    const char quote = *text++;
    while (*text != '\0' && (*text != quote || text[1] == quote))
        text += *text == quote ? 2 : 1;
    return *text == '\0' ? text : text + 1;
}

static const char *skip_comment(const char *text)
{
    return text + strcspn(text, "\n");
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

const char *sc_query_end(const char *text)
{
    while (*text != ';' && *text != '\0') {
        if (*text == '\'' || *text == '"')
            text = skip_quoted(text);
        else if (text[0] == '-' && text[1] == '-')
            text = skip_comment(text);
        else
            text++;
    }
    return text;
}

size_t sc_query_split(char *text, const char **queries, size_t most)
{
    size_t count = 0;
    char *start = text;
    for (;;) {
        char *at = start + (sc_query_end(start) - start);
        const bool is_last = *at == '\0';
        *at = '\0';
        if (!is_blank(start) && count <= most) {
            if (count < most)
                queries[count] = start;
            count++;
        }
        if (is_last)
            return count;
        start = at + 1;
    }
}

static scrim_status read_file(const char *path, sc_query_request *out, scrim_error *error)
{
    scrim_status status = sc_whole_file_read(path, FILE_BYTES, &out->file, error);
    if (status != SCRIM_OK)
        return status;
    if (strlen(out->file.bytes) != out->file.count)
        return sc_complaint_fill(error, SCRIM_E_PARAM, "--file contains a NUL byte");
    out->query_count = sc_query_split(out->file.bytes, out->queries, SC_QUERY_BATCH);
    if (out->query_count == 0)
        return sc_complaint_fill(error, SCRIM_E_PARAM, "--file contains no query");
    if (out->query_count > SC_QUERY_BATCH)
        return sc_complaint_fill(
            error, SCRIM_E_LIMIT,
            "--file contains more than %d queries; split it into two files",
            SC_QUERY_BATCH);
    return SCRIM_OK;
}

static scrim_status read_words(const sc_options *options, sc_query_request *out,
                               scrim_error *error)
{
    const char *file = options->value[SCRIM_OPTION_FILE];
    const char *verb = options->words[0];
    if (options->word_count < 2)
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "name a dataset and a query, as in 'scrim %s adult "
            "\"SELECT COUNT(*)\" --epsilon 0.1'; 'scrim dataset list' lists the datasets",
            verb);
    out->dataset = options->words[1];
    if (file != NULL && options->word_count > 2)
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "give the queries in --file or as an argument, not both");
    if (file != NULL)
        return read_file(file, out, error);
    if (options->word_count == 2 && strchr(out->dataset, ' ') != NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "name a dataset before the query, as in 'scrim %s "
                                 "adult \"SELECT COUNT(*)\" --epsilon 0.1'; 'scrim "
                                 "dataset list' lists the datasets",
                                 verb);
    if (options->word_count != 3)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "put the query in quotes, as one argument: 'scrim %s %s "
                                 "\"SELECT COUNT(*)\" --epsilon 0.1'",
                                 verb, out->dataset);
    out->queries[out->query_count++] = options->words[2];
    return SCRIM_OK;
}

/* One of them says what may be spent. */
static scrim_status check_price(const sc_options *options, scrim_error *error)
{
    static const struct {
        sc_option option;
        const char *words;
    } prices[] = {{SCRIM_OPTION_EPSILON, "--epsilon"},
                  {SCRIM_OPTION_TARGET_ERROR, "--target-error"},
                  {SCRIM_OPTION_COMPARE, "--compare"}};
    const char *given[2] = {NULL, NULL};
    size_t count = 0;
    for (size_t i = 0; i < sizeof prices / sizeof *prices; i++)
        if (sc_options_has(options, prices[i].option) && count < 2)
            given[count++] = prices[i].words;
    if (count == 0)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "missing --epsilon E or --target-error X%s",
                                 strcmp(options->words[0], "explain") == 0
                                     ? "; --compare 0.1,0.5,1 shows the errors of several"
                                     : "");
    if (count == 2)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "%s and %s contradict each other; give one of them",
                                 given[0], given[1]);
    return SCRIM_OK;
}

/* May the price stand in the text of a query? The library reads it there. */
static bool has_clause(const sc_query_request *request)
{
    for (size_t i = 0; i < request->query_count; i++)
        if (strcasestr(request->queries[i], "DIFFERENTIAL_PRIVACY") != NULL ||
            strcasestr(request->queries[i], "OPTIONS") != NULL)
            return true;
    return false;
}

static void show_caret(const sc_query_request *request, const scrim_caret *caret)
{
    if (caret->text[0] == '\0')
        return;
    if (request->query_count > 1)
        sc_talk("query %zu:\n", caret->query + 1);
    sc_talk_caret(caret->text);
}

scrim_status sc_totals_read(const sc_options *options, char totals[SC_QUERY_TOTALS_BYTES],
                            scrim_error *error)
{
    size_t length = 0;
    totals[0] = '\0';
    for (size_t i = 0; i < options->repeated_count; i++) {
        if (options->repeated[i].option != SCRIM_OPTION_MAX_TOTAL)
            continue;
        const int more = snprintf(totals + length, SC_QUERY_TOTALS_BYTES - length, "%s\n",
                                  options->repeated[i].value);
        if (more < 0 || (size_t)more >= SC_QUERY_TOTALS_BYTES - length)
            return sc_complaint_fill(error, SCRIM_E_LIMIT, "--max-total is too long");
        length += (size_t)more;
    }
    return SCRIM_OK;
}

/* epsilon NULL: as the options say. */
static scrim_query_options options_of(const sc_query_request *request,
                                      const sc_options *options, const char *epsilon)
{
    return (scrim_query_options){
        .size = sizeof(scrim_query_options),
        .epsilon = epsilon == NULL ? options->value[SCRIM_OPTION_EPSILON] : epsilon,
        .delta = options->value[SCRIM_OPTION_DELTA],
        .target_error =
            epsilon == NULL ? options->value[SCRIM_OPTION_TARGET_ERROR] : NULL,
        .confidence = options->value[SCRIM_OPTION_CONFIDENCE],
        .expect = options->value[SCRIM_OPTION_EXPECT],
        .mechanism = options->value[SCRIM_OPTION_MECHANISM],
        .max_groups = options->value[SCRIM_OPTION_MAX_GROUPS],
        .max_rows = options->value[SCRIM_OPTION_MAX_ROWS],
        .max_total_rows = options->value[SCRIM_OPTION_MAX_TOTAL_ROWS],
        .max_total = request->totals[0] == '\0' ? NULL : request->totals,
        .bounds = options->value[SCRIM_OPTION_BOUNDS],
        .cut_share = options->value[SCRIM_OPTION_CUT_SHARE],
        .with = request->with};
}

static scrim_status plan(const sc_query_request *request,
                         const scrim_query_options *options, scrim_plan **out,
                         scrim_error *error)
{
    scrim_caret caret = {0};
    const scrim_status status =
        scrim_plan_new(request->vault, request->dataset, request->queries,
                       request->query_count, options, out, &caret, error);
    if (status != SCRIM_OK)
        show_caret(request, &caret);
    return status;
}

scrim_status sc_query_request_open(const sc_options *options, sc_query_request *out,
                                   scrim_error *error)
{
    memset(out, 0, sizeof *out);
    scrim_status status = read_words(options, out, error);
    if (status == SCRIM_OK)
        status = sc_totals_read(options, out->totals, error);
    if (status == SCRIM_OK)
        status = sc_public_files_read(options, &out->with, error);
    if (status == SCRIM_OK && !has_clause(out))
        status = check_price(options, error);
    if (status == SCRIM_OK)
        status = sc_vault_place_open(options, &out->vault, error);
    return status;
}

scrim_status
sc_query_request_read(const sc_options *options,
                      void (*progress)(void *context, uint64_t done, uint64_t total),
                      void *context, sc_query_request *out, scrim_error *error)
{
    SC_TRY(sc_query_request_open(options, out, error));
    scrim_query_options given = options_of(out, options, NULL);
    given.progress = progress;
    given.context = context;
    return plan(out, &given, &out->plan, error);
}

scrim_status sc_query_request_at(const sc_query_request *request,
                                 const sc_options *options, const char *epsilon,
                                 scrim_plan **out, scrim_error *error)
{
    const scrim_query_options given = options_of(request, options, epsilon);
    return plan(request, &given, out, error);
}

scrim_status sc_query_request_other(const sc_query_request *request,
                                    const sc_options *options,
                                    const sc_other_request *other, scrim_plan **out)
{
    scrim_query_options given = options_of(request, options, other->epsilon);
    scrim_caret caret = {0};
    if (other->delta != NULL)
        given.delta = other->delta;
    if (other->max_total_rows != NULL)
        given.max_total_rows = other->max_total_rows;
    if (other->max_rows != NULL)
        given.max_rows = other->max_rows;
    return scrim_plan_new(request->vault, request->dataset, request->queries,
                          request->query_count, &given, out, &caret, NULL);
}

void sc_query_request_clear(sc_query_request *request)
{
    scrim_plan_free(request->plan);
    scrim_vault_close(request->vault);
    sc_whole_file_clear(&request->file);
    free(request->with);
    memset(request, 0, sizeof *request);
}
