import Foundation
import History
import RankKit
import Reports
import TestSupport
import Testing

@testable import Console

/// A remedy names a group only where this machine has it and it is what is missing.
@Suite struct RemedyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var history: String { folder.file("history.sqlite") }

    /// The group that owns the folder.
    private var owning: String {
        get throws {
            var status = stat()
            try #require(stat(folder.path, &status) == 0)
            return String(cString: try #require(getgrgid(status.st_gid)).pointee.gr_name)
        }
    }

    @Test func `a watchlist that is in none of the usual places is missed at each of them, with what to do`() {
        let home = FileLocations(environment: ["HOME": "/h"]) { _ in false }
        #expect(
            Remedy.words(.missing(path: "/etc/rankd/watchlist.json"), home)
                == "there is no watchlist at /h/.config/rankd/watchlist.json or /etc/rankd/watchlist.json: no such file; "
                + "name one with --watchlist FILE, or make one with “rankctl init”")
        let named = "no such file; name another with --watchlist FILE, or make one with “rankctl init”"
        #expect(Remedy.words(.missing(path: "/x"), home) == "/x: \(named)")
        let chosen = FileLocations(environment: ["HOME": "/h", "RANKD_WATCHLIST": "/e"]) { _ in false }
        #expect(Remedy.words(.missing(path: "/e"), chosen) == "/e: \(named)")
        // A variable may name the machine's own: no other place was looked at.
        let machine = FileLocations(environment: ["HOME": "/h", "RANKD_WATCHLIST": FileLocations.machineWatchlist]) {
            _ in
            false
        }
        #expect(
            Remedy.words(.missing(path: FileLocations.machineWatchlist), machine)
                == "\(FileLocations.machineWatchlist): \(named)")
        #expect(Remedy.words(.empty(path: "/e"), chosen).hasPrefix("/e: the file is empty"))
    }

    @Test func `commands that an error of the history names repeat the history that was named`() {
        let errors: [(HistoryError, String)] = [
            (.missing(path: "/h"), "rankd --once"), (.corrupt(path: "/h", what: "torn"), "rankctl export"),
            (.damagedInUse(path: "/h", what: "torn"), "rankctl export"),
            (
                .damagedLists(
                    path: "/h", what: "torn", from: Timestamp(secondsSinceEpoch: 0),
                    through: Timestamp(secondsSinceEpoch: 0)), "rankctl verify"
            ),
        ]
        for (error, command) in errors {
            #expect(Remedy.words(error) == error.description && !error.description.contains("\(command) --"))
            let words = AskedOptions.$current.withValue(AskedOptions(database: "my history")) { Remedy.words(error) }
            #expect(words.contains("\(command) --database 'my history'"), "\(words)")
        }
    }

    @Test func `where no such group exists, nothing is said of it`() {
        #expect(Remedy.reading(history, group: "no-such-group-\(getpid())") == nil)
    }

    @Test func `where the history is of another group, that group is no remedy`() throws {
        let owning = try owning
        let other = try #require(
            ["daemon", "nogroup", "bin"].first { (name: String) in name != owning && getgrnam(name) != nil })
        #expect(Remedy.reading(history, group: other) == nil)
    }

    @Test func `where the history is the group's, it is named with how to join it`() throws {
        let owning = try owning
        let words = try #require(Remedy.reading(history, group: owning))
        #expect(words.contains("group \(owning)"), "\(words)")
    }

    @Test func `without a remedy the error says what it says everywhere`() throws {
        let error = HistoryError.notPermitted(path: history)
        let owning = try owning
        try #require(getgrnam("rankd") == nil || owning != "rankd")
        #expect(Remedy.words(error) == error.description)
        #expect(!error.description.contains("group") && !error.description.contains("sudo"))
    }

    @Test func `where no service reads the watchlist, none is to be reloaded`() {
        #expect(!Remedy.reload(folder.file("watchlist.json")).contains("systemctl"))
    }
}
