package io.weir.internal.app;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of the collector.
 *
 * @param url JDBC URL of the database; empty if not set
 * @param user the role that owns the tables; empty for the driver's default
 * @param password of that role
 * @param batchLimit rows after which a batch is sent
 * @param batchTimeout time after its first row after which a batch is sent
 * @param pollInterval polling interval of the outbox
 * @param healthcheckInterval time after which a silent connection is replaced
 * @param maxRate maximum rate of rows; empty for no limit
 * @param burst rows that may be sent at once after a pause
 * @param adaptive whether batch limit and timeout adapt to backlog and latency
 * @param targetLatency target latency of acknowledgements with adaptive
 * @param delete whether acknowledged rows are deleted
 * @param rejectsRetention how long rejected rows stay
 */
public record CollectSettings(
    Optional<String> url,
    Optional<String> user,
    Optional<String> password,
    int batchLimit,
    Duration batchTimeout,
    Duration pollInterval,
    Duration healthcheckInterval,
    Optional<Rate> maxRate,
    long burst,
    boolean adaptive,
    Duration targetLatency,
    boolean delete,
    Duration rejectsRetention) {
  private static final long BURSTS_A_SECOND = 10;

  static CollectSettings of(Settings settings) {
    Optional<Rate> maxRate = settings.find(CollectKeys.MAX_RATE);
    return new CollectSettings(
        settings.find(CollectKeys.JDBC_URL),
        settings.find(CollectKeys.JDBC_USER),
        settings.find(CollectKeys.JDBC_PASSWORD),
        settings.get(CollectKeys.BATCH_LIMIT),
        settings.get(CollectKeys.BATCH_TIMEOUT),
        settings.get(CollectKeys.POLL_INTERVAL),
        settings.get(CollectKeys.HEALTHCHECK_INTERVAL),
        maxRate,
        settings
            .find(CollectKeys.BURST)
            .map(Integer::longValue)
            .orElseGet(() -> maxRate.map(CollectSettings::burstOf).orElse(1L)),
        settings.get(CollectKeys.ADAPTIVE),
        settings.get(CollectKeys.TARGET_LATENCY),
        settings.get(CollectKeys.DELETE),
        settings.get(CollectKeys.REJECTS_RETENTION));
  }

  private static long burstOf(Rate rate) {
    return Math.max(1, rate.rows() / (rate.unit().toSeconds() * BURSTS_A_SECOND));
  }

  /**
   * The database.
   *
   * @throws ConfigException if it is not set
   */
  public String requiredUrl() {
    return url.orElseThrow(
        () ->
            new ConfigException(
                CollectKeys.JDBC_URL.propertyName()
                    + " is not set: expected: "
                    + CollectKeys.JDBC_URL.type().allowed()));
  }

  /** The URL; without the password. */
  @Override
  public String toString() {
    return "CollectSettings[url=%s]".formatted(url.orElse("none"));
  }
}
