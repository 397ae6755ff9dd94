package tournament

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"slices"
)

// DrawHeat is a heat of a final stage with the machines that are drawn, in their order.
type DrawHeat struct {
	Heat     HeatID `json:"heat"`
	Machines []int  `json:"machines"`
}

// DrawPlace is a place of a declared list and the player whose it is.
type DrawPlace struct {
	Place  int      `json:"place"`
	Player PersonID `json:"player"`
}

// Drawn is where a place plays.
type Drawn struct {
	Place   int      `json:"place"`
	Player  PersonID `json:"player"`
	Heat    HeatID   `json:"heat"`
	Machine int      `json:"machine"`
}

// Draw is all that the seats of a final stage are drawn from (clause 14). Before the public number is known, Commitment is
// made public; it binds the secret, which nobody knows but central, and the places and heats are declared. The public
// number comes from dice rolled in front of the players. So neither the house, which knows the secret before and the dice
// not, nor a player can choose what comes out, and anybody can draw again what was drawn (reelctl verify-draw):
//
//   - The commitment is the SHA-256 of the secret's 32 bytes.
//   - Numbers come from HMAC-SHA-256 under the secret, of the text "reelkiosk draw 1\n", the draw's name, "\n", the public
//     number as it was entered, "\n", and a counter of 8 bytes, big-endian, from 0. Each output of 32 bytes gives four
//     numbers of 64 bits, big-endian, one after another.
//   - A number below n is a 64-bit number modulo n, but for those at or above the greatest multiple of n below 2^64, which are
//     passed over: there is no bias.
//   - A list is shuffled from its end (Fisher and Yates): for i from the last index to 1, items i and a number below i+1 change
//     places.
//
// First the players are shuffled, in the order of their lowest places, and then sorted by how many places they have, most
// first, those with as many staying in their order. The seats of each heat are then as many as its share: the places dealt
// out to the heats one by one, in the order of the heats, as long as each has machines. Player by player, the heats are
// shuffled and sorted by how many seats of his own they have so far, fewest first, then by how many are left, most first, and
// his next place, in the order of the list, goes to the first of them that has a seat left: so a player's places are spread
// over as many heats as can be (clause 16). Last, heat by heat, the machines are shuffled, and those who play in the heat get
// them in the order in which they were drawn.
type Draw struct {
	// Name names the draw: tournament, stage, and for an additional heat the heat.
	Name       string      `json:"name"`
	Commitment string      `json:"commitment" doc:"SHA-256 of the secret, in hexadecimal"`
	Secret     string      `json:"secret" doc:"32 bytes in hexadecimal, made public with the draw"`
	Public     string      `json:"public" doc:"the public number, as it was entered"`
	Places     []DrawPlace `json:"places"`
	Heats      []DrawHeat  `json:"heats"`
}

var (
	// ErrCommitment is returned where the secret is not the one that was committed to.
	ErrCommitment = errors.New("the secret is not the one that was committed to")
	// ErrNoRoom is returned where the heats have fewer seats than there are places.
	ErrNoRoom = errors.New("the heats have fewer seats than there are places")
)

// Commitment returns the commitment to a secret, in hexadecimal.
func Commitment(secret []byte) string {
	sum := sha256.Sum256(secret)
	return hex.EncodeToString(sum[:])
}

// Seats draws. The result depends on the draw alone. The error wraps ErrCommitment or ErrNoRoom.
func (d Draw) Seats() ([]Drawn, error) {
	secret, err := hex.DecodeString(d.Secret)
	if err != nil || Commitment(secret) != d.Commitment {
		return nil, ErrCommitment
	}
	left, err := d.shares()
	if err != nil {
		return nil, err
	}
	urn := &urn{secret: secret, name: d.Name, public: d.Public}
	in := make([][]Drawn, len(d.Heats))
	for _, own := range d.players(urn) {
		has := make([]int, len(d.Heats))
		for _, place := range own {
			at := urn.heat(has, left)
			has[at]++
			left[at]--
			in[at] = append(in[at], Drawn{Place: place.Place, Player: place.Player, Heat: d.Heats[at].Heat})
		}
	}
	var all []Drawn
	for i, heat := range d.Heats {
		machines := slices.Clone(heat.Machines)
		shuffle(urn, machines)
		for j := range in[i] {
			in[i][j].Machine = machines[j]
		}
		all = append(all, in[i]...)
	}
	slices.SortFunc(all, func(left, right Drawn) int { return cmp.Compare(left.Place, right.Place) })
	return all, nil
}

// shares returns how many seats each heat has.
func (d Draw) shares() ([]int, error) {
	shares, dealt := make([]int, len(d.Heats)), 0
	for dealt < len(d.Places) {
		before := dealt
		for i, heat := range d.Heats {
			if dealt < len(d.Places) && shares[i] < len(heat.Machines) {
				shares[i]++
				dealt++
			}
		}
		if dealt == before {
			return nil, fmt.Errorf("%w: %d seats for %d places", ErrNoRoom, dealt, len(d.Places))
		}
	}
	return shares, nil
}

// players returns the places of each player, in the order in which they are drawn.
func (d Draw) players(urn *urn) [][]DrawPlace {
	places := slices.Clone(d.Places)
	slices.SortFunc(places, func(left, right DrawPlace) int { return cmp.Compare(left.Place, right.Place) })
	at := map[PersonID]int{}
	var players [][]DrawPlace
	for _, place := range places {
		index, known := at[place.Player]
		if !known {
			index = len(players)
			at[place.Player] = index
			players = append(players, nil)
		}
		players[index] = append(players[index], place)
	}
	shuffle(urn, players)
	slices.SortStableFunc(players, func(left, right []DrawPlace) int { return cmp.Compare(len(right), len(left)) })
	return players
}

// urn gives numbers that depend on a secret and a public number.
type urn struct {
	secret       []byte
	name, public string
	counter      uint64
	block        []byte
}

// heat returns the heat that a place goes to, of those with seats left: there is one.
func (u *urn) heat(has, left []int) int {
	order := make([]int, len(has))
	for i := range order {
		order[i] = i
	}
	shuffle(u, order)
	slices.SortStableFunc(order, func(one, other int) int {
		return cmp.Or(cmp.Compare(has[one], has[other]), cmp.Compare(left[other], left[one]))
	})
	return order[slices.IndexFunc(order, func(heat int) bool { return left[heat] > 0 })]
}

// next returns the next 64 bits.
func (u *urn) next() uint64 {
	if len(u.block) == 0 {
		mac := hmac.New(sha256.New, u.secret)
		fmt.Fprintf(mac, "reelkiosk draw 1\n%s\n%s\n", u.name, u.public)
		mac.Write(binary.BigEndian.AppendUint64(nil, u.counter))
		u.block = mac.Sum(nil)
		u.counter++
	}
	number := binary.BigEndian.Uint64(u.block)
	u.block = u.block[8:]
	return number
}

// below returns a number from 0 to n-1, each as likely as the others.
func (u *urn) below(n int) int {
	// 2^64 mod n, without 2^64.
	_, over := bits.Div64(1%uint64(n), 0, uint64(n))
	for {
		if number := u.next(); number <= ^uint64(0)-over {
			return int(number % uint64(n))
		}
	}
}

func shuffle[T any](u *urn, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := u.below(i + 1)
		list[i], list[j] = list[j], list[i]
	}
}
