"""Combines line breaks, clusters and widths in one automaton, so that a code point costs one load.

A transition holds the outcome *before* its code point (a break, a cluster) and the number of cells that the code point adds.
"""

from typing import NamedTuple

from . import grapheme, linebreak
from .ucd import CODE_POINTS
from .width import widths

VARIATION_SELECTOR_15 = 0xFE0E
VARIATION_SELECTOR_16 = 0xFE0F


class Traits(NamedTuple):
    """The properties of a code point that the automaton uses. Code points with equal traits form a class."""

    line: str
    cluster: str
    narrow: int  # cells where Ambiguous is 1
    wide: int  # cells where Ambiguous is 2
    emoji_style: bool  # True if VS16 after it selects an emoji of 2 cells
    text_style: bool  # True if it is an emoji of 2 cells and VS15 after it selects text of 1
    selector: bool  # True for VS16
    text_selector: bool  # True for VS15


class Output(NamedTuple):
    """The output of a transition."""

    line: int  # linebreak.NO, MAY, MUST or LOOK
    cluster: bool  # a cluster begins before the code point
    hangs: bool  # a space or a hard break, which takes no cells at a line's end
    feeds: bool  # a line feed
    sums: tuple  # cells added where widths are summed, for Ambiguous 1 and 2
    clusters: tuple  # cells added where a cluster is as wide as its widest code point, likewise
    narrows: bool  # takes a cell back where VS15 makes text of an emoji


class State(NamedTuple):
    line: linebreak.State = linebreak.START
    cluster: grapheme.State = grapheme.START
    cells: tuple = (0, 0)  # the cluster's width so far, for both widths of Ambiguous
    emoji_style: bool = False  # True if VS16 would now widen the cluster
    text_style: bool = False  # True if VS15 would now narrow it


def traits(properties, code_point):
    narrow, wide = widths(properties, code_point)
    return Traits(
        linebreak.line_break_class(properties, code_point),
        grapheme.grapheme_class(properties, code_point),
        narrow,
        wide,
        code_point in properties.emoji_style and narrow < 2,
        code_point in properties.emoji_style and narrow == 2,
        code_point == VARIATION_SELECTOR_16,
        code_point == VARIATION_SELECTOR_15,
    )


def step(state, traits):
    line, line_state = linebreak.step(state.line, traits.line)
    begins, cluster_state = grapheme.step(state.cluster, traits.cluster)
    own = (traits.narrow, traits.wide)
    if begins:
        added = own
        emoji_style = traits.emoji_style
        cells = own
    elif traits.selector and state.emoji_style:
        added = tuple(max(0, 2 - width) for width in state.cells)
        emoji_style = False
        cells = (2, 2)
    else:
        pair = traits.cluster == grapheme.REGIONAL_INDICATOR  # two letters are one flag
        added = tuple(mine if pair else max(0, mine - width) for mine, width in zip(own, state.cells))
        emoji_style = state.emoji_style and added == (0, 0)
        cells = tuple(min(2, width + more) for width, more in zip(state.cells, added))
    narrows = traits.text_selector and state.text_style
    output = Output(line, begins, traits.line in ("SP", *linebreak.HARD), traits.line == "LF", own, added, narrows)
    return output, State(line_state, cluster_state, cells, emoji_style, traits.text_style)


def explore(alphabet):
    """Returns all states reachable from the start, as rows of (output, next); the start comes first."""
    numbers = {State(): 0}
    queue = [State()]
    rows = []
    for state in queue:
        row = []
        for symbol in alphabet:
            output, target = step(state, symbol)
            if target not in numbers:
                numbers[target] = len(numbers)
                queue.append(target)
            row.append((output, numbers[target]))
        rows.append(row)
    return rows


def minimised(rows):
    """Returns the automaton with equivalent states merged (Moore); the start stays first."""
    block = number([tuple(output for output, _ in row) for row in rows])
    while True:
        finer = number([(block[index], tuple(block[target] for _, target in row)) for index, row in enumerate(rows)])
        if len(set(finer)) == len(set(block)):
            break
        block = finer
    result = []
    for index, row in enumerate(rows):
        if block[index] == len(result):
            result.append([(output, block[target]) for output, target in row])
    return result


def number(keys):
    """Numbers the keys in the order of their first occurrence."""
    numbers = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


class Automaton:
    """An automaton with `rows[state][class]` = (output, next state) and `classes[code point]`; printable ASCII has the lowest classes.

    `symbols[class]` holds the traits that no state distinguishes.
    """

    def __init__(self, properties):
        symbols = {}
        for code_point in [*range(0x20, 0x7F), *range(CODE_POINTS)]:
            symbols.setdefault(traits(properties, code_point), []).append(code_point)
        rows = minimised(explore(symbols))
        columns = list(zip(*rows))
        merged = number(columns)
        self.rows = [
            [row[merged.index(column)] for column in range(max(merged) + 1)] for row in rows
        ]
        self.symbols = [[] for _ in self.rows[0]]
        self.classes = bytearray(CODE_POINTS)
        for symbol, column in zip(symbols, merged):
            self.symbols[column].append(symbol)
            for code_point in symbols[symbol]:
                self.classes[code_point] = column

    def bits(self, *line_classes):
        """Returns a mask of the classes whose code points have one of these line-breaking classes; a class may not be mixed."""
        mask = 0
        for cls, symbols in enumerate(self.symbols):
            (member,) = {symbol.line in line_classes for symbol in symbols}
            mask |= member << cls
        return mask
