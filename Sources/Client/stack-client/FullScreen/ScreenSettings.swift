internal import ClientCore
internal import FullScreen
internal import Terminal
internal import UV
internal import ViewState

/// The settings of the full screen, from options, environment and files.
struct ScreenSettings {
  var traits: RendererTraits
  var options: AppOptions
  /// True if lines are printed instead of a screen.
  let isLinear: Bool
  var terminalModes = TerminalDriver.Modes.screen
  /// A new printer for line mode.
  var printer: LinearPrinter { LinearPrinter(isolatesDirections: terminalModes == .lines) }

  /// The maximum size in bytes of a configuration file.
  private static let fileBytes = 1 << 16

  /// Reads all settings. An invalid file is reported and ignored.
  init(_ context: ClientContext, _ screen: ScreenOptions) throws(ClientFailure) {
    let term = UV.Process.environment("TERM")
    traits = RendererTraits(
      colorDepth: ColorDepth.detect(
        context.options.color, term: term, colorTerm: UV.Process.environment("COLORTERM"),
        noColor: UV.Process.environment("NO_COLOR")))
    // GNU screen has no `bce`; tmux, which may use the same name, does.
    traits.erasesWithBackground = term?.hasPrefix("screen") != true || UV.Process.environment("TMUX") != nil
    traits.hasHyperlinks = term != "linux"
    var layout = context.layout
    layout.isSinglePane = false
    options = AppOptions(layout: layout)
    options.session = screen.session
    options.program.name = "stack-client \(Release.version)"
    options.animates = !screen.noAnimation && !screen.linear
    // Lines that are read out one by one need their date.
    if !screen.linear, layout.timeStyle == .veryShort { options.layout.timeStyle = .withinDay }
    isLinear = screen.linear
    if term == "dumb" { terminalModes = .bareLines } else if screen.linear { terminalModes = .lines }
    options.toggles.hasMouse = screen.mouse
    let isOff = Self.previewOff.map { (try? FileSystem.status(of: $0)) != nil } ?? false
    options.toggles.hasPreview = !isLinear && !isOff
    options.glyphs = screen.ascii ? .ascii : .unicode
    options.program.requestPrefix = try RequestID.make()
    let wall = Loop.wallClockMilliseconds
    options.clock.wallOffset = wall - Loop.monotonicMilliseconds
    options.clock.localOffset = UV.Process.localOffset(at: wall / 1000)
    readThemes(screen.theme)
    readKeys()
    readNotify()
    guard let name = screen.theme ?? (Self.isLight ? "light" : nil) else { return }
    guard let theme = options.themes.first(where: { $0.name == name }) else {
      throw ClientFailure(
        .usage, "unknown theme '\(name)'", hint: "choose one of \(options.themes.map(\.name).joined(separator: ", "))")
    }
    options.theme = theme
  }

  /// `$XDG_CONFIG_HOME/stack`.
  private static var folder: String? {
    if let folder = UV.Process.environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") { return folder + "/stack" }
    return UV.Process.environment("HOME").map { $0 + "/.config/stack" }
  }

  /// The file that is there while previews are off.
  private static var previewOff: String? { DaemonStarter.stateFolder.map { $0 + "/preview-off" } }

  /// Remembers in later runs whether wide screens show a preview.
  static func remember(hasPreview: Bool) {
    guard let path = previewOff else { return }
    if hasPreview {
      try? FileSystem.remove(path)
    } else {
      if let folder = FileSystem.parent(of: path) { try? FileSystem.makeDirectories(folder) }
      try? FileSystem.create(path, mode: 0o600, contents: [])
    }
  }

  /// True for dark text on light: the last number of `COLORFGBG`, as rxvt and konsole set it, is 7 or 15.
  private static var isLight: Bool {
    ["7", "15"].contains(UV.Process.environment("COLORFGBG")?.split(separator: ";").last.map(String.init) ?? "")
  }

  private mutating func readThemes(_ wanted: String?) {
    guard let folder = Self.folder.map({ $0 + "/themes" }), let names = try? FileSystem.names(in: folder) else {
      return
    }
    for file in names.sorted() where file.hasSuffix(".toml") {
      let name = String(file.dropLast(5))
      guard let bytes = read(folder + "/" + file) else { continue }
      do {
        let theme = try Theme(parsing: bytes, name: name)
        options.themes.removeAll { $0.name == name }
        options.themes.append(theme)
      } catch {
        options.complaints += error.errors.map { "\(folder)/\(file):\($0.line): \($0.message)" }
      }
    }
  }

  private mutating func readKeys() {
    guard let path = Self.folder.map({ $0 + "/keys.toml" }), (try? FileSystem.status(of: path)) != nil,
      let bytes = read(path)
    else { return }
    do {
      options.keymap = try Keymap(parsing: bytes)
    } catch {
      options.complaints += error.errors.map { "\(path):\($0.line): \($0.message)" }
    }
  }

  private mutating func readNotify() {
    guard let path = Self.folder.map({ $0 + "/client.toml" }), (try? FileSystem.status(of: path)) != nil,
      let bytes = read(path)
    else { return }
    do {
      options.notify = try NotifySettings(parsing: bytes)
    } catch {
      options.complaints += error.errors.map { "\(path):\($0.line): \($0.message)" }
    }
  }

  private mutating func read(_ path: String) -> [UInt8]? {
    do throws(UVError) {
      return try FileSystem.read(path, limit: Self.fileBytes)
    } catch {
      options.complaints.append("\(path): \(error)")
      return nil
    }
  }

  /// Applies the capabilities that the terminal reported.
  mutating func applyProbes(_ probes: Probes) {
    traits.hasSynchronizedOutput = probes.hasSynchronizedOutput
    options.layout.widthProfile = probes.drawsTextNarrow ? .clusterText : probes.drawsClusters ? .cluster : .sum
    options.layout.ambiguousWidth = probes.ambiguousWidth
    // Box drawing characters are ambiguous: two cells for each would break every border.
    if probes.ambiguousWidth == 2 { options.glyphs = .ascii }
  }
}
