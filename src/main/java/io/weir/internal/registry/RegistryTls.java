package io.weir.internal.registry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/**
 * TLS by Kafka's {@code ssl.} settings: trust stores, key stores, PEM, protocols and ciphers. The
 * host name is always verified, because the JDK's HTTP client cannot disable it.
 */
record RegistryTls(SSLContext context, SSLParameters parameters) {
  static RegistryTls of(Map<String, ?> settings) {
    ConfigDef def = new ConfigDef();
    SslConfigs.addClientSslSupport(def);
    Map<String, Object> ssl = new HashMap<>(def.parse(settings));
    if (ssl.get(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG) != null) {
      throw new ConfigException(
          SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG,
          ssl.get(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG),
          "a schema registry does not support it; expected: unset");
    }
    try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
      factory.configure(ssl);
      SSLParameters parameters = new SSLParameters();
      parameters.setProtocols(array(ssl.get(SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG)));
      parameters.setCipherSuites(array(ssl.get(SslConfigs.SSL_CIPHER_SUITES_CONFIG)));
      return new RegistryTls(factory.sslContext(), parameters);
    }
  }

  /** The elements of a list; null, which selects the JDK's defaults, if it is empty. */
  private static String[] array(Object list) {
    return list instanceof List<?> names && !names.isEmpty()
        ? names.stream().map(Object::toString).toArray(String[]::new)
        : null;
  }
}
