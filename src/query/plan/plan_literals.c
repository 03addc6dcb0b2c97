#include "query/plan/plan_literals.h"

#include "query/language/key_text.h"
#include "query/language/like.h"
#include "query/language/person.h"
#include "query/language/text_image.h"

#include <stdio.h>
#include <string.h>

#define SENTENCE_BYTES 400

typedef struct literals {
    const sc_query *query;
    sc_arena *arena;
    size_t count; /* on no list */
    char first[SENTENCE_BYTES];
    bool lacks_memory;
} literals;

static bool is_listed(const sc_text_list *list, sc_text text)
{
    for (size_t i = 0; i < list->count; i++)
        if (sc_text_equal(list->texts[i], text))
            return true;
    return false;
}

static void add_text(literals *all, const sc_typed *compared, sc_text text)
{
    char literal[SC_TEXT_QUOTE_BYTES], name[SC_TEXT_QUOTE_BYTES];
    sc_text_quote(text, literal);
    if (all->count++ > 0)
        return;
    if (sc_typed_is_text_column(compared))
        snprintf(all->first, sizeof all->first,
                 "'%s' is not one of the listed keys of %s; check its spelling and case",
                 literal,
                 sc_text_quote(all->query->schema->columns[compared->column].name, name));
    else
        snprintf(all->first, sizeof all->first,
                 "'%s' is not one of the texts that listed keys become here; check its "
                 "spelling and case",
                 literal);
}

/* A text that is equal to one of a list of literals, or like a pattern. */
static void look_at_texts(literals *all, const sc_typed *typed)
{
    const sc_typed *compared = typed->parts[0];
    sc_text_list list;
    size_t like = 0;
    char pattern[SC_TEXT_QUOTE_BYTES];
    all->lacks_memory |= !sc_text_image(compared, all->query->schema, all->arena, &list);
    if (all->lacks_memory || list.texts == NULL)
        return;
    if (typed->operation == SC_OP_TEXT_IN) {
        for (size_t i = 0; i < typed->text_count; i++)
            if (!is_listed(&list, typed->texts[i]))
                add_text(all, compared, typed->texts[i]);
        return;
    }
    for (size_t i = 0; i < list.count; i++)
        like += sc_like_matches(typed->like, list.texts[i]);
    if (like == 0 && all->count++ == 0)
        snprintf(all->first, sizeof all->first,
                 "no listed key is LIKE '%s'; check its spelling and case",
                 sc_text_quote(typed->texts[0], pattern));
}

/* A number, date or bool column with a list. */
static void look_at_values(literals *all, const sc_typed *typed)
{
    const sc_column *column = &all->query->schema->columns[typed->parts[0]->column];
    char value[SC_KEY_TEXT_BYTES], name[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; column->has_keys && i < typed->value_count; i++) {
        bool is_there = false;
        for (size_t j = 0; j < column->key_count; j++)
            is_there |= column->keys[j].value == typed->values[i];
        if (is_there || all->count++ > 0)
            continue;
        (void)sc_key_text(typed->parts[0], typed->values[i], value, sizeof value);
        snprintf(all->first, sizeof all->first, "%s is not one of the listed keys of %s",
                 value, sc_text_quote(column->name, name));
    }
}

static void look_at(literals *all, const sc_typed *typed)
{
    if (typed == NULL)
        return;
    if (typed->operation == SC_OP_TEXT_IN || typed->operation == SC_OP_LIKE)
        look_at_texts(all, typed);
    if (typed->operation == SC_OP_IN && typed->parts[0]->operation == SC_OP_COLUMN)
        look_at_values(all, typed);
    for (size_t i = 0; i < typed->count; i++)
        look_at(all, typed->parts[i]);
}

/* Misspelt keys. */

