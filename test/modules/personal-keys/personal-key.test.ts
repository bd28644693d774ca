import { addressFromBytes } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import {
  canSign,
  ipOf,
  isOpenKey,
  type KeyTerms,
  keyMisfit,
} from '../../../src/modules/personal-keys/rules/personal-key.ts';
import { newAddress } from '../../conformance/store-rows.ts';
import { botKey } from './bot-key.ts';

const SOL = 1_000_000_000n;
const TERMS: KeyTerms = {
  rights: ['trade'],
  orderLamports: SOL,
  dayLamports: 2n * SOL,
  tokens: null,
  ips: null,
};
const misfit = (change: Partial<KeyTerms>) => keyMisfit({ ...TERMS, ...change }, 2n * SOL);

describe('terms of a personal key', () => {
  it('fit up to the spending cap of the chat, to the lamport', () => {
    expect(misfit({})).toBeNull();
    expect(misfit({ dayLamports: 2n * SOL + 1n })).toBe('day-cap');
    expect(misfit({ orderLamports: 2n * SOL })).toBeNull();
    expect(misfit({ orderLamports: 2n * SOL + 1n })).toBe('order-cap');
    expect(misfit({ orderLamports: 9_999_999n })).toBe('order-cap');
    expect(misfit({ rights: [] })).toBe('rights');
  });

  it('name some tokens and addresses, each once, or leave them open', () => {
    const [one, two] = [newAddress(), newAddress()];
    expect(misfit({ tokens: [one, two] })).toBeNull();
    for (const tokens of [[], [one, one], Array.from({ length: 11 }, newAddress)])
      expect(misfit({ tokens })).toBe('tokens');
    expect(misfit({ ips: ['203.0.113.7', '2001:db8::1'] })).toBeNull();
    for (const ips of [
      [],
      ['203.0.113.7', '203.0.113.7'],
      ['203.0.113'],
      ['2001:DB8::1'],
      ['::ffff:203.0.113.7'],
    ])
      expect(misfit({ ips }), String(ips)).toBe('ips');
  });
});

it('an IP address has one writing', () => {
  expect(ipOf(' 203.0.113.7 ')).toBe('203.0.113.7');
  expect(ipOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(ipOf('2001:0DB8:0:0::1')).toBe('2001:db8::1');
  for (const text of [
    '',
    'desk.example',
    '256.0.0.1',
    '1.2.3',
    '1.2.3.4/8',
    '::1%eth0',
    'fe80:::1',
    '12345::',
    '1.2.3.4.5',
  ])
    expect(ipOf(text), text).toBeNull();
});

it('a public key can sign unless it is off the curve or of small order', () => {
  expect(canSign(botKey().publicKey)).toBe(true);
  const hex = (text: string) => addressFromBytes(new Uint8Array(Buffer.from(text, 'hex')));
  for (const small of [
    '01'.padEnd(64, '0'),
    `ec${'f'.repeat(60)}7f`,
    '0'.repeat(64),
    `${'0'.repeat(62)}80`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
    '02'.padEnd(64, '0'),
  ])
    expect(canSign(hex(small)), small).toBe(false);
});

it('a key is open until its end, its person’s tap, or a lock', () => {
  const key = { endedAt: null, until: 10, lockEpoch: 3 };
  expect(isOpenKey(key, { lockEpoch: 3 }, 9)).toBe(true);
  expect(isOpenKey(key, { lockEpoch: 3 }, 10)).toBe(false);
  expect(isOpenKey(key, { lockEpoch: 4 }, 9)).toBe(false);
  expect(isOpenKey({ ...key, endedAt: 1 }, { lockEpoch: 3 }, 9)).toBe(false);
});
