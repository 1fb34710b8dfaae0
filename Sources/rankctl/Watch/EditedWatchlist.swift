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
    ///   - typed: the options that the new lines were made of, by the watchlist's key: a mistake in them is told of what
    ///     was typed, because the file was sound.
    func change(
        makes: Bool = false, read: WatchlistEditor? = nil, typed: [String: String] = [:],
        _ edit: (inout WatchlistEditor) throws -> Void
    ) throws {
        let folder = open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // Without the folder there is nothing to wait for, and the reading below says what is wrong.
        defer { if folder >= 0 { close(folder) } }
        if folder >= 0 { while flock(folder, LOCK_EX) != 0, errno == EINTR {} }
        let editor = try trying(try editor(makes: makes, read: read), typed: typed, edit)
        try WatchlistFile.write(editor.bytes, to: path)
    }

    /// What the edit would make of a document. Writes nothing.
    func trying(
        _ before: WatchlistEditor, typed: [String: String] = [:], _ edit: (inout WatchlistEditor) throws -> Void
    ) throws -> WatchlistEditor {
        var editor = before
        do { try edit(&editor) } catch WatchlistEditor.Refusal.invalid(let error) where !typed.isEmpty {
            for mistake in error.mistakes { Terminal.say(SafeText.escaped(Self.words(mistake, typed))) }
            throw ExitStatus.configuration
        }
        return editor
    }

    /// A mistake with the option that was typed in the place of its path.
    private static func words(_ mistake: Mistake, _ typed: [String: String]) -> String {
        // `watch[3].countries[1]` is about `countries`.
        let key = mistake.path.split(separator: ".").last.map { String($0.prefix { $0 != "[" }) } ?? ""
        return typed[key].map { "\($0): \(mistake.problem); \(mistake.remedy)" } ?? mistake.description
    }

    /// What the file says now; one that does not exist yet says nothing.
    func read() throws -> WatchlistEditor { try editor(makes: true) }

    private func editor(makes: Bool, read: WatchlistEditor? = nil) throws -> WatchlistEditor {
        do {
            let bytes = try WatchlistFile.read(path)
            if let read, read.bytes == bytes { return read }
            do throws(WatchlistError) { return try WatchlistEditor(bytes) } catch { throw error.inFile(path) }
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
            throw ValidationError(
                "“\(name)” is neither an alias of the watchlist nor a bundle id"
                    + (nearest(to: name, in: watchlist).map { "; did you mean “\($0)”?" } ?? ""))
        }
        return bundleID
    }

    /// The alias or bundle id of the watchlist that `name` is likely a slip of.
    static func nearest(to name: String, in watchlist: Watchlist) -> String? {
        let names = watchlist.apps.lazy.flatMap { [$0.alias, $0.bundleID.text].compactMap(\.self) }
        return Spelling.nearest(to: name, in: names.prefix(1_000))
    }

    /// Apps as a person calls them, with commas between them.
    static func list(_ apps: [BundleID], in watchlist: Watchlist) -> String {
        apps.map { app in
            SafeText.escaped(watchlist.apps.first { $0.bundleID == app }?.alias ?? app.text)
        }.joined(separator: ", ")
    }
}
