#include "base/build_id.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

/* The file of this program holds the bytes that the text says, behind the head of such a note. */
static bool file_has(const unsigned char *id, size_t bytes)
{
    static const unsigned char head[] = {3, 0, 0, 0, 'G', 'N', 'U', 0};
    unsigned char read[64] = {0};
    const size_t wanted = sizeof head + bytes;
    FILE *file = fopen("/proc/self/exe", "rb");
    bool is_found = false;
    int c;
    if (file == NULL) {
        CHECK_FAIL("this program cannot be read");
        return false;
    }
    while (wanted <= sizeof read && !is_found && (c = getc(file)) != EOF) {
        memmove(read, read + 1, wanted - 1);
        read[wanted - 1] = (unsigned char)c;
        is_found = memcmp(read, head, sizeof head) == 0 &&
                   memcmp(read + sizeof head, id, bytes) == 0;
    }
    fclose(file);
    return is_found;
}

TEST(build_id_is_that_of_the_program)
{
    char text[SC_BUILD_ID_BYTES];
    unsigned char id[64];
    size_t count = 0;
    if (!sc_build_id(text)) {
        CHECK_STR(text, "");
        SKIP("the linker has left no build number");
    }
    for (; text[2 * count] != '\0' && count < sizeof id; count++) {
        unsigned value = 0;
        if (!CHECK(sscanf(text + 2 * count, "%2x", &value) == 1))
            return;
        id[count] = (unsigned char)value;
    }
    CHECK(count >= 8);
    CHECK(file_has(id, count));
}
