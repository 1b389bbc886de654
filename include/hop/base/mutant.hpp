// A place where the model checker may plant a defect: `if (HOP_MUTANT("sleep: no second look")) return;`
// The product compiles it away. Each name must be declared by a model piece, which must catch it.
#pragma once

#include <hop/base/cache_line.hpp>

#if HOP_MODEL
#include "model/mutants.hpp"
#define HOP_MUTANT(name) (::hop::model::mutant_planted(name))
#else
#define HOP_MUTANT(name) false
#endif
