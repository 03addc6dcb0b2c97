#include "cli/vault/shown_answers.h"

#include "cli/terminal/complaint.h"

#include <stdlib.h>
#include <string.h>

typedef struct reading {
    sc_shown_answers *out;
    scrim_error *error;
} reading;

static scrim_status keep(void *context, const scrim_vault_shown *shown)
{
    const reading *r = context;
    sc_shown_answers *out = r->out;
    if (out->count == out->room) {
        const size_t room = 2 * out->room + 16;
        scrim_vault_shown *larger = realloc(out->items, room * sizeof *larger);
        if (larger == NULL)
            return sc_out_of_memory(r->error, "the ledger");
        out->items = larger;
        out->room = room;
    }
    out->items[out->count++] = *shown;
    return SCRIM_OK;
}

scrim_status sc_shown_answers_read(scrim_vault *vault, sc_shown_answers *out,
                                   scrim_error *error)
{
    reading r = {out, error};
    return scrim_vault_shown_answers(vault, keep, &r, error);
}

void sc_shown_answers_clear(sc_shown_answers *shown)
{
    free(shown->items);
    memset(shown, 0, sizeof *shown);
}

const scrim_vault_shown *sc_shown_find(const sc_shown_answers *shown, uint64_t release,
                                       const char *analyst)
{
    for (size_t i = 0; i < shown->count; i++)
        if (shown->items[i].release == release &&
            strcmp(shown->items[i].analyst, analyst) == 0)
            return &shown->items[i];
    return NULL;
}
