#include "cli/local/text_decode.h"

#include "cli/local/local_files.h"
#include "cli/local/text_reports.h"
#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sc_listing_column columns[] = {
    {"text", SC_KIND_KEY},
    {"estimate", SC_KIND_BOUND | SC_VALUE | SC_RIGHT},
    {"standard_error", SC_KIND_BOUND | SC_RIGHT},
    {"p", SC_KIND_BOUND | SC_RIGHT}};
#define COLUMNS (sizeof columns / sizeof *columns)

bool sc_text_decode_is_for(const scrim_local_config *config)
{
    return config->protocol == SCRIM_LOCAL_PREFIX ||
           config->protocol == SCRIM_LOCAL_TEXT_HASHING || config->hashes > 0;
}

static void add_row(sc_listing *page, const char *text, double estimate, double error,
                    double p)
{
    sc_listing_put(page, "%s", text);
    sc_listing_put(page, "%.0f", estimate);
    sc_listing_put(page, "%.0f", error);
    sc_listing_put(page, "%.3g", p);
}

/* Candidates as the device pads them; NULL without memory. */
static uint8_t *pad(const scrim_local_config *config, const sc_text_request *request)
{
    uint8_t *texts = calloc(request->name_count + 1, config->text);
    for (size_t i = 0; texts != NULL && i < request->name_count; i++) {
        const size_t length = strlen(request->names[i]);
        memcpy(texts + i * config->text, request->names[i],
               length < config->text ? length : config->text);
    }
    return texts;
}

/* ---- rappor ---- */

static void note_explained(const scrim_local_explained *e, const sc_text_request *request,
                           const scrim_local_candidate *rows)
{
    for (size_t i = 0; i < request->name_count; i++)
        if (rows[i].same != i)
            sc_talk("'%.60s' sets the same bits as '%.60s', which stands for both\n",
                    request->names[i], request->names[rows[i].same]);
    sc_talk(
        "%.0f reports; %zu candidates kept of %zu selected; %.0f devices (± %.0f) hold "
        "other texts\n",
        e->devices, e->kept, e->selected, e->unexplained, e->unexplained_error);
    sc_talk("the selection of candidates is a procedure without a proven error rate; "
            "errors and p are as if the selected ones had been given\n");
    if (e->misfit > 1)
        sc_talk("errors are widened by a factor of %.3g: texts outside of the list "
                "disturb the bits\n",
                e->misfit);
}

/* The largest estimate that is not above the last one, of those kept; order by estimate, then by place. */
static size_t next_kept(const scrim_local_candidate *rows, size_t count, size_t last)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        const bool is_behind = last == count || rows[i].estimate < rows[last].estimate ||
                               (rows[i].estimate == rows[last].estimate && i > last);
        if (rows[i].is_kept && is_behind &&
            (best == count || rows[i].estimate > rows[best].estimate))
            best = i;
    }
    return best;
}

static void add_candidates(sc_listing *page, const sc_text_request *request,
                           const scrim_local_candidate *rows)
{
    const size_t count = request->name_count;
    size_t at = next_kept(rows, count, count);
    for (size_t shown = 0; at < count && (request->top == 0 || shown < request->top);
         shown++) {
        add_row(page, request->names[at], rows[at].estimate, rows[at].error,
                rows[at].p_value);
        at = next_kept(rows, count, at);
    }
}

static scrim_status decode_rappor(const scrim_local_config *config,
                                  const sc_text_request *request,
                                  const sc_options *options, sc_listing *page,
                                  scrim_error *error)
{
    SC_OWNED(scrim_collection_free_at) scrim_collection *collection = NULL;
    scrim_local_explained explained;
    SC_FREED uint8_t *texts = pad(config, request);
    SC_FREED scrim_local_candidate *rows = calloc(request->name_count + 1, sizeof *rows);
    SC_TRY(texts == NULL || rows == NULL
               ? sc_out_of_memory(error, "candidates")
               : sc_local_collect_files(options, &collection, error));
    SC_TRY(scrim_collection_candidates(collection, texts, request->name_count, rows,
                                       &explained, error));
    add_candidates(page, request, rows);
    if (!sc_options_has(options, SCRIM_OPTION_QUIET))
        note_explained(&explained, request, rows);
    return SCRIM_OK;
}

