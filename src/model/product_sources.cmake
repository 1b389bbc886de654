# Product sources that run under the checker, beside the headers.
set(HOP_MODEL_PRODUCT_SOURCES
    src/base/assert.cpp
    src/base/clock.cpp
    src/base/prng.cpp
    src/base/thread.cpp)
