internal import ClientCore
internal import FullScreen
internal import Terminal
internal import UV

/// Helper programs: an editor, which gets the terminal, a browser, notifications, and an import.
extension ScreenProgram {
  // MARK: The editor

  /// Runs `$VISUAL` or `$EDITOR` on the terminal.
  func edit(_ text: String) {
    guard editor == nil else { return }
    let file: EditorFile
    do {
      file = try EditorFile(text)
    } catch {
      return failEditing("cannot write the text to a file: \(error)")
    }
    driver.turnOff()
    do throws(UVError) {
      editor = try ForegroundProcess(loop: context.loop, arguments: file.arguments) { [weak self] status in
        self?.edited(file, status: status)
      }
    } catch {
      file.remove()
      takeTerminal()
      failEditing("cannot start \(EditorFile.command): \(error)")
    }
  }

  private func edited(_ file: EditorFile, status: Int32) {
    editor?.close()
    editor = nil
    takeTerminal()
    do throws(ClientFailure) {
      receive(.edited(.success(try file.finish(status: status))))
    } catch {
      failEditing([error.message, error.hint].filter { !$0.isEmpty }.joined(separator: "; "))
    }
  }

  private func failEditing(_ message: String) { receive(.edited(.failure(CallEnd(code: 2, message: message)))) }

  // MARK: Pipes

  /// Runs a command on the terminal, with `bytes` as its input. `words` are its arguments; no shell is involved.
  func pipe(_ bytes: [UInt8], to words: [String]) {
    guard editor == nil, let command = words.first, !command.isEmpty else { return }
    let input: Descriptor
    do {
      let path = try TemporaryFile.path("stack-item", "json")
      try FileSystem.create(path, mode: 0o600, contents: bytes)
      defer { try? FileSystem.remove(path) }
      input = try Descriptor(path: path, for: .reading)
    } catch {
      return receive(.notStarted("Cannot write the post to a file: \(error)."))
    }
    driver.turnOff()
    do throws(UVError) {
      editor = try ForegroundProcess(loop: context.loop, arguments: words, input: input) { [weak self] status in
        self?.editor?.close()
        self?.editor = nil
        self?.takeTerminal()
        self?.receive(
          .notice(
            status == 0 ? "Sent to \(command)." : "\(command) exited with status \(status).", isWarning: status != 0))
      }
    } catch {
      takeTerminal()
      receive(.notStarted("Cannot start \(command): \(error)."))
    }
  }

  // MARK: The browser

  /// Opens a URL with `$BROWSER` or `xdg-open`. The URL is an argument, without a shell, and has a harmless scheme.
  func browse(_ url: [UInt8]) {
    guard let target = Hyperlink.target(of: url) else {
      return receive(.notice("This link cannot be opened.", isWarning: true))
    }
    let program = Browser.program
    let address = String(decoding: target, as: UTF8.self)
    let missing = "No browser: \(program) is not installed; set $BROWSER."
    start([program, address], log: "/dev/null", missing: missing) { status, _ in
      status == 0 ? nil : ("\(program) could not open \(address).", true)
    }
  }

  // MARK: Notifications

  /// Tells the user something outside of the screen.
  ///
  /// - Parameter onlyBell: true if a sequence that the terminal does not know would appear in the lines.
  func notify(_ text: String, _ settings: NotifySettings, onlyBell: Bool) {
    let bytes = Array(text.utf8)
    for method in settings.methods {
      let sequence =
        switch method {
        case .bell: Notification.bell
        case .osc9: Notification.osc9(bytes)
        case .osc777: Notification.osc777(title: "Stack", bytes)
        case .osc99: Notification.osc99(bytes)
        }
      guard method == .bell || !onlyBell else { continue }
      let isInTmux = method != .bell && UV.Process.environment("TMUX") != nil
      driver.sendControl(isInTmux ? Notification.throughTmux(sequence) : sequence)
    }
    guard let program = settings.command.first else { return }
    let missing = "The notification command \(program) is not installed."
    start(settings.command + [text], log: "/dev/null", missing: missing) { status, _ in
      status == 0 ? nil : ("The notification command \(program) exited with status \(status).", true)
    }
  }

  // MARK: Imports

  /// Runs `stack-client import` in the background; its posts arrive in frames.
  func importFiles(_ words: String) {
    guard let program = UV.Process.executablePath else { return }
    var names = words.split(separator: " ").map(String.init)
    let options = names.filter { $0 == "--me" || $0 == "--dry-run" }
    names.removeAll { options.contains($0) }
    let path = expand(names.joined(separator: " "))
    guard !path.isEmpty else { return receive(.notStarted("Usage: import FILE [--me]")) }
    if (try? FileSystem.look(at: path)) == nil { return receive(.notStarted("There is no file \(path).")) }
    guard let log = try? TemporaryFile.path("stack-import", "log") else { return }
    receive(.notice("Importing \(path)…", isWarning: false))
    start([program, "import", path] + options + context.addressWords, log: log) { status, said in
      let last = said.split(separator: "\n").last.map(String.init) ?? ""
      if status == 0 { return ("Imported: \(last)", false) }
      let prefix = "stack-client: "
      let reason = last.hasPrefix(prefix) ? String(last.dropFirst(prefix.count)) : last
      return (reason.isEmpty ? "The import exited with status \(status)." : "Not imported: \(reason)", true)
    }
  }

  /// The most files that are listed.
  private static let listedFiles = 2_000

  /// Lists the files of a folder; none if it cannot be read.
  func listFiles(of folder: String) {
    let path = expand(folder.isEmpty ? "." : folder)
    let names = ((try? FileSystem.names(in: path)) ?? []).sorted().prefix(Self.listedFiles)
    receive(
      .files(
        folder: folder,
        names: names.map { name in
          guard let file = try? FileSystem.look(at: "\(path)/\(name)"), file.kind == .directory else { return name }
          return name + "/"
        }))
  }

  /// Returns the absolute path, for a program that runs in `/`.
  func expand(_ path: String) -> String {
    if path.hasPrefix("~/"), let home = UV.Process.environment("HOME") { return home + path.dropFirst() }
    return path.isEmpty ? path : context.absolute(path)
  }

  /// Starts a program. When it exits, `words` turns its status and output into a notice, with true for a warning.
  ///
  /// - Parameter missing: the notice if there is no such program.
  private func start(
    _ arguments: [String], log: String, missing: String? = nil, _ words: @escaping (Int32, String) -> (String, Bool)?
  ) {
    do throws(UVError) {
      let output = try Descriptor(path: log, for: .appending)
      var helper: DetachedProcess?
      helper = try DetachedProcess(loop: context.loop, arguments: arguments, output: output) { [weak self] status in
        let said = log == "/dev/null" ? [] : (try? FileSystem.read(log, limit: 1 << 20)) ?? []
        if log != "/dev/null" { try? FileSystem.remove(log) }
        helper?.close()
        self?.helpers.removeAll { $0 === helper }
        helper = nil
        if let (text, isWarning) = words(status, String(decoding: said, as: UTF8.self)) {
          self?.receive(.notice(text, isWarning: isWarning))
        }
      }
      if let helper { helpers.append(helper) }
    } catch {
      let notice = error == .noSuchFile ? missing : nil
      receive(.notice(notice ?? "Cannot start \(arguments[0]): \(error)", isWarning: true))
    }
  }
}
