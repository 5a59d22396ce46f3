/**
 * Text for a terminal. {@link io.weir.cli.screen.Terminal} finds its size; {@link
 * io.weir.cli.screen.Row} is a line with styles. Uses {@code text}.
 */
package io.weir.cli.screen;
