package io.weir.registry;

import java.util.List;

/**
 * A schema as a registry keeps it.
 *
 * @param type PROTOBUF, AVRO or JSON
 * @param text of protobuf a .proto file, or its FileDescriptorProto in base64: a registry takes
 *     both, and may give either
 * @param references to the files that it imports
 */
public record Schema(String type, String text, List<Reference> references) {
  static final String PROTOBUF = "PROTOBUF";

  public Schema {
    references = List.copyOf(references);
  }

  /**
   * An import.
   *
   * @param name as the importing file has it
   */
  public record Reference(String name, String subject, int version) {}
}
