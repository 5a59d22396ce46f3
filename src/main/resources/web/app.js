// The page: its frame, the address, and which view is shown.

import {ask, stream} from './api.js';
import {h, setText, show} from './dom.js';
import {duration, isUtc, time, toggleZone} from './format.js';
import {alarms, health, login, overview, refused, sensor, sensors, why} from './views.js';

const main = document.getElementById('main');
const live = document.getElementById('live');
const stale = document.getElementById('stale');
const search = document.getElementById('search');
const routes = [
  [/^#?\/?$/, overview, 'Overview', '#/'],
  [/^#\/sensors$/, sensors, 'Sensors', '#/sensors'],
  [/^#\/s\/(.+)$/, sensor, 'Sensor', '#/sensors'],
  [/^#\/why$/, why, 'Why', '#/sensors'],
  [/^#\/alarms$/, alarms, 'Alarms', '#/alarms'],
  [/^#\/refused$/, refused, 'Refused', '#/refused'],
  [/^#\/health$/, health, 'Health', '#/health'],
];

let leave = () => {};
let newest = null;
let heardAt = 0;
let reached = false;

/** What a view may use of the frame. */
const frame = {
  overview: new Set(),
  /** The last overview, and each that comes. */
  onOverview(listener) {
    this.overview.add(listener);
    if (newest) {
      listener(newest);
    }
    return () => this.overview.delete(listener);
  },
  go(path, parameters = {}) {
    location.hash = address(path, parameters);
  },
  /** Changes the address without another entry in the history. */
  stay(path, parameters) {
    history.replaceState(null, '', '#' + address(path, parameters));
  },
};

function address(path, parameters) {
  const query = new URLSearchParams(
      Object.entries(parameters).filter(([, value]) => value)).toString();
  return path + (query ? '?' + query : '');
}

function route() {
  const [path, query = ''] = location.hash.split('?', 2);
  leave();
  leave = () => {};
  for (const [pattern, view, title, current] of routes) {
    const match = pattern.exec(path);
    if (match) {
      let name = '';
      try {
        name = decodeURIComponent(match[1] || '');
      } catch {
        break;
      }
      document.title = (name || title) + ' \u2013 Weir';
      for (const link of document.querySelectorAll('#nav a')) {
        if (link.getAttribute('href') === current) {
          link.setAttribute('aria-current', 'page');
        } else {
          link.removeAttribute('aria-current');
        }
      }
      leave = view(main, frame, new URLSearchParams(query), name) || (() => {});
      return;
    }
  }
  show(main, h('p', {class: 'empty'}, 'There is no such view. ', h('a', {href: '#/'}, 'Overview')));
}

function state() {
  const silentMs = Date.now() - heardAt;
  let why = '';
  if (newest && (!reached || silentMs > 6000)) {
    why = 'Not connected to weir serve';
  } else if (newest && !newest.connected) {
    why = 'weir serve does not reach Kafka';
  }
  live.className = 'live ' + (why ? 'off' : newest ? 'on' : '');
  setText(live, why ? 'stale' : !newest ? 'connecting'
    : !newest.loaded ? 'reading' : 'lag ' + duration(newest.lag_ms));
  stale.hidden = !why;
  if (why) {
    setText(stale, why + ': what you see is as of ' + time(newest.as_of_ms) + '.');
  }
}

function onOverview(all) {
  newest = all;
  heardAt = Date.now();
  reached = true;
  state();
  frame.overview.forEach((listener) => listener(all));
}

function theme(name) {
  document.documentElement.dataset.theme = name;
}

const dark = matchMedia('(prefers-color-scheme: dark)');
theme(localStorage.getItem('weir.theme') || (dark.matches ? 'dark' : 'light'));
dark.addEventListener('change', () => {
  if (!localStorage.getItem('weir.theme')) {
    theme(dark.matches ? 'dark' : 'light');
    route();
  }
});
document.getElementById('theme').addEventListener('click', () => {
  const name = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem('weir.theme', name);
  theme(name);
  route();
});

const zone = document.getElementById('zone');
setText(zone, isUtc() ? 'UTC' : 'local');
zone.addEventListener('click', () => {
  toggleZone();
  setText(zone, isUtc() ? 'UTC' : 'local');
  route();
});

document.getElementById('search-form').addEventListener('submit', (event) => {
  event.preventDefault();
  frame.go('/sensors', {prefix: search.value});
});
let typed = 0;
search.addEventListener('input', () => {
  clearTimeout(typed);
  typed = setTimeout(() => frame.go('/sensors', {prefix: search.value}), 200);
});
document.addEventListener('keydown', (event) => {
  const inField = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (event.key === '/' && !inField && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === 'Escape' && document.activeElement === search) {
    main.focus();
  }
});
// A touch or a click shows the whole number: a phone has no titles.
main.addEventListener('click', (event) => {
  const cell = event.target.closest('td.num[title]');
  if (cell) {
    const whole = cell.title;
    cell.title = cell.textContent;
    setText(cell, whole);
  }
});
addEventListener('hashchange', route);

async function start() {
  try {
    onOverview(await ask('overview'));
  } catch (error) {
    if (error.status === 401 || error.status === 403) {
      login(main, error.message);
      setText(live, 'no access');
      return;
    }
    show(main, h('p', {class: 'empty'}, error.message));
    setTimeout(start, 3000);
    return;
  }
  route();
  stream({view: 'overview'}, {snapshot: onOverview, delta: onOverview}, (on) => {
    reached = on;
    state();
    if (!on) {
      // A stream does not say why it ended: perhaps the login has.
      ask('overview').catch((error) => error.status === 401 && location.reload());
    }
  });
  setInterval(state, 1000);
}

start();
