/* usage.c - sums and maxima of calls. */
#include "usage.h"

#include <math.h>

/* Stays at the greatest number: games may come from other machines. */
static uint64_t add(uint64_t to, uint64_t more) {
    return to + more < to ? UINT64_MAX : to + more;
}

void usage_add(struct usage *usage, const struct usage *more) {
    usage->calls += more->calls;
    usage->metered |= more->metered;
    usage->fuel = add(usage->fuel, more->fuel);
    usage->ns = add(usage->ns, more->ns);
    if (usage->fuel_greatest < more->fuel_greatest) usage->fuel_greatest = more->fuel_greatest;
    if (usage->ns_greatest < more->ns_greatest) usage->ns_greatest = more->ns_greatest;
}

void usage_count(struct usage *usage, bool metered, uint64_t fuel, uint64_t ns) {
    if (!metered) fuel = 0;
    usage_add(usage, &(struct usage){.calls = 1,
                                     .metered = metered,
                                     .fuel = fuel,
                                     .fuel_greatest = fuel,
                                     .ns = ns,
                                     .ns_greatest = ns});
}

double usage_fuel_mean(const struct usage *usage) {
    return usage->metered ? (double)usage->fuel / (double)usage->calls : NAN;
}

double usage_ms(uint64_t ns) {
    return (double)ns / 1e6;
}

double usage_ms_mean(const struct usage *usage) {
    return usage->calls ? usage_ms(usage->ns) / (double)usage->calls : NAN;
}
