package io.weir.internal.registry;

import io.weir.internal.registry.RegistryException.Kind;
import io.weir.internal.wire.SchemaKey;
import io.weir.internal.wire.UndecodableException;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Limits look-ups of unknown schemas: each blocks a partition for a call to the registry, and a
 * producer may use 2^32 ids. Look-ups of known schemas are free. So are the schemas of the topic's
 * own subject, whose versions are listed once the budget is empty, and the newest ones of other
 * subjects, which are listed bit by bit: who invents ids takes no look-up from those who write what
 * is registered. For one thread.
 */
public final class LookUpBudget {
  static final int AT_ONCE = 100;
  static final long ONE_MORE_AFTER_MS = 100;

  /** Versions of the subject are looked for as often. */
  static final long LISTED_AGAIN_AFTER_MS = 30_000;

  /** Versions that are looked for at once; as many of other subjects. */
  private static final int MOST_VERSIONS = 50;

  private static final int MOST_IDS = 1_000;

  /** Other subjects are listed for so long. */
  private static final long LISTED_MS = 5_000;

  private final SchemaRegistry registry;
  private final String subject;
  private final LongSupplier elapsedMs;
  private final TimedCache<Integer, Integer> registered;
  private int newest;
  private int others;
  private boolean listed;
  private long listedMs;
  private long left = AT_ONCE;
  private long sinceMs;

  /**
   * @param subject of the topic
   * @param elapsedMs a monotonic clock
   */
  public LookUpBudget(SchemaRegistry registry, String subject, LongSupplier elapsedMs) {
    this.registry = registry;
    this.subject = subject;
    this.registered = new TimedCache<>(MOST_IDS, Long.MAX_VALUE, elapsedMs);
    this.elapsedMs = elapsedMs;
    this.sinceMs = elapsedMs.getAsLong();
  }

  /**
   * @throws UndecodableException if the budget is empty: the schema must not be looked up
   * @throws RegistryException if the registry does not answer
   */
  public void require(SchemaKey schema) throws UndecodableException {
    long more = (elapsedMs.getAsLong() - sinceMs) / ONE_MORE_AFTER_MS;
    sinceMs += more * ONE_MORE_AFTER_MS;
    left = Math.min(AT_ONCE, left + more);
    if (left <= 0 && !(schema instanceof SchemaKey.Id id && isRegistered(id.id()))) {
      throw UndecodableException.unknownSchema(
          schema
              + " was not looked up: other records had too many unknown schemas (the limit is "
              + 1000 / ONE_MORE_AFTER_MS
              + " a second). The schema is not registered under subject "
              + subject
              + ", and is not the newest one of another listed subject");
    }
  }

  private boolean isRegistered(int id) {
    long nowMs = elapsedMs.getAsLong();
    if (registered.get(id) == null && (!listed || nowMs - listedMs >= LISTED_AGAIN_AFTER_MS)) {
      listOwn();
      listOthers(nowMs);
      listed = true;
      listedMs = nowMs;
    }
    return registered.get(id) != null;
  }

  /** The newest versions, and at later calls those that were registered since. */
  private void listOwn() {
    if (newest == 0) {
      newest = keep(() -> registry.latest(subject));
      for (int each = newest - 1; each > 0 && each > newest - MOST_VERSIONS; each--) {
        int version = each;
        keep(() -> registry.version(subject, version));
      }
    }
    // The newest version may come from a cache.
    for (int i = 0; newest > 0 && i < MOST_VERSIONS; i++) {
      int next = keep(() -> registry.version(subject, newest + 1));
      if (next == 0) {
        return;
      }
      newest = next;
    }
  }

  private void listOthers(long beganMs) {
    try {
      List<String> subjects = registry.subjects();
      int most = Math.min(MOST_VERSIONS, subjects.size());
      for (int i = 0; i < most && elapsedMs.getAsLong() - beganMs < LISTED_MS; i++) {
        String each = subjects.get(others++ % subjects.size());
        keep(() -> registry.latest(each));
      }
    } catch (RegistryException e) {
      // It may lack this call, or the right to it.
    }
  }

  /** Keeps the id; returns the version, or 0 if this process cannot have it. */
  private int keep(Supplier<Registered> call) {
    try {
      Registered found = call.get();
      registered.put(found.id(), found.version());
      return found.version();
    } catch (RegistryException e) {
      if (e.kind() == Kind.UNAVAILABLE) {
        throw e;
      }
      return 0;
    }
  }

  /** A look-up found no schema. */
  public void use() {
    left--;
  }
}
