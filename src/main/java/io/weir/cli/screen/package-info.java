/**
 * Text for a terminal: rows with styles, numbers, and the size of the terminal. Uses nothing else
 * of Weir.
 */
package io.weir.cli.screen;
