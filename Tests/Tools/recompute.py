#!/usr/bin/env python3
"""Recomputes the reports' figures from the raw tables of a history, and compares.

    recompute.py DATABASE --now TIME --reports FOLDER

FOLDER has standings.json, movers.json, visibility.json and distribution.json as
`rankctl report … --format json` writes them without other options. TIME is the
moment at which they were made. Only `position`, `check_log`, `pair`, `query`,
`watched_app` and `competitor` are read, none of the tables that rankd derives.
Written from docs/statistics.md, docs/json.md and docs/json, not from the Swift code.

Each difference is a line on stdout. Exits with 0 if there is none, 1 if there
are some, 2 if it could not compare.
"""

import argparse
import datetime
import json
import math
import os
import sqlite3
import sys

DAY = 86_400
KEY = ("query", "country", "platform", "source", "language", "bundleId")
FORESEEN = ("real", "entered", "left")


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def iso(moment):
    return datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def date(day):
    return iso(day * DAY)[:10]


class Pair:
    """A query and an app, with every good check of it, the oldest first."""

    def __init__(self, row, mine, good, checks):
        (self.id, self.query_id, text, country, platform, source, language, self.bundle, self.cadence,
         self.popularity, self.ordinal) = row
        self.key = (text, country, platform, source, language or None, self.bundle)
        self.country, self.platform = country, platform
        self.mine = mine
        self.good = good
        self.checks = checks

    @property
    def patience(self):
        """How old a reading may be, in seconds: the larger of a day and two cadences."""
        return max(DAY, 2 * self.cadence)

    def last(self, until, oldest=None):
        """The last good check at or before `until`, and not before `oldest`."""
        found = None
        for check in self.good:
            if check["at"] <= until and (oldest is None or check["at"] >= oldest):
                found = check
        return found

    def leeway(self, distance):
        """How much later than so many seconds ago a reading may be: half a cadence, or half of these."""
        return min(distance, self.cadence) // 2

    def days_ago(self, days, last):
        """The reading that stands for so many days before the reading `last`."""
        then = last["at"] - days * DAY
        return self.last(then + self.leeway(days * DAY), then - self.patience)

    def of_since(self, since, until, last):
        """The reading that stands for `since` beside `last`, the newest of `until`: whole days are counted from that."""
        latest, distance = since, until - since
        if last is not None and distance > 0 and distance % DAY == 0:
            latest = max(since, last["at"] - distance + self.leeway(distance))
        return self.last(latest, since - self.patience)

    def of_day(self, day, now):
        """The reading that speaks for a day of UTC: its last, else that of a day before which is near enough."""
        check = self.last(min((day + 1) * DAY - 1, now))
        if check is None or day - check["at"] // DAY > math.ceil(self.patience / DAY):
            return None
        return check


class History:
    def __init__(self, path, now):
        base = sqlite3.connect(f"file:{os.path.abspath(path)}?mode=ro", uri=True)
        self.now = now
        apps = {key: (bool(mine), ordinal) for key, mine, ordinal in base.execute(
            "SELECT bundle_key, mine, ordinal FROM watched_app")}
        self.rivals = {}
        for own, rival in base.execute("SELECT bundle_key, competitor_key FROM competitor"):
            self.rivals.setdefault(own, set()).add(rival)
        good, checks = {}, {}
        for pair, at, position, within in base.execute(
                "SELECT pair, at, position, within FROM position WHERE at <= ? ORDER BY at, check_id", (now,)):
            good.setdefault(pair, []).append({"at": at, "position": position, "within": within})
        for query, at, outcome, within, reason in base.execute(
                "SELECT query, at, outcome, within, reason FROM check_log WHERE at <= ? ORDER BY at, id", (now,)):
            checks.setdefault(query, []).append({"at": at, "outcome": outcome, "within": within, "reason": reason})
        self.pairs = [
            Pair(row, apps.get(row[7].lower(), (True, 0))[0], good.get(row[0], []), checks.get(row[1], []))
            for row in base.execute(
                """SELECT pair.id, query.id, query.text, query.country, query.platform, query.source,
                          query.language, pair.bundle_id, query.cadence_seconds, query.popularity, query.ordinal
                   FROM pair JOIN query ON query.id = pair.query
                   WHERE pair.retired_at IS NULL AND query.retired_at IS NULL
                   ORDER BY query.ordinal, pair.id""")]


def change(before, after):
    if before is None or after is None:
        return None
    was, now = before["position"], after["position"]
    if was is None and now is None:
        return 0
    if was is None:
        return "entered"
    return "left" if now is None else was - now


def reading(check):
    return check and {"position": check["position"], "within": check["within"], "checkedAt": iso(check["at"])}


