#include "vault/vault_budgets.h"

#include "base/memory.h"
#include "ledger/joint.h"
#include "model/measurement.h"

#include <stdio.h>
#include <string.h>

typedef struct reading {
    scrim_vault *vault;
    sc_charge_log *log;
    uint64_t population; /* 0: all */
    uint64_t time;
} reading;

/* The number behind "name=", if the word is that. */
static bool read_word(sc_text word, const char *name, sc_ratio *out)
{
    const size_t bytes = strlen(name);
    return word.bytes > bytes && memcmp(word.start, name, bytes) == 0 &&
           sc_ratio_parse((sc_text){word.start + bytes, word.bytes - bytes}, out, NULL) ==
               SCRIM_OK;
}

/* A query that is planned for an epsilon and a delta keeps them. One that is planned for a rho, or is a release of a
 * series, has no such promise. */
static bool query_promise(sc_text text, sc_logged_charge *charge)
{
    sc_text word;
    bool has_epsilon = false, has_delta = false;
    SC_OWN(sc_ratio, other);
    while (sc_text_word(&text, &word) && !sc_text_is(word, ":")) {
        if (read_word(word, "rho=", &other) || read_word(word, "release=", &other) ||
            read_word(word, "running=", &other))
            return false;
        has_epsilon |= read_word(word, "epsilon=", &charge->epsilon);
        has_delta |= read_word(word, "delta=", &charge->promised_delta);
    }
    return has_epsilon && has_delta && sc_ratio_sign(&charge->epsilon) > 0;
}

#define LINE_BYTES 1024 /* of a measurement that is read again */

static bool line_promise(sc_text text, scrim_neighbours neighbours,
                         sc_logged_charge *charge)
{
    char line[LINE_BYTES];
    scrim_measurement *m = NULL;
    if (text.bytes >= sizeof line)
        return false;
    memcpy(line, text.start, text.bytes);
    line[text.bytes] = '\0';
    if (scrim_measurement_parse(line, &m, NULL) != SCRIM_OK)
        return false;
    const bool has = m->cost.has_epsilon && m->cost.neighbours == neighbours;
    if (has) {
        sc_ratio_set(&charge->epsilon, &m->cost.epsilon);
        sc_ratio_set(&charge->promised_delta, &m->cost.delta);
    }
    scrim_measurement_free(m);
    return has;
}

static void read_promise(const sc_filter *filter, sc_text text, sc_logged_charge *charge)
{
    sc_text rest = text, first;
    if (filter->rule == SC_FILTER_CONCENTRATED && sc_text_word(&rest, &first))
        charge->has_promise = sc_text_is(first, "query")
                                  ? query_promise(rest, charge)
                                  : line_promise(text, filter->neighbours, charge);
}

static scrim_status take(void *context, const sc_chain *at, sc_text bytes,
                         scrim_error *error)
{
    reading *r = context;
    const sc_event *e = &r->vault->event;
    const scrim_status status = sc_event_parse(bytes, &r->vault->event, error);
    if (status != SCRIM_OK)
        return status;
    if (e->kind == SC_EVENT_TIME)
        r->time = e->time;
    if (!sc_event_is_charge(e->kind))
        return SCRIM_OK;
    const sc_dataset_entry *d = sc_book_dataset(&r->vault->book, e->dataset);
    if (d == NULL || (r->population != 0 && d->population != r->population))
        return SCRIM_OK;
    if (!sc_make_room(&r->log->list, r->log->count, &r->log->capacity,
                      sizeof *r->log->list))
        return sc_no_memory(error, "the budgets");
    sc_logged_charge *made = &r->log->list[r->log->count++];
    *made = (sc_logged_charge){.entry = at->generation,
                               .time = r->time,
                               .analyst = e->analyst,
                               .series = sc_event_is_window(e->kind) ? e->series : 0,
                               .version = e->version,
                               .before = r->log->last[d->population]};
    sc_ratio_init(&made->amount);
    sc_ratio_init(&made->delta);
    sc_ratio_set(&made->amount, &e->amount);
    sc_ratio_set(&made->delta, &e->delta);
    sc_ratio_init(&made->epsilon);
    sc_ratio_init(&made->promised_delta);
    if (e->kind == SC_EVENT_CHARGE)
        read_promise(&r->vault->book.populations[d->population - 1].filter, e->body,
                     made);
    r->log->last[d->population] = r->log->count;
    return SCRIM_OK;
}

