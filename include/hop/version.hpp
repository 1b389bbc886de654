// The version, for the preprocessor. CMake reads these lines: they are the only place where the version is written.
#pragma once

#define HOP_VERSION_MAJOR 0
#define HOP_VERSION_MINOR 1
#define HOP_VERSION_PATCH 0

// One number that orders versions: 1.2.3 is 10203.
#define HOP_VERSION_NUMBER (HOP_VERSION_MAJOR * 10000 + HOP_VERSION_MINOR * 100 + HOP_VERSION_PATCH)

#define HOP_VERSION_TEXT_OF(x) #x
#define HOP_VERSION_TEXT(x) HOP_VERSION_TEXT_OF(x)
#define HOP_VERSION_STRING \
  HOP_VERSION_TEXT(HOP_VERSION_MAJOR) "." HOP_VERSION_TEXT(HOP_VERSION_MINOR) "." HOP_VERSION_TEXT(HOP_VERSION_PATCH)
