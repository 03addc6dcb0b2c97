#include "base/reserve.h"

#include "base/checked.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UNIT ((size_t)16)
#define CLASSES 48
/* How many blocks of the fitting class are tried before a block of a larger class is split. */
#define TRIES 16

_Static_assert(alignof(max_align_t) <= 16, "a block is aligned for any object");

/* A part is a sequence of blocks, each a header and its bytes. Free neighbours are joined. Free
 * blocks are listed by class: the bit length of their size. */
typedef struct block block;
struct block {
    size_t bytes; /* behind the header, a multiple of UNIT; plus 1 while it is taken */
    size_t
        before; /* bytes behind the header of the block before it; 0: it is the first */
    /* In a free block. */
    block *next, *previous;
};
#define HEADER ((size_t)offsetof(block, next))

_Static_assert(offsetof(block, next) == 16 && sizeof(block) == 32,
               "a header is one unit");

struct sc_reserve_part {
    unsigned char *start;
    size_t size; /* bytes of all blocks with their headers */
    size_t used;
    bool is_made;     /* its first block exists */
    bool is_released; /* by sc_reserve_release, with blocks still in use */
    pthread_t owner;
    sc_reserve_part *next;
    block *classes[CLASSES];
};

/* All of this belongs to the process: GMP and FLINT pass no context to the functions that they allocate by. */
static alignas(16) unsigned char memory_at_start[SC_RESERVE_BYTES];
static sc_reserve_part always = {.start = memory_at_start, .size = SC_RESERVE_BYTES};
static sc_reserve_part *held;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_size_t held_blocks; /* in parts of `held` */
static atomic_size_t always_used;
static atomic_uint_fast64_t refusals;
atomic_size_t sc_reserve_blocks;
atomic_bool sc_reserve_low_now;

/* A fork waits until no thread is changing the reserve. */
static void before_fork(void)
{
    (void)pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    (void)pthread_mutex_unlock(&lock);
}

/* A thread inside the fork guard may need this lock, so a fork takes the guard first. Handlers
 * before a fork run in the opposite order of their registration: constructors with a number run
 * before those without one, such as the guard's. */
#define BEFORE_THE_GUARD 201
__attribute__((constructor(BEFORE_THE_GUARD))) static void watch_forks(void)
{
    (void)pthread_atfork(before_fork, after_fork, after_fork);
}

static bool is_taken(const block *b)
{
    return (b->bytes & 1) != 0;
}

static size_t bytes_of(const block *b)
{
    return b->bytes & ~(size_t)1;
}

static block *at(unsigned char *place)
{
    return (block *)(void *)place;
}

static block *behind(const sc_reserve_part *part, block *b)
{
    unsigned char *next = (unsigned char *)b + HEADER + bytes_of(b);
    return next < part->start + part->size ? at(next) : NULL;
}

static unsigned class_of(size_t bytes)
{
    const unsigned length = sc_bit_length64(bytes);
    return length < CLASSES ? length : CLASSES - 1;
}

/* Adds a free block to the list of its class. */
static void enlist(sc_reserve_part *part, block *b)
{
    block **first = &part->classes[class_of(b->bytes)];
    b->previous = NULL;
    b->next = *first;
    if (*first != NULL)
        (*first)->previous = b;
    *first = b;
}

/* Removes a block from the list of its class. */
static void strike(sc_reserve_part *part, block *b)
{
    if (b->previous != NULL)
        b->previous->next = b->next;
    else
        part->classes[class_of(b->bytes)] = b->next;
    if (b->next != NULL)
        b->next->previous = b->previous;
}

static void set_bytes(const sc_reserve_part *part, block *b, size_t bytes)
{
    b->bytes = bytes;
    block *next = behind(part, b);
    if (next != NULL)
        next->before = bytes;
}

/* A free block of enough bytes. Every block of a larger class fits, so that the search is short;
 * only if there is no such block is the whole list of the fitting class tried. */
static block *find(const sc_reserve_part *part, size_t bytes)
{
    const unsigned first = class_of(bytes);
    unsigned tries = TRIES;
    for (block *b = part->classes[first]; b != NULL && tries-- > 0; b = b->next)
        if (b->bytes >= bytes)
            return b;
    for (unsigned c = first + 1; c < CLASSES; c++)
        if (part->classes[c] != NULL)
            return part->classes[c];
    for (block *b = part->classes[first]; b != NULL; b = b->next)
        if (b->bytes >= bytes)
            return b;
    return NULL;
}

static void *take_from(sc_reserve_part *part, size_t bytes)
{
    if (!part->is_made) {
        block *all = at(part->start);
        all->bytes = part->size - HEADER;
        all->before = 0;
        enlist(part, all);
        part->is_made = true;
    }
    block *b = find(part, bytes);
    if (b == NULL)
        return NULL;
    strike(part, b);
    if (b->bytes - bytes >= sizeof(block)) {
        const size_t rest = b->bytes - bytes - HEADER;
        b->bytes = bytes;
        block *cut = at((unsigned char *)b + HEADER + bytes);
        cut->before = bytes;
        set_bytes(part, cut, rest);
        enlist(part, cut);
    }
    part->used += b->bytes + HEADER;
    b->bytes |= 1;
    return (unsigned char *)b + HEADER;
}

