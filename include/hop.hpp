// Everything a user of hopsack needs, in one line. What writes drivers or schedulers (<hop/fiber/...>, <hop/sched/park.hpp>) is
// asked for by name.
#pragma once

#include <hop/base/clock.hpp>            // IWYU pragma: export
#include <hop/base/errc.hpp>             // IWYU pragma: export
#include <hop/base/result.hpp>           // IWYU pragma: export
#include <hop/base/unique_function.hpp>  // IWYU pragma: export
#include <hop/obs/log.hpp>               // IWYU pragma: export
#include <hop/sched/affine.hpp>          // IWYU pragma: export
#include <hop/sched/blocking.hpp>        // IWYU pragma: export
#include <hop/sched/cancel_scope.hpp>    // IWYU pragma: export
#include <hop/sched/join.hpp>            // IWYU pragma: export
#include <hop/sched/pin.hpp>             // IWYU pragma: export
#include <hop/sched/runtime.hpp>         // IWYU pragma: export
#include <hop/sched/sleep.hpp>           // IWYU pragma: export
#include <hop/sched/spawn.hpp>           // IWYU pragma: export
#include <hop/sched/this_fiber.hpp>      // IWYU pragma: export
#include <hop/sync/event.hpp>            // IWYU pragma: export
#include <hop/sync/mutex.hpp>            // IWYU pragma: export
#include <hop/version.hpp>               // IWYU pragma: export
