// The client: one channel, one person.

import { byId, el, morph } from "./dom.js";
import { Line } from "./line.js";
import { setNames, tickTimes } from "./markdown.js";
import { avatar, renderMessage } from "./message.js";
import { Composer } from "./composer.js";
import { openMenu, openReactions } from "./menu.js";
import { closeModal, openModal } from "./modal.js";

const query = new URLSearchParams(location.search);
const messages = new Map(); // id -> message, kept in the order of ids
const list = byId("messages");
const scroller = byId("scroller");
let guild = null;
let atBottom = true;
let line;
let composer;

// -- the list sticks to its end

const toEnd = () => {
  scroller.scrollTop = scroller.scrollHeight;
};

scroller.addEventListener("scroll", () => {
  atBottom = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 24;
  if (atBottom) byId("to-present").hidden = true;
}, { passive: true });

byId("to-present").addEventListener("click", () => {
  atBottom = true;
  toEnd();
});

const stick = new ResizeObserver(() => {
  if (atBottom) toEnd();
});
stick.observe(list);
stick.observe(scroller);

// -- messages

const nodeOf = (id) => list.querySelector(`:scope > [data-message="${id}"]`);
const before = (a, b) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

function place(message) {
  const isNew = !messages.has(message.id);
  messages.set(message.id, message);
  const present = nodeOf(message.id);
  if (present) {
    morph(present, renderMessage(message, messages.get(present.previousElementSibling?.dataset.message)));
  } else {
    let after = list.lastElementChild;
    while (after && before(after.dataset.message, message.id) > 0) after = after.previousElementSibling;
    const node = renderMessage(message, messages.get(after?.dataset.message));
    if (after) after.after(node);
    else list.prepend(node);
    regroup(node.nextElementSibling);
  }
  if (atBottom) toEnd();
  else if (isNew) byId("to-present").hidden = false;
}

// Changes are shown once a frame: of ten edits in one frame only the last is drawn.
const changed = new Map(); // id -> message, or null for one that is gone

function showChanges() {
  for (const [id, message] of changed) message ? place(message) : remove(id);
  changed.clear();
}

function change(id, message) {
  if (!changed.size) {
    // A tab in the background has no frames.
    if (document.hidden) setTimeout(showChanges);
    else requestAnimationFrame(showChanges);
  }
  changed.set(id, message);
}

function regroup(node) {
  if (!node) return;
  const message = messages.get(node.dataset.message);
  morph(node, renderMessage(message, messages.get(node.previousElementSibling?.dataset.message)));
}

function remove(id) {
  messages.delete(id);
  const node = nodeOf(id);
  const next = node?.nextElementSibling;
  node?.remove();
  regroup(next);
}

// -- the guild around them

function showGuild(fresh) {
  guild = fresh;
  setNames(guild);
  const title = `#${guild.channel.name}`;
  document.title = `${title} · ${guild.you.name}`;
  byId("guild-name").textContent = guild.name;
  byId("channel-name").textContent = title;
  byId("channel-topic").textContent = guild.channel.topic ?? "";
  byId("channel-list").replaceChildren(...guild.channels.map((channel) => {
    const target = new URLSearchParams(query);
    target.set("channel", channel.name);
    return el("li", {}, el("a", { href: `?${target}`, "aria-current": channel.id === guild.channel.id ? "page" : null }, `# ${channel.name}`));
  }));
  const sorted = [...guild.members].sort((a, b) => b.bot - a.bot || a.name.localeCompare(b.name));
  byId("member-list").replaceChildren(...sorted.map((member) =>
    el("li", {}, avatar(member), el("span", {}, member.name), member.bot ? el("span", { class: "badge" }, "APP") : null)));
  byId("you").replaceChildren(
    avatar(guild.you), el("span", {}, el("b", {}, guild.you.name), el("small", {}, "this is you")),
    el("button", { type: "button", class: "plain", id: "leave", title: "Leave the server" }, "Leave"),
  );
  byId("you-short").replaceChildren(avatar(guild.you), guild.you.name);
  byId("rejoin").hidden = guild.is_member;
  byId("composer").hidden = !guild.is_member;
  composer.setGuild(guild);
}

// -- pressing things

const busy = (node, on) => (on ? node.setAttribute("data-busy", "") : node.removeAttribute("data-busy"));

function findComponent(parts, customId) {
  for (const part of parts) {
    if (part.custom_id === customId) return part;
    const children = [...(part.components ?? []), ...(part.accessory ? [part.accessory] : [])];
    const found = findComponent(children, customId);
    if (found) return found;
  }
  return null;
}

