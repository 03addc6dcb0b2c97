#include "vault/charge_number.h"

#include "base/memory.h"

/* All charges that the book has added up. */
static uint64_t all_charges(const sc_book *book)
{
    uint64_t charges = 0;
    for (size_t i = 0; i < book->population_count; i++)
        charges += book->populations[i].tallies[0].charges;
    return charges;
}

typedef struct counting {
    uint64_t last;   /* entry */
    uint64_t wanted; /* charge that ends the visit; 0: none */
    uint64_t count;
    uint64_t found; /* the entry of the one that was wanted */
} counting;

static scrim_status count_one(void *context, const sc_chain *at, sc_text bytes,
                              scrim_error *error)
{
    counting *c = context;
    (void)error;
    if (at->generation > c->last)
        return SCRIM_E_STATE;
    if (!sc_event_bytes_charge(bytes))
        return SCRIM_OK;
    c->count++;
    if (c->count != c->wanted)
        return SCRIM_OK;
    c->found = at->generation;
    return SCRIM_E_STATE; /* one is enough */
}

static scrim_status count(scrim_vault *v, uint64_t from, counting *c, scrim_error *error)
{
    c->count = 0;
    const scrim_status status =
        v->store->functions->entries(v->store, from, false, count_one, c, error);
    return status == SCRIM_E_STATE ? SCRIM_OK : status;
}

scrim_status sc_vault_count_charges(scrim_vault *v, uint64_t entry, uint64_t *out,
                                    scrim_error *error)
{
    const uint64_t all = all_charges(&v->book), last = v->chain.generation;
    const bool is_early = entry < last / 2;
    counting c = {.last = is_early ? entry : last};
    const scrim_status status =
        entry >= last ? SCRIM_OK : count(v, is_early ? 1 : entry + 1, &c, error);
    *out = is_early ? c.count : all - c.count;
    return status;
}

/* From the end on, where releases are asked for that were made lately; then further and further
 * back. */
scrim_status sc_vault_charge_of(scrim_vault *v, uint64_t number, uint64_t *entry,
                                scrim_error *error)
{
    const uint64_t all = all_charges(&v->book), last = v->chain.generation;
    counting c = {.last = last};
    scrim_status status = SCRIM_OK;
    if (number == 0 || number > all)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "release",
                           "there is no release %llu", (unsigned long long)number);
    for (uint64_t back = 64; c.found == 0 && status == SCRIM_OK; back *= 8) {
        const uint64_t from = last > back ? last - back : 1;
        c.wanted = 0;
        status = count(v, from, &c, error);
        if (status == SCRIM_OK && all - c.count < number) {
            c.wanted = number - (all - c.count);
            status = count(v, from, &c, error);
        }
        if (status == SCRIM_OK && from == 1 && c.found == 0)
            status = sc_fail_for(error, SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED, "",
                                 "the totals are not those of the entries");
    }
    if (status == SCRIM_OK)
        *entry = c.found;
    return status;
}

typedef struct finding {
    uint64_t entry, number;
} finding;

static scrim_status plan_number(scrim_vault *v, void *context, scrim_error *error)
{
    finding *f = context;
    char *bytes = NULL;
    scrim_status status = sc_vault_entry(v, f->entry, &bytes, error);
    if (status == SCRIM_OK && !sc_event_is_charge(v->event.kind))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "release",
                             "entry %llu is not a release", (unsigned long long)f->entry);
    sc_free(bytes);
    return status == SCRIM_OK ? sc_vault_count_charges(v, f->entry, &f->number, error)
                              : status;
}

scrim_status sc_vault_release_of(scrim_vault *vault, uint64_t entry, uint64_t *number,
                                 scrim_error *error)
{
    finding f = {.entry = entry};
    const scrim_status status = sc_vault_read(vault, plan_number, &f, error);
    if (status == SCRIM_OK)
        *number = f.number;
    return status;
}