scrim_status sc_charge_log_read(scrim_vault *v, uint64_t from, uint64_t population,
                                sc_charge_log *out, scrim_error *error)
{
    reading r = {.vault = v, .log = out, .population = population};
    *out = (sc_charge_log){.list = NULL};
    out->last = sc_allocate(v->book.population_count + 1, sizeof *out->last);
    scrim_status status =
        out->last == NULL
            ? sc_no_memory(error, "the budgets")
            : v->store->functions->entries(v->store, from, false, take, &r, error);
    if (status != SCRIM_OK)
        sc_charge_log_clear(out);
    return status;
}

void sc_charge_log_clear(sc_charge_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        sc_ratio_clear(&log->list[i].amount);
        sc_ratio_clear(&log->list[i].delta);
        sc_ratio_clear(&log->list[i].epsilon);
        sc_ratio_clear(&log->list[i].promised_delta);
    }
    sc_free(log->list);
    sc_free(log->last);
    *log = (sc_charge_log){.list = NULL};
}

static const sc_logged_charge *charge_of(const sc_charge_log *log, size_t number)
{
    return number == 0 ? NULL : &log->list[number - 1];
}

const sc_logged_charge *sc_charge_log_last(const sc_charge_log *log, uint64_t population)
{
    return charge_of(log, log->last[population]);
}

const sc_logged_charge *sc_charge_log_before(const sc_charge_log *log,
                                             const sc_logged_charge *charge)
{
    return charge_of(log, charge->before);
}

#define RECENT_ENTRIES 4096
/* Composing takes a millisecond or more for each population, so it is done for at most this
 * many. */
#define COMPOSED 64

scrim_status sc_vault_log_charges(scrim_vault *v, uint64_t population, sc_charge_log *out,
                                  scrim_error *error)
{
    const uint64_t end = v->chain.generation;
    return sc_charge_log_read(v, end > SC_LOGGED_ENTRIES ? end - RECENT_ENTRIES + 1 : 1,
                              population, out, error);
}

/* How long a budget lasts: a view of the last charges, which decides nothing. */

/* Entries that are looked at. */
#define REACH 4096
/* Charges: their exact sum stays small. */
#define WINDOW 64

typedef struct forecasting {
    const scrim_vault *vault;
    size_t index;
    uint64_t count;
    uint64_t first, last;      /* by the clocks; 0: not known */
    uint64_t analysts[WINDOW]; /* who made them, each once */
    size_t analyst_count;
    sc_ratio amount, delta; /* sums */
    scrim_forecast *out;
} forecasting;

static void note_analyst(forecasting *f, uint64_t analyst)
{
    for (size_t i = 0; i < f->analyst_count; i++)
        if (f->analysts[i] == analyst)
            return;
    f->analysts[f->analyst_count++] = analyst;
}

/* From the last charge backwards. */
static void add_charges(forecasting *f, const sc_charge_log *log, uint64_t window)
{
    const uint64_t end = f->vault->chain.generation;
    const uint64_t from = end > REACH ? end - REACH + 1 : 1;
    const sc_logged_charge *charge = sc_charge_log_last(log, f->index + 1);
    for (; charge != NULL && charge->entry >= from && f->count < window;
         charge = sc_charge_log_before(log, charge)) {
        sc_ratio_add(&f->amount, &f->amount, &charge->amount);
        sc_ratio_add(&f->delta, &f->delta, &charge->delta);
        note_analyst(f, charge->analyst);
        if (f->count++ == 0)
            f->last = charge->time;
        f->first = charge->time;
    }
}

/* floor(left count / sum): how often the average fits. */
static void limit_charges(const sc_ratio *left, const sc_ratio *sum, uint64_t count,
                          uint64_t *charges)
{
    uint64_t fits = UINT64_MAX;
    if (sc_ratio_sign(sum) == 0)
        return;
    SC_OWN(sc_ratio, times);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int128(&times, (sc_int128)count);
    sc_ratio_mul(&times, &times, left);
    sc_ratio_div(&times, &times, sum);
    sc_ratio_floor(&times, &whole);
    if (sc_integer_get_uint64(&whole, &fits) && fits < *charges)
        *charges = fits;
}

