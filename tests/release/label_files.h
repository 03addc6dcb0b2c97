/* Files of a label in memory, in every form that a report has, for tests that change them. */
#ifndef LABEL_FILES_H
#define LABEL_FILES_H

#include "query/query_scene.h"

typedef enum label_form {
    FORM_BARE,
    FORM_PAGE,
    FORM_ROWS,
    FORM_DRAFT,
    FORM_OBJECT,
    FORM_HTML,
    FORMS
} label_form;

typedef struct label_file {
    char *bytes;
    size_t count;
} label_file;

/* A vault with two releases. */
typedef struct label_scene {
    query_scene base;
    scrim_label *label, *other;
    scrim_key key;
} label_scene;

bool label_scene_begin(label_scene *s);
void label_scene_end(label_scene *s);

/* The file as `scrim report` writes it; freed by the caller. */
label_file label_file_write(const scrim_label *label, label_form form);
/* A copy of the label and its record with one fact changed, or without it (NULL); without a
 * signature. */
scrim_label *label_forge(const scrim_label *label, const char *key, const char *value);

/* Does the file hold, with nothing left unchecked? */
bool label_file_holds(const label_file *file, scrim_vault *vault, const char *key);

#endif
