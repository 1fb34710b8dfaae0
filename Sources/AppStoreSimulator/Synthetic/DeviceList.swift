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
