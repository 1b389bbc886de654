// Package harness is what the peers in Go share: the same arguments, repetition, checks and lines as bench/harness has.
package harness

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"time"
)

type Options struct {
	Rounds  int
	Workers int
	Count   int // size of the problem; 0: the bench's own
	Quick   bool
}

func usage(what string) {
	fmt.Fprintf(os.Stderr, "%s\nusage: [--rounds N] [--workers N] [--count N] [--quick]\n", what)
	os.Exit(2)
}

// Parse reads the arguments and gives Go as many processors as there shall be workers.
func Parse() Options {
	o := Options{Rounds: 1, Workers: 1}
	for i := 1; i < len(os.Args); i++ {
		var target *int
		switch word := os.Args[i]; word {
		case "--quick":
			o.Quick = true
			continue
		case "--rounds":
			target = &o.Rounds
		case "--workers":
			target = &o.Workers
		case "--count":
			target = &o.Count
		default:
			usage("unknown argument '" + word + "'")
		}
		i++
		n := 0
		if i < len(os.Args) {
			n, _ = strconv.Atoi(os.Args[i])
		}
		if n <= 0 {
			usage(os.Args[i-1] + " takes a whole number above 0")
		}
		*target = n
	}
	runtime.GOMAXPROCS(o.Workers)
	return o
}

// Require ends the program: a wrong answer is no result.
func Require(right bool, what string) {
	if !right {
		fmt.Fprintf(os.Stderr, "wrong answer: %s\n", what)
		os.Exit(1)
	}
}

func median(values []float64) float64 {
	sort.Float64s(values)
	half := len(values) / 2
	if len(values)%2 != 0 {
		return values[half]
	}
	return (values[half-1] + values[half]) / 2
}

func secondsOf(body func(int), n int) float64 {
	begin := time.Now()
	body(n)
	return time.Since(begin).Seconds()
}

// NsEach runs body(n), which does the thing n times, with a growing n until one sample takes 50 ms (5 ms when quick),
// then takes the median of 5 samples (1 when quick). Nanoseconds for one.
func NsEach(o Options, body func(int)) float64 {
	enough, count := 0.050, 5
	if o.Quick {
		enough, count = 0.005, 1
	}
	n := 16
	took := secondsOf(body, n)
	for took < enough {
		factor := 10.0
		if took > 1e-9 {
			factor = 1.2 * enough / took
		}
		if factor < 1.5 {
			factor = 1.5
		} else if factor > 10 {
			factor = 10
		}
		n = int(float64(n)*factor) + 1
		took = secondsOf(body, n)
	}
	samples := make([]float64, count)
	for i := range samples {
		samples[i] = secondsOf(body, n)
	}
	return median(samples) * 1e9 / float64(n)
}

// Report prints the median of all rounds; once measures and gives the value.
func Report(o Options, bench, unit, better string, once func() float64) {
	values := make([]float64, o.Rounds)
	for i := range values {
		values[i] = once()
	}
	fmt.Printf(`{"bench":"%s","workers":%d,"who":"go","value":%.6g,"unit":"%s","better":"%s","rounds":%d}`+"\n",
		bench, o.Workers, median(values), unit, better, o.Rounds)
}
