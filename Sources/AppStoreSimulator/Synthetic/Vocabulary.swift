/// The words that invented apps are named with.
struct Genre: Sendable {
    let id: Int
    let name: String
    /// What people search for in this genre; most names hold one or two of them.
    let terms: [String]
}

enum Vocabulary {
    static let genres: [Genre] = [
        Genre(
            id: 6007, name: "Productivity",
            terms: [
                "habit", "tracker", "planner", "to do list", "daily routine", "calendar", "notes", "focus timer",
                "reminder", "task", "journal", "widget", "goal", "checklist", "pomodoro", "schedule",
            ]),
        Genre(
            id: 6013, name: "Health & Fitness",
            terms: [
                "fitness", "workout", "running", "step counter", "calorie", "sleep", "meditation", "yoga", "fasting",
                "water reminder", "habit tracker", "mood tracker", "gym", "pilates", "breathing", "walking",
            ]),
        Genre(
            id: 6015, name: "Finance",
            terms: [
                "budget", "expense tracker", "stocks", "candlestick", "invoice", "crypto", "bank", "savings", "loan",
                "currency", "investing", "receipt", "tax",
            ]),
        Genre(
            id: 6017, name: "Education",
            terms: [
                "flashcards", "language", "math", "vocabulary", "piano", "typing", "quiz", "spelling", "astronomy",
                "chemistry", "kanji", "study timer", "exam",
            ]),
        Genre(
            id: 6008, name: "Photo & Video",
            terms: [
                "photo editor", "video editor", "collage", "camera", "filters", "slideshow", "scanner", "subtitle",
                "background remover", "slow motion", "vintage", "retouch",
            ]),
        Genre(
            id: 6014, name: "Games",
            terms: [
                "puzzle", "match 3", "solitaire", "sudoku", "chess", "word search", "tower defense", "idle tycoon",
                "racing", "farm", "merge", "block", "mahjong", "card game",
            ]),
        Genre(
            id: 6002, name: "Utilities",
            terms: [
                "calculator", "flashlight", "vpn", "password manager", "qr scanner", "keyboard", "file manager",
                "speed test", "compass", "unit converter", "cleaner", "remote", "things",
            ]),
        Genre(
            id: 6001, name: "Weather",
            terms: [
                "weather", "radar", "rain alarm", "forecast", "storm", "wind", "tide", "snow report", "moon phase",
            ]),
        Genre(
            id: 6003, name: "Travel",
            terms: [
                "trip planner", "flight tracker", "hotel", "map", "packing list", "train", "subway", "camping",
                "translator",
            ]),
        Genre(
            id: 6023, name: "Food & Drink",
            terms: [
                "recipe", "meal planner", "grocery list", "cocktail", "coffee", "vegan", "restaurant", "baking", "wine",
            ]),
        Genre(
            id: 6011, name: "Music",
            terms: [
                "guitar tuner", "metronome", "radio", "drum machine", "karaoke", "music player", "chords", "synth",
            ]),
        Genre(
            id: 6012, name: "Lifestyle",
            terms: [
                "diary", "horoscope", "dating", "wallpaper", "gratitude", "baby names", "plant care",
                "cleaning schedule",
                "countdown", "manifestation", "dog training",
            ]),
        Genre(
            id: 6020, name: "Medical",
            terms: [
                "period tracker", "blood pressure", "pill reminder", "pregnancy", "symptom diary", "glucose",
                "migraine",
            ]),
        Genre(
            id: 6005, name: "Social Networking",
            terms: [
                "chat", "slack", "video call", "dating", "stickers", "groups", "messenger", "community",
            ]),
        Genre(
            id: 6000, name: "Business",
            terms: [
                "time tracker", "timesheet", "invoice maker", "crm", "pdf scanner", "signature", "meeting notes",
                "team chat",
            ]),
    ]

    static let adjectives = [
        "Bright", "Calm", "Daily", "Easy", "Gentle", "Happy", "Little", "Lucid", "Mellow", "Nimble", "Open", "Plain",
        "Quick", "Quiet", "Simple", "Smart", "Steady", "Sunny", "Swift", "Tidy", "Tiny", "True", "Vivid", "Wise",
    ]

    static let nouns = [
        "Acorn", "Anchor", "Beacon", "Birch", "Bloom", "Breeze", "Brook", "Cedar", "Comet", "Compass", "Coral", "Dune",
        "Ember", "Fern", "Finch", "Fjord", "Garden", "Harbor", "Heron", "Island", "Juniper", "Kite", "Lantern", "Loop",
        "Maple", "Meadow", "Moss", "Nest", "Orbit", "Otter", "Pebble", "Pine", "Quill", "Raven", "Ripple", "River",
        "Sage", "Spark", "Stone", "Tide", "Trail", "Umbra", "Vale", "Wave", "Willow", "Wren", "Yarrow", "Zephyr",
    ]

    static let surnames = [
        "Aldred", "Bakker", "Castellan", "Dvorsky", "Eriksen", "Fontaine", "Grimaldi", "Hashida", "Ivanova", "Jansson",
        "Kowal", "Lindqvist", "Marchetti", "Nakagawa", "Okafor", "Pereira", "Quist", "Rosso", "Sato", "Tanaka",
        "Ueda", "Vogel", "Wieland", "Yoon", "Zimmer",
    ]

    static let firstNames = [
        "Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hana", "Ines", "Jonas", "Kaito", "Lena",
        "Mateo", "Nadia", "Oskar", "Priya", "Rosa", "Sven", "Tomas", "Yuki",
    ]

    static let companyForms = ["Ltd", "Inc.", "GmbH", "LLC", "Co., Ltd.", "S.r.l.", "AB", "Studio", "Labs", "Apps"]

    /// Names beyond Latin letters, which every reader of the store meets.
    static let foreignNames = [
        "習慣メモ", "피트니스 다이어리", "Café Focus", "Zen 🧘 Timer", "Übung Macht Mut", "每日清单", "Дневник сна",
        "مفكرة", "Ñandú Notas", "天気ノート", "운동 기록", "Ćwiczenia", "घड़ी", "Ημερολόγιο",
    ]

    static let releaseNotes = [
        "Bug fixes and small improvements.", "A calmer look, and quicker to start.",
        "Widgets now follow the time of day.\nThe export keeps its order.",
        "Thank you for writing to us: the crash "
            + "on older phones is gone.", "New: share a list with the family.", "Support for the newest system.",
    ]

    static let descriptionSentences = [
        "Made for people who would rather do the thing than fiddle with an app about it.",
        "Everything stays on your phone unless you ask for it to be shared.",
        "Start in a minute: choose what matters, and leave the rest.",
        "A week at a glance shows what went well and what slipped.",
        "Reminders come when they help and keep quiet when they do not.",
        "The widget on your home screen tells you the next step.",
        "Charts show months at a time, so that one bad day stays one bad day.",
        "Works without a connection, on a train or in a cellar.",
        "Colours, symbols and sounds can be changed to taste.",
        "A yearly subscription opens all parts; the basics are free for good.",
        "Write to us: two people read every message.",
        "Data can be taken along at any time, as plain text.",
    ]
}
