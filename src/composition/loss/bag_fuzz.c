/* Whatever bytes parse as parts must print, and the print must parse to the same parts; what does not
 * parse leaves nothing behind and a message fit to be shown. */
#include "base/memory.h"
#include "composition/loss/bag.h"
#include "corpus.h"

#include <stdio.h>
#include <string.h>

static void check_message(const scrim_error *error, scrim_status status)
{
    sc_text rest = sc_text_of(error->message);
    CHECK_STATUS(error->status, status);
    CHECK(rest.bytes > 0);
    while (rest.bytes > 0) {
        const size_t bytes = sc_text_character(rest);
        if (!CHECK(bytes > 0))
            return;
        rest = (sc_text){rest.start + bytes, rest.bytes - bytes};
    }
}

static char *print(const sc_bag *bag)
{
    size_t bytes = 1;
    for (size_t i = 0; i < bag->count; i++)
        bytes += strlen(bag->parts[i].text) + 32;
    char *text = sc_allocate(bytes, 1);
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, bytes);
    for (size_t i = 0; text != NULL && i < bag->count; i++) {
        char count[32];
        snprintf(count, sizeof count, " x%llu", (unsigned long long)bag->parts[i].count);
        sc_text_put(&sink, sc_text_of(i == 0 ? "" : "; "));
        sc_text_put(&sink, sc_text_of(bag->parts[i].text));
        sc_text_put(&sink, sc_text_of(count));
    }
    return text;
}

static void check_round_trip(const sc_bag *first)
{
    sc_bag second;
    char *text = print(first);
    sc_bag_init(&second);
    CHECK_STATUS(sc_bag_parse(text, &second, NULL), SCRIM_OK);
    CHECK(first->neighbours == second.neighbours);
    for (size_t i = 0; CHECK(first->count == second.count) && i < first->count; i++) {
        const sc_part *a = &first->parts[i], *b = &second.parts[i];
        CHECK_STR(b->text, a->text);
        CHECK(a->count == b->count && a->count >= 1 && a->count <= SC_PART_COUNT);
        CHECK(a->is_sampled == b->is_sampled && a->has_pair == b->has_pair &&
              a->has_lower == b->has_lower);
        CHECK(!a->has_lower || a->has_pair);
        CHECK(!a->is_sampled || sc_ratio_compare(&a->rate, &b->rate) == 0);
    }
    sc_bag_clear(&second);
    sc_free(text);
}

FUZZ(bag)
{
    scrim_error error = {.status = SCRIM_OK};
    sc_bag bag;
    char *text = sc_allocate(count + 1, 1);
    if (text == NULL)
        return;
    if (count > 0)
        memcpy(text, bytes, count);
    sc_bag_init(&bag);
    const scrim_status status = sc_bag_parse(text, &bag, &error);
    if (status == SCRIM_OK) {
        CHECK(bag.count > 0);
        check_round_trip(&bag);
    } else {
        check_message(&error, status);
        CHECK(bag.count == 0);
    }
    sc_bag_clear(&bag);
    sc_free(text);
}
