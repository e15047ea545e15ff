// HTTP-dates written from an instant, independently of the parser: the spellings are put together from the
// parts that a Date gives in UTC.

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export const SECOND = 1000;
export const FIRST_EPOCH_MS: number = Date.UTC(1900, 0, 1);
export const LAST_EPOCH_MS: number = Date.UTC(9999, 11, 31, 23, 59, 59);

interface Parts {
  readonly longDay: string;
  readonly day: string;
  readonly date: string;
  readonly month: string;
  readonly year: string;
  readonly time: string;
}

export function imfFixdate(epochMs: number): string {
  const { day, date, month, year, time } = partsOf(epochMs);
  return `${day}, ${date} ${month} ${year} ${time} GMT`;
}

export function rfc850Date(epochMs: number): string {
  const { longDay, date, month, year, time } = partsOf(epochMs);
  return `${longDay}, ${date}-${month}-${year.slice(2)} ${time} GMT`;
}

/** The day of the month padded with a space, as C does it. */
export function asctimeDate(epochMs: number): string {
  const { day, date, month, year, time } = partsOf(epochMs);
  return `${day} ${month} ${date.replace(/^0/, ' ')} ${time} ${year}`;
}

/** The day of the month always in two digits: the other half of date3. */
export function asctimeDateOfTwoDigits(epochMs: number): string {
  const { day, date, month, year, time } = partsOf(epochMs);
  return `${day} ${month} ${date} ${time} ${year}`;
}

function partsOf(epochMs: number): Parts {
  const [date = '', time = ''] = new Date(epochMs).toISOString().split('T');
  const [year = '', month = '', day = ''] = date.split('-');
  const longDay = DAYS[new Date(epochMs).getUTCDay()] ?? '';
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  return {
    longDay,
    day: longDay.slice(0, 3),
    date: day,
    month: months[Number(month) - 1] ?? '',
    year,
    time: time.slice(0, 8),
  };
}
