#include "vault/state/book.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text_copy.h"
#include "vault/state/policy_terms.h"

#include <string.h>

#define FIRST_CAPACITY 32

/* The names are the owner's own: nobody else could make them collide. */
static const sc_hash_key public_key = {UINT64_C(0x736372696d), 1};

void sc_name_index_clear(sc_name_index *index)
{
    sc_free(index->places);
    *index = (sc_name_index){.places = NULL};
}

/* Where a name is, or would be. */
static size_t place_of(const sc_name_index *index, sc_name_of *name_of, const void *list,
                       sc_text name)
{
    const size_t mask = index->capacity - 1;
    size_t place = (size_t)sc_hash(&public_key, name.start, name.bytes) & mask;
    while (index->places[place] != 0 &&
           !sc_text_is(name, name_of(list, index->places[place])))
        place = (place + 1) & mask;
    return place;
}

bool sc_name_index_reserve(sc_name_index *index, sc_name_of *name_of, const void *list)
{
    if (2 * (index->count + 1) <= index->capacity)
        return true;
    sc_name_index wider = {.capacity = index->capacity == 0 ? FIRST_CAPACITY
                                                            : 2 * index->capacity};
    wider.places = sc_allocate(wider.capacity, sizeof *wider.places);
    if (wider.places == NULL)
        return false;
    for (size_t i = 0; i < index->capacity; i++)
        if (index->places[i] != 0)
            sc_name_index_put(&wider, name_of, list, index->places[i]);
    sc_free(index->places);
    *index = wider;
    return true;
}

void sc_name_index_put(sc_name_index *index, sc_name_of *name_of, const void *list,
                       size_t number)
{
    const size_t place =
        place_of(index, name_of, list, sc_text_of(name_of(list, number)));
    index->count += index->places[place] == 0;
    index->places[place] = number;
}

size_t sc_name_index_find(const sc_name_index *index, sc_name_of *name_of,
                          const void *list, sc_text name)
{
    return index->capacity == 0 ? 0 : index->places[place_of(index, name_of, list, name)];
}

void sc_book_init(sc_book *book)
{
    *book = (sc_book){0};
}

static void clear_dataset(sc_dataset_entry *dataset)
{
    sc_ratio_clear(&dataset->most);
    sc_ratio_clear(&dataset->delta);
    sc_ratio_clear(&dataset->least);
    sc_free(dataset->rows);
}

static void clear_tally(sc_tally *tally)
{
    sc_ratio_clear(&tally->amount);
    sc_ratio_clear(&tally->delta);
    sc_ratio_clear(&tally->share_amount);
    sc_ratio_clear(&tally->share_delta);
}

static void clear_population(sc_population *people)
{
    sc_filter_clear(&people->filter);
    for (size_t i = 0; i < people->tally_count; i++)
        clear_tally(&people->tallies[i]);
    sc_free(people->tallies);
    sc_free(people->unit);
}

/* For the indices of names. */
static const char *book_population_name(const void *book, size_t number)
{
    return ((const sc_book *)book)->populations[number - 1].name;
}

static const char *book_dataset_name(const void *book, size_t number)
{
    return ((const sc_book *)book)->datasets[number - 1].name;
}

void sc_book_clear(sc_book *book)
{
    for (size_t i = 0; i < book->population_count; i++)
        clear_population(&book->populations[i]);
    for (size_t i = 0; i < book->dataset_count; i++)
        clear_dataset(&book->datasets[i]);
    for (size_t i = 0; i < book->series_count; i++)
        sc_series_account_clear(&book->series[i]);
    sc_free(book->series);
    sc_name_index_clear(&book->population_names);
    sc_name_index_clear(&book->dataset_names);
    sc_free(book->populations);
    sc_free(book->datasets);
    sc_free(book->analysts);
    sc_free(book->witness);
    *book = (sc_book){0};
}

static scrim_status more(void *items, size_t count, size_t *capacity, size_t size,
                         scrim_error *error)
{
    return sc_make_room(items, count, capacity, size) ? SCRIM_OK
                                                      : sc_no_memory(error, "the book");
}

static void set_name(char name[SC_EVENT_NAME_BYTES + 1], sc_text text)
{
    memcpy(name, text.start, text.bytes);
    name[text.bytes] = '\0';
}

/* Policy. */

/* An empty text: the vault has no witness. */
static scrim_status apply_witness(sc_book *book, const sc_event *e, scrim_error *error)
{
    char *witness = e->body.bytes > 0 ? sc_text_copy(e->body) : NULL;
    if (e->body.bytes > 0 && witness == NULL)
        return sc_no_memory(error, "the book");
    sc_free(book->witness);
    book->witness = witness;
    return SCRIM_OK;
}

