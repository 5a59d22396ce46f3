/**
 * Reads the HTTP pages of running processes. {@link io.weir.cli.pages.Processes} requests them;
 * metrics become an {@link io.weir.cli.pages.Exposition}. Uses nothing else of Weir.
 */
package io.weir.cli.pages;
