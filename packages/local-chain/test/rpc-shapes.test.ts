import { request } from 'node:http';
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startLocalChain } from '../src/index.ts';
import { encodeJson } from '../src/rpc/encode-json.ts';
import { decodeTransaction, WireError } from '../src/wire.ts';
import { fund, manualChain, rpc, treasury, web3 } from './support/start.ts';

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

function rawPost(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, method: 'POST', headers: { host, 'content-type': 'application/json' } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    call.on('error', reject);
    call.end('{"jsonrpc":"2.0","id":1,"method":"getHealth"}');
  });
}

it('answers a batch in order and leaves notifications without an answer', async () => {
  const running = await manualChain();
  const call = (id: number, method: string, params: unknown[] = []) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });
  const batch = [
    call(1, 'getHealth'),
    { jsonrpc: '2.0', method: 'getHealth' },
    call(2, 'noSuchThing'),
    call(3, 'getSlot', [{ commitment: 'processed' }]),
  ];
  const answers = (await (await post(running.rpcUrl, JSON.stringify(batch))).json()) as { id: number }[];
  expect(answers.map((one) => one.id)).toEqual([1, 2, 3]);
  expect(answers[0]).toMatchObject({ result: 'ok' });
  expect(answers[1]).toMatchObject({ error: { code: -32601, message: 'Method not found: noSuchThing' } });
  expect(answers[2]).toMatchObject({ result: 1000 });
});

it('says what it expected when the request is malformed', async () => {
  const running = await manualChain();
  expect(await (await post(running.rpcUrl, '{')).json()).toMatchObject({ error: { code: -32700 } });
  expect(await (await post(running.rpcUrl, '[]')).json()).toMatchObject({ error: { code: -32600 } });
  expect((await rpc(running, 'getBalance', 'nonsense')).error).toEqual({
    code: -32602,
    message: 'Invalid params: parameter 1 must be an account address as base58 of 32 bytes',
  });
  expect((await rpc(running, 'getSlot', { commitment: 'maybe' })).error.message).toContain(
    'processed, confirmed',
  );
  expect(
    (await rpc(running, 'getAccountInfo', running.world.faucet, { encoding: 'base64+zstd' })).error.code,
  ).toBe(-32602);
  expect(
    (await rpc(running, 'getSignatureStatuses', Array(257).fill('1'.repeat(64)))).error.message,
  ).toContain('max 256');
  expect((await rpc(running, 'sendTransaction', 'AAAA', { encoding: 'base64' })).error.message).toContain(
    'deserialize',
  );
  expect((await rpc(running, 'constructor')).error.code).toBe(-32601);
});

it('refuses requests that name another host, other content types and other origins', async () => {
  const running = await manualChain();
  const { port } = new URL(running.rpcUrl);
  expect(await rawPost(Number(port), `evil.example:${port}`)).toBe(403);
  expect(await rawPost(Number(port), '127.0.0.1:1')).toBe(403);
  expect(await rawPost(Number(port), `localhost:${port}`)).toBe(200);
  expect((await post(running.rpcUrl, '{}', { 'content-type': 'text/plain' })).status).toBe(415);
  const socket = new WebSocket(running.wsUrl, { headers: { origin: 'https://evil.example' } });
  const refused = await new Promise((resolve) => socket.once('error', (error) => resolve(error.message)));
  expect(refused).toContain('403');
});

it('listens on loopback only', async () => {
  await expect(startLocalChain({ host: '0.0.0.0' })).rejects.toThrow('listens on 127.0.0.1 or ::1 only');
});

