internal import CXML

/// A receiver of the elements of a document.
protocol XMLElementReceiver {
  /// Decides about an element whose start was read: true to receive it whole, false to be asked for each of its children.
  mutating func wantsWhole(_ tag: XMLTag) -> Bool
  /// Receives an element.
  mutating func receive(_ element: XMLElement)
}

/// Reads documents with libxml2's SAX interface, since its reader does not recover from errors.
///
/// Documents that are not well-formed are read on in recovery. Nothing is fetched, and entities are not expanded:
/// ``XMLInput`` has replaced the harmless ones before. Only the element being received is in memory.
enum XMLDocument {
  /// The most declarations of namespaces in scope, through all of which libxml2 searches for each prefix. A document ends
  /// where there are more.
  static let namespaceLimit = 1_000

  /// An error in a document.
  struct Problem: Equatable {
    /// From 1.
    let line: Int
    /// libxml2's own words.
    let message: String
  }

  /// Reads a document of at most 2 GiB. Returns the first error, or nil if it was well-formed.
  static func read<Receiver: XMLElementReceiver>(_ input: XMLInput, into receiver: inout Receiver) -> Problem? {
    let reading = Reading(receiver)
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
    unsafe handler.startElementNs = { user, local, prefix, namespace, declared, _, count, _, attributes in
      unsafe Reading.of(user)?.start(
        XMLTag(local: local, prefix: prefix, namespace: namespace, attributes: attributes, count: Int(count)),
        namespaces: Int(declared))
    }
    unsafe handler.endElementNs = { user, _, _, _ in unsafe Reading.of(user)?.end() }
    unsafe handler.characters = { user, text, length in
      unsafe Reading.of(user)?.text(UnsafeBufferPointer(start: text, count: Int(length)))
    }
    unsafe handler.cdataBlock = handler.characters
    unsafe handler.ignorableWhitespace = handler.characters
    unsafe handler.serror = { user, error in
      guard let error = unsafe error else { return }
      unsafe Reading.of(user)?.report(error.pointee)
    }
    unsafe input.bytes.withUnsafeBytes { bytes in
      let context = unsafe cxml_prepare(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), &handler,
        Unmanaged.passUnretained(reading).toOpaque())
      guard let context = unsafe context else { return }
      unsafe reading.context = context
      _ = unsafe xmlParseDocument(context)
      unsafe reading.context = nil
      unsafe xmlFreeParserCtxt(context)
    }
    if let done = reading.receiver as? Receiver { receiver = done }
    return reading.problem
  }

  /// A document being read. libxml2 calls it back during the parse only.
  @safe private final class Reading {
    var receiver: any XMLElementReceiver
    private(set) var problem: Problem?
    /// libxml2's parser at work; nil before and after.
    var context: xmlParserCtxtPtr?
    /// The declarations of namespaces of each open element.
    private var declarations: [Int] = []
    private var inScope = 0
    /// The open elements that are collected, from the outermost.
    private var open: [XMLElement] = []
    /// The number of open elements around them.
    private var enclosing = 0

    init(_ receiver: any XMLElementReceiver) { self.receiver = receiver }

    @unsafe static func of(_ user: UnsafeMutableRawPointer?) -> Reading? {
      unsafe user.map { unsafe Unmanaged<Reading>.fromOpaque($0).takeUnretainedValue() }
    }

    func start(_ tag: XMLTag, namespaces: Int) {
      declarations.append(namespaces)
      inScope += namespaces
      if inScope > XMLDocument.namespaceLimit { unsafe xmlStopParser(context) }
      if open.isEmpty, !receiver.wantsWhole(tag) {
        enclosing += 1
      } else {
        open.append(XMLElement(tag: tag))
      }
    }

    func end() {
      inScope -= declarations.popLast() ?? 0
      guard let element = open.popLast() else {
        enclosing -= 1
        return
      }
      if open.isEmpty { receiver.receive(element) } else { open[open.count - 1].nodes.append(.element(element)) }
    }

    @unsafe func text(_ text: UnsafeBufferPointer<UInt8>) {
      guard !open.isEmpty else { return }
      unsafe open[open.count - 1].append(text)
    }

    @unsafe func report(_ error: xmlError) {
      guard problem == nil, unsafe error.level.rawValue >= XML_ERR_ERROR.rawValue else { return }
      let message = unsafe error.message.map { unsafe String(cString: $0) } ?? ""
      problem = Problem(
        line: Int(unsafe error.line), message: message.split(separator: "\n").first.map(String.init) ?? "")
    }
  }
}

/// The start of an element.
struct XMLTag {
  /// An attribute, with its references decoded.
  struct Attribute {
    let name: XMLName
    /// The name as it is written, without its prefix.
    let local: String
    let value: [UInt8]
  }

  let name: XMLName
  var attributes: [Attribute] = []

  init(name: XMLName) { self.name = name }

  /// Copies libxml2's attributes: five pointers for each attribute (name, prefix, namespace, start and end of the value).
  @unsafe fileprivate init(
    local: UnsafePointer<UInt8>?, prefix: UnsafePointer<UInt8>?, namespace: UnsafePointer<UInt8>?,
    attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int
  ) {
    unsafe name = XMLName(local: Self.string(local), prefix: Self.string(prefix), namespace: Self.string(namespace))
    guard let attributes = unsafe attributes else { return }
    for index in stride(from: 0, to: count * 5, by: 5) {
      guard let start = unsafe attributes[index + 3], let end = unsafe attributes[index + 4] else { continue }
      let value = unsafe Array(UnsafeBufferPointer(start: start, count: end - start))
      let local = unsafe Self.string(attributes[index])
      let name = unsafe XMLName(
        local: local, prefix: Self.string(attributes[index + 1]), namespace: Self.string(attributes[index + 2]))
      self.attributes.append(Attribute(name: name, local: local, value: value))
    }
  }

  @unsafe private static func string(_ text: UnsafePointer<UInt8>?) -> String {
    unsafe text.map { unsafe String(cString: $0) } ?? ""
  }
}
