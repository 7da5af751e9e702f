/// A parser of server-sent events (HTML standard, section 9.2.6): bytes in, events out, wherever the bytes are cut.
public struct EventStreamParser: Sendable {
  /// An event with data. Events without data are dropped, as the standard says.
  public struct Event: Equatable, Sendable {
    /// The event's type; `message` if the stream gave none.
    public var name: String
    /// The lines of data, joined by line feeds. Invalid UTF-8 is replaced.
    public var data: String

    public init(name: String, data: String) { (self.name, self.data) = (name, data) }
  }

  /// The most bytes of an event and of a line.
  public let byteLimit: Int
  /// True once an event or a line was longer than the limit: nothing more is read.
  public private(set) var isTooLong = false

  private var line: [UInt8] = []
  private var name = ""
  private var data: [UInt8] = []
  private var isFirstLine = true
  private var endedWithReturn = false

  public init(byteLimit: Int = 1 << 20) { self.byteLimit = byteLimit }

  /// Reads bytes, and returns the events that they complete. O(bytes).
  public mutating func consume(_ bytes: some Sequence<UInt8>) -> [Event] {
    var events: [Event] = []
    for byte in bytes where !isTooLong {
      switch byte {
      // The second half of CR LF.
      case 0x0A where endedWithReturn: endedWithReturn = false
      case 0x0A, 0x0D:
        endedWithReturn = byte == 0x0D
        if let event = endLine() { events.append(event) }
      default:
        endedWithReturn = false
        line.append(byte)
        isTooLong = line.count > byteLimit
      }
    }
    return events
  }

  private mutating func endLine() -> Event? {
    defer { line.removeAll(keepingCapacity: true) }
    if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isFirstLine = false
    guard !line.isEmpty else { return dispatch() }
    let field = line.prefix { $0 != UInt8(ascii: ":") }
    var value = line.dropFirst(field.count + 1)
    if value.first == 0x20 { value.removeFirst() }
    switch String(decoding: field, as: UTF8.self) {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      data += value
      data.append(0x0A)
      isTooLong = data.count > byteLimit
    // A comment begins with a colon. `id` and `retry` mean nothing here, and unknown fields are ignored.
    default: break
    }
    return nil
  }

  private mutating func dispatch() -> Event? {
    defer {
      name = ""
      data.removeAll(keepingCapacity: true)
    }
    guard !data.isEmpty else { return nil }
    return Event(name: name.isEmpty ? "message" : name, data: String(decoding: data.dropLast(), as: UTF8.self))
  }
}
