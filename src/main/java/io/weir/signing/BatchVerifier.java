package io.weir.signing;

import io.weir.internal.wire.GatewayIdField;
import io.weir.signing.SignatureCheck.Outcome;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Verifies signatures of the records of one topic. A check costs HMAC-SHA256 over the value per
 * signature with a known master; it uses memory only. Codes are compared in constant time. Not
 * thread-safe.
 */
public final class BatchVerifier {
  /** Number of cached Mac objects, one per recently used gateway key: about 1 KiB each. */
  private static final int KEPT = 1024;

  /** A key as a signature names it, with the bytes of the gateway's id one to one as text. */
  private record Name(KeyId keyId, String gatewayId) implements Comparable<Name> {
    /** The tables of the JDK use it where senders choose names with equal hashes. */
    private static final Comparator<Name> ORDER =
        Comparator.comparing(Name::gatewayId)
            .thenComparing(name -> name.keyId.master())
            .thenComparingInt(name -> name.keyId.generation());

    @Override
    public int compareTo(Name other) {
      return ORDER.compare(this, other);
    }
  }

  private final String topic;
  private final MasterKeys masters;
  private final GatewayIdField gateway = new GatewayIdField();
  private final byte[] computed = new byte[Hmac.BYTES];
  private final Map<Integer, byte[]> batchHeads = new HashMap<>();

  @SuppressWarnings("serial") // Never serialised.
  private final Map<Name, Mac> macs =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Name, Mac> eldest) {
          return size() > KEPT;
        }
      };

  /**
   * @param topic that the records are on
   */
  public BatchVerifier(String topic, MasterKeys masters) {
    this.topic = topic;
    this.masters = masters;
  }

  /**
   * Verifies the signatures of a record.
   *
   * @param partition that it is in
   * @param value as it is there, not null
   * @param appendMs its append time, with which the masters' validity is checked
   */
  public SignatureCheck check(int partition, byte[] value, Headers headers, long appendMs) {
    Header header = headers.lastHeader(BatchSignature.HEADER);
    boolean found = gateway.find(value);
    Outcome outcome = Outcome.UNSIGNED;
    int generation = 0;
    if (header != null) {
      outcome = Outcome.BAD;
      byte[] text = header.value() == null ? new byte[0] : header.value();
      for (BatchSignature signature : BatchSignature.parse(text)) {
        Outcome one = check(signature, partition, value, headers, appendMs);
        int itsGeneration = signature.keyId().generation();
        if (rank(one) > rank(outcome) || one == outcome && itsGeneration > generation) {
          outcome = one;
          generation = one == Outcome.BAD ? 0 : itsGeneration;
        }
      }
    }
    return new SignatureCheck(
        outcome, generation, found ? gateway.offset() : -1, found ? gateway.length() : 0);
  }

  /** Of several valid signatures the strongest counts; of a gateway's, the newest. */
  private static int rank(Outcome outcome) {
    return switch (outcome) {
      case UNSIGNED, BAD -> 0;
      case EXPIRED -> 1;
      case GATEWAY -> 2;
      case REDRIVE -> 3;
    };
  }

  private Outcome check(
      BatchSignature signature, int partition, byte[] value, Headers headers, long appendMs) {
    MasterKey master = masters.get(signature.keyId().master());
    boolean redrive = signature.keyId().isRedrive();
    if (master == null || (!redrive && gateway.length() == 0)) {
      return Outcome.BAD;
    }
    byte[] gatewayId =
        redrive
            ? new byte[0]
            : Arrays.copyOfRange(value, gateway.offset(), gateway.offset() + gateway.length());
    Name name = new Name(signature.keyId(), new String(gatewayId, StandardCharsets.ISO_8859_1));
    Mac kept = macs.get(name);
    Mac mac = kept == null ? Hmac.of(key(master, signature.keyId(), gatewayId)) : kept;
    mac.update(redrive ? SignedBytes.redrive(topic, partition, headers) : batchHead(partition));
    if (!MessageDigest.isEqual(compute(mac, value), signature.code())) {
      return Outcome.BAD;
    }
    if (kept == null) {
      // Cached only after a valid code: forged key ids cannot evict those of gateways.
      macs.put(name, mac);
    }
    if (!master.holdsAt(appendMs)) {
      return Outcome.EXPIRED;
    }
    return redrive ? Outcome.REDRIVE : Outcome.GATEWAY;
  }

  private static byte[] key(MasterKey master, KeyId keyId, byte[] gatewayId) {
    return keyId.isRedrive()
        ? master.redriveKey()
        : master.gatewayKey(gatewayId, keyId.generation());
  }

  private byte[] batchHead(int partition) {
    return batchHeads.computeIfAbsent(partition, of -> SignedBytes.batch(topic, of));
  }

  private byte[] compute(Mac mac, byte[] value) {
    try {
      mac.update(value);
      mac.doFinal(computed, 0);
      return computed;
    } catch (javax.crypto.ShortBufferException e) {
      throw new IllegalStateException("a code has " + Hmac.BYTES + " bytes", e);
    }
  }
}
