import Foundation

extension Country {
    /// As people write it: the code, `uk`, which everybody says and the App Store has never had, or the name in English.
    ///
    /// `nil` if `text` (any case) is none of them.
    package init?(written text: String) {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let country = Self(coded: text) ?? Self.named[Self.plain(text)] { self = country } else { return nil }
    }

    /// By its code, or `uk`: what a watchlist takes.
    ///
    /// `nil` if `text` (any case) is neither.
    package init?(coded text: String) {
        self.init(code: text.lowercased() == Self.nickname ? Self.nicknamed : text)
    }

    /// What people write for `nicknamed`.
    package static let nickname = "uk"
    package static let nicknamed = "gb"

    /// The country that a text was most likely meant for: its name, a language, a three-letter code, a slip of its name.
    static func meant(by text: String) -> Country? {
        let plain = plain(text)
        if let country = named[plain] ?? mistaken[plain] ?? longCodes[plain] { return country }
        guard !withoutStore.contains(plain), !text.contains("\n"), plain.utf8.count > 2,
            let name = Spelling.nearest(to: plain, in: named.keys.sorted())
        else { return nil }
        return named[name]
    }

    /// That `text` is no country, with what may have been meant: for people, without a full stop.
    package static func mistake(in text: String) -> String {
        "“\(TextRule.shown(text))” is no country with an App Store; \(remedy(for: text))"
    }

    /// What to write for `text`, which is no country.
    package static func remedy(for text: String) -> String {
        meant(by: text).map { "did you mean “\($0)”?" } ?? "write its code, such as us, gb or de, or its English name"
    }

    /// Small letters without marks, and without what is written now one way and now another: `St. Lucia` is
    /// `saint lucia`, `Bosnia & Herzegovina` is `Bosnia and Herzegovina`.
    private static func plain(_ text: String) -> String {
        guard text.utf8.count <= 64 else { return "" }
        let bare = text.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { $0.properties.generalCategory != .nonspacingMark && $0 != "’" && $0 != "'" && $0 != "." }
        let words = String(String.UnicodeScalarView(bare)).split { !$0.isLetter }
        return words.filter { $0 != "the" && $0 != "and" }.map { $0 == "st" ? "saint" : $0 }.joined()
    }

    private static let named: [String: Country] = {
        var named: [String: Country] = [:]
        for line in names.split(separator: "\n") {
            guard let country = Country(code: String(line.prefix(2))) else { continue }
            for name in line.dropFirst(3).split(separator: "|") { named[plain(String(name))] = country }
        }
        return named
    }()

    /// What the country of `code` is called; `nil` if there is none.
    package static func englishName(of code: String) -> String? {
        names.split(separator: "\n").first { $0.hasPrefix(code + " ") }?.dropFirst(3).split(separator: "|").first.map(
            String.init)
    }

    /// A country by its three-letter code, or by a short name with points such as `U.S.`, as tables have them. Nobody
    /// types those for one country, and so nothing else reads them.
    ///
    /// `nil` if `text` (any case) is neither.
    package static func longCode(in text: String) -> (code: String, country: Country)? {
        let plain = plain(text)
        guard let country = longCodes[plain] ?? (text.dropLast().contains(".") ? Self(coded: plain) : nil) else {
            return nil
        }
        return (plain.uppercased(), country)
    }

    /// Languages and other codes that are taken for countries. They are never read as what they may mean.
    private static let mistaken: [String: Country] = [
        "en": "us", "ger": "de", "ja": "jp", "ko": "kr", "zh": "cn", "cs": "cz", "da": "dk", "arae": "ae", "sp": "es",
        "po": "pl", "sw": "se", "el": "gr", "he": "il", "vi": "vn",
    ].compactMapValues { Country(code: $0) }

