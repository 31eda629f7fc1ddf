// Small lists that open at a control: select menus and quick reactions.

import { el } from "./dom.js";
import { emojiOf } from "./message.js";

const REACTIONS = ["👍", "👏", "😄", "😮", "🔥", "🎉"];
const SEARCH_FROM = 9;
let open = null;

export function closeMenu() {
  open?.anchor.setAttribute("aria-expanded", "false");
  open?.node.remove();
  open = null;
}

document.addEventListener("pointerdown", (event) => {
  if (open && !open.node.contains(event.target) && !open.anchor.contains(event.target)) closeMenu();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && open) {
    event.stopPropagation();
    closeMenu();
  }
}, true);

function openAt(anchor, node) {
  const again = open?.anchor === anchor;
  closeMenu();
  if (again) return false;
  (anchor.closest("dialog") ?? document.body).append(node);
  const box = anchor.getBoundingClientRect();
  const below = window.innerHeight - box.bottom > node.offsetHeight + 8 || box.top < node.offsetHeight;
  const width = Math.max(box.width, node.offsetWidth);
  node.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - width - 8))}px`;
  node.style.top = below
    ? `${Math.min(box.bottom + 4, window.innerHeight - node.offsetHeight - 8)}px`
    : `${box.top - node.offsetHeight - 4}px`;
  node.style.minWidth = `${box.width}px`;
  anchor.setAttribute("aria-expanded", "true");
  open = { anchor, node };
  return true;
}

// The choices of a select of any kind, as the same simple list.
export function choicesOf(part, guild) {
  const entity = (list, sign, type) => list.map((item) => ({
    value: item.id, label: sign + item.name,
    default: (part.default_values ?? []).some((given) => given.id === item.id && given.type === type),
  }));
  const channels = guild.channels.filter((c) => !part.channel_types?.length || part.channel_types.includes(c.type));
  switch (part.type) {
    case 5: return entity(guild.members, "@", "user");
    case 6: return entity(guild.roles, "@", "role");
    case 7: return [...entity(guild.members, "@", "user"), ...entity(guild.roles, "@", "role")];
    case 8: return entity(channels, "#", "channel");
    default: return part.options;
  }
}

export function openMenu(anchor, part, guild, done) {
  const choices = choicesOf(part, guild);
  const [low, high] = [part.min_values ?? 1, part.max_values ?? 1];
  const chosen = new Set(choices.filter((choice) => choice.default).map((choice) => choice.value));
  const search = choices.length >= SEARCH_FROM ? el("input", { type: "search", placeholder: "Search", "aria-label": "Search" }) : null;
  const rows = choices.map((choice) => el(
    "button", { type: "button", role: "option", class: "choice", "aria-selected": chosen.has(choice.value) ? "true" : "false" },
    choice.emoji ? el("span", { class: "emoji" }, emojiOf(choice.emoji)) : null,
    el("span", {}, el("b", {}, choice.label), choice.description ? el("small", {}, choice.description) : null),
  ));
  const several = high > 1 || low === 0;
  const ok = several ? el("button", { type: "button", class: "button primary" }, "Done") : null;
  const node = el("div", { class: "menu", role: "listbox" }, search, el("div", { class: "choices" }, rows), ok);
  const count = () => {
    if (ok) ok.disabled = chosen.size < low || chosen.size > high;
  };
  rows.forEach((row, index) => row.addEventListener("click", () => {
    const { value } = choices[index];
    if (!several) {
      closeMenu();
      done([value]);
      return;
    }
    if (!chosen.delete(value)) chosen.add(value);
    row.setAttribute("aria-selected", String(chosen.has(value)));
    count();
  }));
  ok?.addEventListener("click", () => {
    closeMenu();
    done(choices.map((choice) => choice.value).filter((value) => chosen.has(value)));
  });
  search?.addEventListener("input", () => rows.forEach((row) => {
    row.hidden = !row.textContent.toLowerCase().includes(search.value.toLowerCase());
  }));
  count();
  if (openAt(anchor, node)) search?.focus();
}

export function openReactions(anchor, done) {
  const node = el("div", { class: "menu quick" }, REACTIONS.map((emoji) => el("button", { type: "button", class: "plain" }, emoji)));
  node.addEventListener("click", (event) => {
    closeMenu();
    if (event.target.tagName === "BUTTON") done(event.target.textContent);
  });
  openAt(anchor, node);
}
