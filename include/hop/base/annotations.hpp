// Clang's thread-safety analysis (checked by ./dev tidy); nothing elsewhere.
#pragma once

#if defined(__clang__)
#define HOP_TSA(x) __attribute__((x))
#else
#define HOP_TSA(x)
#endif

#define HOP_CAPABILITY(name) HOP_TSA(capability(name))
#define HOP_SCOPED_CAPABILITY HOP_TSA(scoped_lockable)
#define HOP_GUARDED_BY(m) HOP_TSA(guarded_by(m))
#define HOP_PT_GUARDED_BY(m) HOP_TSA(pt_guarded_by(m))
#define HOP_REQUIRES(...) HOP_TSA(requires_capability(__VA_ARGS__))
#define HOP_EXCLUDES(...) HOP_TSA(locks_excluded(__VA_ARGS__))
#define HOP_ACQUIRE(...) HOP_TSA(acquire_capability(__VA_ARGS__))
#define HOP_TRY_ACQUIRE(...) HOP_TSA(try_acquire_capability(__VA_ARGS__))
#define HOP_RELEASE(...) HOP_TSA(release_capability(__VA_ARGS__))
#define HOP_NO_TSA HOP_TSA(no_thread_safety_analysis)
