/* net_visitors.c - counts the sockets of each address in a tree. */
#define _GNU_SOURCE
#include "net_inside.h"

#include <arpa/inet.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { NETWORK_BYTES = 8 }; /* of an IPv6 address: the rest is chosen by one household */

static int visitor_compare(const void *a, const void *b) {
    return memcmp(a, b, ADDRESS_BYTES);
}

/* An IPv4 address as one of IPv6, which mapped ones already are. */
static bool read_address(const char *text, unsigned char out[ADDRESS_BYTES]) {
    static const unsigned char mapped[12] = {[10] = 0xff, 0xff};
    memcpy(out, mapped, sizeof mapped);
    if (inet_pton(AF_INET, text, out + sizeof mapped) == 1) return true;
    if (inet_pton(AF_INET6, text, out) != 1) return false;
    if (memcmp(out, mapped, sizeof mapped))
        memset(out + NETWORK_BYTES, 0, ADDRESS_BYTES - NETWORK_BYTES);
    return true;
}

bool visitors_admit(struct net *net, struct socket *socket, const char *address) {
    struct visitor wanted = {.sockets = 0};
    if (!read_address(address, wanted.address)) return false;
    struct visitor **found = tfind(&wanted, &net->visitors, visitor_compare);
    struct visitor *visitor = found ? *found : NULL;
    if (!visitor) {
        visitor = malloc(sizeof *visitor);
        if (!visitor) return false;
        *visitor = wanted;
        if (!tsearch(visitor, &net->visitors, visitor_compare)) {
            free(visitor);
            return false;
        }
    }
    if (visitor->sockets >= net->options.sockets_of_address) return false;
    visitor->sockets++;
    socket->visitor = visitor;
    return true;
}

void visitors_leave(struct net *net, struct socket *socket) {
    struct visitor *visitor = socket->visitor;
    socket->visitor = NULL;
    if (!visitor || --visitor->sockets) return;
    tdelete(visitor, &net->visitors, visitor_compare);
    free(visitor);
}
