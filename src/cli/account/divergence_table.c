#include "cli/account/divergence_table.h"

#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_MAX 32

enum { ORDER, EPSILON, DELTA, GROUP, LISTS };

static const char *const names[LISTS] = {"order", "epsilon", "delta", "group"};

static const sc_listing_column columns[] = {
    {"divergence", SC_KIND_TEXT}, {"at", SC_KIND_TEXT},
    {"exact", SC_KIND_TEXT},      {"value", SC_KIND_BOUND},
    {"exact_back", SC_KIND_TEXT}, {"value_back", SC_KIND_BOUND}};

/* For people: 5 digits, and what they are where that is short. */
static const sc_listing_column short_columns[] = {{"divergence", SC_KIND_TEXT},
                                                  {"at", SC_KIND_TEXT},
                                                  {"first to second", SC_KIND_TEXT},
                                                  {"second to first", SC_KIND_TEXT}};

#define SHORT_EXACT 9
#define SHORT_BYTES (SHORT_EXACT + SC_BOUND_BYTES + 8)

static void write_short(const scrim_distance *found, char out[SHORT_BYTES])
{
    char digits[SC_BOUND_BYTES];
    sc_number_format_upper(found->decimal, digits);
    if (found->is_infinite || strncmp(found->exact, "ln(", 3) != 0 ||
        strlen(found->exact) > SHORT_EXACT)
        snprintf(out, SHORT_BYTES, "%.30s", found->is_infinite ? found->decimal : digits);
    else
        snprintf(out, SHORT_BYTES, "%.9s = %s", found->exact, digits);
}

typedef struct numbers {
    char *text;
    const char *list[NUMBERS_MAX];
    size_t count;
} numbers;

static scrim_status split(const char *text, const char *name, numbers *out,
                          scrim_error *error)
{
    out->text = strdup(text);
    if (out->text == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    for (char *at = out->text; at != NULL;) {
        char *comma = strchr(at, ',');
        if (comma != NULL)
            *comma = '\0';
        if (*at == '\0' || out->count == NUMBERS_MAX)
            return sc_refuse(error, "--%s takes 1 to %d numbers, as in --%s 1,2,5", name,
                             NUMBERS_MAX, name);
        out->list[out->count++] = at;
        at = comma == NULL ? NULL : comma + 1;
    }
    return SCRIM_OK;
}

/* One row: a kind, and a number of each list that it needs, else NULL. */
typedef struct row {
    const scrim_divergence_kind *kind;
    const char *number[LISTS];
} row;

/* A bound of Renyi needs an order above 1 and a delta above 0; a group an epsilon that is not
 * negative. Beside the others they have no row. */
static bool has_row(const row *r)
{
    if (r->number[ORDER] != NULL && r->number[DELTA] != NULL)
        return sc_number_view(r->number[ORDER]) > 1 &&
               sc_number_view(r->number[DELTA]) > 0;
    return r->number[GROUP] == NULL || r->number[EPSILON] == NULL ||
           r->number[EPSILON][0] != '-';
}

static void write_at(const row *r, char *out, size_t capacity)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < LISTS && used < capacity; i++)
        if (r->number[i] != NULL)
            used += (size_t)snprintf(out + used, capacity - used, "%s%s %.60s",
                                     used == 0 ? "" : ", ", names[i], r->number[i]);
}

static scrim_status add_row(const scrim_laws *laws, const row *r, sc_listing *listing,
                            scrim_error *error)
{
    scrim_distance found[2];
    char at[160];
    for (int back = 0; back < 2; back++) {
        const scrim_divergence question = {.size = sizeof question,
                                           .kind = r->kind->name,
                                           .is_back = back,
                                           .order = r->number[ORDER],
                                           .epsilon = r->number[EPSILON],
                                           .delta = r->number[DELTA],
                                           .group = r->number[GROUP]};
        const scrim_status status =
            scrim_divergence_of(laws, &question, &found[back], error);
        if (status != SCRIM_OK)
            return status;
    }
    write_at(r, at, sizeof at);
    if (listing->format == SCRIM_FORMAT_TABLE) {
        char cells[2][SHORT_BYTES];
        write_short(&found[0], cells[0]);
        write_short(&found[1], cells[1]);
        sc_listing_add(listing, (const char *[]){r->kind->name, at, cells[0], cells[1]});
        return SCRIM_OK;
    }
    sc_listing_add(listing,
                   (const char *[]){r->kind->name, at, found[0].exact, found[0].decimal,
                                    found[1].exact, found[1].decimal});
    return SCRIM_OK;
}

/* Every combination of the numbers that the kind needs, from this list on. */
static scrim_status add_rows(const scrim_laws *laws, const numbers lists[LISTS], row *r,
                             size_t from, sc_listing *listing, scrim_error *error)
{
    if (from == LISTS)
        return has_row(r) ? add_row(laws, r, listing, error) : SCRIM_OK;
    r->number[from] = NULL;
    if (strstr(r->kind->needs, names[from]) == NULL)
        return add_rows(laws, lists, r, from + 1, listing, error);
    for (size_t i = 0; i < lists[from].count; i++) {
        r->number[from] = lists[from].list[i];
        SC_TRY(add_rows(laws, lists, r, from + 1, listing, error));
    }
    return SCRIM_OK;
}

/* Rows of all kinds. */
static scrim_status write_rows(const scrim_laws *laws,
                               const sc_divergence_request *request, sc_listing *listing,
                               scrim_error *error)
{
    const char *const given[LISTS] = {request->orders, request->epsilons, request->deltas,
                                      request->groups};
    static const char *const fallback[LISTS] = {"2", "1", "1e-6", NULL};
    numbers lists[LISTS] = {{.count = 0}};
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < LISTS; i++) {
        const char *text = given[i] == NULL ? fallback[i] : given[i];
        if (text != NULL)
            status = split(text, names[i], &lists[i], error);
    }
    row r = {.kind = NULL};
    for (size_t i = 0;
         status == SCRIM_OK && (r.kind = scrim_divergence_kind_at(i)) != NULL; i++)
        status = add_rows(laws, lists, &r, 0, listing, error);
    for (size_t i = 0; i < LISTS; i++)
        free(lists[i].text);
    return status;
}

scrim_status sc_divergence_table(const scrim_laws *laws,
                                 const sc_divergence_request *request, sc_output *output,
                                 sc_format format, const sc_terminal *terminal,
                                 scrim_error *error)
{
    sc_listing full = SC_LISTING(columns, output, format, terminal),
               brief = SC_LISTING(short_columns, output, format, terminal);
    sc_listing *listing = format == SCRIM_FORMAT_TABLE ? &brief : &full;
    listing->is_held = true;
    (void)sc_listing_open(listing);
    return sc_listing_close(listing, write_rows(laws, request, listing, error), error);
}
