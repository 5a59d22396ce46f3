// A chart of windows on a canvas: a rectangle from min to max for each window and a step for its
// mean. Libraries draw lines through points: they lose single windows and fill gaps.

import {number, tick, time} from './format.js';
import {h, setText} from './dom.js';

const STEPS = [1000, 2000, 5000, 10000, 15000, 30000, 60000, 120000, 300000, 600000, 900000,
  1800000, 3600000, 7200000, 10800000, 21600000, 43200000, 86400000, 172800000, 604800000];

function niceStep(span, most) {
  const raw = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= raw) || raw;
}

export class BandChart {
  constructor(label) {
    this.canvas = h('canvas', {tabindex: 0, role: 'img', 'aria-label': label});
    this.readout = h('output', {class: 'readout', 'aria-live': 'polite'});
    this.node = h('figure', {class: 'chart'}, this.canvas, this.readout);
    this.columns = null;
    this.cursor = -1;
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.canvas);
    this.canvas.addEventListener('pointermove', (event) => this.point(event.offsetX));
    this.canvas.addEventListener('pointerleave', () => this.moveTo(-1));
    this.canvas.addEventListener('keydown', (event) => this.key(event));
  }

  close() {
    this.observer.disconnect();
  }

  set(columns, fromMs, toMs) {
    this.columns = columns;
    this.from = fromMs;
    this.to = toMs;
    if (this.cursor >= columns.start_ms.length) {
      this.cursor = -1;
    }
    this.draw();
    this.describe();
  }

  key(event) {
    if (!this.columns || !this.columns.start_ms.length) {
      return;
    }
    const last = this.columns.start_ms.length - 1;
    const at = this.cursor < 0 ? last : this.cursor;
    const to = {
      ArrowLeft: Math.max(0, at - 1), ArrowRight: Math.min(last, at + 1), Home: 0, End: last,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.moveTo(to);
    }
  }

  point(x) {
    if (!this.columns || !this.columns.start_ms.length || !this.scale) {
      return;
    }
    const ms = this.scale.ms(x);
    const starts = this.columns.start_ms;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= ms) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    this.moveTo(low);
  }

  moveTo(index) {
    if (index !== this.cursor) {
      this.cursor = index;
      this.draw();
      this.describe();
    }
  }

  describe() {
    const c = this.columns;
    const i = this.cursor >= 0 ? this.cursor : c.start_ms.length - 1;
    if (i < 0) {
      setText(this.readout, 'No windows in this span.');
      return;
    }
    const notes = (c.bad_count[i] ? ', ' + c.bad_count[i] + ' bad' : '')
        + (c.revision[i] ? ', amended ' + c.revision[i] + '\u00d7' : '');
    setText(this.readout, time(c.start_ms[i]) + '  mean ' + number(c.mean[i])
        + '  min ' + number(c.min[i]) + '  max ' + number(c.max[i])
        + '  count ' + c.count[i] + notes);
  }

  draw() {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (!this.columns || width < 10) {
      return;
    }
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const g = this.canvas.getContext('2d');
    g.scale(ratio, ratio);
    const style = getComputedStyle(this.canvas);
    const color = (name) => style.getPropertyValue(name).trim();
    g.font = '11px ' + style.fontFamily;
    const c = this.columns;

    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < c.start_ms.length; i++) {
      if (typeof c.min[i] === 'number' && typeof c.max[i] === 'number') {
        low = Math.min(low, c.min[i]);
        high = Math.max(high, c.max[i]);
      }
    }
    if (low > high) {
      low = 0;
      high = 1;
    }
    if (low === high) {
      const margin = Math.abs(low) * 0.01 || 1;
      low -= margin;
      high += margin;
    }
    const pad = (high - low) * 0.06;
    low -= pad;
    high += pad;

    const top = 8;
    const bottom = height - 22;
    const step = niceStep(high - low, Math.max(2, Math.floor((bottom - top) / 44)));
    const labels = [];
    for (let value = Math.ceil(low / step) * step; value <= high; value += step) {
      labels.push(Math.abs(value) < step / 1e6 ? 0 : value);
    }
    const left = 10 + Math.max(24, ...labels.map((value) => g.measureText(number(value)).width));
    const right = width - 6;
    const x = (ms) => left + (ms - this.from) / (this.to - this.from) * (right - left);
    const y = (value) => bottom - (value - low) / (high - low) * (bottom - top);
    this.scale = {ms: (px) => this.from + (px - left) / (right - left) * (this.to - this.from)};

    g.strokeStyle = color('--line');
    g.fillStyle = color('--muted');
    g.lineWidth = 1;
    g.textAlign = 'right';
    g.textBaseline = 'middle';
    for (const value of labels) {
      const at = Math.round(y(value)) + 0.5;
      g.beginPath();
      g.moveTo(left, at);
      g.lineTo(right, at);
      g.stroke();
      g.fillText(number(value), left - 6, at);
    }
    const span = this.to - this.from;
    const every = STEPS.find((size) => span / size <= (right - left) / 76) || STEPS[STEPS.length - 1];
    g.textAlign = 'center';
    g.textBaseline = 'top';
    for (let ms = Math.ceil(this.from / every) * every; ms <= this.to; ms += every) {
      const at = Math.round(x(ms)) + 0.5;
      if (at > left + 14 && at < right - 14) {
        g.fillText(tick(ms, every), at, bottom + 7);
      }
      g.beginPath();
      g.moveTo(at, bottom);
      g.lineTo(at, bottom + 3);
      g.stroke();
    }

    g.save();
    g.beginPath();
    g.rect(left, top, right - left, bottom - top);
    g.clip();
    g.fillStyle = color('--band');
    for (let i = 0; i < c.start_ms.length; i++) {
      if (typeof c.min[i] === 'number') {
        const x0 = x(c.start_ms[i]);
        const y0 = y(c.max[i]);
        g.fillRect(x0, y0 - 0.5, Math.max(1, x(c.end_ms[i]) - x0), Math.max(1, y(c.min[i]) - y0 + 1));
      }
    }
    g.strokeStyle = color('--accent');
    g.lineWidth = 1.75;
    g.lineJoin = 'round';
    g.beginPath();
    let end = null;
    for (let i = 0; i < c.start_ms.length; i++) {
      if (typeof c.mean[i] !== 'number') {
        end = null;
        continue;
      }
      const at = y(c.mean[i]);
      if (end === c.start_ms[i]) {
        g.lineTo(x(c.start_ms[i]), at);
      } else {
        g.moveTo(x(c.start_ms[i]), at);
      }
      g.lineTo(Math.max(x(c.end_ms[i]), x(c.start_ms[i]) + 1), at);
      end = c.end_ms[i];
    }
    g.stroke();
    g.fillStyle = color('--warn');
    for (let i = 0; i < c.start_ms.length; i++) {
      if (c.revision[i]) {
        const at = x((c.start_ms[i] + c.end_ms[i]) / 2);
        g.beginPath();
        g.moveTo(at, bottom - 7);
        g.lineTo(at + 4, bottom);
        g.lineTo(at - 4, bottom);
        g.fill();
      }
    }
    if (this.cursor >= 0) {
      const i = this.cursor;
      g.strokeStyle = color('--text');
      g.globalAlpha = 0.55;
      g.lineWidth = 1;
      g.beginPath();
      const at = Math.round(x((c.start_ms[i] + c.end_ms[i]) / 2)) + 0.5;
      g.moveTo(at, top);
      g.lineTo(at, bottom);
      g.stroke();
    }
    g.restore();
  }
}

/** Sixty values as bars, in a canvas as small as a word. */
export class Spark {
  constructor(label) {
    this.node = h('canvas', {class: 'spark', role: 'img', 'aria-label': label});
    this.values = [];
    new ResizeObserver(() => this.draw()).observe(this.node);
  }

  set(values) {
    this.values = values;
    this.draw();
  }

  draw() {
    const width = this.node.clientWidth;
    const height = this.node.clientHeight;
    if (width < 10 || !this.values.length) {
      return;
    }
    const ratio = window.devicePixelRatio || 1;
    this.node.width = Math.round(width * ratio);
    this.node.height = Math.round(height * ratio);
    const g = this.node.getContext('2d');
    g.scale(ratio, ratio);
    const style = getComputedStyle(this.node);
    const most = Math.max(1, ...this.values);
    const each = width / this.values.length;
    g.fillStyle = style.getPropertyValue('--accent').trim();
    this.values.forEach((value, i) => {
      const size = value ? Math.max(1.5, value / most * (height - 1)) : 1;
      g.globalAlpha = value ? 0.85 : 0.25;
      g.fillRect(i * each, height - size, Math.max(1, each - 1), size);
    });
  }
}
