import Testing

@testable import RankKit

/// A link to an app's page as people copy it.
@Suite struct StoreLinkTests {
    @Test(
        arguments: ["https://", "http://", "HTTPS://", ""], ["apps.apple.com", "itunes.apple.com", "Apps.Apple.com"])
    func `a link is one with its scheme and without`(scheme: String, host: String) throws {
        let link = try #require(StoreLink("\(scheme)\(host)/de/app/day-light/id572688855?mt=8#reviews"))
        #expect(link.id == AppID(572_688_855) && link.country == Country(code: "de"))
        #expect(StoreLink("\(scheme)\(host)/app/id572688855")?.country == Country(code: "us"))
    }

    @Test(arguments: [
        "apps.apple.com", "apps.apple.com/us/app/name", "apps.apple.com/us/app/id0", "ftp://apps.apple.com/us/app/id7",
        "apps.apple.com.evil.example/us/app/id7", "example.com/us/app/id7", "com.apple.app", "",
    ]) func `what leads to no app is no link`(text: String) { #expect(StoreLink(text) == nil) }
}
