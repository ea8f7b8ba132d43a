/* place.c - distances from one function of the program. */
#include "place.h"

uintptr_t place_of(uintptr_t address) {
    return address ? address - (uintptr_t)place_of : 0;
}

uintptr_t place_find(uintptr_t place) {
    return place ? place + (uintptr_t)place_of : 0;
}
