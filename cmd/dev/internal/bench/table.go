// Package bench measures the product, each figure beside what bounds it, taken on the same machine in the same run, and
// prints one table. It asserts nothing: figures are for people to judge.
package bench

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Row is one measured figure beside its bound.
type Row struct {
	// What was measured, and with what result.
	What, Got string
	// Beside is what bounds it, with its own figure from this run; Ratio sets the two against each other.
	Beside, Ratio string
	// Aim is what we wanted.
	Aim string
}

// Print writes the rows as one table.
func Print(out io.Writer, rows []Row) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "what\tmeasured\tbeside\tratio\taim")
	fmt.Fprintln(table, "----\t--------\t------\t-----\t---")
	for _, row := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", row.What, row.Got, row.Beside, row.Ratio, row.Aim)
	}
	return table.Flush()
}

func perSecond(count int, took time.Duration) float64 { return float64(count) / took.Seconds() }

func times(of, to float64) string { return fmt.Sprintf("%.2f×", of/to) }
