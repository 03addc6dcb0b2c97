/* Changes by the owner in the time of `scrim report all`: budgets, datasets, their policies and their contents. */
#include "cli/display/canvas.h"
#include "cli/display/number_view.h"
#include "cli/release/all_releases.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/line_fold.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a value on the page: lists of keys may be long. */
#define VALUE_BYTES 160

typedef struct reading {
    sc_all_releases *all;
    uint64_t entry; /* of the change before */
    scrim_error *error;
} reading;

/* A change of the vault as a whole is one of every budget. */
static bool is_chosen(const sc_all_releases *all, const scrim_vault_change *change)
{
    const bool is_after = all->until != 0 && change->time >= all->until,
               is_before = change->time != 0 && change->time < all->from;
    return !is_after && !is_before &&
           (all->only[0] == '\0' || change->population[0] == '\0' ||
            strcmp(all->only, change->population) == 0);
}

static sc_past_change *add_place(sc_all_releases *all)
{
    if (all->change_count == all->change_room) {
        const size_t room = all->change_room == 0 ? 16 : 2 * all->change_room;
        sc_past_change *larger = realloc(all->changes, room * sizeof *larger);
        if (larger == NULL)
            return NULL;
        all->changes = larger;
        all->change_room = room;
    }
    sc_past_change *added = &all->changes[all->change_count++];
    memset(added, 0, sizeof *added);
    return added;
}

static char *copied(const char *text)
{
    const size_t bytes = text == NULL ? 1 : strlen(text) + 1;
    char *copy = malloc(bytes);
    return copy == NULL ? NULL : memcpy(copy, text == NULL ? "" : text, bytes);
}

/* Lines of a policy say what is new, so that "new policy" in front of them says nothing. */
static void drop_heading(sc_all_releases *all)
{
    sc_past_change *last = &all->changes[all->change_count - 1];
    if (strcmp(last->what, "new policy") == 0) {
        sc_past_change_clear(last);
        all->change_count--;
    }
}

static scrim_status add_change(void *context, const scrim_vault_change *change)
{
    reading *r = context;
    if (!is_chosen(r->all, change))
        return SCRIM_OK;
    if (r->all->change_count > 0 && r->entry == change->entry)
        drop_heading(r->all);
    r->entry = change->entry;
    sc_past_change *added = add_place(r->all);
    if (added == NULL)
        return sc_out_of_memory(r->error, "the changes");
    added->time = change->time;
    added->version = change->version;
    memcpy(added->dataset, change->dataset, sizeof added->dataset);
    memcpy(added->population, change->population, sizeof added->population);
    added->what = copied(change->what);
    added->before = copied(change->before);
    added->after = copied(change->after);
    return added->what == NULL || added->before == NULL || added->after == NULL
               ? sc_out_of_memory(r->error, "the changes")
               : SCRIM_OK;
}

scrim_status sc_all_changes_read(scrim_vault *vault, sc_all_releases *all,
                                 scrim_error *error)
{
    reading r = {.all = all, .error = error};
    return all->analyst != NULL ? SCRIM_OK
                                : scrim_vault_changes(vault, NULL, add_change, &r, error);
}

void sc_past_change_clear(sc_past_change *change)
{
    free(change->what);
    free(change->before);
    free(change->after);
}

/* The page. */

static void put_cell(sc_output *output, const char *start, const char *text)
{
    sc_output_text(output, start);
    sc_markup_text(output, text);
    sc_output_text(output, "</td>");
}

/* Cut between characters. */
static void put_value(sc_output *output, const char *text)
{
    char shown[VALUE_BYTES + 8];
    size_t bytes = strlen(text);
    const bool is_cut = bytes > VALUE_BYTES;
    bytes = is_cut ? VALUE_BYTES : bytes;
    while (is_cut && bytes > 0 && sc_is_continuation(text[bytes]))
        bytes--;
    snprintf(shown, sizeof shown, "%.*s%s", (int)bytes, text, is_cut ? " ..." : "");
    sc_delta_shorten(shown);
    sc_output_text(output, "<code>");
    sc_markup_text(output, shown);
    sc_output_text(output, "</code>");
}

/* "max-groups: 2 to 3", "added", "cap: 0.5", "share of bob: 1, removed". */
static void put_words(sc_output *output, const sc_past_change *one)
{
    const bool has_before = one->before[0] != '\0', has_after = one->after[0] != '\0';
    sc_output_text(output, "<td>");
    sc_markup_text(output, one->what);
    if (has_before || has_after)
        sc_output_text(output, ": ");
    if (has_before)
        put_value(output, one->before);
    if (has_before)
        sc_output_text(output, has_after ? " to " : ", removed");
    if (has_after)
        put_value(output, one->after);
    sc_output_text(output, "</td></tr>\n");
}

static void put_change(sc_output *output, const sc_past_change *one)
{
    char day[SC_TIME_BYTES], subject[SCRIM_NAME_BYTES + 48];
    sc_day_format(one->time, day);
    if (one->dataset[0] != '\0' && one->version != 0)
        snprintf(subject, sizeof subject, "%s, version %" PRIu64, one->dataset,
                 one->version);
    else if (one->dataset[0] != '\0')
        snprintf(subject, sizeof subject, "%s", one->dataset);
    else if (one->population[0] != '\0')
        snprintf(subject, sizeof subject, "budget %s", one->population);
    else
        snprintf(subject, sizeof subject, "vault");
    put_cell(output, "<tr><td>", day);
    put_cell(output, "<td>", subject);
    put_words(output, one);
}

void sc_all_changes_write(sc_output *output, const sc_all_releases *all)
{
    if (all->analyst != NULL)
        return;
    sc_output_text(output, "<h2>Changes by the owner</h2>\n");
    if (all->change_count == 0)
        sc_output_text(output, "<p>No budget, dataset or policy was changed in this "
                               "time.</p>\n");
    else
        sc_output_text(output, "<div class=\"scroll\"><table class=\"changes\">\n<thead>"
                               "<tr><th scope=\"col\">day</th><th scope=\"col\">of</th>"
                               "<th scope=\"col\">change</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < all->change_count; i++)
        put_change(output, &all->changes[i]);
    if (all->change_count > 0)
        sc_output_text(output, "</tbody>\n</table></div>\n");
    sc_output_text(output, "<p>Requests that a budget or a policy refused are not in "
                           "the ledger: they had no charge and no answer.</p>\n");
}
