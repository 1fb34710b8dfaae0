/// rankweb as the program that is started by this name.
package enum RankwebProgram {
    @MainActor package static func main() async { await Rankweb.main() }
}
