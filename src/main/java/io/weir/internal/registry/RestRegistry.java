package io.weir.internal.registry;

import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.registry.Schema.Reference;
import io.weir.internal.wire.SchemaKey;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A registry over HTTP: paths and bodies of Confluent's REST API, version 1. */
final class RestRegistry implements SchemaRegistry {
  private final RestCalls calls;
  private final String normalize;

  RestRegistry(RegistrySettings settings, Pause pause) {
    this.calls = new RestCalls(settings, pause);
    this.normalize = settings.is(RegistrySettings.NORMALIZE) ? "?normalize=true" : "";
  }

  @Override
  public int register(String subject, Schema schema) {
    return calls.post(
        subject(subject) + "/versions" + normalize, body(schema), json -> number(json, "id"));
  }

  @Override
  public Registered lookUp(String subject, Schema schema) {
    return calls.post(subject(subject) + normalize, body(schema), RestRegistry::registered);
  }

  @Override
  public Registered latest(String subject) {
    return calls.get(subject(subject) + "/versions/latest", RestRegistry::registered);
  }

  @Override
  public Registered version(String subject, int version) {
    return calls.get(subject(subject) + "/versions/" + version, RestRegistry::registered);
  }

  @Override
  public Schema schema(SchemaKey key) {
    String path =
        key instanceof SchemaKey.Id id
            ? "/schemas/ids/" + id.id()
            : "/schemas/guids/" + ((SchemaKey.Guid) key).guid();
    return calls.get(path, RestRegistry::schema);
  }

  @Override
  public void delete(String subject) {
    try {
      calls.delete(subject(subject));
      calls.delete(subject(subject) + "?permanent=true");
    } catch (RegistryException e) {
      if (e.kind() != Kind.MISSING) {
        throw e;
      }
    }
  }

  private static String subject(String subject) {
    return "/subjects/" + URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Map<String, Object> body(Schema schema) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("schemaType", schema.type());
    body.put("schema", schema.text());
    body.put("references", schema.references().stream().map(RestRegistry::body).toList());
    return body;
  }

  private static Map<String, Object> body(Reference reference) {
    return Map.of(
        "name", reference.name(), "subject", reference.subject(), "version", reference.version());
  }

  private static Registered registered(Object json) throws IOException {
    return new Registered(
        text(json, "subject"), number(json, "version"), number(json, "id"), schema(json));
  }

  private static Schema schema(Object json) throws IOException {
    // Absent for Avro, the first type.
    Object type = fields(json).getOrDefault("schemaType", "AVRO");
    List<Reference> references =
        fields(json).get("references") instanceof List<?> list
            ? list.stream().map(RestRegistry::reference).toList()
            : List.of();
    return new Schema((String) type, text(json, "schema"), references);
  }

  private static Reference reference(Object json) {
    Map<?, ?> fields = (Map<?, ?>) json;
    return new Reference(
        (String) fields.get("name"),
        (String) fields.get("subject"),
        ((Number) fields.get("version")).intValue());
  }

  private static int number(Object json, String name) throws IOException {
    if (fields(json).get(name) instanceof Number number) {
      return number.intValue();
    }
    throw new IOException("missing number " + name);
  }

  private static String text(Object json, String name) throws IOException {
    if (fields(json).get(name) instanceof String text) {
      return text;
    }
    throw new IOException("missing text " + name);
  }

  @SuppressWarnings("unchecked") // Json creates no other maps.
  private static Map<String, Object> fields(Object json) throws IOException {
    if (json instanceof Map<?, ?> fields) {
      return (Map<String, Object>) fields;
    }
    throw new IOException("not a JSON object");
  }
}
