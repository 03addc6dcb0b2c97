#include "lab/papers/papers.h"

#include "lab/errata/paper_place.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BYTES 64

static const lab_papers_section *const sections[] = {
    &lab_papers_robustness,  &lab_equations_robustness, &lab_papers_flexible,
    &lab_equations_flexible, &lab_papers_survey,        &lab_papers_survey_later,
    &lab_papers_floating,    &lab_equations_floating,   &lab_papers_threshold,
    &lab_equations_threshold};

const lab_statement *lab_statement_at(size_t index)
{
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (index < sections[i]->count)
            return &sections[i]->rows[index];
        index -= sections[i]->count;
    }
    return NULL;
}

/* States. */

const char *lab_statement_state_name(lab_statement_state state)
{
    static const char *const names[LAB_STATEMENT_STATES] = {
        "runs", "corrected", "partly", "not yet", "step", "no command"};
    return names[state];
}

/* Does an erratum of this kind leave the statement as it is? */
static bool is_harmless(const char *kind)
{
    return strcmp(kind, "typo") == 0 || strcmp(kind, "loose") == 0 ||
           strcmp(kind, "unproved") == 0;
}

static bool is_wrong(const char *errata)
{
    while (errata != NULL && *errata != '\0') {
        char *end;
        const lab_erratum *erratum =
            lab_erratum_find((unsigned)strtoul(errata, &end, 10));
        if (erratum != NULL && !is_harmless(erratum->kind))
            return true;
        errata = end == errata ? NULL : end;
    }
    return false;
}

static const lab_statement *part_of(const lab_statement *statement)
{
    const lab_statement *row;
    for (size_t i = 0; statement->of != NULL && (row = lab_statement_at(i)) != NULL; i++)
        if (strcmp(row->document, statement->document) == 0 &&
            strcmp(row->place, statement->of) == 0)
            return row;
    return NULL;
}

const lab_statement *lab_statement_with_command(const lab_statement *statement)
{
    const lab_statement *whole = statement->command == NULL ? part_of(statement) : NULL;
    return whole == NULL ? statement : whole;
}

lab_statement_state lab_statement_state_of(const lab_statement *statement)
{
    const lab_statement *runs = lab_statement_with_command(statement);
    const char *note = runs->note == NULL ? "" : runs->note;
    if (statement->is_step)
        return LAB_STEP;
    if (runs->command == NULL)
        return strncmp(note, "not yet: ", strlen("not yet: ")) == 0 ? LAB_NOT_YET
                                                                    : LAB_NO_COMMAND;
    if (strstr(note, "ot yet: ") != NULL)
        return LAB_PARTLY;
    return is_wrong(statement->errata) || is_wrong(runs->errata) ? LAB_CORRECTED
                                                                 : LAB_RUNS;
}

/* Places. */

const lab_statement *lab_statement_find(const char *document, const char *place)
{
    char asked[LAB_PLACE_BYTES], other[LAB_PLACE_BYTES], number[LAB_PLACE_BYTES];
    const lab_statement *row, *part = NULL; /* "Section 4.2, non-integral" */
    size_t parts = 0;
    lab_place_normalise(place, asked);
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++) {
        const char *comma = strchr(row->place, ',');
        if (strcmp(row->document, document) != 0)
            continue;
        lab_place_normalise(row->place, other);
        if (strcmp(asked, other) == 0)
            return row;
        if (comma == NULL)
            continue;
        (void)snprintf(number, sizeof number, "%.*s", (int)(comma - row->place),
                       row->place);
        lab_place_normalise(number, other);
        if (strcmp(asked, other) == 0) {
            part = row;
            parts++;
        }
    }
    return parts == 1 ? part : NULL;
}

/* Errata. */

static bool is_listed(const char *text, unsigned number)
{
    while (text != NULL && *text != '\0') {
        char *end;
        if (strtoul(text, &end, 10) == number)
            return true;
        text = end == text ? NULL : end;
    }
    return false;
}

/* whole: what the statement is a part of, or NULL. */
static bool has_erratum(const lab_statement *statement, const lab_statement *whole,
                        unsigned number)
{
    return is_listed(statement->errata, number) ||
           is_listed(statement->related, number) ||
           (whole != NULL && has_erratum(whole, NULL, number));
}

bool lab_statement_has_erratum(const lab_statement *statement, unsigned number)
{
    return has_erratum(statement, part_of(statement), number);
}

