#include "vault/booked_view.h"

#include "base/memory.h"
#include "vault/state/series_account.h"
#include "vault/vault_view.h"

#include <stdio.h>

/* An answer that was shown to the analyst before. */
typedef struct earlier_view {
    uint64_t charge; /* entry */
    sc_ratio amount, delta;
} earlier_view;

typedef struct booking {
    uint64_t release; /* number */
    sc_event event;   /* to be entered */
    uint64_t series;  /* of a window; 0: of none */
    bool is_booked;   /* earlier */
    bool costs;
    scrim_vault *vault;
    earlier_view *views; /* of the same dataset, where the release is a window */
    size_t count, room;
} booking;

static void clear_booking(booking *b)
{
    for (size_t i = 0; i < b->count; i++) {
        sc_ratio_clear(&b->views[i].amount);
        sc_ratio_clear(&b->views[i].delta);
    }
    sc_free(b->views);
    b->views = NULL;
    b->count = b->room = 0;
}

static scrim_status keep_view(booking *b, const sc_event *view, scrim_error *error)
{
    if (!sc_make_room(&b->views, b->count, &b->room, sizeof *b->views))
        return sc_no_memory(error, "the answers that were shown");
    earlier_view *kept = &b->views[b->count++];
    kept->charge = view->charge;
    sc_ratio_init(&kept->amount);
    sc_ratio_init(&kept->delta);
    sc_ratio_set(&kept->amount, &view->amount);
    sc_ratio_set(&kept->delta, &view->delta);
    return SCRIM_OK;
}

static scrim_status find_booked(void *context, const sc_chain *at, sc_text bytes,
                                scrim_error *error)
{
    booking *b = context;
    const sc_event *e = &b->vault->event;
    sc_text word, rest;
    (void)at;
    if (!sc_text_split(bytes, ' ', &word, &rest) || !sc_text_is(word, "view"))
        return SCRIM_OK;
    SC_TRY(sc_event_parse(bytes, &b->vault->event, error));
    if (e->kind != SC_EVENT_VIEW || e->analyst != b->event.analyst)
        return SCRIM_OK;
    if (e->charge == b->event.charge) {
        b->is_booked = true;
        return SCRIM_E_STATE; /* one is enough */
    }
    return b->series != 0 && e->dataset == b->event.dataset ? keep_view(b, e, error)
                                                            : SCRIM_OK;
}

/* Is the charge a window of the same series and version? Reads it into vault->event. */
static scrim_status is_beside(booking *b, uint64_t charge, bool *out, scrim_error *error)
{
    const sc_event *e = &b->vault->event;
    char *bytes = NULL;
    const scrim_status status = sc_vault_entry(b->vault, charge, &bytes, error);
    *out = status == SCRIM_OK && sc_event_is_window(e->kind) && e->series == b->series &&
           e->version == b->event.version;
    sc_free(bytes);
    return status;
}

/* Windows of one version are booked as they are charged: a row is in one of them, so that all that an analyst was shown
 * cost as much as the most expensive one. Others may have paid for it by windows that this analyst never saw. */
static scrim_status price_view(booking *b, scrim_error *error)
{
    for (size_t i = 0; i < b->count; i++) {
        bool is_paid = false;
        SC_TRY(is_beside(b, b->views[i].charge, &is_paid, error));
        if (!is_paid)
            continue;
        sc_series_take_off(&b->event.amount, &b->views[i].amount);
        sc_series_take_off(&b->event.delta, &b->views[i].delta);
    }
    return SCRIM_OK;
}

/* The cost of the charge by itself, from vault->event. */
static void take_price(booking *b, const scrim_vault *v)
{
    const sc_event *charge = &v->event;
    const sc_series_account *series = sc_event_is_window(charge->kind)
                                          ? sc_book_series(&v->book, charge->series)
                                          : NULL;
    b->series = series == NULL ? 0 : charge->series;
    sc_ratio_set(&b->event.amount, &charge->amount);
    sc_ratio_set(&b->event.delta, &charge->delta);
    if (series != NULL)
        sc_series_account_price_upper(series, charge, &b->event.amount, &b->event.delta);
}

static scrim_status plan_look(scrim_vault *v, void *context, scrim_error *error)
{
    booking *b = context;
    sc_event *e = &b->event;
    b->vault = v;
    SC_TRY(sc_vault_charge_of(v, b->release, &e->charge, error));
    char *bytes = NULL;
    scrim_status status = sc_vault_entry(v, e->charge, &bytes, error);
    if (status != SCRIM_OK)
        return status;
    e->kind = SC_EVENT_VIEW;
    e->dataset = v->event.dataset;
    e->version = v->event.version;
    take_price(b, v);
    const uint64_t charged = v->event.analyst;
    sc_free(bytes);
    e->analyst =
        sc_book_charged_analyst(&v->book, v->identity.user, sc_text_of(v->identity.name));
    const uint64_t population = sc_book_dataset(&v->book, e->dataset)->population;
    if (charged == e->analyst || sc_book_share(&v->book, population, e->analyst) == NULL)
        return SCRIM_OK;
    const uint64_t from =
        b->series != 0 ? sc_book_series(&v->book, b->series)->entry : e->charge + 1;
    clear_booking(b);
    status = v->store->functions->entries(v->store, from, false, find_booked, b, error);
    b->costs = !b->is_booked;
    if (status == SCRIM_OK)
        return price_view(b, error);
    return status == SCRIM_E_STATE ? SCRIM_OK : status;
}

