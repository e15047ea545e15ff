import { describe, expect, jest, test } from '@jest/globals';
import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { journalChannel } from '../../lib/node/index';
import { entryOf } from '../journal/entries';

describe('journalChannel', () => {
  test('publishes every entry to whoever has subscribed, the entry itself', () => {
    const heard: unknown[] = [];
    const listen = (message: unknown): void => void heard.push(message);
    const onEntry = journalChannel();
    const entry = entryOf('gate-opened');
    onEntry(entry);
    subscribe('axios-heed:journal', listen);
    onEntry(entry);
    unsubscribe('axios-heed:journal', listen);
    onEntry(entry);
    expect(heard).toEqual([entry]);
    expect(heard[0]).toBe(entry);
  });

  test('does not even publish while nobody listens', () => {
    const publish = jest.spyOn(Object.getPrototypeOf(channel('axios-heed:journal')), 'publish');
    journalChannel()(entryOf('gate-opened'));
    expect(publish).not.toHaveBeenCalled();
  });
});
