import type { TransferFee } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { type SafetyLevel, tokenSafety } from '../../../src/modules/tokens/rules/safety.ts';
import type { Token } from '../../../src/modules/tokens/rules/token.ts';
import { buildToken, MINT, SOMEBODY } from './build-token.ts';

const context: Parameters<typeof tokenSafety>[1] = { epoch: 10n, wellKnown: [] };
const codes = (token: Token, given = context) =>
  tokenSafety(token, given).warnings.map((warning) => warning.code);

const fee = (older: number, newer: number, changeable = false): TransferFee => ({
  authority: changeable ? SOMEBODY : null,
  older: { bps: older, maximum: 1_000n },
  newer: { bps: newer, maximum: 1_000n },
  newerEpoch: 12n,
});

describe('tokenSafety', () => {
  it('finds no problem with a plain token that nobody controls', () => {
    expect(tokenSafety(buildToken(), context)).toEqual({ level: 'OK', warnings: [] });
  });

  it.each<[string, SafetyLevel, Token]>([
    ['PERMANENT_DELEGATE', 'BLOCK', buildToken({ extensions: { permanentDelegate: SOMEBODY } })],
    ['TRANSFER_HOOK', 'BLOCK', buildToken({ extensions: { transferHook: SOMEBODY } })],
    ['DEFAULT_FROZEN', 'BLOCK', buildToken({ extensions: { defaultFrozen: true } })],
    ['NON_TRANSFERABLE', 'BLOCK', buildToken({ extensions: { nonTransferable: true } })],
    ['MINT_AUTHORITY_LIVE', 'CAREFUL', buildToken({ mintAuthority: SOMEBODY })],
    ['FREEZE_AUTHORITY_LIVE', 'CAREFUL', buildToken({ freezeAuthority: SOMEBODY })],
    ['MINT_CLOSE_AUTHORITY', 'CAREFUL', buildToken({ extensions: { mintCloseAuthority: SOMEBODY } })],
    ['PAUSABLE', 'CAREFUL', buildToken({ extensions: { pausable: true } })],
    ['CONFIDENTIAL_TRANSFER', 'CAREFUL', buildToken({ extensions: { confidentialTransfer: true } })],
    ['INTEREST_BEARING', 'OK', buildToken({ extensions: { interestBearing: true } })],
    ['METADATA_CHANGEABLE', 'OK', buildToken({ updateAuthority: SOMEBODY })],
    ['TRANSFER_FEE', 'OK', buildToken({ extensions: { transferFee: fee(100, 100) } })],
    ['TRANSFER_FEE', 'CAREFUL', buildToken({ extensions: { transferFee: fee(1_001, 1_001) } })],
  ])('names %s and says %s', (code, level, token) => {
    expect(codes(token)).toEqual([code]);
    expect(tokenSafety(token, context).level).toBe(level);
  });

  it('says nothing of metadata that nobody can change, or that were not read', () => {
    expect([codes(buildToken({ updateAuthority: null })), codes(buildToken())]).toEqual([[], []]);
  });

  it('takes the gravest fact for the level and lists it first', () => {
    const token = buildToken({ mintAuthority: SOMEBODY, extensions: { permanentDelegate: SOMEBODY } });
    expect(codes(token)).toEqual(['PERMANENT_DELEGATE', 'MINT_AUTHORITY_LIVE']);
    expect(tokenSafety(token, context).level).toBe('BLOCK');
  });

  it('warns of a fee that is scheduled to rise above ten percent', () => {
    const token = buildToken({ extensions: { transferFee: fee(100, 5_000, true) } });
    expect(tokenSafety(token, context).warnings).toEqual([
      { code: 'TRANSFER_FEE', severity: 'CAREFUL', bps: 100, nextBps: 5_000, changeable: true },
    ]);
    expect(tokenSafety(token, { ...context, epoch: 12n }).warnings).toEqual([
      { code: 'TRANSFER_FEE', severity: 'CAREFUL', bps: 5_000, nextBps: null, changeable: true },
    ]);
  });

  it('says nothing of a fee that is zero for good, and something of one that may come', () => {
    expect(codes(buildToken({ extensions: { transferFee: fee(0, 0) } }))).toEqual([]);
    expect(codes(buildToken({ extensions: { transferFee: fee(0, 0, true) } }))).toEqual(['TRANSFER_FEE']);
  });

  it('sees through disguises of a well-known ticker, and leaves the real one alone', () => {
    const wellKnown = [{ symbol: 'USDC', mint: MINT }];
    const given = { epoch: 10n, wellKnown };
    for (const symbol of ['USDC', 'usdc', 'US\u200bDC', '\u202eUSDC', 'ＵＳＤＣ', ' USDC ']) {
      expect(codes(buildToken({ mint: SOMEBODY, symbol }), given)).toEqual(['SAME_SYMBOL']);
    }
    expect(codes(buildToken({ mint: MINT, symbol: 'USDC' }), given)).toEqual([]);
    expect(codes(buildToken({ mint: SOMEBODY, symbol: 'USDX' }), given)).toEqual([]);
    expect(codes(buildToken({ mint: SOMEBODY, symbol: null }), given)).toEqual([]);
  });
});
