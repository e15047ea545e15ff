/** Paints once per frame at most, and not at all while nobody looks: a hidden tab gets no frames. */
export function painter(paint) {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      paint();
    });
  };
}
