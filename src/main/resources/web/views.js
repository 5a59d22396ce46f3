// The views. Each fills the main part and returns what is to be done when it is left.

import {ask, get, stream} from './api.js';
import {BandChart, Spark} from './chart.js';
import {h, s, setText, show} from './dom.js';
import {ago, count, duration, iso, number, rate, time} from './format.js';

const PAGE = 100;
const KEPT = 60;
const SHORT = 8;
const SPANS = [['15m', 900000], ['1h', 3600000], ['6h', 21600000], ['24h', 86400000]];

/** What a reader can do about a refusal; more in docs/reference/dead-letters.md. */
const CURES = {
  UNSIGNED: 'Give the gateway a key (weir key gateway), or do not require signatures.',
  BAD_SIGNATURE: 'The gateway signs with a wrong key, or somebody forges its records. Look at its key file.',
  UNDECODABLE: 'The record is not a batch of readings. Look at what else writes to the topic.',
  UNKNOWN_SCHEMA: 'Register the schema, or configure the same registry for gateway and weir run.',
  UNKNOWN_RESET: 'A client writes marks that only an operator may write. Take its right to write away.',
  INVALID_GATEWAY: 'Set the gateway id in the publisher: 1 to 256 bytes.',
  INVALID_SEQUENCE: 'The publisher numbers its batches wrongly. Use the publisher of Weir, or send no boot id.',
  EXPIRED_KEY: 'Derive a new key for the gateway from a master that is valid now.',
  REVOKED: 'The file of gateways revokes it. Change the file if that is wrong, then redrive.',
  FUTURE_BOOT: 'The clock of the gateway is ahead. Set its clock and start it again.',
  TOO_MANY_GATEWAYS: 'Raise weir.max.gateways, or look for a client that invents gateway ids.',
  FENCED: 'An older process of this gateway still sends. Stop it; never give two gateways one id.',
  STALE_SEQUENCE: 'The batch is very old and may have been counted. Redrive it only by its reason.',
  TOO_MANY_WINDOWS: 'The batch spans too many windows. Send smaller batches, or raise weir.max.batch.windows.',
  MISSING_SENSOR_ID: 'Name the sensor in the gateway.',
  SENSOR_ID_TOO_LONG: 'Shorten the sensor id, or raise weir.max.id.bytes.',
  INVALID_VALUE: 'NaN and infinity are no values. Send quality BAD instead.',
  INVALID_TIMESTAMP: 'Look at the unit of time that the gateway sends: milliseconds are expected.',
  FUTURE_TIMESTAMP: 'The clock of the sensor or gateway is ahead. Set it, then redrive.',
  MISROUTED: 'The client chooses partitions by another hash. Use FNV-1a of the sensor id.',
  NOT_ITS_SENSOR: 'The file of gateways does not give it this sensor. Change the file, then redrive.',
  TOO_MANY_SENSORS: 'Raise weir.max.sensors, or look for a client that invents sensor ids.',
  WITHHELD: 'Other readings of its windows may be lost. Read the runbook before a redrive.',
};

const SHAPES = {
  good: ['circle', {cx: 5, cy: 5, r: 4}],
  warn: ['path', {d: 'M5 1 L9.5 9 L.5 9 Z'}],
  bad: ['rect', {x: 1, y: 1, width: 8, height: 8}],
  none: ['circle', {cx: 5, cy: 5, r: 3.2, fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5}],
};

/** A word with a shape: states do not differ by colour alone. */
function tag(kind, text) {
  const [shape, attributes] = SHAPES[kind];
  return h('span', {class: 'tag ' + kind},
      s('svg', {viewBox: '0 0 10 10', width: 10, height: 10, fill: 'currentColor', 'aria-hidden': 'true'},
          s(shape, attributes)), text);
}

const STATES = {
  started: 'good', resumed: 'good', silent: 'warn', finished: 'none', unspecified: 'none',
};

function stateTag(state) {
  return tag(STATES[state] || 'none', state === 'unspecified' ? 'no status' : state);
}

function sensorHref(id) {
  return '#/s/' + encodeURIComponent(id);
}

function when(ms, text = time(ms)) {
  return h('time', {datetime: iso(ms), title: iso(ms)}, text);
}

function num(value, name = null) {
  const text = number(value);
  return h('td', {class: 'num', title: value === null || String(value) === text ? null : String(value), 'data-name': name}, text);
}

function table(classes, heads, body) {
  return h('table', {class: classes},
      h('thead', {}, h('tr', {}, heads.map(([text, kind]) => h('th', {class: kind || null, scope: 'col'}, text)))),
      body);
}

