import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createChat, keepMessage } from '../src/core/chat.ts';
import { type ChatSnapshot, snapshotChat } from '../src/core/snapshot.ts';
import { CHAT } from '../src/patch.ts';
import { openStateFile, readStateFile } from '../src/state-file.ts';
import { ALICE } from './build-core.ts';

const folder = () => mkdtemp(join(tmpdir(), 'state-file-'));
const message = (id: number, text: string) => ({
  message: { message_id: id, date: id, chat: { id: ALICE.id, type: 'private', first_name: 'Alice' }, text },
});

/** A chat that lives: messages come, are edited and deleted, are forgotten at the limit, and the pin moves. */
function* life(changes: number): Generator<ChatSnapshot> {
  const chat = createChat(ALICE);
  for (let n = 1; n <= changes; n += 1) {
    keepMessage(chat, message(n, `message ${n} ${'x'.repeat(n % 300)}`) as never);
    if (n % 3 === 0) keepMessage(chat, message(n - 1, `edited at ${n}`) as never);
    if (n % 7 === 0) chat.messages.delete(n - 4);
    chat.started = true;
    chat.pinnedId = n % 5 === 0 ? undefined : n;
    yield snapshotChat(chat);
  }
}

it('holds each state after each write, and the last whole one wherever the file is cut', async () => {
  const path = join(await folder(), 'chat');
  const file = openStateFile(path, CHAT);
  const states: { readonly state: ChatSnapshot; readonly bytes: number }[] = [];
  for (const state of life(25)) {
    await file.write(state);
    states.push({ state, bytes: (await stat(`${path}.jsonl`)).size });
    expect(await readStateFile(path, CHAT)).toEqual(state);
  }
  const whole = await readFile(`${path}.jsonl`);
  const first = states[0]?.bytes ?? 0;
  expect(whole.length).toBeGreaterThan(2 * first);
  for (let cut = first; cut <= whole.length; cut += 13) {
    await writeFile(`${path}.jsonl`, whole.subarray(0, cut));
    const expected = states.findLast(({ bytes }) => bytes <= cut)?.state;
    expect(await readStateFile(path, CHAT)).toEqual(expected);
  }
});

it('grows by the change, not by the chat, and stays within three times the chat and a little', async () => {
  const path = join(await folder(), 'chat');
  const file = openStateFile(path, CHAT);
  let [largest, appended, rewritten, before] = [0, 0, 0, 0];
  let last: ChatSnapshot | undefined;
  for (const state of life(2500)) {
    await file.write(state);
    const { size } = await stat(`${path}.jsonl`);
    if (size > before) appended += size - before;
    else rewritten += 1;
    before = size;
    largest = Math.max(largest, size);
    last = state;
  }
  const chatBytes = JSON.stringify(last).length;
  expect(rewritten).toBeGreaterThan(1);
  expect(rewritten).toBeLessThan(15);
  expect(largest).toBeLessThan(4 * chatBytes);
  expect(appended / 2500).toBeLessThan(1000);
  expect(await readStateFile(path, CHAT)).toEqual(last);
}, 30_000);

it('a torn last line does not hide the writes after it', async () => {
  const path = join(await folder(), 'chat');
  const [one, two] = [...life(2)];
  if (one === undefined || two === undefined) throw new Error('no states');
  await writeFile(`${path}.jsonl`, `${JSON.stringify(one)}\n{"set":{},"put":[{"mess`);
  const file = openStateFile(path, CHAT);
  expect(await readStateFile(path, CHAT)).toEqual(one);
  await file.write(two);
  expect(await readStateFile(path, CHAT)).toEqual(two);
});
