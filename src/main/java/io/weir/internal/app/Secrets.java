package io.weir.internal.app;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Hides secrets in settings: Kafka's passwords, names like those of passwords, values from _FILE
 * variables, and credentials within an address.
 */
final class Secrets {
  static final String HIDDEN = "(hidden)";

  private static final Set<String> PASSWORDS =
      List.of(
              ProducerConfig.configDef(),
              ConsumerConfig.configDef(),
              AdminClientConfig.configDef(),
              StreamsConfig.configDef())
          .stream()
          .flatMap(settings -> settings.configKeys().values().stream())
          .filter(key -> key.type == ConfigDef.Type.PASSWORD)
          .map(key -> key.name)
          .collect(Collectors.toSet());

  private static final Pattern NAMED_LIKE_ONE =
      Pattern.compile("pass(word|phrase)|secret|token|credential|jaas|user\\.info|(^|\\.)auth");
  private static final Pattern CREDENTIALS = Pattern.compile("//[^\\n]*@");

  private Secrets() {}

  /** The value of a setting, or the text {@value #HIDDEN}. */
  static String shown(String name, String value, String source) {
    boolean secret =
        source.endsWith(Environment.FILE)
            || NAMED_LIKE_ONE.matcher(name).find()
            || PASSWORDS.stream().anyMatch(name::endsWith);
    return secret
        ? HIDDEN
        : Arrays.stream(value.split(",", -1))
            .map(Secrets::withoutCredentials)
            .collect(Collectors.joining(","));
  }

  /**
   * An invalid value, or the text {@value #HIDDEN}: an invalid address may have a password
   * anywhere.
   */
  static String refused(String name, String value, String source) {
    if (name.endsWith(".source")) {
      return withoutCredentials(value);
    }
    return value.contains("//") && value.contains("@") ? HIDDEN : shown(name, value, source);
  }

  /** Hides credentials in the addresses of a text: everything up to the last @ of a line. */
  static String withoutCredentials(String text) {
    return CREDENTIALS.matcher(text).replaceAll("//***@");
  }
}
