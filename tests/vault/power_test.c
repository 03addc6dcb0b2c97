/* THREATS A41: the power goes. A file system under SQLite that remembers which writes were synced
 * and, at a chosen moment, loses, reorders and tears the others. */
#include "check.h"
#include "scene.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTOR 512
#define FILES 2 /* the vault and its journal */

typedef struct pending {
    sqlite3_int64 offset; /* below 0: the file is cut to bytes */
    size_t bytes;
    unsigned char *data;
} pending;

typedef struct disk_file {
    char path[160];
    bool exists, is_named; /* its name is on the disk, too */
    unsigned char *durable;
    size_t durable_bytes;
    pending *waiting;
    size_t count, capacity;
} disk_file;

static disk_file disk[FILES];
static uint64_t steps, cut_at; /* calls to the disk; the one at which the power goes */
static uint64_t state_of_dice;

/* SplitMix64: dice for the test, from its seed. */
static uint64_t roll(uint64_t sides)
{
    uint64_t z = state_of_dice += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % sides;
}

static bool power_is_off(void)
{
    return cut_at != 0 && steps >= cut_at;
}

static bool step(void)
{
    if (!power_is_off())
        steps++;
    return !power_is_off();
}

static void grow(unsigned char **bytes, size_t *count, size_t wanted)
{
    if (wanted <= *count)
        return;
    *bytes = realloc(*bytes, wanted);
    if (*bytes == NULL)
        abort();
    memset(*bytes + *count, 0, wanted - *count);
    *count = wanted;
}

static void apply_range(disk_file *f, const pending *p, size_t from, size_t to)
{
    grow(&f->durable, &f->durable_bytes, (size_t)p->offset + to);
    memcpy(f->durable + p->offset + from, p->data + from, to - from);
}

static void apply(disk_file *f, const pending *p)
{
    if (p->offset >= 0)
        apply_range(f, p, 0, p->bytes);
    else if (p->bytes < f->durable_bytes)
        f->durable_bytes = p->bytes;
}

static void forget(disk_file *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->waiting[i].data);
    f->count = 0;
}

static void add_pending(disk_file *f, sqlite3_int64 offset, const void *data,
                        size_t bytes)
{
    if (f->count == f->capacity) {
        f->capacity = f->capacity == 0 ? 64 : 2 * f->capacity;
        f->waiting = realloc(f->waiting, f->capacity * sizeof *f->waiting);
        if (f->waiting == NULL)
            abort();
    }
    pending *p = &f->waiting[f->count++];
    *p = (pending){offset, bytes, NULL};
    if (data != NULL) {
        p->data = malloc(bytes);
        if (p->data == NULL)
            abort();
        memcpy(p->data, data, bytes);
    }
}

/* Writes that were not synced: each piece is there, or not, or torn, in any order. So is a name
 * whose folder was not synced. */
static void lose_power(disk_file *f)
{
    if (!f->is_named && roll(2) == 0)
        f->exists = false;
    for (size_t i = f->count; i > 1; i--) {
        size_t other = (size_t)roll(i);
        pending moved = f->waiting[i - 1];
        f->waiting[i - 1] = f->waiting[other];
        f->waiting[other] = moved;
    }
    for (size_t i = 0; i < f->count; i++) {
        const pending *p = &f->waiting[i];
        const uint64_t fate = roll(3);
        if (fate == 0 || p->offset < 0) {
            if (roll(2) == 0)
                apply(f, p);
        } else if (fate == 1) {
            apply(f, p);
        } else {
            for (size_t from = 0; from < p->bytes; from += SECTOR) {
                size_t to = from + SECTOR < p->bytes ? from + SECTOR : p->bytes;
                if (roll(2) == 0) /* a sector, whole or only begun */
                    apply_range(f, p, from, roll(4) == 0 ? from + roll(to - from) : to);
            }
        }
    }
    forget(f);
}

static disk_file *find(const char *path)
{
    for (size_t i = 0; i < FILES; i++)
        if (path != NULL && strcmp(disk[i].path, path) == 0)
            return &disk[i];
    return NULL;
}

/* The shim: real files below, the memory of what was synced beside them. */

typedef struct shim_file {
    sqlite3_file base;
    disk_file *disk; /* NULL: not one that is watched */
    sqlite3_file *real;
} shim_file;

static sqlite3_vfs shim, *below;
static sqlite3_io_methods methods;

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((shim_file *)file)->real;
}

static int shim_close(sqlite3_file *file)
{
    int code = real_of(file)->pMethods == NULL
                   ? SQLITE_OK
                   : real_of(file)->pMethods->xClose(real_of(file));
    free(real_of(file));
    return code;
}