/** Rows that are all here, a page of them at a time. */
function paged(rows, draw, at = 0) {
  const node = h('div', {}, draw(rows.slice(at, at + PAGE)));
  const turn = (to) => h('button', {type: 'button', disabled: to < 0 || to >= rows.length,
    onclick: () => node.replaceWith(paged(rows, draw, to))}, to < at ? 'previous' : 'next');
  if (rows.length > PAGE) {
    node.append(h('div', {class: 'more row'}, turn(at - PAGE),
        h('span', {class: 'note'}, count(at + 1) + '\u2013' + count(Math.min(rows.length, at + PAGE)) + ' of ' + count(rows.length)),
        turn(at + PAGE)));
  }
  return node;
}

function failed(node, error) {
  if (error.name !== 'AbortError') {
    show(node, h('p', {class: 'empty'}, error.message));
  }
}

function meanOf(window) {
  return window && window.count ? window.sum / window.count : null;
}

export function login(main, why) {
  show(main, h('form', {class: 'card login', method: 'post', action: '/login'},
      h('h1', {}, 'Log in'), h('p', {class: 'note'}, why),
      h('label', {for: 'token'}, 'Token'),
      h('input', {id: 'token', name: 'token', type: 'password', autocomplete: 'current-password', required: true}),
      h('button', {type: 'submit'}, 'Log in')));
}

export function overview(main, frame) {
  const spark = new Spark('Readings a second over the last minute');
  const figures = {};
  const figure = (key, name, href) => {
    figures[key] = h('span', {class: 'value'}, '\u2013');
    return h(href ? 'a' : 'div', {href}, h('span', {class: 'name'}, name), figures[key]);
  };
  const groups = h('section', {hidden: true});
  const panel = (title, href, all) => {
    const body = h('div', {});
    const node = h('section', {class: 'card panel'},
        h('div', {class: 'panel-head'}, h('h2', {}, title), h('a', {href}, all)), body);
    return {body, node};
  };
  const active = panel('Newest alarms', '#/alarms?active=true', 'all alarms');
  const refusals = panel('Refused and late, by reason', '#/refused', 'all records');
  const silent = panel('Silent sensors', '#/sensors?state=silent', 'all silent');
  const newest = panel('Newest windows', '#/sensors', 'all sensors');
  show(main,
      h('h1', {class: 'unseen'}, 'Overview'),
      h('section', {class: 'card figures', 'aria-label': 'Sensors'},
          figure('speaking', 'speaking', '#/sensors'),
          figure('silent', 'silent', '#/sensors?state=silent'),
          figure('finished', 'finished', '#/sensors?state=finished'),
          figure('alarms', 'active alarms', '#/alarms?active=true'),
          figure('late', 'late /s', '#/refused?kind=late'),
          figure('refused', 'refused /s', '#/refused')),
      h('section', {class: 'card flow', 'aria-label': 'Flow'}, spark.node,
          h('dl', {},
              h('div', {}, h('dt', {}, 'readings /s'), figures.readings = h('dd', {}, '\u2013')),
              h('div', {}, h('dt', {}, 'windows /s'), figures.windows = h('dd', {}, '\u2013')),
              h('div', {}, h('dt', {}, 'lag'), figures.lag = h('dd', {}, '\u2013')))),
      h('div', {class: 'panels'}, active.node, refusals.node, silent.node, newest.node), groups);

  const off = frame.onOverview((all) => {
    const speaking = all.sensors.started + all.sensors.resumed + all.sensors.unspecified;
    const alarming = Object.values(all.alarms).reduce((sum, each) => sum + each, 0);
    const refusedRate = Object.values(all.dead_letters_per_s).reduce((sum, each) => sum + each, 0);
    setText(figures.speaking, count(speaking));
    setText(figures.silent, count(all.sensors.silent));
    setText(figures.finished, count(all.sensors.finished));
    setText(figures.alarms, count(alarming));
    setText(figures.late, rate(all.late_per_s));
    setText(figures.refused, rate(refusedRate));
    figures.silent.parentNode.className = all.sensors.silent ? 'warn' : '';
    figures.alarms.parentNode.className = alarming ? 'bad' : '';
    figures.refused.parentNode.className = refusedRate ? 'bad' : '';
    figures.late.parentNode.className = all.late_per_s ? 'warn' : '';
    const seconds = all.readings_per_s;
    setText(figures.readings, rate(seconds.slice(-10).reduce((sum, each) => sum + each, 0) / 10));
    setText(figures.windows, rate(all.windows_per_s));
    setText(figures.lag, duration(all.lag_ms));
    spark.set(seconds);
    drawRefusals(refusals.body, all);
    if (!newest.body.contains(document.activeElement)) {
      show(newest.body, all.newest.length ? table('cards',
          [['sensor'], ['start'], ['count', 'num'], ['mean', 'num'], ['batches']],
          h('tbody', {}, all.newest.slice(0, SHORT).map((window) => h('tr', {},
              idCell(window.sensor_id),
              h('td', {class: 'dim'}, when(window.window_start_ms)),
              num(window.count, 'count'), num(meanOf(window), 'mean'),
              h('td', {}, whyLink(window.sensor_id, window.window_start_ms))))))
        : h('p', {class: 'empty'}, 'No windows yet. Send a reading, and its window appears here.'));
    }
  });

  async function fill(node, path, parameters, draw) {
    try {
      const answer = await ask(path, parameters);
      if (!node.contains(document.activeElement)) {
        show(node, draw(answer));
      }
    } catch (error) {
      failed(node, error);
    }
  }

  function load() {
    fill(groups, 'groups', {limit: PAGE}, (answer) => {
      const rows = answer.groups.filter((group) => group.sensors)
          .sort((a, b) => b.alarms - a.alarms || b.silent - a.silent);
      groups.hidden = rows.length < 2;
      return [h('h2', {}, 'Groups'), h('div', {class: 'card scroll'}, table('cards',
          [['group'], ['sensors', 'num'], ['silent', 'num'], ['alarms', 'num'], ['state']],
          h('tbody', {}, rows.map((group) => h('tr', {},
              h('td', {class: 'id'}, h('a', {href: '#/sensors?' + new URLSearchParams({group: group.group})}, group.group)),
              num(group.sensors, 'sensors'), num(group.silent, 'silent'), num(group.alarms, 'alarms'),
              h('td', {}, group.alarms ? tag('bad', 'alarm') : group.silent ? tag('warn', 'silent') : tag('good', 'ok')))))))];
    });
    fill(active.body, 'alarms', {active: 'true', limit: SHORT}, (answer) => answer.alarms.length ? table('cards',
        [['sensor'], ['rule'], ['value', 'num'], ['since', 'num']],
        h('tbody', {}, answer.alarms.map((alarm) => h('tr', {},
            idCell(alarm.sensor_id), h('td', {class: 'clip'}, tag('bad', alarm.rule)), num(alarm.value, 'value'),
            h('td', {class: 'dim num'}, when(alarm.since_ms, ago(alarm.since_ms)))))))
      : h('p', {class: 'empty'}, 'No alarm is active.'));
    fill(silent.body, 'sensors', {state: 'silent', limit: SHORT}, (answer) => answer.sensors.length ? table('cards',
        [['sensor'], ['gateway'], ['last mean', 'num'], ['last', 'num']],
        h('tbody', {}, answer.sensors.map((each) => h('tr', {},
            idCell(each.sensor_id), h('td', {class: 'dim clip'}, each.gateway_id || '\u2013'), num(meanOf(each.newest), 'last mean'),
            h('td', {class: 'dim num'}, lastReading(each))))))
      : h('p', {class: 'empty'}, 'No sensor is silent.'));
  }

  load();
  const timer = setInterval(() => document.hidden || load(), 5000);
  return () => {
    clearInterval(timer);
    off();
  };
}

