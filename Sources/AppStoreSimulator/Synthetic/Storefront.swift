import Foundation

/// What a country's store writes differently.
struct Storefront: Sendable {
    let code: String
    /// ISO 4217.
    let currency: String
    /// How it says that an app costs nothing.
    let free: String

    init(code: String) {
        self.code = code
        currency = Self.currencies[code] ?? (Self.euroCountries.contains(code) ? "EUR" : "USD")
        free = Self.wordsForFree[code] ?? "Free"
    }

    /// A price of the United States in the local currency, as a JSON number and as people read it.
    func price(usDollars: Double) -> (number: String, formatted: String) {
        if usDollars == 0 { return ("0.00", free) }
        switch currency {
        case "JPY", "KRW", "RUB", "INR", "TRY":
            let units: [String: Double] = ["JPY": 150, "KRW": 1_300, "RUB": 90, "INR": 85, "TRY": 40]
            let whole = Int((usDollars * (units[currency] ?? 1) / 10).rounded(.up) * 10)
            return ("\(whole).00", "\(whole) \(currency)")
        default:
            let cents = Int((usDollars * 100).rounded())
            let text = "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
            let sign = ["USD": "$", "EUR": "€", "GBP": "£"][currency] ?? "\(currency) "
            return (text, currency == "EUR" ? "\(text.replacing(".", with: ",")) €" : sign + text)
        }
    }

    private static let euroCountries: Set<String> = [
        "at", "be", "cy", "de", "ee", "es", "fi", "fr", "gr", "hr", "ie", "it", "lt", "lu", "lv", "mt", "nl", "pt",
        "si", "sk",
    ]

    private static let currencies = [
        "gb": "GBP", "jp": "JPY", "kr": "KRW", "ca": "CAD", "au": "AUD", "nz": "NZD", "ch": "CHF", "cn": "CNY",
        "in": "INR", "br": "BRL", "mx": "MXN", "se": "SEK", "dk": "DKK", "no": "NOK", "pl": "PLN", "cz": "CZK",
        "tr": "TRY", "ru": "RUB", "za": "ZAR", "il": "ILS", "hk": "HKD", "tw": "TWD", "sg": "SGD",
    ]

    private static let wordsForFree = [
        "de": "Gratis", "at": "Gratis", "es": "Gratis", "mx": "Gratis", "it": "Gratis", "nl": "Gratis",
        "fr": "Gratuit", "br": "Grátis", "pt": "Grátis", "jp": "無料", "kr": "무료", "cn": "免费", "ru": "Бесплатно",
        "se": "Gratis", "dk": "Gratis", "pl": "Bezpłatna", "tr": "Ücretsiz",
    ]
}

/// The `supportedDevices` of a full-size iOS entry, as one piece of JSON: two fifths of what Apple sends.
enum DeviceList {
    private static let phones = [
        "5s", "6", "6Plus", "6s", "6sPlus", "SE", "7", "7Plus", "8", "8Plus", "X", "XS", "XSMax", "XR", "11", "11Pro",
        "11ProMax", "SESecondGen", "12Mini", "12", "12Pro", "12ProMax", "13Pro", "13ProMax", "13Mini", "13",
        "SEThirdGen", "14", "14Plus", "14Pro", "14ProMax", "15", "15Plus", "15Pro", "15ProMax", "16", "16Plus",
        "16Pro", "16ProMax", "16e", "17Pro", "17ProMax", "17", "Air", "17e",
    ]

    private static let tablets = [
        "Air2", "Mini3", "Mini4", "Pro", "Pro97", "Mini5", "Air3", "SeventhGen", "ProSecondGen", "ProFourthGen", "Air4",
        "EighthGen", "ProThirdGen", "ProFifthGen", "MiniSixthGen", "NinthGen", "AirFifthGen", "TenthGen",
        "Pro11FourthGen", "ProSixthGen", "Air11M2", "Air13M2", "Pro11M4", "Pro13M4", "MiniA17Pro", "A16", "Air11M3",
        "Air13M3", "Pro11M5", "Pro13M5",
    ]

    static let json: String = {
        let names = phones.map { "iPhone\($0)" } + tablets.flatMap { ["iPad\($0)", "iPad\($0)Cellular"] }
        return "[" + names.map { "\"\($0)-\($0)\"" }.joined(separator: ", ") + "]"
    }()
}
