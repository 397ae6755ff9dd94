package screen

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the kernel end the server should this process be killed, so that nothing is left running.
func dieWithParent(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
}
