#include "check.h"
#include "model/domain.h"

#include <string.h>

TEST(neighbours_have_three_names)
{
    CHECK_STR(scrim_neighbours_name(SCRIM_ADD_REMOVE), "add-remove");
    CHECK_STR(scrim_neighbours_name(SCRIM_REPLACE), "replace");
    CHECK_STR(scrim_neighbours_name(SCRIM_LOCAL), "local");
    CHECK_STR(scrim_neighbours_name(SCRIM_NEIGHBOURS_UNSET), "unset");
    CHECK_STR(scrim_neighbours_name((scrim_neighbours)4), "unset");
    CHECK_STR(scrim_neighbours_name((scrim_neighbours)-1), "unset");
}

/* The words stand in the order of the enumerators; a table has no local neighbours. */
TEST(neighbours_words_are_the_names)
{
    size_t count = 0;
    for (; sc_neighbours_words[count] != NULL; count++)
        CHECK_STR(sc_neighbours_words[count],
                  scrim_neighbours_name((scrim_neighbours)(count + 1)));
    CHECK_INT(count, 3);
    for (size_t i = 0; sc_neighbours_central_words[i] != NULL; i++)
        CHECK(strcmp(sc_neighbours_central_words[i], "local") != 0);
}
