// Package program builds and runs the product's own programs, and sees to it that none outlives this process.
package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Root returns the folder of go.mod, from the working folder upwards.
func Root() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return "", errors.New("no go.mod here or above: run this inside of the project")
		}
		folder = parent
	}
}

// Build compiles programs of cmd/ into a folder. Only the kiosk needs a C compiler.
func Build(ctx context.Context, root, into string, names ...string) error {
	for _, name := range names {
		build := exec.CommandContext(ctx, "go", "build", "-tags", "gles", "-o", filepath.Join(into, name), "./cmd/"+name)
		build.Dir = root
		build.Env = os.Environ()
		if name != "kiosk" {
			build.Env = append(build.Env, "CGO_ENABLED=0")
		}
		if output, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build cmd/%s: %w\n%s", name, err, output)
		}
	}
	return nil
}

// Program is a running program.
type Program struct {
	// Name is what messages call it.
	Name    string
	command *exec.Cmd
	lines   chan string
	done    chan struct{}
	err     error

	// mu guards what follows.
	mu     sync.Mutex
	output strings.Builder
	asked  bool // to end
}

// Start runs a program in a process group of its own, so that a Ctrl-C in the terminal reaches it only through Stop. Its
// standard output comes line by line from Lines; standard error is kept for Output.
func Start(name, path string, env []string, args ...string) (*Program, error) {
	command := exec.Command(path, args...)
	command.Env = append(os.Environ(), env...)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	program := &Program{Name: name, command: command, lines: make(chan string, 64), done: make(chan struct{})}
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	command.Stderr = program
	if err := command.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	go program.follow(stdout)
	return program, nil
}

func (p *Program) follow(stdout io.Reader) {
	defer close(p.done)
	scanner := bufio.NewScanner(stdout)
	for scanner.Scan() {
		p.Write([]byte(scanner.Text() + "\n"))
		select {
		case p.lines <- scanner.Text():
		default: // nobody reads: what is kept for Output is enough
		}
	}
	close(p.lines)
	p.err = p.command.Wait()
}

// Write keeps what the program says on standard error.
func (p *Program) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.output.Write(text)
}

// Output returns all that the program has said so far.
func (p *Program) Output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.output.String()
}

// tail is how many lines of a program's output are enough to see why it ended.
const tail = 30

// End returns the end of what the program has said so far, for a message that says that it ended. Where Go's runtime ended
// it, that is where the runtime says why, which long lists of goroutines follow.
func (p *Program) End() string {
	lines := strings.Split(strings.TrimSpace(p.Output()), "\n")
	first := max(0, len(lines)-tail)
	why := slices.IndexFunc(lines, func(line string) bool {
		return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "SIG")
	})
	if why >= 0 {
		first = min(first, why)
	}
	end := strings.Join(lines[first:min(len(lines), first+tail)], "\n")
	if end == "" {
		return "(it said nothing)"
	}
	return end
}

// Err returns, once the program has ended by itself, an error with how it ended and the end of its output; nil before, and
// where Stop or Kill ended it.
func (p *Program) Err() error {
	p.mu.Lock()
	asked := p.asked
	p.mu.Unlock()
	if asked || p.Running() {
		return nil
	}
	return p.failure("ended by itself")
}

// Running reports whether the program has not ended yet.
func (p *Program) Running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// failure tells of a program that has ended.
func (p *Program) failure(how string) error {
	if p.err == nil {
		return fmt.Errorf("%s %s; the end of its output:\n%s", p.Name, how, p.End())
	}
	return fmt.Errorf("%s %s: %w; the end of its output:\n%s", p.Name, how, p.err, p.End())
}

func (p *Program) ask() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = true
}

// PID returns the process's number.
func (p *Program) PID() int { return p.command.Process.Pid }

// Await returns the first line of standard output that begins with prefix, without it.
func (p *Program) Await(ctx context.Context, prefix string) (string, error) {
	for {
		select {
		case line, open := <-p.lines:
			if rest, found := strings.CutPrefix(line, prefix); found {
				return rest, nil
			}
			if !open {
				<-p.done
				return "", p.failure(fmt.Sprintf("ended before it said %q", prefix))
			}
		case <-ctx.Done():
			return "", fmt.Errorf("%s never said %q: %w\n%s", p.Name, prefix, ctx.Err(), p.End())
		}
	}
}

// Done is closed when the program has ended.
func (p *Program) Done() <-chan struct{} { return p.done }

// Ended is Done of a program that nobody has asked to end; nil of another.
func (p *Program) Ended() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked {
		return nil
	}
	return p.done
}

// Kill ends the program as a power cut would, and waits for it.
func (p *Program) Kill() {
	p.ask()
	_ = p.command.Process.Kill()
	<-p.done
}

// Stop asks the program to end, gives it ten seconds, and waits for it. The error of one that ended badly, or that had ended
// by itself before, has the end of its output.
func (p *Program) Stop() error {
	if err := p.Err(); err != nil {
		p.ask() // said once
		return err
	}
	if !p.Running() {
		return nil
	}
	p.ask()
	_ = p.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
		if p.err != nil {
			return p.failure("was asked to end, and ended badly")
		}
		return nil
	case <-time.After(10 * time.Second):
		p.Kill()
		return fmt.Errorf("%s did not end within 10 s of SIGTERM and was killed; the end of its output:\n%s", p.Name, p.End())
	}
}
