package io.weir.internal.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What a task keeps that hands summaries of sensors on to their groups: how far it has come, and
 * which groups it made of sensors, which must not change in between. {@code M} has the length of
 * the windows in milliseconds and the template of groups before the position.
 */
public final class GroupPartState extends LoggedState {
  private static final int MOST_NUMBER_BYTES = 32;

  private final long sizeMs;
  private final String template;

  /**
   * @param sizeMs length of the windows
   * @param template of groups
   */
  public GroupPartState(long sizeMs, String template) {
    super(0);
    this.sizeMs = sizeMs;
    this.template = template;
  }

  @Override
  int settingsBytes() {
    return MOST_NUMBER_BYTES + CodedOutputStream.computeStringSizeNoTag(template);
  }

  @Override
  void writeSettings(CodedOutputStream out) throws IOException {
    out.writeUInt64NoTag(sizeMs);
    out.writeByteArrayNoTag(template.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  void readSettings(CodedInputStream in) throws IOException {
    requireSame("weir.groups.size", in.readUInt64() + "ms", sizeMs + "ms");
    requireSame("weir.group", new String(in.readByteArray(), StandardCharsets.UTF_8), template);
  }

  @Override
  void flushEntries(ChangeLog log) {
    // There are none.
  }

  @Override
  void restoreEntry(byte[] key, byte[] value) {
    throw StateMismatchException.ofKind(key[0]);
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
  void clearEntries() {
    // There are none.
  }
}
