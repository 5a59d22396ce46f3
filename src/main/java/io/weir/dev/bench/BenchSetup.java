package io.weir.dev.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * With what a bench is carried out.
 *
 * @param brokerCommand main class and arguments of a broker that prints its address
 * @param compression of the loads, as Kafka calls it
 * @param classesBefore classes of another build, for {@link Subject#WEIR_BEFORE}
 */
public record BenchSetup(
    List<String> brokerCommand, String compression, Optional<Path> classesBefore) {
  public BenchSetup {
    brokerCommand = List.copyOf(brokerCommand);
  }
}
