/* scrim_query_bind: the values of a query, with the place of a refusal. */
#include "base/text_copy.h"
#include "query/language/bound_values.h"
#include "query/plan/asked_bounds.h"

scrim_status scrim_query_bind(const char *query, const scrim_query_value *values,
                              size_t count, char **out, scrim_caret *caret,
                              scrim_error *error)
{
    SC_REQUIRE(error, "query out", query, out);
    sc_arena arena;
    sc_text bound;
    sc_refusal refusal = {.place = {0, 0}, .error = error};
    const sc_text text = sc_text_of(query);
    sc_arena_init(&arena);
    if (caret != NULL)
        *caret = (scrim_caret){.query = 0};
    scrim_status status = sc_values_bind(text, values, count, &arena, &bound, &refusal);
    if (status != SCRIM_OK) {
        sc_caret_show(0, text, &refusal, caret);
    } else {
        *out = sc_text_copy(bound);
        if (*out == NULL)
            status = sc_no_memory(error, "a query");
    }
    sc_arena_clear(&arena);
    return status;
}
