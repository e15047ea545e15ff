/** The three spellings of RFC 9110 5.6.7: senders write the first, recipients must read them all. */
export type HttpDateForm = 'imf-fixdate' | 'rfc850' | 'asctime';

/** Why a text is no HTTP-date. */
export type HttpDateFault = 'unknown-form' | 'year-out-of-range' | 'day-out-of-range';

/** `dayName` is `wrong` where the text names another day of the week than its date has. */
export type HttpDateReading =
  | {
      readonly kind: 'http-date';
      readonly form: HttpDateForm;
      readonly atEpochMs: number;
      readonly dayName: 'right' | 'wrong';
    }
  | { readonly kind: 'unusable'; readonly because: HttpDateFault };

/**
 * Reads an HTTP-date in ms since 1970, as strictly as its grammar: case, widths, GMT, nothing around it.
 * Years are 1900 to 9999, 23:59:60 is the following midnight, a wrong day-name is reported, not refused.
 * `nowEpochMs` decides the century of a two-digit year and nothing else: where it is no instant of a
 * `Date`, such a year is out of range, and every other date is read all the same.
 * @see RFC 9110 5.6.7
 */
export function parseHttpDate(text: string, nowEpochMs: number): HttpDateReading {
  const layout = LAYOUTS.find(([, pattern]) => pattern.test(text));
  if (layout === undefined) return unusable('unknown-form');
  const [form, , dayAt, monthAt, yearAt, timeAt] = layout;
  const day = twoDigits(text, dayAt);
  const month = MONTHS.indexOf(text.slice(-monthAt, 3 - monthAt)) / 4;
  const minutes = twoDigits(text, timeAt) * 60 + twoDigits(text, timeAt - 3);
  const timeMs = (minutes * 60 + twoDigits(text, timeAt - 6)) * 1000;
  const digits = twoDigits(text, yearAt);
  const year =
    form === 'rfc850'
      ? fullYear(digits, nowEpochMs, (year) => Date.UTC(year, month, day) + timeMs)
      : digits * 100 + twoDigits(text, yearAt - 2);
  // RFC 5322 3.3: 1900 or later. Date.UTC would take years below 100 for those of the 20th century.
  if (!(year >= 1900 && year <= 9999)) return unusable('year-out-of-range');
  const midnightEpochMs = Date.UTC(year, month, day);
  // Every month has 28 days; beyond its last, Date.UTC goes on in the next.
  if (day < 1 || (day > 28 && new Date(midnightEpochMs).getUTCDate() !== day)) {
    return unusable('day-out-of-range');
  }
  // 1899-12-31 was a Sunday. RFC 5322 3.3 binds senders to the right name, and nothing recipients.
  const weekday = (midnightEpochMs / 86_400_000 + 25_568) % 7;
  const dayName = DAYS.indexOf(text.slice(0, 3)) === weekday * 4 ? 'right' : 'wrong';
  return { kind: 'http-date', form, atEpochMs: midnightEpochMs + timeMs, dayName };
}

const DAYS = 'Sun|Mon|Tue|Wed|Thu|Fri|Sat';
const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec';
// time-of-day: 00:00:00 - 23:59:60, whose last minute is the only one in which UTC can have a leap second
const TIME = '(?:(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d|23:59:60)';

// Every part has a fixed width: a match never goes back, and each number has its place, counted from the end:
// day, month, year and hour.
const LAYOUTS = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  ['imf-fixdate', new RegExp(`^(?:${DAYS}), \\d\\d (?:${MONTHS}) \\d{4} ${TIME} GMT$`), 24, 21, 17, 12],
  // Sunday, 06-Nov-94 08:49:37 GMT
  [
    'rfc850',
    new RegExp(`^(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day, \\d\\d-(?:${MONTHS})-\\d\\d ${TIME} GMT$`),
    22,
    19,
    15,
    12,
  ],
  // Sun Nov  6 08:49:37 1994; date3 = month SP ( 2DIGIT / ( SP 1DIGIT ) )
  ['asctime', new RegExp(`^(?:${DAYS}) (?:${MONTHS}) [\\d ]\\d ${TIME} \\d{4}$`), 16, 20, 4, 13],
] as const;

// What appears to be more than 50 years ahead is the most recent such year in the past: so it is the last
// year with these two digits in which the instant is not more than 50 years ahead.
function fullYear(digits: number, nowEpochMs: number, instantIn: (year: number) => number): number {
  const horizon = new Date(nowEpochMs);
  horizon.setUTCFullYear(horizon.getUTCFullYear() + 50);
  const last = digits + 100 * Math.floor((horizon.getUTCFullYear() - digits) / 100);
  return instantIn(last) > horizon.getTime() ? last - 100 : last;
}

// The low four bits of a digit are its value, and those of the SP before a single digit are 0.
function twoDigits(text: string, fromEnd: number): number {
  const at = text.length - fromEnd;
  return (text.charCodeAt(at) & 15) * 10 + (text.charCodeAt(at + 1) & 15);
}

function unusable(because: HttpDateFault): HttpDateReading {
  return { kind: 'unusable', because };
}
