#include "cli/answer/kept_note.h"

#include "cli/display/notes.h"

#include <string.h>

static bool is_said_before(const scrim_result *result, size_t statement)
{
    for (size_t i = 0; i < statement; i++)
        if (strcmp(scrim_result_kept(result, i), scrim_result_kept(result, statement)) ==
            0)
            return true;
    return false;
}

static bool is_key(const scrim_result_column *column)
{
    return column->kind != SCRIM_OUTPUT_VALUE &&
           column->kind != SCRIM_OUTPUT_DATE_VALUE &&
           column->kind != SCRIM_OUTPUT_TIMESTAMP_VALUE;
}

static bool has_key(const scrim_result *result, size_t statement, const char *name)
{
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        if (is_key(column) && strcmp(column->name, name) == 0)
            return true;
    }
    return false;
}

/* Has a statement all keys of another? Its sentence then says all that the other's says. */
static bool has_keys_of(const scrim_result *result, size_t statement, size_t other)
{
    for (size_t i = 0; i < scrim_result_columns(result, other); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, other, i);
        if (is_key(column) && !has_key(result, statement, column->name))
            return false;
    }
    return true;
}

/* Statements of a tree count the same rows: the finest ones say which. */
static bool is_said_below(const scrim_result *result, size_t statement, size_t statements)
{
    for (size_t i = 0; i < statements; i++)
        if (i != statement && has_keys_of(result, i, statement) &&
            (i > statement || !has_keys_of(result, statement, i)))
            return true;
    return false;
}

/* Is the clause at text one of a sentence's, between semicolons? */
static bool has_clause(const char *sentence, const char *clause, size_t bytes)
{
    while (strncmp(sentence, clause, bytes) != 0 ||
           (sentence[bytes] != ';' && sentence[bytes] != '\0')) {
        sentence = strstr(sentence, "; ");
        if (sentence == NULL)
            return false;
        sentence += 2;
    }
    return true;
}

/* The clauses of a sentence that the one before it lacks. */
static void write_more(sc_output *talk, const char *sentence, const char *before)
{
    const char *lead = "            ";
    for (const char *at = sentence, *end = at; end != NULL; at = end + 2) {
        end = strstr(at, "; ");
        const size_t bytes = end == NULL ? strlen(at) : (size_t)(end - at);
        if (!has_clause(before, at, bytes)) {
            sc_output_format(talk, "%s%.*s", lead, (int)bytes, at);
            lead = "; ";
        }
        if (end == NULL)
            break;
    }
    sc_output_text(talk, strcmp(lead, "; ") == 0 ? "\n" : "");
}

static void write_tree_bounds(sc_output *talk, const scrim_result *result,
                              size_t statements)
{
    const char *first = NULL;
    for (size_t i = 0; i < statements; i++) {
        const char *kept = scrim_result_kept(result, i);
        if (kept[0] == '\0' || is_said_below(result, i, statements))
            continue;
        if (first == NULL)
            sc_kept_write(talk, kept);
        else
            write_more(talk, kept, first);
        first = first == NULL ? kept : first;
    }
}

void sc_kept_note_write(sc_output *talk, const scrim_result *result, bool is_tree)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    bool is_first = true;
    for (size_t i = 0; i < facts.statements; i++)
        is_first &= scrim_result_kept(result, i)[0] == '\0';
    if (is_tree)
        write_tree_bounds(talk, result, facts.statements);
    for (size_t i = 0; !is_tree && i < facts.statements; i++)
        if (!is_said_before(result, i))
            sc_kept_write(talk, scrim_result_kept(result, i));
    sc_left_out_write(talk, facts.unit, is_first);
}
