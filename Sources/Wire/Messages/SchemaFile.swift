internal import WireProto

/// One file of `Proto/`, as server reflection tells it.
///
/// The bytes lie in the program's read-only pages, none of which is loaded before somebody asks.
public struct SchemaFile: Hashable, Sendable {
  /// Its place in the generated table.
  private let index: Int

  private init(index: Int) { self.index = index }

  /// The file of a name, as an import has it: `stack/v1/types.proto`. Linear in the number of files.
  public init?(named name: String) {
    let names = (0..<wire_proto_file_count()).lazy.map { unsafe String(cString: wire_proto_file($0).pointee.name) }
    guard let index = names.firstIndex(of: name) else { return nil }
    self.index = index
  }

  /// The file that declares a service, method, message or enum of this full name: `stack.v1.ViewService.Attach`.
  /// Logarithmic in the number of such names.
  public init?(declaring symbol: String) {
    guard let found = Self.find(symbol) else { return nil }
    index = unsafe Int(wire_proto_symbol(found).pointee.file)
  }

  /// All files, sorted by name.
  public static var all: [SchemaFile] { (0..<wire_proto_file_count()).map { SchemaFile(index: $0) } }

  /// Whether there is a message of this full name.
  public static func hasMessage(_ name: String) -> Bool {
    find(name).map { unsafe wire_proto_symbol($0).pointee.is_message != 0 } ?? false
  }

  /// The file's name.
  public var name: String { unsafe String(cString: wire_proto_file(index).pointee.name) }

  /// The serialized `google.protobuf.FileDescriptorProto`, with the comments of the file.
  public var descriptor: [UInt8] {
    let file = unsafe wire_proto_file(index).pointee
    return unsafe Array(UnsafeRawBufferPointer(start: file.bytes, count: file.size))
  }

  /// This file, then all that it imports, directly or not, each once.
  public var closure: [SchemaFile] {
    let file = unsafe wire_proto_file(index).pointee
    return unsafe UnsafeBufferPointer(start: file.closure, count: file.closure_count).map { SchemaFile(index: Int($0)) }
  }

  /// The place of a name in the sorted table.
  private static func find(_ name: String) -> Int? {
    let wanted = Array(name.utf8)
    var range = 0..<wire_proto_symbol_count()
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let found = unsafe Array(String(cString: wire_proto_symbol(middle).pointee.name).utf8)
      if found == wanted { return middle }
      range = found.lexicographicallyPrecedes(wanted) ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }
}
