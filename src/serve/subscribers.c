/* subscribers.c - a list of listeners. */
#include "subscribers.h"

#include <stdlib.h>
#include <string.h>

static const struct listener *find_listener(const struct subscribers *subscribers,
                                            const struct client *client, enum onlooker eyes,
                                            bool seated) {
    for (size_t i = 0; i < subscribers->count; i++) {
        const struct listener *listener = &subscribers->list[i];
        if (listener->client == client && listener->eyes == eyes && listener->seated == seated)
            return listener;
    }
    return NULL;
}

const struct listener *subscribers_add(struct subscribers *subscribers, struct client *client,
                                       enum onlooker eyes, bool seated, struct fault *fault) {
    const struct listener *known = find_listener(subscribers, client, eyes, seated);
    if (known) return known;
    struct listener *list =
        array_grown(subscribers->list, subscribers->count, sizeof *list, LISTENERS_MAX);
    if (!list) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a listener");
        return NULL;
    }
    subscribers->list = list;
    if (!seated && !visitor_take(client_visitor(client), HOLDS_WATCHED, fault)) return NULL;
    list[subscribers->count] = (struct listener){client_hold(client), eyes, seated};
    return &list[subscribers->count++];
}

static void forget_listener(const struct listener *listener) {
    if (!listener->seated) visitor_give(client_visitor(listener->client), HOLDS_WATCHED);
    client_release(listener->client);
}

void subscribers_drop(struct subscribers *subscribers, size_t index) {
    forget_listener(&subscribers->list[index]);
    for (subscribers->count--; index < subscribers->count; index++)
        subscribers->list[index] = subscribers->list[index + 1];
}

size_t subscribers_remove(struct subscribers *subscribers, const struct client *client) {
    const size_t before = subscribers->count;
    for (size_t i = before; i-- > 0;)
        if (subscribers->list[i].client == client) subscribers_drop(subscribers, i);
    return before - subscribers->count;
}

void subscribers_leave_seat(struct subscribers *subscribers, enum side side) {
    for (size_t i = subscribers->count; i-- > 0;)
        if (subscribers->list[i].seated && (enum side)subscribers->list[i].eyes == side)
            subscribers_drop(subscribers, i);
}

struct client *subscribers_holder(const struct subscribers *subscribers, enum side side) {
    for (size_t i = 0; i < subscribers->count; i++)
        if (subscribers->list[i].seated && (enum side)subscribers->list[i].eyes == side)
            return subscribers->list[i].client;
    return NULL;
}

bool subscribers_has(const struct subscribers *subscribers, const struct client *client) {
    for (size_t i = 0; i < subscribers->count; i++)
        if (subscribers->list[i].client == client) return true;
    return false;
}

void subscribers_clear(struct subscribers *subscribers) {
    for (size_t i = 0; i < subscribers->count; i++) forget_listener(&subscribers->list[i]);
    free(subscribers->list);
    subscribers->list = NULL;
    subscribers->count = 0;
    for (size_t i = 0; i < subscribers->parcel_count; i++) {
        client_release(subscribers->parcels[i].client);
        json_decref(subscribers->parcels[i].message);
        free(subscribers->parcels[i].lines);
    }
    free(subscribers->parcels);
    subscribers->parcels = NULL;
    subscribers->parcel_count = 0;
}

/* What waits is owned by the parcel. NULL without memory. */
static struct parcel *add_parcel(struct subscribers *subscribers, struct client *client) {
    struct parcel *parcels =
        array_grown(subscribers->parcels, subscribers->parcel_count, sizeof *parcels, PARCELS_MAX);
    if (!parcels) return NULL;
    subscribers->parcels = parcels;
    parcels[subscribers->parcel_count] = (struct parcel){.client = client_hold(client)};
    return &parcels[subscribers->parcel_count++];
}

void subscribers_reply(struct subscribers *subscribers, struct client *client, json_t *message) {
    struct parcel *parcel = subscribers->held && message ? add_parcel(subscribers, client) : NULL;
    if (parcel) {
        parcel->message = message;
        return;
    }
    if (subscribers->held) { /* it would miss something, or hear it too early */
        json_decref(message);
        message = NULL;
    }
    client_send(client, message);
}

void subscribers_send_lines(struct subscribers *subscribers, const struct listener *listener,
                            const char *lines, size_t length) {
    char *copy = subscribers->held ? strndup(lines, length) : NULL;
    struct parcel *parcel = copy ? add_parcel(subscribers, listener->client) : NULL;
    if (parcel) {
        parcel->lines = copy;
        return;
    }
    free(copy);
    client_send_lines(listener->client, subscribers->held ? NULL : lines, length);
}

void subscribers_release(struct subscribers *subscribers) {
    subscribers->held = false;
    for (size_t i = 0; i < subscribers->parcel_count; i++) {
        struct parcel *parcel = &subscribers->parcels[i];
        if (parcel->lines)
            client_send_lines(parcel->client, parcel->lines, strlen(parcel->lines));
        else
            client_send(parcel->client, parcel->message);
        client_release(parcel->client);
        free(parcel->lines);
    }
    free(subscribers->parcels);
    subscribers->parcels = NULL;
    subscribers->parcel_count = 0;
}

json_t *subscribers_mark(const struct subscribers *subscribers, const struct listener *listener,
                         json_t *message) {
    if (!message) return NULL;
    json_object_set_new(message, "game", json_string(subscribers->id));
    json_object_set_new(message, listener->seated ? "seat" : "eyes",
                        json_string(onlooker_name(listener->eyes)));
    return message;
}

void subscribers_send(struct subscribers *subscribers, const struct listener *listener,
                      json_t *message) {
    subscribers_reply(subscribers, listener->client,
                      subscribers_mark(subscribers, listener, message));
}

void subscribers_send_seat(struct subscribers *subscribers, enum side side, json_t *message) {
    for (size_t i = 0; i < subscribers->count; i++) {
        const struct listener *listener = &subscribers->list[i];
        if (!listener->seated || (enum side)listener->eyes != side) continue;
        subscribers_send(subscribers, listener, message);
        return;
    }
    json_decref(message);
}
