"""Line charts and scatter plots as SVG text."""
import math
from html import escape

COLOURS = ("#1b6ca8", "#d1495b", "#5a8f29", "#8a5fbf", "#c77d0a", "#4d4d4d", "#2a9d8f", "#a44a3f")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 700, 380, 76, 210, 34, 52


def ticks(low, high):
    """Round numbers that cover low ... high."""
    span = high - low if high > low else 1.0
    step = 10.0 ** math.floor(math.log10(span / 4))
    step *= next(f for f in (1, 2, 5, 10) if span / (f * step) <= 6)
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def decades(low, high):
    powers = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    every = max(1, len(powers) // 7)
    return [10.0 ** p for p in powers][::every]


class Axis:
    def __init__(self, values, pixels, log, names=None):
        self.log, self.names = log, names
        low, high = min(values), max(values)
        if log:
            self.ticks = decades(low, high)
            low, high = math.log10(low), math.log10(high)
        else:
            margin = 0.04 * (high - low)
            low, high = low - margin, high + margin
            self.ticks = ticks(low, high) if names is None else list(range(len(names)))
        self.low, self.span = low, (high - low) or 1.0
        self.pixels = pixels

    def at(self, value):
        share = ((math.log10(value) if self.log else value) - self.low) / self.span
        return self.pixels[0] + share * (self.pixels[1] - self.pixels[0])

    def name(self, tick):
        return self.names[int(tick)] if self.names else f"{tick:g}"


def line_chart(title, x_title, y_title, series, log_x=False, log_y=False, x_names=None):
    """`series`: {name: [(x, y) or (x, y, half height of the error bar), ...]}.

    On a logarithmic axis points that are not above zero are left out.
    """
    kept = {}
    for name, points in series.items():
        kept[name] = [p for p in points if (not log_x or p[0] > 0) and (not log_y or p[1] > 0)
                      and math.isfinite(p[1])]
    points = [p for line in kept.values() for p in line]
    text = head(title)
    if points:
        heights = [y for p in points for y in ((p[1] - p[2], p[1] + p[2]) if len(p) > 2 and not log_y else (p[1],))]
        x_axis = Axis([p[0] for p in points], (LEFT, WIDTH - RIGHT), log_x, x_names)
        y_axis = Axis(heights, (HEIGHT - BOTTOM, TOP), log_y)
        text += draw_axes(x_axis, y_axis, x_title, y_title)
        for number, (name, line) in enumerate(kept.items()):
            text += draw_line(name, line, number, x_axis, y_axis, not log_y)
    return "\n".join(text + ["</svg>", ""])


def head(title):
    return [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
            f'font-size="12"><rect width="100%" height="100%" fill="white"/>',
            f'<text x="{LEFT}" y="20" font-size="14">{escape(title)}</text>']


def scatter_plot(title, x_title, y_title, points):
    """`points`: [(x, y, name), ...]; the names are written beside them."""
    x_axis = Axis([p[0] for p in points], (LEFT, WIDTH - RIGHT), False)
    y_axis = Axis([p[1] for p in points], (HEIGHT - BOTTOM, TOP), False)
    text = head(title) + draw_axes(x_axis, y_axis, x_title, y_title)
    for x, y, name in points:
        text.append(f'<circle cx="{x_axis.at(x):.1f}" cy="{y_axis.at(y):.1f}" r="2.4" fill="{COLOURS[0]}"/>'
                    f'<text x="{x_axis.at(x) + 4:.1f}" y="{y_axis.at(y) - 3:.1f}" font-size="9">{escape(name)}</text>')
    return "\n".join(text + ["</svg>", ""])


def draw_axes(x_axis, y_axis, x_title, y_title):
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    text = [f'<path d="M{LEFT} {TOP}V{bottom}H{right}" fill="none" stroke="black"/>']
    for tick in x_axis.ticks:
        x = x_axis.at(tick)
        text.append(f'<path d="M{x:.1f} {bottom}v5" stroke="black"/>'
                    f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{escape(x_axis.name(tick))}</text>')
    for tick in y_axis.ticks:
        y = y_axis.at(tick)
        text.append(f'<path d="M{LEFT - 5} {y:.1f}H{right}" stroke="#dddddd"/>'
                    f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(y_axis.name(tick))}</text>')
    text.append(f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_title)}</text>')
    text.append(f'<text transform="translate(16 {(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">'
                f'{escape(y_title)}</text>')
    return text


def draw_line(name, line, number, x_axis, y_axis, bars):
    colour = COLOURS[number % len(COLOURS)]
    places = [(x_axis.at(p[0]), y_axis.at(p[1])) for p in line]
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    text = [f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.6"/>']
    for p, (x, y) in zip(line, places):
        text.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{colour}"/>')
        if bars and len(p) > 2 and p[2] > 0:
            text.append(f'<path d="M{x:.1f} {y_axis.at(p[1] - p[2]):.1f}V{y_axis.at(p[1] + p[2]):.1f}" '
                        f'stroke="{colour}" stroke-opacity="0.5"/>')
    y = TOP + 10 + 18 * number
    text.append(f'<path d="M{WIDTH - RIGHT + 14} {y}h18" stroke="{colour}" stroke-width="2"/>'
                f'<text x="{WIDTH - RIGHT + 38}" y="{y + 4}">{escape(name)}</text>')
    return text


def heat_map(title, x_title, y_title, x_names, y_names, values):
    """`values`: rows of numbers, y by x, printed in their cells; red above 0, blue below, white at 0."""
    largest = max((abs(v) for row in values for v in row if math.isfinite(v)), default=0.0) or 1.0
    wide, high = (WIDTH - LEFT - 20) / len(x_names), (HEIGHT - TOP - BOTTOM) / len(y_names)
    text = head(title)
    for i, (name, row) in enumerate(zip(y_names, values)):
        y = TOP + i * high
        text.append(f'<text x="{LEFT - 8}" y="{y + high / 2 + 4:.1f}" text-anchor="end">{escape(name)}</text>')
        for j, value in enumerate(row):
            x = LEFT + j * wide
            text.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" '
                        f'fill="{signed_colour(value / largest)}" stroke="white"/><text x="{x + wide / 2:.1f}" '
                        f'y="{y + high / 2 + 4:.1f}" text-anchor="middle">{value:.3f}</text>')
    for j, name in enumerate(x_names):
        text.append(f'<text x="{LEFT + (j + 0.5) * wide:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">'
                    f'{escape(name)}</text>')
    text.append(f'<text x="{(LEFT + WIDTH - 20) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_title)}</text>'
                f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
                f'{escape(y_title)}</text>')
    return "\n".join(text + ["</svg>", ""])


def signed_colour(share):
    """-1 ... 1 as blue, white, red; grey for what is not a number."""
    if not math.isfinite(share):
        return "#cccccc"
    pale = round(255 * (1 - 0.6 * min(abs(share), 1.0)))
    return f"#ff{pale:02x}{pale:02x}" if share > 0 else f"#{pale:02x}{pale:02x}ff"
