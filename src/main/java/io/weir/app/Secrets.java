package io.weir.app;

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
 * Settings as they may be shown. Hidden is what Kafka calls a password, what is named like one,
 * what came out of a file of its own, and credentials within an address.
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

  /** A setting's value, or that it is hidden. */
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
   * A value that is refused, or that it is hidden: what is no address may hold a password anywhere.
   */
  static String refused(String name, String value, String source) {
    if (name.endsWith(".source")) {
      return withoutCredentials(value);
    }
    return value.contains("//") && value.contains("@") ? HIDDEN : shown(name, value, source);
  }

  /** A text with no credentials in the addresses it names: nothing up to the last @ of a line. */
  static String withoutCredentials(String text) {
    return CREDENTIALS.matcher(text).replaceAll("//***@");
  }
}
