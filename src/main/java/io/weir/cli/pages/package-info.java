/** Reads the HTTP pages of running processes: metrics and JSON. Uses nothing else of Weir. */
package io.weir.cli.pages;
