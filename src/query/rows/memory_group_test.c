#include "check.h"
#include "query/rows/memory_room.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Files as the kernel writes them, in a folder of our own. */

typedef struct groups {
    char folder[64], list[96], root[96];
} groups;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    CHECK(fputs(text, file) >= 0);
    CHECK(fclose(file) == 0);
}

static void begin(groups *g, const char *list)
{
    snprintf(g->folder, sizeof g->folder, "/tmp/scrim-groups-XXXXXX");
    REQUIRE(mkdtemp(g->folder) != NULL);
    snprintf(g->list, sizeof g->list, "%s/list", g->folder);
    snprintf(g->root, sizeof g->root, "%s/root", g->folder);
    CHECK(mkdir(g->root, 0700) == 0);
    write_file(g->list, list);
}

static void end(const groups *g)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", g->folder);
    CHECK(system(command) == 0); // NOLINT(cert-env33-c): a constant command
}

static void put(const groups *g, const char *group, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s%s", g->root, group);
    (void)mkdir(path, 0700);
    snprintf(path, sizeof path, "%s%s/%s", g->root, group, name);
    write_file(path, text);
}

static uint64_t left(const groups *g)
{
    return sc_memory_group_left(g->list, g->root);
}

TEST(A99_the_tightest_group_leaves_the_least)
{
    CLAIM("memory_group.least");
    groups g;
    begin(&g, "0::/a/b\n");
    CHECK(left(&g) == UINT64_MAX);
    put(&g, "/a", "memory.max", "max\n");
    put(&g, "/a/b", "memory.max", "1000\n");
    CHECK(left(&g) == UINT64_MAX); /* what is used is not known */
    put(&g, "/a/b", "memory.current", "300\n");
    CHECK_INT(left(&g), 700);
    put(&g, "/a/b", "memory.stat",
        "anon 50\ninactive_file 200\nactive_file 40\nshmem 9\n");
    CHECK_INT(left(&g), 940);
    put(&g, "/a/b", "memory.stat", "inactive_file 200\nactive_file 400\n");
    CHECK_INT(left(&g), 1000);
    put(&g, "/a", "memory.current", "800\n");
    put(&g, "/a", "memory.max", "900\n");
    CHECK_INT(left(&g), 100);
    put(&g, "/a", "memory.current", "5000\n");
    CHECK_INT(left(&g), 0);
    end(&g);
}

/* In a container the path may be that of the machine, and the group the root. */
TEST(A99_the_group_of_a_container_is_found)
{
    CLAIM("memory_group.least");
    groups g;
    begin(&g, "0::/docker/abc\n");
    put(&g, "", "memory.max", "1000\n");
    put(&g, "", "memory.current", "1\n");
    CHECK_INT(left(&g), 999);
    end(&g);
}

TEST(A99_groups_of_the_first_version_are_found)
{
    CLAIM("memory_group.least");
    groups g;
    begin(&g, "9:name=systemd:/x\n5:cpu,memory:/a\n4:memory_recursive:/b\n0::/\n");
    put(&g, "/memory", "memory.limit_in_bytes", "9223372036854771712\n");
    put(&g, "/memory", "memory.usage_in_bytes", "4096\n");
    CHECK(left(&g) > UINT64_C(1) << 60);
    put(&g, "/memory/a", "memory.limit_in_bytes", "5000\n");
    put(&g, "/memory/a", "memory.usage_in_bytes", "1000\n");
    put(&g, "/memory/a", "memory.stat",
        "inactive_file 1\ntotal_inactive_file 200\ntotal_active_file 300\n");
    CHECK_INT(left(&g), 4500);
    put(&g, "/memory/b", "memory.limit_in_bytes", "1\n");
    put(&g, "/memory/b", "memory.usage_in_bytes", "0\n");
    CHECK_INT(left(&g), 4500); /* of another controller */
    put(&g, "/unified", "memory.max", "3000\n");
    put(&g, "/unified", "memory.current", "0\n");
    CHECK_INT(left(&g), 3000);
    end(&g);
}

TEST(A99_no_groups_are_no_limit)
{
    CLAIM("memory_group.least");
    groups g;
    begin(&g, "nonsense\n0:\n:\n");
    CHECK(left(&g) == UINT64_MAX);
    CHECK(sc_memory_group_left("tests/missing", g.root) == UINT64_MAX);
    end(&g);
    /* and those of this process can be read, whatever they say */
    CHECK(sc_memory_group_left(SC_MEMORY_GROUP_LIST, SC_MEMORY_GROUP_ROOT) > 0);
}
