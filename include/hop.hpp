// Everything a user of hopsack needs, in one line. What writes drivers or schedulers (<hop/fiber/...>) is asked for by name.
#pragma once

#include <hop/base/clock.hpp>            // IWYU pragma: export
#include <hop/base/errc.hpp>             // IWYU pragma: export
#include <hop/base/result.hpp>           // IWYU pragma: export
#include <hop/base/unique_function.hpp>  // IWYU pragma: export
#include <hop/obs/log.hpp>               // IWYU pragma: export
#include <hop/version.hpp>               // IWYU pragma: export
