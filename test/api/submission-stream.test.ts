import { VersionedTransaction } from '@solana/web3.js';
import { toBase58 } from '@tradepost/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSubmissionStream } from '../../src/modules/submissions/use/submission-stream.ts';
import { submissionRow } from '../conformance/submission-store.ts';
import { type LivingService, startLivingService } from '../packages/living-service.ts';
import { fakeSubmissionStore } from '../support/fakes/submission-store.ts';
import { post, SOL } from './build-api.ts';

let service: LivingService;
beforeAll(async () => {
  service = await startLivingService('submission-stream');
});
afterAll(() => service.stop());

describe('/stream?transactions=', () => {
  it('tells a submission from before it is known to its final word, without ids', async () => {
    const { rig, api, openUrl } = service;
    const answer = await post(api.open, {
      userWalletAddress: rig.wallet,
      amount: '10000000',
      fromTokenAddress: SOL,
      toTokenAddress: rig.token('PUP').mint,
    });
    const { txBase64, submitToken } = answer.json<{ data: { txBase64: string; submitToken: string } }>().data;
    const transaction = VersionedTransaction.deserialize(Buffer.from(txBase64, 'base64'));
    transaction.sign([rig.keypair]);
    const signature = toBase58(transaction.signatures[0] ?? new Uint8Array());
    const leave = new AbortController();
    const stream = await fetch(`${openUrl}/stream?transactions=${signature}`, { signal: leave.signal });
    expect([stream.status, stream.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const payload = { transaction: Buffer.from(transaction.serialize()).toString('base64'), submitToken };
    const sent = await api.open.inject({ method: 'POST', url: '/transactions', payload });
    expect(sent.statusCode).toBe(200);
    let text = '';
    const decoder = new TextDecoder();
    for await (const part of stream.body ?? []) {
      text += decoder.decode(part as Uint8Array, { stream: true });
      if (text.includes('"final":true')) break;
    }
    leave.abort();
    const told = [...text.matchAll(/event: transaction\ndata: (.*)\n\n/g)].map(
      ([, data = '']) => JSON.parse(data) as { signature: string; status: string; version: number },
    );
    expect(told.at(-1)).toMatchObject({ signature, status: 'finalized' });
    expect(told.map(({ version }) => version)).toEqual(
      told.map(({ version }) => version).toSorted((a, b) => a - b),
    );
    expect(text).not.toContain('\nid:');
  });

  it.each(['abc', '1'.repeat(88), Array.from({ length: 51 }, () => '1'.repeat(64)).join(',')])(
    'refuses what is no list of signatures',
    async (transactions) => {
      const answer = await service.api.open.inject({ url: `/stream?transactions=${transactions}` });
      expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([
        400,
        'SIGNATURE_MALFORMED',
      ]);
    },
  );
});

it('a reader gets the present state first, each change once, and nothing after the end or after it left', async () => {
  const submissions = fakeSubmissionStore();
  const stream = createSubmissionStream({ submissions, log: { warn: () => undefined }, lookMs: 5 });
  const row = submissionRow({ status: 'sent', version: 2 });
  await submissions.insert(row);
  const [told, left]: [number[], number[]] = [[], []];
  await stream.subscribe([row.signature], (changed) => told.push(...changed.map(({ version }) => version)));
  const leave = await stream.subscribe([row.signature], (changed) => left.push(changed.length));
  expect([told, left]).toEqual([[2], [1]]);
  leave();
  await submissions.replace({ ...row, version: 3, status: 'confirmed' });
  await expect.poll(() => told).toEqual([2, 3]);
  await submissions.replace({ ...row, version: 4, status: 'finalized', transaction: null });
  await expect.poll(() => told).toEqual([2, 3, 4]);
  expect(left).toEqual([1]);
});
