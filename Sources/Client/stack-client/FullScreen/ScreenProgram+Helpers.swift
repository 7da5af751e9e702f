internal import ClientCore
internal import FullScreen
internal import UV

/// Programs beside this one: an editor that gets the terminal, a browser, an import.
extension ScreenProgram {
  // MARK: The editor

  /// Gives the terminal to `$VISUAL` or `$EDITOR` until it ends.
  func edit(_ text: String) {
    guard editor == nil else { return }
    let file: EditorFile
    do {
      file = try EditorFile(text)
    } catch {
      return fail("the text cannot be written to a file: \(error)")
    }
    driver.turnOff()
    do throws(UVError) {
      editor = try ForegroundProcess(loop: context.loop, arguments: file.arguments) { [weak self] status in
        self?.edited(file, status: status)
      }
    } catch {
      file.remove()
      takeTerminal()
      fail("\(EditorFile.command) cannot be started: \(error)")
    }
  }

  private func edited(_ file: EditorFile, status: Int32) {
    editor?.close()
    editor = nil
    takeTerminal()
    do throws(ClientFailure) {
      receive(.edited(.success(try file.finish(status: status))))
    } catch {
      fail([error.message, error.hint].filter { !$0.isEmpty }.joined(separator: "; "))
    }
  }

  private func fail(_ words: String) { receive(.edited(.failure(CallEnd(code: 2, message: words)))) }

  // MARK: Pipes

  /// Gives the terminal to a command, which reads `bytes`, until it ends. Its words are arguments, never a line for a
  /// shell.
  func pipe(_ bytes: [UInt8], to words: [String]) {
    guard editor == nil, let command = words.first, !command.isEmpty else { return }
    let input: Descriptor
    do {
      let path = try TemporaryFile.path("stack-item", "json")
      try FileSystem.create(path, mode: 0o600, contents: bytes)
      defer { try? FileSystem.remove(path) }
      input = try Descriptor(path: path, for: .reading)
    } catch {
      return receive(.notice("The post cannot be written to a file: \(error)", isWarning: true))
    }
    driver.turnOff()
    do throws(UVError) {
      editor = try ForegroundProcess(loop: context.loop, arguments: words, input: input) { [weak self] status in
        self?.editor?.close()
        self?.editor = nil
        self?.takeTerminal()
        self?.receive(
          .notice(
            status == 0 ? "\(command) has it." : "\(command) ended with status \(status).", isWarning: status != 0))
      }
    } catch {
      takeTerminal()
      receive(.notice("\(command) cannot be started: \(error)", isWarning: true))
    }
  }

  // MARK: The browser

  /// Opens an address with `$BROWSER` or `xdg-open`. It is an argument, never a line for a shell, and is one of the
  /// web's.
  func browse(_ url: [UInt8]) {
    guard let target = Hyperlink.target(of: url) else {
      return receive(.notice("That is no address that can be opened.", isWarning: true))
    }
    let program = UV.Process.environment("BROWSER").flatMap { $0.isEmpty ? nil : $0 } ?? "xdg-open"
    let address = String(decoding: target, as: UTF8.self)
    start([program, address], log: "/dev/null") { status, _ in
      status == 0 ? nil : ("\(program) could not open \(address).", true)
    }
  }

  // MARK: Imports

  /// Runs `stack-client import` beside this program; frames bring what it brings.
  func importFiles(_ words: String) {
    guard let program = UV.Process.executablePath else { return }
    var names = words.split(separator: " ").map(String.init)
    let options = names.filter { $0 == "--me" || $0 == "--dry-run" }
    names.removeAll { options.contains($0) }
    let path = expand(names.joined(separator: " "))
    guard !path.isEmpty else { return receive(.notice("It is written: import FILE [--me]", isWarning: true)) }
    guard let log = try? TemporaryFile.path("stack-import", "log") else { return }
    receive(.notice("Importing \(path).", isWarning: false))
    start([program, "import", path] + options + context.addressWords, log: log) { status, said in
      let last = said.split(separator: "\n").last.map(String.init) ?? ""
      return status == 0
        ? ("Imported: \(last)", false) : (last.isEmpty ? "The import ended with status \(status)." : last, true)
    }
  }

  /// A path as a program that runs in `/` needs it.
  private func expand(_ path: String) -> String {
    if path.hasPrefix("~/"), let home = UV.Process.environment("HOME") { return home + path.dropFirst() }
    return path.isEmpty ? path : context.absolute(path)
  }

  /// Starts a program; when it ends, `words` makes of its status and of what it said what the person is told.
  private func start(_ arguments: [String], log: String, _ words: @escaping (Int32, String) -> (String, Bool)?) {
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
      receive(.notice("\(arguments[0]) cannot be started: \(error)", isWarning: true))
    }
  }
}
