/**
 * The HTTP pages of running processes, and what is in them: metrics and JSON. Uses nothing else of
 * Weir.
 */
package io.weir.cli.pages;
