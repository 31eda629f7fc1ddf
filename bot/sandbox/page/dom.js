// Building elements, and changing those on the page in place.

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

export const byId = (id) => document.getElementById(id);

// A new picture takes the old one's place only once it is decoded: no blank, no jump. While one
// loads, later ones wait, and only the newest of them is loaded next.
function swapPicture(img, src) {
  if ((img.wanted ?? img.getAttribute("src")) === src) return;
  const loading = img.wanted !== undefined;
  img.wanted = src;
  if (!loading) loadWanted(img);
}

function loadWanted(img) {
  const src = img.wanted;
  const loader = new Image();
  loader.src = src;
  const next = () => {
    img.src = src;
    if (img.wanted !== src) loadWanted(img);
    else img.wanted = undefined;
  };
  loader.decode().then(next, next);
}

const KEPT = new Set(["data-busy", "aria-expanded"]);

function syncAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !KEPT.has(name) && name !== "style") old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name === "style") continue;
    if (name === "src") swapPicture(old, value);
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
}

const keyOf = (node) => (node.dataset ? node.dataset.key : undefined);

// Make `old` look like `fresh` and keep every node that can stay. A button that is being pressed
// while its message changes must not be replaced, or the click is lost.
export function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName || keyOf(old) !== keyOf(fresh)) {
    old.replaceWith(fresh);
    return fresh;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return old;
  }
  syncAttributes(old, fresh);
  const keyed = new Map();
  for (const child of old.childNodes) if (keyOf(child)) keyed.set(keyOf(child), child);
  let place = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const twin = keyOf(wanted) ? keyed.get(keyOf(wanted)) : place;
    if (!twin || (!keyOf(wanted) && keyOf(twin))) {
      old.insertBefore(wanted, place);
      continue;
    }
    if (twin !== place) old.insertBefore(twin, place);
    place = morph(twin, wanted).nextSibling;
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
  return old;
}
