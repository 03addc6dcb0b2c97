#include "corpus.h"

#include "runner.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { INPUT_BYTES = 65536, PREFIXES_MAX = 1024 };

/* Each input is copied to a block of exactly its size, so that a sanitizer sees a read
 * past its end. */
static void replay_bytes(const unsigned char *bytes, size_t count, corpus_body *body)
{
    unsigned char *exact = malloc(count == 0 ? 1 : count);
    if (exact == NULL) {
        CHECK_FAIL("no memory");
        return;
    }
    memcpy(exact, bytes, count);
    body(exact, count);
    free(exact);
}

static bool replay_file(const char *path, corpus_body *body)
{
    static unsigned char bytes[INPUT_BYTES];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return false;
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    const bool whole = feof(file) && !ferror(file);
    fclose(file);
    if (!whole)
        return false;
    replay_bytes(bytes, count, body);
    for (size_t i = 0; i < count && i < PREFIXES_MAX; i++)
        replay_bytes(bytes, i, body);
    return true;
}

void corpus_replay(const char *name, corpus_body *body)
{
    char path[512];
    size_t files = 0;
    snprintf(path, sizeof path, "tests/fuzz/corpus/%s", name);
    DIR *folder = opendir(path);
    if (folder == NULL) {
        CHECK_FAIL("there is no %s (the tests run in the root of the repository)", path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "tests/fuzz/corpus/%s/%s", name, entry->d_name);
        files++;
        if (!replay_file(path, body))
            CHECK_FAIL("%s cannot be read, or is larger than %d bytes", path,
                       INPUT_BYTES);
    }
    closedir(folder);
    CHECK(files > 0);
}

void corpus_try(const unsigned char *bytes, size_t count, corpus_body *body)
{
    body(bytes, count);
    if (check_has_failed())
        abort();
}
