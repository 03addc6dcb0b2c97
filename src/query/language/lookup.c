#include "query/language/lookup.h"

#include "data/value/value.h"

static int64_t number_of(const sc_lookup *lookup, size_t at)
{
    if (lookup->column == NULL)
        return at < lookup->index->count;
    return at < lookup->index->count ? lookup->values[at] : lookup->otherwise;
}

static sc_text text_of(const sc_lookup *lookup, size_t at)
{
    return at < lookup->index->count ? lookup->texts[at] : lookup->otherwise_text;
}

int64_t sc_lookup_number(const sc_lookup *lookup, int64_t key)
{
    return number_of(lookup, sc_public_index_value(lookup->index, key));
}

int64_t sc_lookup_number_by_text(const sc_lookup *lookup, sc_text key)
{
    return number_of(lookup, sc_text_is_null(key)
                                 ? lookup->index->count
                                 : sc_public_index_text(lookup->index, key));
}

sc_text sc_lookup_text(const sc_lookup *lookup, int64_t key)
{
    return text_of(lookup, sc_public_index_value(lookup->index, key));
}

sc_text sc_lookup_text_by_text(const sc_lookup *lookup, sc_text key)
{
    return text_of(lookup, sc_text_is_null(key)
                               ? lookup->index->count
                               : sc_public_index_text(lookup->index, key));
}

size_t sc_lookup_image(const sc_lookup *lookup, const sc_text **texts)
{
    *texts = lookup->texts;
    return lookup->index->count;
}
