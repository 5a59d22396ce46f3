package io.weir.internal.app;

import java.time.Duration;
import java.util.Optional;

/**
 * The settings of an import.
 *
 * @param name of the import
 * @param instance name of this process among those of the import
 * @param from start of partitions that it never had
 * @param format of the records; empty for that of the mapping
 * @param commitInterval least time between two transactions
 * @param maxReadings of a record
 * @param maxIdle how long records wait for older records of another partition
 */
public record ImportOptions(
    Optional<String> name,
    String instance,
    String from,
    Optional<String> format,
    Duration commitInterval,
    int maxReadings,
    Duration maxIdle) {
  static ImportOptions of(Settings settings) {
    return new ImportOptions(
        settings.find(ImportKeys.NAME),
        settings.get(ImportKeys.INSTANCE),
        settings.get(ImportKeys.FROM),
        settings.find(ImportKeys.FORMAT),
        settings.get(ImportKeys.COMMIT_INTERVAL),
        settings.get(ImportKeys.MAX_READINGS),
        settings.get(ImportKeys.MAX_IDLE));
  }
}
