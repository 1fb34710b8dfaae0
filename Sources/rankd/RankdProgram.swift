/// rankd as the program that is started by this name.
package enum RankdProgram {
    @MainActor package static func main() async { await Rankd.main() }
}
