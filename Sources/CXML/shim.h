#include <iconv.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>

/// Prepares to parse a document by xmlParseDocument. Errors are recovered from and not printed, nothing is fetched, and no
/// document type is handled, so only XML's own entities exist (XML_PARSE_NOENT: otherwise an ampersand in an attribute would
/// stay a reference). Without XML_PARSE_HUGE the depth is at most 256. `handler` gets `user` with every event. Returns NULL if
/// memory is short, otherwise what xmlFreeParserCtxt frees.
static inline xmlParserCtxtPtr cxml_prepare(
    const char *bytes, int length, const xmlSAXHandler *handler, void *user) {
  xmlParserCtxtPtr context = xmlCreateMemoryParserCtxt(bytes, length);
  if (!context) return NULL;
  xmlCtxtUseOptions(context, XML_PARSE_RECOVER | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET |
                                 XML_PARSE_IGNORE_ENC | XML_PARSE_NOENT);
  *context->sax = *handler;
  context->userData = user;
  return context;
}
