internal import ClientCore
internal import UV

/// Runs stack-feeds, which knows XML, as a filter.
enum FeedProgram {
  /// The longest document in bytes.
  static let documentBytes = 15 << 20

  /// Returns the contents of a file; of standard input for `-`.
  static func contents(of file: String) throws(ClientFailure) -> [UInt8] {
    do throws(UVError) {
      return try FileSystem.read(file == "-" ? "/dev/stdin" : file, limit: documentBytes)
    } catch {
      throw ClientFailure(.failure, "cannot read \(file): \(error)")
    }
  }

  /// Runs a mode of the program, which lies beside this one, and returns its output.
  static func run(_ mode: String, _ input: [UInt8], _ context: ClientContext) throws(ClientFailure) -> [UInt8] {
    let folder = UV.Process.executablePath.map { $0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex) } ?? ""
    let program = "\(folder)/stack-feeds"
    var output: [UInt8] = []
    var status: Int32?
    var isOpen = true
    do throws(UVError) {
      let loop = context.loop
      let process = try PipedProcess(loop: loop, arguments: [program, mode]) {
        status = $0
        if !isOpen { loop.stop() }
      }
      process.keepsLoopRunning = true
      defer { process.close() }
      try process.output.startReadingArrays {
        output += $0
      } onEnd: { _ in
        isOpen = false
        if status != nil { loop.stop() }
      }
      let outcome = try process.input.write(input) { _ in process.input.close() }
      if outcome == .sent { process.input.close() }
      while isOpen || status == nil { loop.run(.once) }
      process.output.close()
    } catch {
      throw ClientFailure(.failure, "cannot run \(program): \(error)", hint: "install stack-feeds beside stack-client")
    }
    guard status == 0 else { throw ClientFailure(.failure, "the file cannot be read") }
    return output
  }
}
