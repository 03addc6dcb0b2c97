#include "attack/ratings.h"

#include <math.h>
#include <stdlib.h>

#define DAYS 2000
#define DAYS_OFF 14
#define STANDS_OUT 1.5 /* deviations of all scores */
#define RARE_TURNS 8   /* one of so many is wrong altogether */

/* A number below limit, from some bits of a word: for simulated people. */
static uint64_t part_of(uint64_t word, unsigned shift, uint64_t limit)
{
    return (word >> shift & 0xffff) * limit >> 16;
}

/* The cube of a uniform number: the first films are popular. */
static uint16_t film_of(uint64_t word)
{
    const double u = (double)(word & 0xffff) / 0x1p16;
    return (uint16_t)(u * u * u * SC_RATINGS_FILMS);
}

static sc_rating rating_of(uint64_t word)
{
    return (sc_rating){.film = film_of(word),
                       .day = (uint16_t)part_of(word, 16, DAYS),
                       .stars = (uint8_t)(1 + part_of(word, 32, 5))};
}

scrim_status sc_ratings_make(const sc_attack_scene *scene, sc_ratings *out,
                             scrim_error *error)
{
    for (size_t film = 0; film < SC_RATINGS_FILMS; film++)
        out->weights[film] = 0;
    for (size_t person = 0; person < SC_RATINGS_PEOPLE; person++)
        for (size_t i = 0; i < SC_RATINGS_EACH; i++) {
            uint64_t word = 0;
            scrim_status status = sc_bits_word(scene->noise.bits, &word, error);
            if (status != SCRIM_OK)
                return status;
            out->of[person][i] = rating_of(word);
            out->weights[out->of[person][i].film]++;
        }
    /* Of how many have rated a film, the weight of a rating that agrees. */
    for (size_t film = 0; film < SC_RATINGS_FILMS; film++)
        out->weights[film] = 1 / log(2 + out->weights[film]);
    return SCRIM_OK;
}

scrim_status sc_ratings_observe(const sc_attack_scene *scene, const sc_ratings *ratings,
                                size_t person, size_t count, sc_rating *out,
                                scrim_error *error)
{
    const sc_rating *own = ratings->of[person];
    for (size_t i = 0; i < count; i++) {
        uint64_t word = 0;
        scrim_status status = sc_bits_word(scene->noise.bits, &word, error);
        if (status != SCRIM_OK)
            return status;
        /* Ratings are independent, so any of them will do: the i-th. */
        out[i] = own[i];
        const int stars = own[i].stars + (int)part_of(word, 0, 3) - 1;
        const int day = own[i].day + (int)part_of(word, 16, 2 * DAYS_OFF + 1) - DAYS_OFF;
        out[i].stars = (uint8_t)(stars < 1 ? 1 : stars > 5 ? 5 : stars);
        out[i].day = (uint16_t)(day < 0 ? 0 : day);
        if (part_of(word, 32, RARE_TURNS) == 0)
            out[i].film = (uint16_t)part_of(word, 48, SC_RATINGS_FILMS);
    }
    return SCRIM_OK;
}

static bool agree(const sc_rating *a, const sc_rating *b)
{
    return a->film == b->film && abs(a->stars - b->stars) <= 1 &&
           abs(a->day - b->day) <= DAYS_OFF;
}

static double score_of(const sc_ratings *ratings, size_t person, const sc_rating *known,
                       size_t count)
{
    double score = 0;
    for (size_t i = 0; i < SC_RATINGS_EACH; i++)
        for (size_t k = 0; k < count; k++)
            if (agree(&ratings->of[person][i], &known[k]))
                score += ratings->weights[known[k].film];
    return score;
}

size_t sc_ratings_match(const sc_ratings *ratings, const sc_rating *known, size_t count)
{
    double best = -1, second = -1, sum = 0, squares = 0;
    size_t who = SC_RATINGS_PEOPLE;
    for (size_t person = 0; person < SC_RATINGS_PEOPLE; person++) {
        const double score = score_of(ratings, person, known, count);
        sum += score;
        squares += score * score;
        if (score > best) {
            second = best;
            best = score;
            who = person;
        } else if (score > second) {
            second = score;
        }
    }
    const double mean = sum / SC_RATINGS_PEOPLE;
    const double deviation = sqrt(fmax(squares / SC_RATINGS_PEOPLE - mean * mean, 0));
    return best > 0 && best - second >= STANDS_OUT * deviation ? who : SC_RATINGS_PEOPLE;
}
