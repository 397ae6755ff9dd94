package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"reelkiosk/store/exclusion"
	"reelkiosk/store/vault"
)

// pageSize is what one look-up reads at least, in bytes.
const pageSize = 4096

// measureExclusions measures looking up in a list of ten million, beside reading one random page of the same file.
func measureExclusions(_ context.Context, options Options, folder string) ([]Row, error) {
	count := 10_000_000
	if options.Quick {
		count /= 10
	}
	path := filepath.Join(folder, "exclusions")
	began := time.Now()
	if err := exclusion.Build(path, 1, vault.KeyCheck{}, exclusion.Synthetic(count)); err != nil {
		return nil, err
	}
	built := time.Since(began)
	heap := heapInUse()
	list, err := exclusion.OpenList(path)
	if err != nil {
		return nil, err
	}
	defer list.Close()
	const lookups = 200_000
	began = time.Now()
	for index := range lookups {
		number := rand.IntN(count)
		if index%2 == 1 {
			number += count // one that is not listed
		}
		_, found, err := list.Lookup(exclusion.SyntheticHash(number))
		if err != nil {
			return nil, err
		}
		if found != (number < count) {
			return nil, errors.New("the list gave a wrong answer")
		}
	}
	each := time.Since(began) / lookups
	heap = heapInUse() - heap
	runtime.KeepAlive(list)
	page, size, err := pageRead(path)
	if err != nil {
		return nil, err
	}
	return []Row{
		{
			What: fmt.Sprintf("exclusion look-up among %d", count), Got: fmt.Sprintf("%s, %.1f MB of heap", each, float64(heap)/1e6),
			Beside: fmt.Sprintf("reading a random page of it %s", page), Ratio: fmt.Sprintf("%.2f×", float64(each)/float64(page)),
			Aim: "5 µs, 20 MB",
		}, {
			What: "building that list", Got: short(built), Beside: fmt.Sprintf("%.0f MB on disk", float64(size)/1e6),
			Ratio: fmt.Sprintf("%.0f MB/s", float64(size)/1e6/built.Seconds()),
		},
	}, nil
}

func heapInUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// pageRead returns how long reading one random page of a file takes, from the page cache, and the file's size.
func pageRead(path string) (each time.Duration, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	about, err := file.Stat()
	if err != nil {
		return 0, 0, err
	}
	const reads = 100_000
	page := make([]byte, pageSize)
	began := time.Now()
	for range reads {
		if _, err := file.ReadAt(page, rand.Int64N(about.Size()/pageSize)*pageSize); err != nil {
			return 0, 0, err
		}
	}
	return time.Since(began) / reads, about.Size(), nil
}
