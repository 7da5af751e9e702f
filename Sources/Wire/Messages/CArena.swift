internal import CProtobufC

/// Memory for the C structures of one message while it is packed: allocated piece by piece, freed at once.
///
/// protobuf-c packs from structures full of pointers. Whatever a builder makes lives here until the arena goes, so no
/// builder frees anything and no pointer outlives ``encode(_:)``.
@safe final class CArena {
  private static let blockSize = 16 * 1024
  private var blocks: [UnsafeMutableRawPointer] = unsafe []
  private var free: UnsafeMutableRawPointer?
  private var left = 0

  deinit { for index in unsafe blocks.indices { unsafe blocks[index].deallocate() } }

  /// Uninitialised memory, aligned to 16 bytes, that lives as long as the arena.
  private func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    let rounded = (size + 15) & ~15
    if rounded > left {
      let blockSize = max(rounded, Self.blockSize)
      let block = UnsafeMutableRawPointer.allocate(byteCount: blockSize, alignment: 16)
      unsafe blocks.append(block)
      unsafe free = block
      left = blockSize
    }
    let result = unsafe free!
    unsafe free = result + rounded
    left -= rounded
    return unsafe result
  }

  /// A structure set up by its generated `__init` function.
  func make<Message>(
    _ initialize: (UnsafeMutablePointer<Message>?) -> Void
  ) -> UnsafeMutablePointer<Message> {
    let pointer = unsafe allocate(MemoryLayout<Message>.size).bindMemory(to: Message.self, capacity: 1)
    unsafe initialize(pointer)
    return unsafe pointer
  }

  /// A C string. `bytes` hold no NUL: they come from harmless text.
  func string(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
    let pointer = unsafe allocate(bytes.count + 1).bindMemory(to: CChar.self, capacity: bytes.count + 1)
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(start: pointer, count: bytes.count).copyMemory(from: source)
    }
    unsafe pointer[bytes.count] = 0
    return unsafe pointer
  }

  /// A C string of a Swift one.
  func string(_ string: String) -> UnsafeMutablePointer<CChar> { unsafe self.string(Array(string.utf8)) }

  /// A `bytes` field.
  func data(_ bytes: [UInt8]) -> ProtobufCBinaryData {
    unsafe ProtobufCBinaryData(len: bytes.count, data: array(bytes))
  }

  /// A repeated scalar field.
  func array<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let pointer = unsafe allocate(elements.count * MemoryLayout<Element>.stride)
      .bindMemory(to: Element.self, capacity: elements.count)
    unsafe elements.withUnsafeBufferPointer { source in
      _ = unsafe UnsafeMutableBufferPointer(start: pointer, count: elements.count).initialize(from: source)
    }
    return unsafe pointer
  }

  /// A repeated message or string field: pointers to what `build` makes of each element.
  func pointers<Element, Message>(
    _ elements: [Element], _ build: (Element) -> UnsafeMutablePointer<Message>
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Message>?> {
    let pointer = unsafe allocate(elements.count * MemoryLayout<UnsafeMutablePointer<Message>?>.stride)
      .bindMemory(to: UnsafeMutablePointer<Message>?.self, capacity: elements.count)
    for (index, element) in elements.enumerated() { unsafe (pointer + index).initialize(to: build(element)) }
    return unsafe pointer
  }

  /// The bytes of a message whose structures lie in this arena.
  func encode<Message>(_ message: UnsafeMutablePointer<Message>) -> [UInt8] {
    // Every generated structure begins with its ProtobufCMessage.
    let base = unsafe UnsafeMutableRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self)
    let size = unsafe protobuf_c_message_get_packed_size(base)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = unsafe size == 0 ? 0 : protobuf_c_message_pack(base, buffer.baseAddress)
    }
  }
}
