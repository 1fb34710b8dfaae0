import RankKit
import Testing

@Suite struct CountryNamesTests {
    @Test(arguments: [
        ("US", "us"), ("uk", "gb"), ("United States", "us"), ("united states of america", "us"), (" Germany ", "de"),
        ("South Korea", "kr"), ("Korea, Republic of", "kr"), ("Türkiye", "tr"), ("Turkey", "tr"),
        ("Cote d'Ivoire", "ci"), ("Hong Kong", "hk"), ("St. Lucia", "lc"), ("Saint Lucia", "lc"),
        ("Trinidad and Tobago", "tt"), ("Bosnia & Herzegovina", "ba"), ("The Netherlands", "nl"),
    ]) func `a country is read by its code or its English name`(text: String, code: String) {
        #expect(Country(written: text)?.code == code)
    }

    @Test func `every storefront has a name, and no two have the same`() {
        let codes = Country.codes.sorted()
        let read = codes.compactMap { Country.englishName(of: $0) }
        #expect(read.count == codes.count && Set(read).count == codes.count)
        #expect(zip(codes, read).allSatisfy { Country(written: $1)?.code == $0 })
    }

    @Test(arguments: [
        ("usa", "did you mean “us”?"), ("Untied States", "did you mean “us”?"), ("Gremany", "did you mean “de”?"),
        ("DEU", "did you mean “de”?"), ("en", "did you mean “us”?"),
        ("xx", "write its code, such as us, gb or de, or its English name"),
        ("Iran", "write its code, such as us, gb or de, or its English name"),
        ("Atlantis", "write its code, such as us, gb or de, or its English name"),
        ("", "write its code, such as us, gb or de, or its English name"),
    ]) func `a slip is no country, and what was meant is suggested`(text: String, remedy: String) {
        #expect(Country(written: text) == nil)
        #expect(Country.mistake(in: text) == "“\(text)” is no country with an App Store; \(remedy)")
    }

    @Test(arguments: [
        ("USA", "USA", "us"), ("u.s.a.", "USA", "us"), ("U.S.", "US", "us"), ("U.K.", "UK", "gb"), ("gbr", "GBR", "gb"),
        ("KOR", "KOR", "kr"), ("UAE", "UAE", "ae"), ("ARE", "ARE", "ae"), ("DEU", "DEU", "de"),
    ]) func `a longer code is read where one asks for it, and nowhere else`(text: String, code: String, country: String)
    {
        let read = Country.longCode(in: text)
        #expect(read?.code == code && read?.country.code == country)
        #expect(Country(written: text) == nil && Country(coded: text) == nil)
    }

    @Test(arguments: ["us", "xx", "xxx", "", "ger", "and", "England", "x.x."]) func `nothing else is one`(text: String)
    {
        #expect(Country.longCode(in: text) == nil)
    }

    @Test func `every storefront has one three-letter code of ISO 3166-1`() {
        let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(UnicodeScalar($0)) }
        let codes = letters.flatMap { one in letters.flatMap { two in letters.map { one + two + $0 } } }
        let read = codes.filter { $0 != "uae" }.compactMap { Country.longCode(in: $0)?.country }
        #expect(read.count == Country.codes.count && Set(read.map(\.code)) == Country.codes)
    }
}
