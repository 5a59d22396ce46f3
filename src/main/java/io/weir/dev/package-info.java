/** What development and tests need and production never gets: the embedded broker. */
package io.weir.dev;
