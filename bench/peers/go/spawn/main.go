// Go: a goroutine starts a thousand, then waits for them with a WaitGroup.
package main

import (
	"peers/harness"
	"sync"
)

const batch = 1000

func batches(count int) uint64 {
	var given [batch]uint64
	var sum uint64
	for i := 0; i < count; i++ {
		var all sync.WaitGroup
		all.Add(batch)
		for k := uint64(0); k < batch; k++ {
			go func(k uint64) {
				given[k] = k
				all.Done()
			}(k)
		}
		all.Wait()
		for k := range given {
			sum += given[k]
			given[k] = 0
		}
	}
	return sum
}

func main() {
	o := harness.Parse()
	harness.Report(o, "spawn", "ns", "lower", func() float64 {
		return harness.NsEach(o, func(n int) {
			harness.Require(batches(n) == uint64(n)*(batch*(batch-1)/2), "sum of what the goroutines gave")
		}) / batch
	})
}
