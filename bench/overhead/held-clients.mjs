// Clients whose operations wait: 'pending' in a network that never answers, the others for a hint of 120 s.
import { clients } from '../real/clients.mjs';
import { answersNever, answersWith } from './stubs.mjs';

export async function createHeld(name, world) {
  const stub = name === 'pending' ? answersNever() : answersWith(429, { 'retry-after': '120' });
  const make = clients[name === 'pending' ? 'axios' : name];
  const { get } = await make({ ...world, adapter: stub.adapter });
  return { get, calls: stub.calls };
}
