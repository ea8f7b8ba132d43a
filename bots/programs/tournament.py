#!/usr/bin/env python3
"""A tournament on a variant of its own making, and a picture of the ratings.

    python3 tournament.py [GAMES] [FOLDER]

writes a variant, lets the included bots and player.py play GAMES games (40) between each two of
them, prints the table, and draws FOLDER/ratings.svg (`tournament/ratings.svg`). To compare your own
players, change PLAYERS; to change the game, VARIANT. Python's standard library suffices.
"""
import json
import subprocess
import sys
from html import escape
from math import ceil, floor
from pathlib import Path
from shlex import quote

from ensign import program

HERE = Path(__file__).resolve().parent

# The duel on a narrow board with one lake, and two more scouts.
VARIANT = """\
return {
  api = 1, extends = "duel", title = "The pass",
  board = { files = 8, ranks = 8, lakes = { "d4", "e4", "d5", "e5" } },
  zone = { ranks = 3, filled = false },
  army = { scout = 4 },
}
"""

PLAYERS = ["rookie", "raider", "hunter", "seer", f"json:{quote(str(HERE / 'player.py'))}"]
SEED = 7


def play(variant, games):
    """The document of `ensign match --json`. Exit code 1: somebody has forfeited a game."""
    command = [program(), "match", *PLAYERS, "-v", str(variant), "-n", str(games),
               "--seed", str(SEED), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode > 1 or not done.stdout:
        sys.exit(f"tournament.py: the match failed with exit code {done.returncode}")
    return json.loads(done.stdout)


def points(player):
    return player["wins"] + player["draws"] / 2


def print_table(match):
    print(f"{'player':<12} {'games':>6} {'score':>8} {'rating':>7}   95 % interval")
    for player in sorted(match["players"], key=lambda player: -player["rating"]):
        games = player["wins"] + player["draws"] + player["losses"]
        low, high = player["rating_low"], player["rating_high"]
        print(f"{player['name']:<12} {games:>6} {100 * points(player) / games:>6.1f} % "
              f"{player['rating']:>+7.0f}   {'-inf' if low is None else f'{low:+.0f}'} … "
              f"{'+inf' if high is None else f'{high:+.0f}'}")


# The picture: a row a player, best first; a dot for the rating, a line for its interval.

WIDTH, LEFT, RIGHT, ROW, TOP = 720, 120, 130, 44, 84
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #333 }
.title { font-size: 18px; font-weight: 600; fill: #111 }
.note, .tick { font-size: 12px; fill: #666 }
.grid { stroke: #e4e4e4 } .zero { stroke: #999 }
.interval { stroke: #4878a8; stroke-width: 3; stroke-linecap: round }
.dot { fill: #1f4e79 }
"""


def bounds(players):
    """The ends of the axis: multiples of 100 around all ratings, and around the intervals as far
    as they are not much longer than the ratings lie apart."""
    ratings = [player["rating"] for player in players]
    spare = 100 + (max(ratings) - min(ratings)) / 3
    least, most = min(ratings) - spare, max(ratings) + spare
    lows = [player["rating_low"] for player in players if player["rating_low"] is not None]
    highs = [player["rating_high"] for player in players if player["rating_high"] is not None]
    least = max(least, min(lows + ratings) - 20)
    most = min(most, max(highs + ratings) + 20)
    return floor(least / 100) * 100, ceil(most / 100) * 100


def draw(match):
    players = sorted(match["players"], key=lambda player: -player["rating"])
    low, high = bounds(players)
    bottom = TOP + ROW * len(players)
    step = next(step for step in (50, 100, 200, 500, 1000, 10000) if (high - low) / step <= 10)

    def x(rating):
        return LEFT + (rating - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    games = sum(player["wins"] + player["draws"] + player["losses"] for player in players) // 2
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 56}" '
           f'width="{WIDTH}" height="{bottom + 56}" role="img">',
           f"<style>{STYLE}</style>",
           f'<rect width="{WIDTH}" height="{bottom + 56}" fill="#fff"/>',
           f'<text class="title" x="20" y="34">Ratings in the variant “{escape(match["variant"])}”</text>',
           f'<text class="note" x="20" y="56">{games} games, everyone against everyone; '
           "the lines are 95 % intervals</text>"]
    for rating in range(ceil(low / step) * step, high + 1, step):
        out.append(f'<line class="{"grid" if rating else "zero"}" x1="{x(rating):.1f}" '
                   f'x2="{x(rating):.1f}" y1="{TOP}" y2="{bottom}"/>')
        sign = "\N{MINUS SIGN}" if rating < 0 else "+" if rating else ""
        out.append(f'<text class="tick" text-anchor="middle" x="{x(rating):.1f}" '
                   f'y="{bottom + 20}">{sign}{abs(rating)}</text>')
    out.append(f'<text class="note" text-anchor="middle" x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" '
               f'y="{bottom + 42}">Elo, 0 is the mean of all players</text>')
    for row, player in enumerate(players):
        out += draw_player(player, TOP + ROW * (row + 0.5), x, low, high)
    return "\n".join(out + ["</svg>", ""])


def draw_player(player, y, x, low, high):
    """A side of the interval that is infinite, or leaves the picture, ends in an arrow."""
    start, end = player["rating_low"], player["rating_high"]
    cut_start, cut_end = start is None or start < low, end is None or end > high
    start, end = low if cut_start else start, high if cut_end else end
    games = player["wins"] + player["draws"] + player["losses"]
    parts = [f'<text x="20" y="{y + 5:.1f}">{escape(player["name"])}</text>',
             f'<text class="note" text-anchor="end" x="{WIDTH - 20}" y="{y + 4:.1f}">'
             f"{100 * points(player) / games:.0f} % of points</text>",
             f'<line class="interval" x1="{x(start):.1f}" x2="{x(end):.1f}" '
             f'y1="{y:.1f}" y2="{y:.1f}"/>',
             f'<circle class="dot" cx="{x(player["rating"]):.1f}" cy="{y:.1f}" r="6"/>']
    for cut, at, way in ((cut_start, x(start), -1), (cut_end, x(end), 1)):
        if cut:
            parts.append(f'<path class="interval" fill="none" d="M {at - 6 * way:.1f} '
                         f'{y - 6:.1f} L {at:.1f} {y:.1f} L {at - 6 * way:.1f} {y + 6:.1f}"/>')
    return parts


def main():
    if len(sys.argv) > 3 or not all(word.isdecimal() for word in sys.argv[1:2]):
        sys.exit("usage: tournament.py [GAMES] [FOLDER]")
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "tournament")
    folder.mkdir(parents=True, exist_ok=True)
    variant = folder / "pass.lua"
    variant.write_text(VARIANT, encoding="utf-8")
    try:
        match = play(variant, games)
    except OSError as error:
        sys.exit(f"tournament.py: {error}")
    print_table(match)
    picture = folder / "ratings.svg"
    picture.write_text(draw(match), encoding="utf-8")
    print(f"{picture} shows it")


if __name__ == "__main__":
    main()
