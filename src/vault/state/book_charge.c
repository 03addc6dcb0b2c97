#include "base/memory.h"
#include "data/table/source_seal.h"
#include "vault/state/book.h"

#include <string.h>

/* Looking up. */

/* The place of a tally, or where it would be. */
static size_t place_of(const sc_population *people, uint64_t analyst)
{
    size_t low = 0, high = people->tally_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (people->tallies[middle].analyst < analyst)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static sc_tally *tally_of(const sc_book *book, uint64_t population, uint64_t analyst)
{
    const sc_population *people = sc_book_population(book, population);
    if (people == NULL)
        return NULL;
    const size_t place = place_of(people, analyst);
    if (place == people->tally_count || people->tallies[place].analyst != analyst)
        return NULL;
    return &people->tallies[place];
}

const sc_tally *sc_book_tally(const sc_book *book, uint64_t population, uint64_t analyst)
{
    return tally_of(book, population, analyst);
}

/* Sums. */

/* A total stays this short; what is added over years is rounded up. */
#define SUM_BITS 1024
#define SUM_PLACES 256

static void add_up(sc_ratio *total, const sc_ratio *a, const sc_ratio *b)
{
    if (sc_ratio_sign(b) != 0)
        sc_ratio_add_up(total, a, b, SUM_BITS, SUM_PLACES);
    else if (total != a) /* most deltas */
        sc_ratio_set(total, a);
}

/* out = the smaller of out and limit - spent, at least 0. */
static void take_rest(const sc_ratio *limit, const sc_ratio *spent, sc_ratio *out)
{
    SC_OWN(sc_ratio, rest);
    sc_ratio_sub(&rest, limit, spent);
    if (sc_ratio_sign(&rest) < 0)
        sc_ratio_set_int64(&rest, 0);
    if (sc_ratio_compare(&rest, out) < 0)
        sc_ratio_set(out, &rest);
}

const sc_tally *sc_book_share(const sc_book *book, uint64_t population, uint64_t analyst)
{
    const sc_tally *own = tally_of(book, population, analyst);
    if (own != NULL && own->has_share)
        return own;
    const sc_tally *all = tally_of(book, population, 0);
    return all != NULL && all->has_share ? all : NULL;
}

void sc_book_left(const sc_book *book, uint64_t population, uint64_t analyst,
                  sc_ratio *amount, sc_ratio *delta)
{
    const sc_filter *filter = &book->populations[population - 1].filter;
    const sc_tally *all = tally_of(book, population, 0);
    SC_OWN(sc_ratio, nothing);
    sc_ratio_set(amount, &filter->amount);
    sc_ratio_set(delta, &filter->parts);
    take_rest(&filter->amount, &all->amount, amount);
    take_rest(&filter->parts, &all->delta, delta);
    const sc_tally *share =
        analyst == 0 ? NULL : sc_book_share(book, population, analyst);
    const sc_tally *own = tally_of(book, population, analyst);
    if (share != NULL && share->has_amount)
        take_rest(&share->share_amount, own == NULL ? &nothing : &own->amount, amount);
    if (share != NULL && share->has_delta)
        take_rest(&share->share_delta, own == NULL ? &nothing : &own->delta, delta);
}

static void set_rest(const sc_ratio *limit, const sc_ratio *spent,
                     char text[SCRIM_NUMBER_BYTES])
{
    SC_OWN(sc_ratio, rest);
    sc_ratio_set(&rest, limit);
    take_rest(limit, spent, &rest);
    sc_book_format_lower(&rest, text);
}

void sc_book_set_remainder(const sc_book *book, uint64_t population, uint64_t analyst,
                           scrim_remainder *out)
{
    const sc_filter *filter = &book->populations[population - 1].filter;
    const sc_tally *all = tally_of(book, population, 0);
    const sc_tally *own = tally_of(book, population, analyst);
    const sc_tally *share =
        analyst == 0 ? NULL : sc_book_share(book, population, analyst);
    SC_OWN(sc_ratio, nothing);
    memset(out, 0, sizeof *out);
    set_rest(&filter->amount, &all->amount, out->whole);
    set_rest(&filter->parts, &all->delta, out->whole_delta);
    if (share != NULL && share->has_amount)
        set_rest(&share->share_amount, own == NULL ? &nothing : &own->amount, out->share);
    if (share != NULL && share->has_delta)
        set_rest(&share->share_delta, own == NULL ? &nothing : &own->delta,
                 out->share_delta);
}

void sc_book_sum_shares(const sc_book *book, uint64_t population, sc_share_sum *out)
{
    const sc_population *people = sc_book_population(book, population);
    memset(out, 0, sizeof *out);
    sc_ratio_init(&out->amount);
    sc_ratio_init(&out->delta);
    for (size_t i = 0; i < people->tally_count; i++) {
        const sc_tally *share = &people->tallies[i];
        if (share->has_share && share->has_amount)
            add_up(&out->amount, &out->amount, &share->share_amount);
        if (share->has_share && share->has_delta)
            add_up(&out->delta, &out->delta, &share->share_delta);
        out->has_amount |= share->has_share && share->has_amount;
        out->has_delta |= share->has_share && share->has_delta;
    }
    out->is_above = sc_ratio_compare(&out->amount, &people->filter.amount) > 0 ||
                    sc_ratio_compare(&out->delta, &people->filter.parts) > 0;
}

void sc_share_sum_clear(sc_share_sum *sum)
{
    sc_ratio_clear(&sum->delta);
    sc_ratio_clear(&sum->amount);
}

void sc_book_left_delta(const sc_book *book, uint64_t dataset, uint64_t analyst,
                        sc_ratio *out)
{
    const sc_dataset_entry *d = &book->datasets[dataset - 1];
    SC_OWN(sc_ratio, amount);
    sc_book_left(book, d->population, analyst, &amount, out);
    if (d->has_delta && sc_ratio_compare(&d->delta, out) < 0)
        sc_ratio_set(out, &d->delta);
}

/* Who has never asked has spent nothing, and the share of everybody binds them. */
uint64_t sc_book_charged_analyst(const sc_book *book, uint64_t user, sc_text name)
{
    const uint64_t analyst = sc_book_find_analyst(book, user, name);
    return analyst == 0 ? book->analyst_count + 1 : analyst;
}

/* Charges. */

static scrim_status fail_share(const sc_book *book, uint64_t population, uint64_t analyst,
                               const char *unit, const char *asked, scrim_error *error)
{
    scrim_remainder left;
    sc_book_set_remainder(book, population, analyst, &left);
    const bool is_delta = strcmp(unit, "delta") == 0;
    sc_cost_say(is_delta ? left.share_delta : left.share, false);
    sc_cost_say(is_delta ? left.whole_delta : left.whole, false);
    return sc_fail_for(error, SCRIM_E_BUDGET, SCRIM_REASON_SHARE, unit,
                       "insufficient share: %s %s requested, %s left of the analyst's "
                       "share and %s of the whole budget; nothing was charged",
                       unit, asked, is_delta ? left.share_delta : left.share,
                       is_delta ? left.whole_delta : left.whole);
}

static scrim_status fail_budget(const sc_book *book, uint64_t population,
                                uint64_t analyst, const sc_event *e, scrim_error *error)
{
    char asked[SCRIM_NUMBER_BYTES], left[SCRIM_NUMBER_BYTES];
    char asked_words[SCRIM_NUMBER_BYTES], left_words[SCRIM_NUMBER_BYTES];
    scrim_status status;
    SC_OWN(sc_ratio, amount, delta);
    sc_book_left(book, population, analyst, &amount, &delta);
    bool by_amount = sc_ratio_compare(&e->amount, &amount) > 0;
    sc_book_format_upper(by_amount ? &e->amount : &e->delta, asked);
    sc_book_format_lower(by_amount ? &amount : &delta, left);
    memcpy(asked_words, asked, sizeof asked);
    memcpy(left_words, left, sizeof left);
    sc_cost_say(asked_words, true);
    sc_cost_say(left_words, false);
    const char *unit = by_amount
                           ? sc_filter_unit(book->populations[population - 1].filter.rule)
                           : "delta";
    if (analyst != 0)
        status = fail_share(book, population, analyst, unit, asked_words, error);
    else
        status = sc_fail_for(
            error, SCRIM_E_BUDGET, SCRIM_REASON_BUDGET, unit,
            "insufficient budget: %s %s requested, %s left; nothing was charged", unit,
            asked_words, left_words);
    sc_error_set_amounts(error, asked, left);
    return status;
}

/* At most what the owner allows one question. */
static scrim_status check_most(const sc_book *book, const sc_dataset_entry *d,
                               const sc_event *e, scrim_error *error)
{
    char text[SCRIM_NUMBER_BYTES];
    const char *unit = sc_filter_unit(book->populations[d->population - 1].filter.rule);
    if (d->has_most && sc_ratio_compare(&e->amount, &d->most) > 0) {
        sc_book_format_lower(&d->most, text);
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_CAP, unit,
                           "one query may cost at most %s %s; ask for less", unit, text);
    }
    if (d->has_delta && sc_ratio_compare(&e->delta, &d->delta) > 0) {
        sc_book_format_lower(&d->delta, text);
        sc_cost_say(text, false);
        return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_CAP, "delta",
                           "one query may cost at most delta %s; ask for less", text);
    }
    return SCRIM_OK;
}

