/**
 * Makes the children of `place` those of `items`. An element stays the same as long as its key is there, so that
 * a click that begins on it ends on it, and so does focus.
 */
export function keyedList(place, items, { keyOf, make, update }) {
  const keys = new Set(items.map(keyOf));
  for (const child of [...place.children]) {
    if (!keys.has(child.dataset.key)) child.remove();
  }
  const present = new Map([...place.children].map((child) => [child.dataset.key, child]));
  let next = place.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    const child = present.get(key) ?? make(item);
    child.dataset.key = key;
    update(child, item);
    if (child === next) next = next.nextElementSibling;
    else place.insertBefore(child, next);
  }
}

/** Writes only what differs: a write costs a layout, and takes away what somebody has selected. */
export function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
