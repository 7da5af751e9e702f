internal import ClientCore
internal import ClientTransport
internal import Messages
internal import UV
internal import ViewState

/// What every verb works with: the streams, the loop, the options, and the way to the daemon.
final class ClientContext {
  let options: CommonOptions
  let console: Console
  let loop: Loop
  /// Where the daemon is.
  let address: DaemonAddress
  private var isLanguageNoted = false

  /// Sets everything up; nothing is opened yet.
  init(_ options: CommonOptions) throws(ClientFailure) {
    self.options = options
    console = Console(isQuiet: options.quiet)
    do {
      loop = try Loop()
    } catch {
      throw ClientFailure(.failure, "there is no event loop to be had: \(error)")
    }
    address = try DaemonAddress(options)
  }

  /// Runs a verb, then writes what is left and lets go of everything.
  static func run(_ options: CommonOptions, _ body: (ClientContext) throws -> Void) throws {
    let context = try ClientContext(options)
    // Connections are closed by then; whatever a failure has left open goes with the loop.
    defer { try? context.loop.close() }
    try body(context)
    context.console.endProgress()
    try context.console.flush()
  }

  /// A connection; a daemon of this machine is started if none answers, with these options beside its socket.
  func connect(daemonOptions: [String] = []) throws(ClientFailure) -> DaemonLink {
    guard case .unix(let path) = address.endpoint else { return try connectToRunning() }
    return try DaemonStarter(loop: loop, socket: absolute(path), options: daemonOptions, console: console).connect(
      connectOnce)
  }

  /// A connection to a daemon that runs already.
  func connectToRunning() throws(ClientFailure) -> DaemonLink {
    if let link = try connectIfRunning() { return link }
    throw ClientFailure(
      .unreachable, "no daemon answers at \(address.endpoint)",
      hint: address.isOnThisMachine
        ? "`stack-client daemon start` starts one" : "`stack-daemon --listen` does, on its machine")
  }

  /// A connection, or nil if no daemon runs.
  func connectIfRunning() throws(ClientFailure) -> DaemonLink? {
    let link: DaemonLink
    do throws(ChannelError) {
      link = try connectOnce()
    } catch  where error.isDaemonMissing {
      return nil
    } catch {
      throw ClientFailure(error)
    }
    guard address.isOnThisMachine || address.token != nil else {
      link.close()
      throw SignedOut.failure
    }
    return link
  }

  /// One try; nothing is made of a failure.
  func connectOnce() throws(ChannelError) -> DaemonLink {
    try DaemonLink.connect(loop, to: address)
  }

  /// The words that lead another program of ours to the same daemon; a token goes by the environment.
  var addressWords: [String] {
    switch address.endpoint {
    case .unix(let path): ["--socket", absolute(path)]
    case .tcp(let place):
      ["--connect", place.description] + (options.tokenFile.map { ["--token-file", absolute($0)] } ?? [])
    }
  }

  /// A path as a daemon that runs in `/` needs it.
  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : (FileSystem.currentDirectory ?? "") + "/" + path
  }

  // MARK: What the terminal and the person want

  /// Width of the view.
  var width: Int { options.width ?? console.windowSize.map { min($0.columns, 10_000) } ?? 80 }

  /// How the daemon is to lay rows out.
  var layout: LayoutParameters {
    var layout = LayoutParameters(width: width, height: console.windowSize.map { min($0.rows, 10_000) } ?? 24)
    layout.isSinglePane = true
    let zone = TimeZoneName.find(
      variable: UV.Process.environment("TZ"), localTimeTarget: try? FileSystem.target(ofLink: "/etc/localtime"))
    layout.timeZone = zone
    layout.timeStyle = options.times.style
    // Programs are told in English, unless they ask for something else.
    let variables = options.format == .lines ? ["LC_ALL", "LC_TIME", "LANG"].map { UV.Process.environment($0) } : []
    layout.locale = LabelLanguage.find(option: options.locale, variables: variables)
    return layout
  }

  /// Says, once, that there are no labels in the language that was asked for.
  func note(locale: String) {
    let wanted = LabelLanguage.find(option: options.locale, variables: [])
    guard !isLanguageNoted, LabelLanguage.isMissing(wanted, told: locale) else { return }
    isLanguageNoted = true
    console.notice("times are told in English: there is no table for '\(wanted)'; docs/TIME.md lists those there are")
  }

  /// What the output can show.
  var traits: TerminalTraits {
    TerminalTraits(
      usesColor: options.color.usesColor(
        isTerminal: console.isTerminal, term: UV.Process.environment("TERM"),
        noColor: UV.Process.environment("NO_COLOR")),
      isolatesDirections: console.isTerminal)
  }

  /// A painter of rows.
  func painter(isDetailed: Bool = false) -> LinePainter {
    LinePainter(width: width, traits: traits, isDetailed: isDetailed)
  }
}
