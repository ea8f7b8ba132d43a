/* study.h - questions about a game that is over, or about a record: how its chances stood
 * (`analyse`), where other moves would have led (`explore`), what a bot would have played there and
 * why (`advise`).
 *
 * The text of a record is all that a study knows, and who asks has it or may have it. Rules and
 * bots are those of the variant cache; bots run behind the wall, and take turns, threads and
 * processes as those of the visitor's games do. */
#ifndef ENSIGN_SERVE_STUDY_H
#define ENSIGN_SERVE_STUDY_H

#include "bot_slots.h"
#include "client.h"
#include "variant_cache.h"
#include "workers.h"

#include "base/chance.h"
#include "lua/sandbox.h"

struct studies;

struct study_terms {
    struct workers *workers;
    struct variant_cache *variants;
    struct bot_slots *slots; /* NULL: bots are not counted */
    const struct folders *folders;
    struct sandbox_limits limits; /* of bots */
    int deadline;                 /* ms for an answer of a bot's process */
    struct chance key;            /* bots that advise derive their chance from it */
    bool open;                    /* variants and bots may be paths; files may change */
    void (*done)(void *context);  /* called once for each study that has begun */
    void *context;
};

/* NULL without memory. Close it when all studies have ended. */
struct studies *studies_open(const struct study_terms *terms);
void studies_close(struct studies *studies); /* NULL is allowed */

/* Those that go on end soon, without a reply. */
void studies_stop(struct studies *studies);

/* Is this "type" of request a study? */
bool study_is(const char *type);

/* Begins one: of the record in the request, or, for the game of this id, of `record`, which it
 * takes over (NULL for both: the request's). The request is the caller's. Replies to the client
 * when it is done. False with a fault, and nothing begun, if the request is wrong or the visitor
 * has too many.
 */
bool study_begin(struct studies *studies, struct client *client, const json_t *request,
                 const char *game, char *record, struct fault *fault);

#endif
