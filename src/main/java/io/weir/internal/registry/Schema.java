package io.weir.internal.registry;

import java.util.List;

/**
 * A schema in a registry.
 *
 * @param type PROTOBUF, AVRO or JSON
 * @param text for protobuf a .proto file, or its FileDescriptorProto in base64: a registry accepts
 *     both, and may return either
 * @param references the files that it imports
 */
public record Schema(String type, String text, List<Reference> references) {
  static final String PROTOBUF = "PROTOBUF";

  public Schema {
    references = List.copyOf(references);
  }

  /**
   * An import.
   *
   * @param name the name in the importing file
   */
  public record Reference(String name, String subject, int version) {}
}
