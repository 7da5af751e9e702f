import CProtobufC

/// How protobuf-c reads a message of some type.
typealias Unpacking<Message> =
  @Sendable (UnsafeMutablePointer<ProtobufCAllocator>?, Int, UnsafePointer<UInt8>?) -> UnsafeMutablePointer<Message>?

/// What protobuf-c makes of bytes that it has read itself; nil where it cannot read them.
func repacked<Message>(_ bytes: [UInt8], _ unpack: Unpacking<Message>) -> [UInt8]? {
  guard let message = unsafe unpack(nil, bytes.count, bytes) else { return nil }
  let base = unsafe UnsafeMutableRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self)
  defer { unsafe protobuf_c_message_free_unpacked(base, nil) }
  var packed = [UInt8](repeating: 0, count: unsafe protobuf_c_message_get_packed_size(base))
  _ = unsafe protobuf_c_message_pack(base, &packed)
  return packed
}
