import type { AxiosResponse } from 'axios';
import { readHints } from '../hint/hint.js';
import type { HintFacts, HintReader, HintReading } from '../hint/hint.js';
import { known } from '../hint/known.js';
import { isFromCache, readServerClock } from '../hint/server-clock.js';
import type { Observation } from '../model.js';
import type { Classify } from '../policy/classify.js';
import type { Clock } from '../time/clock.js';
import { discardBody } from './body.js';
import { classified } from './classified.js';
import { failureOf } from './failure.js';
import { headerNamesOf, headerOf, onlySafelisted } from './headers.js';

/** What the wire gives back: what the adapter said, and the facts as they stood at receipt. */
export interface Settled {
  readonly settled:
    | { readonly kind: 'resolved'; readonly response: AxiosResponse }
    | { readonly kind: 'rejected'; readonly error: unknown };
  readonly observation: Observation;
}

export interface ObserverPorts {
  readonly clock: Clock;
  readonly readers: readonly HintReader[];
  readonly classify: Classify | undefined;
}

/**
 * The package's response interceptor, on the wire. The one place where the shared parser meets axios: it
 * turns a response or an error into an observation, judges nothing, and never rejects.
 */
export function responseInterceptor(ports: ObserverPorts): {
  readonly onFulfilled: (response: AxiosResponse) => Settled;
  readonly onRejected: (error: unknown) => Settled;
} {
  return {
    onFulfilled: (response) => ({
      settled: { kind: 'resolved', response },
      observation: { end: 'answer', resolved: true, ...factsOf(ports, response) },
    }),
    onRejected: (error) => {
      const { response, ...failure } = failureOf(error);
      return {
        settled: { kind: 'rejected', error },
        observation: { ...failure, resolved: false, ...factsOf(ports, response) },
      };
    },
  };
}

type Facts = Omit<Observation, 'end' | 'resolved' | 'code'>;

function factsOf(ports: ObserverPorts, response: AxiosResponse | undefined): Facts {
  const receipt = { receivedEpochMs: ports.clock.wallEpochMs(), receivedMonoMs: ports.clock.monoMs() };
  if (response === undefined) return { ...receipt, hint: NO_ANSWER };
  const { status } = response;
  const own = ports.classify === undefined ? undefined : classifiedOrDropped(ports.classify, response);
  const facts: HintFacts = {
    status,
    header: (name) => headerOf(response.headers, name),
    headerNames: () => headerNamesOf(response.headers),
    receivedEpochMs: receipt.receivedEpochMs,
    body: response.data,
    headersMayBeHidden: onlySafelisted(response.headers),
  };
  const hint = readHints(facts, own?.reader === undefined ? ports.readers : [...ports.readers, own.reader]);
  const seen = status < 400 && hint.kind === 'silent' ? {} : seenOf(facts);
  return { ...receipt, status, hint, ...seen, ...(own === undefined ? {} : { classified: own.verdict }) };
}

/** What helps to understand an answer that is judged: whose clock it goes by, and who may have kept it. */
function seenOf({ header, receivedEpochMs, headersMayBeHidden }: HintFacts): Partial<Facts> {
  const [date, age] = [header('date'), header('age')];
  const { dateEpochMs, ageSeconds } = readServerClock(date, age, receivedEpochMs);
  return known({
    serverDateEpochMs: dateEpochMs,
    ageSeconds,
    fromCache: isFromCache(age) || undefined,
    headersHidden: (headersMayBeHidden === true && date === undefined) || undefined,
  });
}

const NO_ANSWER: HintReading = { kind: 'silent', because: 'missing' };

/** An answer over which the caller's own judge throws is nobody's: its socket is let go. */
function classifiedOrDropped(classify: Classify, response: AxiosResponse): ReturnType<typeof classified> {
  try {
    return classified(classify, response);
  } catch (error) {
    discardBody(response.data);
    throw error;
  }
}