static int shim_read(sqlite3_file *file, void *data, int bytes, sqlite3_int64 offset)
{
    if (power_is_off())
        return SQLITE_IOERR_READ;
    return real_of(file)->pMethods->xRead(real_of(file), data, bytes, offset);
}

static int shim_write(sqlite3_file *file, const void *data, int bytes,
                      sqlite3_int64 offset)
{
    disk_file *f = ((shim_file *)file)->disk;
    if (!step()) {
        if (f != NULL && steps == cut_at) { /* it may have been on its way */
            add_pending(f, offset, data, (size_t)bytes);
            steps++;
        }
        return SQLITE_IOERR_WRITE;
    }
    if (f != NULL)
        add_pending(f, offset, data, (size_t)bytes);
    return real_of(file)->pMethods->xWrite(real_of(file), data, bytes, offset);
}

static int shim_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    disk_file *f = ((shim_file *)file)->disk;
    if (!step())
        return SQLITE_IOERR_TRUNCATE;
    if (f != NULL)
        add_pending(f, -1, NULL, (size_t)size);
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

static int shim_sync(sqlite3_file *file, int flags)
{
    disk_file *f = ((shim_file *)file)->disk;
    (void)flags; /* the real disk need not be troubled */
    if (!step())
        return SQLITE_IOERR_FSYNC;
    for (size_t i = 0; f != NULL && i < f->count; i++)
        apply(f, &f->waiting[i]);
    if (f != NULL) {
        forget(f);
        f->is_named = true; /* SQLite syncs the folder with a new journal */
    }
    return SQLITE_OK;
}

static int shim_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int shim_lock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int shim_unlock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int shim_reserved(sqlite3_file *file, int *out)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int shim_control(sqlite3_file *file, int operation, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}

static int shim_sector(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

/* No promise about what survives: not even that a sector is whole. */
static int shim_device(sqlite3_file *file)
{
    (void)file;
    return 0;
}

static int shim_map(sqlite3_file *file, int page, int bytes, int extend,
                    void volatile **out)
{
    return real_of(file)->pMethods->xShmMap(real_of(file), page, bytes, extend, out);
}

static int shim_shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}

static void shim_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int shim_unmap(sqlite3_file *file, int remove_it)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove_it);
}

static int shim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags,
                     int *out_flags)
{
    shim_file *mine = (shim_file *)file;
    (void)vfs;
    mine->real = calloc(1, (size_t)below->szOsFile);
    if (mine->real == NULL)
        return SQLITE_NOMEM;
    int code = below->xOpen(below, name, mine->real, flags, out_flags);
    mine->base.pMethods = code == SQLITE_OK ? &methods : NULL;
    mine->disk = find(name);
    if (mine->disk != NULL && !mine->disk->exists && (flags & SQLITE_OPEN_CREATE) != 0) {
        mine->disk->exists = true;
        mine->disk->is_named = false;
    }
    if (code != SQLITE_OK)
        free(mine->real);
    return code;
}

static void vanish(disk_file *f)
{
    forget(f);
    f->exists = false;
    f->durable_bytes = 0;
}

/* A name that is gone may come back when the folder was not synced: the journal then holds what it
 * held when it was last synced. */
static int shim_delete(sqlite3_vfs *vfs, const char *name, int sync_folder)
{
    disk_file *f = find(name);
    const bool was_on = !power_is_off();
    (void)vfs;
    if (!step()) {
        if (f != NULL && was_on && roll(2) == 0)
            vanish(f);
        return SQLITE_IOERR_DELETE;
    }
    if (f != NULL && (sync_folder != 0 || roll(2) == 0))
        vanish(f);
    return below->xDelete(below, name, sync_folder);
}

static void install(void)
{
    below = sqlite3_vfs_find(NULL);
    shim = *below;
    shim.zName = "unix"; /* the one that vaults ask for */
    shim.szOsFile = (int)sizeof(shim_file);
    shim.xOpen = shim_open;
    shim.xDelete = shim_delete;
    methods = (sqlite3_io_methods){
        2,           shim_close, shim_read,     shim_write,    shim_truncate, shim_sync,
        shim_size,   shim_lock,  shim_unlock,   shim_reserved, shim_control,  shim_sector,
        shim_device, shim_map,   shim_shm_lock, shim_barrier,  shim_unmap,    NULL,
        NULL};
    CHECK(sqlite3_vfs_register(&shim, 1) == SQLITE_OK);
}

