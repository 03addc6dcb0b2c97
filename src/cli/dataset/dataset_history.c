#include "cli/dataset/dataset_history.h"

#include "cli/display/listing.h"
#include "cli/display/number_view.h"
#include "cli/terminal/line_fold.h"
#include "cli/vault/history_writer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a value in a table: lists of keys may be long. */
#define SHOWN_BYTES 120
/* The least columns of a path in a table, and what the other cells take. */
#define PATH_COLUMNS 16
#define OTHER_COLUMNS 60

typedef struct changes {
    sc_listing *page;
    sc_history_filter filter;
} changes;

static void add_exact(sc_listing *page, const scrim_vault_change *change,
                      const char *version)
{
    char entry[24], time[SC_TIME_BYTES];
    snprintf(entry, sizeof entry, "%" PRIu64, change->entry);
    sc_time_format(change->time, time);
    sc_listing_add(page, (const char *[]){entry, time, change->population,
                                          change->dataset, version, change->what,
                                          change->before == NULL ? "" : change->before,
                                          change->after == NULL ? "" : change->after});
}

/* Cut between characters. */
static void shorten(const char *text, char shown[SHOWN_BYTES + 8])
{
    size_t bytes = strlen(text);
    const bool is_cut = bytes > SHOWN_BYTES;
    bytes = is_cut ? SHOWN_BYTES : bytes;
    while (is_cut && bytes > 0 && sc_is_continuation(text[bytes]))
        bytes--;
    snprintf(shown, SHOWN_BYTES + 8, "%.*s%s", (int)bytes, text, is_cut ? " ..." : "");
}

/* Two cells may have a path. */
static size_t path_columns(const sc_listing *page)
{
    const size_t columns = page->terminal->columns;
    return columns > OTHER_COLUMNS + 2 * PATH_COLUMNS ? (columns - OTHER_COLUMNS) / 2
                                                      : PATH_COLUMNS;
}

/* A box is broken at spaces: one follows each comma in front of a name. Of a path it has the ends. */
static void put_value(sc_listing *page, const char *value)
{
    char shown[SHOWN_BYTES + 8], spaced[2 * sizeof shown];
    size_t used = 0;
    if (value == NULL || value[0] != '/')
        shorten(value == NULL ? "" : value, shown);
    else
        sc_cut_middle(value, path_columns(page), shown, sizeof shown);
    sc_delta_shorten(shown);
    for (const char *at = shown; *at != '\0'; at++) {
        spaced[used++] = *at;
        if (*at == ',' && isalpha((unsigned char)at[1]))
            spaced[used++] = ' ';
    }
    spaced[used] = '\0';
    sc_listing_put(page, "%s", spaced);
}

/* A box has the day, and the minute below it where there is less room. */
static void add_brief(sc_listing *page, const scrim_vault_change *change,
                      const char *version)
{
    char time[SC_TIME_BYTES], subject[SCRIM_NAME_BYTES + 32];
    sc_time_format(change->time, time);
    if (time[0] != '\0') {
        *strchr(time, 'T') = ' ';
        *strrchr(time, ':') = '\0';
    }
    if (change->dataset[0] != '\0')
        snprintf(subject, sizeof subject, "%s%s%s", change->dataset,
                 version[0] == '\0' ? "" : " v", version);
    else if (change->population[0] != '\0')
        snprintf(subject, sizeof subject, "budget %s", change->population);
    else
        snprintf(subject, sizeof subject, "vault");
    sc_listing_put(page, "%s", time);
    sc_listing_put(page, "%s", subject);
    sc_listing_put(page, "%s", change->what);
    put_value(page, change->before);
    put_value(page, change->after);
}

static scrim_status add_change(void *context, const scrim_vault_change *change)
{
    changes *c = context;
    char version[24] = "";
    if (!sc_history_filter_keeps(&c->filter, NULL, change->time))
        return SCRIM_OK;
    if (change->version != 0)
        snprintf(version, sizeof version, "%" PRIu64, change->version);
    if (c->page->format == SCRIM_FORMAT_TABLE)
        add_brief(c->page, change, version);
    else
        add_exact(c->page, change, version);
    return c->page->has_failed ? SCRIM_E_MEMORY : SCRIM_OK;
}

scrim_status sc_dataset_history(scrim_vault *vault, const char *name,
                                const sc_options *options, scrim_error *error)
{
    static const sc_listing_column brief[] = {{.name = "time"},
                                              {.name = "subject"},
                                              {.name = "change"},
                                              {.name = "before"},
                                              {.name = "after"}};
    static const sc_listing_column exact[] = {{"entry", SC_KIND_NUMBER},
                                              {"time", SC_NULLABLE},
                                              {"population", SC_NULLABLE},
                                              {"dataset", SC_NULLABLE},
                                              {"version", SC_KIND_NUMBER | SC_NULLABLE},
                                              {.name = "change"},
                                              {"before", SC_NULLABLE},
                                              {"after", SC_NULLABLE}};
    changes c = {.page = NULL};
    scrim_status status =
        sc_page_new(options, exact, sizeof exact / sizeof *exact, &c.page, error);
    if (status != SCRIM_OK)
        return status;
    if (c.page->format == SCRIM_FORMAT_TABLE) {
        c.page->columns = brief;
        c.page->column_count = sizeof brief / sizeof *brief;
    }
    status = sc_history_filter_read(options, vault, &c.filter, error);
    if (status == SCRIM_OK)
        status = scrim_vault_changes(vault, name, add_change, &c, error);
    return sc_page_end(c.page, status, error);
}
