// Package check runs everything that must hold before a change lands: formatting, vet, the layers, and all tests.
package check

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// raced are the packages in which goroutines meet; they are tested a second time under the race detector. The faces are
// not among them: they live on one goroutine, and a raced Fyne takes minutes to build.
var raced = []string{
	"./store/kv/...", "./store/central", "./store/client", "./store/replica", "./devices/port/...", "./devices/emulator",
	"./devices/reader", "./devices/printer", "./kiosk",
}

// Options choose how much is run.
type Options struct {
	// Long runs each long loop with its stated number instead of a tenth.
	Long bool
	// Seed replays a run; 0 takes a new one.
	Seed uint64
	// Packages narrows the tests; all where empty.
	Packages []string
}

// Run runs the checks in the project's root, and prints what it does to out.
func Run(ctx context.Context, root string, out io.Writer, options Options) error {
	seed := options.Seed
	if seed == 0 {
		seed = uint64(rand.Uint32())
	}
	fmt.Fprintf(out, "seed %d (dev test --seed %d replays it)\n", seed, seed)
	environment := append(os.Environ(), "REELKIOSK_SEED="+strconv.FormatUint(seed, 10))
	limit := "15m"
	if options.Long {
		environment, limit = append(environment, "REELKIOSK_LONG=1"), "120m"
	}
	packages := options.Packages
	steps := [][]string{}
	if len(packages) == 0 {
		packages = []string{"./..."}
		steps = append(steps, []string{"go", "vet", "-tags", "gles", "./..."})
	}
	steps = append(steps, append([]string{"go", "test", "-tags", "gles", "-timeout", limit}, packages...))
	if len(options.Packages) == 0 {
		steps = append(steps, append([]string{"go", "test", "-race", "-short", "-timeout", limit}, raced...))
	}
	if err := formatted(ctx, root); err != nil {
		return err
	}
	for _, step := range steps {
		began := time.Now()
		fmt.Fprintf(out, "\n%s\n", strings.Join(step, " "))
		command := exec.CommandContext(ctx, step[0], step[1:]...)
		command.Dir, command.Env, command.Stdout, command.Stderr = root, environment, out, out
		if err := command.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(step[:2], " "), err)
		}
		fmt.Fprintf(out, "took %s\n", time.Since(began).Round(time.Second))
	}
	return nil
}

func formatted(ctx context.Context, root string) error {
	list := exec.CommandContext(ctx, "gofmt", "-l", "assets", "cmd", "devices", "kiosk", "store")
	list.Dir = root
	output, err := list.Output()
	if err != nil {
		return fmt.Errorf("gofmt: %w", err)
	}
	if files := strings.Fields(string(output)); len(files) > 0 {
		return fmt.Errorf("not formatted: %s", strings.Join(files, " "))
	}
	return nil
}
