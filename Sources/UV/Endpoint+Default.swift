extension Endpoint {
  /// Where a daemon listens unless it is told otherwise, and where a client looks for it: `stack/daemon.sock` in the
  /// folder that the session gives to each user for such things (`XDG_RUNTIME_DIR`), or, where no session does, in a
  /// folder of `/tmp` that has the user's number in its name. The daemon refuses a folder that is somebody else's.
  public static var defaultSocketPath: String {
    if let directory = Process.environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") {
      return directory + "/stack/daemon.sock"
    }
    return "/tmp/stack-\(Process.effectiveUserID)/daemon.sock"
  }
}
