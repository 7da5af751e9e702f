"""Widths in cells: the distance a terminal's cursor moves for a code point."""

SOFT_HYPHEN = 0xAD
# Visible format characters: signs that span the digits after them.
PREPENDED_SIGNS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}


def widths(properties, code_point):
    """Returns the width in cells if East Asian Ambiguous characters take 1, and if they take 2."""
    category = properties.category[code_point]
    east_asian = properties.east_asian_width[code_point]
    if code_point == SOFT_HYPHEN:
        return 1, 1
    if category in ("Cc", "Cs", "Zl", "Zp", "Mn", "Me"):
        return 0, 0
    if category == "Cf" and code_point not in PREPENDED_SIGNS:
        return 0, 0
    if 0x1160 <= code_point <= 0x11FF or 0xD7B0 <= code_point <= 0xD7FF:
        return 0, 0  # Hangul vowels and finals share the cells of the initial before them.
    if east_asian in "WF":
        return 2, 2
    if properties.ignorable[code_point]:
        return 0, 0
    return 1, 2 if east_asian == "A" else 1
