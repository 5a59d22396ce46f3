package io.weir.internal.ops;

/** Answers all requests of an {@link HttpEndpoint}, errors included. Called by several threads. */
public interface Site {
  /** Of a request's body one byte more than this is read at the most. */
  int MAX_BODY_BYTES = 4_096;

  /** As {@link Page#reply}. */
  Reply reply(SiteRequest request);

  /** The answer where the site itself failed. */
  Reply broken();
}
