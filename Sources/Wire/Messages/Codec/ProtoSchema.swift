internal import WireProto

/// The schema the program was built with, as in `Proto/`: the source of message layouts and of server reflection.
public struct ProtoSchema: Sendable {
  /// One file of `Proto/`.
  public struct File: Sendable {
    /// The name used in imports: `stack/v1/types.proto`.
    public let name: String
    /// The serialized `google.protobuf.FileDescriptorProto`.
    public let descriptor: [UInt8]

    /// The declarations in it.
    fileprivate var declarations: FileDescriptor? { FileDescriptor(descriptor) }
  }

  /// The schema of this program. Read on first use.
  public static let current = ProtoSchema(descriptorSet: embeddedDescriptorSet)

  /// All files, sorted by name.
  public let files: [File]
  /// The protobuf-c layouts of all messages in memory.
  let layouts: MessageLayouts

  /// Reads a serialized `google.protobuf.FileDescriptorSet`. Anything else yields no files.
  init(descriptorSet bytes: [UInt8]) {
    var files: [File] = []
    var messages: [MessageDescription] = []
    var fields = DescriptorFields(bytes, in: bytes.indices)
    while let (number, value) = fields.next() {
      let descriptor = Array(bytes[value])
      guard number == 1, let file = FileDescriptor(descriptor) else { continue }
      files.append(File(name: file.name, descriptor: descriptor))
      messages += file.messages
    }
    self.files = fields.isComplete ? files.sorted { $0.name < $1.name } : []
    layouts = MessageLayouts(messages)
  }

  /// All messages. O(size of the schema).
  var messages: [MessageDescription] { files.flatMap { $0.declarations?.messages ?? [] } }

  /// Returns the file with a name.
  public func file(named name: String) -> File? { files.first { $0.name == name } }

  /// Returns the file that declares a service, method, message or enum with this full name, such as
  /// `stack.v1.ViewService.Attach`. O(size of the schema).
  public func file(declaring symbol: String) -> File? {
    files.first { $0.declarations?.symbols.contains(symbol) ?? false }
  }

  /// Returns true if a message with this full name exists.
  public func hasMessage(_ name: String) -> Bool { layouts[name] != nil }

  /// Returns a file, followed by everything it imports, directly or indirectly, each once.
  public func closure(of file: File) -> [File] {
    var found = [file]
    var next = 0
    while next < found.count {
      for name in found[next].declarations?.imports ?? [] where !found.contains(where: { $0.name == name }) {
        if let imported = self.file(named: name) { found.append(imported) }
      }
      next += 1
    }
    return found
  }

  private static var embeddedDescriptorSet: [UInt8] {
    let raw = unsafe UnsafeRawBufferPointer(start: wire_proto_descriptor_set(), count: wire_proto_descriptor_set_size())
    // An array of raw bytes would be copied byte by byte.
    return unsafe Array(raw.assumingMemoryBound(to: UInt8.self))
  }
}
