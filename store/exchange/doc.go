// Package exchange reads the files that an operator imports and writes those that she exports.
//
// # Files to import
//
// Comma-separated values (RFC 4180) in UTF-8, with or without a byte order mark; the delimiter is a comma or a semicolon,
// whichever the first line uses; lines end in CR LF or LF. The first line names the columns, in any order and in any case;
// a column that is not listed here is a mistake, so that a misspelt one is not silently ignored. Columns in brackets may be
// missing, or empty in a row. Members:
//
//	member_number      the club's number of the member; natural key
//	[cards]            numbers, tags or UIDs of the member's cards, several divided by |
//	surname            as in the identity document
//	given_names        first and middle names
//	[id_number]        South African identity number, 13 digits
//	[passport]         passport number
//	[passport_issuer]  the issuing state as the passport's machine-readable lines have it: GBR, USA, D
//	[birth_date]       YYYY-MM-DD; needed unless id_number gives it
//	[verified]         yes or no (no if empty): the club has seen the identity document
//
// Exclusions (clauses 2 and 3); a row needs id_number, passport, card, or both names and birth_date:
//
//	reference          the reference on the paper; natural key
//	kind               refusal-of-entry, self-excluded, category or connected
//	from               YYYY-MM-DD, the day from which it holds, not in the future
//	[surname] [given_names] [birth_date] [id_number] [passport] [passport_issuer] [card]   as above
//
// Purchases made at a cash register of another make:
//
//	number             the register's number of the purchase; natural key
//	kind               cash, card, package or complimentary
//	at                 when: 2026-11-30T14:05:00+02:00, or 2026-11-30 14:05 in the tournament's zone
//	[package]          name of the package, where kind is package
//	[seats]            seats bought by buy-in (1 if empty); a package says its own
//	[card] [id_number] [passport] [passport_issuer]   whose it is; at least one
//	[operator]         who sold it
//
// Every faulty line is reported with its number, column and reason, also a natural key or a card that stands in the file
// twice. A reason never repeats what stands in the file, since that is personal.
//
// # Files that are exported
//
// JSON Lines hold one object a line as the API has it; CSV files have the columns that EventColumns, EntryColumns and
// SeatColumns list. In CSV, a text that a spreadsheet would take for a formula has an apostrophe put before it; JSON Lines
// have every text unchanged.
package exchange
