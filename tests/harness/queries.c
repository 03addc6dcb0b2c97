#include "queries.h"

void query_read(query_reading *reading, sc_text text)
{
    *reading = (query_reading){.text = text};
    reading->refusal.error = &reading->error;
    sc_arena_init(&reading->arena);
    reading->status = sc_lex(text, &reading->arena, &reading->tokens, &reading->refusal);
    if (reading->status == SCRIM_OK)
        reading->status = sc_parse(&reading->tokens, &reading->arena, &reading->tree,
                                   &reading->refusal);
}

void query_forget(query_reading *reading)
{
    sc_arena_clear(&reading->arena);
}

const char *query_formatted(const sc_tree *tree, char *text)
{
    (void)sc_tree_format(tree, text, SC_QUERY_BYTES);
    return text;
}