    /// By ISO 3166-1's three-letter codes, and `uae`.
    private static let longCodes: [String: Country] = {
        var codes = ["uae": Self(code: "ae")].compactMapValues(\.self)
        for entry in threeLetters.split(whereSeparator: { $0 == "|" || $0 == "\n" }) {
            codes[String(entry.suffix(3))] = Self(code: String(entry.prefix(2)))
        }
        return codes
    }()

    /// Source: ISO 3166-1, and `xkx`, which everybody uses for Kosovo.
    private static let threeLetters = """
        ae are|af afg|ag atg|ai aia|al alb|am arm|ao ago|ar arg|at aut|au aus|az aze|ba bih|bb brb|be bel|bf bfa
        bg bgr|bh bhr|bj ben|bm bmu|bn brn|bo bol|br bra|bs bhs|bt btn|bw bwa|by blr|bz blz|ca can|cd cod|cg cog
        ch che|ci civ|cl chl|cm cmr|cn chn|co col|cr cri|cv cpv|cy cyp|cz cze|de deu|dk dnk|dm dma|do dom|dz dza
        ec ecu|ee est|eg egy|es esp|fi fin|fj fji|fm fsm|fr fra|ga gab|gb gbr|gd grd|ge geo|gh gha|gm gmb|gr grc
        gt gtm|gw gnb|gy guy|hk hkg|hn hnd|hr hrv|hu hun|id idn|ie irl|il isr|in ind|iq irq|is isl|it ita|jm jam
        jo jor|jp jpn|ke ken|kg kgz|kh khm|kn kna|kr kor|kw kwt|ky cym|kz kaz|la lao|lb lbn|lc lca|lk lka|lr lbr
        lt ltu|lu lux|lv lva|ly lby|ma mar|md mda|me mne|mg mdg|mk mkd|ml mli|mm mmr|mn mng|mo mac|mr mrt|ms msr
        mt mlt|mu mus|mv mdv|mw mwi|mx mex|my mys|mz moz|na nam|ne ner|ng nga|ni nic|nl nld|no nor|np npl|nr nru
        nz nzl|om omn|pa pan|pe per|pg png|ph phl|pk pak|pl pol|pt prt|pw plw|py pry|qa qat|ro rou|rs srb|ru rus
        rw rwa|sa sau|sb slb|sc syc|se swe|sg sgp|si svn|sk svk|sl sle|sn sen|sr sur|st stp|sv slv|sz swz|tc tca
        td tcd|th tha|tj tjk|tm tkm|tn tun|to ton|tr tur|tt tto|tw twn|tz tza|ua ukr|ug uga|us usa|uy ury|uz uzb
        vc vct|ve ven|vg vgb|vn vnm|vu vut|xk xkx|ye yem|za zaf|zm zmb|zw zwe
        """

    /// Countries whose names look like slips of others.
    private static let withoutStore: Set<String> = [
        "andorra", "bangladesh", "burundi", "comoros", "cuba", "djibouti", "eritrea", "ethiopia", "guam", "guinea",
        "haiti", "iran", "kiribati", "lesotho", "liechtenstein", "monaco", "northkorea", "palestine", "puertorico",
        "samoa", "sanmarino", "somalia", "southsudan", "sudan", "syria", "togo", "tuvalu",
    ]

