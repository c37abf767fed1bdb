#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws what xas-bench has measured as an SVG.

    draw.py TIMES.tsv [SCALING.tsv] > performance.svg

TIMES.tsv is of `xas-bench --report`: for each input how many times as long GNU as and llvm-mc take as xas does, by the medians of
whole processes. SCALING.tsv is of `xas-bench --scaling --report`: how the time of xas grows with the size of each input.
"""

import collections
import html
import math
import sys

FIELDS = "input bytes lines program wall least most cpu memory instructions".split()
PEERS = (("as", "GNU as", "#3b6fb6"), ("llvm-mc", "llvm-mc", "#d98032"))
WIDTH, LABELS, ROW, BAR = 900, 275, 30, 11
CURVES = ("#3b6fb6", "#d98032", "#4f9d69", "#b6493b", "#7d5ba6", "#8a6d3b", "#c2629e", "#6b6b6b", "#9a9a2f", "#2f9a9a", "#1f3d63", "#7a3e12")


def read(path):
    """The rows of a report, as dictionaries; figures that are missing are None."""
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = dict(zip(FIELDS, line.rstrip("\n").split("\t")))
            for name in FIELDS:
                if name not in ("input", "program"):
                    row[name] = float(row[name]) if row[name] else None
            rows.append(row)
    return rows


def text(x, y, content, **attributes):
    extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{extra}>{html.escape(content)}</text>'


def line(x1, y1, x2, y2, colour="#ddd", **attributes):
    extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{extra}/>'


def draw_ratios(rows, top):
    """Bars on a logarithmic scale. Returns the parts and the height."""
    inputs = collections.OrderedDict()
    for row in rows:
        inputs.setdefault(row["input"], {})[row["program"]] = row
    right = WIDTH - 50
    most = max(row["wall"] / programs["xas"]["wall"] for programs in inputs.values() if programs["xas"]["wall"]
               for row in programs.values() if row["wall"])
    scale = (right - LABELS) / math.log2(max(most, 2))

    def place(ratio):
        return LABELS + scale * math.log2(max(ratio, 1))

    bottom = top + 52 + ROW * len(inputs)
    parts = [text(0, top + 16, "Time of GNU as and llvm-mc, in times of xas", font_size=16, font_weight="bold")]
    x = 420
    for _, name, colour in PEERS:
        parts += [f'<rect x="{x}" y="{top + 6}" width="12" height="12" fill="{colour}"/>', text(x + 17, top + 16, name)]
        x += 95
    for mark in (1, 2, 4, 8, 12, 20, 40, 80):
        if mark > most * 1.05:
            break
        parts += [line(place(mark), top + 44, place(mark), bottom - 4, "#ddd" if mark != 1 else "#888"),
                  text(place(mark), top + 40, f"{mark}x", text_anchor="middle", fill="#666")]
    y = top + 50
    for name, programs in inputs.items():
        size = programs["xas"]["bytes"]
        shown = f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB" if size >= 1e3 else f"{size:.0f} bytes"
        parts.append(text(LABELS - 8, y + 15, f"{name}, {shown}", text_anchor="end"))
        for i, (program, _, colour) in enumerate(PEERS):
            ours, theirs = programs["xas"]["wall"], programs.get(program, {}).get("wall")
            if not ours or not theirs:
                parts.append(text(LABELS + 4, y + BAR * (i + 1) - 1, "not taken", font_size=10, fill="#999"))
                continue
            ratio = theirs / ours
            parts += [f'<rect x="{LABELS}" y="{y + (BAR + 1) * i}" width="{max(place(ratio) - LABELS, 1):.1f}" '
                      f'height="{BAR}" fill="{colour}"/>',
                      text(place(ratio) + 4, y + (BAR + 1) * i + 9.5, f"{ratio:.1f}", font_size=10)]
        y += ROW
    return parts, bottom - top


def draw_scaling(rows, top):
    """Curves on logarithmic scales: a line that runs along the dashed one is linear."""
    inputs = collections.OrderedDict()
    for row in rows:
        if row["cpu"]:
            inputs.setdefault(row["input"], []).append((row["bytes"], row["cpu"]))
    points = [point for curve in inputs.values() for point in curve if point[0] > 1000]
    left, right, height = 60, WIDTH - 190, 330
    x0, x1 = (math.log10(f(p[0] for p in points)) for f in (min, max))
    y0, y1 = (math.log10(max(f(p[1] for p in points), 1e-4)) for f in (min, max))
    bottom = top + 40 + height

    def place(size, seconds):
        return (left + (math.log10(size) - x0) / (x1 - x0) * (right - left),
                bottom - (math.log10(max(seconds, 1e-4)) - y0) / (y1 - y0) * height)

    parts = [text(0, top + 16, "How the time of xas grows with the input (dashed: linear)", font_size=16, font_weight="bold")]
    for power in range(math.ceil(x0), math.floor(x1) + 1):
        x = place(10**power, 10**y0)[0]
        parts += [line(x, top + 40, x, bottom), text(x, bottom + 16, {3: "1 kB", 4: "10 kB", 5: "100 kB", 6: "1 MB", 7: "10 MB", 8: "100 MB"}.get(power, f"1e{power}"),
                                                     text_anchor="middle", fill="#666")]
    for power in range(math.ceil(y0), math.floor(y1) + 1):
        y = place(10**x0, 10**power)[1]
        parts += [line(left, y, right, y), text(left - 6, y + 4, {-4: "0.1 ms", -3: "1 ms", -2: "10 ms", -1: "100 ms", 0: "1 s"}.get(power, f"1e{power} s"),
                                                text_anchor="end", fill="#666")]
    a, b = place(10**x0, 10**y0), place(min(10**x1, 10**(x0 + y1 - y0)), 10**(y0 + min(x1 - x0, y1 - y0)))
    parts.append(line(*a, *b, "#888", stroke_dasharray="5 4"))
    for i, (name, curve) in enumerate(curve for curve in inputs.items() if curve[1][-1][0] > 1000):
        colour = CURVES[i % len(CURVES)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in curve))
        parts += [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>',
                  line(right + 14, top + 48 + 18 * i, right + 32, top + 48 + 18 * i, colour, stroke_width=2),
                  text(right + 38, top + 52 + 18 * i, name.lstrip("0123456789, "))]
    return parts, height + 70


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    parts, height = draw_ratios(read(sys.argv[1]), 10)
    if len(sys.argv) == 3:
        more, height_of_curves = draw_scaling(read(sys.argv[2]), height + 30)
        parts += more
        height += height_of_curves + 20
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 0 {WIDTH + 20} {height + 20}" font-family="sans-serif" font-size="12">')
    print(f'<rect x="-10" width="{WIDTH + 20}" height="{height + 20}" fill="white"/>')
    print("\n".join(parts))
    print("</svg>")


if __name__ == "__main__":
    main()