/* The ledger ended before this entry. If it has gone on since it was put back, one at least is lost. */
static scrim_status apply_accepted(sc_book *book, uint64_t entry, const sc_event *e,
                                   scrim_error *error)
{
    SC_TRY(apply_witness(book, e, error));
    if (e->seen > 0)
        book->lost += e->seen >= entry ? e->seen - entry + 1 : 1;
    return SCRIM_OK;
}

static scrim_status apply_init(sc_book *book, uint64_t entry, const sc_event *e,
                               scrim_error *error)
{
    scrim_status status = apply_witness(book, e, error);
    if (status != SCRIM_OK)
        return status;
    book->identity = e->digest;
    if (e->is_keyed) {
        book->key = e->digest;
        book->key_entry = entry;
    }
    book->is_test = e->is_test;
    book->has_begun = true;
    return SCRIM_OK;
}

/* One for good: labels of all times are checked by it. */
static scrim_status apply_key(sc_book *book, uint64_t entry, const sc_event *e,
                              scrim_error *error)
{
    if (book->key_entry != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_TAKEN, "key",
                           "the ledger has a key already");
    book->key = e->digest;
    book->key_entry = entry;
    return SCRIM_OK;
}

static scrim_status apply_analyst(sc_book *book, const sc_event *e, scrim_error *error)
{
    if (sc_book_find_analyst(book, e->user, e->name) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_TAKEN, "analyst",
                           "this analyst is known already");
    scrim_status status = more(&book->analysts, book->analyst_count,
                               &book->analyst_capacity, sizeof *book->analysts, error);
    if (status == SCRIM_OK) {
        sc_analyst *made = &book->analysts[book->analyst_count++];
        made->user = e->user;
        set_name(made->name, e->name);
    }
    return status;
}

static scrim_status apply_population(sc_book *book, const sc_event *e, scrim_error *error)
{
    sc_population made = {.unit = NULL};
    sc_filter *filter = &made.filter;
    if (!sc_event_is_name(e->name))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "population",
            "a population's name is letters, digits, '_', '.' and '-', from 1 "
            "to 64 of them");
    if (sc_book_find_population(book, e->name) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_TAKEN, "population",
                           "a population of that name exists already");
    set_name(made.name, e->name);
    sc_filter_init(filter);
    filter->rule = e->rule;
    filter->neighbours = e->neighbours;
    sc_ratio_set(&filter->order, &e->order);
    sc_ratio_set(&filter->epsilon, &e->epsilon);
    sc_ratio_set(&filter->delta, &e->delta);
    sc_ratio_set(&filter->amount, &e->amount);
    scrim_status status = SCRIM_OK;
    if (!sc_filter_holds(filter))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "budget",
                             "the budget does not guarantee its epsilon and delta");
    if (status == SCRIM_OK)
        status = more(&book->populations, book->population_count,
                      &book->population_capacity, sizeof *book->populations, error);
    if (status == SCRIM_OK &&
        !sc_name_index_reserve(&book->population_names, book_population_name, book))
        status = sc_no_memory(error, "the book");
    if (status == SCRIM_OK &&
        sc_book_add_tally(&made, book->population_count + 1, 0, error) == NULL)
        status = SCRIM_E_MEMORY;
    if (status != SCRIM_OK) {
        clear_population(&made);
        return status;
    }
    book->populations[book->population_count++] = made;
    sc_name_index_put(&book->population_names, book_population_name, book,
                      book->population_count);
    return SCRIM_OK;
}

/* The first unit binds the population. Of another one the costs do not add up; that is known, and
 * not refused, since earlier versions have admitted it. */
static scrim_status bind_unit(sc_population *people, sc_text policy, bool *is_unlike,
                              scrim_error *error)
{
    sc_text unit;
    const bool has_unit = sc_policy_unit(policy, &unit);
    *is_unlike = has_unit && people->unit != NULL && !sc_text_is(unit, people->unit);
    if (!has_unit || people->unit != NULL)
        return SCRIM_OK;
    people->unit = sc_text_copy(unit);
    if (people->unit == NULL)
        return sc_no_memory(error, "the book");
    return SCRIM_OK;
}

