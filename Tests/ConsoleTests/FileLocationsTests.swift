import Console
import Testing

@Suite struct FileLocationsTests {
    private func locations(_ environment: [String: String], existing: Set<String> = []) -> FileLocations {
        FileLocations(environment: environment) { existing.contains($0) }
    }

    @Test func `the flag comes before everything`() {
        let locations = locations(
            ["RANKD_DATABASE": "/e", "STATE_DIRECTORY": "/s"], existing: ["/h/.local/state/rankd"])
        #expect(locations.database(flag: "/f") == "/f")
    }

    @Test func `the environment comes before systemd's folders, and those before the user's`() {
        let home = ["HOME": "/h", "CONFIGURATION_DIRECTORY": "/etc/rankd:/etc/more", "RANKD_WATCHLIST": "/e"]
        let existing: Set = ["/h/.config/rankd/watchlist.json"]
        #expect(locations(home, existing: existing).watchlist(flag: nil) == "/e")
        let systemd = home.filter { $0.key != "RANKD_WATCHLIST" }
        #expect(locations(systemd, existing: existing).watchlist(flag: nil) == "/etc/rankd/watchlist.json")
        #expect(
            locations(["HOME": "/h"], existing: existing).watchlist(flag: nil) == "/h/.config/rankd/watchlist.json")
    }

    @Test func `the user's file counts only where it exists, the machine's always`() {
        #expect(locations(["HOME": "/h"]).database(flag: nil) == "/var/lib/rankd/history.sqlite")
        #expect(locations([:]).watchlist(flag: nil) == "/etc/rankd/watchlist.json")
        let xdg = locations(["HOME": "/h", "XDG_STATE_HOME": "/x"], existing: ["/x/rankd/history.sqlite"])
        #expect(xdg.database(flag: nil) == "/x/rankd/history.sqlite")
    }

    @Test func `an empty variable is as good as none`() {
        #expect(locations(["RANKD_DATABASE": ""]).database(flag: nil) == "/var/lib/rankd/history.sqlite")
    }
}
