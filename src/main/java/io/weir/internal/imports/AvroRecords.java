package io.weir.internal.imports;

import io.weir.internal.registry.LookUpBudget;
import io.weir.internal.registry.RegistryException;
import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.registry.SchemaRegistry;
import io.weir.internal.registry.TimedCache;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.SchemaKey;
import io.weir.internal.wire.UndecodableException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Records in Avro: behind a frame of a schema registry, or with the id of their schema in a header;
 * as bare values of one schema; or as object container files. One thread.
 */
public final class AvroRecords implements RecordDecoder {
  private static final byte[] CONTAINER = {'O', 'b', 'j', 1};
  private static final int ID_END = 5;
  private static final int GUID_END = 17;
  private static final int SYNC_BYTES = 16;
  private static final int MAX_METADATA = 1_000;
  private static final int MAX_REFERENCES = 200;

  /** In a path they mean another one. */
  private static final Set<String> NO_SUBJECTS = Set.of("", ".", "..");

  /** Of all deflated blocks of a record: sixteen kilobytes may be sixteen megabytes. */
  private static final int MAX_BLOCK_BYTES = 16 << 20;

  private static final int CACHED_SCHEMAS = 1_000;
  private static final int MAX_BUDGETS = 1_000;

  private final Optional<Schema> bare;
  private final Optional<SchemaRegistry> registry;
  private final AvroTree tree = new AvroTree();
  private BinaryDecoder reused;

  /** Schemas that the registry does not have are not asked for earlier. */
  static final long ASKED_AGAIN_AFTER_MS = 30_000;

  /** A schema, or why there is none: that does not change. */
  private record Known(Schema schema, String refusal) {}

  private final LongSupplier elapsedMs;

  /** By source topic: who may write one topic uses up the look-ups of no other. */
  private final Map<String, LookUpBudget> budgets = new HashMap<>();

  private final TimedCache<SchemaKey, Known> known;

  /** Why there was none. */
  private final TimedCache<SchemaKey, String> missing;

  /**
   * @param schema of bare values, as text
   * @param registry with the schemas of frames
   * @throws IllegalArgumentException if the text is no schema
   */
  public AvroRecords(Optional<String> schema, Optional<SchemaRegistry> registry) {
    this(schema, registry, MonotonicClock::millis);
  }

  AvroRecords(Optional<String> schema, Optional<SchemaRegistry> registry, LongSupplier elapsedMs) {
    this.elapsedMs = elapsedMs;
    this.known = new TimedCache<>(CACHED_SCHEMAS, Long.MAX_VALUE, elapsedMs);
    this.missing = new TimedCache<>(CACHED_SCHEMAS, ASKED_AGAIN_AFTER_MS, elapsedMs);
    this.registry = registry;
    this.bare = schema.map(text -> parse(List.of(text)));
  }

