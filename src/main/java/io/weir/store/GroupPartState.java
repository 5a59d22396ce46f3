package io.weir.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What a task keeps that hands summaries of sensors on to their groups: how far it has come, and
 * which groups it made of sensors, which must not change in between. As {@code M}: format 1, length
 * of the windows in milliseconds, template of groups, {@link InputPosition}.
 */
public final class GroupPartState implements InputState {
  private static final int FORMAT = 1;
  private static final int MOST_NUMBER_BYTES = 32;

  private final long sizeMs;
  private final String template;
  private final InputPosition position = new InputPosition(0);

  /**
   * @param sizeMs length of the windows
   * @param template of groups
   */
  public GroupPartState(long sizeMs, String template) {
    this.sizeMs = sizeMs;
    this.template = template;
  }

  @Override
  public InputPosition position() {
    return position;
  }

  @Override
  public boolean awaitsTime() {
    return false;
  }

  @Override
  public void flush(ChangeLog log) {
    if (!position.unwritten()) {
      return;
    }
    try {
      byte[] text = template.getBytes(StandardCharsets.UTF_8);
      byte[] buffer = new byte[InputPosition.MOST_BYTES + MOST_NUMBER_BYTES + text.length];
      CodedOutputStream out = CodedOutputStream.newInstance(buffer);
      out.writeUInt32NoTag(FORMAT);
      out.writeUInt64NoTag(sizeMs);
      out.writeByteArrayNoTag(text);
      position.write(out);
      log.put(StateKey.meta(), Arrays.copyOf(buffer, out.getTotalBytesWritten()));
      position.written();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void restore(byte[] key, byte[] value) {
    if (key[0] != StateKey.META) {
      throw StateMismatchException.ofKind(key[0]);
    }
    try {
      CodedInputStream in = CodedInputStream.newInstance(value);
      int format = in.readUInt32();
      if (format != FORMAT) {
        throw StateMismatchException.ofFormat(format, FORMAT);
      }
      requireSame("weir.groups.size", in.readUInt64() + "ms", sizeMs + "ms");
      requireSame("weir.group", new String(in.readByteArray(), StandardCharsets.UTF_8), template);
      position.read(in);
    } catch (IOException e) {
      throw StateMismatchException.ofDamage(e);
    }
  }

  private static void requireSame(String setting, String kept, String now) {
    if (!kept.equals(now)) {
      throw new StateMismatchException(
          "%s: the state was made with %s, and the setting is %s; set it back, or start with a new"
                  .formatted(setting, kept, now)
              + " weir.events.application.id, which reads from the beginning");
    }
  }

  @Override
  public void resume() {
    // There is nothing that belongs together.
  }

  @Override
  public void clear() {
    position.clear();
  }
}
