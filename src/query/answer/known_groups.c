#include "query/answer/known_groups.h"

#include "base/checked.h"
#include "base/memory.h"

static bool reserve(sc_known_groups *out, size_t groups, size_t known)
{
    if (groups > SIZE_MAX - known)
        return false;
    out->capacity = groups + known;
    out->list = sc_allocate(out->capacity, sizeof *out->list);
    out->is_known = sc_allocate(out->capacity, sizeof *out->is_known);
    return out->list != NULL && out->is_known != NULL;
}

scrim_status sc_known_groups_init(sc_known_groups *out, const sc_groups *groups,
                                  const sc_text *known, size_t known_count,
                                  scrim_error *error)
{
    size_t at = 0, next = 0, count = 0;
    *out = (sc_known_groups){.capacity = 0};
    if (!reserve(out, groups->count, known_count)) {
        sc_known_groups_clear(out);
        return sc_no_memory(error, "the groups of a query");
    }
    while (at < groups->count || next < known_count) {
        const int order = at == groups->count ? 1
                          : next == known_count
                              ? -1
                              : sc_text_compare(groups->groups[at].key, known[next]);
        out->list[count] =
            order <= 0 ? groups->groups[at] : (sc_group){.key = known[next]};
        out->is_known[count++] = order >= 0;
        at += order <= 0;
        next += order >= 0;
    }
    out->all = (sc_groups){out->list, count};
    return SCRIM_OK;
}

void sc_known_groups_clear(sc_known_groups *groups)
{
    sc_free_wiped(groups->list, groups->capacity * sizeof *groups->list);
    sc_free_wiped(groups->is_known, groups->capacity * sizeof *groups->is_known);
    *groups = (sc_known_groups){.capacity = 0};
}
