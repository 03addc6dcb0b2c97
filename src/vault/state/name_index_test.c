#include "check.h"
#include "faults.h"
#include "vault/state/name_index.h"

#include <stdio.h>

enum { NAMES = 1000 };

typedef struct list {
    char names[NAMES + 1][8];
} list;

static const char *name_of(const void *context, size_t number)
{
    return ((const list *)context)->names[number];
}

TEST(name_index_finds_what_was_put_last)
{
    CLAIM("name_index.last");
    static list all;
    sc_name_index index = {.places = NULL};
    CHECK_INT(sc_name_index_find(&index, name_of, &all, sc_text_of("n1")), 0);
    /* every third has the name of the one before it */
    for (size_t i = 1; i <= NAMES; i++) {
        snprintf(all.names[i], sizeof all.names[i], "n%d", (int)(i - (i % 3 == 0)));
        REQUIRE(sc_name_index_reserve(&index, name_of, &all));
        sc_name_index_put(&index, name_of, &all, i);
    }
    for (size_t i = 1; i <= NAMES; i++) {
        const size_t last = i % 3 == 2 && i < NAMES ? i + 1 : i;
        CHECK_INT(sc_name_index_find(&index, name_of, &all, sc_text_of(all.names[i])),
                  last);
    }
    CHECK_INT(index.count, NAMES - NAMES / 3);
    CHECK_INT(sc_name_index_find(&index, name_of, &all, sc_text_of("n3")), 0);
    CHECK_INT(sc_name_index_find(&index, name_of, &all, sc_text_of("")), 0);
    sc_name_index_clear(&index);
}

TEST(name_index_survives_without_memory)
{
    static list all;
    snprintf(all.names[1], sizeof all.names[1], "a");
    FAULT_LOOP(fault)
    {
        sc_name_index index = {.places = NULL};
        const bool has_room = sc_name_index_reserve(&index, name_of, &all);
        CHECK(has_room || fault_hit());
        if (has_room)
            sc_name_index_put(&index, name_of, &all, 1);
        CHECK_INT(sc_name_index_find(&index, name_of, &all, sc_text_of("a")), has_room);
        sc_name_index_clear(&index);
    }
}
