#include "vault/charge_log.h"

#include "base/memory.h"
#include "model/measurement.h"

#include <string.h>

typedef struct reading {
    scrim_vault *vault;
    sc_charge_log *log;
    uint64_t population; /* 0: all */
    uint64_t time;
} reading;

static scrim_status fail_memory(scrim_error *error)
{
    return sc_no_memory(error, "the budgets");
}

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
        return fail_memory(error);
    sc_logged_charge *made = &r->log->list[r->log->count++];
    *made = (sc_logged_charge){.entry = at->generation,
                               .time = r->time,
                               .analyst = e->analyst,
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
            ? fail_memory(error)
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
