internal import CCurl
internal import HTTPSupport
internal import UV

/// One request and its response, without redirects: an easy handle of libcurl and what it has received.
@safe final class Transfer {
  /// What a request is for.
  enum Kind {
    case response
    /// A response of which parts are taken as they come, and which may go on for ever.
    case stream
    /// A connection alone: nothing is sent.
    case connection
  }

  /// The most bytes of header fields.
  static let fieldBytes = 64 << 10
  /// Seconds for connecting.
  static let connectSeconds = 15
  /// A transfer slower than this many bytes a second, for as long as a response may take to begin, ends.
  static let slowestBytes = 100
  let url: WebURL
  let easy: UnsafeMutableRawPointer
  private(set) var fields: [(name: String, value: [UInt8])] = []
  private(set) var body: [UInt8] = []
  private let byteLimit: Int
  private let kind: Kind
  /// The file that is sent, and the number of bytes that libcurl has taken of it.
  private let sending: [UInt8]
  private var sentBytes = 0
  private var pace = ResponsePace()
  private var isOpened = false
  private var isReported = false
  private var fieldCount = 0
  private var isTooLong = false
  private var hasTooManyFields = false
  private var isSlow = false
  private var list: UnsafeMutablePointer<curl_slist>?
  private var wasRefused = false
  private let message: UnsafeMutablePointer<CChar>

  /// Prepares a request for `url`, with the validators and limits of `request`, through a proxy or, if that is nil, none.
  /// Nil if memory is short.
  init?(
    _ request: FetchRequest, url: WebURL, kind: Kind, proxy: String?, userAgent: String,
    authorities: String?
  ) {
    guard let easy = unsafe curl_easy_init() else { return nil }
    unsafe self.easy = easy
    self.url = url
    byteLimit = request.byteLimit
    sending = request.files?.bytes ?? []
    self.kind = kind
    unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    setOptions(request, proxy: proxy, userAgent: userAgent, authorities: authorities)
  }

  deinit {
    unsafe curl_easy_cleanup(easy)
    unsafe curl_slist_free_all(list)
    unsafe message.deallocate()
  }

  private func setOptions(_ request: FetchRequest, proxy: String?, userAgent: String, authorities: String?) {
    func set(_ option: CURLoption, _ value: Int) { _ = unsafe ccurl_set_long(easy, option, value) }
    func set(_ option: CURLoption, _ value: String) { _ = unsafe ccurl_set_string(easy, option, value) }
    set(CURLOPT_URL, url.text)
    _ = unsafe ccurl_set_web_only(easy)
    set(CURLOPT_USERAGENT, userAgent)
    // All encodings that libcurl knows; it decodes them.
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT, Self.connectSeconds)
    let limits = ResponsePace.limits(sendsFile: request.files != nil)
    set(CURLOPT_SERVER_RESPONSE_TIMEOUT, limits.response)
    if kind == .response {
      set(CURLOPT_TIMEOUT, limits.total)
      // Bytes that are sent count as well.
      set(CURLOPT_LOW_SPEED_LIMIT, Self.slowestBytes)
      set(CURLOPT_LOW_SPEED_TIME, limits.response)
    }
    // Each request has a connection of its own: the address of one that is used again would not be checked. Two requests
    // to a host are minutes apart in any case.
    set(CURLOPT_FRESH_CONNECT, 1)
    if kind == .connection {
      set(CURLOPT_CONNECT_ONLY, 1)
      set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    } else {
      set(CURLOPT_FORBID_REUSE, 1)
    }
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let authorities { set(CURLOPT_CAINFO, authorities) }
    // Not the environment's: here is decided whether a proxy is used, and so who decides what can be reached.
    set(CURLOPT_PROXY, proxy ?? "")
    set(CURLOPT_NOPROXY, "")
    if !request.allowsPrivateAddresses, proxy == nil {
      _ = unsafe ccurl_set_opener(easy, onOpen, Unmanaged.passUnretained(self).toOpaque())
    }
    _ = unsafe ccurl_set_error_buffer(easy, message)
    if let form = request.form { _ = unsafe ccurl_set_form(easy, form, form.utf8.count) }
    if let files = request.files {
      append(Array("Content-Type: \(files.contentType)".utf8))
      // Else libcurl waits a second for the server's leave before it sends more than 1 MiB.
      append(Array("Expect:".utf8))
      _ = unsafe ccurl_set_body(
        easy, onSend, Unmanaged.passUnretained(self).toOpaque(), curl_off_t(sending.count))
    }
    if let method = request.method { set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
    setFields(request)
    _ = unsafe ccurl_set_receivers(easy, onBody, onField, Unmanaged.passUnretained(self).toOpaque())
    _ = unsafe ccurl_set_progress(easy, onProgress, Unmanaged.passUnretained(self).toOpaque())
  }

