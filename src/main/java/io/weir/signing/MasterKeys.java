package io.weir.signing;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The master keys of a plant by id: usually one, two during a rotation. Immutable.
 *
 * <p>Their file; {@code from} and {@code until} are optional append times in UTC:
 *
 * <pre>
 * 2026.secret=&lt;32 bytes or more in base64&gt;
 * 2026.until=2027-02-01T00:00:00Z
 * 2027.secret=...
 * 2027.from=2027-01-01T00:00:00Z
 * </pre>
 */
public final class MasterKeys {
  private static final Pattern NAME =
      Pattern.compile("([A-Za-z0-9_-]{1,64})\\.(secret|from|until)");

  private final Map<String, MasterKey> byId;

  private MasterKeys(Map<String, MasterKey> byId) {
    this.byId = byId;
  }

  public static MasterKeys of(List<MasterKey> masters) {
    Map<String, MasterKey> byId = new LinkedHashMap<>();
    masters.forEach(master -> byId.put(master.id(), master));
    return new MasterKeys(byId);
  }

  /**
   * Reads a file of master keys.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if a line is invalid; the message names file, line and field,
   *     and no secret
   */
  public static MasterKeys read(Path file) throws IOException {
    KeyFile content = KeyFile.read(file, name -> NAME.matcher(name).matches());
    Set<String> ids = new LinkedHashSet<>();
    for (String name : content.names()) {
      Matcher parts = NAME.matcher(name);
      if (parts.matches()) {
        ids.add(parts.group(1));
      }
    }
    if (ids.isEmpty()) {
      throw new IllegalArgumentException(
          file + ": no master key; create one with weir key new: <id>.secret=...");
    }
    return of(ids.stream().map(id -> master(content, id)).toList());
  }

  private static MasterKey master(KeyFile content, String id) {
    long fromMs = time(content, id + ".from", Long.MIN_VALUE);
    long untilMs = time(content, id + ".until", Long.MAX_VALUE);
    if (fromMs >= untilMs) {
      content.parsed(
          id + ".until",
          text -> {
            throw new IllegalArgumentException("not later than " + id + ".from");
          });
    }
    return content.parsed(
        id + ".secret", text -> new MasterKey(id, KeyFile.base64(text), fromMs, untilMs));
  }

  private static long time(KeyFile content, String name, long otherwise) {
    if (!content.has(name)) {
      return otherwise;
    }
    return content.parsed(
        name,
        text -> {
          try {
            return Instant.parse(text).toEpochMilli();
          } catch (DateTimeParseException | ArithmeticException e) {
            throw new IllegalArgumentException(
                "'" + text + "' is not a time; expected: a time such as 2027-01-01T00:00:00Z", e);
          }
        });
  }

  /** The master with an id, or null. */
  MasterKey get(String id) {
    return byId.get(id);
  }

  public Set<String> ids() {
    return byId.keySet();
  }

  /** The master with an id, to derive keys. */
  public Optional<MasterKey> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /**
   * The master that signs now: the last valid one of the file, if there is any.
   *
   * @param nowMs the approximate append time
   */
  public Optional<MasterKey> current(long nowMs) {
    return byId.values().stream()
        .filter(master -> master.holdsAt(nowMs))
        .reduce((before, last) -> last);
  }
}
