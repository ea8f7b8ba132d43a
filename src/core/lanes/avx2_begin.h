/* avx2_begin.h - from here to avx2_end.h functions are compiled for AVX2 and the bit instructions
 * that came with it. Callers check lanes_have_avx2() first. No include guard; x86-64 only. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))),                \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif
