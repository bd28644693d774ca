import { type Instruction, METADATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@tradepost/solana';
import { describe, expect, it } from 'vitest';
import { address } from '../../../src/core/address/address.ts';
import { createMetaplexRecord } from '../../../src/modules/mint/rules/instructions/metadata.ts';
import {
  REVOCABLE_AUTHORITIES,
  revokeInstruction,
} from '../../../src/modules/mint/rules/instructions/revoke-authority.ts';
import { givenUpIn } from '../../../src/modules/passport/rules/given-up.ts';

const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const OTHER = address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const texts = { name: 'Puppy', symbol: 'PUP', uri: 'https://desk.example/a.json' };
const drop = (authority: (typeof REVOCABLE_AUTHORITIES)[number], mint = MINT) =>
  revokeInstruction({ authority, mint, tokenProgram: TOKEN_2022_PROGRAM, holder: OTHER, record: null });
const named = (...instructions: readonly Instruction[]) => [...givenUpIn(instructions, MINT)];

describe('givenUpIn', () => {
  it.each(REVOCABLE_AUTHORITIES)('sees the end of the %s authority, of this mint only', (authority) => {
    expect(named(drop(authority))).toEqual([authority]);
    expect(named(drop(authority, OTHER))).toEqual([]);
  });

  it.each(REVOCABLE_AUTHORITIES)(
    'takes an authority that got another holder for no end (%s)',
    (authority) => {
      const { data, ...rest } = drop(authority);
      const moved = data.slice();
      // `Some(key)` of SetAuthority, a key that is not zero of UpdateAuthority.
      if (authority === 'update') moved[moved.length - 1] = 1;
      else moved[2] = 1;
      expect(named({ ...rest, data: moved })).toEqual([]);
    },
  );

  it('sees a mint that was made without a freeze authority, by either instruction', () => {
    for (const tag of [0, 20]) {
      const data = new Uint8Array(67).fill(7);
      data[0] = tag;
      for (const [option, found] of [
        [0, ['freeze']],
        [1, []],
      ] as const) {
        data[34] = option;
        const accounts = [{ address: MINT, signer: false, writable: true }];
        expect(named({ programId: TOKEN_PROGRAM, accounts, data: data.slice() })).toEqual(found);
        expect(named({ programId: METADATA_PROGRAM, accounts, data: data.slice() })).toEqual([]);
      }
    }
  });

  it('sees a Metaplex record that was made immutable', () => {
    const record = (isMutable: boolean, mint = MINT) =>
      createMetaplexRecord({ record: OTHER, mint, authority: OTHER, isMutable }, texts);
    expect(named(record(false))).toEqual(['update']);
    expect(named(record(true))).toEqual([]);
    expect(named(record(false, OTHER))).toEqual([]);
  });

  it('reads cut instructions without a mistake', () => {
    for (const authority of REVOCABLE_AUTHORITIES) {
      const { data, ...rest } = drop(authority);
      expect(named({ ...rest, data: data.subarray(0, 1) })).toEqual([]);
    }
    expect(named({ programId: TOKEN_PROGRAM, accounts: [], data: new Uint8Array() })).toEqual([]);
  });
});
