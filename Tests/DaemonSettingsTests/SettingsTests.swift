import Server
import Testing
import UV

@testable import DaemonSettings

/// The daemon's settings: what is built in, a file and the command line.
struct SettingsTests {
  private static let environment = ["HOME": "/home/ann"]

  /// The settings of a file's text and a command line.
  private func settings(_ file: String = "", _ arguments: [String] = []) throws(SettingsError) -> Settings {
    var settings = Settings { Self.environment[$0] }
    try settings.read(file: Array(file.utf8), at: "daemon.toml")
    try DaemonOptions(arguments).apply(to: &settings)
    return settings
  }

  private func message(_ file: String = "", _ arguments: [String] = []) -> String? {
    do throws(SettingsError) {
      _ = try settings(file, arguments)
      return nil
    } catch {
      return error.message
    }
  }

  @Test("without a file and options everything is built in, below the XDG base directories")
  func builtIn() throws {
    let settings = try settings()
    #expect(settings.storePath == "/home/ann/.local/share/stack/store.db" && !settings.namesStore)
    #expect(settings.tokenPath == "/home/ann/.local/state/stack/token")
    #expect(settings.transport.socketPath == Endpoint.defaultSocketPath && settings.transport.listen == nil)
    #expect(settings.upstreams.isEmpty && settings.upstreamPatience == .seconds(30))
    #expect(Settings.usualFile { Self.environment[$0] } == "/home/ann/.config/stack/daemon.toml")
    #expect(Settings.usualFile { ["XDG_CONFIG_HOME": "/etc/xdg"][$0] } == "/etc/xdg/stack/daemon.toml")
  }

  @Test("a file sets everything, and options go before it")
  func layers() throws {
    let file = """
      # A daemon for a team.
      socket = "/run/stack/socket"
      group = "staff"
      listen = "127.0.0.1:7825"
      token-file = "/var/lib/stack/token"
      max-connections = 2_000
      upstream-patience = 0.5
      store = "/var/lib/stack/store.db"
      clock = "system"

      [upstream.fake]
      command = ["/usr/bin/fake", "--with", "a space"]
      """
    var settings = try settings(file)
    #expect(settings.transport.socketPath == "/run/stack/socket" && settings.transport.group == "staff")
    #expect(settings.transport.listen == SocketAddress("127.0.0.1:7825"))
    #expect(settings.transport.maximumConnections == 2_000 && settings.upstreamPatience == .milliseconds(500))
    #expect(settings.tokenPath == "/var/lib/stack/token" && settings.storePath == "/var/lib/stack/store.db")
    #expect(settings.namesStore)
    #expect(settings.upstreams.map(\.command) == [["/usr/bin/fake", "--with", "a space"]])
    settings = try self.settings(file, ["--group", "crew", "--upstream", "fake=/opt/fake", "--upstream", "b=/bin/b"])
    #expect(settings.transport.group == "crew" && settings.transport.socketPath == "/run/stack/socket")
    #expect(settings.upstreams.map(\.source) == ["fake", "b"])
    #expect(settings.upstreams.map(\.command) == [["/opt/fake"], ["/bin/b"]])
  }