static bool is_same_but_case(sc_text a, sc_text b)
{
    bool is_same = a.bytes == b.bytes;
    for (size_t i = 0; is_same && i < a.bytes; i++) {
        const char x = a.start[i], y = b.start[i];
        is_same = x == y || ((x ^ y) == ' ' && (x | ' ') >= 'a' && (x | ' ') <= 'z');
    }
    return is_same;
}

/* The listed key that was most likely meant; empty when there is none. */
static sc_text nearest_key(const sc_column *column, sc_text word)
{
    sc_text nearest = {NULL, 0};
    size_t shortest = 3 < word.bytes ? 3 : word.bytes;
    for (size_t i = 0; i < column->key_count; i++) {
        const sc_text key = column->keys[i].text;
        const size_t distance =
            is_same_but_case(key, word) ? 0 : sc_text_distance(word, key);
        if (distance < shortest) {
            shortest = distance;
            nearest = key;
        }
    }
    return nearest;
}

/* The column whose listed keys a condition must be equal to and is not: of conditions that hold together, one
 * is enough. NULL: there is none. */
static const sc_typed *misspelt_part(const sc_schema *schema, const sc_typed *typed)
{
    if (typed == NULL)
        return NULL;
    for (size_t i = 0; typed->operation == SC_OP_AND && i < typed->count; i++) {
        const sc_typed *part = misspelt_part(schema, typed->parts[i]);
        if (part != NULL)
            return part;
    }
    if (typed->operation != SC_OP_TEXT_IN || !sc_typed_is_text_column(typed->parts[0]))
        return NULL;
    const sc_column *column = &schema->columns[typed->parts[0]->column];
    for (size_t i = 0; i < typed->text_count; i++)
        for (size_t k = 0; k < column->key_count; k++)
            if (sc_text_equal(column->keys[k].text, typed->texts[i]))
                return NULL;
    return column->has_keys && typed->text_count > 0 &&
                   nearest_key(column, typed->texts[0]).bytes > 0
               ? typed
               : NULL;
}

const char *sc_plan_misspelt(const sc_query *query, sc_arena *arena)
{
    const sc_query *rows = query->person == NULL ? query : query->person->rows;
    const sc_typed *part = misspelt_part(rows->schema, rows->where);
    char sentence[SENTENCE_BYTES], literal[SC_TEXT_QUOTE_BYTES],
        name[SC_TEXT_QUOTE_BYTES], key[SC_TEXT_QUOTE_BYTES];
    if (part == NULL)
        return "";
    const sc_column *column = &rows->schema->columns[part->parts[0]->column];
    sc_text_quote(part->texts[0], literal);
    sc_text_quote(column->name, name);
    sc_text_quote(nearest_key(column, part->texts[0]), key);
    const int used =
        snprintf(sentence, sizeof sentence,
                 "'%s' is not one of the listed keys of %s; did you mean '%s'?", literal,
                 name, key);
    if (strpbrk(literal, "%_'\\") == NULL) /* as a pattern it means itself */
        snprintf(sentence + used, sizeof sentence - (size_t)used,
                 " For rows with another text write %s LIKE '%s'", name, literal);
    return sc_arena_copy(arena, sentence, strlen(sentence));
}

const char *sc_plan_literals(const sc_query *query, sc_arena *arena)
{
    literals all = {.query = query, .arena = arena};
    char sentence[SENTENCE_BYTES + 40];
    look_at(&all, query->where);
    for (size_t i = 0; i < query->key_count; i++)
        look_at(&all, query->keys[i].value);
    for (size_t i = 0; i < query->aggregate_count; i++) {
        look_at(&all, query->aggregates[i].value);
        look_at(&all, query->aggregates[i].present);
    }
    if (all.lacks_memory)
        return NULL;
    snprintf(sentence, sizeof sentence, "%s", all.first);
    if (all.count > 1)
        snprintf(sentence, sizeof sentence, "%s (and %zu more)", all.first,
                 all.count - 1);
    return sc_arena_copy(arena, sentence, strlen(sentence));
}
