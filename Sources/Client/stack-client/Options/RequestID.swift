internal import ClientCore
internal import UV

/// The ID of a command: sent twice, the command is carried out once.
enum RequestID {
  /// Makes a new ID: 128 random bits in hexadecimal.
  static func make() throws(ClientFailure) -> String {
    do {
      return try UV.Process.randomBytes(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    } catch {
      throw ClientFailure(.failure, "cannot get random bytes from the kernel: \(error)")
    }
  }
}
