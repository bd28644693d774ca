import { ExtensionType, getAccountLen } from '@solana/spl-token';
import { associatedAccountBytes, TOKEN_2022_PROGRAM, type TokenExtensions } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { buildToken, SOMEBODY } from './build-token.ts';

const rate = { bps: 1, maximum: 1n };
const transferFee = { authority: null, older: rate, newer: rate, newerEpoch: 0n };

describe('associatedAccountBytes', () => {
  it('is 165 for a plain token', () => {
    expect(associatedAccountBytes(buildToken())).toBe(165);
  });

  it.each<[Partial<TokenExtensions>, ExtensionType[]]>([
    [{}, []],
    [{ transferFee }, [ExtensionType.TransferFeeAmount]],
    [{ nonTransferable: true }, [ExtensionType.NonTransferableAccount]],
    [{ transferHook: SOMEBODY }, [ExtensionType.TransferHookAccount]],
    [{ pausable: true }, [ExtensionType.PausableAccount]],
    [
      { transferFee, transferHook: SOMEBODY, permanentDelegate: SOMEBODY, interestBearing: true },
      [ExtensionType.TransferFeeAmount, ExtensionType.TransferHookAccount],
    ],
  ])('agrees with the vendor for Token-2022 with %o', (extensions, accountSide) => {
    const token = buildToken({ tokenProgram: TOKEN_2022_PROGRAM, extensions });
    expect(associatedAccountBytes(token)).toBe(getAccountLen([ExtensionType.ImmutableOwner, ...accountSide]));
  });
});
