/* What the book has under a number or a name. */
#include "vault/state/book.h"

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

const char *sc_book_population_name(const void *book, size_t number)
{
    return ((const sc_book *)book)->populations[number - 1].name;
}

const char *sc_book_dataset_name(const void *book, size_t number)
{
    return ((const sc_book *)book)->datasets[number - 1].name;
}

uint64_t sc_book_find_population(const sc_book *book, sc_text name)
{
    return sc_name_index_find(&book->population_names, sc_book_population_name, book,
                              name);
}

uint64_t sc_book_find_dataset(const sc_book *book, sc_text name)
{
    const size_t last =
        sc_name_index_find(&book->dataset_names, sc_book_dataset_name, book, name);
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