static void set_average(const sc_ratio *sum, uint64_t count,
                        char text[SCRIM_NUMBER_BYTES])
{
    SC_OWN(sc_ratio, average);
    sc_ratio_set_int128(&average, (sc_int128)count);
    sc_ratio_div(&average, sum, &average);
    sc_book_format_upper(&average, text);
}

/* How many more fit into what is left for an analyst, or (0) of the whole. */
static uint64_t count_fitting(const forecasting *f, uint64_t analyst)
{
    uint64_t charges = UINT64_MAX;
    SC_OWN(sc_ratio, amount, delta);
    sc_book_left(&f->vault->book, f->index + 1, analyst, &amount, &delta);
    limit_charges(&amount, &f->amount, f->count, &charges);
    limit_charges(&delta, &f->delta, f->count, &charges);
    return charges;
}

static void conclude(const forecasting *f)
{
    scrim_forecast *out = f->out;
    const uint64_t whole = count_fitting(f, 0);
    out->window = f->count;
    out->charges = 0;
    for (size_t i = 0; i < f->analyst_count && out->charges < whole; i++) {
        const uint64_t own = count_fitting(f, f->analysts[i]);
        out->charges = own < whole - out->charges ? out->charges + own : whole;
    }
    set_average(&f->amount, f->count, out->average);
    set_average(&f->delta, f->count, out->average_delta);
    if (f->first != 0 && f->last > f->first)
        out->seconds = f->last - f->first;
}

/* For plans: what scrim_vault_forecast and _standing tell of a population that exists, by index from
 * 0 on. */
static void vault_forecast_from(const scrim_vault *vault, const sc_charge_log *log,
                                size_t index, uint64_t window, scrim_forecast *out)
{
    forecasting f = {.vault = vault, .index = index, .out = out};
    sc_ratio_init(&f.amount);
    sc_ratio_init(&f.delta);
    memset(out, 0, sizeof *out);
    add_charges(&f, log, window < WINDOW ? window : WINDOW);
    if (f.count > 0)
        conclude(&f);
    sc_ratio_clear(&f.delta);
    sc_ratio_clear(&f.amount);
}

typedef struct forecast_request {
    size_t index;
    uint64_t window;
    scrim_forecast *out;
} forecast_request;

static scrim_status plan_forecast(scrim_vault *v, void *context, scrim_error *error)
{
    const forecast_request *a = context;
    sc_charge_log log;
    if (sc_book_population(&v->book, a->index + 1) == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                           "the vault has no such population");
    const scrim_status status = sc_vault_log_charges(v, a->index + 1, &log, error);
    if (status != SCRIM_OK)
        return status;
    vault_forecast_from(v, &log, a->index, a->window, a->out);
    sc_charge_log_clear(&log);
    return SCRIM_OK;
}

scrim_status scrim_vault_forecast(scrim_vault *vault, size_t index, uint64_t window,
                                  scrim_forecast *out, scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    forecast_request a = {index, window, out};
    return sc_vault_read(vault, plan_forecast, &a, error);
}

/* Kept until the store's lock is given back, and shown then: a visitor may take its time. */
typedef struct kept_view {
    scrim_budget budget;
    bool is_whole; /* with forecast and standing; else of an analyst */
    char analyst[SCRIM_NAME_BYTES];
    scrim_forecast forecast;
    scrim_standing standing;
} kept_view;

typedef struct showing {
    scrim_vault *vault;
    const char *population; /* NULL: all */
    uint64_t window;
    sc_charge_log log;
    bool is_composed; /* standings are told */
    kept_view *views;
    size_t count, capacity;
} showing;

static scrim_status keep_analyst(showing *s, size_t index, uint64_t analyst,
                                 scrim_error *error)
{
    scrim_budget budget;
    sc_vault_set_budget(&s->vault->book, index + 1, analyst, &budget);
    if (budget.charges == 0 && budget.share[0] == '\0' && budget.share_delta[0] == '\0')
        return SCRIM_OK;
    if (!sc_make_room(&s->views, s->count, &s->capacity, sizeof *s->views))
        return sc_no_memory(error, "the budgets");
    kept_view *view = &s->views[s->count++];
    view->budget = budget;
    view->is_whole = false;
    snprintf(view->analyst, sizeof view->analyst, "%s",
             s->vault->book.analysts[analyst - 1].name);
    return SCRIM_OK;
}

