internal import Dates
internal import FuzzSupport
internal import HTTPSupport

/// Fuzzes what connectors read of HTTP: dates, header fields and addresses. Each line of the input is a field, a date
/// and an address. Times are within limits, and an address reads as itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var input = Input(start, count)
  let now = Instant(seconds: 1_795_521_600)
  let limit = now.adding(milliseconds: 366 * 86_400_000)
  let lines = input.all().split(separator: 0x0A)
  let fields = lines.map { line in
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    return (name: String(decoding: name, as: UTF8.self), value: Array(line.dropFirst(name.count + 1)))
  }
  let read = ResponseFields(fields, now: now)
  require(
    [read.freshUntil, read.retryAfter].allSatisfy { $0.map { $0 >= now && $0 <= limit } ?? true }, "a time is too far")
  require(read.validators.entityTag?.isEmpty != true, "an empty validator")
  for line in lines {
    _ = HTTPDate.parse(String(decoding: line, as: UTF8.self), now: now)
    for url in [WebURL(line), WebURL("https://a.example/b/c?d")?.resolving(line)] {
      guard let url else { continue }
      require(WebURL(url.text) == url, "an address reads as another")
      require(!url.isLoopback || url.isPrivate, "this machine is not private")
    }
  }
  return 0
}
