package io.weir.wire;

import java.util.UUID;

/** What a registry knows a schema by. */
public sealed interface SchemaKey {
  /** A registry's own number: in the four bytes behind the 0 that a framed value begins with. */
  record Id(int id) implements SchemaKey {
    @Override
    public String toString() {
      return "schema " + id;
    }
  }

  /** The same in every registry: in a record's header. */
  record Guid(UUID guid) implements SchemaKey {
    @Override
    public String toString() {
      return "schema " + guid;
    }
  }
}
