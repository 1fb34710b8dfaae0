internal import ArgumentParser
import Console
import Foundation
import RankKit

/// A watchlist that a command changes: read, edited as text, and put back whole.
struct EditedWatchlist {
    let path: String

    /// Changes the file. Other commands that change it wait, so that none loses what another added.
    ///
    /// - Parameters:
    ///   - makes: whether a file that does not exist is begun.
    ///   - read: what the file said a moment ago, which need not be decoded again where it still says so.
    func change(
        makes: Bool = false, read: WatchlistEditor? = nil, _ edit: (inout WatchlistEditor) throws -> Void
    ) throws {
        let folder = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Without the folder there is nothing to wait for, and the reading below says what is wrong.
        defer { if folder >= 0 { close(folder) } }
        if folder >= 0 { while flock(folder, LOCK_EX) != 0, errno == EINTR {} }
        var editor = try editor(makes: makes, read: read)
        try edit(&editor)
        try WatchlistFile.write(editor.bytes, to: path)
    }

    /// What the file says now; one that does not exist yet says nothing.
    func read() throws -> WatchlistEditor { try editor(makes: true) }

    private func editor(makes: Bool, read: WatchlistEditor? = nil) throws -> WatchlistEditor {
        do {
            let bytes = try WatchlistFile.read(path)
            if let read, read.bytes == bytes { return read }
            return try WatchlistEditor(bytes)
        } catch WatchlistFile.Failure.missing where makes {
            return try WatchlistEditor(WatchlistEditor.emptyDocument)
        }
    }

    private var folderPath: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }
}

/// What a person calls an app: an alias of the watchlist, or a bundle id.
enum AppName {
    static func bundleID(_ name: String, in watchlist: Watchlist) throws -> BundleID {
        if let known = watchlist.apps.first(where: { $0.alias == name }) { return known.bundleID }
        guard let bundleID = BundleID(name) else {
            throw ValidationError("“\(name)” is neither an alias of the watchlist nor a bundle id")
        }
        return bundleID
    }

    /// Apps as a person calls them, with commas between them.
    static func list(_ apps: [BundleID], in watchlist: Watchlist) -> String {
        apps.map { app in
            SafeText.escaped(watchlist.apps.first { $0.bundleID == app }?.alias ?? app.text)
        }.joined(separator: ", ")
    }
}
