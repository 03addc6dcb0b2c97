/* Memory for numbers when the allocator has no memory left. GMP and FLINT end the process when an
 * allocation fails, and no operation on a number can report one. So they take what the allocator
 * refuses from here (base/number/ball_memory): the number is right, and the operation ends.
 *
 * The reserve is a part of the program's own memory and is there from the start. When less than
 * SC_RESERVE_LOW of it is left, it is low: sc_allocate then finds no memory, so that the
 * computation ends with SCRIM_E_MEMORY, and operations on balls give the ball that contains every
 * number, which takes none. The rest serves the operations that are still needed to get there.
 * All of it is usable again once these numbers are freed. A product of long lists needs more than
 * that and sets memory aside first (sc_reserve_hold).
 *
 * The reserve belongs to the process, like the functions by which GMP and FLINT allocate, and all
 * threads share it. A fork copies it whole.
 *
 * Claim  reserve.memory  where memory runs out inside GMP, FLINT or Arb the call fails with
 *                        SCRIM_E_MEMORY or gives what it gives with enough memory; the process
 *                        goes on, and they print nothing (A103)
 */
#ifndef SC_BASE_RESERVE_H
#define SC_BASE_RESERVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SC_RESERVE_BYTES ((size_t)8 << 20)
/* Enough for any single operation on balls and for many on ratios. */
#define SC_RESERVE_LOW ((size_t)2 << 20)

/* For the functions below alone. */
extern atomic_size_t sc_reserve_blocks;
extern atomic_bool sc_reserve_low_now;

static inline bool sc_reserve_is_low(void)
{
    return atomic_load_explicit(&sc_reserve_low_now, memory_order_relaxed);
}
/* True while numbers use blocks of the reserve or of held memory. Ask this before sc_reserve_give. */
static inline bool sc_reserve_is_used(void)
{
    return atomic_load_explicit(&sc_reserve_blocks, memory_order_relaxed) > 0;
}
/* True when at least half of it is free. Asked before a charge: no memory may be missing after it. */
bool sc_reserve_is_ready(void);

/* Operations that gave no number because the reserve was low, in all threads since the process began.
 * Where this has grown during a computation its bounds may be useless, and it fails for want of memory. */
uint64_t sc_reserve_refusals(void);
void sc_reserve_note_refusal(void);

/* A block that is aligned for any object, or NULL: from memory that this thread holds, or else from the reserve. */
void *sc_reserve_take(size_t bytes);
/* The bytes of a block that was taken, at least what was asked for; 0 for other memory. */
size_t sc_reserve_bytes(const void *memory);
/* Wipes a block and takes it back; false, and nothing is done, for other memory. */
bool sc_reserve_give(void *memory);

/* Sets this number of bytes aside for the numbers of the calling thread, or returns NULL. At most one
 * at a time for a thread. */
typedef struct sc_reserve_part sc_reserve_part;
sc_reserve_part *sc_reserve_hold(size_t bytes);
/* True when numbers hold some of it; NULL is allowed. */
bool sc_reserve_part_is_used(const sc_reserve_part *part);
/* NULL is allowed. Memory of which numbers still hold a block is freed with the last of them. */
void sc_reserve_release(sc_reserve_part *part);

#endif
