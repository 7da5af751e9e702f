internal import CProtobufC

/// Memory for one message while protobuf-c unpacks or packs it: handed out piece by piece, freed at once.
///
/// Nothing that lies here outlives the decoding or encoding that it was made for.
@safe final class MessageMemory {
  /// Bytes of the first block: most commands fit, and blocks of up to 1,032 bytes cost malloc next to nothing. Each
  /// further block is twice as large.
  private static let firstBlockBytes = 1008
  private static let largestBlockBytes = 64 * 1024
  /// Alignment of every piece: that of the widest C type.
  private static let alignment = 16

  /// The last block; each begins with the address of the one before.
  private var lastBlock: UnsafeMutableRawPointer?
  private var free: UnsafeMutableRawPointer?
  private var left = 0
  private var nextBlockBytes = MessageMemory.firstBlockBytes
  /// Bytes that may still be handed out.
  private var budget: Int
  /// More was asked for than the limit allows.
  private(set) var isExhausted = false

  /// Memory of at most `limit` bytes.
  init(limit: Int = .max) { budget = limit }

  deinit {
    while let block = unsafe lastBlock {
      unsafe lastBlock = block.load(as: UnsafeMutableRawPointer?.self)
      unsafe block.deallocate()
    }
  }

  /// Bytes that unpacking a message of `count` bytes may take.
  ///
  /// protobuf-c makes 48 bytes of bookkeeping and a structure of up to 300 bytes out of a field of two bytes, so that a
  /// small message of empty messages could take a hundred times its size. Messages that say something take far less.
  static func limit(forMessageOf count: Int) -> Int { 64 * 1024 + 32 * count }

  /// Uninitialised memory; nil once the limit is reached.
  func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
    let rounded = (size + Self.alignment - 1) & ~(Self.alignment - 1)
    guard rounded <= budget else {
      isExhausted = true
      return nil
    }
    budget -= rounded
    return unsafe piece(rounded)
  }

  /// Zeroed memory for what is about to be packed. Not limited: it holds what the program itself has made.
  func allocateZeroed(_ size: Int) -> UnsafeMutableRawPointer {
    let rounded = (size + Self.alignment - 1) & ~(Self.alignment - 1)
    let start = unsafe piece(rounded)
    unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: rounded)
    return unsafe start
  }

  /// A copy of `bytes`.
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

  /// Lends an allocator that takes from this memory and frees nothing. Not to be kept.
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
