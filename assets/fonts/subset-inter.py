#!/usr/bin/python3
"""Makes the embedded faces from Debian's fonts-inter, so that anybody can make them again, byte for byte.

    apt-get install --no-install-recommends fonts-inter fonttools    # 4.0~beta7+ds-1 and 4.38.0 were used
    ./subset-inter.py /usr/share/fonts/opentype/inter .

Fyne cannot switch on an OpenType feature, so two are baked in by pointing the character map at the alternates:
cv08 (capital I with serifs: 'ID' must not read as 'lD') in the text faces, tnum (figures of one width: a clock must not
dance) in the figures faces, which hold nothing but what a clock shows. In those the colon is the raised one that the
text faces have between two figures. Kerning is kept; hints are dropped, since nothing here is so small as to need them.
"""
import io
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

# The Latin letters of every South African language and of the names of their speakers: Basic Latin, Latin-1,
# Extended-A, the clicks, Romanian and Venda letters below, Vietnamese; general punctuation and the euro.
TEXT = [*range(0x20, 0x7F), *range(0xA0, 0x180), 0x192, *range(0x1C0, 0x1C4), *range(0x218, 0x21C),
        *range(0x300, 0x305), 0x306, 0x307, 0x308, 0x30A, 0x30B, 0x30C, 0x323, 0x327, 0x328, 0x32D, 0x331,
        *range(0x1E00, 0x1F00), *range(0x2010, 0x2016), *range(0x2018, 0x201F), 0x2020, 0x2022, 0x2026, 0x202F,
        0x2030, 0x2039, 0x203A, 0x20AC, 0x2122, 0x2212, 0xFFFD]
FIGURES = [ord(c) for c in " 0123456789:.,+-"]
KEPT = ["calt", "ccmp", "kern", "locl", "mark", "mkmk"]


def substitutions(font, tag):
    """The single substitutions of a feature, glyph to glyph."""
    table, found = font["GSUB"].table, {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag == tag:
            for index in record.Feature.LookupListIndex:
                for part in table.LookupList.Lookup[index].SubTable:
                    found.update(getattr(getattr(part, "ExtSubTable", part), "mapping", {}))
    return found


def make(source, target, tag, runes):
    font = TTFont(source, recalcTimestamp=False)
    alternates = substitutions(font, tag)
    if tag == "tnum":
        alternates["uni003A"] = "uni003A.case"
    for table in font["cmap"].tables:
        for rune, glyph in list(table.cmap.items()):
            table.cmap[rune] = alternates.get(glyph, glyph)
    options = subset.Options()
    options.layout_features = KEPT
    options.hinting = False
    options.desubroutinize = True
    options.glyph_names = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 7, 13, 14]
    options.recalc_timestamp = False
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=runes)
    subsetter.subset(font)
    packed = io.BytesIO()
    font.save(packed)
    with open(target, "wb") as file:
        file.write(packed.getvalue())


for weight in ("Regular", "SemiBold"):
    origin = f"{sys.argv[1]}/Inter-{weight}.otf"
    make(origin, f"{sys.argv[2]}/Inter-{weight}.otf", "cv08", TEXT)
    make(origin, f"{sys.argv[2]}/InterFigures-{weight}.otf", "tnum", FIGURES)
