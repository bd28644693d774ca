import { describe, expect, it } from 'vitest';
import {
  AUTO_BUY_OFF,
  type AutoBuyFacts,
  type AutoBuyRefusal,
  exactMint,
  judgeAutoBuy,
} from '../../../src/modules/auto-buy/rules.ts';

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const OTHER = 'So11111111111111111111111111111111111111112';

const CALM: AutoBuyFacts = {
  setting: { ...AUTO_BUY_OFF, on: true },
  isExact: true,
  isBorrowed: false,
  isLate: false,
  boughtBefore: false,
  safety: 'OK',
  impactBps: 500,
  spentToday: 900_000_000n,
  spentUnasked: 900_000_000n,
  capUnasked: 10_000_000_000n,
  needsPin: false,
};

describe('auto-buy', () => {
  it('is off unless it was turned on', () => {
    expect(AUTO_BUY_OFF.on).toBe(false);
  });

  it('buys when nothing speaks against it, up to its limits', () => {
    expect(judgeAutoBuy(CALM)).toBeNull();
  });

  it.each<[AutoBuyRefusal, Partial<AutoBuyFacts>]>([
    ['not-exact', { isExact: false }],
    ['borrowed', { isBorrowed: true }],
    ['late', { isLate: true }],
    ['bought-before', { boughtBefore: true }],
    ['warned', { safety: 'CAREFUL' }],
    ['warned', { safety: 'BLOCK' }],
    ['impact', { impactBps: 501 }],
    ['impact', { impactBps: Number.NaN }],
    ['day', { spentToday: 900_000_001n }],
    ['cap', { spentUnasked: 9_900_000_001n }],
    ['pin', { needsPin: true }],
  ])('says %s for %o', (why, facts) => {
    expect(judgeAutoBuy({ ...CALM, ...facts })).toBe(why);
  });

  it.each([
    MINT,
    `  ${MINT}\n`,
    `https://dexscreener.com/solana/${MINT}`,
    `https://x.example/?m=${MINT}&r=1`,
  ])('takes %s for one token', (text) => expect(exactMint(text)).toBe(MINT));

  it.each([
    '',
    'PUP',
    `buy ${MINT}`,
    `${MINT} ${MINT}`,
    `${MINT}\nsoon`,
    `https://x.example/${MINT}/${OTHER}`,
    `https://x.example/${'a'.repeat(300)}/${MINT}`,
    // A referral code as long as an address: nobody knows which of them is meant.
    `https://x.example/${MINT}?r=${'z'.repeat(40)}`,
  ])('takes %s for none', (text) => expect(exactMint(text)).toBeNull());
});
