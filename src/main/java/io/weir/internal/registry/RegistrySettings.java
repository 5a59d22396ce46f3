package io.weir.internal.registry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;

/**
 * The settings of a registry, with Confluent's names; a name with Confluent's prefix {@code
 * schema.registry.} has precedence. Kafka's {@code ssl.} settings apply to the registry too, and
 * {@code sasl.} ones if credentials are inherited. Immutable; {@link #toString} shows no secrets.
 */
public final class RegistrySettings {
  public static final String URL = "schema.registry.url";
  public static final String AUTO_REGISTER = "auto.register.schemas";
  public static final String USE_LATEST = "use.latest.version";
  public static final String NORMALIZE = "normalize.schemas";
  public static final String VALUE_SUBJECT_NAMES = "value.subject.name.strategy";
  public static final String KEY_SUBJECT_NAMES = "key.subject.name.strategy";
  public static final String BASIC_SOURCE = "basic.auth.credentials.source";
  public static final String BASIC_USER_INFO = "basic.auth.user.info";
  public static final String BEARER_SOURCE = "bearer.auth.credentials.source";
  public static final String BEARER_TOKEN = "bearer.auth.token";

  /** Allowed schema ids of frames, comma-separated; empty for all registered ones. */
  public static final String SCHEMA_IDS = "schema.ids";

  public static final String CONNECT_TIMEOUT_MS = "http.connect.timeout.ms";
  public static final String READ_TIMEOUT_MS = "http.read.timeout.ms";
  public static final String MAX_RETRIES = "max.retries";
  public static final String RETRY_WAIT_MS = "retries.wait.ms";
  public static final String RETRY_MAX_WAIT_MS = "retries.max.wait.ms";
  public static final String CACHED_SCHEMAS = "max.schemas.per.subject";
  public static final String LATEST_TTL_SEC = "latest.cache.ttl.sec";
  public static final String MISSING_TTL_SEC = "missing.id.cache.ttl.sec";

  private static final String PREFIX = "schema.registry.";
  private static final String MOCK = "mock://";

  private static final ConfigDef DEF =
      new ConfigDef()
          .define(URL, Type.LIST, List.of(), Importance.HIGH, "comma-separated; mock://scope")
          .define(
              AUTO_REGISTER,
              Type.BOOLEAN,
              true,
              Importance.MEDIUM,
              "register the schemas of written messages")
          .define(USE_LATEST, Type.BOOLEAN, false, Importance.MEDIUM, "write the newest id")
          .define(NORMALIZE, Type.BOOLEAN, false, Importance.LOW, "ask it to normalize")
          .define(VALUE_SUBJECT_NAMES, Type.STRING, "TopicNameStrategy", Importance.LOW, "")
          .define(KEY_SUBJECT_NAMES, Type.STRING, "TopicNameStrategy", Importance.LOW, "")
          .define(BASIC_SOURCE, Type.STRING, "URL", Importance.MEDIUM, "USER_INFO, SASL_INHERIT")
          .define(BASIC_USER_INFO, Type.PASSWORD, "", Importance.MEDIUM, "user:password")
          .define(BEARER_SOURCE, Type.STRING, "", Importance.MEDIUM, "STATIC_TOKEN")
          .define(BEARER_TOKEN, Type.PASSWORD, "", Importance.MEDIUM, "")
          .define(CONNECT_TIMEOUT_MS, Type.INT, 5_000, atLeast(1), Importance.LOW, "")
          .define(READ_TIMEOUT_MS, Type.INT, 10_000, atLeast(1), Importance.LOW, "")
          .define(MAX_RETRIES, Type.INT, 3, atLeast(0), Importance.LOW, "")
          .define(RETRY_WAIT_MS, Type.INT, 1_000, atLeast(0), Importance.LOW, "doubles")
          .define(RETRY_MAX_WAIT_MS, Type.INT, 20_000, atLeast(0), Importance.LOW, "")
          .define(CACHED_SCHEMAS, Type.INT, 1_000, atLeast(1), Importance.LOW, "")
          .define(LATEST_TTL_SEC, Type.LONG, -1, Importance.LOW, "negative: forever")
          .define(SCHEMA_IDS, Type.LIST, List.of(), Importance.LOW, "")
          .define(MISSING_TTL_SEC, Type.LONG, 10, atLeast(0), Importance.LOW, "");

