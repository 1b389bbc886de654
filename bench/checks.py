"""How `./dev bench` runs and what `--check` demands, as data. Ratios are taken within one run, so that the machine drops out of them.

WORKERS: with how many workers ours and the peers run a bench. Others run once, at their own choice.
CHECKS: bench, at_most or at_least; `of` names the peer whose median is the unit, else the bound is absolute in the bench's own unit.
`variant` and `workers` narrow a check; without them it holds for every figure that ours reports.
"""
WORKERS = {
    "fork_join": (1, 2),
    "nqueens": (1, 2),
    "wake": (2,),
    "idle": (2,),
    "submit": (2,),
    "yield": (1, 2),
    "spawn": (1, 2),
    "flat": (16,),
}

CHECKS = [
    # A switch that ends in jmp and saves three registers has no excuse to come near fcontext.
    {"bench": "switch", "variant": "", "of": "boost_context", "at_most": 0.60},
    {"bench": "switch", "variant": "", "at_most": 3.0, "unit": "ns"},
    # One touched page, its share of the page tables, and the record.
    {"bench": "parked", "variant": "", "at_most": 4900, "unit": "B"},
    # A fork is a push and a pop of a private slot.
    {"bench": "fork_join", "workers": 1, "of": "rayon", "at_most": 0.40},
    {"bench": "fork_join", "workers": 2, "of": "rayon", "at_most": 0.35},
    {"bench": "nqueens", "workers": 2, "of": "rayon", "at_most": 0.95},
    # One futex wake, and little besides.
    {"bench": "wake", "of": "futex", "at_most": 1.5},
    # Nobody looks for work from time to time: 200 us in two seconds are for the thread that measures.
    {"bench": "idle", "at_most": 0.01, "unit": "%"},
    {"bench": "submit", "of": "tbb", "at_most": 0.85},
    {"bench": "yield", "workers": 1, "of": "go", "at_most": 0.25},
    {"bench": "yield", "workers": 2, "of": "go", "at_most": 0.40},
    {"bench": "spawn", "workers": 1, "of": "tokio", "at_most": 0.15},
    {"bench": "spawn", "workers": 2, "of": "tokio", "at_most": 0.20},
    # What a worker that blocks keeps for itself is taken from it.
    {"bench": "flat", "at_least": 12, "unit": "x"},
]
