#include "check.h"
#include "query/answer/by_keys.h"

#include <string.h>

static const char policy[] =
    "unit=who\ncolumn=city=text\nkeys=city=u,v\ncolumn=a b=int[0,9]\n"
    "column=n=int[0,9]\nmissing=n=0\ncolumn=day=date[2025-01-01,2025-12-31]\n"
    "column=at=timestamp[2025-01-01,2026-01-01]\nzone=UTC\ncolumn=note=text\n";

typedef struct reading {
    const sc_schema *schema;
    sc_arena arena;
    sc_by_keys keys;
    scrim_error error;
} reading;

static scrim_status read_keys(reading *r, const char *list)
{
    sc_arena_init(&r->arena);
    r->error = (scrim_error){.status = SCRIM_OK};
    CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &r->schema, NULL), SCRIM_OK);
    return sc_by_keys_read(sc_text_of(list), r->schema, &r->arena, &r->keys, &r->error);
}

static void end(reading *r)
{
    sc_arena_clear(&r->arena);
    sc_schema_free(r->schema);
}

/* Parts as a query has them, and the number of their public groups. */
TEST(by_keys_are_what_group_by_takes)
{
    CLAIM("by-keys.language");
    static const struct {
        const char *list, *query;
        size_t count;
        uint64_t groups;
    } cases[] = {{"", "", 0, 1},
                 {"city", "\"city\"", 1, 3},
                 {" city , n", "\"city\" \"n\"", 2, 30},
                 {"a b", "\"a b\"", 1, 11},
                 {"MONTH(day)", "MONTH(day)", 1, 13},
                 {"MONTH(at),city", "MONTH(at) \"city\"", 2, 39},
                 {"DATE_TRUNC('month', at)", "DATE_TRUNC('month', at)", 1, 14},
                 {"BUCKET(n, 5)", "BUCKET(n, 5)", 1, 2},
                 {"CASE WHEN note = 'a,b' THEN 'x' ELSE 'y' END",
                  "CASE WHEN note = 'a,b' THEN 'x' ELSE 'y' END", 1, 2},
                 {"MONTH(day),MONTH(at)", "MONTH(day) MONTH(at)", 2, 169},
                 {"note", "\"note\"", 1, 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        reading r;
        char text[200] = "";
        sc_text_sink sink;
        if (!CHECK_STATUS(read_keys(&r, cases[i].list), SCRIM_OK))
            CHECK_FAIL("%s: %s", cases[i].list, r.error.message);
        sc_text_sink_init(&sink, text, sizeof text);
        for (size_t k = 0; k < r.keys.count; k++) {
            sc_text_put(&sink, sc_text_of(k == 0 ? "" : " "));
            sc_by_key_put(&r.keys.keys[k], &sink);
        }
        CHECK_INT(r.keys.count, cases[i].count);
        CHECK_STR(text, cases[i].query);
        CHECK_INT(sc_by_keys_groups(&r.keys), cases[i].groups);
        end(&r);
    }
}

TEST(by_keys_refuse_what_group_by_does_not_take)
{
    CLAIM("by-keys.language");
    static const struct {
        const char *list, *says;
    } cases[] = {{"town", "unknown column 'town'"},
                 {"cty", "unknown column 'cty'; did you mean 'city'?"},
                 {"who", "'who' is the privacy unit"},
                 {"city,city", "named twice"},
                 {"at", "use an expression such as 'MONTH(at)'"},
                 {"MONTH(day", "'MONTH(day' is not valid here"},
                 {"MONTH(day) AS m", "is not valid here"},
                 {"city HAVING n > 1", "is not valid here"},
                 {"COUNT(*)", "aggregates are not allowed in GROUP BY"},
                 {"MONTH(day),MONTH(day)", "duplicate key"},
                 {"MONTH(who)", ""}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        reading r;
        CHECK(read_keys(&r, cases[i].list) != SCRIM_OK);
        if (strstr(r.error.message, cases[i].says) == NULL)
            CHECK_FAIL("%s: %s", cases[i].list, r.error.message);
        end(&r);
    }
}
