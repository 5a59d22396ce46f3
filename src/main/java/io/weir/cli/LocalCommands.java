package io.weir.cli;

import java.util.List;

/**
 * Commands that are there on a developer's machine alone; found by {@link java.util.ServiceLoader}.
 */
public interface LocalCommands {
  /** Classes that picocli can make and reads: {@code @Command}, a constructor without arguments. */
  List<Class<?>> commands();
}
