package io.weir.internal.registry;

import com.google.protobuf.Message;
import io.weir.internal.time.MonotonicClock;
import io.weir.internal.wire.Frame;
import io.weir.internal.wire.FrameHead;
import io.weir.internal.wire.SchemaKey;
import io.weir.internal.wire.UndecodableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Headers;

/** The format with a registry: writes frames, and accepts frames whose schema id is registered. */
final class FramedFormat implements ValueFormat {
  private final SchemaRegistry registry;
  private final MessageSchemas schemas;
  private final int[] allowedIds;

  FramedFormat(RegistrySettings settings, SchemaRegistry registry) {
    this.registry = registry;
    this.schemas = new MessageSchemas(registry, settings);
    this.allowedIds = settings.schemaIds();
  }

  @Override
  public Writer writer(String topic, Message message) {
    byte[] head = schemas.head(topic, false, message.getDescriptorForType());
    return new Writer() {
      @Override
      public byte[] write(byte[] payload, Headers headers) {
        return Frame.join(head, payload);
      }

      @Override
      public int mostAddedBytes() {
        return head.length;
      }
    };
  }

  @Override
  public Reader reader(String topic, Message message, WaitLimit waitLimit) {
    return new CheckingReader(
        new MessageCheck(registry, message.getDescriptorForType()),
        waitLimit,
        allowedIds,
        new LookUpBudget(
            registry,
            schemas.subject(topic, message.getDescriptorForType()),
            MonotonicClock::millis));
  }

  /**
   * Checks each schema once. Keeps the valid ids of frames in a sorted array, without boxing, and
   * the valid schemas of headers, of which there are few, in a list.
   */
  private static final class CheckingReader implements Reader {
    private static final int MOST_BESIDE = 100;

    private final MessageCheck check;
    private final WaitLimit waitLimit;
    private final int[] allowedIds;
    private final LookUpBudget budget;
    private int[] validIds = {};
    private final List<SchemaKey> validBeside = new ArrayList<>(1);

    private CheckingReader(
        MessageCheck check, WaitLimit waitLimit, int[] allowedIds, LookUpBudget budget) {
      this.check = check;
      this.waitLimit = waitLimit;
      this.allowedIds = allowedIds;
      this.budget = budget;
    }

    @Override
    public byte[] admit(byte[] value, Headers headers) throws UndecodableException {
      if (Frame.isFramed(value)) {
        Frame.payloadOffset(value);
        int id = Frame.schemaId(value);
        if (Arrays.binarySearch(validIds, id) < 0) {
          require(FrameHead.read(value));
          validIds = Arrays.copyOf(validIds, validIds.length + 1);
          validIds[validIds.length - 1] = id;
          Arrays.sort(validIds);
        }
        return value;
      }
      FrameHead beside = FrameHead.beside(headers, FrameHead.HEADER);
      if (beside != null) {
        Frame.requireFirst(beside.message());
        if (!validBeside.contains(beside.schema())) {
          require(beside);
          if (validBeside.size() < MOST_BESIDE) {
            validBeside.add(beside.schema());
          }
        }
      }
      return value;
    }

    private void require(FrameHead head) throws UndecodableException {
      requireAllowed(head.schema());
      waitLimit.await(
          () -> {
            budget.require(head.schema());
            return null;
          });
      try {
        waitLimit.await(
            () -> {
              check.require(head);
              return null;
            });
      } catch (UndecodableException e) {
        budget.use();
        throw e;
      }
    }

    private void requireAllowed(SchemaKey schema) throws UndecodableException {
      boolean allowed =
          allowedIds.length == 0
              || schema instanceof SchemaKey.Id id && Arrays.binarySearch(allowedIds, id.id()) >= 0;
      if (!allowed) {
        throw UndecodableException.unknownSchema(
            schema + " is not in weir." + RegistrySettings.SCHEMA_IDS);
      }
    }
  }
}
