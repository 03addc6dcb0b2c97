#include "vault/state/name_index.h"

#include "base/hash.h"
#include "base/memory.h"

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
