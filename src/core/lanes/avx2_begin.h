/* avx2_begin.h - from here to avx2_end.h functions are compiled for AVX2 and the instructions for
 * bits that came with it; whoever calls them asks lanes_have_avx2() first. Included as often as
 * needed, on x86-64 alone. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))),                \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif
