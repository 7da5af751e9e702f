#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

/// Parses a document that nobody vouches for: errors are recovered from and not printed, nothing is fetched, no document
/// type is handled, so that no entities but XML's own exist (XML_PARSE_NOENT: otherwise an ampersand in an attribute
/// would stay a reference), and without XML_PARSE_HUGE the depth is at most 256. `handler` gets `user` with every event. Returns 0
/// if memory is short, otherwise 1.
static inline int cxml_parse(const char *bytes, int length, const xmlSAXHandler *handler, void *user) {
  xmlParserCtxtPtr context = xmlCreateMemoryParserCtxt(bytes, length);
  if (!context) return 0;
  xmlCtxtUseOptions(context, XML_PARSE_RECOVER | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET |
                                 XML_PARSE_IGNORE_ENC | XML_PARSE_NOENT);
  *context->sax = *handler;
  context->userData = user;
  xmlParseDocument(context);
  xmlFreeParserCtxt(context);
  return 1;
}

/// Converts `length` bytes from the encoding `name` to UTF-8. Returns a buffer to be freed with xmlBufferFree, which
/// holds what could be converted before the first error; NULL if the encoding is unknown or memory is short.
static inline xmlBufferPtr cxml_decode(const char *name, const unsigned char *bytes, int length) {
  xmlCharEncodingHandlerPtr handler = xmlFindCharEncodingHandler(name);
  if (!handler) return NULL;
  xmlBufferPtr in = xmlBufferCreateSize((size_t)length + 1), out = xmlBufferCreate();
  if (in && out && xmlBufferAdd(in, bytes, length) == 0) {
    int before = -1;
    while (xmlBufferLength(in) > 0 && xmlBufferLength(in) != before) {
      before = xmlBufferLength(in);
      if (xmlCharEncInFunc(handler, out, in) < 0) break;
    }
  }
  if (in) xmlBufferFree(in);
  xmlCharEncCloseFunc(handler);
  return out;
}
