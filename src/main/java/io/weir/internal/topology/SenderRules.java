package io.weir.internal.topology;

import io.weir.internal.permission.Permissions;
import io.weir.internal.permission.Permits;
import io.weir.signing.BatchVerifier;
import io.weir.signing.SigningPolicy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who may send batches of readings and of events: signatures and the file of gateways. Thread-safe;
 * the tasks of a thread share its caches of keys and permissions.
 */
public final class SenderRules {
  private final SigningPolicy signing;
  private final Optional<Supplier<Permissions>> permissions;
  private final ThreadLocal<Map<String, BatchVerifier>> verifiers =
      ThreadLocal.withInitial(HashMap::new);
  private final ThreadLocal<Permits> permits;

  /**
   * @param permissions the current version of the file; empty where each gateway may publish all
   */
  public SenderRules(SigningPolicy signing, Optional<Supplier<Permissions>> permissions) {
    this.signing = signing;
    this.permissions = permissions;
    this.permits = ThreadLocal.withInitial(() -> new Permits(permissions.orElseThrow()));
  }

  /** Anybody may send everything. */
  public static SenderRules anybody() {
    return new SenderRules(SigningPolicy.OFF, Optional.empty());
  }

  /** Signatures of gateways, and of Weir's own. */
  SigningPolicy signing() {
    return signing;
  }

  /**
   * The check of a task, for its thread.
   *
   * @param topic its input
   * @param maxIdBytes longest gateway id that a dead letter names
   * @param unsigned is run for each batch that is accepted without a signature
   */
  SenderCheck check(String topic, int partition, int maxIdBytes, Runnable unsigned) {
    BatchVerifier verifier =
        signing.isOn()
            ? verifiers
                .get()
                .computeIfAbsent(topic, missing -> new BatchVerifier(missing, signing.masters()))
            : null;
    return new SenderCheck(
        signing.mode(),
        verifier,
        permissions.isPresent() ? permits.get() : null,
        partition,
        maxIdBytes,
        unsigned);
  }
}
