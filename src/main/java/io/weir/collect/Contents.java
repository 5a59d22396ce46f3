package io.weir.collect;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.weir.collect.RowJudge.EventRow;
import io.weir.collect.RowJudge.ReadingRow;
import io.weir.collect.RowJudge.Verdict;
import io.weir.reading.Quality;
import io.weir.reading.Reading;
import io.weir.v1.Event;
import io.weir.v1.EventBatch;
import io.weir.v1.ReadingBatch;
import io.weir.v1.Series;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was sent, by content: how often each reading and each event. Of two that are the same it
 * makes no difference which one was sent. Costs about 100 bytes each; not safe for several threads.
 */
final class Contents {
  private static final int BYTES = 16;

  private final Map<BigInteger, Integer> counts = new HashMap<>();
  private final MessageDigest digest;

  Contents() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has it.
    }
  }

  /**
   * What is in a batch, in its order.
   *
   * @throws InvalidProtocolBufferException if it is no batch of a collector
   */
  static List<Verdict> of(Channel channel, byte[] batch) throws InvalidProtocolBufferException {
    List<Verdict> items = new ArrayList<>();
    if (channel != Channel.READINGS) {
      EventBatch.parseFrom(batch).getEventsList().forEach(each -> items.add(new EventRow(each)));
      return items;
    }
    for (Series series : ReadingBatch.parseFrom(batch).getSeriesList()) {
      int values = series.getValueCount();
      int qualities = series.getQualityCount();
      if (series.getTimestampDeltaMsCount() != values || qualities > 0 && qualities != values) {
        throw new InvalidProtocolBufferException("a series whose lengths disagree");
      }
      long timestampMs = series.getStartTimestampMs();
      for (int i = 0; i < values; i++) {
        timestampMs += series.getTimestampDeltaMs(i);
        int quality = qualities == 0 ? 0 : series.getQualityValue(i);
        items.add(
            new ReadingRow(
                new Reading(
                    series.getSensorId(),
                    timestampMs,
                    series.getValue(i),
                    Quality.ofNumber(quality))));
      }
    }
    return items;
  }

  void add(Verdict item) {
    counts.merge(key(item), 1, Integer::sum);
  }

  /** Takes one of that content out; false if there is none. */
  boolean remove(Verdict item) {
    BigInteger key = key(item);
    Integer count = counts.get(key);
    if (count == null) {
      return false;
    }
    if (count == 1) {
      counts.remove(key);
    } else {
      counts.put(key, count - 1);
    }
    return true;
  }

  private BigInteger key(Verdict item) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      if (item instanceof ReadingRow of) {
        out.writeByte(Channel.READINGS.ordinal());
        out.writeLong(of.reading().timestampMs());
        out.writeLong(Double.doubleToRawLongBits(of.reading().value()));
        out.writeByte(of.reading().quality().number());
        out.write(of.reading().sensorId().getBytes(StandardCharsets.UTF_8));
      } else if (item instanceof EventRow of) {
        out.writeByte(of.channel().ordinal());
        write(of.event(), out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BigInteger(Arrays.copyOf(digest.digest(bytes.toByteArray()), BYTES));
  }

  /** Fields in one order, whatever order they came in. */
  private static void write(Event event, DataOutputStream to) throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(to);
    out.useDeterministicSerialization();
    event.writeTo(out);
    out.flush();
  }
}