/* Those who have spent something or may only spend so much: where a share is everybody's, all. */
static scrim_status keep_analysts(showing *s, size_t index, scrim_error *error)
{
    const sc_book *book = &s->vault->book;
    scrim_status status = SCRIM_OK;
    const bool is_shared = sc_book_share(book, index + 1, 0) != NULL;
    for (uint64_t i = 1; is_shared && status == SCRIM_OK && i <= book->analyst_count; i++)
        status = keep_analyst(s, index, i, error);
    const sc_population *people = &book->populations[index];
    for (size_t i = 1; !is_shared && status == SCRIM_OK && i < people->tally_count; i++)
        status = keep_analyst(s, index, people->tallies[i].analyst, error);
    return status;
}

static scrim_status keep_population(showing *s, size_t index, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (!sc_make_room(&s->views, s->count, &s->capacity, sizeof *s->views))
        return sc_no_memory(error, "the budgets");
    kept_view *view = &s->views[s->count];
    view->is_whole = true;
    view->standing = (scrim_standing){.charges = 0};
    sc_vault_set_budget(&s->vault->book, index + 1, 0, &view->budget);
    vault_forecast_from(s->vault, &s->log, index, s->window, &view->forecast);
    view->standing.charges = view->budget.charges;
    if (s->is_composed)
        status = sc_vault_standing_from(s->vault, &s->log, index, &view->standing, error);
    if (status != SCRIM_OK)
        return status;
    s->count++;
    return keep_analysts(s, index, error);
}

/* Populations that anything was charged to. */
static size_t count_charged(const sc_book *book)
{
    size_t count = 0;
    for (size_t i = 0; i < book->population_count; i++)
        count += book->populations[i].tallies[0].charges > 0;
    return count;
}

static scrim_status plan_views(scrim_vault *v, void *context, scrim_error *error)
{
    showing *s = context;
    uint64_t only = 0;
    if (s->population != NULL) {
        only = sc_book_find_population(&v->book, sc_text_of(s->population));
        if (only == 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                               "unknown population '%s'", s->population);
    }
    s->is_composed = only != 0 || count_charged(&v->book) <= COMPOSED;
    scrim_status status = sc_vault_log_charges(v, only, &s->log, error);
    if (status != SCRIM_OK)
        return status;
    if (only != 0)
        status = keep_population(s, only - 1, error);
    for (size_t i = 0; only == 0 && status == SCRIM_OK && i < v->book.population_count;
         i++)
        status = keep_population(s, i, error);
    sc_charge_log_clear(&s->log);
    return status;
}

scrim_status scrim_vault_budgets(scrim_vault *vault, const char *population,
                                 uint64_t window, scrim_budget_visitor *visitor,
                                 void *context, scrim_error *error)
{
    SC_REQUIRE(error, "vault", vault);
    showing s = {.vault = vault, .population = population, .window = window};
    scrim_status status = sc_vault_read(vault, plan_views, &s, error);
    for (size_t i = 0; status == SCRIM_OK && i < s.count; i++) {
        const kept_view *view = &s.views[i];
        status = visitor(
            context,
            &(scrim_budget_view){.budget = &view->budget,
                                 .analyst = view->is_whole ? NULL : view->analyst,
                                 .forecast = view->is_whole ? &view->forecast : NULL,
                                 .standing = view->is_whole ? &view->standing : NULL});
    }
    sc_free(s.views);
    return status;
}

typedef struct seeking {
    const char *population, *analyst;
    scrim_budget *out;
} seeking;

static scrim_status plan_seek(scrim_vault *v, void *context, scrim_error *error)
{
    const seeking *s = context;
    uint64_t analyst = 0;
    const uint64_t found = sc_book_find_population(&v->book, sc_text_of(s->population));
    if (found == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                           "unknown population '%s'", s->population);
    if (s->analyst != NULL) {
        analyst = sc_book_find_analyst(&v->book, UINT64_MAX, sc_text_of(s->analyst));
        if (analyst == 0)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "analyst",
                               "the ledger has no analyst '%s'", s->analyst);
    }
    sc_vault_set_budget(&v->book, found, analyst, s->out);
    return SCRIM_OK;
}

scrim_status scrim_vault_budget_of(scrim_vault *vault, const char *population,
                                   const char *analyst, scrim_budget *out,
                                   scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    seeking s = {population, analyst, out};
    return sc_vault_read(vault, plan_seek, &s, error);
}
