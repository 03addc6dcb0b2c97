/* Where a vault's file lies: by what tells it from every other file, and stays the same as long as
 * it is this file.
 *
 *     system      the file system, by the identity that was written into it when it was made: ext4, btrfs
 *                 and ZFS give it as f_fsid, XFS has a call for it. Not known of others, whose f_fsid
 *                 may be the number of a device.
 *     inode       the file's number there
 *     born        when the file was made, in nanoseconds since 1970, where the file system says so
 *     generation  how often that number was given to a file; in the handle of ext4, XFS, btrfs and tmpfs
 *
 * ext4 gives the number of a file that was deleted to the next one, so that the number alone cannot
 * tell a copy that was restored from what it replaces.
 *
 * The checks of a file system follow from its type, not from what a kernel happens to answer; a
 * part that is not known, then or now, is not compared. The file itself is never opened: to close it
 * again would drop the locks of other handles in this process.
 *
 * Claim  location.own  two files have different locations, at the same time or one after the other,
 *                      where a file system tells their birth or their generation; the number of a
 *                      device is no part of it
 */
#ifndef SC_VAULT_LOCATION_H
#define SC_VAULT_LOCATION_H

#include <stdbool.h>
#include <stdint.h>

#define SC_LOCATION_SYSTEM_BYTES 65

typedef struct sc_location {
    bool is_brief;   /* as format 1 had it: device and inode alone */
    uint64_t device; /* f_fsid, whatever it is made of */
    uint64_t inode;
    char system
        [SC_LOCATION_SYSTEM_BYTES]; /* such as "ext4:0123456789abcdef"; "-": not known */
    bool has_born, has_generation;
    uint64_t born, generation;
} sc_location;

/* False, with errno, when it cannot be told. */
bool sc_location_of(const char *path, sc_location *out);
/* Is a file that was there when kept was written down the one that is found now? */
bool sc_location_agrees(const sc_location *kept, const sc_location *found);

#endif
