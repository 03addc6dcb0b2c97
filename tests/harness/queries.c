#include "queries.h"

#include "check.h"

#include <string.h>

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

static const sc_schema *schema_of(const char *policy)
{
    const sc_schema *schema = NULL;
    scrim_error error = {.status = SCRIM_OK};
    if (!CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error),
                      SCRIM_OK))
        CHECK_STR(error.message, "");
    return schema;
}

const sc_schema *query_schema(void)
{
    return schema_of("unit=person_id\n" QUERY_COLUMNS);
}

const sc_schema *query_schema_present(void)
{
    return schema_of("unit=person_id\n" QUERY_COLUMNS
                     "missing=age=0\nmissing=income=0\nmissing=weight=0\n"
                     "missing=day=2020-01-01\nmissing=born=2000-01-01\n"
                     "missing=married=false\nmissing=sex=?\nmissing=city=?\n"
                     "missing=home town=?\nmissing=big=0\nmissing=small=0\n");
}

static void ask(query_asked *asked, sc_text text, const sc_schema *schema);

void query_ask(query_asked *asked, const char *text)
{
    query_ask_text(asked, sc_text_of(text));
}

bool query_ask_well(query_asked *asked, const char *text)
{
    query_ask(asked, text);
    if (CHECK_STATUS(asked->status, SCRIM_OK))
        return true;
    CHECK_STR(asked->error.message, text);
    return false;
}

void query_ask_text(query_asked *asked, sc_text text)
{
    ask(asked, text, query_schema());
}

void query_ask_present(query_asked *asked, const char *text)
{
    ask(asked, sc_text_of(text), query_schema_present());
}

static void ask(query_asked *asked, sc_text text, const sc_schema *schema)
{
    *asked = (query_asked){.text = text, .schema = schema};
    asked->refusal.error = &asked->error;
    sc_arena_init(&asked->arena);
    if (asked->schema == NULL)
        asked->status = SCRIM_E_INTERNAL;
    else
        asked->status = sc_validate(asked->text, sc_text_of("adult"), asked->schema,
                                    &asked->arena, &asked->query, &asked->refusal);
}

void query_forget_asked(query_asked *asked)
{
    sc_arena_clear(&asked->arena);
    sc_schema_free(asked->schema);
}

const char *query_bounds(const char *policy)
{
    const bool has_groups = strstr(policy, "max-groups=") != NULL,
               has_rows = strstr(policy, "max-rows=") != NULL;
    if (strstr(policy, "rows-per-unit=") != NULL || (has_groups && has_rows))
        return "";
    return has_groups ? "max-rows=1\n"
           : has_rows ? "max-groups=1\n"
                      : "rows-per-unit=1\n";
}
