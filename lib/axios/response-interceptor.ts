import type { AxiosResponse } from 'axios';
import { MISSING, readHints } from '../hint/hint.js';
import type { HintFacts, HintReader } from '../hint/hint.js';
import { known } from '../hint/known.js';
import { isHidden } from '../hint/retry-after-reader.js';
import { isFromCache, readServerClock } from '../hint/server-clock.js';
import type { Observation } from '../model.js';
import type { Classify } from '../policy/classify.js';
import type { Clock } from '../time/clock.js';
import { classified } from './classified.js';
import { failureOf } from './failure.js';
import { otherHostOf } from './final-host.js';
import { headerNamesOf, headerOf, onlySafelisted } from './headers.js';

/** What the wire gives back: what the adapter said, and the facts as they stood at receipt. */
export interface Settled {
  /** The answer, of an error too. */
  readonly response?: AxiosResponse | undefined;
  /** What the adapter rejected with. */
  readonly error?: unknown;
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
export function responseInterceptor(
  ports: ObserverPorts,
): readonly [(response: AxiosResponse) => Settled, (error: unknown) => Settled] {
  return [
    (response) => ({
      response,
      observation: { end: 'answer', resolved: true, ...factsOf(ports, response) },
    }),
    (error) => {
      const { response, ...failure } = failureOf(error);
      return {
        response,
        error,
        observation: { ...failure, resolved: false, ...factsOf(ports, response) },
      };
    },
  ];
}

type Facts = Omit<Observation, 'end' | 'resolved' | 'code'>;

function factsOf(ports: ObserverPorts, response: AxiosResponse | undefined): Facts {
  const receipt = { receivedEpochMs: ports.clock.wallEpochMs(), receivedMonoMs: ports.clock.monoMs() };
  if (response === undefined) return { ...receipt, hint: MISSING };
  const { status, headers } = response;
  const own = ports.classify && classified(ports.classify, response);
  const facts: HintFacts = {
    status,
    header: (name) => headerOf(headers, name),
    headerNames: () => headerNamesOf(headers),
    receivedEpochMs: receipt.receivedEpochMs,
    body: response.data,
    headersMayBeHidden: onlySafelisted(headers),
  };
  const hint = readHints(facts, own?.reader === undefined ? ports.readers : [...ports.readers, own.reader]);
  const seen = status < 400 && hint.kind === 'silent' && !hint.quota ? {} : seenOf(facts, response);
  return { ...receipt, status, hint, ...seen, ...(own && { classified: own.verdict }) };
}

/** What helps to understand an answer that is judged: whose it is and whose clock it goes by, and who may have kept it. */
function seenOf(facts: HintFacts, response: AxiosResponse): Partial<Facts> {
  const age = facts.header('age');
  const { dateEpochMs, ageSeconds } = readServerClock(facts.header('date'), age, facts.receivedEpochMs);
  return known({
    serverDateEpochMs: dateEpochMs,
    ageSeconds,
    fromCache: isFromCache(age) || undefined,
    headersHidden: isHidden(facts) || undefined,
    answeredBy: otherHostOf(response),
  });
}