static scrim_status check_cap(const sc_book *book, const sc_dataset_entry *d,
                              const sc_event *e, scrim_error *error)
{
    char text[SCRIM_NUMBER_BYTES];
    const char *unit = sc_filter_unit(book->populations[d->population - 1].filter.rule);
    SC_TRY(check_most(book, d, e, error));
    if (!d->has_least || sc_ratio_compare(&e->amount, &d->least) >= 0)
        return SCRIM_OK;
    sc_book_format_upper(&d->least, text);
    return sc_fail_for(error, SCRIM_E_POLICY, SCRIM_REASON_CAP, unit,
                       "one query must cost at least %s %s; spend more on it", unit,
                       text);
}

static bool exceeds(const sc_ratio *spent, const sc_ratio *charge, const sc_ratio *limit)
{
    SC_OWN(sc_ratio, total);
    add_up(&total, spent, charge);
    return sc_ratio_compare(&total, limit) > 0;
}

static scrim_status check_share(const sc_book *book, uint64_t population,
                                const sc_event *e, scrim_error *error)
{
    const sc_tally *share = sc_book_share(book, population, e->analyst);
    const sc_tally *own = tally_of(book, population, e->analyst);
    SC_OWN(sc_ratio, nothing);
    bool is_above = share != NULL &&
                    ((share->has_amount && exceeds(own == NULL ? &nothing : &own->amount,
                                                   &e->amount, &share->share_amount)) ||
                     (share->has_delta && exceeds(own == NULL ? &nothing : &own->delta,
                                                  &e->delta, &share->share_delta)));
    return is_above ? fail_budget(book, population, e->analyst, e, error) : SCRIM_OK;
}