/** Rates by reason, as bars, each with a link to its records. */
function drawRefusals(node, all) {
  const rates = Object.entries(all.dead_letters_per_s).map(([reason, perSecond]) =>
    ({reason, perSecond, kind: 'bad', href: '#/refused?' + new URLSearchParams({reason})}));
  rates.push({reason: 'LATE', perSecond: all.late_per_s, kind: 'warn', href: '#/refused?kind=late'});
  rates.sort((a, b) => b.perSecond - a.perSecond || (a.reason < b.reason ? -1 : 1));
  const most = Math.max(1e-9, rates[0].perSecond);
  if (node.contains(document.activeElement)) {
    return;
  }
  show(node, h('ul', {class: 'rates'}, rates.slice(0, SHORT).map((each) => {
    const bar = h('i', {class: each.kind, 'aria-hidden': 'true'});
    bar.style.width = each.perSecond / most * 100 + '%';
    return h('li', {}, h('a', {href: each.href}, each.reason), h('span', {class: 'track'}, bar),
        h('span', {class: 'num', title: CURES[each.reason] || null}, rate(each.perSecond) + ' /s'));
  })));
}

function idCell(id) {
  return h('td', {class: 'id'}, h('a', {href: sensorHref(id)}, id));
}

function whyLink(id, at, name = 'start', size = null) {
  return h('a', {href: '#/why?' + new URLSearchParams({id, [name]: at, ...(size ? {size} : {})}), 'aria-label': 'Why: ' + id + ' ' + time(at)}, 'why');
}

/** When a sensor sent its last reading: the status tells of changes alone, windows tell of all readings. */
function lastReading(sensor) {
  const newest = sensor.newest;
  const lastMs = Math.max(sensor.last_timestamp_ms || 0, newest && newest.count ? newest.window_end_ms : 0);
  return lastMs && sensor.state === 'silent' && sensor.last_timestamp_ms
    ? when(sensor.last_timestamp_ms, ago(sensor.last_timestamp_ms))
    : lastMs ? when(lastMs, ago(lastMs)) : '\u2013';
}

