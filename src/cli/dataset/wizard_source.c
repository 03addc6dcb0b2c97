#include "cli/dataset/wizard_source.h"

#include "cli/dataset/header_separator.h"
#include "cli/terminal/complaint.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* The first power of two that leaves half of the file's size to grow. */
bool sc_wizard_size(const sc_wizard *w, char text[SC_SIZE_BYTES])
{
    const char *database = sc_wizard_text(w, SC_ASK_SQLITE);
    const char *path = database[0] != '\0' ? database : sc_wizard_text(w, SC_ASK_CSV);
    struct stat file;
    unsigned long mebibytes = 128;
    text[0] = '\0';
    if (stat(path, &file) != 0 || !S_ISREG(file.st_mode) ||
        file.st_size <= (off_t)64 << 20)
        return false;
    while (mebibytes < 1UL << 24 &&
           (off_t)mebibytes << 20 < file.st_size + file.st_size / 2)
        mebibytes *= 2;
    if (mebibytes < 1024)
        snprintf(text, SC_SIZE_BYTES, "%luMiB", mebibytes);
    else
        snprintf(text, SC_SIZE_BYTES, "%luGiB", mebibytes / 1024);
    return true;
}

bool sc_wizard_is_pushed(const sc_wizard *w)
{
    return sc_wizard_has_other(w, "live", "") || sc_wizard_has_other(w, "parquet", "") ||
           sc_wizard_has_other(w, "duckdb", "");
}

bool sc_wizard_has_source(const sc_wizard *w)
{
    return sc_wizard_text(w, SC_ASK_CSV)[0] != '\0' ||
           sc_wizard_text(w, SC_ASK_SQLITE)[0] != '\0' || sc_wizard_is_pushed(w);
}

bool sc_wizard_has_file(const sc_wizard *w)
{
    return sc_wizard_has_source(w) && !sc_wizard_is_pushed(w) &&
           strcmp(sc_wizard_text(w, SC_ASK_CSV), "-") != 0;
}

scrim_status sc_wizard_read_header(sc_wizard *w, const char *policy, scrim_error *error)
{
    char *header = NULL;
    const bool is_csv = sc_wizard_text(w, SC_ASK_CSV)[0] != '\0';
    scrim_status status = SCRIM_OK;
    if (sc_wizard_has_file(w))
        status = scrim_policy_columns(policy, &header, error);
    /* A header of one name may lack the unit only because it is not cut yet. */
    const char *seen =
        is_csv && sc_wizard_has_file(w) ? sc_header_separator(policy) : NULL;
    if (seen != NULL)
        status = SCRIM_OK;
    if (status != SCRIM_OK)
        return status;
    scrim_vault_text_free(w->header);
    w->header = header;
    w->seen = seen;
    return SCRIM_OK;
}

/* The length of the name at the start of lines. */
static size_t name_bytes(const char *names)
{
    return strcspn(names, "\n");
}

static bool is_in_header(const sc_wizard *w, const char *name)
{
    const size_t bytes = strlen(name);
    for (const char *at = w->header; at != NULL && *at != '\0';) {
        const size_t line = name_bytes(at);
        if (line == bytes && memcmp(at, name, bytes) == 0)
            return true;
        at += line + (at[line] == '\n');
    }
    return false;
}

bool sc_wizard_knows(const sc_wizard *w, const char *name)
{
    return w->header == NULL || is_in_header(w, name);
}

/* A column without a type: it was not asked about yet, or is left out. */
static bool is_idle(const sc_wizard_slot *slot)
{
    return slot->scope == SC_SCOPE_COLUMN && sc_slot_text(slot, SC_ASK_TYPE)[0] == '\0';
}

static void drop_columns(sc_wizard *w)
{
    for (size_t i = w->count; i-- > 0;)
        if (is_idle(&w->slots[i]) && (w->header == NULL || w->slots[i].name == NULL ||
                                      !is_in_header(w, w->slots[i].name)))
            sc_wizard_drop_slot(w, i);
}

static scrim_status add_names(sc_wizard *w, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (const char *at = w->header; *at != '\0' && status == SCRIM_OK;) {
        const size_t bytes = name_bytes(at);
        char *name = strndup(at, bytes);
        if (name == NULL)
            return sc_wizard_fail_memory(error);
        if (sc_wizard_column(w, name) == NULL)
            status = sc_wizard_add_slot(w, SC_SCOPE_COLUMN, name, error);
        free(name);
        at += bytes + (at[bytes] == '\n');
    }
    return status;
}

scrim_status sc_wizard_make_columns(sc_wizard *w, scrim_error *error)
{
    drop_columns(w);
    if (w->seen != NULL)
        return SCRIM_OK; /* not cut into names yet */
    if (w->header != NULL)
        return add_names(w, error);
    return sc_wizard_has_source(w) ? sc_wizard_add_slot(w, SC_SCOPE_COLUMN, NULL, error)
                                   : SCRIM_OK;
}

scrim_status sc_wizard_fail_unknown(const sc_wizard *w, const char *name,
                                    scrim_error *error)
{
    sc_nearest nearest;
    char column[SCRIM_COLUMN_BYTES];
    sc_nearest_init(&nearest, name);
    for (const char *at = w->header; at != NULL && *at != '\0';) {
        const size_t bytes = name_bytes(at);
        snprintf(column, sizeof column, "%.*s", (int)bytes, at);
        (void)sc_nearest_offer(&nearest, column);
        at += bytes + (at[bytes] == '\n');
    }
    if (nearest.name[0] != '\0')
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "no column '%s' in the source; did you mean '%s'?", name,
                                 nearest.name);
    return sc_complaint_fill(error, SCRIM_E_PARAM, "no column '%s' in the source", name);
}

/* The last word of a name: "no" of account_no, "Id" of userId. */
static const char *last_word(const char *name)
{
    const char *word = name;
    for (const char *at = name; *at != '\0'; at++) {
        const bool is_break = strchr("_-. ", *at) != NULL;
        const bool is_hump = at > name && isupper((unsigned char)*at) != 0 &&
                             islower((unsigned char)at[-1]) != 0;
        if (is_break)
            word = at + 1;
        else if (is_hump)
            word = at;
    }
    return word;
}

bool sc_name_identifies(const char *name)
{
    static const char *const words[] = {
        "id",      "ids",    "uid",    "uuid",     "userid",    "key",    "no",  "nr",
        "num",     "number", "ssn",    "phone",    "telephone", "mobile", "fax", "iban",
        "account", "card",   "serial", "passport", "licence",   "license"};
    const char *word = last_word(name);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(word, words[i]) == 0)
            return true;
    return false;
}
