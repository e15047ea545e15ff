import type { JournalReport } from '../journal/journal-report.js';
import { countText } from './amount-text.js';
import type { ReplaySummary } from './replay.js';

/** The end of a replay, as people read it. */
export function replayText(summary: ReplaySummary, report: JournalReport, policy: 'same' | 'other'): string {
  const lines = [
    `${countText(summary.operations, 'operation')}, ${countText(summary.decisions, 'decision')} recomputed.`,
    policy === 'other' ? otherText(summary) : sameText(summary),
    ...Object.entries(summary.byReason).map(([change, times]) => `  ${change}: ${countText(times, 'time')}`),
    ...(policy === 'other' ? [recordText(summary), afterText(summary)] : []),
    ...reportTexts(summary, report),
  ];
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

function otherText({ decisions, different }: ReplaySummary): string {
  return `Under the other policy: ${count(decisions - different)} the same, ${count(different)} different.`;
}

function sameText({ recorded, recordedDifferently }: ReplaySummary): string {
  if (recorded === 0) return 'No recorded decisions to compare with.';
  const same = `${count(recorded - recordedDifferently)} the same, ${count(recordedDifferently)} different`;
  return `Compared with ${countText(recorded, 'recorded decision')}: ${same}.`;
}

function recordText({ recordedDifferently }: ReplaySummary): string {
  if (recordedDifferently === 0) return '';
  return `${countText(recordedDifferently, 'recorded decision')} not what the recorded terms give.`;
}

function afterText({ different, notCompared }: ReplaySummary): string {
  if (different === 0) return '';
  const left = notCompared === 0 ? '' : ` (${countText(notCompared, 'decision')})`;
  const why = 'the record is of another story';
  return `After its first difference an operation is compared no further: ${why}${left}.`;
}

/** What was passed over in the reading. */
export function reportTexts(
  { notJudged = 0, withoutOpening = 0, unfinished = 0 }: Partial<ReplaySummary>,
  { unreadable, unreadableAt, dropped }: JournalReport,
): readonly string[] {
  const [first] = unreadableAt;
  const where = first === undefined ? '' : ` (the first: line ${first.line}, ${first.because})`;
  return [
    notJudged > 0
      ? `${countText(notJudged, 'exchange')} of which the record weighs nothing: not judged.`
      : '',
    withoutOpening > 0
      ? `${countText(withoutOpening, 'operation')} whose beginning is not in the record: passed over.`
      : '',
    unfinished > 0 ? `${countText(unfinished, 'operation')} whose end is not in the record.` : '',
    unreadable > 0 ? `${countText(unreadable, 'line')} not readable${where}.` : '',
    dropped > 0 ? `${countText(dropped, 'entry', 'entries')} that the writer had to drop.` : '',
  ].filter((line) => line !== '');
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
