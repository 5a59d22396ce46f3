// Elements from text. Text from outsiders goes through textContent alone: nothing here parses HTML.

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith('on')) {
      node.addEventListener(name.slice(2), value);
    } else {
      node.setAttribute(name, value === true ? '' : String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      node.append(child instanceof Node ? child : visible(String(child)));
    }
  }
  return node;
}

/** Characters that turn the direction of text, or are not seen, are shown by their numbers. */
export function visible(text) {
  return text.replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
      (c) => '\u27e8' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '\u27e9');
}

export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function s(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Replaces the children of a node. */
export function show(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child));
}

/** Sets text only where it has changed, so that selections and screen readers are left alone. */
export function setText(node, text) {
  const seen = visible(String(text));
  if (node.textContent !== seen) {
    node.textContent = seen;
  }
}