  private final Map<String, Object> given;
  private final Map<String, Object> parsed;
  private final Optional<String> authorization;
  private final SubjectNames valueSubjects;
  private final SubjectNames keySubjects;

  private RegistrySettings(Map<String, Object> given) {
    this.given = given;
    this.parsed = DEF.parse(given);
    this.valueSubjects = subjects(VALUE_SUBJECT_NAMES);
    this.keySubjects = subjects(KEY_SUBJECT_NAMES);
    this.authorization = RegistryCredentials.authorization(this);
    schemaIds();
    for (String url : urls()) {
      RegistryUrl.check(url);
    }
  }

  /**
   * Reads the registry's settings from those of a client; ignores others.
   *
   * @throws ConfigException if one is invalid; the message is one line with its name
   */
  public static RegistrySettings of(Map<String, ?> settings) {
    Map<String, Object> merged = new HashMap<>(settings);
    settings.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX) && !name.equals(URL)) {
            merged.put(name.substring(PREFIX.length()), value);
          }
        });
    return new RegistrySettings(merged);
  }

  /** Whether a text is a valid {@link #URL}. */
  public static boolean areUrls(String text) {
    try {
      return of(Map.of(URL, text)).isSet();
    } catch (ConfigException e) {
      return false;
    }
  }

  private static ConfigDef.Validator atLeast(long min) {
    return ConfigDef.Range.atLeast(min);
  }

  private SubjectNames subjects(String name) {
    try {
      return SubjectNames.named(string(name));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(name, string(name), "expected: " + SubjectNames.allowed());
    }
  }

  /** Whether a registry is set. */
  public boolean isSet() {
    return !urls().isEmpty();
  }

  @SuppressWarnings("unchecked") // Type.LIST
  List<String> urls() {
    return (List<String>) parsed.get(URL);
  }

  /** The allowed ids, sorted; empty if all are allowed. */
  int[] schemaIds() {
    try {
      return ((List<?>) parsed.get(SCHEMA_IDS))
          .stream().mapToInt(id -> Integer.parseInt(id.toString().strip())).sorted().toArray();
    } catch (NumberFormatException e) {
      throw new ConfigException(
          SCHEMA_IDS, parsed.get(SCHEMA_IDS), "expected: integers, comma-separated");
    }
  }

  /** The scope of a registry in memory, if set. */
  Optional<String> mockScope() {
    return urls().stream()
        .filter(url -> url.startsWith(MOCK))
        .map(url -> url.substring(MOCK.length()))
        .findFirst();
  }

  /** All given settings, without prefixes, including those that are not the registry's. */
  Map<String, Object> given() {
    return given;
  }

  String string(String name) {
    return (String) parsed.get(name);
  }

  String secret(String name) {
    return ((Password) parsed.get(name)).value();
  }

  boolean is(String name) {
    return (Boolean) parsed.get(name);
  }

  int number(String name) {
    return (Integer) parsed.get(name);
  }

  long seconds(String name) {
    return (Long) parsed.get(name);
  }

  /** The Authorization header, if credentials are set; a URL may have its own. */
  Optional<String> authorization() {
    return authorization;
  }

  /**
   * The first address that receives credentials over plain HTTP, without them. Loopback addresses
   * are excluded.
   */
  public Optional<String> clearTextUrl() {
    return urls().stream()
        .filter(url -> RegistryUrl.isInClearText(url, authorization.isPresent()))
        .map(RegistryUrl::shown)
        .findFirst();
  }

  /** The subject of a message on a topic. */
  public String subject(String topic, boolean key, String message) {
    return (key ? keySubjects : valueSubjects).of(topic, key, message);
  }

  @Override
  public String toString() {
    return "RegistrySettings" + urls().stream().map(RegistryUrl::shown).toList();
  }

  /** The credentials for the registry, by Confluent's settings. */
  static final class RegistryCredentials {
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
            Optional.of(
                RegistryUrl.basic(required(settings, BASIC_USER_INFO, BASIC_SOURCE, basic)));
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
}
