import RankKit

extension PlanReport {
    func json() -> String {
        JSONWriter.document(generatedAt: change.generatedAt) { writer in
            writer.key("plan")
            writer.object { $0.members(of: change) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of change: PlanChange) {
        member("adoptedAt", change.adoptedAt)
        key("searches")
        counts(added: change.added.count, retired: change.retired.count, kept: change.keptCount)
        key("pairs")
        counts(added: change.pairsAdded.count, retired: change.pairsRetired.count, kept: change.pairsKept)
        key("histories")
        object { writer in
            writer.member("kept", change.keptCount)
            writer.member("comingBack", change.comingBack)
            writer.member("startingAnew", change.startingAnew)
            writer.key("because")
            writer.array(change.startingAnewBecause) { writer, reason in
                writer.object { writer in
                    writer.member("property", reason.property.rawValue)
                    writer.member("count", reason.count)
                }
            }
        }
        figures(of: change)
        remedies(change.remedies)
        lists(of: change)
    }

    private mutating func counts(added: Int, retired: Int, kept: Int) {
        object { writer in
            writer.member("added", added)
            writer.member("retired", retired)
            writer.member("kept", kept)
        }
    }

    private mutating func figures(of change: PlanChange) {
        key("requestsPerDay")
        object { writer in
            writer.member("before", change.before?.requestsPerDay)
            writer.member("after", change.after.requestsPerDay)
            writer.member("budget", change.after.budgetPerDay)
        }
        key("passSeconds")
        object { writer in
            writer.member("before", change.before.map { $0.passMinutes * 60 })
            writer.member("after", change.after.passMinutes * 60)
        }
        key("requestsPerMinute")
        object { writer in
            writer.member("before", change.before?.requestsPerMinute)
            writer.member("after", change.after.requestsPerMinute)
        }
        member("fitsBudget", change.after.fitsBudget)
        member("fitsCadence", change.after.fitsCadence)
    }

    private mutating func remedies(_ remedies: BudgetRemedies?) {
        member("remedies", remedies) { writer, remedies in
            writer.member("everySeconds", remedies.every)
            writer.member("requestsPerMinute", remedies.requestsPerMinute)
            writer.key("busiestLines")
            writer.array(remedies.busiest) { writer, line in
                writer.object { writer in
                    writer.member("path", line.path)
                    writer.member("searches", line.queries)
                    writer.member("requestsPerDay", line.requestsPerDay)
                }
            }
        }
    }

    private mutating func lists(of change: PlanChange) {
        key("added")
        array(change.added, linePerElement: true) { writer, search in
            writer.object { writer in
                writer.members(of: search.query)
                writer.member("cadence", WatchlistReport.words(search.cadences))
                writer.member("apps", search.apps)
                writer.members(of: search.history)
            }
        }
        key("retired")
        array(change.retired, linePerElement: true) { writer, search in
            writer.object { writer in
                writer.members(of: search.query)
                writer.member("lastCheckedAt", search.lastCheckedAt)
            }
        }
        key("cadences")
        array(change.recadenced, linePerElement: true) { writer, change in
            writer.object { writer in
                writer.members(of: change.query)
                writer.member("before", WatchlistReport.words(change.before))
                writer.member("after", WatchlistReport.words(change.after))
            }
        }
        key("pairsAdded")
        array(change.pairsAdded, linePerElement: true) { writer, added in
            writer.object { writer in
                writer.members(of: added.pair.query)
                writer.member("bundleId", added.pair.bundleID.text)
                writer.member("history", added.comesBack ? "continues" : "anew")
            }
        }
        key("pairsRetired")
        array(change.pairsRetired, linePerElement: true) { writer, pair in
            writer.object { writer in
                writer.members(of: pair.query)
                writer.member("bundleId", pair.bundleID.text)
            }
        }
    }

    /// `history` is `continues` or `anew`; `because` names the one property that keeps it from continuing.
    private mutating func members(of history: PlanChange.Continuation) {
        switch history {
        case .continues(let last):
            member("history", "continues")
            member("lastCheckedAt", last)
            member("because", String?.none)
        case .startsAnew:
            member("history", "anew")
            member("lastCheckedAt", Timestamp?.none)
            member("because", String?.none)
        case .startsAnewBecause(let property, _):
            member("history", "anew")
            member("lastCheckedAt", Timestamp?.none)
            member("because", property.rawValue)
        }
    }
}
