/* usage.c - sums and maxima of calls. */
#include "usage.h"

#include <math.h>

void usage_add(struct usage *usage, const struct usage *more) {
    usage->calls += more->calls;
    usage->metered |= more->metered;
    usage->fuel += more->fuel;
    usage->ns += more->ns;
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
