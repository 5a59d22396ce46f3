package io.weir.internal.registry;

import static io.weir.internal.registry.RegistrySettings.BASIC_SOURCE;
import static io.weir.internal.registry.RegistrySettings.BASIC_USER_INFO;
import static io.weir.internal.registry.RegistrySettings.BEARER_SOURCE;
import static io.weir.internal.registry.RegistrySettings.BEARER_TOKEN;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;

/** The credentials for the registry, by Confluent's settings. */
final class RegistryCredentials {
  private RegistryCredentials() {}

  /** The Authorization header; credentials in a URL override it for that URL. */
  static Optional<String> authorization(RegistrySettings settings) {
    String bearer = settings.string(BEARER_SOURCE);
    if (bearer.equals("STATIC_TOKEN")) {
      return Optional.of("Bearer " + required(settings, BEARER_TOKEN, BEARER_SOURCE, bearer));
    }
    if (!bearer.isEmpty()) {
      throw new ConfigException(BEARER_SOURCE, bearer, "expected: STATIC_TOKEN");
    }
    String basic = settings.string(BASIC_SOURCE);
    return switch (basic) {
      case "URL" -> Optional.empty();
      case "USER_INFO" ->
          Optional.of(RegistryUrl.basic(required(settings, BASIC_USER_INFO, BASIC_SOURCE, basic)));
      case "SASL_INHERIT" -> Optional.of(RegistryUrl.basic(ofKafka(settings.given())));
      default ->
          throw new ConfigException(
              BASIC_SOURCE, basic, "expected: URL, USER_INFO or SASL_INHERIT");
    };
  }

  private static String required(
      RegistrySettings settings, String name, String source, String value) {
    String secret = settings.secret(name);
    if (secret.isEmpty()) {
      throw new ConfigException(source, value, "it needs " + name);
    }
    if (secret.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new ConfigException(
          name
              + " has a line break, a control character or a non-ASCII character; expected: printable"
              + " ASCII");
    }
    return secret;
  }

  /** The user name and password for the brokers. */
  private static String ofKafka(Map<String, Object> settings) {
    Map<String, Object> sasl = new HashMap<>(settings);
    sasl.computeIfPresent(
        SaslConfigs.SASL_JAAS_CONFIG,
        (name, value) -> value instanceof Password ? value : new Password(value.toString()));
    List<AppConfigurationEntry> entries;
    try {
      entries = JaasContext.loadClientContext(sasl).configurationEntries();
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          BASIC_SOURCE, "SASL_INHERIT", "it needs a valid " + SaslConfigs.SASL_JAAS_CONFIG);
    }
    String user = JaasContext.configEntryOption(entries, "username", null);
    String password = JaasContext.configEntryOption(entries, "password", null);
    if (user == null || password == null) {
      throw new ConfigException(
          BASIC_SOURCE,
          "SASL_INHERIT",
          "it needs a username and a password in " + SaslConfigs.SASL_JAAS_CONFIG);
    }
    return user + ":" + password;
  }
}
