import { expect, it } from 'vitest';
import { startLocalChain } from '../src/index.ts';

it.each([
  [{ port: 70_000 }, /^The local chain cannot start: port: .*65535/],
  [{ port: '8899' }, /port: .*expected number/],
  [{ slotMs: -1 }, /slotMs: /],
  [{ historyLimit: 0 }, /historyLimit: /],
  [{ slotMS: 400 }, /options: Unrecognized key: "slotMS"/],
  [{ plugin: { name: 'a/b' } }, /plugin.name: /],
  [{ host: '0.0.0.0' }, /listens on 127.0.0.1 or ::1 only/],
])('says what it expected of %j', async (options, sentence) => {
  await expect(startLocalChain(options as never)).rejects.toThrow(sentence);
});
