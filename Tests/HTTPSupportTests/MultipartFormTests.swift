import HTTPSupport
import Testing

@Suite("Forms with a file")
struct MultipartFormTests {
  @Test("fields and the file stand between boundaries, each with its name") func form() {
    var form = MultipartForm(boundary: "b0")
    form.add("description", "A \"cat\"\nasleep")
    form.beginFile("file", called: "file.png", type: "image/png", byteCount: 3)
    form.append([1, 2])
    form.append([3])
    form.end()
    let text =
      "--b0\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\nA \"cat\"\nasleep\r\n"
      + "--b0\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file.png\"\r\n"
      + "Content-Type: image/png\r\n\r\n\u{1}\u{2}\u{3}\r\n--b0--\r\n"
    #expect(String(decoding: form.bytes, as: UTF8.self) == text)
    #expect(form.contentType == "multipart/form-data; boundary=b0")
  }
}
