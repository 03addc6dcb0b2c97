#include "check.h"
#include "data/source/batch.h"
#include "faults.h"

#include <stdio.h>
#include <string.h>

/* A text with the padding that a filler may read. */
static sc_text padded(char room[64], const char *text)
{
    const sc_text view = sc_text_of(text);
    memset(room, '"', 64);
    memcpy(room, view.start, view.bytes);
    return (sc_text){room, view.bytes};
}

static const char policy[] =
    "unit=id\ncolumn=word=text\ncolumn=x=int[0,9]\ncolumn=y=text\n"
    "missing=word=none";

/* A row without a unit is nobody's; any other stays, whatever it lacks. */
TEST(batch_keeps_whole_rows)
{
    CLAIM("batch.whole");
    static const struct {
        const char *unit, *word, *x, *y;
        const char *read; /* word, x and y; NULL: the row is not there */
    } rows[] = {
        {"u1", "a", "1", "p", "a 1 p"},        {"", "a", "2", "p", NULL},
        {"u3", "", "3", "p", "none 3 p"},      {"u4", "\xff", "4", "p", "none 4 p"},
        {"u5", "b", "z", "p", "b NULL p"},     {"u6", "c", "6", "", "c 6 NULL"},
        {"u7", "a", "99", "\xff", "a 9 NULL"},
    };
    const size_t count = sizeof rows / sizeof *rows, columns[] = {1, 0, 2};
    char texts[7][3][64], number[64];
    sc_batch_request request = {.columns = columns, .column_count = 3};
    sc_batch_room room;
    for (size_t i = 0; i < 10; i++)
        request.key.words[i] = i + 1;
    REQUIRE_OK(sc_schema_parse(sc_text_of(policy), NULL, &request.schema, NULL));
    REQUIRE_OK(sc_batch_room_init(&room, &request, NULL));
    REQUIRE_OK(sc_batch_room_begin(&room, count, NULL));
    const sc_batch_filler unit = sc_batch_unit_filler(&room),
                          x = sc_batch_filler_of(&room, 0),
                          word = sc_batch_filler_of(&room, 1),
                          y = sc_batch_filler_of(&room, 2);
    for (size_t i = 0; i < count; i++) {
        sc_batch_put_unit(&unit, i, padded(texts[i][0], rows[i].unit));
        sc_batch_put_value(&x, i, padded(number, rows[i].x));
        sc_batch_put_text(&word, i, padded(texts[i][1], rows[i].word));
        sc_batch_put_text(&y, i, padded(texts[i][2], rows[i].y));
    }
    sc_batch_room_end(&room, count, 3);
    const sc_batch *batch = &room.batch;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        char read[64], value[24] = "NULL";
        if (rows[i].read == NULL)
            continue;
        REQUIRE(kept < batch->rows);
        const sc_text got = batch->columns[1].texts[kept],
                      last = batch->columns[2].texts[kept];
        if (batch->columns[0].values[kept] != SC_NULL)
            snprintf(value, sizeof value, "%lld",
                     (long long)batch->columns[0].values[kept]);
        snprintf(read, sizeof read, "%.*s %s %.*s", (int)got.bytes, got.start, value,
                 sc_text_is_null(last) ? 4 : (int)last.bytes,
                 sc_text_is_null(last) ? "NULL" : last.start);
        CHECK_STR(read, rows[i].read);
        CHECK(sc_text_is(batch->unit.texts[kept], rows[i].unit));
        CHECK(batch->unit.hashes[kept] ==
              sc_value_hash_plain(&request.key, batch->unit.texts[kept]));
        CHECK(batch->columns[1].hashes[kept] == sc_value_hash(&request.key, got));
        kept++;
    }
    CHECK_INT(batch->rows, kept);
    CHECK_INT(batch->tally.records, count + 3);
    CHECK_INT(batch->tally.malformed, 3);
    CHECK_INT(batch->tally.no_unit, 1);
    CHECK_INT(batch->tally.missing[0], 1);
    CHECK_INT(batch->tally.missing[1], 2);
    CHECK_INT(batch->tally.missing[2], 2);
    CHECK(batch->columns[0].texts == NULL && batch->columns[1].values == NULL);
    sc_batch_room_clear(&room);
    sc_schema_free(request.schema);
}

/* A room grows, and what was counted before is forgotten. */
TEST(batch_begins_anew)
{
    const size_t columns[] = {1};
    sc_batch_request request = {.columns = columns, .column_count = 1};
    char number[64];
    REQUIRE_OK(sc_schema_parse(sc_text_of("unit=row\ncolumn=y=text\ncolumn=x=int[0,9]\n"
                                          "missing=x=4"),
                               NULL, &request.schema, NULL));
    FAULT_LOOP(fault)
    {
        sc_batch_room room;
        scrim_status status = sc_batch_room_init(&room, &request, NULL);
        for (size_t rows = 1; status == SCRIM_OK && rows < 1000; rows *= 10) {
            status = sc_batch_room_begin(&room, rows, NULL);
            if (status != SCRIM_OK)
                break;
            const sc_batch_filler x = sc_batch_filler_of(&room, 0);
            CHECK(room.batch.unit.texts == NULL);
            for (size_t i = 0; i + 1 < rows; i++)
                sc_batch_put_value(&x, i, padded(number, i == 0 ? "?" : "7"));
            sc_batch_room_end(&room, rows - 1, 1);
            CHECK_INT(room.batch.rows, rows);
            CHECK_INT(room.batch.columns[0].values[0], 4);
            CHECK_INT(room.batch.columns[0].values[rows - 1], 4);
            CHECK_INT(room.batch.tally.missing[0], rows > 1);
        }
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_batch_room_clear(&room);
    }
    sc_schema_free(request.schema);
}
