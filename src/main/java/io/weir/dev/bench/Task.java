package io.weir.dev.bench;

import java.util.List;

/**
 * What a measured process is to do.
 *
 * @param run a name that no other run has: its topics and groups begin with it
 * @param topic where the load stands; what a publisher ignores
 * @param readings how many there are to process
 * @param warmUp how many of them, the first ones, are not measured
 * @param threads that work
 * @param perSecond readings to offer a second, where that is given
 */
record Task(
    Subject subject,
    String bootstrapServers,
    String run,
    String topic,
    long readings,
    long warmUp,
    int threads,
    long perSecond) {
  Task {
    if (warmUp < 0 || warmUp >= readings) {
      throw new IllegalArgumentException("warm-up of " + warmUp + " of " + readings + " readings");
    }
  }

  Task withThreads(int number) {
    return new Task(subject, bootstrapServers, run, topic, readings, warmUp, number, perSecond);
  }

  List<String> toArguments() {
    return List.of(
        subject.name(),
        bootstrapServers,
        run,
        topic,
        Long.toString(readings),
        Long.toString(warmUp),
        Integer.toString(threads),
        Long.toString(perSecond));
  }

  static Task ofArguments(List<String> arguments) {
    return new Task(
        Subject.valueOf(arguments.get(0)),
        arguments.get(1),
        arguments.get(2),
        arguments.get(3),
        Long.parseLong(arguments.get(4)),
        Long.parseLong(arguments.get(5)),
        Integer.parseInt(arguments.get(6)),
        Long.parseLong(arguments.get(7)));
  }
}