static scrim_status check_budget(const sc_book *book, uint64_t population,
                                 const sc_event *e, scrim_error *error)
{
    const sc_filter *filter = &book->populations[population - 1].filter;
    const sc_tally *all = tally_of(book, population, 0);
    if (exceeds(&all->amount, &e->amount, &filter->amount) ||
        exceeds(&all->delta, &e->delta, &filter->parts))
        return fail_budget(book, population, 0, e, error);
    return check_share(book, population, e, error);
}

sc_tally *sc_book_add_tally(sc_population *people, uint64_t population, uint64_t analyst,
                            scrim_error *error)
{
    if (!sc_make_room(&people->tallies, people->tally_count, &people->tally_capacity,
                      sizeof *people->tallies)) {
        (void)sc_no_memory(error, "the book");
        return NULL;
    }
    const size_t place = place_of(people, analyst);
    sc_tally *made = &people->tallies[place];
    memmove(made + 1, made, (people->tally_count - place) * sizeof *made);
    *made = (sc_tally){.population = population, .analyst = analyst};
    sc_ratio_init(&made->amount);
    sc_ratio_init(&made->delta);
    sc_ratio_init(&made->share_amount);
    sc_ratio_init(&made->share_delta);
    people->tally_count++;
    return made;
}

sc_tally *sc_book_want_tally(sc_book *book, uint64_t population, uint64_t analyst,
                             scrim_error *error)
{
    sc_tally *found = tally_of(book, population, analyst);
    return found != NULL ? found
                         : sc_book_add_tally(&book->populations[population - 1],
                                             population, analyst, error);
}

static void book_charge(sc_tally *tally, const sc_event *e)
{
    add_up(&tally->amount, &tally->amount, &e->amount);
    add_up(&tally->delta, &tally->delta, &e->delta);
    tally->charges++;
}

