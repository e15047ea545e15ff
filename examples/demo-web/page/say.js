const place = document.getElementById('spoken');

/** For those who listen: what has changed, and never a countdown. */
export function say(words) {
  if (place.textContent !== words) place.textContent = words;
}
