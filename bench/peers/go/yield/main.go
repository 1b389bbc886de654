// Go: two goroutines and Gosched.
package main

import (
	"peers/harness"
	"runtime"
	"sync"
)

func yields(n int) int {
	done := 0
	for ; done < n; done++ {
		runtime.Gosched()
	}
	return done
}

func main() {
	o := harness.Parse()
	harness.Report(o, "yield", "ns", "lower", func() float64 {
		return harness.NsEach(o, func(n int) {
			each := (n + 1) / 2
			var counts [2]int
			var both sync.WaitGroup
			both.Add(2)
			for me := range counts {
				go func(me int) {
					counts[me] = yields(each)
					both.Done()
				}(me)
			}
			both.Wait()
			harness.Require(counts[0] == each && counts[1] == each, "yields of both sides")
		})
	})
}
