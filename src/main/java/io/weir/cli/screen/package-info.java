/**
 * Text for a terminal: rows with styles, numbers, and the size of the terminal. Uses {@code text}.
 */
package io.weir.cli.screen;
