// Discord's markdown, as nodes. Nothing ever goes through innerHTML.

import { el } from "./dom.js";

const names = { users: new Map(), roles: new Map(), channels: new Map(), self: null };
const MESSAGE_LINK = /^https:\/\/(?:\w+\.)?discord\.com\/channels\/\d+\/(\d+)\/(\d+)$/;

export function setNames(guild) {
  const named = (list) => new Map(list.map((item) => [item.id, item.name]));
  names.users = named(guild.members);
  names.roles = named(guild.roles);
  names.channels = named(guild.channels);
  names.self = guild.you.id;
}

// -- time

const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "always" });
const STYLES = {
  t: { timeStyle: "short" }, T: { timeStyle: "medium" }, d: { dateStyle: "short" }, D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" }, F: { dateStyle: "full", timeStyle: "short" },
};

function timeText(seconds, style) {
  if (style !== "R") return new Intl.DateTimeFormat(undefined, STYLES[style]).format(seconds * 1000);
  const left = Math.round(seconds - Date.now() / 1000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(left) >= size) ?? UNITS.at(-1);
  return relative.format(Math.round(left / size), unit);
}

function timestamp(seconds, style) {
  return el("time", { class: "stamp", "data-unix": seconds, "data-style": style }, timeText(seconds, style));
}

export function tickTimes() {
  for (const node of document.querySelectorAll('time.stamp[data-style="R"]')) {
    const text = timeText(Number(node.dataset.unix), "R");
    if (node.textContent !== text) node.firstChild.data = text;
  }
}

// -- inline

const mention = (text, mine = false) => el("span", { class: mine ? "mention mine" : "mention" }, text);

function link(url, children) {
  const [, channel, message] = MESSAGE_LINK.exec(url) ?? [];
  if (!names.channels.has(channel)) return el("a", { href: url, target: "_blank", rel: "noreferrer noopener" }, ...children);
  const shown = children[0] === url ? `#${names.channels.get(channel)} › message` : children;
  return el("button", { type: "button", class: "plain mention", "data-do": "jump", "data-to": message }, shown);
}

const INLINE = [
  [/\\([^A-Za-z0-9\s])/y, (m) => m[1]],
  [/(`+)([\s\S]*?[^`])\1(?!`)/y, (m) => el("code", {}, m[2].trim() || m[2])],
  [/<t:(-?\d{1,12})(?::([tTdDfFR]))?>/y, (m) => timestamp(Number(m[1]), m[2] ?? "f")],
  [/<@!?(\d+)>/y, (m) => mention(`@${names.users.get(m[1]) ?? "unknown-user"}`, m[1] === names.self)],
  [/<@&(\d+)>/y, (m) => mention(`@${names.roles.get(m[1]) ?? "unknown-role"}`)],
  [/<#(\d+)>/y, (m) => mention(`#${names.channels.get(m[1]) ?? "unknown"}`)],
  [/<\/([-\w ]+):\d+>/y, (m) => mention(`/${m[1]}`)],
  [/<a?:(\w+):\d+>/y, (m) => `:${m[1]}:`],
  [/<(https?:\/\/[^\s>]+)>/y, (m) => link(m[1], [m[1]])],
  [/\[((?:\\.|[^\]\\])+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/y, (m) => link(m[2], inline(m[1]))],
  [/https?:\/\/[^\s<]+[^\s<.,:;"'\])]/y, (m) => link(m[0], [m[0]])],
  [/\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, (m) => el("strong", {}, inline(m[1]))],
  [/__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, (m) => el("u", {}, inline(m[1]))],
  [/~~((?:\\[\s\S]|[^\\])+?)~~/y, (m) => el("s", {}, inline(m[1]))],
  [/\|\|((?:\\[\s\S]|[^\\])+?)\|\|/y, (m) => el("span", { class: "spoiler", tabindex: "0" }, inline(m[1]))],
  [/\*(?![\s*])((?:\\[\s\S]|\*\*|[^*\\])+?)\*(?!\*)/y, (m) => el("em", {}, inline(m[1]))],
  [/_((?:\\[\s\S]|__|[^_\\])+?)_(?!\w)/y, (m) => el("em", {}, inline(m[1]))],
  [/@(?:everyone|here)\b/y, (m) => m[0]],
];
const SPECIAL = /[\\`<[h*_~|@]/g;

export function inline(text) {
  const nodes = [];
  let plain = "";
  let at = 0;
  const flush = () => {
    if (plain) nodes.push(plain);
    plain = "";
  };
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const next = SPECIAL.exec(text);
    const end = next ? next.index : text.length;
    plain += text.slice(at, end);
    at = end;
    if (!next) break;
    let made = null;
    for (const [pattern, make] of INLINE) {
      if (text[at] === "_" && /\w/.test(text[at - 1] ?? "")) break; // snake_case is no emphasis
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match) {
        made = make(match);
        at = match.index + match[0].length;
        break;
      }
    }
    if (made === null) plain += text[at++];
    else if (typeof made === "string") plain += made;
    else {
      flush();
      nodes.push(made);
    }
  }
  flush();
  return nodes;
}

// -- blocks

const BLOCKS = [
  [/^(#{1,3}) +(.+)/, (m) => el(`h${m[1].length + 2}`, { class: `heading h${m[1].length}` }, inline(m[2]))],
  [/^-# +(.+)/, (m) => el("small", {}, inline(m[1]))],
  [/^> (.*)/, (m) => el("blockquote", {}, inline(m[1]))],
  [/^( *)[-*] +(.+)/, (m) => el("div", { class: m[1].length ? "item deep" : "item" }, inline(m[2]))],
  [/^ *(\d+)\. +(.+)/, (m) => el("div", { class: "item numbered", "data-number": `${m[1]}.` }, inline(m[2]))],
];

function lines(text) {
  const nodes = [];
  let run = [];
  const flush = () => {
    if (run.length) nodes.push(el("p", {}, inline(run.join("\n"))));
    run = [];
  };
  for (const line of text.split("\n")) {
    const block = BLOCKS.find(([pattern]) => pattern.test(line));
    if (!block) {
      run.push(line);
      continue;
    }
    flush();
    nodes.push(block[1](block[0].exec(line)));
  }
  flush();
  return nodes;
}

export function markdown(text) {
  return text.split(/```/).flatMap((part, index, parts) => {
    if (index % 2 && index < parts.length - 1) {
      return [el("pre", {}, el("code", {}, part.replace(/^[\w+-]*\n/, "").replace(/\n$/, "")))];
    }
    const shown = index % 2 ? "```" + part : part;
    return shown.trim() ? lines(shown.replace(/^\n|\n$/g, "")) : [];
  });
}
