#include "model/neighbours.h"

const char *const sc_neighbours_words[] = {"add-remove", "replace", "local", NULL};
const char *const sc_neighbours_central_words[] = {"add-remove", "replace", NULL};

const char *scrim_neighbours_name(scrim_neighbours neighbours)
{
    if (neighbours < SCRIM_ADD_REMOVE || neighbours > SCRIM_LOCAL)
        return "unset";
    return sc_neighbours_words[neighbours - 1];
}
