#include "query/rows/memory_group.h"

#include "base/descriptor.h"
#include "base/text.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_BYTES 8192

/* The files of a group, and of its statistics the pages of files in it and in all below it. */
typedef struct version {
    const char *folder, *limit, *usage, *file_pages[2];
} version;

static const version versions[] = {
    {"", "memory.max", "memory.current", {"inactive_file", "active_file"}},
    /* beside groups of the first version, without memory or with it */
    {"/unified", "memory.max", "memory.current", {"inactive_file", "active_file"}},
    {"/memory",
     "memory.limit_in_bytes",
     "memory.usage_in_bytes",
     {"total_inactive_file", "total_active_file"}},
};

/* A file of the kernel's, terminated; what does not fit is not needed. */
static bool read_file(const char *path, char text[FILE_BYTES])
{
    const int file = sc_descriptor_open(path, O_RDONLY);
    size_t used = 0;
    ssize_t count = 0;
    if (file < 0)
        return false;
    while (used + 1 < FILE_BYTES &&
           (count = read(file, text + used, FILE_BYTES - 1 - used)) > 0)
        used += (size_t)count;
    close(file);
    text[used] = '\0';
    return count >= 0;
}

static bool read_number(const char *folder, const char *name, uint64_t *out)
{
    char path[PATH_MAX], text[FILE_BYTES];
    sc_text line, rest;
    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
           read_file(path, text) && sc_text_split(sc_text_of(text), '\n', &line, &rest) &&
           sc_text_uint64(line, out);
}

/* "NAME NUMBER", a line each. */
static uint64_t read_file_pages(const char *folder, const version *v)
{
    char path[PATH_MAX], text[FILE_BYTES];
    uint64_t sum = 0;
    sc_text rest, line, name, number;
    if (snprintf(path, sizeof path, "%s/memory.stat", folder) >= (int)sizeof path ||
        !read_file(path, text))
        return 0;
    rest = sc_text_of(text);
    while (sc_text_split(rest, '\n', &line, &rest)) {
        uint64_t bytes = 0;
        if (sc_text_split(line, ' ', &name, &number) &&
            (sc_text_is(name, v->file_pages[0]) || sc_text_is(name, v->file_pages[1])) &&
            sc_text_uint64(number, &bytes))
            sum += bytes;
    }
    return sum;
}

static uint64_t left_in(const char *folder, const version *v)
{
    uint64_t limit = 0, usage = 0;
    if (!read_number(folder, v->limit, &limit) || !read_number(folder, v->usage, &usage))
        return UINT64_MAX;
    const uint64_t files = read_file_pages(folder, v);
    const uint64_t held = usage > files ? usage - files : 0;
    return limit > held ? limit - held : 0;
}

/* The group and those that it is in. A process in a container may see its own group as the root, or
 * be told a path that is not there. */
static uint64_t left_of(const char *root, const version *v, sc_text group)
{
    char folder[PATH_MAX];
    uint64_t least = UINT64_MAX;
    const int begun = snprintf(folder, sizeof folder, "%s%s%.*s", root, v->folder,
                               (int)group.bytes, group.start);
    if (begun >= (int)sizeof folder)
        return UINT64_MAX;
    const size_t root_bytes = strlen(root) + strlen(v->folder);
    for (char *end = folder + begun; end != NULL && end >= folder + root_bytes;
         end = strrchr(folder, '/')) {
        *end = '\0';
        const uint64_t left = left_in(folder, v);
        least = left < least ? left : least;
    }
    return least;
}

static bool has_word(sc_text list, const char *word)
{
    sc_text first = list;
    while (sc_text_split(list, ',', &first, &list))
        if (sc_text_is(first, word))
            return true;
    return sc_text_is(list, word);
}

/* "NUMBER:CONTROLLERS:PATH", a line each; without controllers it is of the second version. */
uint64_t sc_memory_group_left(const char *list, const char *root)
{
    char text[FILE_BYTES];
    uint64_t least = UINT64_MAX;
    sc_text rest, line, controllers, group;
    if (!read_file(list, text))
        return UINT64_MAX;
    rest = sc_text_of(text);
    while (sc_text_split(rest, '\n', &line, &rest)) {
        if (!sc_text_split(line, ':', &controllers, &group) ||
            !sc_text_split(group, ':', &controllers, &group))
            continue;
        const bool is_second = controllers.bytes == 0;
        if (!is_second && !has_word(controllers, "memory"))
            continue;
        for (size_t i = is_second ? 0 : 2; i < (is_second ? 2 : 3); i++) {
            const uint64_t left = left_of(root, &versions[i], group);
            least = left < least ? left : least;
        }
    }
    return least;
}
