"""From the measured figures to Markdown tables and SVG charts."""
import html

STARTS = ("run", "protected", "lifecycle", "exec", "cold")
TARGETS = {("run", "crun"): 0.55, ("run", "runc"): 0.2, ("run", "floor"): 1.25, ("protected", "crun"): 0.7,
           ("lifecycle", "crun"): 0.5, ("exec", "crun"): 0.4}
COLOURS = {"langsbx": "#2563eb", "crun": "#d97706", "runc": "#059669", "runsc": "#7c3aed", "bubblewrap": "#64748b",
           "floor": "#94a3b8"}


def ratio(figures, ours, theirs, key):
    one, other = figures.get(ours), figures.get(theirs)
    if not isinstance(one, dict) or not isinstance(other, dict) or not one.get(key) or not other.get(key):
        return None
    return one[key] / other[key]


def start_table(sections):
    lines = ["| section | runtime | wall ms (median) | wall ms (best) | processor ms | page faults | langsbx / it, wall "
             "| langsbx / it, processor | target |", "|---|---|---|---|---|---|---|---|---|"]
    for section in STARTS:
        figures = sections.get(section)
        if not figures or "skipped" in figures:
            continue
        for name, one in figures.items():
            cells = [f"{ratio(figures, 'langsbx', name, key) or 0:.2f}" if name != "langsbx" else ""
                     for key in ("wall", "processor")]
            target = TARGETS.get((section, name))
            lines.append(f"| {section} | {name} | {one['wall']:.2f} | {one['wall_best']:.2f} | {one['processor']:.2f} | "
                         f"{one['faults']:.0f} | {cells[0]} | {cells[1]} | {target or ''} |")
    return lines


def flat_table(title, figures):
    """Any section of {name: {key: number}}."""
    if "skipped" in figures:
        return [f"{title}: skipped, {figures['skipped']}"]
    keys = sorted({key for one in figures.values() if isinstance(one, dict) for key in one})
    lines = [f"| {title} | " + " | ".join(keys) + " |", "|---" * (len(keys) + 1) + "|"]
    for name, one in figures.items():
        cells = [shown(one.get(key)) for key in keys] if isinstance(one, dict) else []
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def shown(value):
    if isinstance(value, dict):
        return f"{value.get('processor', value.get('wall', 0)):.2f} ms"
    if isinstance(value, float):
        return f"{value:.2f}"
    return "-" if value is None else str(value)


def growth_table(growth):
    lines = ["| what grows | how many | langsbx processor ms | crun processor ms |", "|---|---|---|---|"]
    for what, points in growth.items():
        for point, figures in points.items():
            cells = [f"{figures[n]['processor']:.2f}" if figures.get(n) else "-" for n in ("langsbx", "crun")]
            lines.append(f"| {what} | {point} | {cells[0]} | {cells[1]} |")
    return lines


def markdown(results):
    host, sections = results["host"], results["sections"]
    lines = [f"Measured on {host['when']}: {host['kernel']}, {host['processors']} processors, cgroup {host['cgroups']}, "
             f"load {host['load']} at the beginning and {host['load_end']} at the end; {host['rounds']} rounds in turn.",
             "", *start_table(sections)]
    for name, figures in sections.items():
        if name in STARTS:
            if "skipped" in figures:
                lines += ["", f"{name}: skipped, {figures['skipped']}"]
            continue
        lines += ["", *(growth_table(figures) if name == "growth" and "skipped" not in figures
                        else flat_table(name, figures))]
    if results["left_out"]:
        lines += ["", "Left out: " + "; ".join(results["left_out"])]
    return "\n".join(lines) + "\n"


def bars(title, rows, unit):
    """A horizontal bar chart: rows of (label, value, colour)."""
    height, longest = 34 + 26 * len(rows), max(value for _, value, _ in rows) or 1
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="720" height="{height}" font-family="sans-serif" '
             f'font-size="13" role="img" aria-label="{html.escape(title)}">',
             f'<rect width="720" height="{height}" fill="#ffffff"/>',
             f'<text x="8" y="20" font-weight="bold" fill="#0f172a">{html.escape(title)}</text>']
    for number, (label, value, colour) in enumerate(rows):
        y = 32 + 26 * number
        width = max(1, round(value / longest * 420))
        parts += [f'<text x="8" y="{y + 15}" fill="#0f172a">{html.escape(label)}</text>',
                  f'<rect x="200" y="{y + 2}" width="{width}" height="18" fill="{colour}"/>',
                  f'<text x="{206 + width}" y="{y + 15}" fill="#0f172a">{value:.2f}{unit}</text>']
    return "\n".join(parts) + "\n</svg>\n"


def charts(results):
    """{file name: SVG}: for each section about starting, processor time relative to crun's."""
    made = {}
    for section in STARTS:
        figures = results["sections"].get(section)
        if not figures or "skipped" in figures or not figures.get("crun"):
            continue
        base = figures["crun"]["processor"]
        rows = [(name, one["processor"] / base, COLOURS.get(name, "#64748b")) for name, one in figures.items()]
        made[f"{section}.svg"] = bars(f"{section}: processor time relative to crun (less is better)", rows, "")
    growth = results["sections"].get("growth")
    if growth and "skipped" not in growth:
        rows = [(f"{what}: {point} {name}"[:30], figures[name]["processor"], COLOURS[name])
                for what, points in growth.items() for point, figures in points.items() for name in ("langsbx", "crun")
                if figures.get(name)]
        made["growth.svg"] = bars("growth: processor ms of one run", rows, " ms")
    return made
