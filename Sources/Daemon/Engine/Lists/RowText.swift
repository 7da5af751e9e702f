internal import Posts

extension PackedBody {
  /// The text of a row: the post's text, or a notice that it cannot be decoded.
  var rowText: [UInt8] { unpacked()?.text.utf8 ?? CompactBody.damagedText }
}
