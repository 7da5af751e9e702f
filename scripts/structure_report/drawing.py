"""Draws the files of a module as an SVG: files are above the ones they use, and a cycle is a box."""

from . import graph

ROW, LINE, LEFT = 26, 16, 12
COLORS = {"box": "#f6d5d5", "file": "#e8eef7", "edge": "#8a94a6"}


def layers(edges):
    """Returns the cycles by layer: each is one layer above the highest cycle that it uses."""
    components = graph.cycles(edges)
    home = {name: number for number, component in enumerate(components) for name in component}
    depth = []
    for number, component in enumerate(components):
        below = {home[other] for name in component for other in edges[name]} - {number}
        depth.append(1 + max((depth[other] for other in below), default=-1))
    rows = [[] for _ in range(max(depth, default=-1) + 1)]
    for number, component in enumerate(components):
        rows[depth[number]].append(component)
    return rows


def svg(title, edges):
    """Returns the SVG."""
    rows = layers(edges)
    place, boxes, y, width = {}, [], 40, 400
    for row in reversed(rows):
        x, height = LEFT, 0
        for component in sorted(row, key=lambda names: (len(names), names)):
            wide = max(7 * len(name) for name in component) + 16
            tall = LINE * len(component) + 8
            boxes.append((x, y, wide, tall, component))
            for line, name in enumerate(component):
                place[name] = (x + wide / 2, y + LINE * line + LINE)
            x += wide + 10
            height = max(height, tall)
        width = max(width, x)
        y += height + ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + LEFT}" height="{y}" font-family="sans-serif" font-size="12">',
        f'<text x="{LEFT}" y="24" font-size="16">{title}</text>',
    ]
    home = {name: tuple(box[4]) for box in boxes for name in box[4]}
    for name, others in sorted(edges.items()):
        for other in others:
            if home[name] != home[other]:
                (x1, y1), (x2, y2) = place[name], place[other]
                parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2 - LINE}" stroke="{COLORS["edge"]}" stroke-width="0.4"/>')
    for x, top, wide, tall, component in boxes:
        color = COLORS["box" if len(component) > 1 else "file"]
        parts.append(f'<rect x="{x}" y="{top}" width="{wide}" height="{tall}" rx="5" fill="{color}" stroke="#556"/>')
        for line, name in enumerate(component):
            parts.append(f'<text x="{x + 8}" y="{top + LINE * (line + 1)}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
