/**
 * The output of commands. {@link io.weir.cli.output.Results} is standard output, and reports when
 * it is closed; {@link io.weir.cli.output.Messages} is standard error. Uses {@code text}.
 */
package io.weir.cli.output;
