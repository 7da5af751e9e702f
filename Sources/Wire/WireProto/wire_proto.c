#include "wire_proto.h"

/* C23's #embed, which clang also accepts in earlier versions of C. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t descriptor_set[] = {
#embed "schema.binpb"
};

const uint8_t *wire_proto_descriptor_set(void) { return descriptor_set; }
size_t wire_proto_descriptor_set_size(void) { return sizeof descriptor_set; }
