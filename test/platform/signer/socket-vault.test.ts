import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallerGoneError } from '../../../src/platform/caller-limit.ts';
import { createCallTurns } from '../../../src/platform/chain/call-turns.ts';
import { frameOf, MOST_FRAME_BYTES } from '../../../src/platform/frames.ts';
import { toPlainJson } from '../../../src/platform/plain-json.ts';
import type { Vault } from '../../../src/platform/ports/vault.ts';
import { PROTOCOL_VERSION } from '../../../src/platform/signer/protocol.ts';
import { serveVault } from '../../../src/platform/signer/serve-vault.ts';
import { createSocketVault } from '../../../src/platform/signer/socket-vault.ts';
import { describeVault } from '../../conformance/vault.ts';

const log: string[] = [];
const logger = {
  warn: (fields: object, message: string) => void log.push(`${message} ${JSON.stringify(fields)}`),
  error: (fields: object, message: string) => void log.push(`${message} ${JSON.stringify(fields)}`),
};

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signer-'));
  path = join(folder, 'signer.sock');
  log.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describeVault('the signer behind its socket', async (signer) => {
  const server = await serveVault(() => signer, { path, log: logger });
  const client = createSocketVault({ places: [{ path }] });
  return {
    vault: client.vault,
    close: async () => {
      client.close();
      await server.stop();
    },
  };
});

/** A vault of which only this call is asked. */
const only = (calls: Partial<Vault>): Vault => calls as Vault;
const seeds = only({ gameSeed: async ({ id }) => `seed of ${id}` });
const ask = { id: 'a', table: 't' };

function raw(): Promise<{
  readonly socket: Socket;
  readonly closed: Promise<void>;
  readonly heard: Buffer[];
}> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const heard: Buffer[] = [];
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    socket.on('data', (chunk) => void heard.push(chunk));
    socket.once('error', reject);
    socket.once('connect', () => resolve({ socket, closed, heard }));
  });
}

