#include "check.h"
#include "vault/state/location.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const sc_location there = {.device = 7,
                                  .inode = 42,
                                  .system = "ext4:0123456789abcdef",
                                  .has_born = true,
                                  .born = 1794807576123456789,
                                  .has_generation = true,
                                  .generation = 9};

/* Each part that both know decides, and none that one of them does not. */
TEST(A85_location_by_each_of_its_parts)
{
    CLAIM("location.own");
    sc_location found = there;
    CHECK(sc_location_agrees(&there, &found));
    found.device = 8; /* another number of the device */
    CHECK(sc_location_agrees(&there, &found));
    found.inode = 43;
    CHECK(!sc_location_agrees(&there, &found));
    found = there;
    found.born++;
    CHECK(!sc_location_agrees(&there, &found));
    found.has_born = false;
    CHECK(sc_location_agrees(&there, &found) && sc_location_agrees(&found, &there));
    found = there;
    found.generation++;
    CHECK(!sc_location_agrees(&there, &found));
    found.has_generation = false;
    CHECK(sc_location_agrees(&there, &found) && sc_location_agrees(&found, &there));
    found = there;
    snprintf(found.system, sizeof found.system, "ext4:0123456789abcdee");
    CHECK(!sc_location_agrees(&there, &found));
    snprintf(found.system, sizeof found.system, "-");
    CHECK(sc_location_agrees(&there, &found) && sc_location_agrees(&found, &there));
}

/* A location that format 1 wrote is held against what it knew. */
TEST(A85_location_of_format_1)
{
    CLAIM("location.own");
    const sc_location kept = {.is_brief = true, .device = 7, .inode = 42, .system = "-"};
    sc_location found = there;
    CHECK(sc_location_agrees(&kept, &found));
    found.born++;
    CHECK(sc_location_agrees(&kept, &found));
    found.device = 8;
    CHECK(!sc_location_agrees(&kept, &found));
    found.device = 7;
    found.inode = 43;
    CHECK(!sc_location_agrees(&kept, &found));
}

static void put(const char *path)
{
    const int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
    CHECK(file >= 0 && write(file, "x", 1) == 1 && close(file) == 0);
}

/* A file stays where it is, whatever is done to it; one that takes its name is another. */
TEST(A85_location_of_a_file)
{
    CLAIM("location.own");
    char folder[] = "/tmp/scrim-location-XXXXXX", path[64], other[64];
    sc_location first, again, second;
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    CHECK(!sc_location_of(path, &first));
    put(path);
    REQUIRE(sc_location_of(path, &first));
    CHECK(truncate(path, 100) == 0 && chmod(path, 0640) == 0 && rename(path, other) == 0);
    CHECK(symlink(other, path) == 0);
    REQUIRE(sc_location_of(path, &again));
    CHECK(sc_location_agrees(&first, &again) && strcmp(first.system, again.system) == 0);
    CHECK(unlink(path) == 0 && unlink(other) == 0);
    /* Also where the number is given again at once. */
    put(path);
    REQUIRE(sc_location_of(path, &second));
    if (first.has_born || first.has_generation)
        CHECK(!sc_location_agrees(&first, &second));
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
}
