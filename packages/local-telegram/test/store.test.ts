import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startLocalTelegram } from '../src/index.ts';
import { ALICE, PNG } from './build-core.ts';

const folder = () => mkdtemp(join(tmpdir(), 'local-telegram-'));

describe('after a restart', () => {
  it('chats, files, menu, waiting updates and the token are as before, and ids are new', async () => {
    const dir = await folder();
    const first = await startLocalTelegram({ dir });
    first.core.people.start(ALICE.id, 'ref_1');
    const sent = await first.core.call(
      'sendPhoto',
      { chat_id: ALICE.id } as never,
      new Map([['photo', { bytes: PNG, filename: 'x' }]]),
    );
    await first.core.call('setMyCommands', { commands: [{ command: 'start', description: 'go' }] });
    const [update] = await first.core.call('getUpdates', { allowed_updates: ['message', 'callback_query'] });
    await first.stop();

    const second = await startLocalTelegram({ dir });
    expect(second.token).toBe(first.token);
    expect([...(second.core.world.chats.get(ALICE.id)?.messages.values() ?? [])]).toEqual([
      ...(first.core.world.chats.get(ALICE.id)?.messages.values() ?? []),
    ]);
    expect(await second.core.call('getMyCommands')).toEqual([{ command: 'start', description: 'go' }]);
    expect(await second.core.call('getUpdates')).toEqual([update]);
    const again = await second.core.call('sendPhoto', {
      chat_id: ALICE.id,
      photo: sent.photo[0]?.file_id ?? '',
    });
    expect(again.photo).toEqual(sent.photo);
    expect(again.message_id).toBeGreaterThan(sent.message_id + 1000);
    expect(second.core.world.queue.nextId()).toBeGreaterThan((update?.update_id ?? 0) + 1000);
    await second.stop();
  });

  it('a webhook is still set', async () => {
    const dir = await folder();
    const first = await startLocalTelegram({ dir });
    await first.core.call('setWebhook', { url: 'http://127.0.0.1:9/hook' });
    await first.stop();
    const second = await startLocalTelegram({ dir });
    expect((await second.core.call('getWebhookInfo')).url).toBe('http://127.0.0.1:9/hook');
    await second.stop();
  });

  it('a reset stays a reset', async () => {
    const dir = await folder();
    const first = await startLocalTelegram({ dir });
    first.core.people.start(ALICE.id);
    await first.core.call(
      'sendPhoto',
      { chat_id: ALICE.id } as never,
      new Map([['photo', { bytes: PNG, filename: 'x' }]]),
    );
    first.core.reset();
    await first.stop();
    expect(await readdir(join(dir, 'files'))).toEqual([]);
    const second = await startLocalTelegram({ dir });
    expect(second.core.world.chats.get(ALICE.id)).toMatchObject({ started: false });
    expect(second.core.world.chats.get(ALICE.id)?.messages.size).toBe(0);
    await second.stop();
  });

  it('a save never writes into the file that stands: it takes its place', async () => {
    const dir = await folder();
    const places: number[] = [];
    for (const text of ['first', 'second']) {
      const telegram = await startLocalTelegram({ dir });
      telegram.core.people.say(ALICE.id, text);
      await telegram.stop();
      places.push((await stat(join(dir, 'chats', `${ALICE.id}.jsonl`))).ino);
    }
    expect(places[0]).not.toBe(places[1]);
    expect((await readdir(dir)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('a folder of an earlier release, one JSON text per file, is read and ends with the first save', async () => {
    const dir = await folder();
    const first = await startLocalTelegram({ dir });
    for (let n = 0; n < 5; n += 1) first.core.people.say(ALICE.id, `message ${n}`);
    const chat = first.core.snapshotChat(ALICE.id);
    const server = first.core.snapshotServer();
    await first.stop();
    const paths = [join(dir, 'chats', String(ALICE.id)), join(dir, 'server')];
    for (const [at, path] of paths.entries()) {
      await rm(`${path}.jsonl`);
      await writeFile(`${path}.json`, JSON.stringify([chat, server][at]));
    }
    const second = await startLocalTelegram({ dir });
    expect(second.core.snapshotChat(ALICE.id)).toEqual(chat);
    expect([...second.core.world.queue.pending()].map((item) => item.update)).toEqual(
      server.pending.map((item) => item.update),
    );
    second.core.people.say(ALICE.id, 'one more');
    await second.stop();
    expect(await readdir(join(dir, 'chats'))).not.toContain(`${ALICE.id}.json`);
    expect(await readdir(dir)).not.toContain('server.json');
    const third = await startLocalTelegram({ dir });
    expect(third.core.world.chats.get(ALICE.id)?.messages.size).toBe(6);
    await third.stop();
  });

  it('broken files are left aside', async () => {
    const dir = await folder();
    await (await startLocalTelegram({ dir })).stop();
    await writeFile(join(dir, 'server.jsonl'), '{"version":1,');
    const second = await startLocalTelegram({ dir });
    expect(second.core.world.chats.get(ALICE.id)).toBeDefined();
    await second.stop();
  });

  it('only its owner can read the token', async () => {
    const dir = await folder();
    const telegram = await startLocalTelegram({ dir });
    expect((await stat(join(dir, 'token'))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(dir, 'token'), 'utf8')).trim()).toBe(telegram.token);
    await telegram.stop();
  });
});

describe('after kill -9', () => {
  it('the chat is whole and no update id is given out twice', async () => {
    const dir = await folder();
    const index = new URL('../src/index.ts', import.meta.url).href;
    const script = `
      import { startLocalTelegram } from ${JSON.stringify(index)};
      const telegram = await startLocalTelegram({ dir: ${JSON.stringify(dir)} });
      let count = 0;
      setInterval(() => {
        for (let n = 0; n < 20; n += 1) telegram.core.people.say(101, 'message ' + (count += 1));
        process.stdout.write(String(telegram.core.world.queue.nextId()) + '\\n');
      }, 1);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
        if (output.split('\n').length > 200) child.kill('SIGKILL');
      });
      child.on('close', () => resolve());
    });
    const lastId = Number(output.trim().split('\n').at(-1));
    const telegram = await startLocalTelegram({ dir });
    const texts = [...(telegram.core.world.chats.get(101)?.messages.values() ?? [])].map(
      (item) => item.message.text,
    );
    const numbers = texts.map((text) => Number(text?.split(' ')[1]));
    expect(numbers.length).toBe(400);
    expect(numbers).toEqual(numbers.map((_, at) => (numbers[0] ?? 0) + at));
    expect(telegram.core.world.queue.nextId()).toBeGreaterThan(lastId);
    await telegram.stop();
  });
});
