#include "vectors.h"

#include "check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FILES_MAX = 16, NAME_BYTES = 64 };

/* A file is parsed once a test and kept. */
static struct {
    char name[NAME_BYTES];
    json_t *content;
} loaded[FILES_MAX];

static bool is_wide(const char *number, size_t length)
{
    errno = 0;
    return length >= 19 && strtoll(number, NULL, 10) != 0 && errno == ERANGE;
}

/* jansson refuses a whole file for one integer beyond 64 bits: such a number becomes a
 * string. Copies one token at a time; `to` must have room for twice the text. */
static void quote_wide_integers(const char *from, char *to)
{
    while (*from != '\0') {
        size_t length = 1;
        bool wide = false;
        if (*from == '"') {
            while (from[length] != '\0' && from[length] != '"')
                length += from[length] == '\\' && from[length + 1] != '\0' ? 2 : 1;
            length += from[length] == '"';
        } else if (*from == '-' || (*from >= '0' && *from <= '9')) {
            length = strspn(from, "-+.eE0123456789");
            wide = strspn(from, "-0123456789") == length && is_wide(from, length);
        }
        if (wide)
            *to++ = '"';
        memcpy(to, from, length);
        to += length, from += length;
        if (wide)
            *to++ = '"';
    }
    *to = '\0';
}

/* The whole file in memory that the caller frees; NULL when it cannot be read. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file == NULL)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long bytes = ftell(file);
        rewind(file);
        text = bytes < 0 ? NULL : calloc((size_t)bytes + 1, 1);
        if (text != NULL && fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

static json_t *parse_file(const char *path)
{
    json_t *content = NULL;
    json_error_t error;
    char *text = read_text(path);
    char *quoted = text == NULL ? NULL : malloc(2 * strlen(text) + 1);
    if (quoted == NULL) {
        CHECK_FAIL("cannot read %s: the tests run in the root of the repository", path);
        goto done;
    }
    quote_wide_integers(text, quoted);
    content = json_loads(quoted, 0, &error);
    if (content == NULL)
        CHECK_FAIL("%s line %d: %s", path, error.line, error.text);
done:
    free(quoted);
    free(text);
    return content;
}

static json_t *load_file(const char *file)
{
    char path[NAME_BYTES + 32];
    size_t slot = 0;
    while (slot < FILES_MAX && loaded[slot].content != NULL &&
           strcmp(loaded[slot].name, file) != 0)
        slot++;
    if (slot == FILES_MAX || strlen(file) >= NAME_BYTES) {
        CHECK_FAIL("no room for the vectors %s", file);
        return NULL;
    }
    if (loaded[slot].content == NULL) {
        snprintf(path, sizeof path, "tests/vectors/%s.json", file);
        snprintf(loaded[slot].name, NAME_BYTES, "%s", file);
        loaded[slot].content = parse_file(path);
    }
    return loaded[slot].content;
}

json_t *vectors_load(const char *file, const char *member)
{
    json_t *content = load_file(file);
    json_t *value = json_object_get(content, member);
    if (content != NULL && value == NULL)
        CHECK_FAIL("tests/vectors/%s.json has no %s", file, member);
    return value;
}

void vectors_forget(void)
{
    for (size_t slot = 0; slot < FILES_MAX; slot++) {
        json_decref(loaded[slot].content);
        loaded[slot].content = NULL;
    }
}

const char *vectors_text(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

uint64_t vectors_number(const json_t *row, const char *name)
{
    return (uint64_t)json_integer_value(json_object_get(row, name));
}