const ACTIONS = {
  click: (message, node) => {
    if (node.hasAttribute("data-busy")) return;
    busy(node, true);
    line.send({ do: "click", message: message.id, custom_id: node.dataset.custom }, () => busy(node, false));
  },
  select: (message, node) => {
    const part = findComponent(message.components, node.dataset.custom);
    openMenu(node, part, guild, (values) => {
      busy(node, true);
      line.send({ do: "select", message: message.id, custom_id: part.custom_id, values }, () => busy(node, false));
    });
  },
  dismiss: (message) => line.send({ do: "dismiss", message: message.id }),
  delete: (message) => line.send({ do: "delete", message: message.id }),
  edit: (message) => composer.edit(message),
  reply: (message) => composer.reply(message),
  react: (message, node) => openReactions(node, (emoji) => line.send({ do: "react", message: message.id, emoji, reacted: true })),
  reaction: (message, node) =>
    line.send({ do: "react", message: message.id, emoji: node.dataset.emoji, reacted: node.dataset.me !== "true" }),
  jump: (_message, node) => {
    const target = nodeOf(node.dataset.to);
    if (!target) return toast("That message is not in this channel any more.");
    return target.scrollIntoView({ block: "center" });
  },
  picture: (_message, node) => {
    if (node.classList.contains("hidden")) return node.classList.remove("hidden");
    const [shown, dialog] = [node.querySelector("img"), byId("picture")];
    dialog.querySelector("img").src = shown.src;
    dialog.querySelector("img").alt = shown.alt;
    dialog.querySelector("p").textContent = shown.alt;
    dialog.classList.remove("natural");
    return dialog.showModal();
  },
};

// The composer keeps the focus, whatever is pressed in the list.
list.addEventListener("mousedown", (event) => {
  if (event.target.closest("button")) event.preventDefault();
});
list.addEventListener("click", (event) => {
  const spoiler = event.target.closest(".spoiler");
  if (spoiler) spoiler.classList.add("seen");
  const node = event.target.closest("[data-do]");
  if (!node || node.disabled) return;
  const message = messages.get(node.closest("[data-message]").dataset.message);
  if (message) ACTIONS[node.dataset.do](message, node);
});

byId("picture").addEventListener("click", (event) => {
  const dialog = byId("picture");
  if (event.target.tagName === "IMG") dialog.classList.toggle("natural");
  else dialog.close();
});
byId("picture").addEventListener("close", () => composer.focus());
byId("channels").addEventListener("click", (event) => {
  if (event.target.id === "leave") line.send({ do: "leave" });
});
byId("rejoin").addEventListener("click", () => line.send({ do: "join" }));

function toast(text) {
  const node = el("p", {}, text);
  byId("toasts").append(node);
  setTimeout(() => node.remove(), 5000);
}

// -- starting

function start(name) {
  byId("client").hidden = false;
  const address = new URL("/live", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.search = query;
  address.searchParams.set("as", name);
  composer = new Composer((action, callback) => line.send(action, callback), () => [...messages.values()]);
  line = new Line(address, {
    state: (up, waiting) => {
      byId("connection").textContent = up ? "" : `Reconnecting…${waiting ? ` (${waiting} waiting)` : ""}`;
      document.body.dataset.connected = up;
    },
    hello: (hello) => {
      changed.clear();
      showGuild(hello.guild);
      composer.setCommands(hello.commands);
      const wanted = new Set(hello.messages.map((message) => message.id));
      for (const id of [...messages.keys()]) if (!wanted.has(id)) remove(id);
      hello.messages.forEach(place);
    },
    guild: ({ guild: fresh }) => showGuild(fresh),
    commands: ({ commands }) => composer.setCommands(commands),
    message: ({ message }) => change(message.id, message),
    gone: ({ id }) => change(id, null),
    refused: ({ why }) => toast(why),
    modal: ({ interaction, modal }) =>
      openModal(modal, guild, (values, answered) => line.send({ do: "submit", interaction, values }, answered), () => composer.focus()),
    answered: () => closeModal(),
  });
  setInterval(tickTimes, 1000);
  composer.focus();
}

// Some phones lay the keyboard over the page instead of shrinking it.
window.visualViewport?.addEventListener("resize", () => {
  document.body.style.setProperty("--height", `${window.visualViewport.height}px`);
  if (atBottom) toEnd();
});

const name = query.get("as")?.trim();
if (name) start(name);
else byId("welcome").hidden = false;