def standing(pair, now):
    """What the newest check said, the newest good one, and what it is compared with."""
    newest = pair.checks[-1] if pair.checks else None
    last = pair.last(now)
    if newest is None:
        state = "pending"
    elif newest["outcome"] != "good":
        state = newest["outcome"]
    else:
        state = "ranked" if last["position"] is not None else "absent"
    is_good = state in ("ranked", "absent")
    ranked = [check for check in pair.good if check["position"] is not None]
    row = {
        "state": state,
        "position": last["position"] if is_good else None,
        "within": last["within"] if is_good else None,
        "checkedAt": newest and iso(newest["at"]),
        "reason": None if newest is None or is_good else newest["reason"],
        "lastGood": reading(last),
        "change": {},
        "mine": pair.mine,
    }
    for days in (1, 7, 30):
        then = None
        if last is not None:
            then = pair.days_ago(days, last)
        row["change"][f"{days}d"] = change(then, last)
    for name, pick in (("best", min), ("worst", max)):
        place = pick((check["position"] for check in ranked), default=None)
        # The first moment at which it stood there.
        first = min((check["at"] for check in ranked if check["position"] == place), default=None)
        row[name] = place and {"position": place, "at": iso(first)}
    return row


class Comparison:
    def __init__(self):
        self.differences = []
        self.figures = 0

    def equal(self, where, reported, recomputed):
        self.figures += 1
        if isinstance(reported, float) or isinstance(recomputed, float):
            same = (reported is not None and recomputed is not None
                    and math.isclose(reported, recomputed, rel_tol=1e-9, abs_tol=1e-9))
        else:
            same = reported == recomputed and isinstance(reported, bool) == isinstance(recomputed, bool)
        if not same:
            self.differences.append(f"{where}: reported {reported}, recomputed {recomputed}")

    def standings(self, report, history):
        rows = {tuple(row[name] for name in KEY): row for row in report["standings"]}
        self.equal("standings.rows", len(report["standings"]), len(history.pairs))
        for pair in history.pairs:
            row = rows.get(pair.key)
            where = "standings " + " / ".join(map(str, pair.key))
            if row is None:
                self.equal(where, None, "a row")
                continue
            wanted = standing(pair, history.now)
            for name in ("state", "position", "within", "checkedAt", "reason", "lastGood", "mine"):
                self.equal(f"{where} {name}", row[name], wanted[name])
            for name, value in wanted["change"].items():
                self.equal(f"{where} change.{name}", row["change"][name], value)
            for name in ("best", "worst"):
                self.equal(f"{where} {name}", row[name], wanted[name])

    def movers(self, report, history):
        since, until = seconds(report["since"]), seconds(report["until"])
        self.equal("movers.since", since, history.now - 7 * DAY)
        self.equal("movers.until", until, history.now)
        rows = {tuple(row[name] for name in KEY): row for row in report["movers"]}
        self.equal("movers.rows without repetition", len(report["movers"]), len(rows))
        compared = 0
        for pair in history.pairs:
            where = "movers " + " / ".join(map(str, pair.key))
            now = pair.last(until, until - pair.patience)
            was = pair.of_since(since, until, now)
            row = rows.pop(pair.key, None)
            if was is None or now is None:
                self.equal(where, row, None)
                continue
            compared += 1
            if row is None:
                self.equal(f"{where} missing, change", 0, change(was, now))
                continue
            # One that ends where it began is told of only where it moved for good in between, or slides.
            if was["position"] == now["position"] and row["slide"] is None:
                self.equal(f"{where} verdict", row["judgement"]["verdict"] in FORESEEN, True)
            self.equal(f"{where} from", row["from"], reading(was))
            self.equal(f"{where} to", row["to"], reading(now))
            self.equal(f"{where} change", row["change"], change(was, now))
            self.equal(f"{where} mine", row["mine"], pair.mine)
        self.equal("movers.compared", report["compared"], compared)
        self.equal("movers that are no pair", list(rows), [])

    def visibility(self, report, history):
        first, last = (seconds(report[name] + "T00:00:00Z") // DAY for name in ("since", "day"))
        self.equal("visibility.day", last, history.now // DAY)
        self.equal("visibility.since", first, last - 90)
        least = 2 / 3
        self.equal("visibility.leastCoverage", report["leastCoverage"], least)
        pairs = {(pair.query_id, pair.bundle.lower()): pair for pair in history.pairs}
        groups = {}
        for pair in history.pairs:
            if pair.mine:
                groups.setdefault((pair.bundle.lower(), pair.country, pair.platform), []).append(pair)
        wanted = {
            (own, app, country, platform)
            for own, country, platform in groups for app in {own} | history.rivals.get(own, set())}
        seen = set()
        for row in report["visibility"]:
            own, app = row["queriesOf"].lower(), row["bundleId"].lower()
            where = f"visibility {app} on {own}'s in {row['country']} on {row['platform']}"
            seen.add((own, app, row["country"], row["platform"]))
            own_pairs = groups.get((own, row["country"], row["platform"]), [])
            weighted = bool(own_pairs) and all((pair.popularity or 0) > 0 for pair in own_pairs)
            weights = [pair.popularity if weighted else 1.0 for pair in own_pairs]
            tracked = [pairs.get((pair.query_id, app)) for pair in own_pairs]
            self.equal(f"{where} queries", row["queries"], len(own_pairs))
            self.equal(f"{where} weighted", row["weighted"], weighted)

            def readings(day):
                return [pair and pair.of_day(day, history.now) for pair in tracked]

            def score(checks, among=None):
                used = [i for i, check in enumerate(checks) if check and (among is None or i in among)]
                weight = sum(weights[i] for i in used)
                coverage = weight / sum(weights)
                gain = sum(
                    weights[i] / math.log2(1 + checks[i]["position"]) for i in used if checks[i]["position"])
                value = 100 * gain / weight if used and coverage >= least - 1e-12 else None
                return value, coverage, len(used)

            self.equal(f"{where} days", [day["day"] for day in row["days"]], [date(d) for d in range(first, last + 1)])
            for entry, day in zip(row["days"], range(first, last + 1)):
                for name, value in zip(("score", "coverage", "counted"), score(readings(day))):
                    self.equal(f"{where} {entry['day']} {name}", entry[name], value)
            for name, value in zip(("score", "coverage", "counted"), score(readings(last))):
                self.equal(f"{where} {name}", row[name], value)
            for days in (7, 30):
                now, then = readings(last), readings(last - days)
                both = {i for i in range(len(now)) if now[i] and then[i]}
                later, earlier = score(now, both)[0], score(then, both)[0]
                gained = None if later is None or earlier is None else later - earlier
                self.equal(f"{where} change.{days}d", row["change"][f"{days}d"], gained)
        self.equal("visibility rows", sorted(seen), sorted(wanted))

    def distribution(self, report, history):
        bands = (("first", 1), ("to3", 3), ("to10", 10), ("to30", 30), ("to50", 50), ("to100", 100), ("to200", 200))
        names = [name for name, _ in bands] + ["beyond200", "absent", "noFreshCheck"]
        first, last = (seconds(report[name] + "T00:00:00Z") // DAY for name in ("since", "day"))
        self.equal("distribution.day", last, history.now // DAY)
        self.equal("distribution.since", first, last - 30)

        def counts(pairs, day):
            counts = dict.fromkeys(names, 0)
            for pair in pairs:
                check = pair.of_day(day, history.now)
                if check is None:
                    name = "noFreshCheck"
                elif check["position"] is None:
                    name = "absent"
                else:
                    name = next((name for name, end in bands if check["position"] <= end), "beyond200")
                counts[name] += 1
            return counts

        mine = [pair for pair in history.pairs if pair.mine]
        for name, day in (("now", last), ("then", first)):
            self.equal(f"distribution.mine.{name}", report["mine"][name], counts(mine, day))
            both = [pair for pair in mine if all(pair.of_day(end, history.now) for end in (first, last))]
            self.equal(f"distribution.mine.compared.{name}", report["mine"]["compared"][name], counts(both, day))
        apps = {row["bundleId"] for row in report["distribution"]}
        self.equal("distribution apps", sorted(apps), sorted({pair.bundle for pair in mine}))
        for row in report["distribution"]:
            pairs = [pair for pair in mine if pair.bundle == row["bundleId"]]
            where = f"distribution {row['bundleId']}"
            self.equal(f"{where} now", row["now"], counts(pairs, last))
            self.equal(f"{where} then", row["then"], counts(pairs, first))
            days = [
                {
                    "day": date(day), **counts(pairs, day),
                    "notYetChecked": sum(all(check["at"] // DAY > day for check in pair.checks) for pair in pairs),
                } for day in range(first, last + 1)
            ]
            self.equal(f"{where} days", row["days"], days)


def main():
    parser = argparse.ArgumentParser(description="Recomputes the reports' figures from the raw tables.")
    parser.add_argument("database")
    parser.add_argument("--now", required=True, type=seconds)
    parser.add_argument("--reports", required=True)
    options = parser.parse_args()
    comparison = Comparison()
    try:
        history = History(options.database, options.now)
        for name in ("standings", "movers", "visibility", "distribution"):
            with open(os.path.join(options.reports, name + ".json"), encoding="utf-8") as file:
                report = json.load(file)
            comparison.equal(f"{name}.generatedAt", seconds(report["generatedAt"]), options.now)
            getattr(comparison, name)(report, history)
    except (OSError, sqlite3.Error, ValueError, KeyError) as error:
        print(f"could not compare: {error!r}", file=sys.stderr)
        return 2
    for difference in comparison.differences:
        print(difference)
    print(f"{comparison.figures} figures compared, {len(comparison.differences)} differ")
    return 1 if comparison.differences else 0


if __name__ == "__main__":
    sys.exit(main())
