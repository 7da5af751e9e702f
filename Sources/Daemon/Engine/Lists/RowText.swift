internal import Posts

extension PackedBody {
  /// What a row says: the post's text, or that it cannot be read.
  var rowText: [UInt8] { unpacked()?.text.utf8 ?? CompactBody.damagedText }
}
