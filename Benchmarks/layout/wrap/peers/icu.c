// Wraps with ICU: its line break iterator over UTF-8, and widths from East_Asian_Width and General_Category.
#include "corpus.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

static UBreakIterator *breaks;
static UText text_of_post = UTEXT_INITIALIZER;
static uint32_t *ends;

static uint32_t cells(UChar32 c) {
  if (c < 0x7F) return c >= 0x20;
  int category = u_charType(c);
  if (category == U_NON_SPACING_MARK || category == U_ENCLOSING_MARK || category == U_FORMAT_CHAR || category == U_CONTROL_CHAR) return 0;
  int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

static uint32_t wrap(const uint8_t *text, uint32_t size, uint32_t width) {
  UErrorCode error = U_ZERO_ERROR;
  utext_openUTF8(&text_of_post, (const char *)text, size, &error);
  ubrk_setUText(breaks, &text_of_post, &error);
  uint32_t lines = 0, column = 0;
  int32_t from = ubrk_first(breaks), to;
  while ((to = ubrk_next(breaks)) != UBRK_DONE) {
    // The width of the text between two opportunities, with and without the spaces at its end.
    uint32_t whole = 0, visible = 0;
    int feeds = 0;
    for (int32_t i = from; i < to;) {
      UChar32 c;
      U8_NEXT(text, i, (int32_t)size, c);
      whole += cells(c);
      if (c != ' ') visible = whole;
      feeds = c == '\n';
    }
    if (column > 0 && column + visible > width) {
      ends[lines++] = (uint32_t)from;
      column = 0;
    }
    if (visible > width) {
      for (int32_t i = from; i < to;) {
        int32_t start = i;
        UChar32 c;
        U8_NEXT(text, i, (int32_t)size, c);
        if (column + cells(c) > width && c != ' ') {
          ends[lines++] = (uint32_t)start;
          column = 0;
        }
        column += cells(c);
      }
    } else {
      column += whole;
    }
    if (feeds && to < (int32_t)size) {
      ends[lines++] = (uint32_t)to;
      column = 0;
    }
    from = to;
  }
  ends[lines++] = size;
  return lines;
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  read_corpus(arguments[1]);
  ends = malloc((longest_post() + 1) * sizeof *ends);
  UErrorCode error = U_ZERO_ERROR;
  breaks = ubrk_open(UBRK_LINE, "en", NULL, 0, &error);
  if (U_FAILURE(error)) {
    fprintf(stderr, "ubrk_open: %s\n", u_errorName(error));
    return 1;
  }
  serve();
}
