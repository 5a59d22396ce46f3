package io.weir.lab.bench;

import io.weir.edge.Compression;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * With what a bench is carried out.
 *
 * @param brokerCommand main class and arguments of a broker that prints its address
 * @param compression of the loads
 * @param classesBefore classes of another build, for {@link Subject#WEIR_BEFORE}
 * @param peers directory with classes and libraries of what is {@linkplain Subject#isPeer a peer}
 * @param outOfOrderness what is compared with Weir and has no time for each sensor allows a reading
 *     to be so far behind the newest of its partition
 */
public record BenchSetup(
    List<String> brokerCommand,
    Compression compression,
    Optional<Path> classesBefore,
    Optional<Path> peers,
    Duration outOfOrderness) {
  /** None of the loads' readings is later than that. */
  public static final Duration ENOUGH = Duration.ofSeconds(15);

  public BenchSetup {
    brokerCommand = List.copyOf(brokerCommand);
  }

  /** What goes in front of the class path of a measured process; empty for nothing. */
  String classPathBefore(Subject subject) {
    if (subject == Subject.WEIR_BEFORE) {
      return classesBefore.orElseThrow() + File.pathSeparator;
    }
    if (subject.isPeer()) {
      return Peers.classPath(peers.orElseThrow());
    }
    return "";
  }
}