  @Override
  public void prepare(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.value() != null && !isContainer(record.value()) && bare.isEmpty()) {
        schema(record);
      }
    } catch (UndecodableException e) {
      // It becomes a dead letter in its transaction.
    }
  }

  @Override
  public List<Object> decode(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
    byte[] value = record.value();
    tree.begin();
    try {
      if (isContainer(value)) {
        return container(value);
      }
      int from = bare.isEmpty() && Frame.isFramed(value) ? ID_END : 0;
      Schema schema = bare.isPresent() ? bare.get() : schema(record);
      return elements(one(schema, value, from, value.length - from));
    } catch (IOException | RuntimeException | StackOverflowError e) {
      if (e instanceof RegistryException unanswered) {
        throw unanswered;
      }
      throw UndecodableException.malformed("not a value of its Avro schema: " + e);
    }
  }

  /** An array stands for its elements, as in JSON. */
  private static List<Object> elements(Object value) {
    List<Object> elements = new ArrayList<>();
    if (value instanceof List<?> list) {
      elements.addAll(list);
    } else {
      elements.add(value);
    }
    return elements;
  }

  private Object one(Schema schema, byte[] bytes, int from, int length) throws IOException {
    reused = DecoderFactory.get().binaryDecoder(bytes, from, length, reused);
    Object value = tree.read(schema, reused);
    if (!reused.isEnd()) {
      throw new IOException("bytes are left behind the value");
    }
    return value;
  }

  private static boolean isContainer(byte[] value) {
    return value.length > CONTAINER.length
        && Arrays.equals(value, 0, CONTAINER.length, CONTAINER, 0, CONTAINER.length);
  }

  private static SchemaKey key(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
    byte[] value = record.value();
    if (Frame.isFramed(value) && value.length >= ID_END) {
      return new SchemaKey.Id(Frame.schemaId(value));
    }
    Header header = record.headers().lastHeader(FrameHead.HEADER);
    byte[] head = header == null || header.value() == null ? new byte[0] : header.value();
    ByteBuffer bytes = ByteBuffer.wrap(head);
    if (head.length == ID_END && head[0] == 0) {
      return new SchemaKey.Id(bytes.getInt(1));
    }
    if (head.length == GUID_END && head[0] == 1) {
      return new SchemaKey.Guid(new UUID(bytes.getLong(1), bytes.getLong(1 + Long.BYTES)));
    }
    throw UndecodableException.malformed(
        "no frame of a schema registry; for bare Avro: --schema FILE");
  }

  private Schema schema(ConsumerRecord<byte[], byte[]> record) throws UndecodableException {
    SchemaKey key = key(record);
    if (registry.isEmpty()) {
      throw UndecodableException.unknownSchema(key + ": no registry is set");
    }
    Known found = known.get(key);
    if (found == null) {
      found = lookedUp(key, record.topic());
      known.put(key, found);
    }
    if (found.schema() == null) {
      throw UndecodableException.unknownSchema(key + ": " + found.refusal());
    }
    return found.schema();
  }

  /** A forged dead letter may name any topic. */
  private LookUpBudget budget(String topic) {
    boolean isKnown = budgets.containsKey(topic) || budgets.size() < MAX_BUDGETS;
    return budgets.computeIfAbsent(
        isKnown ? topic : "", each -> new LookUpBudget(registry.get(), each + "-value", elapsedMs));
  }

  private Known lookedUp(SchemaKey key, String topic) throws UndecodableException {
    String before = missing.get(key);
    if (before != null) {
      throw UndecodableException.unknownSchema(before);
    }
    LookUpBudget budget = budget(topic);
    budget.require(key);
    try {
      return fetched(key);
    } catch (RegistryException e) {
      // A registry without GUIDs does not know their path: it has no such schema.
      boolean hasNoGuids = e.kind() == Kind.UNKNOWN_PATH && key instanceof SchemaKey.Guid;
      if (e.kind() != Kind.MISSING && !hasNoGuids) {
        throw e;
      }
      budget.use(); // It may be there later.
      missing.put(key, e.getMessage());
      throw UndecodableException.unknownSchema(e.getMessage());
    }
  }

  private Known fetched(SchemaKey key) {
    io.weir.internal.registry.Schema main = registry.get().schema(key);
    if (!main.type().equals("AVRO")) {
      return new Known(null, "is of type " + main.type() + ", expected: AVRO");
    }
    try {
      List<String> texts = new ArrayList<>();
      collect(main, texts, new HashSet<>());
      return new Known(parse(texts), "");
    } catch (IllegalArgumentException e) {
      return new Known(null, e.getMessage());
    }
  }

  /** The texts of a schema and of those that it refers to, in the order in which they are read. */
  private void collect(
      io.weir.internal.registry.Schema schema, List<String> texts, Set<String> seen) {
    for (io.weir.internal.registry.Schema.Reference each : schema.references()) {
      if (seen.add(each.version() + " " + each.subject())) {
        if (seen.size() > MAX_REFERENCES) {
          throw new IllegalArgumentException("refers to more than " + MAX_REFERENCES + " schemas");
        }
        collect(referred(each), texts, seen);
      }
    }
    if (!texts.contains(schema.text())) {
      texts.add(schema.text());
    }
  }

  /** The registry has answered for the schema: another 404 is about the reference alone. */
  private io.weir.internal.registry.Schema referred(
      io.weir.internal.registry.Schema.Reference reference) {
    if (NO_SUBJECTS.contains(reference.subject())) {
      throw new IllegalArgumentException("refers to subject " + reference.subject());
    }
    try {
      return registry.get().version(reference.subject(), reference.version()).schema();
    } catch (RegistryException e) {
      throw e.kind() == Kind.UNKNOWN_PATH ? new RegistryException(Kind.MISSING, e.getMessage()) : e;
    }
  }

  private static Schema parse(List<String> texts) {
    try {
      Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION);
      parser.setValidateDefaults(false);
      Schema last = null;
      for (String text : texts) {
        last = parser.parse(text);
      }
      return last;
    } catch (RuntimeException | StackOverflowError e) {
      throw new IllegalArgumentException("not a schema of Avro: " + e, e);
    }
  }

  /** The values of an object container file, whose blocks are plain or deflated. */
  private List<Object> container(byte[] value) throws IOException {
    BinaryDecoder in =
        DecoderFactory.get()
            .binaryDecoder(value, CONTAINER.length, value.length - CONTAINER.length, null);
    Map<String, String> metadata = new HashMap<>();
    for (long n = in.readMapStart(); n > 0; n = in.mapNext()) {
      for (long i = 0; i < n; i++) {
        String name = new String(AvroTree.readBytes(in, in.readLong()), StandardCharsets.UTF_8);
        byte[] text = AvroTree.readBytes(in, in.readLong());
        metadata.put(name, new String(text, StandardCharsets.UTF_8));
        if (metadata.size() > MAX_METADATA) {
          throw new IOException("too much metadata");
        }
      }
    }
    String codec = metadata.getOrDefault("avro.codec", "null");
    if (!codec.equals("null") && !codec.equals("deflate")) {
      throw new IOException("codec " + codec + " is not supported: expected: null or deflate");
    }
    Schema schema = parse(List.of(metadata.getOrDefault("avro.schema", "")));
    byte[] sync = new byte[SYNC_BYTES];
    in.readFixed(sync);
    List<Object> values = new ArrayList<>();
    int left = MAX_BLOCK_BYTES;
    while (!in.isEnd()) {
      long count = in.readLong();
      byte[] block = AvroTree.readBytes(in, in.readLong());
      if (!codec.equals("null")) {
        block = inflated(block, left);
        left -= block.length;
      }
      BinaryDecoder data = DecoderFactory.get().binaryDecoder(block, null);
      for (long i = 0; i < count; i++) {
        values.add(tree.read(schema, data));
      }
      byte[] end = new byte[SYNC_BYTES];
      in.readFixed(end);
      if (!data.isEnd() || !Arrays.equals(sync, end)) {
        throw new IOException("a block does not end where it should");
      }
    }
    return values;
  }

  private static byte[] inflated(byte[] block, int most) throws IOException {
    Inflater inflater = new Inflater(true);
    try {
      InputStream in = new InflaterInputStream(new ByteArrayInputStream(block), inflater);
      byte[] plain = in.readNBytes(most + 1);
      if (plain.length > most) {
        throw new IOException("blocks have more than " + MAX_BLOCK_BYTES + " bytes");
      }
      return plain;
    } finally {
      inflater.end();
    }
  }
}
