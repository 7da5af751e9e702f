internal import ClientCore
internal import UV

/// Reading of files that a person names.
enum FileReading {
  /// What keeps a file from being read, as a failure of its own kind.
  static func attempt<Value>(_ path: String, _ body: () throws(UVError) -> Value) throws(ClientFailure) -> Value {
    do {
      return try body()
    } catch .noSuchFile {
      throw ClientFailure(.notFound, "there is no file \(path)")
    } catch .permissionDenied {
      throw ClientFailure(.refused, "\(path) may not be read")
    } catch {
      throw ClientFailure(.failure, "\(path) cannot be read: \(error)")
    }
  }
}
