package vectors

import (
	"encoding/hex"
	"fmt"

	"reelkiosk/devices/identity/vectortest"
	"reelkiosk/devices/printer/escpos"
)

func init() {
	checkers["escpos-encode"] = encoded
	checkers["escpos-status"] = decodedStatus
}

// encoded is the checker of what is sent to a printer for a list of operations.
func encoded(c vectortest.Case) (any, error) {
	commands, err := escpos.Parse(c.Input())
	if err != nil {
		return nil, fmt.Errorf("%w: case %q: %w", vectortest.ErrMalformed, c.Name, err)
	}
	sent, err := escpos.Encode(commands...)
	if err != nil {
		return map[string]any{"error": err.Error()}, nil
	}
	return map[string]any{"hex": hex.EncodeToString(sent)}, nil
}

// statusMessage is a message from a printer in the words of the vectors. Flags are there, though perhaps none, where
// the message is about the printer's state.
type statusMessage struct {
	Kind  escpos.Kind    `json:"kind"`
	Flags *[]escpos.Flag `json:"flags,omitempty"`
	ID    string         `json:"id,omitempty"`
}

// decodedStatus is the checker of what a printer says, to the question that is out and the job that is waited for.
func decodedStatus(c vectortest.Case) (any, error) {
	received, err := c.Bytes()
	if err != nil {
		return nil, err
	}
	var asked escpos.Question
	var awaiting string
	word := asked.String()
	if err := c.Setting("asked", &word); err != nil {
		return nil, err
	}
	if err := c.Setting("awaiting", &awaiting); err != nil {
		return nil, err
	}
	if err := asked.UnmarshalText([]byte(word)); err != nil {
		return nil, fmt.Errorf("%w: case %q: \"asked\": %w", vectortest.ErrMalformed, c.Name, err)
	}
	var decoder escpos.Decoder
	decoder.Expect(asked)
	if awaiting != "" {
		decoder.Expect(escpos.AskProcessID)
	}
	messages, printed := []statusMessage{}, false
	for _, message := range decoder.Decode(received) {
		said := statusMessage{Kind: message.Kind, ID: message.ID}
		if message.IsStatus() {
			flags := append([]escpos.Flag{}, message.Flags...)
			said.Flags = &flags
		}
		messages = append(messages, said)
		printed = printed || message.Kind == escpos.KindProcessID && message.ID == awaiting
	}
	answer := map[string]any{"messages": messages}
	if awaiting != "" {
		answer["printed"] = printed
	}
	return answer, nil
}