function sensorTable(rows) {
  return table('cards',
      [['sensor'], ['state'], ['last reading'], ['mean', 'num'], ['min', 'num'], ['max', 'num'], ['alarms']],
      h('tbody', {}, rows.map(sensorRow)));
}

function sensorRow(sensor) {
  const newest = sensor.newest;
  const active = sensor.alarms.filter((alarm) => alarm.active);
  return h('tr', {},
      idCell(sensor.sensor_id),
      h('td', {}, stateTag(sensor.state)),
      h('td', {class: 'dim'}, lastReading(sensor)),
      num(meanOf(newest), 'mean'),
      num(newest && newest.count ? newest.min : null, 'min'),
      num(newest && newest.count ? newest.max : null, 'max'),
      h('td', {}, active.length ? tag('bad', active[0].rule + (active.length > 1 ? ' +' + (active.length - 1) : '')) : ''));
}

export function sensors(main, frame, query) {
  const filter = {
    prefix: query.get('prefix') || '', state: query.get('state') || '',
    group: query.get('group') || '', alarm: query.get('alarm') || '',
  };
  const search = document.getElementById('search');
  if (document.activeElement !== search) {
    search.value = filter.prefix;
  }
  const list = h('div', {class: 'card scroll'});
  const total = h('span', {class: 'note', role: 'status'});
  const state = h('select', {'aria-label': 'State', onchange: () => frame.go('/sensors', {...filter, state: state.value})},
      ['', 'started', 'resumed', 'silent', 'finished'].map((name) =>
        h('option', {value: name, selected: name === filter.state}, name || 'any state')));
  const alarm = h('button', {type: 'button', 'aria-pressed': String(filter.alarm === 'active'),
    onclick: () => frame.go('/sensors', {...filter, alarm: filter.alarm ? '' : 'active'})}, 'with alarm');
  show(main,
      h('div', {class: 'head'}, h('h1', {}, filter.group ? 'Sensors of ' + filter.group : 'Sensors'), total,
          h('span', {class: 'grow'}), state, alarm,
          filter.group || filter.prefix || filter.state || filter.alarm ? h('a', {href: '#/sensors'}, 'all') : null),
      list);
  const control = new AbortController();
  // The path of each page that was shown: pages are few rows, so that a million sensors are none.
  const pageAfter = (after) => '/api/v1/sensors?' + new URLSearchParams(
      Object.entries({...filter, after, limit: PAGE}).filter(([, value]) => value));
  let at = query.get('after') ? Math.max(1, Number(query.get('page')) || 1) : 0;
  const pages = [pageAfter('')];
  pages[at] = pageAfter(query.get('after') || '');

  async function load() {
    try {
      const answer = await get(pages[at], control.signal);
      setText(total, count(answer.total) + (answer.total === 1 ? ' sensor' : ' sensors'));
      if (answer.next) {
        pages[at + 1] = answer.next;
      }
      const turn = (by) => () => {
        at = pages[at + by] ? at + by : 0;
        frame.stay('/sensors', {...filter, after: new URLSearchParams(pages[at].split('?')[1]).get('after'), page: at});
        load().then(() => scrollTo(0, 0));
      };
      show(list, answer.sensors.length ? sensorTable(answer.sensors)
        : h('p', {class: 'empty'}, filter.prefix ? 'No sensor id begins with \u201c' + filter.prefix + '\u201d.' : 'No sensors.'),
      at || answer.next ? h('div', {class: 'more row'},
          h('button', {type: 'button', disabled: !at, onclick: turn(-1)}, 'previous'),
          h('span', {class: 'note'}, count(at * PAGE + 1) + '\u2013' + count(at * PAGE + answer.sensors.length)),
          h('button', {type: 'button', disabled: !answer.next, onclick: turn(1)}, 'next')) : null);
    } catch (error) {
      failed(list, error);
    }
  }

  load();
  const timer = setInterval(() => document.hidden || list.contains(document.activeElement) || load(), 5000);
  return () => {
    clearInterval(timer);
    control.abort();
  };
}