void lab_statement_errata(const lab_statement *statement, char text[LAB_ERRATA_BYTES])
{
    const lab_erratum *erratum;
    const lab_statement *whole = part_of(statement);
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; (erratum = lab_erratum_at(i)) != NULL; i++)
        if (has_erratum(statement, whole, erratum->number) && used + 8 < LAB_ERRATA_BYTES)
            used += (size_t)snprintf(text + used, LAB_ERRATA_BYTES - used, "%s%u",
                                     used == 0 ? "" : " ", erratum->number);
}

static bool is_mechanism(const char *word)
{
    const scrim_mechanism_entry *entry;
    for (size_t i = 0; (entry = scrim_mechanism_at(i)) != NULL; i++)
        if (strcmp(entry->name, word) == 0)
            return true;
    return false;
}

static void add_use(char text[LAB_USES_BYTES], const char *use)
{
    const size_t length = strlen(text);
    const size_t bytes = strlen(use);
    for (const char *at = strstr(text, use); at != NULL; at = strstr(at + 1, use))
        if ((at == text || at[-1] == ' ') && (at[bytes] == ',' || at[bytes] == '\0'))
            return;
    if (length + bytes + 3 <= LAB_USES_BYTES)
        snprintf(text + length, LAB_USES_BYTES - length, "%s%s", length == 0 ? "" : ", ",
                 use);
}

/* The next word of a shell's line. */
static const char *next_token(const char *line, char word[WORD_BYTES])
{
    size_t length = 0;
    line += strspn(line, " \"'|;");
    for (; *line != '\0' && strchr(" \"'|;", *line) == NULL; line++)
        if (length + 1 < WORD_BYTES)
            word[length++] = *line;
    word[length] = '\0';
    return line;
}

/* Whether the word behind a verb says what it does, as in "scrim attack link", and is no name. */
static bool has_kinds(const char *verb)
{
    static const char *const verbs[] = {"attack", "experiment", "distance", "body",
                                        "local",  "microdata",  "dataset"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i], verb) == 0)
            return true;
    return false;
}

/* Adds the mechanisms of a line, or else its commands. Commands that show errata add nothing, and the value
 * of an option is no mechanism. */
static void add_uses(char text[LAB_USES_BYTES], const char *line, bool is_mechanisms)
{
    char word[WORD_BYTES], verb[WORD_BYTES], use[2 * WORD_BYTES + 8];
    bool is_erratum = false, is_value = false;
    for (line = next_token(line, word); word[0] != '\0'; line = next_token(line, word)) {
        if (strcmp(word, "scrim") == 0) {
            line = next_token(line, verb);
            (void)next_token(line, word);
            is_erratum = strcmp(verb, "errata") == 0;
            snprintf(use, sizeof use, "scrim %s%s%s", verb, has_kinds(verb) ? " " : "",
                     has_kinds(verb) ? word : "");
            if (!is_mechanisms && !is_erratum)
                add_use(text, use);
            is_value = false;
        } else {
            if (is_mechanisms && !is_erratum && !is_value && is_mechanism(word))
                add_use(text, word);
            is_value = word[0] == '-';
        }
    }
}

void lab_mechanism_named(const char *words, char name[LAB_NAME_BYTES])
{
    char known[LAB_NAME_BYTES];
    size_t used = 0;
    for (; words[used] != '\0' && used + 1 < sizeof known; used++)
        known[used] = words[used] == ' ' || words[used] == '_'
                          ? '-'
                          : (char)tolower((unsigned char)words[used]);
    known[used] = '\0';
    const scrim_mechanism_entry *found =
        words[used] == '\0' ? scrim_mechanism_find(known) : NULL;
    snprintf(name, LAB_NAME_BYTES, "%s", found == NULL ? "" : found->name);
}

bool lab_has_name(const char *text, const char *name)
{
    const size_t bytes = strlen(name);
    for (const char *at = text; at != NULL && (at = strstr(at, name)) != NULL; at++)
        if ((at == text || strchr(" ,;|", at[-1]) != NULL) &&
            (at[bytes] == '\0' || strchr(" ,;", at[bytes]) != NULL))
            return true;
    return false;
}

void lab_erratum_uses(unsigned number, char text[LAB_USES_BYTES])
{
    const lab_statement *row;
    text[0] = '\0';
    for (int pass = 0; pass < 2 && text[0] == '\0'; pass++)
        for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++)
            if (row->command != NULL && lab_statement_has_erratum(row, number))
                add_uses(text, row->command, pass == 0);
    if (text[0] == '\0')
        snprintf(text, LAB_USES_BYTES, "not in scrim");
}