/* Takes what is on the real disk for what is durable. */
static void learn(disk_file *f)
{
    forget(f);
    f->durable_bytes = 0;
    int file = open(f->path, O_RDONLY);
    f->exists = f->is_named = file >= 0;
    if (file < 0)
        return;
    off_t size = lseek(file, 0, SEEK_END);
    grow(&f->durable, &f->durable_bytes, (size_t)size);
    f->durable_bytes = (size_t)size;
    CHECK(pread(file, f->durable, (size_t)size, 0) == size);
    close(file);
}

/* The disk as it is found when the power is back. */
static void put_back(const disk_file *f)
{
    if (!f->exists) {
        (void)unlink(f->path);
        return;
    }
    int file = open(f->path, O_WRONLY | O_CREAT, 0600);
    CHECK(file >= 0 && ftruncate(file, 0) == 0);
    CHECK(pwrite(file, f->durable, f->durable_bytes, 0) == (ssize_t)f->durable_bytes);
    close(file);
}

/* Spends until the power goes, or three times; the number of answers that were shown. */
static uint64_t spend_until_dark(const scene *s, const scrim_measurement *question)
{
    scrim_vault *vault = NULL;
    uint64_t shown = 0;
    if (scrim_vault_open(s->path, SCRIM_OPTIONS(scrim_vault_options, .wait_ms = -1),
                         &vault, NULL) == SCRIM_OK)
        for (int i = 0; i < 3; i++)
            shown += scene_release(vault, "people", question, NULL, NULL) == SCRIM_OK;
    scrim_vault_close(vault);
    return shown;
}

/* A vault to lose power with; false when the test cannot go on. */
static bool begin_disk(scene *s, scrim_vault_state *state)
{
    cut_at = 0;
    if (!scene_begin_vault(s, "epsilon=1000000", true) || !scene_verifies(s, state))
        return false;
    snprintf(disk[0].path, sizeof disk[0].path, "%s", s->path);
    snprintf(disk[1].path, sizeof disk[1].path, "%s-journal", s->path);
    return true;
}

/* The power goes at that call to the disk, and comes back. The number of answers shown. */
static uint64_t spend_through_a_cut(const scene *s, const scrim_measurement *question,
                                    uint64_t at)
{
    for (size_t i = 0; i < FILES; i++)
        learn(&disk[i]);
    steps = 0;
    cut_at = at;
    const uint64_t shown = spend_until_dark(s, question);
    for (size_t i = 0; power_is_off() && i < FILES; i++) {
        lose_power(&disk[i]);
        put_back(&disk[i]);
    }
    cut_at = 0;
    return shown;
}

#define CYCLES_OF_A_VAULT 100 /* so that to verify it stays cheap */

TEST(A41_power_cuts)
{
    CLAIM("vault.charged");
    CLAIM("store.atomic");
    scene s;
    scrim_vault_state state = {0};
    scrim_measurement *question = scene_question("0.1");
    state_of_dice = check_seed();
    install();
    if (!begin_disk(&s, &state))
        return;
    /* How many calls the whole takes, with the lights on. */
    CHECK_INT(spend_through_a_cut(&s, question, 0), 3);
    const uint64_t whole = steps;
    CHECK(whole > 20);
    uint64_t dark = 0, wasted = 0;
    CHECK(scene_verifies(&s, &state));
    for (uint64_t cycle = check_count(200, 10000); cycle > 0; cycle--) {
        if (cycle % CYCLES_OF_A_VAULT == 0) {
            scene_end(&s);
            if (!begin_disk(&s, &state))
                return;
        }
        const scrim_vault_state before = state;
        /* At times it goes again before anybody has looked: while the vault recovers. */
        const uint64_t cuts = 1 + roll(2);
        uint64_t shown = 0;
        for (uint64_t i = 0; i < cuts; i++)
            shown += spend_through_a_cut(&s, question, 1 + roll(whole));
        dark += shown < 3 * cuts;
        if (!scene_verifies(&s, &state)) {
            CHECK_FAIL("after a cut at %llu of %llu", (unsigned long long)steps,
                       (unsigned long long)whole);
            break;
        }
        const uint64_t charged = state.charges - before.charges;
        const uint64_t released = state.releases - before.releases;
        if (released < shown || charged < released || charged > shown + cuts)
            CHECK_FAIL("%llu shown, %llu charged, %llu released",
                       (unsigned long long)shown, (unsigned long long)charged,
                       (unsigned long long)released);
        wasted += charged > shown;
    }
    CHECK(dark > 0 && wasted > 0);
    sqlite3_vfs_unregister(&shim);
    scrim_measurement_free(question);
    scene_end(&s);
}