/* ---- reports that are kept ---- */

/* The text itself where all its bytes can be shown, else hexadecimal. */
static void spell(const uint8_t *text, char out[2 * SCRIM_LOCAL_TEXT_BYTES + 3])
{
    size_t length = SCRIM_LOCAL_TEXT_BYTES;
    bool is_plain = true;
    while (length > 0 && text[length - 1] == 0)
        length--;
    for (size_t i = 0; i < length; i++)
        is_plain &= text[i] >= ' ' && text[i] <= '~';
    if (!is_plain)
        memcpy(out, "0x", 3);
    for (size_t i = 0; !is_plain && i < length; i++)
        snprintf(out + 2 + 2 * i, 3, "%02x", text[i]);
    if (is_plain) {
        memcpy(out, text, length);
        out[length] = '\0';
    }
}

static void add_texts(sc_listing *page, const sc_text_request *request,
                      const scrim_local_unknown *found)
{
    size_t count;
    const scrim_local_text *rows = scrim_local_unknown_texts(found, &count);
    for (size_t i = 0; i < count && (request->top == 0 || i < request->top); i++) {
        char text[2 * SCRIM_LOCAL_TEXT_BYTES + 3];
        spell(rows[i].text, text);
        add_row(page, text, rows[i].estimate, rows[i].error, rows[i].p_value);
    }
}

static void note_found(const scrim_local_unknown *found, const sc_text_request *request)
{
    scrim_local_unknown_facts facts;
    scrim_local_unknown_describe(found, &facts);
    sc_talk("%llu reports, %llu dropped; %llu candidates tested on %llu reports\n",
            (unsigned long long)facts.reports, (unsigned long long)facts.dropped,
            (unsigned long long)facts.candidates, (unsigned long long)facts.last_group);
    sc_talk(request->is_rate
                ? "of the texts listed, at most a share of %.3g is expected to be held "
                  "by nobody\n"
                : "with probability %.3g at most, any text listed is held by nobody\n",
            request->alpha);
    sc_talk(
        "a text that %.3g %% of the devices hold is listed with a chance of about 0.9\n",
        100 * facts.detectable);
}

static scrim_status decode_reports(const scrim_local_config *config,
                                   const sc_text_request *request,
                                   const sc_options *options, sc_listing *page,
                                   scrim_error *error)
{
    const scrim_local_unknown_options asked = {
        .size = sizeof asked, .alpha = request->alpha, .is_rate = request->is_rate};
    scrim_local_unknown *found = NULL;
    sc_text_reports reports = {.bytes = NULL};
    uint8_t *texts = pad(config, request);
    scrim_status status = texts == NULL
                              ? sc_out_of_memory(error, "candidates")
                              : sc_text_reports_read(options, config, &reports, error);
    if (status == SCRIM_OK)
        status =
            config->protocol == SCRIM_LOCAL_PREFIX
                ? scrim_local_unknown_search(config, reports.bytes, reports.count, &asked,
                                             &found, error)
                : scrim_local_unknown_count(config, reports.bytes, reports.count, texts,
                                            request->name_count, &asked, &found, error);
    if (status == SCRIM_OK)
        add_texts(page, request, found);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        note_found(found, request);
    scrim_local_unknown_free(found);
    sc_text_reports_clear(&reports);
    free(texts);
    return status;
}

scrim_status sc_text_decode_show(const scrim_local_config *config,
                                 const sc_text_request *request,
                                 const sc_options *options, scrim_error *error)
{
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    if (config->protocol != SCRIM_LOCAL_PREFIX && request->name_count == 0)
        return sc_refuse(error, "name the candidate texts, one a line: --names FILE");
    SC_TRY(sc_page_new(options, columns, COLUMNS, &page, error));
    SC_TRY(config->hashes > 0 ? decode_rappor(config, request, options, page, error)
                              : decode_reports(config, request, options, page, error));
    return sc_page_write(page, error);
}