/* Frees a block and wipes it, since numbers may be secret. */
static void give_to(sc_reserve_part *part, block *b)
{
    b->bytes = bytes_of(b);
    explicit_bzero((unsigned char *)b + HEADER, b->bytes);
    part->used -= b->bytes + HEADER;
    block *next = behind(part, b);
    if (next != NULL && !is_taken(next)) {
        strike(part, next);
        set_bytes(part, b, b->bytes + HEADER + next->bytes);
    }
    if (b->before > 0) {
        block *previous = at((unsigned char *)b - b->before - HEADER);
        if (!is_taken(previous)) {
            strike(part, previous);
            set_bytes(part, previous, previous->bytes + HEADER + b->bytes);
            b = previous;
        }
    }
    enlist(part, b);
}

static bool is_in(const sc_reserve_part *part, const void *memory)
{
    return (uintptr_t)memory - (uintptr_t)part->start < part->size;
}

/* The place in the list that leads to the part with this block, or NULL. */
static sc_reserve_part **part_of(const void *memory)
{
    for (sc_reserve_part **part = &held; *part != NULL; part = &(*part)->next)
        if (is_in(*part, memory))
            return part;
    return NULL;
}

static void note_level(void)
{
    atomic_store(&always_used, always.used);
    atomic_store(&sc_reserve_low_now, SC_RESERVE_BYTES - always.used < SC_RESERVE_LOW);
}

void *sc_reserve_take(size_t bytes)
{
    void *memory = NULL;
    if (bytes > SIZE_MAX - UNIT)
        return NULL;
    bytes = (bytes + UNIT - 1) / UNIT * UNIT;
    if (bytes == 0)
        bytes = UNIT;
    (void)pthread_mutex_lock(&lock);
    for (sc_reserve_part *part = held; memory == NULL && part != NULL; part = part->next)
        if (!part->is_released && pthread_equal(part->owner, pthread_self()) != 0) {
            memory = take_from(part, bytes);
            if (memory != NULL)
                atomic_fetch_add(&held_blocks, 1);
        }
    if (memory == NULL) {
        memory = take_from(&always, bytes);
        note_level();
    }
    if (memory != NULL)
        atomic_fetch_add(&sc_reserve_blocks, 1);
    (void)pthread_mutex_unlock(&lock);
    return memory;
}

/* Early exit without the lock: most memory is the allocator's, even while numbers hold some blocks for long. */
static bool may_be_taken(const void *memory)
{
    return sc_reserve_is_used() &&
           (is_in(&always, memory) ||
            atomic_load_explicit(&held_blocks, memory_order_relaxed) > 0);
}

size_t sc_reserve_bytes(const void *memory)
{
    size_t bytes = 0;
    if (memory == NULL || !may_be_taken(memory))
        return 0;
    (void)pthread_mutex_lock(&lock);
    if (is_in(&always, memory) || part_of(memory) != NULL)
        memcpy(&bytes, (const unsigned char *)memory - HEADER, sizeof bytes);
    (void)pthread_mutex_unlock(&lock);
    return bytes & ~(size_t)1;
}

bool sc_reserve_give(void *memory)
{
    sc_reserve_part *ended = NULL;
    bool is_ours = true;
    if (memory == NULL || !may_be_taken(memory))
        return false;
    block *b = at((unsigned char *)memory - HEADER);
    (void)pthread_mutex_lock(&lock);
    if (is_in(&always, memory)) {
        give_to(&always, b);
        note_level();
    } else {
        sc_reserve_part **part = part_of(memory);
        is_ours = part != NULL;
        if (is_ours) {
            give_to(*part, b);
            atomic_fetch_sub(&held_blocks, 1);
            if ((*part)->is_released && (*part)->used == 0) {
                ended = *part;
                *part = ended->next;
            }
        }
    }
    if (is_ours)
        atomic_fetch_sub(&sc_reserve_blocks, 1);
    (void)pthread_mutex_unlock(&lock);
    free(ended);
    return is_ours;
}

bool sc_reserve_is_ready(void)
{
    return atomic_load(&always_used) <= SC_RESERVE_BYTES / 2;
}

uint64_t sc_reserve_refusals(void)
{
    return atomic_load(&refusals);
}

void sc_reserve_note_refusal(void)
{
    atomic_fetch_add(&refusals, 1);
}

sc_reserve_part *sc_reserve_hold(size_t bytes)
{
    const size_t front = (sizeof(sc_reserve_part) + UNIT - 1) / UNIT * UNIT;
    size_t all;
    bytes = bytes < sizeof(block) ? sizeof(block) : bytes - bytes % UNIT;
    if (!sc_size_add(bytes, front, &all))
        return NULL;
    /* Plain malloc: its pages take no memory before they are touched. */
    sc_reserve_part *part = sc_reserve_is_low() ? NULL : malloc(all);
    if (part == NULL)
        return NULL;
    *part = (sc_reserve_part){
        .start = (unsigned char *)part + front, .size = bytes, .owner = pthread_self()};
    (void)pthread_mutex_lock(&lock);
    part->next = held;
    held = part;
    (void)pthread_mutex_unlock(&lock);
    return part;
}

bool sc_reserve_part_is_used(const sc_reserve_part *part)
{
    if (part == NULL)
        return false;
    (void)pthread_mutex_lock(&lock);
    const bool is_used = part->used > 0;
    (void)pthread_mutex_unlock(&lock);
    return is_used;
}

void sc_reserve_release(sc_reserve_part *part)
{
    if (part == NULL)
        return;
    (void)pthread_mutex_lock(&lock);
    const bool is_free = part->used == 0;
    part->is_released = true;
    for (sc_reserve_part **link = &held; is_free && *link != NULL; link = &(*link)->next)
        if (*link == part) {
            *link = part->next;
            break;
        }
    (void)pthread_mutex_unlock(&lock);
    if (is_free)
        free(part);
}
