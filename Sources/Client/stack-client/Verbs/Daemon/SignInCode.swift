internal import ClientCore
internal import UV

/// Waits for the code of a server: from the browser on this machine, or pasted on standard input.
final class SignInCode {
  /// A code is worth nothing after this time.
  private static let patience = Duration.seconds(600)
  /// The most bytes of a pasted line.
  private static let lineBytes = 4096

  private let loop: Loop
  private var redirect: RedirectListener?
  private var input: UV.Stream?
  private var timer: UV.Timer?
  private var browser: DetachedProcess?
  private var line: [UInt8] = []
  private var code: String?
  private var failure: ClientFailure?

  /// - Parameter listens: false if the browser will not come to this machine.
  init(loop: Loop, listens: Bool) {
    self.loop = loop
    guard listens else { return }
    // Without a listener the code can be pasted.
    redirect = try? RedirectListener(loop: loop) { [weak self] in self?.code = $0 }
  }

  /// The port to which the browser is to come; 0 for none.
  var port: UInt16 { redirect?.port ?? 0 }

  /// Opens the server's page with `$BROWSER` or `xdg-open`, if there is a display and the browser is to come back here.
  /// What goes wrong shows in that no browser opens; the address has been printed.
  func openPage(_ url: String) {
    guard let redirect else { return }
    let fields = url.drop { $0 != "?" }.dropFirst().split(separator: "&")
    redirect.state = fields.first { $0.hasPrefix("state=") }.map { String($0.dropFirst(6)) } ?? ""
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { UV.Process.environment($0)?.isEmpty == false }
    guard hasDisplay, let target = Hyperlink.target(of: Array(url.utf8)),
      let output = try? Descriptor(path: "/dev/null", for: .appending)
    else { return }
    browser = try? DetachedProcess(
      loop: loop, arguments: [Browser.program, String(decoding: target, as: UTF8.self)], output: output
    ) { _ in }
  }

  /// Runs the loop until there is a code: the pasted line, or the address that the browser was sent to.
  func wait() throws(ClientFailure) -> String {
    do throws(UVError) {
      let timer = try UV.Timer(loop: loop) { [weak self] in self?.ended("no code came within ten minutes") }
      timer.arm(after: Self.patience)
      self.timer = timer
      try read()
    } catch {
      throw ClientFailure(.failure, "cannot wait for a code: \(error)")
    }
    while code == nil, failure == nil { loop.run(.once) }
    if let failure { throw failure }
    return code ?? ""
  }

  func close() {
    for handle in [input, timer, browser] as [Handle?] { handle?.close() }
    redirect?.close()
  }

  private func read() throws(UVError) {
    if Descriptor.standardInput.isTerminal {
      input = try .terminalInput(loop: loop)
    } else if let piped = try? UV.Stream.pipedInput(loop: loop) {
      input = piped
    } else {
      // A file has all that it will ever have.
      received(try Descriptor.standardInput.readAll(limit: Self.lineBytes))
      return inputEnded()
    }
    try input?.startReadingArrays { [weak self] bytes in
      self?.received(bytes)
    } onEnd: { [weak self] _ in
      self?.inputEnded()
    }
  }

  private func received(_ bytes: [UInt8]) {
    line += bytes
    if line.count > Self.lineBytes { return ended("this is too long for a code") }
    guard code == nil, let end = line.firstIndex(of: 0x0A) else { return }
    finish(line[..<end])
  }

  private func inputEnded() {
    input?.close()
    guard code == nil, failure == nil, !line.isEmpty || redirect == nil else { return }
    finish(line[...])
  }

  private func finish(_ line: ArraySlice<UInt8>) {
    let text = String(decoding: line.filter { $0 > 0x20 }, as: UTF8.self)
    if text.isEmpty { ended("no code was given; nothing was done") } else { code = text }
  }

  private func ended(_ reason: String) { failure = ClientFailure(.refused, reason) }
}
