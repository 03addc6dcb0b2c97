#include "vault/vault_series.h"

#include "base/memory.h"
#include "base/text_copy.h"

#include <stdio.h>
#include <string.h>

/* Entering. */

static scrim_status check_dataset_is(const scrim_vault *v, const sc_series_entry *s,
                                     scrim_error *error)
{
    uint64_t number = 0;
    const scrim_status status = sc_vault_want_dataset(v, s->dataset, &number, error);
    if (status != SCRIM_OK)
        return status;
    if (number != s->dataset_number ||
        sc_book_dataset(&v->book, number)->version != s->version)
        return sc_fail(error, SCRIM_E_POLICY,
                       "the dataset %s has another version by now; create the series "
                       "again",
                       s->dataset);
    return SCRIM_OK;
}

static scrim_status plan_free_name(scrim_vault *v, void *context, scrim_error *error)
{
    const char *name = context;
    if (sc_book_find_series(&v->book, sc_text_of(name)) != 0)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_TAKEN, "series",
            "series '%s' exists already and cannot be changed; choose another name",
            name);
    return SCRIM_OK;
}

scrim_status sc_vault_check_series_free(scrim_vault *vault, const char *name,
                                        scrim_error *error)
{
    char copy[SCRIM_NAME_BYTES]; /* plans take what they may write */
    snprintf(copy, sizeof copy, "%s", name);
    return sc_vault_read(vault, plan_free_name, copy, error);
}

static scrim_status plan_enter(scrim_vault *v, void *context, scrim_error *error)
{
    sc_series_entry *s = context;
    scrim_status status = check_dataset_is(v, s, error);
    if (status == SCRIM_OK)
        status = plan_free_name(v, s->name, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_event, event);
    event.kind = SC_EVENT_SERIES;
    event.name = sc_text_of(s->name);
    event.dataset = s->dataset_number;
    event.release = s->releases;
    event.is_parallel = s->is_parallel;
    event.body = sc_text_of(s->text);
    return sc_vault_append(v, &event, error);
}

scrim_status sc_vault_enter_series(scrim_vault *vault, const sc_series_entry *series,
                                   scrim_error *error)
{
    sc_series_entry copy =
        *series; /* which is only read: plans take what they may write */
    if (!vault->is_owner)
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_OWNER, "",
                           "only the vault's owner changes its policy");
    return sc_vault_write(vault, plan_enter, &copy, error);
}

/* Reading. */

typedef struct seeking {
    const char *name;
    sc_series_entry *out;
} seeking;

static scrim_status fail_unknown(const scrim_vault *v, const char *name,
                                 scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const char *nearest = sc_book_nearest_series(&v->book, sc_text_of(name));
    sc_text_quote(sc_text_of(name), quote);
    if (nearest != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "series",
                           "unknown series '%s'; did you mean '%s'?", quote, nearest);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "series",
                       "unknown series '%s'", quote);
}

static scrim_status copy_text(const scrim_vault *v, sc_series_entry *out,
                              scrim_error *error)
{
    const sc_text body = v->event.body;
    out->text = sc_text_copy(body);
    if (out->text == NULL)
        return sc_no_memory(error, "a series");
    return SCRIM_OK;
}

static scrim_status plan_find(scrim_vault *v, void *context, scrim_error *error)
{
    const seeking *s = context;
    const uint64_t number = sc_book_find_series(&v->book, sc_text_of(s->name));
    char *bytes = NULL;
    if (number == 0)
        return fail_unknown(v, s->name, error);
    const sc_series_account *found = sc_book_series(&v->book, number);
    const sc_dataset_entry *dataset = sc_book_dataset(&v->book, found->dataset);
    *s->out =
        (sc_series_entry){.dataset_number = found->dataset,
                          .releases = found->releases,
                          .is_parallel = found->is_parallel && dataset->has_contents,
                          .number = number,
                          .entry = found->entry,
                          .is_removed = dataset->is_removed,
                          .version = dataset->version,
                          .last = found->last};
    snprintf(s->out->name, sizeof s->out->name, "%s", found->name);
    snprintf(s->out->dataset, sizeof s->out->dataset, "%s", dataset->name);
    scrim_status status = sc_vault_entry(v, found->entry, &bytes, error);
    if (status == SCRIM_OK)
        status = copy_text(v, s->out, error);
    sc_free(bytes);
    return status;
}

scrim_status sc_vault_find_series(scrim_vault *vault, const char *name,
                                  sc_series_entry *out, scrim_error *error)
{
    sc_series_entry made = {.number = 0};
    seeking s = {name, &made};
    const scrim_status status = sc_vault_read(vault, plan_find, &s, error);
    if (status == SCRIM_OK)
        *out = made;
    return status;
}

typedef struct naming {
    size_t index;
    char *name;
} naming;

static scrim_status plan_name(scrim_vault *v, void *context, scrim_error *error)
{
    const naming *n = context;
    const sc_series_account *found = sc_book_series(&v->book, n->index + 1);
    if (found == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "index",
                           "the vault has room for no more series");
    snprintf(n->name, SCRIM_NAME_BYTES, "%s", found->name);
    return SCRIM_OK;
}

scrim_status sc_vault_series_name(scrim_vault *vault, size_t index,
                                  char name[SCRIM_NAME_BYTES], scrim_error *error)
{
    naming n = {index, name};
    return sc_vault_read(vault, plan_name, &n, error);
}
