#include "vault/state/location.h"

#include "base/descriptor.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#define EXT4 0xef53u /* and its forerunners */
#define XFS 0x58465342u
#define BTRFS 0x9123683eu
#define ZFS 0x2fc12fc1u
#define TMPFS 0x01021994u

/* As XFS has defined it for good. */
typedef struct xfs_geometry {
    uint32_t sizes[8];
    uint64_t blocks[4];
    unsigned char uuid[16];
    uint32_t more[7];
} xfs_geometry;
#define XFS_GEOMETRY _IOR('X', 100, xfs_geometry)

static void put_hex(char *text, const char *name, const unsigned char *bytes,
                    size_t count)
{
    size_t at = (size_t)snprintf(text, SC_LOCATION_SYSTEM_BYTES, "%s:", name);
    for (size_t i = 0; i < count && at + 2 < SC_LOCATION_SYSTEM_BYTES; i++, at += 2)
        snprintf(text + at, SC_LOCATION_SYSTEM_BYTES - at, "%02x", bytes[i]);
}

static void put_number(char *text, const char *name, uint64_t number)
{
    snprintf(text, SC_LOCATION_SYSTEM_BYTES, "%s:%016llx", name,
             (unsigned long long)number);
}

/* Asked of the folder, which may be opened. */
static void put_xfs(const char *path, char *text)
{
    char folder[4096];
    xfs_geometry geometry;
    const char *slash = strrchr(path, '/');
    const size_t bytes = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    if (bytes >= sizeof folder)
        return;
    memcpy(folder, path, bytes);
    folder[bytes] = '\0';
    const int file =
        sc_descriptor_open(bytes == 0 ? "." : folder, O_RDONLY | O_DIRECTORY);
    if (file < 0)
        return;
    if (ioctl(file, XFS_GEOMETRY, &geometry) == 0)
        put_hex(text, "xfs", geometry.uuid, sizeof geometry.uuid);
    close(file);
}

static void find_system(const char *path, uint64_t type, sc_location *out)
{
    if (type == EXT4)
        put_number(out->system, "ext4", out->device);
    else if (type == BTRFS)
        put_number(out->system, "btrfs", out->device);
    else if (type == ZFS)
        put_number(out->system, "zfs", out->device);
    else if (type == XFS)
        put_xfs(path, out->system);
}

typedef struct room {
    struct file_handle handle;
    unsigned char bytes[128];
} room;

static uint32_t word_at(const unsigned char *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Where a handle of that file system has the generation; below 0: not known. The types are those of
 * the kernel's exportfs.h. */
static int place_of_generation(uint64_t type, int handle_type, unsigned bytes)
{
    if (type == EXT4 && handle_type == 1 && bytes >= 8)
        return 4;
    if (type == XFS && handle_type == 1 && bytes >= 8)
        return 4;
    if (type == XFS && handle_type == 0x81 && bytes >= 12)
        return 8;
    if (type == BTRFS && handle_type == 0x4d && bytes >= 20)
        return 16;
    if (type == TMPFS && handle_type == 1 && bytes >= 12)
        return 0;
    return -1;
}

static void find_generation(const char *path, uint64_t type, sc_location *out)
{
    room r = {.handle = {.handle_bytes = sizeof r.bytes}};
    int mount;
    if (name_to_handle_at(AT_FDCWD, path, &r.handle, &mount, AT_SYMLINK_FOLLOW) != 0)
        return;
    const int at = place_of_generation(type, r.handle.handle_type, r.handle.handle_bytes);
    out->has_generation = at >= 0;
    out->generation = at >= 0 ? word_at(r.handle.f_handle + at) : 0;
}

bool sc_location_of(const char *path, sc_location *out)
{
    struct statx file;
    struct statvfs numbered;
    struct statfs typed;
    sc_location found = {.system = "-"};
    if (statx(AT_FDCWD, path, 0, STATX_INO | STATX_BTIME, &file) != 0 ||
        statvfs(path, &numbered) != 0 || statfs(path, &typed) != 0)
        return false;
    const uint64_t type = (uint32_t)typed.f_type;
    found.device = (uint64_t)numbered.f_fsid;
    found.inode = file.stx_ino;
    found.has_born = (file.stx_mask & STATX_BTIME) != 0 && file.stx_btime.tv_sec > 0;
    if (found.has_born)
        found.born =
            (uint64_t)file.stx_btime.tv_sec * 1000000000u + file.stx_btime.tv_nsec;
    find_system(path, type, &found);
    find_generation(path, type, &found);
    *out = found;
    return true;
}

static bool is_known(const char *system)
{
    return strcmp(system, "-") != 0;
}

bool sc_location_agrees(const sc_location *kept, const sc_location *found)
{
    if (kept->inode != found->inode)
        return false;
    if (kept->is_brief)
        return kept->device == found->device;
    if (is_known(kept->system) && is_known(found->system) &&
        strcmp(kept->system, found->system) != 0)
        return false;
    if (kept->has_born && found->has_born && kept->born != found->born)
        return false;
    return !kept->has_generation || !found->has_generation ||
           kept->generation == found->generation;
}