static scrim_status apply_dataset(sc_book *book, uint64_t entry, const sc_event *e,
                                  scrim_error *error)
{
    if (!sc_event_is_name(e->name))
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "dataset",
            "a dataset's name is letters, digits, '_', '.' and '-', from 1 to "
            "64 of them");
    if (sc_book_find_dataset(book, e->name) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_TAKEN, "dataset",
                           "a dataset of that name exists already");
    if (sc_book_population(book, e->population) == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                           "there is no such population");
    char *rows = NULL;
    bool is_unlike = false;
    sc_text value;
    scrim_status status = more(&book->datasets, book->dataset_count,
                               &book->dataset_capacity, sizeof *book->datasets, error);
    if (status == SCRIM_OK &&
        !sc_name_index_reserve(&book->dataset_names, book_dataset_name, book))
        status = sc_no_memory(error, "the book");
    if (status == SCRIM_OK)
        status = sc_row_lines(e->body, &rows, error);
    if (status == SCRIM_OK)
        status =
            bind_unit(&book->populations[e->population - 1], e->body, &is_unlike, error);
    if (status == SCRIM_OK) {
        sc_dataset_entry *made = &book->datasets[book->dataset_count++];
        *made = (sc_dataset_entry){
            .population = e->population, .version = 1, .policy = entry, .rows = rows};
        made->is_unlike = made->was_unlike = is_unlike;
        made->has_contents = sc_policy_line(e->body, "contents", &value);
        set_name(made->name, e->name);
        sc_ratio_init(&made->most);
        sc_ratio_init(&made->delta);
        sc_ratio_init(&made->least);
        sc_name_index_put(&book->dataset_names, book_dataset_name, book,
                          book->dataset_count);
    }
    if (status != SCRIM_OK)
        sc_free(rows);
    return status;
}

static scrim_status apply_version(sc_book *book, uint64_t entry, const sc_event *e,
                                  scrim_error *error)
{
    scrim_status status = sc_book_check_dataset(book, e->dataset, error);
    if (status != SCRIM_OK)
        return status;
    sc_dataset_entry *d = &book->datasets[e->dataset - 1];
    if (e->version != d->version + 1)
        return sc_fail(error, SCRIM_E_STATE, "the dataset %s is at another version",
                       d->name);
    char *rows = NULL;
    bool is_unlike = false;
    sc_text value;
    status = sc_row_lines(e->body, &rows, error);
    if (status == SCRIM_OK)
        status =
            bind_unit(&book->populations[d->population - 1], e->body, &is_unlike, error);
    if (status != SCRIM_OK) {
        sc_free(rows);
        return status;
    }
    d->is_unlike = is_unlike;
    d->was_unlike = d->was_unlike || is_unlike;
    d->version = e->version;
    d->policy = entry;
    d->terms = 0;
    sc_free(d->rows);
    d->rows = rows;
    d->has_contents = sc_policy_line(e->body, "contents", &value);
    d->is_closed = d->is_closed && e->kind != SC_EVENT_UPDATE;
    for (size_t i = 0; i < book->series_count; i++)
        if (book->series[i].dataset == e->dataset)
            sc_series_account_see(&book->series[i], rows);
    return SCRIM_OK;
}

/* Other terms of the version that there is: its rows, and what they cost, stay as they are. */
static scrim_status apply_terms(sc_book *book, uint64_t entry, const sc_event *e,
                                scrim_error *error)
{
    scrim_status status = sc_book_check_dataset(book, e->dataset, error);
    if (status != SCRIM_OK)
        return status;
    sc_dataset_entry *d = &book->datasets[e->dataset - 1];
    if (e->version != d->version)
        return sc_fail(error, SCRIM_E_STATE, "the dataset %s is at another version",
                       d->name);
    if (!sc_policy_terms_are_spelt(e->body))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "terms",
                           "the dataset %s has no terms", d->name);
    d->terms = entry;
    return SCRIM_OK;
}

/* A version stays closed until the next update, even if its former source is put back. */
static scrim_status apply_close(sc_book *book, const sc_event *e, scrim_error *error)
{
    const scrim_status status = sc_book_check_dataset(book, e->dataset, error);
    if (status != SCRIM_OK)
        return status;
    sc_dataset_entry *d = &book->datasets[e->dataset - 1];
    if (e->version != d->version || !d->has_contents || d->is_closed)
        return sc_fail(error, SCRIM_E_STATE,
                       "the dataset %s has no such version to close", d->name);
    d->is_closed = true;
    return SCRIM_OK;
}

