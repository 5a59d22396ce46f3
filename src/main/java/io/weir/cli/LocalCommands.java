package io.weir.cli;

import java.util.List;

/**
 * Commands that are there on a developer's machine alone; found by {@link java.util.ServiceLoader}.
 */
public interface LocalCommands {
  /** New command objects, annotated for picocli, in the order of the help text. */
  List<Object> commands();
}
