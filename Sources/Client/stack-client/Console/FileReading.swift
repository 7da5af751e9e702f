internal import ClientCore
internal import UV

/// Errors from files named on the command line.
enum FileReading {
  /// Runs `body` on a file, and turns its errors into failures that name the file.
  static func attempt<Value>(_ path: String, _ body: () throws(UVError) -> Value) throws(ClientFailure) -> Value {
    do {
      return try body()
    } catch .noSuchFile {
      throw ClientFailure(.notFound, "there is no file \(path)")
    } catch .permissionDenied {
      throw ClientFailure(.refused, "cannot read \(path): permission denied")
    } catch {
      throw ClientFailure(.failure, "cannot read \(path): \(error)")
    }
  }
}
