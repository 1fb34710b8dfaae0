import Foundation
import TestSupport
import Testing

@testable import Web

@Suite struct SecretKeyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What two starts of the program make of the folder, and what they say.
    private func keys(in folder: String) -> (isKept: Bool, words: [String]) {
        var words: [String] = []
        let first = SecretKey.kept(in: folder) { words.append($0) }
        let signed = first?.signed("a", for: "test")
        let second = SecretKey.kept(in: folder) { words.append($0) }
        return (signed.flatMap { second?.payload(of: $0, for: "test") } == "a", words)
    }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
    }

    @Test func `a key is made once, for its owner's eyes alone`() throws {
        let (isKept, words) = keys(in: folder.path)
        #expect(isKept && words.isEmpty)
        #expect(try mode("key") == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
    }

    @Test(arguments: ["", "short", String(repeating: "x", count: 33)])
    func `a damaged key is made anew, and it is said`(_ text: String) throws {
        _ = try folder.write(text, to: "key")
        let (isKept, words) = keys(in: folder.path)
        #expect(isKept && words.count == 1 && words[0].contains("damaged"), "\(words)")
        #expect(try mode("key") == 0o600)
    }

    @Test func `what was signed has one spelling alone`() throws {
        let key = SecretKey()
        // Long enough for every letter of the alphabet, and for two spare bits at the end of both parts.
        let payload = String(repeating: "ÿþ~?>", count: 40) + "ab"
        let signed = key.signed(payload, for: "link")
        #expect(key.payload(of: signed, for: "link") == payload)
        #expect(signed.contains("-") && signed.contains("_"))
        var spellings = [
            signed.replacing("-", with: "+"), signed.replacing("_", with: "/"), signed + "=", " " + signed,
            signed.replacing(".", with: "=."),
        ]
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for letter in letters where letter != signed.last { spellings.append(signed.dropLast() + String(letter)) }
        for spelling in spellings { #expect(key.payload(of: spelling, for: "link") == nil, "\(spelling.suffix(60))") }
    }

    @Test func `what is no file is left alone`() throws {
        try FileManager.default.createDirectory(atPath: folder.file("key"), withIntermediateDirectories: false)
        let (isKept, words) = keys(in: folder.path)
        #expect(!isKept && words.count == 2, "\(words)")
        #expect(FileManager.default.fileExists(atPath: folder.file("key")))
    }
}
