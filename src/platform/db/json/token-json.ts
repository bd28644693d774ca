import type { MetadataWay, SpecExtensions, SpecTransferFee } from '@tradepost/solana';
import { z } from 'zod';
import type { CreatedToken, Revocation } from '../../../modules/mint/rules/created-token.ts';
import type { TokenSpec } from '../../../modules/mint/rules/token-spec.ts';
import { address, amount, exactly, flag, integer, orAbsent, orNull, text, time } from './fields.ts';
import { jsonColumn, plainColumn } from './json-column.ts';

/** Columns of created tokens, and the specification that intents carry too. */

export const way = z.enum<readonly MetadataWay[]>(['native', 'metaplex', 'none']);

export const spec = exactly<TokenSpec>({
  program: z.enum(['token', 'token2022']),
  name: text,
  symbol: text,
  decimals: z.int().min(0).max(255),
  supply: amount,
  mintTo: address,
  mintAuthority: flag,
  freezeAuthority: flag,
  updateAuthority: flag,
  extensions: exactly<SpecExtensions>({
    transferFee: orNull(
      exactly<SpecTransferFee>({
        configAuthority: address,
        withdrawalAuthority: address,
        bps: z.int().min(0).max(10_000),
        maximum: amount,
      }),
    ),
    permanentDelegate: orNull(address),
    defaultAccountState: orNull(z.enum(['initialized', 'frozen'])),
    interest: orNull(exactly<NonNullable<SpecExtensions['interest']>>({ authority: address, bps: integer })),
    mintCloseAuthority: orNull(address),
    nonTransferable: flag,
  }),
});

const revocation = orAbsent(exactly<Revocation>({ signature: text, at: time }));
const revocations = exactly<CreatedToken['revocations']>({
  freeze: revocation,
  mint: revocation,
  update: revocation,
});

export const SPEC = jsonColumn<TokenSpec>('created_tokens.spec', [spec, spec]);
export const REVOCATIONS = jsonColumn<CreatedToken['revocations']>('created_tokens.revocations', [
  revocations,
  revocations,
]);
/** One entry of the column above, as it is added to a row. */
export const REVOCATION = plainColumn<Revocation>(
  'created_tokens.revocations',
  exactly<Revocation>({ signature: text, at: time }),
);