    /// Source of the names: Unicode CLDR in English and Apple's lists of storefronts, with what other tools write.
    private static let names = """
        ae United Arab Emirates
        af Afghanistan
        ag Antigua & Barbuda
        ai Anguilla
        al Albania
        am Armenia
        ao Angola
        ar Argentina
        at Austria
        au Australia
        az Azerbaijan
        ba Bosnia & Herzegovina|Bosnia
        bb Barbados
        be Belgium
        bf Burkina Faso
        bg Bulgaria
        bh Bahrain
        bj Benin
        bm Bermuda
        bn Brunei|Brunei Darussalam
        bo Bolivia
        br Brazil
        bs Bahamas
        bt Bhutan
        bw Botswana
        by Belarus
        bz Belize
        ca Canada
        cd Congo, Democratic Republic of the|Democratic Republic of the Congo|Congo - Kinshasa|DR Congo
        cg Congo, Republic of the|Republic of the Congo|Congo - Brazzaville
        ch Switzerland
        ci Côte d’Ivoire|Ivory Coast
        cl Chile
        cm Cameroon
        cn China mainland|China|Mainland China
        co Colombia
        cr Costa Rica
        cv Cape Verde|Cabo Verde
        cy Cyprus
        cz Czech Republic|Czechia
        de Germany
        dk Denmark
        dm Dominica
        do Dominican Republic
        dz Algeria
        ec Ecuador
        ee Estonia
        eg Egypt
        es Spain
        fi Finland
        fj Fiji
        fm Micronesia|Federated States of Micronesia
        fr France
        ga Gabon
        gb United Kingdom|Great Britain|Britain
        gd Grenada
        ge Georgia
        gh Ghana
        gm Gambia
        gr Greece
        gt Guatemala
        gw Guinea-Bissau
        gy Guyana
        hk Hong Kong|Hong Kong SAR|Hong Kong SAR China
        hn Honduras
        hr Croatia
        hu Hungary
        id Indonesia
        ie Ireland
        il Israel
        in India
        iq Iraq
        is Iceland
        it Italy
        jm Jamaica
        jo Jordan
        jp Japan
        ke Kenya
        kg Kyrgyzstan
        kh Cambodia
        kn St. Kitts & Nevis
        kr South Korea|Korea, Republic of|Republic of Korea|Korea, South|Korea
        kw Kuwait
        ky Cayman Islands
        kz Kazakhstan
        la Laos|Lao People's Democratic Republic
        lb Lebanon
        lc St. Lucia
        lk Sri Lanka
        lr Liberia
        lt Lithuania
        lu Luxembourg
        lv Latvia
        ly Libya
        ma Morocco
        md Moldova|Republic of Moldova|Moldova, Republic of
        me Montenegro
        mg Madagascar
        mk North Macedonia|Macedonia
        ml Mali
        mm Myanmar|Myanmar (Burma)|Burma
        mn Mongolia
        mo Macau|Macao|Macao SAR China|Macau SAR
        mr Mauritania
        ms Montserrat
        mt Malta
        mu Mauritius
        mv Maldives
        mw Malawi
        mx Mexico
        my Malaysia
        mz Mozambique
        na Namibia
        ne Niger
        ng Nigeria
        ni Nicaragua
        nl Netherlands|Holland
        no Norway
        np Nepal
        nr Nauru
        nz New Zealand
        om Oman
        pa Panama
        pe Peru
        pg Papua New Guinea
        ph Philippines
        pk Pakistan
        pl Poland
        pt Portugal
        pw Palau
        py Paraguay
        qa Qatar
        ro Romania
        rs Serbia
        ru Russia|Russian Federation
        rw Rwanda
        sa Saudi Arabia
        sb Solomon Islands
        sc Seychelles
        se Sweden
        sg Singapore
        si Slovenia
        sk Slovakia|Slovak Republic
        sl Sierra Leone
        sn Senegal
        sr Suriname
        st São Tomé & Príncipe
        sv El Salvador
        sz Eswatini|Swaziland
        tc Turks & Caicos|Turks & Caicos Islands
        td Chad
        th Thailand
        tj Tajikistan
        tm Turkmenistan
        tn Tunisia
        to Tonga
        tr Turkey|Türkiye
        tt Trinidad & Tobago
        tw Taiwan|Taiwan, Province of China
        tz Tanzania|United Republic of Tanzania|Tanzania, United Republic of
        ua Ukraine
        ug Uganda
        us United States|United States of America
        uy Uruguay
        uz Uzbekistan
        vc St. Vincent & the Grenadines
        ve Venezuela
        vg British Virgin Islands|Virgin Islands, British
        vn Vietnam|Viet Nam
        vu Vanuatu
        xk Kosovo
        ye Yemen
        za South Africa
        zm Zambia
        zw Zimbabwe
        """
}
