import { type Address, NO_TOKEN_POWERS, TOKEN_2022_PROGRAM, type TokenExtensions } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import {
  passportAuthorities,
  passportPowers,
  type TokenOrigin,
} from '../../../src/modules/passport/rules/passport.ts';
import type { TokenRecord } from '../../../src/platform/ports/token-records.ts';

const ALICE = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
function record(extensions: Partial<TokenExtensions> = {}, more: Partial<TokenRecord> = {}): TokenRecord {
  return {
    token: {
      mint: MINT,
      tokenProgram: TOKEN_2022_PROGRAM,
      decimals: 6,
      supply: 5n,
      name: 'Pup',
      symbol: 'PUP',
      mintAuthority: null,
      freezeAuthority: null,
      extensions: { ...NO_TOKEN_POWERS, ...extensions },
    },
    slot: 7n,
    metadata: null,
    feeCollector: null,
    interest: null,
    pauser: null,
    ...more,
  };
}
const fee = (authority: Address | null, older: number, newer: number) => ({
  authority,
  older: { bps: older, maximum: 9n },
  newer: { bps: newer, maximum: 9n },
  newerEpoch: 10n,
});

describe('the powers of a mint', () => {
  it('are none for a plain one', () => {
    expect(passportPowers(record(), 0n)).toEqual([]);
  });

  it('are all named, gravest first', () => {
    const all = record(
      {
        permanentDelegate: ALICE,
        transferHook: ALICE,
        defaultFrozen: true,
        nonTransferable: true,
        transferFee: fee(ALICE, 100, 100),
        pausable: true,
        mintCloseAuthority: ALICE,
        interestBearing: true,
        confidentialTransfer: true,
      },
      { feeCollector: ALICE, interest: { authority: ALICE, bps: -250 }, pauser: ALICE },
    );
    expect(passportPowers(all, 20n).map(({ code }) => code)).toEqual([
      'TAKE_OR_BURN',
      'RUN_HOOK',
      'BORN_FROZEN',
      'NON_TRANSFERABLE',
      'TRANSFER_FEE',
      'CHANGE_TRANSFER_FEE',
      'COLLECT_TRANSFER_FEE',
      'PAUSE',
      'CLOSE_MINT',
      'INTEREST',
      'CHANGE_INTEREST',
      'CONFIDENTIAL_TRANSFER',
    ]);
  });

  it('tell the fee of this epoch and the one that comes', () => {
    const scheduled = record({ transferFee: fee(null, 100, 900) });
    expect(passportPowers(scheduled, 9n)).toEqual([
      { code: 'TRANSFER_FEE', holder: null, bps: 100, nextBps: 900 },
    ]);
    expect(passportPowers(scheduled, 10n)).toEqual([
      { code: 'TRANSFER_FEE', holder: null, bps: 900, nextBps: null },
    ]);
  });
});

describe('the authorities of a mint', () => {
  const proof = { signature: 'S', at: 1 };
  const origin: TokenOrigin = {
    creator: ALICE,
    hasBadge: false,
    created: proof,
    uri: '',
    metadataHash: null,
    revocations: { mint: proof, freeze: proof },
    launch: null,
    otherTokens: [],
  };

  it('carry the proof of their end', () => {
    expect(passportAuthorities(record(), origin.revocations)).toEqual({
      mint: { holder: null, revoked: proof },
      freeze: { holder: null, revoked: proof },
      update: { holder: null, revoked: null },
    });
  });

  it('are what the chain says, whatever was noted', () => {
    const base = record();
    const live = { ...base, token: { ...base.token, mintAuthority: ALICE } };
    expect(passportAuthorities(live, origin.revocations).mint).toEqual({ holder: ALICE, revoked: null });
  });
});
