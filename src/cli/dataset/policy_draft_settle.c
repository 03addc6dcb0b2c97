/* A draft made good everywhere: absolute paths, keys in place of the files that list them. */
#include "cli/dataset/dataset_join.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A policy fits an entry of the ledger. */
#define KEYS_FILE_BYTES (12u << 20)

static scrim_status fail_memory(scrim_error *error)
{
    return sc_out_of_memory(error, "a policy");
}

static void replace(sc_draft_line *line, char *value)
{
    free(line->value);
    line->value = value;
}

/* "-" is standard input. */
static scrim_status settle_path(sc_draft_line *line, scrim_error *error)
{
    if (line->value[0] == '/' || line->value[0] == '\0' || strcmp(line->value, "-") == 0)
        return SCRIM_OK;
    char *folder = getcwd(NULL, 0);
    if (folder == NULL)
        return sc_complaint_fill(
            error, SCRIM_E_INPUT,
            "cannot find the name of this folder: %s; give an absolute path",
            strerror(errno));
    const size_t bytes = strlen(folder) + strlen(line->value) + 2;
    char *path = malloc(bytes);
    if (path != NULL)
        snprintf(path, bytes, "%s/%s", folder, line->value);
    const bool is_plain = strpbrk(folder, "\r\n") == NULL;
    free(folder);
    if (path == NULL)
        return fail_memory(error);
    if (!is_plain) {
        free(path);
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "the folder name contains a line break, which a policy cannot hold");
    }
    replace(line, path);
    return SCRIM_OK;
}

/* Keys in a list are quoted where they could be taken for something else. */
static char *put_key(char *end, const char *key, size_t bytes)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_.-+/:";
    size_t clean = 0;
    while (clean < bytes && strchr(plain, key[clean]) != NULL)
        clean++;
    if (clean == bytes) {
        memcpy(end, key, bytes);
        return end + bytes;
    }
    *end++ = '"';
    for (size_t i = 0; i < bytes; i++) {
        if (key[i] == '"')
            *end++ = '"';
        *end++ = key[i];
    }
    *end++ = '"';
    return end;
}

/* "NAME=" and the lines of a file as one list; blank ones do not count. NULL without memory. */
static char *list_keys(const char *name, size_t name_bytes, const sc_whole_file *file)
{
    /* At worst each byte is a quote, and each line has two more and a comma. */
    char *list = malloc(name_bytes + 4 * file->count + 4), *end = list;
    if (list == NULL)
        return NULL;
    memcpy(end, name, name_bytes);
    end += name_bytes;
    char *const first = end;
    for (size_t at = 0; at < file->count; at++) {
        const char *line = file->bytes + at;
        size_t bytes = 0;
        while (at + bytes < file->count && line[bytes] != '\n')
            bytes++;
        at += bytes;
        if (bytes > 0 && line[bytes - 1] == '\r')
            bytes--;
        if (bytes == 0)
            continue;
        if (end != first)
            *end++ = ',';
        end = put_key(end, line, bytes);
    }
    *end = '\0';
    return list;
}

static scrim_status settle_keys(sc_draft_line *line, scrim_error *error)
{
    const char *equals = strchr(line->value, '=');
    if (equals == NULL || equals[1] != '@')
        return SCRIM_OK;
    sc_whole_file file;
    scrim_status status = sc_whole_file_read(equals + 2, KEYS_FILE_BYTES, &file, error);
    if (status != SCRIM_OK)
        return status;
    char *list = NULL;
    if (memchr(file.bytes, '\0', file.count) != NULL)
        status = sc_complaint_fill(
            error, SCRIM_E_INPUT,
            "'%s' contains a NUL byte; keys must be text, one per line", equals + 2);
    else if ((list = list_keys(line->value, (size_t)(equals - line->value) + 1, &file)) ==
             NULL)
        status = fail_memory(error);
    else if (list[equals + 1 - line->value] == '\0')
        status = sc_complaint_fill(error, SCRIM_E_INPUT,
                                   "'%s' has no keys; write one per line", equals + 2);
    sc_whole_file_clear(&file);
    if (status == SCRIM_OK)
        replace(line, list);
    else
        free(list);
    return status;
}

scrim_status sc_policy_draft_settle(sc_policy_draft *draft, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < draft->count && status == SCRIM_OK; i++) {
        sc_draft_line *line = &draft->lines[i];
        if (sc_policy_draft_is_file(line->key))
            status = settle_path(line, error);
        else if (strcmp(line->key, "keys") == 0)
            status = settle_keys(line, error);
    }
    for (size_t i = 0; i < draft->count && status == SCRIM_OK; i++)
        if (strcmp(draft->lines[i].key, "join") == 0)
            status = sc_dataset_join_settle(draft, draft->lines[i].value, error);
    return status;
}
