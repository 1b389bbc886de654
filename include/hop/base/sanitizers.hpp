// Which instrument this translation unit is compiled for, as 0 or 1.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define HOP_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOP_ASAN 1
#endif
#endif
#ifndef HOP_ASAN
#define HOP_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__)
#define HOP_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HOP_TSAN 1
#endif
#endif
#ifndef HOP_TSAN
#define HOP_TSAN 0
#endif

#if __has_include(<valgrind/valgrind.h>)
#define HOP_VALGRIND 1
#else
#define HOP_VALGRIND 0
#endif
