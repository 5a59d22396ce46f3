package io.weir.app;

import java.time.Duration;
import java.util.Optional;

/**
 * Where rows are collected from, and how.
 *
 * @param url the database, by JDBC; empty where there is none
 * @param user the role that owns the tables; empty for the driver's default
 * @param password of that role
 * @param batchLimit rows after which what waits is sent
 * @param batchTimeout time after the first row was seen when what waits is sent
 * @param pollInterval how often the outbox is looked at, notified or not
 * @param healthcheckInterval after which a silent connection is given up
 * @param maxRate most rows over a span of time; empty for no bound
 * @param burst rows that the rate lets through at once after a rest
 * @param adaptive whether the limit follows backlog and latency
 * @param targetLatency how long acknowledgements may take with it
 * @param delete whether acknowledged rows are deleted
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
    boolean delete) {
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
        settings.get(CollectKeys.DELETE));
  }

  private static long burstOf(Rate rate) {
    return Math.max(1, rate.rows() / (rate.unit().toSeconds() * BURSTS_A_SECOND));
  }

  /**
   * The database.
   *
   * @throws ConfigException if none is set
   */
  public String requiredUrl() {
    return url.orElseThrow(
        () ->
            new ConfigException(
                CollectKeys.JDBC_URL.propertyName()
                    + " is not set: expected: "
                    + CollectKeys.JDBC_URL.type().allowed()));
  }

  /** Names the database; the password is not shown. */
  @Override
  public String toString() {
    return "CollectSettings[url=%s]".formatted(url.orElse("none"));
  }
}
