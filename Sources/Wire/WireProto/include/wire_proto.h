#ifndef WIRE_PROTO_H
#define WIRE_PROTO_H

#include <stddef.h>
#include <stdint.h>

/* The schema in Proto/ as a serialized google.protobuf.FileDescriptorSet, made by scripts/generate-proto. It lies in the
   program's read-only pages, none of which is loaded before it is read. */
const uint8_t *wire_proto_descriptor_set(void);
size_t wire_proto_descriptor_set_size(void);

#endif
