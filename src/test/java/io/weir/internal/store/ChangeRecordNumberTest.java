package io.weir.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.window.Emissions;
import io.weir.internal.window.WindowLimits;
import io.weir.internal.window.WindowSpec;
import io.weir.internal.window.WindowSpec.IdleRule;
import io.weir.reading.Columns;
import io.weir.reading.GatewayRules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** A partition that is written for years. */
class ChangeRecordNumberTest {
  /** More than an int holds, and the same slots. */
  private static final long YEARS = (1L << 40) * ChangeRing.SLOTS;

  private final WindowSpec spec = WindowSpec.of(1_000, 0, 5_000, 30_000, IdleRule.ENDED, 1L << 50);

  private PartitionState state() {
    return new PartitionState(spec, GatewayRules.of(300_000), WindowLimits.ofSensors(1_000));
  }

  @Test
  void numbersOfRecords_outgrowAnInt() {
    Changelog log = new Changelog();
    PartitionState state = state();
    goOn(state, log, 0, 300);
    Changelog later =
        log.replaced('D', value -> moved(value, 1)).replaced('S', value -> moved(value, 2));
    PartitionState ofYears = state();
    later.replay(0, ofYears);
    ofYears.resume();
    goOn(state, log, 300, 600);
    goOn(ofYears, later, 300, 600);
    PartitionState readBack = state();
    later.compacted(false).replay(0, readBack);
    readBack.resume();
    assertThat(StateDump.of(readBack)).isEqualTo(StateDump.of(ofYears));
    assertThat(later.bytes('D')).isGreaterThan(log.bytes('D'));
    assertThat(later.records('S')).isEqualTo(log.records('S'));
  }

  /** Some of twenty sensors have a reading in each commit. */
  private void goOn(PartitionState state, Changelog log, int from, int to) {
    Random random = new Random(from);
    for (int commit = from; commit < to; commit++) {
      Columns batch = new Columns();
      for (int sensor = 0; sensor < 20; sensor++) {
        if (random.nextInt(1 + sensor) == 0) {
          batch.row("s" + sensor, 200L * commit + 1, random.nextInt(1_000) / 8.0);
        }
      }
      state.observe(200L * commit, commit, Uuid.ZERO_UUID);
      state.windows().apply(batch.build(), 200L * commit, new Emissions());
      state.flush(log);
    }
  }

  /** Adds to the number of the record, which has so many other numbers before it. */
  private static byte[] moved(byte[] value, int before) {
    try {
      CodedInputStream in = CodedInputStream.newInstance(value);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      for (int i = 0; i < before; i++) {
        out.writeUInt32NoTag(in.readUInt32());
      }
      out.writeUInt64NoTag(in.readUInt64() + YEARS);
      int read = in.getTotalBytesRead();
      out.writeRawBytes(value, read, value.length - read);
      out.flush();
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
