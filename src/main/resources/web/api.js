// Questions to the API, and its streams.

/** An answer that is an error; detail is a sentence for a person. */
export class Failure extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

export async function ask(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== '' && value !== null && value !== undefined) {
      query.set(name, value);
    }
  }
  const text = query.toString();
  return get('/api/v1/' + path + (text ? '?' + text : ''), signal);
}

/** A path of the API as the server gave it, such as that of a next page. */
export async function get(path, signal = undefined) {
  let response;
  try {
    response = await fetch(path, {signal, headers: {Accept: 'application/json'}});
  } catch (error) {
    if (error.name === 'AbortError') {
      throw error;
    }
    throw new Failure(0, 'weir serve does not answer.');
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new Failure(response.status, body.detail || 'The answer was ' + response.status + '.');
  }
  return body;
}

/**
 * Events of a stream, for as long as the page is seen: a browser has six connections to a server,
 * and tabs in the background are to leave them to others.
 */
export function stream(parameters, handlers, onState) {
  const url = '/api/v1/stream?' + new URLSearchParams(parameters);
  let source = null;
  let closed = false;

  function open() {
    if (closed || source || document.hidden) {
      return;
    }
    source = new EventSource(url);
    source.addEventListener('open', () => onState(true));
    source.addEventListener('error', () => {
      onState(false);
      if (source && source.readyState === EventSource.CLOSED) {
        source = null;
        setTimeout(open, 3000);
      }
    });
    for (const [name, handler] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
    }
  }

  function close() {
    if (source) {
      source.close();
      source = null;
    }
  }

  function onVisibility() {
    if (document.hidden) {
      close();
    } else {
      open();
    }
  }

  document.addEventListener('visibilitychange', onVisibility);
  open();
  return () => {
    closed = true;
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