  @Test(
    "a mistake in a file is told with its place",
    arguments: [
      ("group = 7", "daemon.toml:1:1: group is not a string, such as \"text\""),
      ("\n\nmax-connections = \"7\"", "daemon.toml:3:1: max-connections is not a number"),
      ("max-connections = 0", "daemon.toml:1:1: max-connections 0 is not a number from 1 to 1000000"),
      ("max-connections = 1.5", "daemon.toml:1:1: max-connections 1.5 is not a number from 1 to 1000000"),
      (
        "upstream-patience = nan",
        "daemon.toml:1:1: upstream-patience nan is not a number of seconds from 0.01 to 86400"
      ),
      ("group = \"\"", "daemon.toml:1:1: group needs a value"),
      ("group = [\"a\", \"b\"]", "daemon.toml:1:10: group is not a string, such as \"text\""),
      ("grop = \"a\"", "daemon.toml:1:1: there is no setting grop; did you mean group?"),
      (
        "[limits]\nconnections = 7",
        "daemon.toml:2:1: there is no setting limits.connections; docs/OPERATE.md lists them"
      ),
      (
        "[upstream.fake]\ncommand = \"/bin/a b\"",
        "daemon.toml:2:1: upstream.fake.command is not an array of strings, such as [\"/usr/local/bin/fake\", \"--verbose\"]"
      ),
      (
        "[upstream.fake]\ncommand = []",
        "daemon.toml:2:1: upstream.fake.command is not an array of strings, such as [\"/usr/local/bin/fake\", \"--verbose\"]"
      ),
      (
        "[upstream.stack]\ncommand = [\"a\"]",
        "daemon.toml:2:12: upstream.stack: the source stack is this daemon itself"
      ),
      (
        "[upstream.\"a b\"]\ncommand = [\"a\"]",
        "daemon.toml:2:12: upstream.a b: a b is not a name of at most 64 letters, digits, hyphens and underscores"
      ),
      (
        "listen = \"example.org:80\"",
        "daemon.toml:1:1: listen example.org:80 is not HOST:PORT with a numeric host, such as 127.0.0.1:7825"
      ),
    ])
  func mistakes(file: String, expected: String) { #expect(message(file) == expected) }

  @Test("what is not TOML is told with its place")
  func notTOML() throws {
    let message = try #require(self.message("group = \"staff\"\nsocket = /run/socket\n"))
    #expect(message.hasPrefix("daemon.toml:2:") && !message.hasSuffix("."), "\(message)")
    #expect(self.message("group = \"a\"\ngroup = \"b\"")?.hasPrefix("daemon.toml:2:") == true)
    #expect(self.message("group = \"\u{0}\"") != nil)
    #expect(try settings("\u{FEFF}group = 'a'").transport.group == "a", "a byte order mark is no mistake")
    #expect(throws: SettingsError.self) {
      var settings = Settings { Self.environment[$0] }
      try settings.read(file: [0x61, 0x3D, 0xFF], at: "daemon.toml")
    }
  }

  @Test(
    "a mistake on the command line is told with its option",
    arguments: [
      (["--max-connections", "x"], "--max-connections x is not a number from 1 to 1000000"),
      (["--group"], "--group needs a value"),
      (["--grop", "a"], "unknown option --grop"),
      (["group", "a"], "unknown option group"),
      (["--upstream", "fake"], "--upstream fake is not NAME=COMMAND, such as fake=/usr/local/bin/fake --verbose"),
      (["--upstream", "fake="], "--upstream: the command is missing, such as /usr/local/bin/fake --verbose"),
      (["--upstream", "a=b", "--upstream", "a=c"], "--upstream names source a twice; a source can have one program"),
    ])
  func badOptions(arguments: [String], expected: String) { #expect(message("", arguments) == expected) }

  /// The lines of a file without their comments.
  private func lines(_ toml: String) -> [Substring] {
    toml.split(separator: "\n").map { $0.split(separator: "  #", omittingEmptySubsequences: false)[0] }
  }

  @Test("--check-config prints a file that means the same, with the origin of each line")
  func check() throws {
    let file =
      "group = \"st\\\"a\\\\ff\\u0007\"\nmax-connections = 7\n\n[upstream.fake]\ncommand = [\"/bin/fake\", \"a b\"]\n"
    let settings = try settings(file, ["--store", "/srv/store.db"])
    #expect(
      settings.toml.split(separator: "\n").map(String.init) == [
        "socket = \"\(Endpoint.defaultSocketPath)\"  # built in",
        "group = \"st\\\"a\\\\ff\\u0007\"  # daemon.toml:1",
        "# listen is not set",
        "token-file = \"/home/ann/.local/state/stack/token\"  # built in",
        "max-connections = 7  # daemon.toml:2",
        "upstream-patience = 30  # built in",
        "store = \"/srv/store.db\"  # --store",
        "clock = \"system\"  # built in",
        "[upstream.fake]",
        "command = [\"/bin/fake\", \"a b\"]  # daemon.toml:5",
      ])
    let again = try self.settings(settings.toml)
    #expect(lines(again.toml) == lines(settings.toml))
  }

  @Test("every setting is an option in the help, and has a default or can be left out")
  func helpKnowsAll() {
    for setting in Setting.allCases { #expect(DaemonOptions.help.contains("--\(setting.rawValue) "), "\(setting)") }
  }
}