describe('the signer’s socket', () => {
  it.each<[string, Buffer]>([
    ['noise', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a frame that says it is too large', Buffer.from([0, 1, 0, 1, 1])],
    ['an empty frame', Buffer.from([0, 0, 0, 0])],
    ['a frame without JSON', frameOf(Buffer.from('{'))],
    ['a body that is deeper than any', frameOf(Buffer.from('['.repeat(60_000)))],
    [
      'another version',
      frameOf(toPlainJson({ version: PROTOCOL_VERSION + 1, id: 1, call: 'gameSeed', input: ask })),
    ],
    [
      'a call that there is not',
      frameOf(toPlainJson({ version: PROTOCOL_VERSION, id: 1, call: 'constructor', input: {} })),
    ],
    [
      'a field too many',
      frameOf(toPlainJson({ version: PROTOCOL_VERSION, id: 1, call: 'gameSeed', input: ask, more: 1 })),
    ],
  ])('cuts the connection of %s, says so, and goes on with the others', async (_, bytes) => {
    const server = await serveVault(() => seeds, { path, log: logger });
    const client = createSocketVault({ places: [{ path }] });
    await client.vault.gameSeed(ask);
    const hostile = await raw();
    hostile.socket.write(bytes);
    await hostile.closed;
    expect(hostile.heard).toEqual([]);
    expect(log).toEqual([expect.stringContaining('a connection to the signer was cut')]);
    expect(await client.vault.gameSeed(ask)).toBe('seed of a');
    client.close();
    await server.stop();
  });

  it.each<[string, unknown]>([
    ['a field of another type', { id: 7, table: 't' }],
    ['a field too many', { ...ask, intent: {} }],
    ['a field too few', { id: 'a' }],
    ['a field too long', { ...ask, table: 'x'.repeat(300) }],
  ])('refuses a request with %s and keeps the connection', async (_, input) => {
    const server = await serveVault(() => seeds, { path, log: logger });
    const line = await raw();
    line.socket.write(frameOf(toPlainJson({ version: PROTOCOL_VERSION, id: 1, call: 'gameSeed', input })));
    await expect.poll(() => Buffer.concat(line.heard).toString()).toContain('"rule":"request"');
    line.socket.write(
      frameOf(toPlainJson({ version: PROTOCOL_VERSION, id: 2, call: 'gameSeed', input: ask })),
    );
    await expect.poll(() => Buffer.concat(line.heard).toString()).toContain('seed of a');
    line.socket.destroy();
    await server.stop();
  });

  it('takes a frame in pieces and several frames at once', async () => {
    const server = await serveVault(() => seeds, { path, log: logger });
    const line = await raw();
    const frame = (id: number) =>
      frameOf(toPlainJson({ version: PROTOCOL_VERSION, id, call: 'gameSeed', input: ask }));
    for (const byte of frame(1)) line.socket.write(Buffer.from([byte]));
    line.socket.write(Buffer.concat([frame(2), frame(3), frame(4).subarray(0, 9)]));
    await expect
      .poll(() =>
        Buffer.concat(line.heard)
          .toString()
          .match(/"id":\d/g)
          ?.toSorted(),
      )
      .toEqual(['"id":1', '"id":2', '"id":3']);
    line.socket.destroy();
    await server.stop();
    expect(() => frameOf(Buffer.alloc(MOST_FRAME_BYTES + 1))).toThrow(RangeError);
  });

  it('gives the refusals of the signer with their details, and of what nobody foresaw no word', async () => {
    const server = await serveVault(
      () => only({ gameSeed: () => Promise.reject(new TypeError('the pepper is 1234')) }),
      { path, log: logger },
    );
    const client = createSocketVault({ places: [{ path }] });
    await expect(client.vault.gameSeed(ask)).rejects.toMatchObject({
      code: 'SIGNER_UNAVAILABLE',
      details: { cause: 'the signer failed at the request' },
    });
    client.close();
    await server.stop();
  });

  it('refuses what is more than may wait, and answers the rest', async () => {
    let free: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      free = resolve;
    });
    let running = 0;
    let most = 0;
    const slow = only({
      gameSeed: async ({ id }) => {
        running += 1;
        most = Math.max(most, running);
        await gate;
        running -= 1;
        return id;
      },
    });
    const server = await serveVault(() => slow, { path, log: logger, concurrency: 3, waiting: 4 });
    const client = createSocketVault({ places: [{ path }] });
    const asked = Array.from({ length: 10 }, (_, n) => client.vault.gameSeed({ id: `r${n}`, table: 't' }));
    const refused = await Promise.allSettled(asked.slice(7));
    expect(refused.map((one) => (one.status === 'rejected' ? one.reason.code : 'answered'))).toEqual(
      Array.from({ length: 3 }, () => 'SIGNER_UNAVAILABLE'),
    );
    free();
    expect(await Promise.all(asked.slice(0, 7))).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6']);
    expect(most).toBe(3);
    client.close();
    await server.stop();
  });

  it('begins no request whose caller gave up or went away while it waited', async () => {
    let free: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      free = resolve;
    });
    const begun: string[] = [];
    const slow = only({
      gameSeed: async ({ id }) => {
        begun.push(id);
        if (id === 'first') await gate;
        return id;
      },
    });
    const server = await serveVault(() => slow, {
      path,
      log: logger,
      concurrency: 1,
      waiting: 8,
      patienceMs: 200,
    });
    const [patient, hasty] = [createSocketVault({ places: [{ path }] }), await raw()];
    const first = patient.vault.gameSeed({ id: 'first', table: 't' });
    await expect.poll(() => begun).toEqual(['first']);
    const input = { id: 'of a line that ends', table: 't' };
    hasty.socket.write(frameOf(toPlainJson({ version: PROTOCOL_VERSION, id: 1, call: 'gameSeed', input })));
    const late = Array.from({ length: 7 }, (_, n) => patient.vault.gameSeed({ id: `r${n}`, table: 't' }));
    const lost = Promise.allSettled(late);
    hasty.socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 300));
    // Their places are free for others, too.
    const others = ['a', 'b', 'c'].map((id) => patient.vault.gameSeed({ id, table: 't' }));
    free();
    expect(await Promise.all([first, ...others])).toEqual(['first', 'a', 'b', 'c']);
    for (const one of await lost)
      expect(one).toMatchObject({
        reason: { code: 'SIGNER_UNAVAILABLE', details: { cause: 'the caller gave up before its turn' } },
      });
    expect(begun).toEqual(['first', 'a', 'b', 'c']);
    patient.close();
    await server.stop();
  });

  it('ends the calls to nodes of a request whose line has ended', async () => {
    const turns = createCallTurns();
    for (let n = 0; n < 3; n += 1) (await turns.take('order', 'getEpochInfo')).refused();
    const ended: unknown[] = [];
    const waiting = only({
      gameSeed: async ({ id }) => {
        await turns.take('order', 'getEpochInfo').catch((error: unknown) => ended.push(error));
        return id;
      },
    });
    const server = await serveVault(() => waiting, { path, log: logger });
    const line = await raw();
    line.socket.write(
      frameOf(toPlainJson({ version: PROTOCOL_VERSION, id: 1, call: 'gameSeed', input: ask })),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    line.socket.destroy();
    await expect.poll(() => ended).toEqual([new CallerGoneError()]);
    await server.stop();
  });

  it('answers what needs no node soon after callers gave up whose requests wait for one', async () => {
    const turns = createCallTurns();
    for (let n = 0; n < 3; n += 1) (await turns.take('order', 'getEpochInfo')).refused();
    let taken = 0;
    const waiting = only({
      gameSeed: async ({ id }) => {
        for (let call = 0; call < 10; call += 1) {
          await turns.take('order', 'getEpochInfo');
          taken += 1;
        }
        return id;
      },
      certificateKey: async () => 'the key',
    });
    const server = await serveVault(() => waiting, { path, log: logger, concurrency: 4, patienceMs: 300 });
    const hasty = createSocketVault({ places: [{ path }], timeoutMs: 300 });
    const asked = Array.from({ length: 50 }, () => hasty.vault.gameSeed(ask));
    await Promise.allSettled(asked);
    const patient = createSocketVault({ places: [{ path }], timeoutMs: 1_000 });
    expect(await patient.vault.certificateKey()).toBe('the key');
    expect(taken).toBeLessThan(3);
    hasty.close();
    patient.close();
    await server.stop();
  });

  it('fails what is under way when the signer dies, and finds the next signer by itself', async () => {
    const server = await serveVault(() => only({ gameSeed: () => new Promise(() => undefined) }), {
      path,
      log: logger,
    });
    const client = createSocketVault({ places: [{ path }] });
    const underWay = [1, 2, 3].map(() => client.vault.gameSeed(ask));
    const settled = Promise.allSettled(underWay);
    await client.ready(1_000);
    await server.stop();
    for (const one of await settled) {
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'SIGNER_UNAVAILABLE' } });
    }
    await expect(client.vault.gameSeed(ask)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
    const next = await serveVault(() => seeds, { path, log: logger });
    expect(await client.vault.gameSeed(ask)).toBe('seed of a');
    client.close();
    await next.stop();
  });

  it('waits for an answer so long and no longer, and lets a late one pass', async () => {
    let answer: (seed: string) => void = () => undefined;
    const server = await serveVault(
      () =>
        only({
          gameSeed: ({ id }) =>
            id === 'a'
              ? new Promise((resolve) => {
                  answer = resolve;
                })
              : Promise.resolve('at once'),
        }),
      { path, log: logger },
    );
    const client = createSocketVault({ places: [{ path }], timeoutMs: 50 });
    await expect(client.vault.gameSeed(ask)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
    answer('late');
    expect(await client.vault.gameSeed({ id: 'b', table: 't' })).toBe('at once');
    client.close();
    await server.stop();
  });

  it('leaves a place that says nothing for the next one, and asks there from then on', async () => {
    const silent = createServer(() => undefined);
    const gone = join(folder, 'gone.sock');
    await new Promise<void>((resolve) => silent.listen(gone, resolve));
    const server = await serveVault(() => seeds, { path, log: logger });
    const client = createSocketVault({ places: [{ path: gone }, { path }], timeoutMs: 200 });
    const asked = await Promise.allSettled([client.vault.gameSeed(ask), client.vault.gameSeed(ask)]);
    expect(asked.map((one) => one.status)).toEqual(['rejected', 'rejected']);
    expect(await client.vault.gameSeed(ask)).toBe('seed of a');
    expect(await client.vault.gameSeed(ask)).toBe('seed of a');
    client.close();
    await server.stop();
    silent.close();
  });

  it('stays at a place that is slow with one call and answers others', async () => {
    const server = await serveVault(
      () =>
        only({
          gameSeed: ({ id }) => (id === 'a' ? new Promise(() => undefined) : Promise.resolve('at once')),
        }),
      { path, log: logger },
    );
    let comers = 0;
    const other = createServer(() => {
      comers += 1;
    });
    const next = join(folder, 'next.sock');
    await new Promise<void>((resolve) => other.listen(next, resolve));
    const client = createSocketVault({ places: [{ path }, { path: next }], timeoutMs: 300 });
    const slow = client.vault.gameSeed(ask).catch(() => 'too late');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await client.vault.gameSeed({ id: 'b', table: 't' })).toBe('at once');
    expect(await slow).toBe('too late');
    expect(await client.vault.gameSeed({ id: 'c', table: 't' })).toBe('at once');
    expect(comers).toBe(0);
    client.close();
    await server.stop();
    other.close();
  });

  it('believes no answer that a signer does not give', async () => {
    const impostor = createServer((socket) => {
      socket.on('data', () => socket.write(frameOf(toPlainJson({ id: 0, ok: true, output: 7 }))));
    });
    await new Promise<void>((resolve) => impostor.listen(path, resolve));
    const client = createSocketVault({ places: [{ path }] });
    await expect(client.vault.gameSeed(ask)).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
    client.close();
    await new Promise((resolve) => impostor.close(resolve));
  });

  it('is its owner’s alone, or the group’s where its directory is', async () => {
    const modeOf = async (directory: number) => {
      await chmod(folder, directory);
      const server = await serveVault(() => seeds, { path, log: logger });
      const { mode } = await stat(path);
      await server.stop();
      return mode & 0o777;
    };
    expect(await modeOf(0o700)).toBe(0o600);
    expect(await modeOf(0o750)).toBe(0o660);
  });

  it('does not listen where others could take its place, over a file, or beside another signer', async () => {
    const refused = (problem: RegExp) => ({
      code: 'CONFIG_INVALID',
      details: { problems: [expect.stringMatching(problem)] },
    });
    await chmod(folder, 0o777);
    await expect(serveVault(() => seeds, { path, log: logger })).rejects.toMatchObject(
      refused(/writable by nobody/),
    );
    await chmod(folder, 0o700);
    await writeFile(path, '');
    await expect(serveVault(() => seeds, { path, log: logger })).rejects.toMatchObject(
      refused(/is no socket/),
    );
    await rm(path);
    const first = await serveVault(() => seeds, { path, log: logger });
    await expect(serveVault(() => seeds, { path, log: logger })).rejects.toMatchObject(
      refused(/another signer listens/),
    );
    await first.stop();
  });
});