export function sensor(main, frame, query, id) {
  const span = SPANS.find(([name]) => '-' + name === query.get('from')) || SPANS[1];
  const size = /^\d{1,15}ms$/.test(query.get('size') || '') ? query.get('size') : '';
  const sizeMs = parseInt(size, 10);
  const here = (change) => frame.go('/s/' + encodeURIComponent(id), {from: '-' + span[0], size, ...change});
  const sizes = h('select', {'aria-label': 'Size of the windows', hidden: true, onchange: () => here({size: sizes.value})});
  const facts = h('div', {class: 'facts'});
  const state = h('span', {});
  const chart = new BandChart('Windows of ' + id + ': band from minimum to maximum, line of the mean');
  const source = h('p', {class: 'note', role: 'status'});
  const rows = h('tbody', {});
  let stop = () => {};
  let windows = [];
  let closed = false;
  show(main,
      h('div', {class: 'head'}, h('a', {class: 'back', href: '#/sensors', 'aria-label': 'All sensors'}, '\u2039'), h('h1', {}, id), state),
      facts,
      h('div', {class: 'head', role: 'group', 'aria-label': 'Span'},
          SPANS.map(([name]) => h('button', {type: 'button', 'aria-pressed': String(name === span[0]),
            onclick: () => here({from: '-' + name})}, name)),
          sizes, h('span', {class: 'grow'}), source),
      h('div', {class: 'card'}, chart.node),
      h('h2', {}, 'Windows, newest first'),
      h('div', {class: 'card scroll'}, table('cards',
          [['start'], ['count', 'num'], ['mean', 'num'], ['min', 'num'], ['max', 'num'], ['bad', 'num'], ['state'], ['batches']], rows)));

  function row(w) {
    return h('tr', {},
        h('td', {class: 'id'}, when(w.start)),
        num(w.count, 'count'), num(w.mean, 'mean'), num(w.min, 'min'), num(w.max, 'max'), num(w.bad, 'bad'),
        h('td', {}, w.revision ? tag('warn', 'amended ' + w.revision + '\u00d7') : w.final ? tag('good', 'final') : ''),
        h('td', {}, whyLink(id, w.start, 'start', size)));
  }

  function draw() {
    const last = windows.length ? windows[windows.length - 1].end : 0;
    const to = last && last < Date.now() - span[1] ? last : Math.max(Date.now(), last);
    const from = to - span[1];
    windows = windows.filter((w) => w.end > from);
    const column = (name) => windows.map((w) => w[name]);
    chart.set({start_ms: column('start'), end_ms: column('end'), count: column('count'), mean: column('mean'),
      min: column('min'), max: column('max'), bad_count: column('bad'), revision: column('revision')}, from, to);
    show(rows, windows.slice(-KEPT).reverse().map(row));
  }

  function add(record) {
    const w = {start: record.window_start_ms, end: record.window_end_ms, count: record.count,
      mean: meanOf(record), min: record.count ? record.min : null, max: record.count ? record.max : null,
      bad: record.bad_count, revision: record.revision, final: record.is_final === true};
    if (size ? w.end - w.start !== sizeMs : topic && record.topic !== topic) {
      return; // A window of another size.
    }
    const at = windows.findIndex((each) => each.start === w.start && each.end === w.end);
    if (at >= 0) {
      windows[at] = w;
    } else {
      windows.push(w);
      windows.sort((a, b) => a.start - b.start);
    }
    changed = true;
  }

  let topic = '';
  let changed = false;

  async function describe() {
    const answer = await ask('sensor', {id});
    if (closed) {
      return null;
    }
    topic = answer.newest ? answer.newest.topic : topic;
    show(state, stateTag(answer.state));
    const fact = (name, value) => value ? h('span', {}, name + ' ', h('b', {}, value)) : null;
    show(facts,
        h('span', {}, 'group ', h('a', {href: '#/sensors?' + new URLSearchParams({group: answer.group})}, answer.group)),
        fact('gateway', answer.gateway_id),
        answer.since_ms ? fact('since', time(answer.since_ms)) : null,
        fact('last reading', lastReading(answer)),
        answer.alarms.filter((alarm) => alarm.active).map((alarm) =>
          tag('bad', alarm.rule + ' ' + alarm.level + ' ' + number(alarm.value))));
    return answer.newest;
  }

  async function load() {
    try {
      // Where all windows are older than the span, it ends at the newest of them.
      const newest = await describe();
      const end = newest && newest.window_end_ms < Date.now() - span[1] ? newest.window_end_ms : 0;
      const from = end ? end - span[1] : '-' + span[0];
      const answer = await ask('windows', {id, from, size, form: 'columns', points: 2000});
      if (closed) {
        return;
      }
      const c = answer.windows;
      windows = c.start_ms.map((start, i) => ({start, end: c.end_ms[i], count: c.count[i], mean: c.mean[i],
        min: c.min[i], max: c.max[i], bad: c.bad_count[i], revision: c.revision[i], final: c.final[i]}));
      setText(source, (answer.size_ms ? 'windows of ' + duration(answer.size_ms) : '')
          + (end ? ', until ' + time(end) : '') + (answer.complete ? '' : ', older ones may be missing'));
      draw();
      stop = stream({id}, {
        window: add,
        status: () => describe().catch(() => {}),
        gap: load_again,
        lag: load_again,
      }, () => {});
    } catch (error) {
      failed(main, error);
    }
  }

  function load_again() {
    stop();
    load();
  }

  const off = frame.onOverview((all) => {
    const known = [...new Set([...all.sizes_ms, ...(size ? [sizeMs] : [])])].sort((a, b) => a - b);
    if (known.length > 1 && sizes.length !== known.length + 1) {
      sizes.hidden = false;
      show(sizes, h('option', {value: ''}, 'base windows'), known.map((each) =>
        h('option', {value: each + 'ms', selected: each === sizeMs}, 'windows of ' + duration(each))));
    }
  });
  load();
  const timer = setInterval(() => {
    if (changed && !document.hidden) {
      changed = false;
      draw();
    }
  }, 500);
  const slow = setInterval(() => document.hidden || describe().catch(() => {}), 10000);
  return () => {
    closed = true;
    off();
    clearInterval(timer);
    clearInterval(slow);
    stop();
    chart.close();
  };
}