static scrim_status plan_book(scrim_vault *v, void *context, scrim_error *error)
{
    booking *b = context;
    b->costs = b->is_booked = false;
    SC_TRY(plan_look(v, b, error));
    if (!b->costs)
        return SCRIM_OK;
    SC_TRY(sc_vault_want_analyst(v, &v->identity, &b->event.analyst, error));
    return sc_vault_append(v, &b->event, error);
}

scrim_status sc_vault_view_costs(scrim_vault *vault, uint64_t release, bool *costs,
                                 scrim_error *error)
{
    booking b = {.release = release};
    sc_event_init(&b.event);
    const scrim_status status = sc_vault_read(vault, plan_look, &b, error);
    clear_booking(&b);
    sc_event_clear(&b.event);
    *costs = b.costs;
    return status;
}

scrim_status scrim_vault_view(scrim_vault *vault, uint64_t release, scrim_error *error)
{
    SC_REQUIRE(error, "vault", vault);
    return sc_vault_book_view(vault, release, error);
}

/* Most who ask have no share: they need no write. */
scrim_status sc_vault_book_view(scrim_vault *vault, uint64_t release, scrim_error *error)
{
    bool costs = false;
    SC_TRY(sc_vault_view_costs(vault, release, &costs, error));
    if (!costs)
        return SCRIM_OK;
    booking b = {.release = release};
    sc_event_init(&b.event);
    const scrim_status status = sc_vault_write(vault, plan_book, &b, error);
    clear_booking(&b);
    sc_event_clear(&b.event);
    return status;
}

/* All of them. The entries are read in one transaction, and shown after it. */

typedef struct listing {
    scrim_vault *vault;
    uint64_t time;
    uint64_t *charges; /* the entries that charged release 1, 2, 3 */
    size_t charge_count, charge_room;
    scrim_vault_shown *shown;
    size_t count, room;
} listing;

static scrim_status keep_shown(listing *l, scrim_error *error)
{
    const sc_event *e = &l->vault->event;
    const sc_analyst *analyst = sc_book_analyst(&l->vault->book, e->analyst);
    size_t low = 0, high = l->charge_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (l->charges[middle] < e->charge)
            low = middle + 1;
        else
            high = middle;
    }
    if (analyst == NULL || low == l->charge_count || l->charges[low] != e->charge)
        return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                           "an answer of no charge was shown, or shown to nobody");
    if (!sc_make_room(&l->shown, l->count, &l->room, sizeof *l->shown))
        return sc_no_memory(error, "the answers that were shown");
    scrim_vault_shown *kept = &l->shown[l->count++];
    kept->release = low + 1;
    kept->time = l->time;
    sc_book_format_upper(&e->amount, kept->amount);
    sc_book_format_upper(&e->delta, kept->delta);
    snprintf(kept->analyst, sizeof kept->analyst, "%s", analyst->name);
    return SCRIM_OK;
}

static scrim_status see_shown(void *context, const sc_chain *at, sc_text bytes,
                              scrim_error *error)
{
    listing *l = context;
    sc_text word, rest;
    if (sc_event_bytes_charge(bytes)) {
        if (!sc_make_room(&l->charges, l->charge_count, &l->charge_room,
                          sizeof *l->charges))
            return sc_no_memory(error, "the answers that were shown");
        l->charges[l->charge_count++] = at->generation;
        return SCRIM_OK;
    }
    if (!sc_text_split(bytes, ' ', &word, &rest) ||
        !(sc_text_is(word, "view") || sc_text_is(word, "time")))
        return SCRIM_OK;
    SC_TRY(sc_event_parse(bytes, &l->vault->event, error));
    if (l->vault->event.kind == SC_EVENT_VIEW)
        return keep_shown(l, error);
    l->time = l->vault->event.time;
    return SCRIM_OK;
}

static scrim_status plan_shown(scrim_vault *v, void *context, scrim_error *error)
{
    return v->store->functions->entries(v->store, 1, false, see_shown, context, error);
}

scrim_status scrim_vault_shown_answers(scrim_vault *vault,
                                       scrim_vault_shown_visitor *visitor, void *context,
                                       scrim_error *error)
{
    SC_REQUIRE(error, "vault", vault);
    listing l = {.vault = vault};
    scrim_status status = sc_vault_read(vault, plan_shown, &l, error);
    for (size_t i = 0; status == SCRIM_OK && i < l.count; i++)
        status = visitor(context, &l.shown[i]);
    sc_free(l.charges);
    sc_free(l.shown);
    return status;
}
