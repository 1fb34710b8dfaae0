import History
import RankKit

extension StatusReport {
    func json() -> String {
        JSONWriter.document(generatedAt: status.generatedAt) { writer in
            writer.key("status")
            writer.object { $0.members(of: status) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of status: Status) {
        member("level", status.level.rawValue)
        key("daemon")
        object { writer in
            switch status.daemon {
            case .running(let pid):
                writer.member("running", true)
                writer.member("pid", pid)
            case .notRunning:
                writer.member("running", false)
                writer.member("pid", Int32?.none)
            }
        }
        key("database")
        object { writer in
            writer.member("path", status.database.path)
            writer.member("bytes", status.database.bytes)
            writer.member("walBytes", status.database.walBytes)
            writer.member("schemaVersion", status.database.schemaVersion)
            writer.member("trouble", status.database.trouble?.rawValue)
        }
        key("history")
        object { writer in
            writer.member("since", status.historySince)
            writer.member("newestCheckAt", status.newestCheckAt)
        }
        member("lastPass", status.lastPass) { writer, pass in
            writer.member("startedAt", pass.startedAt)
            writer.member("finishedAt", pass.finishedAt)
            writer.member("asked", pass.asked)
            writer.member("succeeded", pass.succeeded)
            writer.member("failed", pass.failed)
            writer.member("throttled", pass.throttled)
            writer.member("suspect", pass.suspect)
            writer.member("badDay", pass.badDay)
        }
        member("nextDueAt", status.nextDueAt)
        lists(of: status)
        member("housekeptAt", status.housekeptAt)
        member("backup", status.backups) { [status] writer, backups in
            writer.member("everySeconds", backups.every)
            writer.member("lastAt", backups.lastAt)
            writer.member("late", backups.isLate(at: status.generatedAt))
            writer.member("failedAt", backups.failedAt)
            writer.member("failure", backups.failure)
        }
        member("upkeep", status.upkeep) { writer, upkeep in
            writer.member("pages", upkeep.pages)
            writer.member("listsInPages", upkeep.listsInPages)
            writer.member("otherLists", upkeep.otherLists)
            writer.member("listsSince", upkeep.listsSince)
            writer.member("daysBehind", upkeep.daysBehind)
            writer.member("countryDaysBehind", upkeep.countryDaysBehind)
            writer.member("last", upkeep.last) { writer, last in
                writer.member("daysRolledUp", last.daysRolledUp)
                writer.member("countryDays", last.countryDays)
                writer.member("listsCompacted", last.listsCompacted)
                writer.member("listsDamaged", last.listsDamaged)
                writer.member("listsDropped", last.listsDropped)
                writer.member("failuresThinned", last.failuresThinned)
                writer.member("bytesFreed", last.bytesFreed)
            }
        }
        key("requests")
        object { writer in
            writer.member("lastHour", status.requests.lastHour)
            writer.member("budgetPerHour", status.requests.budgetPerHour)
            writer.member("lastDay", status.requests.lastDay)
            writer.member("budgetPerDay", status.requests.budgetPerDay)
            writer.member("wantedPerDay", status.requests.wantedPerDay)
        }
    }

    private mutating func lists(of status: Status) {
        key("queries")
        object { writer in
            writer.member("total", status.queryCount)
            writer.member("overdue", status.overdueCount)
        }
        key("overdue")
        array(status.overdue) { writer, query in
            writer.object { writer in
                writer.member("query", query.query)
                writer.member("country", query.country.code)
                writer.member("platform", query.platform.rawValue)
                writer.member("dueSince", query.dueSince)
            }
        }
        key("endpoints")
        array(status.endpoints) { writer, endpoint in
            writer.object { writer in
                writer.member("name", endpoint.name)
                writer.member("state", endpoint.state.rawValue)
                writer.member("until", endpoint.until)
            }
        }
        key("suspects")
        array(status.suspects) { writer, query in
            writer.object { writer in
                writer.member("query", query.query)
                writer.member("country", query.country.code)
                writer.member("platform", query.platform.rawValue)
                writer.member("reason", query.reason)
                writer.member("within", query.within)
            }
        }
        key("unknownApps")
        array(status.unknownApps) { writer, app in
            writer.object { writer in
                writer.member("bundleId", app.bundleID.text)
                writer.member("country", app.country.code)
                writer.member("since", app.since)
                writer.member("lastAskedAt", app.lastAskedAt)
                writer.member("answers", app.answers)
            }
        }
        key("failures")
        array(status.failures) { writer, streak in
            writer.object { writer in
                writer.member("reason", streak.reason)
                writer.member("queries", streak.queryCount)
                writer.member("mostInARow", streak.mostInARow)
                writer.member("lastMessage", streak.lastMessage)
                writer.member("lastAt", streak.lastAt)
            }
        }
    }
}
