import type { HintForm } from '../hint/hint.js';
import { parseHttpDate } from '../hint/http-date.js';

/**
 * How a field tells "when": a value, not a name, so that a bundle has those alone that its vendors use.
 * Strict: text outside the grammar is `undefined`. A number may have any length.
 */
export interface Unit {
  readonly form: HintForm;
  readonly read: (text: string, now: () => number) => When | undefined;
}

/** Whole ms, rounded up so that nobody is early; they may be more than can be told apart. */
export type When = { readonly delayMs: number } | { readonly atEpochMs: number };

/** `30`, `2.0`, `64.57` */
export const seconds: Unit = { form: 'seconds', read: (text) => delay(decimal(text, 3)) };

/** `1500` */
export const milliseconds: Unit = { form: 'milliseconds', read: (text) => delay(decimal(text, 0)) };

/** Since 1970: `1796040060`, `1796040060.5` */
export const epochSeconds: Unit = { form: 'epoch-seconds', read: (text) => instant(decimal(text, 3)) };

/** Since 1970: `1796040060000` */
export const epochMilliseconds: Unit = {
  form: 'epoch-milliseconds',
  read: (text) => instant(decimal(text, 0)),
};

/** `Sun, 06 Nov 1994 08:49:37 GMT`. RFC 9110 5.6.7 */
export const httpDate: Unit = {
  form: 'http-date',
  read: (text, now) => {
    const date = parseHttpDate(text, now());
    return date.kind === 'http-date' ? { atEpochMs: date.atEpochMs } : undefined;
  },
};

/** As Go prints a time.Duration: `6m0s`, `2m59.56s`, `17ms`, `1h0m0s`, `0s`. */
export const goDuration: Unit = {
  form: 'go-duration',
  read: (text) => {
    const [small, amount = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|us|µs|ns)$/.exec(text) ?? [];
    if (small !== undefined) return delay(scaled(decimal(amount, 0), PER_MS.get(unit) ?? 1));
    const [long, hours = '0', minutes = '0', rest = '0'] = LONG_DURATION.exec(text) ?? [];
    const minutesMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return long ? delay(minutesMs + (decimal(rest, 3) ?? 0)) : undefined;
  },
};

const PER_MS: ReadonlyMap<string, number> = new Map([
  ['us', 1000],
  ['µs', 1000],
  ['ns', 1_000_000],
]);
const LONG_DURATION = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s)?$/;

/** `2026-11-30T12:00:42Z`; an offset, a fraction, and as some write it, no seconds. RFC 3339 5.6 */
export const rfc3339: Unit = {
  form: 'rfc3339',
  read: (text) => {
    const [whole, ...parts]: readonly (string | undefined)[] = INSTANT.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) =>
      Number(part ?? 0),
    );
    const [fraction = '0', sign = '+', offsetHours = '0', offsetMinutes = '0'] = parts.slice(6);
    const midnightEpochMs = Date.UTC(year, month - 1, day);
    // Beyond the last day of a month Date.UTC goes on in the next, and it takes small years for those of 1900.
    if (year < 1970 || day < 1 || new Date(midnightEpochMs).getUTCDate() !== day) return undefined;
    const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
    const timeMs = ((hour * 60 + minute) * 60 + second) * 1000 + (decimal(`0.${fraction}`, 3) ?? 0);
    return { atEpochMs: midnightEpochMs + timeMs - (sign === '-' ? -offsetMs : offsetMs) };
  },
};

// second 60 is a leap second, which is the next minute's first
const INSTANT =
  /^(\d{4})-(0[1-9]|1[0-2])-([0-3]\d)[Tt]([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d|60)(?:\.(\d+))?)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** A decimal number times ten to the power of `places`, rounded up without the noise of floating point. */
function decimal(text: string, places: number): number | undefined {
  const [number, whole = '', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const kept = Number(whole + fraction.slice(0, places).padEnd(places, '0'));
  return /[1-9]/.test(fraction.slice(places)) ? kept + 1 : kept;
}

function scaled(amount: number | undefined, parts: number): number | undefined {
  return amount === undefined ? undefined : Math.ceil(amount / parts);
}

function delay(delayMs: number | undefined): When | undefined {
  return delayMs === undefined ? undefined : { delayMs };
}

function instant(atEpochMs: number | undefined): When | undefined {
  return atEpochMs === undefined ? undefined : { atEpochMs };
}
