package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import io.weir.internal.group.DroppedSpans;
import io.weir.internal.group.GroupWindow;
import io.weir.internal.group.GroupWindow.Name;
import io.weir.internal.group.Groups;
import io.weir.internal.group.SensorPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/**
 * Windows of groups as entries of the changelog. A window's head is written whenever it changed, of
 * its parts those that changed. A window that is dropped before it was ever written writes nothing
 * but its mark. Numbers are protobuf varints; a window is named by its start and end in
 * milliseconds, 8 bytes big-endian each, the length of its group, 2 bytes, and the group in UTF-8.
 *
 * <pre>
 * w, window             format | revision | first change | last change
 * p, window, sensor id  format | count | bad count | sum | min | max | rest
 * d, group              format | log time of the last drop | spans: start, length
 * </pre>
 *
 * <p>Doubles are 8 bytes. Called by the task's thread only.
 */
final class GroupEntries {
  static final byte WINDOW = 'w';
  static final byte PART = 'p';
  static final byte DROPPED = 'd';

  private static final int MOST_NUMBER_BYTES = 64;

  private final Groups groups;

  GroupEntries(Groups groups) {
    this.groups = groups;
  }

  /** Writes what changed since the last call. */
  void flush(ChangeLog log) throws IOException {
    for (GroupWindow window : groups.ended()) {
      log.put(key(WINDOW, window.name(), ""), null);
      for (String sensorId : window.parts().keySet()) {
        log.put(key(PART, window.name(), sensorId), null);
      }
    }
    for (String group : groups.marks().forgotten()) {
      log.put(StateKey.of(DROPPED, utf8(group)), null);
    }
    for (GroupWindow window : groups.touched()) {
      log.put(key(WINDOW, window.name(), ""), encode(window));
      for (String sensorId : window.changed()) {
        log.put(key(PART, window.name(), sensorId), encode(window.parts().get(sensorId)));
      }
    }
    for (Map.Entry<String, DroppedSpans> mark : groups.marks().touched().entrySet()) {
      log.put(StateKey.of(DROPPED, utf8(mark.getKey())), encode(mark.getValue()));
    }
    groups.written();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] key(byte kind, Name window, String sensorId) {
    byte[] group = utf8(window.group());
    byte[] id = utf8(sensorId);
    return ByteBuffer.allocate(1 + 2 * Long.BYTES + Short.BYTES + group.length + id.length)
        .put(kind)
        .putLong(window.startMs())
        .putLong(window.endMs())
        .putShort((short) group.length)
        .put(group)
        .put(id)
        .array();
  }

  private static byte[] encode(GroupWindow window) throws IOException {
    byte[] buffer = new byte[MOST_NUMBER_BYTES];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeUInt32NoTag(window.revision());
    out.writeSInt64NoTag(window.firstChangeMs());
    out.writeSInt64NoTag(window.lastChangeMs());
    return written(buffer, out);
  }

  private static byte[] encode(SensorPart part) throws IOException {
    byte[] buffer = new byte[MOST_NUMBER_BYTES + part.restSize() * Double.BYTES];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeUInt64NoTag(part.count());
    out.writeUInt64NoTag(part.badCount());
    out.writeDoubleNoTag(part.sum());
    out.writeDoubleNoTag(part.min());
    out.writeDoubleNoTag(part.max());
    for (int i = 0; i < part.restSize(); i++) {
      out.writeDoubleNoTag(part.rest(i));
    }
    return written(buffer, out);
  }

  private static byte[] encode(DroppedSpans dropped) throws IOException {
    byte[] buffer = new byte[MOST_NUMBER_BYTES * (1 + dropped.spans().size())];
    CodedOutputStream out = CodedOutputStream.newInstance(buffer);
    StateFormat.write(out);
    out.writeSInt64NoTag(dropped.lastMs());
    for (Map.Entry<Long, Long> span : dropped.spans().entrySet()) {
      out.writeSInt64NoTag(span.getKey());
      out.writeUInt64NoTag(span.getValue() - span.getKey());
    }
    return written(buffer, out);
  }

  private static byte[] written(byte[] buffer, CodedOutputStream out) {
    return Arrays.copyOf(buffer, out.getTotalBytesWritten());
  }

  /** Puts back an entry, also of a state that has gone on: a standby that was active before. */
  void restore(byte[] key, byte[] value) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(key, 1, key.length - 1);
    if (key[0] == DROPPED) {
      restoreDropped(text(in, in.remaining()), value);
      return;
    }
    long startMs = in.getLong();
    long endMs = in.getLong();
    Name name = new Name(text(in, Short.toUnsignedInt(in.getShort())), startMs, endMs);
    if (key[0] == WINDOW) {
      restoreWindow(name, value);
    } else {
      restorePart(name, text(in, in.remaining()), value);
    }
  }

  private static String text(ByteBuffer in, int length) {
    byte[] utf8 = new byte[length];
    in.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private void restoreDropped(String group, byte[] value) throws IOException {
    if (value == null) {
      groups.marks().dropRestored(group);
      return;
    }
    CodedInputStream in = StateFormat.read(value);
    DroppedSpans dropped = new DroppedSpans(in.readSInt64());
    while (!in.isAtEnd()) {
      long startMs = in.readSInt64();
      dropped.restore(startMs, startMs + in.readUInt64());
    }
    groups.marks().restore(group, dropped);
  }

  private void restoreWindow(Name name, byte[] value) throws IOException {
    if (value == null) {
      groups.dropRestored(name);
      return;
    }
    CodedInputStream in = StateFormat.read(value);
    groups.restore(name, in.readUInt32(), in.readSInt64(), in.readSInt64());
  }

  private void restorePart(Name name, String sensorId, byte[] value) throws IOException {
    if (value == null) {
      groups.dropRestored(name, sensorId);
      return;
    }
    CodedInputStream in = StateFormat.read(value);
    long count = in.readUInt64();
    long badCount = in.readUInt64();
    double sum = in.readDouble();
    double min = in.readDouble();
    double max = in.readDouble();
    double[] rest = new double[(value.length - in.getTotalBytesRead()) / Double.BYTES];
    for (int i = 0; i < rest.length; i++) {
      rest[i] = in.readDouble();
    }
    groups.restore(name, sensorId, new SensorPart(count, badCount, sum, rest, min, max));
  }
}
