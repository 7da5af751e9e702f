internal import ClientCore
internal import UV

/// Temporary files of this program.
enum TemporaryFile {
  /// Returns an unused path, in a private directory of the user if there is one.
  static func path(_ name: String, _ suffix: String) throws(ClientFailure) -> String {
    let folder =
      ["XDG_RUNTIME_DIR", "TMPDIR"].lazy.compactMap { UV.Process.environment($0) }.first { $0.hasPrefix("/") } ?? "/tmp"
    return "\(folder)/\(name)-\(try RequestID.make()).\(suffix)"
  }
}
