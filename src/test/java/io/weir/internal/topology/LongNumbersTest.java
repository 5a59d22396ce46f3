package io.weir.internal.topology;

import static io.weir.internal.topology.Batches.batch;
import static io.weir.internal.topology.Batches.reading;
import static io.weir.internal.topology.EventDriver.KEY;
import static io.weir.internal.topology.EventDriver.SCHEDULED;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.event.FoldSpec;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.ReadingBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/**
 * Numbers in more bytes than they need, as protobuf-java accepts them: whatever reads a record once
 * more must accept them too, since an exception would stop the partition.
 */
class LongNumbersTest extends RejectionFixture {
  private static final byte[] TEN_BYTES = new byte[10];

  static {
    Arrays.fill(TEN_BYTES, (byte) 0xff);
  }

  @Test
  void batchWithANumberOfTenBytes_besideARefusedReading_isOneDeadLetter() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(ReadingBatch.ORDERED_FIELD_NUMBER << 3);
    bytes.writeBytes(TEN_BYTES);
    batch(GOOD, reading(A, T, Double.NaN)).writeTo(bytes);
    assertThat(ReadingBatch.parseFrom(bytes.toByteArray()).getOrdered()).isTrue();

    weir.send(T, null, bytes.toByteArray());

    assertThat(weir.deadLetters()).hasSize(1);
  }

  /** The high bits of a length are cut off, and the value of start is any. */
  @Test
  void timerWithALongLength_orANumberOfTenBytes_fires_andItsNeighbourToo() throws Exception {
    EventDriver driver = new EventDriver(FoldSpec.DEFAULT);
    long dueMs = driver.nowMs() + 1_000;
    ByteArrayOutputStream longLength = event("a", dueMs);
    CodedOutputStream out = CodedOutputStream.newInstance(longLength);
    out.writeTag(15, 2);
    out.writeUInt64NoTag(3 | 1L << 40);
    out.writeRawBytes(new byte[] {'a', 'b', 'c'});
    out.flush();
    ByteArrayOutputStream tenBytes = event("b", dueMs);
    tenBytes.write(Event.START_FIELD_NUMBER << 3);
    tenBytes.writeBytes(TEN_BYTES);

    for (byte[] event :
        new byte[][] {
          longLength.toByteArray(), tenBytes.toByteArray(), event("c", dueMs + 1).toByteArray()
        }) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CodedOutputStream batch = CodedOutputStream.newInstance(bytes);
      batch.writeBytes(EventBatch.EVENTS_FIELD_NUMBER, ByteString.copyFrom(event));
      batch.flush();
      assertThat(EventBatch.parseFrom(bytes.toByteArray()).getEventsCount()).isEqualTo(1);
      driver.pipe(SCHEDULED, bytes.toByteArray(), new RecordHeaders());
    }
    driver.silence(10_000);

    assertThat(driver.fired()).hasSize(3);
  }

  private static ByteArrayOutputStream event(String id, long dueMs) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Event.newBuilder().setKey(KEY).setId(id).setDueMs(dueMs).build().writeTo(bytes);
    return bytes;
  }
}
