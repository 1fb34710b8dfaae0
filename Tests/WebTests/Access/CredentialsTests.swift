import Testing

@testable import Web

@Suite struct CredentialsTests {
    private let token = "0123456789abcdef"

    @Test func `a password is the first line of its file, without the spaces around it`() throws {
        let credentials = try Credentials(password: "  correct horse \nmore\n", tokens: nil)
        #expect(credentials.entry(for: "correct horse")?.visitor == Visitor(name: "owner", tags: nil))
        #expect(credentials.entry(for: "more") == nil)
    }

    @Test func `a token has a name, and sees all or its tags`() throws {
        let credentials = try Credentials(
            password: nil, tokens: "# who\nphone \(token)1\n\nclient  \(token)2 tags=acme,beta # theirs\n")
        #expect(credentials.entry(for: token + "1")?.visitor == Visitor(name: "phone", tags: nil))
        #expect(credentials.entry(for: token + "2")?.visitor == Visitor(name: "client", tags: ["acme", "beta"]))
        #expect(credentials.entry(for: token) == nil)
    }

    @Test(arguments: [
        ("phone", "line 1"), ("phone short", "line 1"), ("a 0123456789abcdef tags=", "line 1"),
        ("a 0123456789abcdef acme", "line 1"), ("a 0123456789abcdef tags=x more", "line 1"),
        ("\na 0123456789abcdef\na 0123456789abcdeg", "line 3"), ("# nothing", "no token"),
    ])
    func `a mistake is told with its line`(_ text: String, _ words: String) throws {
        let mistake = try #require(throws: Credentials.Mistake.self) { try Credentials(password: nil, tokens: text) }
        #expect(mistake.description.contains(words))
        #expect(!mistake.description.contains("0123456789abcdef"))
    }

    @Test func `a token may not have the password's name, which is said`() throws {
        let mistake = try #require(throws: Credentials.Mistake.self) {
            try Credentials(password: "correct horse", tokens: "north \(token)1\nowner \(token)2\n")
        }
        #expect(
            mistake.description == "line 2: the name owner is that of the password: call the token something else")
        #expect(!mistake.isOfPassword)
        let alone = try Credentials(password: nil, tokens: "owner \(token)\n")
        #expect(alone.entry(for: token)?.name == "owner")
        let twice = try #require(throws: Credentials.Mistake.self) {
            try Credentials(password: nil, tokens: "owner \(token)1\nowner \(token)2\n")
        }
        #expect(twice.description == "line 2: there are two tokens called owner")
    }

    @Test func `one token under two names is refused with both names, and so is the password as a token`() throws {
        let twice = try #require(throws: Credentials.Mistake.self) {
            try Credentials(password: nil, tokens: "phone \(token)\n# a tablet\ntablet \(token) tags=north\n")
        }
        #expect(twice.description == "line 3: the tokens phone and tablet are the same: give each one of its own")
        let password = try #require(throws: Credentials.Mistake.self) {
            try Credentials(password: "\(token)\n", tokens: "phone \(token)\n")
        }
        #expect(password.description == "line 1: the token phone is the same as the password: give it one of its own")
        #expect(!password.isOfPassword)
    }

    @Test func `a password of a few letters is refused`() throws {
        let mistake = try #require(throws: Credentials.Mistake.self) {
            try Credentials(password: "secret", tokens: nil)
        }
        #expect(mistake.isOfPassword)
    }
}
