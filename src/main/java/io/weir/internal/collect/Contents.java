package io.weir.internal.collect;

import com.google.protobuf.CodedOutputStream;
import io.weir.internal.collect.RowJudge.EventRow;
import io.weir.internal.collect.RowJudge.ReadingRow;
import io.weir.internal.collect.RowJudge.Verdict;
import io.weir.internal.wire.Protobuf;
import io.weir.internal.wire.UndecodableException;
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
 * A multiset of sent readings and events, by content. Costs about 100 bytes an item; not safe for
 * several threads.
 */
final class Contents {
  private static final int BYTES = 16;

  private final Map<BigInteger, Integer> counts = new HashMap<>();
  private final MessageDigest digest;

  Contents() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every JDK has this algorithm.
    }
  }

  /**
   * The items of a batch, in order.
   *
   * @throws UndecodableException if it is not a batch of a collector
   */
  static List<Verdict> of(Channel channel, byte[] batch) throws UndecodableException {
    List<Verdict> items = new ArrayList<>();
    if (channel != Channel.READINGS) {
      Protobuf.read(EventBatch.getDefaultInstance(), batch)
          .getEventsList()
          .forEach(each -> items.add(new EventRow(each)));
      return items;
    }
    for (Series series : Protobuf.read(ReadingBatch.getDefaultInstance(), batch).getSeriesList()) {
      int values = series.getValueCount();
      int qualities = series.getQualityCount();
      if (series.getTimestampDeltaMsCount() != values || qualities > 0 && qualities != values) {
        throw UndecodableException.malformed("a series with lengths that differ");
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

  /** Removes one item with this content; false if there is none. */
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
      if (item instanceof ReadingRow row) {
        out.writeByte(Channel.READINGS.ordinal());
        out.writeLong(row.reading().timestampMs());
        out.writeLong(Double.doubleToRawLongBits(row.reading().value()));
        out.writeByte(row.reading().quality().number());
        out.write(row.reading().sensorId().getBytes(StandardCharsets.UTF_8));
      } else if (item instanceof EventRow row) {
        out.writeByte(row.channel().ordinal());
        write(row.event(), out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new BigInteger(Arrays.copyOf(digest.digest(bytes.toByteArray()), BYTES));
  }

  /** Writes the fields in a canonical order. */
  private static void write(Event event, DataOutputStream to) throws IOException {
    CodedOutputStream out = CodedOutputStream.newInstance(to);
    out.useDeterministicSerialization();
    event.writeTo(out);
    out.flush();
  }
}
