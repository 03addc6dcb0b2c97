#include "cli/local/covariance_listing.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <stdlib.h>

#define VALUES_MAX 1000

static const sc_listing_column columns[] = {
    {"value", SC_KIND_KEY},
    {"other", SC_KIND_KEY},
    {"covariance", SC_KIND_BOUND | SC_VALUE | SC_RIGHT}};
#define COLUMNS (sizeof columns / sizeof *columns)

static void put_name(sc_listing *page, const sc_decode_view *view, size_t value)
{
    if (value < view->name_count)
        sc_listing_put(page, "%s", view->names[value]);
    else
        sc_listing_put(page, "%zu", value);
}

static scrim_status add_pair(sc_listing *page, const sc_decode_view *view, size_t one,
                             size_t other, scrim_error *error)
{
    scrim_estimate row;
    double covariance = 0;
    scrim_estimates_at(view->estimates, one, &row);
    if (one == other)
        covariance = row.error * row.error;
    else if (!scrim_estimates_covariance(view->estimates, one, other, &covariance))
        return sc_refuse(error, "%s has no covariances", view->facts.protocol);
    put_name(page, view, one);
    put_name(page, view, other);
    sc_listing_put(page, "%.9g", covariance);
    return SCRIM_OK;
}

static scrim_status fill(sc_listing *page, const sc_decode_view *view,
                         const size_t *values, size_t count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i; j < count && status == SCRIM_OK; j++)
            status = add_pair(page, view, values[i], values[j], error);
    return status;
}

scrim_status sc_covariance_listing(const sc_decode_view *view, const sc_options *options,
                                   scrim_error *error)
{
    sc_listing *page = NULL;
    const size_t all = scrim_estimates_count(view->estimates);
    const size_t count = view->top > 0 && view->top < all ? view->top : all;
    if (count == 0)
        return sc_refuse(error, "%s estimates a mean alone", view->facts.protocol);
    if (count > VALUES_MAX)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "covariances are listed for at most %d values; choose "
                                 "the largest with --top N",
                                 VALUES_MAX);
    size_t *values = sc_decode_order(view);
    if (values == NULL)
        return sc_out_of_memory(error, "a table");
    scrim_status status = sc_page_new(options, columns, COLUMNS, &page, error);
    if (status == SCRIM_OK) {
        status = fill(page, view, values, count, error);
        status = sc_page_end(page, status, error);
    }
    free(values);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        sc_talk("the variance of a sum of counts is the sum of all its variances and of "
                "twice its covariances\n");
    return status;
}
