internal import ClientCore
internal import UV

/// Runs stack-feeds, which knows XML, as a filter.
enum FeedProgram {
  /// The longest document in bytes.
  static let documentBytes = 15 << 20

  /// Returns the contents of a file; of standard input for `-`.
  static func contents(of file: String) throws(ClientFailure) -> [UInt8] {
    try FileReading.attempt(file == "-" ? "standard input" : file) { () throws(UVError) in
      if file == "-" { return try Descriptor.standardInput.readAll(limit: documentBytes) }
      return try FileSystem.read(file, limit: documentBytes)
    }
  }

  /// Runs the program with these arguments and returns its output.
  static func run(_ arguments: [String], _ input: [UInt8], _ context: ClientContext) throws(ClientFailure) -> [UInt8] {
    guard let program = OwnProgram.find("stack-feeds") else {
      throw ClientFailure(.failure, "cannot find stack-feeds", hint: "install it beside stack-client")
    }
    var output: [UInt8] = []
    var status: Int32?
    var isOpen = true
    do throws(UVError) {
      let process = try PipedProcess(loop: context.loop, arguments: [program] + arguments) { status = $0 }
      process.keepsLoopRunning = true
      defer {
        process.output.close()
        process.close()
      }
      try process.output.startReadingArrays {
        output += $0
      } onEnd: { _ in
        isOpen = false
      }
      let outcome = try process.input.write(input) { _ in process.input.close() }
      if outcome == .sent { process.input.close() }
      while isOpen || status == nil { context.loop.run(.once) }
    } catch {
      throw ClientFailure(.failure, "cannot run \(program): \(error)")
    }
    guard status == 0 else { throw ClientFailure(.failure, "the file cannot be read") }
    return output
  }
}
