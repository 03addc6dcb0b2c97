/* The estimates of `scrim local decode` as a table, CSV or JSON, and the notes beside them. */
#ifndef SC_CLI_DECODE_LISTING_H
#define SC_CLI_DECODE_LISTING_H

#include "cli/sheet/listing.h"
#include "scrim.h"

typedef struct sc_decode_view {
    const scrim_estimates *estimates;
    scrim_collection_facts facts;
    const char *confidence; /* as it was asked for */
    const char *post;       /* NULL: none */
    char *const *names;     /* of the first values; others are shown as numbers */
    size_t name_count;
    size_t top; /* number of rows, the largest first; 0: all, in their order */
    bool only_significant;
} sc_decode_view;

/* All values in the order of the rows: by their numbers, or the largest estimates first. Free it; NULL without
 * memory. */
size_t *sc_decode_order(const sc_decode_view *view);

/* On standard output, as the options say; notes go to standard error where they are no part of the
 * format. */
SCRIM_MUST_USE scrim_status sc_decode_listing(const sc_decode_view *view,
                                              const sc_options *options,
                                              scrim_error *error);

#endif
