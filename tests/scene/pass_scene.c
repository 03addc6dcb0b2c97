#include "pass_scene.h"

#include "check.h"
#include "queries.h"
#include "random/bits_tape.h"

#include <stdlib.h>

bool pass_schema_open(const char *path, const char *unit, const sc_schema **schema)
{
    char policy[1200];
    snprintf(policy, sizeof policy,
             "unit=%s\n" QUERY_COLUMNS "missing=weight=7\nmissing=city=a\ncsv=%s\n", unit,
             path);
    return CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, schema, NULL),
                        SCRIM_OK);
}

FILE *pass_file_new(char path[64])
{
    snprintf(path, 64, "/tmp/scrim_pass_XXXXXX");
    const int descriptor = mkstemp(path);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w");
}

bool pass_question_read(pass_question *s, const sc_schema *schema)
{
    sc_refusal refusal = {.error = &s->error};
    sc_tokens tokens;
    const sc_text text = sc_text_of(s->text);
    sc_arena_init(&s->arena);
    if (sc_lex(text, &s->arena, &tokens, &refusal) != SCRIM_OK ||
        sc_parse(&tokens, &s->arena, &s->tree, &refusal) != SCRIM_OK ||
        sc_validate(text, sc_text_of("adult"), schema, &s->arena, &s->query, &refusal) !=
            SCRIM_OK)
        return false;
    s->statistics = (sc_statistics){.values = s->values, .groups = s->groups};
    for (size_t i = 0; i < s->query->aggregate_count; i++) {
        const sc_typed *value = s->query->aggregates[i].value;
        if (value == NULL)
            continue;
        const size_t at = s->statistics.value_count++;
        s->values[at] = value;
        s->groups[at] = (sc_group_value){
            .low = value->extent.low,
            .high = value->extent.high,
            .is_nullable = sc_typed_may_be_null(value, s->query->is_present),
            .centre = value->extent.low / 2 + value->extent.high / 2,
            .has_list = at % 2 == 1};
    }
    s->asked = (sc_pass_statement){.query = s->query,
                                   .statistics = &s->statistics,
                                   .bounds = {PASS_ROWS, PASS_ROWS, 0}};
    return true;
}

scrim_status pass_run(const sc_schema *schema, const sc_pass_statement *statements,
                      size_t count, const sc_pass_options *options, uint64_t seed,
                      sc_pass **pass, scrim_error *error)
{
    sc_tape *tape = NULL;
    CHECK_STATUS(sc_tape_seeded(seed, &tape, NULL), SCRIM_OK);
    scrim_status status = sc_pass_open(schema, statements, count, options,
                                       sc_tape_bits_of(tape), pass, error);
    if (status == SCRIM_OK)
        status = sc_pass_run(*pass, error);
    sc_tape_free(tape);
    return status;
}
