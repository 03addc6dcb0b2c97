#include "cli/account/rounded_table.h"

#include "cli/sheet/listing.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"

#include <stdio.h>

static const sc_listing_column columns[] = {
    {"q", SC_KIND_NUMBER},           {.name = "epsilon"},
    {"delta_source", SC_KIND_BOUND}, {"delta", SC_KIND_BOUND},
    {"delta_stlap", SC_KIND_BOUND},  {"lost_none", SC_KIND_BOUND},
    {"lost_one", SC_KIND_BOUND}};

#define LINE_BYTES 512
#define NUMBERS 5

/* For people 5 digits, rounded up; NULL where there is no number. */
static void put_row(const char *q, const scrim_rounded_stlap_facts *found,
                    sc_listing *page)
{
    const char *cells[2 + NUMBERS] = {q,
                                      found->epsilon,
                                      found->published,
                                      found->delta,
                                      found->stlap_delta,
                                      found->lost_none,
                                      found->lost_one};
    char digits[NUMBERS][SC_BOUND_BYTES];
    for (size_t i = 2; i < 2 + NUMBERS; i++)
        if (cells[i][0] == '\0') {
            cells[i] = NULL;
        } else if (page->format == SCRIM_FORMAT_TABLE) {
            sc_number_format_upper(cells[i], digits[i - 2]);
            cells[i] = digits[i - 2];
        }
    sc_listing_add(page, cells);
}

static scrim_status add_row(const char *q, const char *epsilon, sc_listing *page,
                            scrim_error *error)
{
    char line[LINE_BYTES];
    scrim_measurement *m = NULL;
    scrim_rounded_stlap_facts found;
    const int length =
        snprintf(line, sizeof line, "rounded-stlap q=%s%s%s", q,
                 epsilon == NULL ? "" : " epsilon=", epsilon == NULL ? "" : epsilon);
    if (length < 0 || (size_t)length >= sizeof line)
        return sc_complaint_fill(error, SCRIM_E_PARAM, "q and epsilon are too long");
    scrim_status status = scrim_measurement_parse_model(line, &m, error);
    if (status == SCRIM_OK)
        status = scrim_rounded_stlap_facts_of(m, &found, error);
    scrim_measurement_free(m);
    if (status == SCRIM_OK)
        put_row(q, &found, page);
    return status;
}

scrim_status sc_rounded_table(const sc_options *options, scrim_error *error)
{
    static const char *const usual[] = {"4", "9", "16", "25"};
    const char *epsilon = options->value[SCRIM_OPTION_EPSILON];
    sc_listing *page = NULL;
    scrim_status status =
        sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error);
    const bool is_given = options->word_count > 2;
    const size_t count =
        is_given ? options->word_count - 2 : sizeof usual / sizeof *usual;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status =
            add_row(is_given ? options->words[i + 2] : usual[i], epsilon, page, error);
    return sc_page_end(page, status, error);
}
