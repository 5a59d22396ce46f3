// Numbers and times as people read them.

let utc = localStorage.getItem('weir.zone') === 'utc';

export function isUtc() {
  return utc;
}

export function toggleZone() {
  utc = !utc;
  localStorage.setItem('weir.zone', utc ? 'utc' : 'local');
}

function parts(ms) {
  const date = new Date(ms);
  const get = (name) => (utc ? date['getUTC' + name]() : date['get' + name]());
  const two = (value) => String(value).padStart(2, '0');
  return {
    day: get('FullYear') + '-' + two(get('Month') + 1) + '-' + two(get('Date')),
    minute: two(get('Hours')) + ':' + two(get('Minutes')),
    second: two(get('Seconds')),
    milli: get('Milliseconds'),
  };
}

export function iso(ms) {
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : String(ms);
}

/** The time of day, with the day where it is not today. */
export function time(ms) {
  if (!ms || Math.abs(ms) >= 8.64e15) {
    return '\u2013';
  }
  const then = parts(ms);
  const clock = then.minute + ':' + then.second
      + (then.milli ? '.' + String(then.milli).padStart(3, '0') : '');
  return then.day === parts(Date.now()).day ? clock : then.day + ' ' + clock;
}

/** For an axis. */
export function tick(ms, stepMs) {
  const then = parts(ms);
  return stepMs >= 86400000 ? then.day.slice(5)
    : stepMs >= 60000 ? then.minute : then.minute + ':' + then.second;
}

/** How long ago, in one unit. */
export function ago(ms, now = Date.now()) {
  return !ms ? '\u2013' : now - ms < 1000 ? 'now' : duration(now - ms) + ' ago';
}

export function duration(ms) {
  if (ms < 1000) {
    return Math.round(ms) + ' ms';
  }
  for (const [unit, size] of [['d', 86400000], ['h', 3600000], ['min', 60000], ['s', 1000]]) {
    if (ms >= size) {
      const value = ms / size;
      return (value < 10 && unit !== 's' ? Math.round(value * 10) / 10 : Math.floor(value)) + ' ' + unit;
    }
  }
  return '0 s';
}

/** At most six digits; the whole number is in the title of its cell. */
export function number(value) {
  if (value === null || value === undefined) {
    return '\u2013';
  }
  if (typeof value === 'string' || !Number.isFinite(value)) {
    return String(value);
  }
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-4)) {
    return value.toExponential(4).replace(/\.?0+e/, 'e');
  }
  const rounded = value.toPrecision(6);
  return Number(rounded) === value ? String(value) : rounded;
}

export function count(value) {
  return Number(value).toLocaleString('en-US', {maximumFractionDigits: 0});
}

export function rate(value) {
  return value >= 100 ? count(value) : value === 0 ? '0' : Number(value).toFixed(value < 10 ? 1 : 0);
}

export function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let at = 0;
  while (value >= 1024 && at < units.length - 1) {
    value /= 1024;
    at++;
  }
  return number(Math.round(value * 10) / 10) + ' ' + units[at];
}
