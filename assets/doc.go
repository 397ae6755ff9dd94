// Package assets holds what is embedded in the programs: fonts, drawings, phrases by language, profiles of readers and
// printers, themes of properties, and tournaments to begin with. It is files and nothing else; the packages that read
// them say what they mean.
package assets
