internal import ClientCore
internal import UV

/// Files of this program that last as long as it needs them.
enum TemporaryFile {
  /// A path that nothing has yet, in a folder of the person's own where there is one.
  static func path(_ name: String, _ suffix: String) throws(ClientFailure) -> String {
    let folder =
      ["XDG_RUNTIME_DIR", "TMPDIR"].lazy.compactMap { UV.Process.environment($0) }.first { $0.hasPrefix("/") } ?? "/tmp"
    return "\(folder)/\(name)-\(try RequestID.make()).\(suffix)"
  }
}
