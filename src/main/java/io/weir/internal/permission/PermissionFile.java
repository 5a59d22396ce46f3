package io.weir.internal.permission;

import io.weir.internal.yaml.YamlException;
import io.weir.internal.yaml.YamlFile;
import io.weir.internal.yaml.YamlMap;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The YAML file of gateways. It is checked completely:
 *
 * <pre>
 * gateways:
 *   - gateway: line-7
 *     sensors: ["plant/line-7/*", "plant/weather"]
 *     lowest-generation: 2
 *   - gateway: line-3
 *     revoked: true
 *   - gateway: "line-*"
 *     sensors: ["plant/{gateway}/*"]
 *     keys: ["{gateway}"]
 * </pre>
 */
public final class PermissionFile {
  /**
   * A boot id is the clock time of the start in milliseconds, shifted left by this number of bits.
   */
  private static final int BOOT_TIME_SHIFT = 20;

  /** 2001-09-09: smaller numbers may be boot ids from a counter. */
  private static final long LEAST_UNIX_SECONDS = 1_000_000_000;

  /** 2000-01-01: no gateway of Weir has started earlier. */
  private static final long LEAST_TIME_MS = 946_684_800_000L;

  private static final Pattern DIGITS = Pattern.compile("\\d{1,19}");
  private static final Pattern GENERATION = Pattern.compile("[1-9]\\d{0,8}");

  private final boolean signed;

  private PermissionFile(boolean signed) {
    this.signed = signed;
  }

  /**
   * Reads a file.
   *
   * @param signed whether signatures are checked; without, keys have no generation
   * @throws YamlException in one line with file, place, gateway, field and expected values
   */
  public static Permissions read(Path file, boolean signed) {
    return new PermissionFile(signed).permissions(YamlFile.read(file, "gateway", "gateway"));
  }

  /**
   * Parses the text of a file.
   *
   * @param name name of the file, for messages
   * @throws YamlException as above
   */
  public static Permissions parse(String name, String yaml, boolean signed) {
    return new PermissionFile(signed).permissions(YamlFile.parse(name, yaml, "gateway", "gateway"));
  }

  private Permissions permissions(YamlFile yaml) {
    YamlMap file = yaml.root();
    file.allow("gateways");
    List<GatewayEntry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlMap each : file.maps("gateways")) {
      GatewayEntry entry = entry(each);
      if (!names.add(entry.gateway().toString())) {
        throw each.wrong("gateway", "the gateway has two entries; expected: one");
      }
      entries.add(entry);
    }
    return new Permissions(entries);
  }

  private GatewayEntry entry(YamlMap entry) {
    entry.allow("gateway", "sensors", "keys", "lowest-boot", "lowest-generation", "revoked");
    String named = entry.text("gateway", "a gateway id, or a pattern of ids");
    IdPattern gateway = pattern(entry, "gateway", named);
    if (gateway.namesGateway()) {
      throw entry.wrong("gateway", "expected: an id, or a pattern with * and ?");
    }
    boolean revoked = revoked(entry);
    if (!revoked && !entry.has("sensors") && !entry.has("keys")) {
      throw entry.wrong(
          "sensors",
          "the field is missing; expected: a list of patterns such as [\"{gateway}/*\"],"
              + " here or in keys");
    }
    return new GatewayEntry(
        gateway,
        patterns(entry, "sensors"),
        patterns(entry, "keys"),
        lowestBoot(entry),
        lowestGeneration(entry),
        revoked);
  }

  private static List<IdPattern> patterns(YamlMap entry, String field) {
    return entry.has(field)
        ? entry.texts(field).stream().map(text -> pattern(entry, field, text)).toList()
        : List.of();
  }

  private static IdPattern pattern(YamlMap entry, String field, String text) {
    try {
      return IdPattern.of(text);
    } catch (IllegalArgumentException e) {
      throw entry.wrong(field, "'" + text + "': " + e.getMessage());
    }
  }

  private static boolean revoked(YamlMap entry) {
    String text = entry.find("revoked").orElse("false");
    if (!text.equals("true") && !text.equals("false")) {
      throw entry.wrong("revoked", "expected: true or false");
    }
    return text.equals("true");
  }

  private static long lowestBoot(YamlMap entry) {
    String text = entry.find("lowest-boot").orElse("0");
    long id = DIGITS.matcher(text).matches() ? Long.parseUnsignedLong(text) : -1;
    if (id >= 0) {
      return bootId(entry, id);
    }
    try {
      long timeMs = Instant.parse(text).toEpochMilli();
      if (timeMs >= 0 && timeMs <= Long.MAX_VALUE >> BOOT_TIME_SHIFT) {
        return timeMs << BOOT_TIME_SHIFT;
      }
    } catch (DateTimeParseException | ArithmeticException e) {
      // Reported below.
    }
    throw entry.wrong("lowest-boot", "expected: a boot id, or a time such as 2027-01-01T00:00:00Z");
  }

  /** A time without the shift is lower than all boot ids, and would exclude none. */
  private static long bootId(YamlMap entry, long id) {
    if (id >= LEAST_UNIX_SECONDS && id < LEAST_TIME_MS << BOOT_TIME_SHIFT) {
      throw entry.wrong(
          "lowest-boot",
          "a time in seconds or milliseconds is not a boot id; expected: a boot id, or a time such as"
              + " 2027-01-01T00:00:00Z");
    }
    return id;
  }

  private int lowestGeneration(YamlMap entry) {
    if (!entry.has("lowest-generation")) {
      return 0;
    }
    String text = entry.text("lowest-generation", "a number");
    if (!GENERATION.matcher(text).matches()) {
      throw entry.wrong("lowest-generation", "expected: a number from 1 to 999999999");
    }
    if (!signed) {
      throw entry.wrong(
          "lowest-generation", "allowed only with weir.signing=verify or weir.signing=require");
    }
    return Integer.parseInt(text);
  }
}
