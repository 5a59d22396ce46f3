/**
 * Text for a terminal: rows with styles, numbers, and what the terminal is. Uses nothing else of
 * Weir.
 */
package io.weir.cli.screen;
