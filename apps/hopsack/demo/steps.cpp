#include <array>

#include "step.hpp"

namespace hopsack::demo {
namespace {

constexpr std::array steps{
    step{"switch", "from one stack to another", switch_stacks},
    step{"migrate", "fibers change threads, mid-catch", migrate},
    step{"parked", "many fibers, each on a stack", park_fibers},
    step{"trim", "used memory goes back", trim_stacks},
    step{"guard", "an overflowed fiber is named", overflow_a_stack},
    step{"join", "two halves, perhaps at once", fork_and_join},
    step{"spawn", "tasks, a few of which wait", spawn_and_wait},
    step{"block", "stuck workers, yet it goes on", block_workers},
    step{"log", "what hopsack says, caught", catch_log_lines},
    step{"record", "events and times, read live", record_and_read},
};

}  // namespace

std::span<const step> all_steps() noexcept { return steps; }

}  // namespace hopsack::demo