const FATES = {
  counted: 'good', pending: 'warn', duplicate: 'none', late: 'warn', withheld: 'warn', refused: 'bad', unread: 'none',
};

/** The start of the window of a moment, by the newest window of the sensor. */
async function startOf(id, at) {
  const newest = (await ask('sensor', {id})).newest;
  if (!newest || !Number.isFinite(at)) {
    throw new Error('No window of this sensor says how long its windows are.');
  }
  const size = newest.window_end_ms - newest.window_start_ms;
  return newest.window_start_ms + Math.floor((at - newest.window_start_ms) / size) * size;
}

/** Which batches a window was computed from, and whether it is right. */
export function why(main, frame, query) {
  const id = query.get('id') || '';
  const control = new AbortController();
  const body = h('div', {}, h('p', {class: 'empty', role: 'status'}, 'Reading the batches of the window\u2026'));
  show(main,
      h('div', {class: 'head'}, h('a', {class: 'back', href: sensorHref(id), 'aria-label': 'The sensor'}, '\u2039'), h('h1', {}, 'Why: ' + id)),
      body);
  const span = (w) => [h('b', {}, when(w.window_start_ms)), ' to ', h('b', {}, when(w.window_end_ms))];
  const figures = (head, w) => h('tr', {}, h('td', {class: 'id'}, head),
      num(w.count, 'count'), num(w.count ? w.sum : null, 'sum'), num(w.count ? w.min : null, 'min'),
      num(w.count ? w.max : null, 'max'), num(w.bad_count, 'bad'));

  function batch(row) {
    return h('tr', {},
        h('td', {class: 'id'}, row.offset),
        h('td', {class: 'dim'}, when(row.append_ms)),
        h('td', {}, row.gateway_id || '\u2013'),
        num(row.sequence || null, 'sequence'), num(row.count, 'readings'),
        h('td', {class: 'dim'}, row.readings.slice(0, 5).map((each) => number(each.value)).join(', ')
            + (row.count > 5 ? ', \u2026' : '')),
        h('td', {}, tag(FATES[row.fate] || 'none', row.verdict)));
  }

  async function load() {
    try {
      const start = query.get('start') || await startOf(id, Number(query.get('at')));
      const answer = await ask('explain', {id, start, size: query.get('size') || ''}, control.signal);
      const kinds = {matches: 'good', differs: 'bad'};
      const last = answer.emissions.length;
      show(body,
          h('div', {class: 'facts'}, h('span', {}, span(answer)),
              h('span', {}, answer.topic + '-' + answer.partition),
              tag(kinds[answer.verdict] || 'warn', answer.verdict)),
          answer.detail ? h('p', {class: 'cure'}, answer.detail) : null,
          h('h2', {}, 'Batches, in order'),
          h('div', {class: 'card scroll'}, answer.batches.length ? paged(answer.batches, (rows) => table('cards',
              [['offset'], ['appended'], ['gateway'], ['sequence', 'num'], ['readings', 'num'], ['values'], ['verdict']],
              h('tbody', {}, rows.map(batch))))
            : h('p', {class: 'empty'}, 'No batch has a reading of this window.')),
          h('h2', {}, 'Emitted and recomputed'),
          h('div', {class: 'card scroll'}, table('cards',
              [['window'], ['count', 'num'], ['sum', 'num'], ['min', 'num'], ['max', 'num'], ['bad', 'num']],
              h('tbody', {}, answer.emissions.map((each, i) => figures([when(each.append_ms), ' '
                  + each.close_reason.replace('CLOSE_REASON_', '') + ' ' + each.revision + (i === last - 1 ? ', valid' : '')], each)),
              figures('recomputed', answer.recomputed)))),
          answer.notes.map((note) => h('p', {class: 'note'}, note)));
    } catch (error) {
      failed(body, error);
    }
  }

  load();
  return () => control.abort();
}

