/// A form with a file, as `multipart/form-data` (RFC 7578). The file comes in parts.
public struct MultipartForm: Equatable, Sendable {
  private let boundary: String
  /// The form so far; whole after ``end()``.
  public private(set) var bytes: [UInt8] = []

  /// A form without fields.
  ///
  /// - Parameter boundary: 1 to 70 letters and digits that nobody can guess, so that no file contains them.
  public init(boundary: String) { self.boundary = boundary }

  /// The value of `Content-Type`.
  public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// Adds a field whose name has nothing to quote. O(length).
  public mutating func add(_ name: String, _ value: String) {
    begin("form-data; name=\"\(name)\"")
    bytes += Array("\r\n\(value)\r\n".utf8)
  }

  /// Begins the file, which is the last field and has `count` bytes. Neither of the names has anything to quote.
  public mutating func beginFile(_ name: String, called fileName: String, type: String, byteCount count: Int) {
    begin("form-data; name=\"\(name)\"; filename=\"\(fileName)\"")
    bytes += Array("Content-Type: \(type)\r\n\r\n".utf8)
    bytes.reserveCapacity(bytes.count + count + boundary.utf8.count + 8)
  }

  /// Adds the next bytes of the file.
  public mutating func append(_ part: [UInt8]) { bytes += part }

  /// Ends the file and the form.
  public mutating func end() { bytes += Array("\r\n--\(boundary)--\r\n".utf8) }

  private mutating func begin(_ disposition: String) {
    bytes += Array("--\(boundary)\r\nContent-Disposition: \(disposition)\r\n".utf8)
  }
}
