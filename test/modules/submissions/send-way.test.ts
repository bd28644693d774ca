import type { Instruction } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  decodeSenders,
  encodeSenders,
  sendByOf,
  sendWayOf,
} from '../../../src/modules/submissions/rules/send-way.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { addressOf } from '../../engine/intents/build.ts';
import { tableOf } from '../../engine/signing/table-of.ts';
import { BY_NODES } from '../../support/send-way.ts';

const programs = createPrograms();
const USER = addressOf(1);
const [ENGINE, PAID, STRANGER] = [addressOf(20), addressOf(30), addressOf(40)];
const jito = { name: 'jito', protects: true, versions: [0], minTip: 1_000n, tipAccounts: [ENGINE] } as const;
const paid = { name: 'sender', protects: false, versions: [0], minTip: 9_000n, tipAccounts: [PAID] } as const;
const BOTH = [jito, paid];

const pay = (to: typeof USER, lamports: bigint) => programs.transferSol({ from: USER, to, lamports });
const messageOf = (...instructions: readonly Instruction[]) =>
  createMessageCompiler().compile({ payer: USER, blockhash: addressOf(99), instructions }).bytes;
const way = (
  message: Uint8Array,
  sender = 'auto',
  protects = false,
  senders: Parameters<typeof sendWayOf>[2] = BOTH,
) => sendWayOf(message, { sender, protects }, senders);

describe('the way of a submission', () => {
  it('is by auto every sender whose tip is paid, beside the nodes', () => {
    expect(way(messageOf(pay(STRANGER, 1n)))).toEqual(BY_NODES);
    expect(way(messageOf(pay(ENGINE, 1_000n)))).toEqual({ senders: ['jito'], alone: false });
    expect(way(messageOf(pay(ENGINE, 999n)))).toEqual(BY_NODES);
    const two = messageOf(pay(ENGINE, 1_000n), pay(PAID, 9_000n));
    expect(way(two)).toEqual({ senders: ['jito', 'sender'], alone: false });
  });

  it('is by a name that sender beside the nodes, and by rpc the nodes alone', () => {
    const two = messageOf(pay(ENGINE, 1_000n), pay(PAID, 9_000n));
    expect(way(two, 'sender')).toEqual({ senders: ['sender'], alone: false });
    expect(way(two, 'rpc')).toEqual(BY_NODES);
    expect(way(two, 'jeeto')).toMatchObject({
      code: 'SENDER_UNKNOWN',
      known: ['auto', 'rpc', 'jito', 'sender'],
    });
    expect(way(messageOf(pay(PAID, 8_999n)), 'sender')).toEqual({
      code: 'TIP_TOO_SMALL',
      sender: 'sender',
      least: 9_000n,
      paid: 8_999n,
    });
  });

  it('is with protection the protecting sender alone, or none', () => {
    const tipped = messageOf(pay(ENGINE, 1_000n), pay(PAID, 9_000n));
    expect(way(tipped, 'auto', true)).toEqual({ senders: ['jito'], alone: true });
    expect(way(tipped, 'jito', true)).toEqual({ senders: ['jito'], alone: true });
    expect(way(tipped, 'sender', true)).toEqual({ code: 'PROTECTION_UNAVAILABLE', sender: 'sender' });
    expect(way(tipped, 'rpc', true)).toEqual({ code: 'PROTECTION_UNAVAILABLE', sender: 'rpc' });
    expect(way(tipped, 'auto', true, [paid])).toEqual({ code: 'PROTECTION_UNAVAILABLE', sender: null });
    const poor = messageOf(pay(PAID, 9_000n), pay(ENGINE, 999n));
    expect(way(poor, 'auto', true)).toMatchObject({
      code: 'TIP_TOO_SMALL',
      sender: 'jito',
      least: 1_000n,
      paid: 999n,
    });
  });

  it('counts one transfer and not a sum, and none to an account that a table names', () => {
    expect(way(messageOf(pay(ENGINE, 500n), pay(ENGINE, 600n)), 'jito')).toMatchObject({
      code: 'TIP_TOO_SMALL',
      paid: 600n,
    });
    const own = [pay(ENGINE, 5_000n), pay(STRANGER, 1n)];
    const lookupTables = tableOf(own, USER);
    const { bytes } = createMessageCompiler().compile({
      payer: USER,
      blockhash: addressOf(99),
      instructions: own,
      lookupTables,
    });
    expect(lookupTables.flatMap(({ entries }) => entries)).toContain(ENGINE);
    expect(way(bytes, 'jito')).toMatchObject({ code: 'TIP_TOO_SMALL', paid: 0n });
    expect(way(bytes)).toEqual(BY_NODES);
  });

  it('is not that of a sender which does not take the version', () => {
    const old = messageOf(pay(ENGINE, 1_000n));
    const only1 = [{ ...jito, versions: [1] as const }];
    expect(way(old, 'auto', false, only1)).toEqual(BY_NODES);
    expect(way(old, 'auto', true, only1)).toEqual({ code: 'SENDER_VERSION_UNSUPPORTED', sender: 'jito' });
    expect(way(old, 'jito', false, only1)).toEqual({ code: 'SENDER_VERSION_UNSUPPORTED', sender: 'jito' });
  });
});

describe('a kept way', () => {
  it('is read back as it was, a name that is no longer known too', () => {
    for (const senders of [[], ['jito'], ['jito', 'sender'], ['one of tomorrow']])
      expect(decodeSenders(encodeSenders({ senders, alone: false }))).toEqual(senders);
  });

  it('never leads to a node where it must be one sender', () => {
    expect(sendByOf(BY_NODES)).toBeUndefined();
    expect(sendByOf({ senders: ['jito', 'sender'], alone: false })).toEqual({
      sender: 'jito',
      protects: false,
      also: ['sender'],
    });
    expect(sendByOf({ senders: ['gone'], alone: true })).toMatchObject({ sender: 'gone', protects: true });
    expect(sendByOf({ senders: [], alone: true })).toMatchObject({ protects: true });
  });
});