export function alarms(main, frame, query) {
  const only = query.get('active') || '';
  const after = Math.max(0, Number(query.get('after')) || 0);
  const list = h('div', {class: 'card scroll'});
  const total = h('span', {class: 'note', role: 'status'});
  show(main,
      h('div', {class: 'head'}, h('h1', {}, 'Alarms'), total, h('span', {class: 'grow'}),
          h('button', {type: 'button', 'aria-pressed': String(only === 'true'),
            onclick: () => frame.go('/alarms', {active: only ? '' : 'true'})}, 'active only')),
      list);
  return stream({view: 'alarms', limit: PAGE, after, ...(only ? {active: only} : {})}, {snapshot: draw, delta: draw}, () => {});

  function turn(by) {
    return () => frame.go('/alarms', {active: only, after: Math.max(0, after + by)});
  }

  function draw(answer) {
    setText(total, count(answer.total) + ' in all');
    if (list.contains(document.activeElement) && list.firstChild) {
      return; // A reader with the keyboard keeps its place.
    }
    show(list, answer.alarms.length ? table('cards',
        [['sensor'], ['state'], ['priority', 'num'], ['rule'], ['level'], ['value', 'num'], ['since'], ['batches']],
        h('tbody', {}, answer.alarms.map((alarm) => h('tr', {},
            idCell(alarm.sensor_id),
            h('td', {}, alarm.active ? tag('bad', 'active') : tag('none', 'ended')),
            num(alarm.priority, 'priority'),
            h('td', {}, alarm.rule), h('td', {class: 'dim'}, alarm.level),
            num(alarm.value, 'value'),
            h('td', {class: 'dim'}, when(alarm.since_ms, ago(alarm.since_ms))),
            h('td', {}, alarm.level.startsWith('silent') ? '' : whyLink(alarm.sensor_id, alarm.since_ms - 1, 'at'))))))
      : h('p', {class: 'empty'}, 'No alarms. Alarms need weir.status=true and a file of rules.'),
    after || answer.next ? h('div', {class: 'more row'},
        h('button', {type: 'button', disabled: !after, onclick: turn(-PAGE)}, 'previous'),
        h('span', {class: 'note'}, count(after + 1) + '\u2013' + count(after + answer.alarms.length)),
        h('button', {type: 'button', disabled: !answer.next, onclick: turn(PAGE)}, 'next')) : null);
  }
}

export function refused(main, frame, query) {
  const kind = query.get('kind') === 'late' ? 'late' : 'dead-letters';
  const reason = query.get('reason') || '';
  const list = h('div', {class: 'letters'});
  const reasons = h('div', {class: 'row'});
  show(main,
      h('div', {class: 'head'}, h('h1', {}, kind === 'late' ? 'Late readings' : 'Refused readings'),
          h('span', {class: 'grow'}),
          [['dead-letters', 'refused'], ['late', 'late']].map(([name, text]) =>
            h('button', {type: 'button', 'aria-pressed': String(name === kind),
              onclick: () => frame.go('/refused', {kind: name === 'late' ? 'late' : ''})}, text))),
      h('div', {class: 'head'}, reasons), list);
  const control = new AbortController();

  const reasonOf = (each) => (each.record.headers || {})['weir.reason'] || (kind === 'late' ? 'LATE' : 'UNKNOWN');

  function letter(each) {
    const record = each.record;
    const headers = record.headers || {};
    const plain = (record.readings || [])[0];
    const series = (record.series || [])[0];
    const first = plain || series;
    const at = plain ? plain.timestamp_ms : series ? series.start_timestamp_ms : 0;
    const message = headers['__streams.errors.message'];
    const readings = (record.readings || []).length
        + (record.series || []).reduce((sum, each) => sum + each.value.length, 0);
    return h('div', {class: 'letter'},
        h('div', {class: 'row'},
            first ? h('a', {class: 'id', href: sensorHref(first.sensor_id)}, first.sensor_id) : null,
            at > 0 ? h('span', {class: 'dim'}, 'of ', when(at)) : null,
            readings > 1 ? h('span', {class: 'dim'}, count(readings) + ' readings') : null,
            headers['weir.gateway'] ? h('span', {class: 'dim'}, 'gateway ' + headers['weir.gateway']) : null,
            at > 0 ? whyLink(first.sensor_id, at, 'at') : null,
            message ? h('span', {class: 'said'}, message) : null,
            h('span', {class: 'grow'}), h('span', {class: 'dim'}, when(each.append_ms, ago(each.append_ms)))),
        h('details', {}, h('summary', {}, record.topic + '-' + record.partition + ' @ ' + record.offset),
            h('pre', {}, JSON.stringify(record, null, 2))));
  }

  /** One card a reason: its remedy once, and below it the records. */
  function cards(records) {
    const byReason = new Map();
    for (const each of records) {
      const of = reasonOf(each);
      byReason.set(of, [...byReason.get(of) || [], each]);
    }
    return [...byReason].map(([of, letters]) => h('section', {class: 'card'},
        h('div', {class: 'panel-head'}, tag(kind === 'late' ? 'warn' : 'bad', of),
            h('p', {class: 'cure'}, of === 'LATE'
              ? 'The window had closed. A longer window.grace waits for it; weir redrive late counts it now.' : CURES[of]),
            byReason.size > 1 ? h('a', {href: '#/refused?' + new URLSearchParams({reason: of})}, 'all ' + of) : null),
        letters.slice(0, byReason.size > 1 ? SHORT : letters.length).map(letter)));
  }

  async function load() {
    try {
      const answer = await ask(kind, {reason, limit: 50}, control.signal);
      if (list.contains(document.activeElement) && list.firstChild) {
        return;
      }
      show(list, answer.records.length ? cards(answer.records)
        : h('p', {class: 'empty card'}, kind === 'late' ? 'No late readings.' : 'Nothing was refused.'));
    } catch (error) {
      failed(list, error);
    }
  }

  const off = frame.onOverview((all) => {
    const names = new Set(Object.keys(all.dead_letters_per_s));
    if (reason) {
      names.add(reason);
    }
    const key = [...names].sort().join(' ');
    if (kind === 'late' || reasons.dataset.key === key) {
      return;
    }
    reasons.dataset.key = key;
    show(reasons, [...names].sort().map((name) => h('button', {type: 'button', 'aria-pressed': String(name === reason),
      onclick: () => frame.go('/refused', {reason: name === reason ? '' : name})}, name)));
  });
  load();
  const timer = setInterval(() => document.hidden || list.querySelector('details[open]') || load(), 5000);
  return () => {
    off();
    clearInterval(timer);
    control.abort();
  };
}