it('shapes a failed preflight as clients match on it', async () => {
  const running = await manualChain();
  const alice = Keypair.generate();
  await fund(running, alice, 1);
  const { blockhash } = await web3(running).getLatestBlockhash();
  const send = (key: Keypair, tamper: (bytes: Buffer) => Buffer = (bytes) => bytes) => {
    const transaction = new Transaction({ feePayer: key.publicKey, recentBlockhash: blockhash }).add(
      SystemProgram.transfer({
        fromPubkey: key.publicKey,
        toPubkey: Keypair.generate().publicKey,
        lamports: 5e9,
      }),
    );
    transaction.sign(key);
    const wire = tamper(transaction.serialize()).toString('base64');
    return rpc(running, 'sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'processed' });
  };
  const { error } = await send(alice);
  expect(error).toMatchObject({
    code: -32002,
    message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
    data: { err: { InstructionError: [0, { Custom: 1 }] }, accounts: null },
  });
  expect(error.data.logs.at(-1)).toContain('custom program error: 0x1');
  expect((await send(Keypair.generate())).error).toMatchObject({
    message:
      'Transaction simulation failed: Attempt to debit an account but found no record of a prior credit.',
    data: { err: 'AccountNotFound' },
  });
  const flipped = (bytes: Buffer) => {
    bytes[10] = (bytes[10] ?? 0) ^ 1;
    return bytes;
  };
  expect((await send(alice, flipped)).error).toEqual({
    code: -32003,
    message: 'Transaction signature verification failure',
  });
});

it('serves web sockets on a second port for clients that guess it', async () => {
  const first = await manualChain();
  const taken = Number(new URL(first.rpcUrl).port);
  await expect(startLocalChain({ slotMs: 0, wsPort: taken })).rejects.toThrow('EADDRINUSE');
});

it('writes bigints as bare integers anywhere in an answer', () => {
  expect(encodeJson({ a: [2n ** 64n - 1n, 'x"y', null, undefined], b: undefined, c: { d: true } })).toBe(
    '{"a":[18446744073709551615,"x\\"y",null,null],"c":{"d":true}}',
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(encodeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('reads a damaged transaction or refuses it with a WireError, never otherwise', () => {
  const [from, to] = [Keypair.generate(), Keypair.generate()];
  const transaction = new Transaction({
    feePayer: from.publicKey,
    recentBlockhash: to.publicKey.toBase58(),
  }).add(SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to.publicKey, lamports: 1 }));
  transaction.sign(from);
  const whole = transaction.serialize();
  const edits = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 });
  let refused = 0;
  fc.assert(
    fc.property(edits, fc.nat(whole.length), fc.uint8Array({ maxLength: 3 }), (changes, length, tail) => {
      const bytes = Buffer.concat([whole.subarray(0, length), tail]);
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      try {
        decodeTransaction(bytes);
      } catch (error) {
        refused += 1;
        expect(error).toBeInstanceOf(WireError);
      }
    }),
    { numRuns: 2000 },
  );
  expect(refused).toBeGreaterThan(1000);
  expect(decodeTransaction(whole).message.staticKeys[0]).toBe(from.publicKey.toBase58());
});

it('keeps serving when a client hangs up midway or a subscriber cannot be served', async () => {
  const running = await manualChain();
  const { port } = new URL(running.rpcUrl);
  const call = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': '100' },
  });
  call.on('error', () => undefined);
  call.write('{');
  await new Promise((resolve) => setTimeout(resolve, 20));
  call.destroy();

  const socket = new WebSocket(running.wsUrl);
  await new Promise((resolve) => socket.once('open', resolve));
  const answers: string[] = [];
  socket.on('message', (raw: Buffer) => answers.push(raw.toString()));
  const { account } = treasury(running);
  // Without an encoding the data is base58, which cannot hold a token account.
  socket.send(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'accountSubscribe',
      params: [account, { commitment: 'processed' }],
    }),
  );
  await expect.poll(() => answers.length).toBe(1);
  const alice = Keypair.generate();
  await fund(running, alice);
  const { blockhash } = await web3(running).getLatestBlockhash();
  const transaction = new Transaction({ feePayer: alice.publicKey, recentBlockhash: blockhash }).add(
    SystemProgram.transfer({
      fromPubkey: alice.publicKey,
      toPubkey: new PublicKey(account),
      lamports: 1,
    }),
  );
  transaction.sign(alice);
  expect(await web3(running).sendRawTransaction(transaction.serialize())).toBeTypeOf('string');
  socket.close();
});
