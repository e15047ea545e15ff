// From a scenario's word on a route to the kit's model, and to what the server says.
import { importSource } from '../source.mjs';

const kit = await importSource(`export * from './lib/testing/index.ts';`);

const makers = {
  open: () => kit.noLimit(),
  bucket: ({ capacity, perSecond }) => kit.tokenBucket({ capacity, perSecond }),
  window: ({ quota, windowMs }) => kit.fixedWindow({ quota, windowMs }),
  outage: ({ forMs, perSecond, breaksAbovePerSecond }) => {
    const breaks = breaksAbovePerSecond ? { abovePerSecond: breaksAbovePerSecond, downMs: 1000 } : undefined;
    const then = kit.workQueue({ perSecond, breaks });
    return { ...kit.outage({ forMs, then }), collapses: () => then.collapses };
  },
};

/** spec: { type, ...of the model, says?, quotaHeaders?, noRetryAfter? } */
export function modelOf(spec) {
  const model = makers[spec.type](spec);
  const hint = spec.noRetryAfter ? kit.saysNothing : spec.says ? kit.alwaysSays(spec.says) : kit.wholeSeconds;
  return {
    admit: model.admit,
    finish: (admission, atMs) => model.finish?.(admission, atMs) ?? admission,
    collapses: model.collapses ?? (() => 0),
    answerTo: (admission, nowEpochMs) => answerTo(admission, { hint, spec, nowEpochMs }),
  };
}

function answerTo(admission, { hint, spec, nowEpochMs }) {
  const quota = spec.quotaHeaders ? admission.quota : undefined;
  const headers = quota
    ? {
        ...kit.quotaHeaders(quota, 'ratelimit', nowEpochMs),
        ...kit.quotaHeaders(quota, 'x-ratelimit', nowEpochMs),
      }
    : {};
  if (admission.kind === 'accepted') return { status: 200, headers };
  const text = hint(admission.waitMs);
  if (text === undefined) return { status: admission.status, headers };
  return {
    status: admission.status,
    headers: { ...headers, 'retry-after': text },
    hintMs: Number(text) * 1000,
  };
}
