'use strict';
// Pairs of a function and what was made of it.
function detectCycle(node) {
  let hare = node, tortoise = node;
  while (true) {
    if (hare.next === null) return false;
    tortoise = tortoise.next;
    hare = hare.next.next;
    if (hare === tortoise) return true;
  }
}
function detectCycleFixed(node) {
  let hare = node, tortoise = node;
  while (true) {
    if (hare === null || hare === undefined || hare.next === null || hare.next === undefined) return false;
    tortoise = tortoise.next;
    hare = hare.next.next;
    if (hare === tortoise) return true;
  }
}
function parseQuery(qs) {
  const out = {};
  for (const part of qs.split('&')) {
    const [k, v] = part.split('=');
    out[k] = decodeURIComponent(v.replace(/\+/g, ' '));
  }
  return out;
}
function parseQueryFixed(qs) {
  const out = {};
  for (const part of qs.split('&')) {
    const [k, v = ''] = part.split('=');
    out[k] = decodeURIComponent(v.replace(/\+/g, ' '));
  }
  return out;
}
function maxBy(list, fn) {
  let best = list[0];
  for (const x of list.slice(1)) if (fn(x) > fn(best)) best = x;
  return best.id;
}
function maxByFixed(list, fn) {
  if (!list.length) return undefined;
  let best = list[0];
  for (const x of list.slice(1)) if (fn(x) > fn(best)) best = x;
  return best.id;
}
function getIn(obj, path) {
  return path.split('.').reduce((o, k) => o[k], obj);
}
function getInFixed(obj, path) {
  return path.split('.').reduce((o, k) => (o == null ? undefined : o[k]), obj);
}
function groupCount(rows, key) {
  const groups = {};
  for (const r of rows) groups[r[key]].push(r);
  return groups;
}
function groupCountFixed(rows, key) {
  const groups = {};
  for (const r of rows) (groups[r[key]] ||= []).push(r);
  return groups;
}
function flatten(x) { return Array.isArray(x) ? x.map(flatten) : flatten(x); }
function flattenFixed(x) { return Array.isArray(x) ? x.flatMap(flattenFixed) : [x]; }
class LRU {
  constructor(limit) { this.limit = limit; this.map = new Map(); }
  evict() { const oldest = this.map.keys().next().value; return oldest.length; }
  evictFixed() { const oldest = this.map.keys().next().value; return oldest === undefined ? 0 : oldest.length; }
  peek(k) { return this.map.get(k).value; }
  peekFixed(k) { const e = this.map.get(k); return e && e.value; }
}
function chunk(arr, size) { const out = new Array(arr.length - size); return out.fill(0).map((_, i) => arr.slice(i, i + size)); }
function chunkFixed(arr, size) { const out = new Array(Math.max(0, arr.length - size)); return out.fill(0).map((_, i) => arr.slice(i, i + size)); }
function extension(name) { return name.split('.')[1].toLowerCase(); }
function extensionFixed(name) { const p = name.split('.'); return p.length > 1 ? p[1].toLowerCase() : ''; }
function firstWord(s) { return /\w+/.exec(s)[0]; }
function firstWordFixed(s) { const m = /\w+/.exec(s); return m ? m[0] : ''; }
function merge(a, b) { for (const k of Object.keys(b)) a[k] = b[k].slice(); return a; }
function initials(user) { return user.first[0].toUpperCase() + user.last[0].toUpperCase(); }
function initialsFixed(user) { return (user.first[0] || '').toUpperCase() + (user.last[0] || '').toUpperCase(); }
function emit(listeners, name, ...args) { for (const l of listeners[name]) l(...args); }
function emitFixed(listeners, name, ...args) { for (const l of listeners[name] || []) l(...args); }
function parentOf(tree, id) { const n = tree.nodes.find((x) => x.id === id); return tree.nodes.find((x) => x.id === n.parent).id; }
class Span {
  constructor(from) {
    if (from instanceof Span) from = from.text;
    this.text = from.trim();
  }
  overlap(other) {
    if (!(other instanceof Span)) throw new TypeError('a Span is required');
    return this.text[0].length + other.text.length;
  }
}
module.exports = {};