export function health(main, frame) {
  const findings = h('div', {class: 'card'}, h('p', {class: 'empty'}, 'The doctor looks at the cluster\u2026'));
  const bars = h('div', {class: 'bars', role: 'img'});
  const facts = h('div', {class: 'facts'});
  show(main, h('div', {class: 'head'}, h('h1', {}, 'Health')), facts,
      h('div', {class: 'card'}, bars, h('p', {class: 'note caption'}, '\u00a0')),
      h('h2', {}, 'Findings'), findings);
  const caption = bars.nextSibling;
  let closed = false;

  const off = frame.onOverview((all) => {
    const rates = all.partitions.map((each) => each.readings_per_s);
    const most = Math.max(1, ...rates);
    show(bars, all.partitions.map((each) => {
      const bar = h('i', {class: each.lag_ms > 5000 ? 'behind' : null,
        title: 'partition ' + each.partition + ': ' + rate(each.readings_per_s) + ' readings/s, offset '
            + count(each.offset) + ', lag ' + duration(each.lag_ms)});
      bar.style.height = Math.max(3, each.readings_per_s / most * 100) + '%';
      return bar;
    }));
    const behind = all.partitions.filter((each) => each.lag_ms > 5000).length;
    const text = all.partitions.length + ' partitions, the busiest ' + rate(most) + ' readings/s, '
        + (behind ? behind + ' behind' : 'none behind');
    bars.setAttribute('aria-label', text);
    setText(caption, text);
    show(facts, h('span', {}, 'as of ', h('b', {}, time(all.as_of_ms))),
        h('span', {}, 'Kafka ', h('b', {}, all.connected ? 'answers' : 'does not answer')),
        h('span', {}, 'lag ', h('b', {}, duration(all.lag_ms))),
        h('span', {}, 'Weir ', h('b', {}, all.version)),
        h('span', {}, 'windows in memory since ', h('b', {}, time(all.history_from_ms))),
        all.unlisted ? h('span', {}, 'without memory ', h('b', {}, count(all.unlisted))) : null);
  });

  async function load() {
    try {
      const answer = await ask('doctor');
      if (closed) {
        return;
      }
      const kinds = {NOTE: 'none', RISK: 'warn', BROKEN: 'bad'};
      show(findings,
          answer.findings.length ? answer.findings.map((each) => h('div', {class: 'finding'},
              h('div', {class: 'row'}, tag(kinds[each.severity] || 'none', each.severity.toLowerCase()), h('b', {}, each.check)),
              h('p', {}, each.what), h('p', {class: 'cure'}, each.why), h('p', {}, '\u2192 ' + each.remedy)))
            : h('p', {class: 'empty'}, 'No findings.'),
          answer.not_looked.length ? h('div', {class: 'finding'}, h('p', {class: 'cure'}, 'Not looked at: ' + answer.not_looked.join('; '))) : null);
      setTimeout(load, 60000);
    } catch (error) {
      if (!closed) {
        if (error.status !== 503) {
          failed(findings, error);
        }
        setTimeout(load, 3000);
      }
    }
  }

  load();
  return () => {
    closed = true;
    off();
  };
}