  private func setFields(_ request: FetchRequest) {
    let validators = request.validators
    append(Array("Accept: \(request.accept)".utf8))
    if let authorization = request.authorization { append(Array("Authorization: \(authorization)".utf8)) }
    if let key = request.idempotencyKey { append(Array("Idempotency-Key: \(key)".utf8)) }
    if let tag = validators.entityTag { append(Array("If-None-Match: ".utf8) + tag) }
    if let date = validators.lastModified { append(Array("If-Modified-Since: ".utf8) + date) }
    _ = unsafe ccurl_set_fields(easy, list)
  }

  /// Adds a header field. One with a control in it is left out: it would be two.
  private func append(_ field: [UInt8]) {
    guard field.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { return }
    let text = (field + [0]).map { CChar(bitPattern: $0) }
    if let longer = unsafe curl_slist_append(list, text) { unsafe list = longer }
  }

  /// Returns true if a socket may be opened to an address.
  func allows(_ address: IPAddress?) -> Bool {
    let isAllowed = address?.isPrivate == false
    if !isAllowed { wasRefused = true }
    return isAllowed
  }

  /// Returns an address with its host in ASCII (IDNA 2008, with the mapping of UTS #46); nil if that is impossible.
  static func inASCII(_ url: WebURL) -> WebURL? {
    if url.host.utf8.allSatisfy({ $0 < 0x80 }) { return url }
    guard let text = unsafe ccurl_ascii(url.text) else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe WebURL(String(cString: text))
  }

  // MARK: - Receiving

  /// Copies the next bytes of the file to libcurl, and returns their number; 0 at its end.
  func send(_ room: UnsafeMutableRawBufferPointer) -> Int {
    let part = sending[sentBytes..<min(sentBytes + room.count, sending.count)]
    unsafe room.copyBytes(from: part)
    sentBytes = part.endIndex
    return part.count
  }

  /// Takes the bytes of the body as they came, before they are decoded. Returns false to end the transfer.
  func progress(_ bytes: Int) -> Bool {
    guard kind == .response else { return true }
    isSlow = pace.isTooSlow(bytes: bytes + fieldCount, at: seconds)
    return !isSlow
  }

  /// Seconds since the transfer began.
  private var seconds: Int { Int(unsafe ccurl_elapsed(easy)) / 1_000_000 }

