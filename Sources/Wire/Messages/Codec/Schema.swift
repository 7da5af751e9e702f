internal import WireProto

/// The schema that the program was built with, as it is in `Proto/`: what messages are laid out by, and what server
/// reflection tells.
public struct Schema: Sendable {
  /// One file of `Proto/`.
  public struct File: Sendable {
    /// As an import has it: `stack/v1/types.proto`.
    public let name: String
    /// The serialized `google.protobuf.FileDescriptorProto`.
    public let descriptor: [UInt8]
    /// Names of the files that it imports.
    let imports: [String]
    /// Full names of the services, methods, messages and enums that it declares.
    let symbols: [String]
  }

  /// The schema of this program. Read when it is first asked for.
  public static let current = Schema(descriptorSet: embeddedDescriptorSet)

  /// All files, sorted by name.
  public let files: [File]
  /// All messages.
  let messages: [MessageDescription]
  /// How protobuf-c has them in memory.
  let layouts: MessageLayouts

  /// Reads a serialized `google.protobuf.FileDescriptorSet`. What is not one has no files.
  init(descriptorSet bytes: [UInt8]) {
    let set = try? FileDescriptorSet(decoding: bytes)
    let descriptors = (set?.files ?? []).compactMap { bytes in
      (try? FileDescriptor(decoding: bytes)).map { (bytes, $0) }
    }
    files = descriptors.map { bytes, file in
      File(name: file.name, descriptor: bytes, imports: file.imports, symbols: file.symbols)
    }.sorted { $0.name < $1.name }
    messages = descriptors.flatMap { $1.allMessages }
    layouts = MessageLayouts(messages)
  }

  /// The file of a name.
  public func file(named name: String) -> File? { files.first { $0.name == name } }

  /// The file that declares a service, method, message or enum of this full name: `stack.v1.ViewService.Attach`.
  /// Linear in the number of names.
  public func file(declaring symbol: String) -> File? { files.first { $0.symbols.contains(symbol) } }

  /// Whether there is a message of this full name.
  public func hasMessage(_ name: String) -> Bool { layouts[name] != nil }

  /// A file, then all that it imports, directly or not, each once.
  public func closure(of file: File) -> [File] {
    var found = [file]
    var next = 0
    while next < found.count {
      for name in found[next].imports where !found.contains(where: { $0.name == name }) {
        if let imported = self.file(named: name) { found.append(imported) }
      }
      next += 1
    }
    return found
  }

  private static var embeddedDescriptorSet: [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: wire_proto_descriptor_set(), count: wire_proto_descriptor_set_size()))
  }
}
