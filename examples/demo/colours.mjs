const coloured = process.stdout.isTTY === true && process.stdout.hasColors() && !process.env.NO_COLOR;
const paint = (code) => (text) => (coloured ? `\x1b[${code}m${text}\x1b[0m` : text);

export const bold = paint(1);
export const dim = paint(2);
export const red = paint(31);
export const green = paint(32);
export const yellow = paint(33);
