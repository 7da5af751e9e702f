internal import Mastodon
internal import UV

/// The file of secrets: its owner's alone, and replaced as a whole.
struct SecretFile {
  /// A problem with the file, which people can solve.
  struct Problem: Error {
    /// A clause.
    let reason: String
  }

  private let path: String

  /// The file in a folder; nil for the usual one, `$XDG_STATE_HOME/stack/sources/mastodon`.
  init(folder: String?) throws(Problem) {
    guard let folder = folder ?? Self.usualFolder else {
      throw Problem(reason: "there is no place for tokens without HOME or XDG_STATE_HOME")
    }
    path = folder + "/secrets.json"
  }

  private static var usualFolder: String? {
    if let state = Process.environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      return state + "/stack/sources/mastodon"
    }
    return Process.environment("HOME").map { $0 + "/.local/state/stack/sources/mastodon" }
  }

  /// Reads the secrets; none if there is no file. Refuses a file that others may read or that is somebody else's.
  func read() throws(Problem) -> Secrets {
    let file: FileSystem.Status
    do throws(UVError) {
      file = try FileSystem.status(of: path)
    } catch {
      guard error != .noSuchFile else { return Secrets() }
      throw Problem(reason: "\(path): \(error)")
    }
    guard file.kind == .regular, file.owner == Process.effectiveUserID else {
      throw Problem(reason: "\(path) is not a file of the daemon's user")
    }
    guard file.permissions & 0o077 == 0 else {
      throw Problem(reason: "others may read \(path); type: chmod 600 \(path)")
    }
    let bytes: [UInt8]
    do throws(UVError) {
      bytes = try FileSystem.read(path, limit: Secrets.byteLimit)
    } catch {
      throw Problem(reason: "\(path): \(error)")
    }
    guard let secrets = Secrets(bytes) else {
      throw Problem(reason: "\(path) is damaged; remove it, and sign in again")
    }
    return secrets
  }

  /// Replaces the secrets.
  func write(_ secrets: Secrets) throws(Problem) {
    do throws(UVError) {
      if let folder = FileSystem.parent(of: path) { try FileSystem.makeDirectories(folder) }
      try FileSystem.replace(path, mode: 0o600, contents: secrets.bytes)
    } catch {
      throw Problem(reason: "\(path): \(error)")
    }
  }
}