scrim_status sc_book_check_dataset(const sc_book *book, uint64_t number,
                                   scrim_error *error)
{
    const sc_dataset_entry *d = sc_book_dataset(book, number);
    if (d == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "index",
                           "there is no such dataset");
    if (d->is_removed)
        return sc_fail(error, SCRIM_E_POLICY, "the dataset %s has been removed", d->name);
    return SCRIM_OK;
}

static scrim_status check_charge_cap(const sc_book *book, const sc_dataset_entry *d,
                                     const sc_event *e, scrim_error *error)
{
    if (!sc_event_is_window(e->kind))
        return check_cap(book, d, e, error);
    sc_event whole;
    sc_event_init(&whole);
    sc_series_account_cost(&book->series[e->series - 1], e, &whole.amount, &whole.delta);
    const scrim_status status = check_cap(book, d, &whole, error);
    sc_event_clear(&whole);
    return status;
}

static scrim_status check_window(const sc_book *book, const sc_event *e,
                                 scrim_error *error)
{
    const sc_series_account *s = sc_book_series(book, e->series);
    if (s == NULL || s->dataset != e->dataset)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "index",
                           "there is no such series");
    const bool is_still =
        e->kind == SC_EVENT_WINDOW || book->datasets[e->dataset - 1].has_contents;
    if (!is_still || !sc_series_account_admits(s, e->release, e->analyst) ||
        !sc_series_account_is_priced(s, e))
        return sc_fail(error, SCRIM_E_POLICY,
                       "release %llu of the series '%s' is not a window that an earlier "
                       "charge covers",
                       (unsigned long long)e->release, s->name);
    return SCRIM_OK;
}

scrim_status sc_book_charge(sc_book *book, const sc_event *e, scrim_error *error)
{
    scrim_status status = sc_book_check_dataset(book, e->dataset, error);
    if (status != SCRIM_OK)
        return status;
    const sc_dataset_entry *d = &book->datasets[e->dataset - 1];
    if (e->version != d->version)
        return sc_fail(error, SCRIM_E_POLICY,
                       "the dataset %s has another version by now; ask again", d->name);
    if (d->is_closed)
        return sc_source_fail_changed(error);
    if (sc_book_analyst(book, e->analyst) == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "analyst",
                           "there is no such analyst");
    if (sc_event_is_window(e->kind))
        status = check_window(book, e, error);
    if (status == SCRIM_OK)
        status = check_charge_cap(book, d, e, error);
    if (status == SCRIM_OK)
        status = check_budget(book, d->population, e, error);
    if (status != SCRIM_OK)
        return status;
    sc_tally *own = sc_book_want_tally(book, d->population, e->analyst, error);
    if (own == NULL)
        return SCRIM_E_MEMORY;
    book_charge(own, e);
    book_charge(tally_of(book, d->population, 0), e);
    if (sc_event_is_window(e->kind))
        sc_series_account_take(&book->series[e->series - 1], e);
    return SCRIM_OK;
}

scrim_status sc_book_view(sc_book *book, const sc_event *e, scrim_error *error)
{
    SC_TRY(sc_book_check_dataset(book, e->dataset, error));
    const sc_dataset_entry *d = &book->datasets[e->dataset - 1];
    if (sc_book_analyst(book, e->analyst) == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "analyst",
                           "there is no such analyst");
    /* Caps are for questions: the answer is there, and may have cost more before a cap was set, or as a window nothing. */
    SC_TRY(check_share(book, d->population, e, error));
    sc_tally *own = sc_book_want_tally(book, d->population, e->analyst, error);
    if (own == NULL)
        return SCRIM_E_MEMORY;
    book_charge(own, e);
    return SCRIM_OK;
}

scrim_status sc_book_load(sc_book *book, uint64_t population, uint64_t analyst,
                          const sc_ratio *amount, const sc_ratio *delta, uint64_t charges,
                          scrim_error *error)
{
    if (sc_book_population(book, population) == NULL ||
        (analyst != 0 && sc_book_analyst(book, analyst) == NULL))
        return sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                           "the vault keeps a total of nobody");
    sc_tally *tally = sc_book_want_tally(book, population, analyst, error);
    if (tally == NULL)
        return SCRIM_E_MEMORY;
    sc_ratio_set(&tally->amount, amount);
    sc_ratio_set(&tally->delta, delta);
    tally->charges = charges;
    return SCRIM_OK;
}
