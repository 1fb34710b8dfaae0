# A formula for Homebrew. It builds from the newest sources: copy it into a tap of your own (brew tap-new NAME/rankd), and
# write the address of your repository for the one below. Then: brew install --HEAD NAME/rankd/rankd
# Nobody has tried it on a Mac yet.
class Rankd < Formula
  desc "App Store rank tracker"
  homepage "https://example.com/rankd"
  license "MIT"
  head "https://example.com/rankd.git", branch: "main"

  depends_on xcode: ["26.0", :build]
  depends_on macos: :sequoia

  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    # Homebrew has a sandbox of its own, and one cannot stand inside the other.
    flags = ["--disable-sandbox", "-c", "release"]
    system "swift", "build", *flags, "--product", "rankd"
    system "swift", "build", *flags, "--product", "rankdocs"
    programs = Utils.safe_popen_read("swift", "build", *flags, "--show-bin-path").chomp

    # One program: the name by which it is started says what it does.
    ["rankctl", "rankweb"].each { |name| ln_sf "rankd", "#{programs}/#{name}" }
    bin.install "#{programs}/rankd"
    ["rankctl", "rankweb"].each { |name| bin.install_symlink bin/"rankd" => name }

    system "script/shell-files", programs, "made"
    man.install Dir["made/share/man/*"]
    bash_completion.install Dir["made/share/bash-completion/completions/*"]
    zsh_completion.install Dir["made/share/zsh/vendor-completions/*"]
    fish_completion.install Dir["made/share/fish/vendor_completions.d/*"]
    pkgshare.install "watchlist.example.json", "monitoring"
  end

  def caveats
    <<~TEXT
      Before you start the service, write its watchlist. rankctl init asks for your app and writes it:
        mkdir -p #{etc}/rankd
        rankctl init --watchlist #{etc}/rankd/watchlist.json
      The history is #{var}/rankd/history.sqlite: export RANKD_DATABASE=#{var}/rankd/history.sqlite
    TEXT
  end

  def post_install
    (var/"rankd").mkpath
  end

  service do
    run [
      opt_bin/"rankd", "--watchlist", etc/"rankd/watchlist.json", "--database", var/"rankd/history.sqlite"
    ]
    keep_alive successful_exit: false
    process_type :background
    log_path var/"log/rankd.log"
    error_log_path var/"log/rankd.log"
  end

  test do
    system bin/"rankd", "--version"
    system bin/"rankctl", "watch", "check", pkgshare/"watchlist.example.json"
    system bin/"rankweb", "--version"
  end
end
