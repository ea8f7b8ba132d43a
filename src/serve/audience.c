/* audience.c - a list of listeners. */
#include "audience.h"

#include <stdlib.h>
#include <string.h>

static const struct listener *find_listener(const struct audience *audience,
                                            const struct client *client, enum onlooker eyes,
                                            bool seated) {
    for (size_t i = 0; i < audience->count; i++) {
        const struct listener *listener = &audience->list[i];
        if (listener->client == client && listener->eyes == eyes && listener->seated == seated)
            return listener;
    }
    return NULL;
}

const struct listener *audience_add(struct audience *audience, struct client *client,
                                    enum onlooker eyes, bool seated, struct fault *fault) {
    const struct listener *known = find_listener(audience, client, eyes, seated);
    if (known) return known;
    struct listener *list =
        array_grown(audience->list, audience->count, sizeof *list, LISTENERS_MAX);
    if (!list) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a listener");
        return NULL;
    }
    audience->list = list;
    if (!seated && !visitor_take(client_visitor(client), HOLDS_WATCHED, fault)) return NULL;
    list[audience->count] = (struct listener){client_hold(client), eyes, seated};
    return &list[audience->count++];
}

static void forget_listener(const struct listener *listener) {
    if (!listener->seated) visitor_give(client_visitor(listener->client), HOLDS_WATCHED);
    client_release(listener->client);
}

void audience_drop(struct audience *audience, size_t index) {
    forget_listener(&audience->list[index]);
    for (audience->count--; index < audience->count; index++)
        audience->list[index] = audience->list[index + 1];
}

size_t audience_remove(struct audience *audience, const struct client *client) {
    const size_t before = audience->count;
    for (size_t i = before; i-- > 0;)
        if (audience->list[i].client == client) audience_drop(audience, i);
    return before - audience->count;
}

void audience_leave_seat(struct audience *audience, enum side side) {
    for (size_t i = audience->count; i-- > 0;)
        if (audience->list[i].seated && (enum side)audience->list[i].eyes == side)
            audience_drop(audience, i);
}

struct client *audience_holder(const struct audience *audience, enum side side) {
    for (size_t i = 0; i < audience->count; i++)
        if (audience->list[i].seated && (enum side)audience->list[i].eyes == side)
            return audience->list[i].client;
    return NULL;
}

bool audience_has(const struct audience *audience, const struct client *client) {
    for (size_t i = 0; i < audience->count; i++)
        if (audience->list[i].client == client) return true;
    return false;
}

void audience_clear(struct audience *audience) {
    for (size_t i = 0; i < audience->count; i++) forget_listener(&audience->list[i]);
    free(audience->list);
    audience->list = NULL;
    audience->count = 0;
    for (size_t i = 0; i < audience->parcel_count; i++) {
        client_release(audience->parcels[i].client);
        json_decref(audience->parcels[i].message);
        free(audience->parcels[i].lines);
    }
    free(audience->parcels);
    audience->parcels = NULL;
    audience->parcel_count = 0;
}

/* What waits is owned by the parcel. NULL without memory. */
static struct parcel *add_parcel(struct audience *audience, struct client *client) {
    struct parcel *parcels =
        array_grown(audience->parcels, audience->parcel_count, sizeof *parcels, PARCELS_MAX);
    if (!parcels) return NULL;
    audience->parcels = parcels;
    parcels[audience->parcel_count] = (struct parcel){.client = client_hold(client)};
    return &parcels[audience->parcel_count++];
}

void audience_reply(struct audience *audience, struct client *client, json_t *message) {
    struct parcel *parcel = audience->held && message ? add_parcel(audience, client) : NULL;
    if (parcel) {
        parcel->message = message;
        return;
    }
    if (audience->held) { /* it would miss something, or hear it too early */
        json_decref(message);
        message = NULL;
    }
    client_send(client, message);
}

void audience_send_lines(struct audience *audience, const struct listener *listener,
                         const char *lines, size_t length) {
    char *copy = audience->held ? strndup(lines, length) : NULL;
    struct parcel *parcel = copy ? add_parcel(audience, listener->client) : NULL;
    if (parcel) {
        parcel->lines = copy;
        return;
    }
    free(copy);
    client_send_lines(listener->client, audience->held ? NULL : lines, length);
}

void audience_release(struct audience *audience) {
    audience->held = false;
    for (size_t i = 0; i < audience->parcel_count; i++) {
        struct parcel *parcel = &audience->parcels[i];
        if (parcel->lines)
            client_send_lines(parcel->client, parcel->lines, strlen(parcel->lines));
        else
            client_send(parcel->client, parcel->message);
        client_release(parcel->client);
        free(parcel->lines);
    }
    free(audience->parcels);
    audience->parcels = NULL;
    audience->parcel_count = 0;
}

json_t *audience_mark(const struct audience *audience, const struct listener *listener,
                      json_t *message) {
    if (!message) return NULL;
    json_object_set_new(message, "game", json_string(audience->id));
    json_object_set_new(message, listener->seated ? "seat" : "eyes",
                        json_string(onlooker_name(listener->eyes)));
    return message;
}

void audience_send(struct audience *audience, const struct listener *listener, json_t *message) {
    audience_reply(audience, listener->client, audience_mark(audience, listener, message));
}

void audience_send_seat(struct audience *audience, enum side side, json_t *message) {
    for (size_t i = 0; i < audience->count; i++) {
        const struct listener *listener = &audience->list[i];
        if (!listener->seated || (enum side)listener->eyes != side) continue;
        audience_send(audience, listener, message);
        return;
    }
    json_decref(message);
}
