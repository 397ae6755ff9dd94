// Package setup makes a fresh Debian fit for building and testing: it finds which packages are missing, installs them as
// root or through sudo, and otherwise says exactly which ones to install.
package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// ErrPackages is wrapped by Ensure where packages are missing and cannot be installed from here.
var ErrPackages = errors.New("Debian packages are missing")

// Build is what building the kiosk needs: a C compiler and the headers of what GLFW is made of.
var Build = []string{
	"gcc", "libc6-dev", "pkg-config", "libgl-dev", "libxcursor-dev", "libxrandr-dev", "libxinerama-dev", "libxi-dev",
	"libxxf86vm-dev",
}

// Run is what the kiosk needs to run. GLFW opens the second row by itself at run time, so that no linker knows of them.
var Run = []string{
	"libgl1", "libgl1-mesa-dri", "libx11-6",
	"libxrandr2", "libxcursor1", "libxinerama1", "libxi6", "libxxf86vm1", "libxrender1", "libx11-xcb1", "x11-xserver-utils",
}

// Display is what stands in for a monitor where there is none.
var Display = []string{"xvfb"}

// Test is what the tests compare with: decoders and makers of symbols that share no code with ours; and what makes and mounts
// a disk whose power is cut.
var Test = []string{"zxing-cpp-tools", "zint", "e2fsprogs", "mount"}

// Ensure installs those of the packages that are missing. Progress goes to out, a line a step.
func Ensure(out io.Writer, groups ...[]string) error {
	wanted := slices.Concat(groups...)
	missing, err := Missing(wanted)
	if err != nil || len(missing) == 0 {
		return err
	}
	become, err := privileges()
	if err != nil {
		return fmt.Errorf("%w, and this is neither root nor is there sudo. As root, run:\n\n  apt-get install --no-install-recommends %s\n",
			ErrPackages, strings.Join(missing, " "))
	}
	fmt.Fprintf(out, "installing %s\n", strings.Join(missing, " "))
	install := append([]string{"apt-get", waits, "install", "--yes", "--quiet", "--no-install-recommends"}, missing...)
	for _, words := range [][]string{{"apt-get", waits, "update", "--quiet"}, install} {
		words = append(slices.Clone(become), words...)
		if output, err := apt(out, words); err != nil {
			return fmt.Errorf("%w: %s: %w\n%s", ErrPackages, strings.Join(words, " "), err, output)
		}
	}
	missing, err = Missing(wanted)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("%w after installing them: %s", ErrPackages, strings.Join(missing, " "))
	}
	return err
}

// Missing returns those of the packages that are not installed, in the order given.
func Missing(wanted []string) ([]string, error) {
	if _, err := exec.LookPath("dpkg-query"); err != nil {
		return nil, fmt.Errorf("this is no Debian (no dpkg-query); what Debian calls %s is needed", strings.Join(wanted, " "))
	}
	// dpkg-query fails where one package is unknown, and still lists the others.
	listed, _ := exec.Command("dpkg-query", append([]string{"-W", "-f", "${Package} ${db:Status-Status}\n"}, wanted...)...).Output()
	var missing []string
	for _, name := range wanted {
		if !slices.Contains(strings.Split(string(listed), "\n"), name+" installed") {
			missing = append(missing, name)
		}
	}
	return missing, nil
}

// privileges returns the words that precede a command to run it as root: none for root, sudo where it asks no password or
// has a terminal to ask on.
func privileges() ([]string, error) {
	if os.Geteuid() == 0 {
		return nil, nil
	}
	sudo, err := exec.LookPath("sudo")
	if err != nil {
		return nil, err
	}
	if exec.Command(sudo, "-n", "true").Run() == nil {
		return []string{sudo, "-n"}, nil
	}
	if terminal, err := os.Stdin.Stat(); err == nil && terminal.Mode()&os.ModeCharDevice != 0 {
		return []string{sudo}, nil
	}
	return nil, errors.New("sudo wants a password and there is no terminal")
}

// lockWait is how long another apt may take: a fresh machine often updates itself.
const lockWait = 5 * time.Minute

// waits has apt-get wait for dpkg's lock. For the lock of its lists it does not wait.
var waits = fmt.Sprintf("-oDPkg::Lock::Timeout=%d", int(lockWait.Seconds()))

// apt runs a command of apt, again and again while another apt has the lock of the lists.
func apt(out io.Writer, words []string) (output []byte, err error) {
	for end, said := time.Now().Add(lockWait), false; ; {
		command := exec.Command(words[0], words[1:]...)
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8")
		command.Stdin = os.Stdin
		output, err = command.CombinedOutput()
		if err == nil || !bytes.Contains(output, []byte("Could not get lock")) || time.Now().After(end) {
			return output, err
		}
		if !said {
			fmt.Fprintf(out, "another apt is at work; waiting for it, %v at most\n", lockWait)
			said = true
		}
		time.Sleep(3 * time.Second)
	}
}
