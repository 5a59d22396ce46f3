package io.weir.internal.registry;

import io.weir.internal.wire.SchemaKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A registry in memory, for tests: {@code mock://scope}. Ids count from 1, a schema has the same id
 * under every subject, and every schema is compatible. A scope lives as long as the process.
 */
final class MockRegistry implements SchemaRegistry {
  private static final Map<String, MockRegistry> SCOPES = new ConcurrentHashMap<>();

  private final Map<String, List<Schema>> versions = new LinkedHashMap<>();
  private final List<Schema> byId = new ArrayList<>();

  static MockRegistry scope(String name) {
    return SCOPES.computeIfAbsent(name, scope -> new MockRegistry());
  }

  @Override
  public synchronized int register(String subject, Schema schema) {
    for (Schema.Reference reference : schema.references()) {
      if (find(reference.subject(), reference.version()) == null) {
        throw new RegistryException(
            RegistryException.Kind.REFUSED, "mock registry: no such import: " + reference);
      }
    }
    List<Schema> subjectVersions = versions.computeIfAbsent(subject, s -> new ArrayList<>());
    if (!subjectVersions.contains(schema)) {
      subjectVersions.add(schema);
    }
    if (!byId.contains(schema)) {
      byId.add(schema);
    }
    return byId.indexOf(schema) + 1;
  }

  private Schema find(String subject, int version) {
    List<Schema> schemas = versions.getOrDefault(subject, List.of());
    return version < 1 || version > schemas.size() ? null : schemas.get(version - 1);
  }

  @Override
  public synchronized Registered version(String subject, int version) {
    Schema found = find(subject, version);
    if (found == null) {
      throw missing("version " + version + " of subject " + subject);
    }
    return lookUp(subject, found);
  }

  @Override
  public synchronized List<String> subjects() {
    return List.copyOf(versions.keySet());
  }

  @Override
  public synchronized Registered lookUp(String subject, Schema schema) {
    int index = versions.getOrDefault(subject, List.of()).indexOf(schema);
    if (index < 0) {
      throw missing("schema under subject " + subject);
    }
    return new Registered(subject, index + 1, byId.indexOf(schema) + 1, schema);
  }

  @Override
  public synchronized Registered latest(String subject) {
    List<Schema> schemas = versions.getOrDefault(subject, List.of());
    if (schemas.isEmpty()) {
      throw missing("subject " + subject);
    }
    return lookUp(subject, schemas.get(schemas.size() - 1));
  }

  @Override
  public synchronized Schema schema(SchemaKey key) {
    return byId.stream()
        .filter(
            schema ->
                key instanceof SchemaKey.Id id
                    ? byId.indexOf(schema) + 1 == id.id()
                    : key.equals(new SchemaKey.Guid(guid(schema))))
        .findFirst()
        .orElseThrow(() -> missing(key.toString()));
  }

  /** A name for a schema that is the same in every scope. */
  static UUID guid(Schema schema) {
    return UUID.nameUUIDFromBytes(schema.toString().getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public synchronized void delete(String subject) {
    versions.remove(subject);
  }

  private static RegistryException missing(String what) {
    return new RegistryException(RegistryException.Kind.MISSING, "mock registry: no " + what);
  }
}
