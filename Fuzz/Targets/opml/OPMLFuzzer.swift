@testable internal import Feeds
internal import FuzzSupport

/// Fuzzes lists of subscriptions: OPML and newsboat's. A list survives being written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  guard let (lines, _) = try? SubscriptionLines.read(input.all()), !lines.isEmpty else { return 0 }
  guard let document = try? SubscriptionLines.write(lines), let (again, refused) = try? SubscriptionLines.read(document)
  else { fatalError("a list cannot be read again") }
  require(refused.isEmpty, "an address is refused once it was written")
  require(sorted(again) == sorted(lines), "a list changes when written and read")
  return 0
}

/// The order of a document follows its lists.
private func sorted(_ lines: [UInt8]) -> [[String]] {
  lines.split(separator: 0x0A).map { line in
    let words = line.split(separator: 0x09, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    return Array(words.prefix(2)) + words.dropFirst(2).sorted()
  }.sorted { $0.lexicographicallyPrecedes($1) }
}
