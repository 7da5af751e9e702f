internal import UV

/// The other programs of Stack.
enum OwnProgram {
  /// Finds a program: next to this one, then along `PATH`.
  static func find(_ name: String) -> String? {
    var folders = UV.Process.executablePath.flatMap { FileSystem.parent(of: $0) }.map { [$0] } ?? []
    folders += (UV.Process.environment("PATH") ?? "").split(separator: ":").map(String.init)
    return folders.map { "\($0)/\(name)" }.first { FileSystem.isExecutable($0) }
  }
}
