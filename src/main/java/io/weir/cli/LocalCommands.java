package io.weir.cli;

import java.util.List;

/** Commands that exist only on a developer's machine; found by {@link java.util.ServiceLoader}. */
public interface LocalCommands {
  /** Classes for picocli, with {@code @Command} and a constructor without arguments. */
  List<Class<?>> commands();
}
