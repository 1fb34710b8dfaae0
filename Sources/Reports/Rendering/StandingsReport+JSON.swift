import RankKit

extension StandingsReport {
    package func write(to writer: inout JSONWriter) {
        writer.member("since", standings.since)
        writer.member("until", standings.until)
        writer.damagedLists(damaged)
        writer.key("standings")
        writer.array(standings.rows, linePerElement: true) { writer, row in
            writer.object { $0.members(of: row) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of row: Standings.Row) {
        member("query", row.query)
        member("country", row.country.code)
        member("platform", row.platform.rawValue)
        member("source", row.source.rawValue)
        member("language", row.language)
        member("bundleId", row.bundleID.text)
        member("alias", row.alias)
        member("appId", row.appID?.number)
        member("appName", row.appName)
        member("mine", row.mine)
        key("tags")
        array(row.tags) { $0.string($1) }
        member("state", row.state.rawValue)
        member("position", row.position?.number)
        member("within", row.within)
        member("checkedAt", row.checkedAt)
        member("reason", row.reason)
        member("lastGood", row.lastGood) { writer, reading in
            writer.member("position", reading.position?.number)
            writer.member("within", reading.within)
            writer.member("checkedAt", reading.checkedAt)
        }
        key("change")
        object { writer in
            writer.member("1d", row.change1d)
            writer.member("7d", row.change7d)
            writer.member("30d", row.change30d)
        }
        extreme("best", row.best)
        extreme("worst", row.worst)
        member("note", row.unknown?.note)
        member("changeSince", row.changeSince)
        judgement(row.judgement)
        difficulty(row.difficulty, own: row.ratingCount)
    }

    private mutating func extreme(_ name: StaticString, _ extreme: Standings.Extreme?) {
        member(name, extreme) { writer, extreme in
            writer.member("position", extreme.position.number)
            writer.member("at", extreme.at)
        }
    }
}
