import { expect, test } from '@jest/globals';
import { LIMITED, observedClient } from './observed-client';
import type { ObservedClient } from './observed-client';
import { eventsOf } from './telemetry-world';

const SECRET = 'pl4nted';

/** All that would leave the process. */
async function exported(world: ObservedClient): Promise<string> {
  const spans = world
    .spans()
    .map((span) => [span.name, span.attributes, span.status, span.links, eventsOf(span)]);
  return JSON.stringify([spans, [...(await world.metrics())]]);
}

test('no secret that is planted in a request or an answer is in a span or a metric', async () => {
  const answer = {
    ...LIMITED,
    headers: { ...LIMITED.headers, 'Set-Cookie': SECRET, 'X-Debug': SECRET, Location: `/next?key=${SECRET}` },
    data: { token: SECRET },
  };
  const world = observedClient(
    [answer, { code: `${SECRET} at home`, message: SECRET }, { status: 200, data: SECRET }],
    {
      requestDuration: true,
      gateLabels: true,
    },
  );
  await world.ended(
    world.api.put(
      `https://${SECRET}:${SECRET}@api.example.com/users/7f9c2b1e4d6a8f03/keys?key=${SECRET}#${SECRET}`,
      { card: SECRET },
      {
        headers: { Authorization: `Bearer ${SECRET}`, 'X-API-Key': SECRET, Cookie: SECRET, 'X-Own': SECRET },
        params: { secret: SECRET },
      },
    ),
  );
  await world.get({
    auth: { username: SECRET, password: SECRET },
    heed: { idempotencyKey: SECRET, budget: 1 },
  });
  expect(world.exchanges().length).toBeGreaterThan(1);
  const text = await exported(world);
  expect(text).toContain('api.example.com');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain('7f9c2b1e4d6a8f03');
});

test('what the application says in its own words stays in the journal', async () => {
  const world = observedClient([LIMITED, { status: 200 }], {
    policy: { readiness: [{ name: 'stock', check: () => ({ stop: `sold out: ${SECRET}` }) }] },
  });
  const { journal } = await world.get();
  expect(JSON.stringify(journal)).toContain(SECRET);
  expect(await exported(world)).not.toContain(SECRET);
  expect(await exported(world)).toContain('stock');
});
