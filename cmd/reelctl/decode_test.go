package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestDecodeRefusesMoreThanALineBrings: a mebibyte of semicolons took half a minute. It is refused with what to do instead.
func TestDecodeRefusesMoreThanALineBrings(t *testing.T) {
	for length, want := range map[int]int{mostCapture: 0, mostCapture + 1: 1, 1 << 20: 1} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), []string{"decode"}, strings.NewReader(strings.Repeat(";", length)), &stdout, &stderr)
		if status != want || stdout.Len() > 10_000 {
			t.Errorf("%d bytes: status %d, %d bytes of answer", length, status, stdout.Len())
		}
		if refused := strings.Contains(stderr.String(), "cut out what the reader sent"); refused != (want != 0) {
			t.Errorf("%d bytes: says %s", length, &stderr)
		}
	}
}