  /// Takes a part of the body. Returns false if there is too much of it.
  func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard body.count + bytes.count <= byteLimit else {
      isTooLong = true
      return false
    }
    unsafe body += bytes
    return true
  }

  /// Takes a line of the header: a status line begins anew, as after a redirect by a proxy.
  func receiveField(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    fieldCount += line.count
    guard fieldCount <= Self.fieldBytes else {
      hasTooManyFields = true
      return false
    }
    if unsafe line.starts(with: "HTTP/".utf8) {
      fields = []
      isOpened = false
      pace.begin(at: seconds)
    } else if unsafe line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
      // The end of the header; an interim response is followed by another.
      isOpened = status >= 200
    } else if let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")) {
      let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
      let rest = unsafe Array(line[(colon + 1)...]).drop(while: isSpace)
      let end = rest.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? rest.startIndex
      fields.append((unsafe String(decoding: line[..<colon], as: UTF8.self).lowercased(), Array(rest[..<end])))
    }
    return true
  }

  /// Returns the status of a stream, once its header is here, and what has come of its body since the last call; nil if
  /// there is nothing new.
  func takeParts() -> (status: Int?, bytes: [UInt8])? {
    guard isOpened, !isReported || !body.isEmpty else { return nil }
    defer {
      isReported = true
      body = []
    }
    return (isReported ? nil : status, body)
  }

  // MARK: - The end

  var status: Int { unsafe ccurl_status(easy) }
  /// True if something of the request has been sent.
  var wasSent: Bool { unsafe ccurl_sent(easy) > 0 }
  var address: String { unsafe ccurl_address(easy).map { unsafe String(cString: $0) } ?? "" }

  /// Returns why the transfer failed, as a clause.
  func reason(_ code: CURLcode) -> String {
    let host = url.host
    if isTooLong { return "the response is longer than \(byteLimit >> 20) MiB" }
    if hasTooManyFields { return "the response has more than \(Self.fieldBytes >> 10) KiB of header fields" }
    if isSlow { return "\(host) sends too slowly" }
    if wasRefused { return "\(host) is an address of this machine or of a private network" }
    switch code {
    case CURLE_URL_MALFORMAT: return "\(host) is not a valid name of a host"
    case CURLE_COULDNT_RESOLVE_HOST: return "there is no host named \(host), or no network"
    case CURLE_COULDNT_RESOLVE_PROXY: return "there is no host with the name of the proxy"
    case CURLE_COULDNT_CONNECT: return "could not connect to \(host)"
    case CURLE_OPERATION_TIMEDOUT: return "\(host) did not answer in time"
    case CURLE_PEER_FAILED_VERIFICATION: return "the certificate of \(host) is not valid: \(detail)"
    case CURLE_SSL_CONNECT_ERROR: return "no secure connection to \(host): \(detail)"
    case CURLE_PARTIAL_FILE, CURLE_HTTP2_STREAM: return "the response ended before it was complete"
    case CURLE_BAD_CONTENT_ENCODING: return "the compressed response is damaged"
    case CURLE_GOT_NOTHING: return "\(host) closed the connection without a response"
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return "the connection to \(host) broke"
    default: return detail.isEmpty ? "the transfer failed (libcurl's error \(code.rawValue))" : detail
    }
  }

  /// libcurl's own words, without those that say that it is about TLS.
  private var detail: String {
    let words = unsafe String(cString: message)
    let front = ["SSL certificate problem: ", "SSL: "].first { words.hasPrefix($0) } ?? ""
    return String(words.dropFirst(front.count))
  }
}

/// `CURLOPT_OPENSOCKETFUNCTION`.
private let onOpen: ccurl_open = { user, _, address in
  guard let user = unsafe user, let address = unsafe address else { return CURL_SOCKET_BAD }
  let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
  var bytes = [UInt8](repeating: 0, count: 16)
  let isKnown = unsafe ccurl_address_bytes(address, &bytes) != 0
  return transfer.allows(isKnown ? IPAddress(bytes: bytes) : nil) ? unsafe ccurl_open_socket(address) : CURL_SOCKET_BAD
}

/// `CURLOPT_WRITEFUNCTION`.
private let onBody: ccurl_receive = { bytes, size, count, user in
  unsafe receive(bytes, size * count, user) { unsafe $0.receive($1) }
}

/// `CURLOPT_HEADERFUNCTION`.
private let onField: ccurl_receive = { bytes, size, count, user in
  unsafe receive(bytes, size * count, user) { unsafe $0.receiveField($1) }
}

/// `CURLOPT_READFUNCTION`.
private let onSend: ccurl_give = { bytes, size, count, user in
  guard let bytes = unsafe bytes, let user = unsafe user else { return 0 }
  let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
  return unsafe transfer.send(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

/// `CURLOPT_XFERINFOFUNCTION`.
private let onProgress: ccurl_progress = { user, _, bytes, _, _ in
  guard let user = unsafe user else { return 1 }
  return unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue().progress(Int(bytes)) ? 0 : 1
}

private func receive(
  _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ user: UnsafeMutableRawPointer?,
  _ body: (Transfer, UnsafeBufferPointer<UInt8>) -> Bool
) -> Int {
  guard let bytes = unsafe bytes, let user = unsafe user else { return 0 }
  let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
  return unsafe bytes.withMemoryRebound(to: UInt8.self, capacity: count) { start in
    unsafe body(transfer, UnsafeBufferPointer(start: start, count: count)) ? count : 0
  }
}
