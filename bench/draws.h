/* Measuring what a distribution draws. line is its name and parameters, as everywhere. */
#ifndef DRAWS_H
#define DRAWS_H

/* The road that ships; 0 for no target. */
void draws_fast(const char *line, double millions_target, double bits_target);
/* The plain road of the specification. */
void draws_reference(const char *line, double millions_target);
/* Setting up, tables and all, and letting go. */
void draws_set_up(const char *line);
/* One draw a call of the public interface, which takes a fresh key every time. */
void draws_single(const char *line);

#endif
