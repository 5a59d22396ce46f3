package io.weir.internal.wire;

import java.util.UUID;

/** Identifies a schema in a registry. */
public sealed interface SchemaKey {
  /** A registry's id: in the four bytes after the leading 0 of a framed value. */
  record Id(int id) implements SchemaKey {
    @Override
    public String toString() {
      return "schema " + id;
    }
  }

  /** A globally unique id: in a record's header. */
  record Guid(UUID guid) implements SchemaKey {
    @Override
    public String toString() {
      return "schema " + guid;
    }
  }
}
