#include "cli/answer/sheet_note.h"

#include "cli/terminal/complaint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Taking labels. */

bool sc_sheet_note_take(sc_sheet_note *note, const scrim_answer *answer,
                        const char *const *labels)
{
    size_t place = 0;
    note->labels = NULL;
    if (labels == NULL)
        return true;
    note->labels = calloc(note->label_count + 1, sizeof *note->labels);
    if (note->labels == NULL)
        return false;
    for (size_t i = 0; i < note->label_count; i++)
        note->labels[i] = "";
    for (size_t i = 0; i < scrim_answer_count(answer); i++)
        if (sc_answer_label_place(answer, i, &place) && place < note->label_count)
            note->labels[place] = labels[place];
    return true;
}

/* Writing. */

static void put_line(FILE *text, const char *key, const char *value)
{
    if (value != NULL)
        fprintf(text, "%s %s\n", key, value);
}

char *sc_sheet_note_format(const sc_sheet_note *note)
{
    char *bytes = NULL;
    size_t count = 0;
    FILE *text = open_memstream(&bytes, &count);
    if (text == NULL)
        return NULL;
    put_line(text, "confidence", note->confidence);
    if (note->count > 0)
        fprintf(text, "count %zu\n", note->count);
    put_line(text, "name", note->name);
    put_line(text, "label-name", note->label_name);
    for (size_t i = 0; note->labels != NULL && i < note->label_count; i++)
        put_line(text, "label", note->labels[i]);
    bool failed = ferror(text) != 0;
    if (fclose(text) != 0 || failed) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

/* Reading. */

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

static void take_line(sc_sheet_note *note, const char *key, const char *value)
{
    if (strcmp(key, "confidence") == 0)
        note->confidence = value;
    else if (strcmp(key, "count") == 0)
        note->count = (size_t)strtoull(value, NULL, 10);
    else if (strcmp(key, "name") == 0)
        note->name = value;
    else if (strcmp(key, "label-name") == 0)
        note->label_name = value;
    else if (strcmp(key, "label") == 0)
        note->labels[note->label_count++] = value;
}

scrim_status sc_sheet_note_parse(const char *text, sc_sheet_note *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    out->confidence = SC_CONFIDENCE_USUAL;
    if (text == NULL)
        return SCRIM_OK;
    out->bytes = strdup(text);
    out->labels = calloc(count_lines(text) + 1, sizeof *out->labels);
    if (out->bytes == NULL || out->labels == NULL) {
        sc_sheet_note_clear(out);
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for an answer");
    }
    for (char *line = out->bytes, *end; (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        *end = '\0';
        char *space = strchr(line, ' ');
        if (space != NULL) {
            *space = '\0';
            take_line(out, line, space + 1);
        }
    }
    if (out->label_count == 0) {
        free(out->labels);
        out->labels = NULL;
    }
    return SCRIM_OK;
}

void sc_sheet_note_clear(sc_sheet_note *note)
{
    if (note->bytes != NULL)
        free(note->labels);
    free(note->bytes);
    memset(note, 0, sizeof *note);
}
