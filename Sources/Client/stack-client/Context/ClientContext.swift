internal import ClientCore
internal import ClientTransport
internal import Messages
internal import UV
internal import ViewState

/// The context of a verb: the streams, the loop, the options, and the connection to the daemon.
final class ClientContext {
  let options: CommonOptions
  let console: Console
  let loop: Loop
  /// The address of the daemon.
  let address: DaemonAddress
  private var hasWarnedOfLanguage = false

  /// Creates the context without opening a connection.
  init(_ options: CommonOptions) throws(ClientFailure) {
    self.options = options
    console = Console(isQuiet: options.quiet)
    do {
      loop = try Loop()
    } catch {
      throw ClientFailure(.failure, "cannot create an event loop: \(error)")
    }
    address = try DaemonAddress(options)
  }

  /// Runs a verb, then flushes the output and releases all resources.
  static func run(_ options: CommonOptions, _ body: (ClientContext) throws -> Void) throws {
    let context = try ClientContext(options)
    // Connections are closed by then; anything that a failure left open is closed with the loop.
    defer { try? context.loop.close() }
    try body(context)
    context.console.endProgress()
    try context.console.flush()
  }

  /// Connects; starts a local daemon, with these options besides its socket, if none is running.
  func connect(daemonOptions: [String] = []) throws(ClientFailure) -> DaemonLink {
    guard case .unix(let path) = address.endpoint else { return try connectToRunning() }
    return try DaemonStarter(loop: loop, socket: absolute(path), options: daemonOptions, console: console).connect(
      connectOnce)
  }

  /// Connects to a running daemon.
  func connectToRunning() throws(ClientFailure) -> DaemonLink {
    if let link = try connectIfRunning() { return link }
    if case .unix(let path) = address.endpoint, let obstacle = DaemonStarter.obstacle(to: absolute(path)) {
      throw obstacle
    }
    throw ClientFailure(
      .unreachable, "no daemon is running at \(address.endpoint)",
      hint: address.isOnThisMachine
        ? "`stack-client daemon start` starts one" : "start one there with `stack-daemon --listen`")
  }

  /// Connects; nil if no daemon is running.
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

  /// Tries to connect once.
  func connectOnce() throws(ChannelError) -> DaemonLink {
    try DaemonLink.connect(loop, to: address)
  }

  /// The options with which another stack-client reaches the same daemon; a token passes through the environment.
  var addressWords: [String] {
    switch address.endpoint {
    case .unix(let path): ["--socket", absolute(path)]
    case .tcp(let place):
      ["--connect", place.description] + (options.tokenFile.map { ["--token-file", absolute($0)] } ?? [])
    }
  }

  /// Returns an absolute path, for a daemon that runs in `/`.
  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : (FileSystem.currentDirectory ?? "") + "/" + path
  }

  // MARK: Output settings

  /// The width of the view.
  var width: Int { options.width ?? console.windowSize.map { min($0.columns, 10_000) } ?? 80 }

  /// The layout parameters for rows.
  var layout: LayoutParameters {
    var layout = LayoutParameters(width: width, height: console.windowSize.map { min($0.rows, 10_000) } ?? 24)
    layout.isSinglePane = true
    // On a terminal long posts are folded; programs get all of them.
    layout.showsWholeTexts = options.format != .lines || !console.isTerminal
    let zone = TimeZoneName.find(
      variable: UV.Process.environment("TZ"), localTimeTarget: try? FileSystem.target(ofLink: "/etc/localtime"))
    layout.timeZone = zone
    layout.timeStyle = options.times.style
    // Output for programs is in English, unless --locale asks for something else.
    let variables = options.format == .lines ? ["LC_ALL", "LC_TIME", "LANG"].map { UV.Process.environment($0) } : []
    layout.locale = LabelLanguage.find(option: options.locale, variables: variables)
    return layout
  }

  /// Prints a notice, once, if there are no labels in the requested language.
  func warnOfMissingLanguage(_ locale: String) {
    let wanted = LabelLanguage.find(option: options.locale, variables: [])
    guard !hasWarnedOfLanguage, LabelLanguage.isMissing(wanted, actual: locale) else { return }
    hasWarnedOfLanguage = true
    console.notice("unknown locale '\(wanted)'; times are in English (docs/TIME.md lists the locales)")
  }

  /// The capabilities of the output.
  var traits: TerminalTraits {
    TerminalTraits(
      usesColor: options.color.usesColor(
        isTerminal: console.isTerminal, term: UV.Process.environment("TERM"),
        noColor: UV.Process.environment("NO_COLOR")),
      isolatesDirections: console.isTerminal)
  }

  /// Returns a painter of rows.
  func painter(isDetailed: Bool = false) -> LinePainter {
    LinePainter(width: width, traits: traits, isDetailed: isDetailed)
  }
}
