package io.weir.cli.output;

/**
 * The reader of standard output has closed it: the command ends immediately, without a message and
 * with success.
 */
public final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputClosedException(Throwable cause) {
    super("standard output is closed", cause);
  }
}