static scrim_status apply_series(sc_book *book, uint64_t entry, const sc_event *e,
                                 scrim_error *error)
{
    scrim_status status = sc_book_check_dataset(book, e->dataset, error);
    if (status == SCRIM_OK && sc_book_find_series(book, e->name) != 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_TAKEN, "series",
                             "a series of that name exists already");
    if (status == SCRIM_OK)
        status = more(&book->series, book->series_count, &book->series_capacity,
                      sizeof *book->series, error);
    if (status == SCRIM_OK)
        status = sc_series_account_new(e, entry, book->datasets[e->dataset - 1].rows,
                                       &book->series[book->series_count], error);
    if (status == SCRIM_OK)
        book->series_count++;
    return status;
}

static scrim_status apply_remove(sc_book *book, const sc_event *e, scrim_error *error)
{
    SC_TRY(sc_book_check_dataset(book, e->dataset, error));
    book->datasets[e->dataset - 1].is_removed = true;
    return SCRIM_OK;
}

static scrim_status apply_share(sc_book *book, const sc_event *e, scrim_error *error)
{
    if (sc_book_population(book, e->population) == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                           "there is no such population");
    if (e->analyst != 0 && sc_book_analyst(book, e->analyst) == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "analyst",
                           "there is no such analyst");
    sc_tally *tally = sc_book_want_tally(book, e->population, e->analyst, error);
    if (tally == NULL)
        return SCRIM_E_MEMORY;
    tally->has_amount = e->has_amount;
    tally->has_delta = e->has_delta;
    tally->has_share = e->has_amount || e->has_delta;
    if (e->has_amount)
        sc_ratio_set(&tally->share_amount, &e->amount);
    if (e->has_delta)
        sc_ratio_set(&tally->share_delta, &e->delta);
    return SCRIM_OK;
}

static scrim_status apply_cap(sc_book *book, const sc_event *e, scrim_error *error)
{
    scrim_status status = sc_book_check_dataset(book, e->dataset, error);
    if (status != SCRIM_OK)
        return status;
    sc_dataset_entry *d = &book->datasets[e->dataset - 1];
    d->has_most = e->has_amount;
    d->has_delta = e->has_delta;
    d->has_least = e->has_least;
    if (e->has_amount)
        sc_ratio_set(&d->most, &e->amount);
    if (e->has_delta)
        sc_ratio_set(&d->delta, &e->delta);
    if (e->has_least)
        sc_ratio_set(&d->least, &e->least);
    return SCRIM_OK;
}

static void apply_file(sc_book *book, const sc_event *e)
{
    book->location = (sc_location){.inode = e->inode,
                                   .has_born = e->has_born,
                                   .born = e->born,
                                   .has_generation = e->has_generation,
                                   .generation = e->generation};
    set_name(book->location.system, e->name);
}

scrim_status sc_book_apply(sc_book *book, uint64_t entry, const sc_event *e,
                           scrim_error *error)
{
    if (book->has_begun == (e->kind == SC_EVENT_INIT))
        return sc_fail(error, SCRIM_E_STATE, "a ledger begins once, with its init");
    switch (e->kind) {
    case SC_EVENT_INIT:
        return apply_init(book, entry, e, error);
    case SC_EVENT_KEY:
        return apply_key(book, entry, e, error);
    case SC_EVENT_PLACE:
        book->location = (sc_location){
            .is_brief = true, .device = e->device, .inode = e->inode, .system = "-"};
        return SCRIM_OK;
    case SC_EVENT_FILE:
        apply_file(book, e);
        return SCRIM_OK;
    case SC_EVENT_WITNESS:
        return apply_accepted(book, entry, e, error);
    case SC_EVENT_ANALYST:
        return apply_analyst(book, e, error);
    case SC_EVENT_POPULATION:
        return apply_population(book, e, error);
    case SC_EVENT_DATASET:
        return apply_dataset(book, entry, e, error);
    case SC_EVENT_POLICY:
    case SC_EVENT_UPDATE:
        return apply_version(book, entry, e, error);
    case SC_EVENT_TERMS:
        return apply_terms(book, entry, e, error);
    case SC_EVENT_CLOSE:
        return apply_close(book, e, error);
    case SC_EVENT_REMOVE:
        return apply_remove(book, e, error);
    case SC_EVENT_SHARE:
        return apply_share(book, e, error);
    case SC_EVENT_CAP:
        return apply_cap(book, e, error);
    case SC_EVENT_CHARGE:
    case SC_EVENT_JOINT:
    case SC_EVENT_WINDOW:
    case SC_EVENT_WINDOW2:
        return sc_book_charge(book, e, error);
    case SC_EVENT_VIEW:
        return sc_book_view(book, e, error);
    case SC_EVENT_SERIES:
        return apply_series(book, entry, e, error);
    case SC_EVENT_RELEASE:
    case SC_EVENT_ASKED:
        return SCRIM_OK;
    case SC_EVENT_TIME:
        book->time = e->time;
        return SCRIM_OK;
    }
    return sc_fail(error, SCRIM_E_INTERNAL, "the kind of an entry is unknown");
}

