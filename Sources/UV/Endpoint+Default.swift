extension Endpoint {
  /// The default socket of daemons and clients: `stack/daemon.sock` in the user's runtime directory
  /// (`XDG_RUNTIME_DIR`), or without one, in a directory of `/tmp` with the user's ID in its name. The daemon refuses a
  /// directory that belongs to another user.
  public static var defaultSocketPath: String {
    if let directory = Process.environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") {
      return directory + "/stack/daemon.sock"
    }
    return "/tmp/stack-\(Process.effectiveUserID)/daemon.sock"
  }
}
