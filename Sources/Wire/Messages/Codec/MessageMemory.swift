internal import CProtobufC

/// An arena for one message while protobuf-c unpacks or packs it: allocated piece by piece, freed at once.
///
/// Nothing in it outlives the decoding or encoding it was made for.
@safe final class MessageMemory {
  /// Size of the first block in bytes: most commands fit, and blocks of up to 1,032 bytes cost malloc next to nothing.
  /// Each further block is twice as large.
  private static let firstBlockBytes = 1008
  private static let largestBlockBytes = 64 * 1024
  /// Alignment of every piece: that of the widest C type.
  private static let alignment = 16

  /// The last block; each begins with the address of the previous one.
  private var lastBlock: UnsafeMutableRawPointer?
  private var free: UnsafeMutableRawPointer?
  private var left = 0
  private var nextBlockBytes = MessageMemory.firstBlockBytes
  /// Bytes that may still be allocated.
  private var budget: Int
  /// True once more was requested than the limit allows.
  private(set) var isExhausted = false

  /// An arena of at most `limit` bytes.
  init(limit: Int = .max) { budget = limit }

  deinit {
    while let block = unsafe lastBlock {
      unsafe lastBlock = block.load(as: UnsafeMutableRawPointer?.self)
      unsafe block.deallocate()
    }
  }

  /// Returns the number of bytes that unpacking a message of `count` bytes may take.
  ///
  /// protobuf-c turns a field of two bytes into 48 bytes of bookkeeping and a structure of up to 300 bytes, so a small
  /// message of empty messages could take a hundred times its size. Ordinary messages take far less.
  static func limit(forMessageOf count: Int) -> Int { 64 * 1024 + 32 * count }

  /// Returns uninitialised memory, or nil once the limit is reached.
  func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    let rounded = (size + Self.alignment - 1) & ~(Self.alignment - 1)
    guard rounded <= budget else {
      isExhausted = true
      return nil
    }
    budget -= rounded
    return unsafe piece(rounded)
  }

  /// Returns zeroed memory for a message to be packed. Not limited: it holds what the program itself has created.
  func allocateZeroed(_ size: Int) -> UnsafeMutableRawPointer {
    let rounded = (size + Self.alignment - 1) & ~(Self.alignment - 1)
    let start = unsafe piece(rounded)
    unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: rounded)
    return unsafe start
  }

  /// Returns a copy of `bytes`.
  func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
    let start = unsafe piece((bytes.count + Self.alignment) & ~(Self.alignment - 1))
    if let source = bytes.baseAddress { unsafe start.copyMemory(from: source, byteCount: bytes.count) }
    return unsafe start
  }

  private func piece(_ size: Int) -> UnsafeMutableRawPointer {
    guard let start = unsafe free, size <= left else { return unsafe firstPieceOfBlock(size) }
    unsafe free = start + size
    left -= size
    return unsafe start
  }

  private func firstPieceOfBlock(_ size: Int) -> UnsafeMutableRawPointer {
    let blockBytes = max(size + Self.alignment, nextBlockBytes)
    nextBlockBytes = min(2 * nextBlockBytes, Self.largestBlockBytes)
    let block = UnsafeMutableRawPointer.allocate(byteCount: blockBytes, alignment: Self.alignment)
    unsafe block.storeBytes(of: lastBlock, as: UnsafeMutableRawPointer?.self)
    unsafe lastBlock = block
    let start = unsafe block + Self.alignment
    unsafe free = start + size
    left = blockBytes - Self.alignment - size
    return unsafe start
  }

  /// Lends an allocator that allocates from this memory and frees nothing. It must not escape `body`.
  func withAllocator<Result>(_ body: (UnsafeMutablePointer<ProtobufCAllocator>) -> Result) -> Result {
    var allocator = unsafe ProtobufCAllocator(
      alloc: { data, size in
        // `data` is the memory itself, which the caller of unpack keeps alive.
        guard let data = unsafe data else { return nil }
        return unsafe Unmanaged<MessageMemory>.fromOpaque(data).takeUnretainedValue().allocate(size)
      },
      free: { _, _ in },
      allocator_data: Unmanaged.passUnretained(self).toOpaque())
    return withExtendedLifetime(self) { unsafe body(&allocator) }
  }
}
