package io.weir.cli.output;

/** Nobody reads standard output any more: the command ends at once, quietly and well. */
public final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputClosedException(Throwable cause) {
    super("standard output is closed", cause);
  }
}
