package io.weir.internal.ops;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When the certificates expire that a Kafka client has loaded. Clients read them at their start: a
 * renewed file counts after a restart.
 */
final class CertificateExpiry {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateExpiry.class);

  private CertificateExpiry() {}

  /**
   * The times by use: {@code kafka-key} for the first of the client's own chain, {@code
   * kafka-trust} for the last of those that it trusts. Empty without TLS, or without stores of its
   * own.
   *
   * @param client settings of a Kafka client
   */
  static Map<String, Instant> of(Map<String, Object> client) {
    Map<String, Instant> expiries = new TreeMap<>();
    if (!String.valueOf(client.get("security.protocol")).endsWith("SSL")) {
      return expiries;
    }
    ConfigDef ssl = new ConfigDef();
    SslConfigs.addClientSslSupport(ssl);
    try (DefaultSslEngineFactory stores = new DefaultSslEngineFactory()) {
      stores.configure(ssl.parse(client));
      times(stores.keystore())
          .min(Comparator.naturalOrder())
          .ifPresent(first -> expiries.put("kafka-key", first));
      times(stores.truststore())
          .max(Comparator.naturalOrder())
          .ifPresent(last -> expiries.put("kafka-trust", last));
    } catch (KafkaException | GeneralSecurityException e) {
      LOG.debug("cannot read certificates", e); // The client itself reports it.
    }
    return expiries;
  }

  private static Stream<Instant> times(KeyStore store) throws GeneralSecurityException {
    List<Instant> times = new ArrayList<>();
    if (store != null) {
      for (String alias : Collections.list(store.aliases())) {
        Certificate[] chain =
            Optional.ofNullable(store.getCertificateChain(alias))
                .orElse(new Certificate[] {store.getCertificate(alias)});
        for (Certificate each : chain) {
          if (each instanceof X509Certificate certificate) {
            times.add(certificate.getNotAfter().toInstant());
          }
        }
      }
    }
    return times.stream();
  }
}