/* Lookups in the book by number or by name. */

const sc_population *sc_book_population(const sc_book *book, uint64_t number)
{
    return number < 1 || number > book->population_count ? NULL
                                                         : &book->populations[number - 1];
}

const sc_dataset_entry *sc_book_dataset(const sc_book *book, uint64_t number)
{
    return number < 1 || number > book->dataset_count ? NULL
                                                      : &book->datasets[number - 1];
}

const sc_analyst *sc_book_analyst(const sc_book *book, uint64_t number)
{
    return number < 1 || number > book->analyst_count ? NULL
                                                      : &book->analysts[number - 1];
}

const sc_series_account *sc_book_series(const sc_book *book, uint64_t number)
{
    return number < 1 || number > book->series_count ? NULL : &book->series[number - 1];
}

uint64_t sc_book_find_population(const sc_book *book, sc_text name)
{
    return sc_name_index_find(&book->population_names, book_population_name, book, name);
}

uint64_t sc_book_find_dataset(const sc_book *book, sc_text name)
{
    const size_t last =
        sc_name_index_find(&book->dataset_names, book_dataset_name, book, name);
    return last == 0 || book->datasets[last - 1].is_removed ? 0 : last;
}

uint64_t sc_book_find_analyst(const sc_book *book, uint64_t user, sc_text name)
{
    for (size_t i = 0; i < book->analyst_count; i++)
        if (book->analysts[i].user == user)
            return i + 1;
    for (size_t i = 0; i < book->analyst_count; i++)
        if (sc_text_is(name, book->analysts[i].name))
            return i + 1;
    return 0;
}

uint64_t sc_book_find_series(const sc_book *book, sc_text name)
{
    for (size_t i = 0; i < book->series_count; i++)
        if (sc_text_is(name, book->series[i].name))
            return i + 1;
    return 0;
}

const sc_dataset_entry *sc_book_find_unlike(const sc_book *book, bool with_past)
{
    for (size_t i = 0; i < book->dataset_count; i++) {
        const sc_dataset_entry *d = &book->datasets[i];
        if (with_past ? d->was_unlike : d->is_unlike && !d->is_removed)
            return d;
    }
    return NULL;
}

const char *sc_book_nearest_dataset(const sc_book *book, sc_text name, bool with_removed)
{
    const char *nearest[2] = {NULL, NULL}; /* so far, and the next */
    for (size_t i = 0; i < book->dataset_count; i++) {
        if (book->datasets[i].is_removed && !with_removed)
            continue;
        nearest[1] = book->datasets[i].name;
        nearest[0] = nearest[0] == NULL ? sc_text_nearest(name, nearest + 1, 1)
                                        : sc_text_nearest(name, nearest, 2);
    }
    return nearest[0];
}

const char *sc_book_nearest_series(const sc_book *book, sc_text name)
{
    const char *nearest[2] = {NULL, NULL}; /* so far, and the next */
    for (size_t i = 0; i < book->series_count; i++) {
        nearest[1] = book->series[i].name;
        nearest[0] = nearest[0] == NULL ? sc_text_nearest(name, nearest + 1, 1)
                                        : sc_text_nearest(name, nearest, 2);
    }
    return nearest[0];
}

/* Numbers of the book for people. */

/* Twenty decimal places; away says in which direction. */
static void cut(const sc_ratio *x, bool away, char text[SCRIM_NUMBER_BYTES])
{
    if (sc_ratio_format(x, text, SCRIM_NUMBER_BYTES) < SCRIM_NUMBER_BYTES)
        return;
    SC_OWN(sc_ratio, scale, scaled);
    SC_OWN(sc_integer, whole, places);
    sc_integer_set_uint128(&places, (sc_uint128)10000000000u * 10000000000u);
    sc_integer_set_uint128(&whole, 1);
    sc_ratio_set_fraction(&scale, &places, &whole);
    sc_ratio_mul(&scaled, x, &scale);
    if (away)
        sc_ratio_ceil(&scaled, &whole);
    else
        sc_ratio_floor(&scaled, &whole);
    sc_ratio_set_fraction(&scaled, &whole, &places);
    sc_ratio_format(&scaled, text, SCRIM_NUMBER_BYTES);
}

void sc_book_format_lower(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    cut(x, false, text);
}

void sc_book_format_upper(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES])
{
    cut(x, true, text);
}
