internal import Foundation
internal import History
internal import RankKit
package import Reports

/// The folder of mails that wait to be handed to sendmail, by a unit that may run it: `rankd-alert-mail.service`.
package struct MailSpool: Sendable {
    private let folder: String

    /// Within the state directory.
    package static let folderName = WaitingMails.folderName
    /// As many mails wait if nobody hands them on.
    package static let most = 1_000

    /// - Parameter folder: made where it is missing; the one above it has to be there.
    package init(folder: String) { self.folder = folder }

    /// The one in the folder of a history.
    package static func beside(_ database: String) -> MailSpool {
        MailSpool(folder: URL(fileURLWithPath: database).deletingLastPathComponent().path + "/" + folderName)
    }

    /// Leaves a mail to be sent, whole or not at all. The same name again replaces what still waits under it.
    ///
    /// What root leaves belongs to the owner of the folder, and a folder that root makes to the owner of the one above it:
    /// the unit that hands mails on runs as that user.
    ///
    /// - Parameter name: `[A-Za-z0-9._-]` and no dot first.
    /// - Returns: `.delivered` once the mail would survive a loss of power.
    package func leave(_ mail: MailMessage, name: String) -> DeliveryAnswer {
        guard (1...200).contains(name.utf8.count), !name.hasPrefix("."), !name.hasPrefix("-"),
            name.wholeMatch(of: /[A-Za-z0-9._\-]+/) != nil
        else { return .refused(why: "the mail has an invalid file name") }
        let isNew = mkdir(folder, 0o750) == 0
        if !isNew, errno != EEXIST { return Self.failed("the folder for mail cannot be made") }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard directory >= 0 else { return Self.failed("the folder for mail cannot be opened") }
        defer { close(directory) }
        guard !isNew || Self.give(directory, toOwnerOf: folder + "/..") else {
            return Self.failed("the folder for mail cannot be given to the user of rankd")
        }
        let waiting: Int
        do { waiting = try FileManager.default.contentsOfDirectory(atPath: folder).count } catch {
            return .retry(after: nil, why: "the folder for mail cannot be read")
        }
        guard waiting < Self.most else {
            return .retry(after: nil, why: "\(waiting) mails are already waiting: is rankd-alert-mail.path enabled?")
        }
        let (temporary, final) = (".\(name).new", "\(name).eml")
        // One that a crash left behind.
        unlinkat(directory, temporary, 0)
        let file = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard file >= 0 else { return Self.failed("the mail cannot be written") }
        let isWritten = Self.give(file, toOwnerOf: folder) && Self.write(Array(mail.source.utf8), to: file)
        let problem = errno
        close(file)
        guard isWritten, renameat(directory, temporary, directory, final) == 0, fsync(directory) == 0 else {
            if !isWritten { errno = problem }
            let answer = Self.failed("the mail cannot be written")
            unlinkat(directory, temporary, 0)
            return answer
        }
        return .delivered
    }

    /// As root alone; what others make is theirs.
    private static func give(_ file: Int32, toOwnerOf path: String) -> Bool {
        guard geteuid() == 0 else { return true }
        var status = stat()
        return stat(path, &status) == 0 && fchown(file, status.st_uid, status.st_gid) == 0
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        // Whatever the umask: nobody outside the group reads it.
        guard fchmod(file, 0o640) == 0 else { return false }
        var done = 0
        while done < bytes.count {
            let written = bytes[done...].withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return false }
            done += written
        }
        return fsync(file) == 0
    }

    private static func failed(_ what: String) -> DeliveryAnswer {
        let problem = errno
        let account = ServiceAccount.ofThisMachine
        let remedy = problem == EACCES && !account.isThis ? "; run the command \(account.asService)" : ""
        return .retry(after: nil, why: "\(what): \(String(cString: strerror(problem)))\(remedy)")
    }
}
